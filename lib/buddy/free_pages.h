/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a page is free: in a block of the allocator, whose first page alone says so
 * and of what order it is, or on the list of a CPU (mm/page_alloc.c).
 */
#pragma once

#include "pages/page_type.h"
#include "util/hash_u64.h"

/* Free blocks of the page allocator by struct page: the first page alone says that it is one, and of what order. */

#define FREE_MAX_ORDER 16 /* NR_PAGE_ORDERS is 11; 14 on arm64 with pages of 64 KiB */

struct free_blocks {
	struct page_types states; /* a window of its own */
	unsigned int orders;	  /* blocks have 1 to 2^(orders - 1) pages; 0: unknown */
	uint64_t end; /* of System RAM: the kernel may have written no struct page behind it */
	/* The largest possible block that was asked for last, a bit per page. */
	uint64_t start;
	uint64_t bits[(1 << (FREE_MAX_ORDER - 1)) / 64];
	bool is_cut; /* a struct page in it is not in this dump: it may have free blocks */
};

/* ST_UNKNOWN: the number of orders is. */
enum status free_blocks_open(struct dump *d, const struct page_types *states,
			     struct free_blocks *ret);

/* Meant for rising pfns: each struct page is then read once. */
bool free_blocks_has(struct free_blocks *f, uint64_t pfn);

struct free_pages {
	struct free_blocks blocks;
	struct pfnset pcp;
	struct first_problem no_pcp; /* why not all lists of CPUs were read */
};

/* end: first pfn behind System RAM.  What is missing is told in no_pcp. */
enum status free_pages_open(struct dump *d, const struct page_types *states, uint64_t end,
			    struct free_pages *ret);

/* Meant for rising pfns: each struct page is then read once. */
bool free_pages_has_block(struct free_pages *f, uint64_t pfn);

bool free_pages_has_pcp(struct free_pages *f, uint64_t pfn);
