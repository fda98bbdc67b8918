/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables of x86_64, of the kernel or of a process: 4 or 5 levels of pages
 * with 512 entries (arch/x86/include/asm/pgtable_types.h).
 */
#ifndef MEMOWNER_PAGETABLE_H
#define MEMOWNER_PAGETABLE_H

#include "dump.h"

struct page_tables {
	uint64_t top;	     /* physical address of the top table */
	unsigned int levels; /* 4 or 5 */
	uint64_t encryption; /* bits of an entry that are no address */
};

/*
 * The kernel's own, from init_top_pgt.  How many levels there are is found by
 * translating the image's start, whose physical address crash knows.
 * DUMP_ABSENT: not x86_64; DUMP_UNKNOWN: these tables do not map the image.
 */
enum status page_tables_open(struct dump *d, struct page_tables *ret);

/*
 * Physical address of a virtual one.  DUMP_ABSENT: not mapped, or swapped out;
 * DUMP_UNREADABLE: a table is not in this dump.  The message says which.
 */
enum status page_tables_walk(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret);

#endif
