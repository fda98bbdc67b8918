/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligned blocks of 2^order pages, of all orders at once: what the pages of each are.
 *
 * Pages come in rising order of pfns. Nothing here reads the dump.
 */
#pragma once

#include "buddy/free_area.h"
#include "classes/page_class.h"
#include "slab/slub.h"

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

/* The allocations that have some pages of a block. */
struct block_users {
	uint64_t pfn;	   /* first page; has is false: there is none */
	uint64_t first;	   /* page of its allocation */
	bool has, several; /* allocations */
};

struct order_block {
	unsigned int order;
	uint64_t start; /* pfn */
	uint64_t seen;	/* pages that were added; below 2^order: not all are memory */
	uint64_t pages[MOBILITIES];
	struct block_users used;  /* pages that are not free */
	struct block_users fixed; /* of them, those that are unmovable or reclaimable */
};

struct order_blocks {
	unsigned int orders;
	uint64_t zone; /* of the pages that were added last */
	bool has_page;
	struct order_block open[FREE_AREA_ORDERS];
	void (*visit)(void *arg, const struct order_block *block);
	void *arg;
};

/* visit: called with each block that has a page, once it is complete. */
void order_blocks_init(struct order_blocks *b, unsigned int orders,
		       void (*visit)(void *arg, const struct order_block *block), void *arg);

/*
 * zone: a number; a block does not go beyond its zone.  first: first page of the allocation that
 * the page belongs to.
 */
void order_blocks_add(struct order_blocks *b, uint64_t zone, uint64_t pfn, uint64_t first,
		      enum page_mobility mobility);

/* After the last page. */
void order_blocks_end(struct order_blocks *b);

/* What would make a block free. */
enum block_state {
	BLOCK_CUT,	   /* not all of its pages are memory: the allocator has no such block */
	BLOCK_FREE,	   /* all pages are in free blocks of the allocator */
	BLOCK_MOVABLE,	   /* its pages in use can be moved */
	BLOCK_RECLAIMABLE, /* or freed by reclaim */
	BLOCK_UNMOVABLE,   /* a page of it is unmovable */
	BLOCK_UNKNOWN,	   /* none is known to be, but a page is unknown */
	BLOCK_STATES
};

enum block_state order_block_state(const struct order_block *b);
