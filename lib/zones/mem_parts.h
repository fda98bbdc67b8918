/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "zones/vmstat.h"

/*
 * What MemAvailable is made of: si_mem_available() (mm/show_mem.c), in pages.  low: the low watermarks of all zones; of
 * page cache, and of slab, half stays, at most that.
 */

enum status mem_part_file(const struct counters *c, uint64_t low, uint64_t *ret);
enum status mem_part_reclaimable(const struct counters *c, uint64_t low, uint64_t *ret);

/* totalreserve_pages. ST_CORRUPT: more than any machine has, or what these zones cannot add up to. */
enum status mem_part_reserve(struct dump *d, uint64_t *ret);
