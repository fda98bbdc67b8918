/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many pages of a zone are free, by two witnesses: NR_FREE_PAGES, and its blocks (struct zone.free_area). */
#pragma once

#include "dump/dump.h"

struct zone_free {
	struct dump *dump;
	uint64_t areas, nr_free; /* offsets in struct zone and struct free_area */
	uint64_t area_bytes;
	unsigned int orders; /* 0: not known, and blocks are not asked */
	uint64_t slack;	     /* pages that may be between the two at any time */
};

void zone_free_open(struct dump *d, unsigned int cpus, struct zone_free *ret);

/*
 * Why free, of the struct zone at an address with that many present pages, cannot be; NULL: it can. Blocks that are
 * isolated are in the lists, and are not counted.
 */
const char *zone_free_damage(const struct zone_free *f, uint64_t zone, uint64_t present,
			     int64_t free);
