/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether compaction can move a page, or reclaim can free it, by what the page is used for.
 *
 * movable: pages of processes and files, which are on LRU lists, and of zsmalloc: what
 * isolate_migratepages_block() in mm/compaction.c takes. Whether a driver has pinned one of them
 * is not looked at. With vm.compact_unevictable_allowed=0 unevictable ones are not movable.
 * reclaimable: slab pages of a cache with SLAB_RECLAIM_ACCOUNT. A slab is freed when all of its
 * objects are.
 * unmovable: all others in use. Among them pages of hugetlb, which compaction leaves out, and of
 * balloons.
 */
#pragma once

#include "classes/page_class.h"
#include "slab/slub.h"

enum page_mobility {
	MOBILITY_UNKNOWN,
	MOBILITY_FREE, /* in a free block of the allocator */
	MOBILITY_PCP,  /* free, but in none: on the list of a CPU, not accepted yet, being freed */
	MOBILITY_MOVABLE,
	MOBILITY_RECLAIMABLE,
	MOBILITY_UNMOVABLE,
	MOBILITIES
};

struct page_mobilities {
	struct slabs *slabs;	     /* NULL: the mobility of slab pages is unknown */
	uint64_t unevictable;	     /* mask of page.flags; 0: this kernel has none */
	enum page_mobility of_those; /* of pages with it */
};

void page_mobilities_open(struct dump *d, struct slabs *slabs, struct page_mobilities *ret);

/* info: of page_type_at(), class: of page_class_at(), of the same page. */
enum page_mobility page_mobility_of(struct page_mobilities *m, const struct page_info *info,
				    enum page_class class);

/* "movable", ...; NULL: unknown. */
extern const char *const page_mobility_names[MOBILITIES + 1];
