/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The objects in use of one slab cache, such as every mm_struct, with a task or without. */
#pragma once

#include "dump/dump.h"

struct cache_objects {
	uint64_t found;	     /* that were visited */
	uint64_t unreadable; /* pages without a struct page in this dump */
	uint64_t unknown;    /* slabs of the cache of which objects may be missing */
};

/*
 * Scans System RAM and calls visit with the address of each object of a struct kmem_cache, which may be
 * shared with others.  ST_UNKNOWN: not SLUB; ST_ABSENT: no page is of that cache; ST_STOPPED: *ret is of
 * what was seen.
 */
enum status cache_objects_walk(struct dump *d, uint64_t cache,
			       enum status (*visit)(void *arg, uint64_t object), void *arg,
			       struct cache_objects *ret);

/* The same of the cache mm_struct. ST_UNKNOWN: it is shared, too. */
enum status mm_objects_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t mm), void *arg,
			    struct cache_objects *ret);
