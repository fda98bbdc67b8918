/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every mm_struct, with a task or without: the objects in use of the slab cache mm_struct. */
#pragma once

#include "dump/dump.h"

struct mm_objects {
	uint64_t found;	     /* that were visited */
	uint64_t unreadable; /* pages without a struct page in this dump */
	uint64_t unknown;    /* slabs of the cache of which objects may be missing */
};

/*
 * Scans System RAM and calls visit with the address of each.  ST_UNKNOWN: not SLUB; ST_ABSENT: no
 * page is of that cache; ST_STOPPED: *ret is of what was seen.
 */
enum status mm_objects_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t mm), void *arg,
			    struct mm_objects *ret);
