// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zones.h"

#include "zones/mem_parts.h"

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

enum status mem_available_read(struct dump *d, struct mem_available *ret)
{
	struct counters *c = dump_alloc(d, sizeof(*c));
	int64_t free, sum;
	uint64_t low, reserve, file, reclaimable;
	enum status st = counters_open(d, c) ?: counter_read(c, "nr_free_pages", &free) ?:
			 read_low(d, &low) ?: mem_part_file(c, low, &file) ?:
			 mem_part_reclaimable(c, low, &reclaimable) ?: mem_part_reserve(d, &reserve);

	if (st != ST_OK)
		return st;
	*ret = (struct mem_available){
		.free = free, .reserve = reserve, .file = file, .reclaimable = reclaimable
	};
	sum = (int64_t)(ret->free - reserve + ret->file + ret->reclaimable);
	ret->pages = sum > 0 ? sum : 0;
	return ST_OK;
}
