/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligned blocks of 2^order pages, of all orders at once: what the pages of each are.
 *
 * Pages come in rising order of pfns. Nothing here reads the dump.
 */
#pragma once

#include "buddy/free_area.h"
#include "classes/page_mobility.h"

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
