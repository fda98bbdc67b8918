// SPDX-License-Identifier: GPL-2.0-or-later
/* What MemAvailable is at least and at most, where a part of it cannot be read. */
#include "zones/mem_parts.h"
#include "zones/zones.h"

/* Of what reclaim could free: if it left none. */
void mem_bounds_read(struct dump *d, uint64_t free, struct mem_bounds *ret)
{
	struct counters *c = dump_alloc(d, sizeof(*c));
	uint64_t reserve = 0, file = 0, reclaimable = 0;
	struct zone_parts zones;
	bool has_zones = mem_part_zones(d, &zones) == ST_OK;
	bool has_reserve = mem_part_reserve(d, has_zones ? &zones : NULL, &reserve) == ST_OK;

	ret->has_most = (counters_open(d, c) ?: mem_part_file(c, 0, &file) ?:
					      mem_part_reclaimable(c, 0, &reclaimable)) == ST_OK;
	ret->least = has_reserve && free > reserve ? free - reserve : 0;
	ret->most = free + file + reclaimable;
	if (has_reserve)
		ret->most -= ret->most < reserve ? ret->most : reserve;
	d->error[0] = '\0';
}
