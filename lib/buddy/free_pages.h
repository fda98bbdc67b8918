/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a page is free: in a block of the allocator, whose first page alone says so
 * and of what order it is, or on the list of a CPU (mm/page_alloc.c).
 */
#pragma once

#include "buddy/free_blocks.h"
#include "util/pfn_set.h"

struct free_pages {
	struct dump *dump;
	struct free_blocks blocks;
	struct pfnset pcp;
	enum status pcp_status; /* ST_OK: all lists of CPUs were read */
	const char *pcp_problem;
};

/* end: first pfn behind System RAM.  What is missing is told in pcp_status. */
enum status free_pages_open(struct dump *d, const struct page_types *states, uint64_t end,
			    struct free_pages *ret);

/* Meant for rising pfns: each struct page is then read once. */
bool free_pages_has_block(struct free_pages *f, uint64_t pfn);

bool free_pages_has_pcp(struct free_pages *f, uint64_t pfn);
