/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "zones/vmstat.h"

/*
 * What MemAvailable is made of: si_mem_available() (mm/show_mem.c), in pages.  low: the low watermarks of all zones; of
 * page cache, and of slab, half stays, at most that.
 */

enum status mem_part_file(const struct counters *c, uint64_t low, uint64_t *ret);
enum status mem_part_reclaimable(const struct counters *c, uint64_t low, uint64_t *ret);

/* Sums over the zones. */
struct zone_parts {
	uint64_t low; /* low watermarks, with what boosts them */
	uint64_t least_reserve,
		most_reserve; /* what totalreserve_pages can be, which is a sum of them */
};

enum status mem_part_zones(struct dump *d, struct zone_parts *ret);

/*
 * totalreserve_pages: one word that decides whether memory was short.  zones: a second witness; NULL: there is none.
 * ST_CORRUPT: more than any machine has, or what these zones cannot add up to.
 */
enum status mem_part_reserve(struct dump *d, const struct zone_parts *zones, uint64_t *ret);
