/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables, of the kernel or of a process.  x86_64: 4 or 5 levels of 512
 * entries (arch/x86/include/asm/pgtable_types.h).  arm64: as many as VA_BITS
 * needs, of pages of 4, 16 or 64 KiB, with physical addresses of 48 or 52 bits
 * (arch/arm64/include/asm/pgtable-hwdef.h).
 */
#pragma once

#include "dump/dump.h"

struct table_format;

struct page_tables {
	const struct table_format *format;
	uint64_t top;	    /* physical address of the top table */
	unsigned int shift; /* log2 of the bytes of a page, and of a table */
	unsigned int levels;
	unsigned int va_bits;  /* that they translate; the rest repeat the sign */
	unsigned int sign_bit; /* lowest bit that is the same in all above it */
	uint64_t encryption;   /* bits of an entry that are no address */
};

/*
 * Where the kernel's image begins: _text, or, if its address is lost, _stext, which VMCOREINFO has, and before which there
 * is the head at most.
 */
enum status image_begins(struct dump *d, uint64_t *ret);

/*
 * The kernel's own.  How many levels there are is found by translating the
 * image's start, whose physical address crash knows.  ST_ABSENT: another
 * architecture; ST_UNKNOWN: these tables do not map the image.
 */
enum status page_tables_open(struct dump *d, struct page_tables *ret);

/*
 * Sets all but the top table for tables that translate that many bits of an address.
 * ST_ABSENT: another architecture.
 */
enum status page_tables_set(struct dump *d, struct page_tables *t, unsigned int va_bits);

/*
 * Physical address of a virtual one.  ST_ABSENT: nothing is mapped there, a page in swap
 * included; ST_UNREADABLE: a table is not in this dump.  The message says which.
 */
enum status page_tables_walk(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret);

/* The same; *span: log2 of the bytes around it that one entry maps. */
enum status page_tables_find(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret, unsigned int *span);

/*
 * Of an address of a process where nothing is mapped: the entry that its tables keep for it, such
 * as one of swap or of a page that migrates; 0: none.  Status as above, but not ST_ABSENT.
 */
enum status page_tables_kept(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret);

/* The type in such an entry, below nr_swapfiles if it is of swap; false: its place is unknown. */
bool page_tables_swap_type(const struct page_tables *t, uint64_t entry, uint64_t *ret);

/* The page of that area which an entry of swap names; false as above. */
bool page_tables_swap_place(const struct page_tables *t, uint64_t entry, uint64_t *ret);

/*
 * Calls visit for each page that is mapped from start up to end, which are whole pages, and
 * reads each table once.  visit ends it by any status but ST_OK.
 * ST_UNREADABLE: a table is not in this dump; ST_STOPPED: interrupted.
 */
enum status page_tables_range(struct dump *d, const struct page_tables *t, uint64_t start,
			      uint64_t end, enum status (*visit)(void *arg, uint64_t phys),
			      void *arg);

/*
 * The same, and kept for each entry of a page that is not mapped and not 0: page_tables_kept(). span is set before each visit:
 * the entry maps 1 << *span bytes.
 */
enum status page_tables_entries(struct dump *d, const struct page_tables *t, uint64_t start,
				uint64_t end, enum status (*visit)(void *arg, uint64_t phys),
				enum status (*kept)(void *arg, uint64_t entry), void *arg,
				unsigned int *span);

/*
 * Calls visit for each table below the top one that maps addresses of the kernel, with its physical address.
 * visit goes on below it by ST_OK, and not by ST_ABSENT, as where it was visited before; it ends the
 * walk by any other status.  ST_UNREADABLE: a table is not in this dump, others were visited.
 */
enum status page_tables_each(struct dump *d, const struct page_tables *t,
			     enum status (*visit)(void *arg, uint64_t table), void *arg);
