// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zones.h"

#include "zones/mem_parts.h"

enum status mem_available_read(struct dump *d, struct mem_available *ret)
{
	struct counters *c = dump_alloc(d, sizeof(*c));
	int64_t free, sum;
	uint64_t reserve, file, reclaimable;
	struct zone_parts zones;
	enum status st = counters_open(d, c) ?: counter_read(c, "nr_free_pages", &free) ?:
			 mem_part_zones(d, &zones) ?: mem_part_file(c, zones.low, &file) ?:
			 mem_part_reclaimable(c, zones.low, &reclaimable) ?:
			 mem_part_reserve(d, &zones, &reserve);

	if (st != ST_OK)
		return st;
	*ret = (struct mem_available){
		.free = free, .reserve = reserve, .file = file, .reclaimable = reclaimable
	};
	sum = (int64_t)(ret->free - reserve + ret->file + ret->reclaimable);
	ret->pages = sum > 0 ? sum : 0;
	return ST_OK;
}
