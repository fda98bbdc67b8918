// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zones.h"

#include "zones/vmstat.h"

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

static uint64_t without_kept(uint64_t pages, uint64_t low)
{
	return pages - (pages / 2 < low ? pages / 2 : low);
}

/* Up to 4.19 what others than slab can give back is counted in bytes, and none of it kept. */
static enum status read_reclaimable(const struct counters *c, uint64_t low, uint64_t *ret)
{
	int64_t slab, misc = 0, bytes = 0;
	enum status st = counter_read(c, "nr_slab_reclaimable", &slab)
				 ?: counter_read(c, "nr_kernel_misc_reclaimable", &misc);

	if (st == ST_ABSENT)
		st = counter_read(c, "nr_indirectly_reclaimable_bytes", &bytes);
	if (st != ST_OK && st != ST_ABSENT)
		return st;
	*ret = without_kept(slab + misc, low) + bytes / dump_page_size(c->dump);
	return ST_OK;
}

enum status mem_available_read(struct dump *d, struct mem_available *ret)
{
	struct counters *c = dump_alloc(d, sizeof(*c));
	int64_t free, active, inactive, sum;
	uint64_t low, at, reserve, reclaimable;
	enum status st = counters_open(d, c) ?: counter_read(c, "nr_free_pages", &free) ?:
			 counter_read(c, "nr_active_file", &active) ?:
			 counter_read(c, "nr_inactive_file", &inactive) ?:
			 read_low(d, &low) ?: read_reclaimable(c, low, &reclaimable) ?:
			 dump_symbol(d, "totalreserve_pages", &at) ?:
			 dump_u64(d, at, &reserve, "totalreserve_pages");

	if (st == ST_OK && reserve > MOST_COUNTED)
		st = dump_corrupt(d, "totalreserve_pages is %lu", reserve);
	if (st != ST_OK)
		return st;
	*ret = (struct mem_available){ .free = free,
				       .reserve = reserve,
				       .file = without_kept(active + inactive, low),
				       .reclaimable = reclaimable };
	sum = (int64_t)(ret->free - reserve + ret->file + ret->reclaimable);
	ret->pages = sum > 0 ? sum : 0;
	return ST_OK;
}
