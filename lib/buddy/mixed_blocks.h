/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Number of mixed blocks" of /proc/pagetypeinfo: pageblocks with an allocation whose gfp flags
 * ask for another migrate type than the pageblock has (pagetypeinfo_showmixedcount_print() in
 * mm/page_owner.c, 4.6 to 7.3). Nothing here reads the dump.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What the kernel looks at, of one page. */
struct mixed_page {
	uint64_t pfn;
	bool is_unknown; /* its struct page or its record is not in this dump */
	bool is_free;	 /* the first of a free block of that order */
	bool is_reserved;
	bool is_allocated; /* page_owner has it: of that order, with that migrate type */
	unsigned int order, type;
};

/* The pageblock that is looked at, in rising order of pfns of a zone. */
struct mixed_block {
	uint64_t next; /* pages below it are not looked at: behind a free block, or an allocation */
	bool is_mixed;
	bool is_unknown; /* it may be mixed */
};

/* The next pageblock of the zone. */
static inline void mixed_block_next(struct mixed_block *m)
{
	m->is_mixed = m->is_unknown = false;
}

/* type: migrate type of the pageblock. */
void mixed_block_add(struct mixed_block *m, unsigned int type, const struct mixed_page *page);
