/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SPARSEMEM: a struct mem_section for each aligned run of pfns.
 *
 * With SPARSEMEM_EXTREME, mem_section is a table of pointers to pages full of
 * them (a pointer to that table since 4.16, an array before); without it, a
 * two-dimensional array of the structures themselves (include/linux/mmzone.h).
 */
#pragma once

#include "dump/dump.h"

struct sections {
	struct dump *dump;
	unsigned int shift; /* log2 of the pages in a section */
	uint64_t table;	    /* of pointers (extreme) or of structures */
	bool extreme;
	uint64_t per_root; /* structures a root page holds */
	uint64_t entry_size;
	struct field mem_map, page_ext; /* page_ext only with PAGE_EXTENSION */
	uint64_t page_bytes;		/* size of struct page */
};

/* ST_ABSENT: FLATMEM, which has no sections. */
enum status sections_open(struct dump *d, struct sections *ret);

/* Address of the structure of one section; ST_ABSENT where there is no memory. */
enum status sections_find(struct sections *s, uint64_t nr, uint64_t *ret);

/* Address of the struct page of a pfn; ST_ABSENT where there is no memory. */
enum status sections_page(struct sections *s, uint64_t pfn, uint64_t *ret);

struct section_state {
	bool online; /* false: its struct pages mean nothing, not yet or not any more */
	bool early;  /* its memory was there at boot (5.3) */
	bool mapped; /* it has struct pages */
};

/* ST_UNREADABLE */
enum status sections_state(struct sections *s, uint64_t nr, struct section_state *ret);

/*
 * The pfn whose struct page is at an address, looked for in the sections of
 * pfns below end; ST_ABSENT: it is no struct page.
 */
enum status sections_page_to_pfn(struct sections *s, uint64_t page, uint64_t end, uint64_t *ret);
