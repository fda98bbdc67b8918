// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/mem_available.h"

#include "zones/vmstat.h"
#include "zones/zone_state.h"

static enum status read_low(struct dump *d, uint64_t *low)
{
	struct zone_states states;
	struct zone_state state;
	struct zones zones;
	enum status st = zones_open(d, &zones) ?: zone_states_open(d, &states);

	*low = 0;
	for (size_t i = 0; st == ST_OK && i < zones.n; i++) {
		st = zone_state_read(&states, &zones.zones[i], &state);
		*low += st == ST_OK ? state.marks[MARK_LOW] + state.boost : 0;
	}
	return st;
}

/* Up to 4.19 memory that others can give back was counted in bytes. */
static enum status read_misc(const struct counters *c, int64_t *ret)
{
	struct dump *d = c->dump;
	int64_t number;
	enum status st = counter_read(c, "nr_kernel_misc_reclaimable", ret);

	if (st != ST_ABSENT)
		return st;
	*ret = 0;
	return dump_ask(d, enumerator, "NR_INDIRECTLY_RECLAIMABLE_BYTES", &number) == ST_OK
		       ? dump_fail(d, ST_UNKNOWN, "this kernel counts in bytes what is reclaimable")
		       : ST_OK;
}

static uint64_t without_kept(uint64_t pages, uint64_t low)
{
	return pages - (pages / 2 < low ? pages / 2 : low);
}

enum status mem_available_read(struct dump *d, struct mem_available *ret)
{
	struct counters *c = dump_alloc(d, sizeof(*c));
	int64_t free, active, inactive, slab, misc, sum;
	uint64_t low, at, reserve;
	enum status st = counters_open(d, c) ?: counter_read(c, "nr_free_pages", &free) ?:
			 counter_read(c, "nr_active_file", &active) ?:
			 counter_read(c, "nr_inactive_file", &inactive) ?:
			 counter_read(c, "nr_slab_reclaimable", &slab) ?: read_misc(c, &misc) ?:
			 read_low(d, &low) ?: dump_symbol(d, "totalreserve_pages", &at) ?:
			 dump_u64(d, at, &reserve, "totalreserve_pages");

	if (st == ST_OK && reserve > MOST_COUNTED)
		st = dump_fail(d, ST_CORRUPT, "totalreserve_pages is %lu", reserve);
	if (st != ST_OK)
		return st;
	*ret = (struct mem_available){ .free = free,
				       .reserve = reserve,
				       .file = without_kept(active + inactive, low),
				       .reclaimable = without_kept(slab + misc, low) };
	sum = (int64_t)(ret->free - reserve + ret->file + ret->reclaimable);
	ret->pages = sum > 0 ? sum : 0;
	return ST_OK;
}
