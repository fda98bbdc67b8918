/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the struct page of a pfn is, and back, in the memory model of this kernel. */
#pragma once

#include "pages/flatmem.h"
#include "pages/sparsemem.h"
#include "zones/system_ram.h"

struct memmap {
	bool is_flat;
	struct sections sections; /* unless it is flat */
	struct {
		uint64_t nr; /* plus one; 0: none */
		bool is_known;
		struct section_state state;
	} asked; /* the section that was asked for last */
	struct flatmem flat;
};

/* ST_UNKNOWN: neither sections nor tables of nodes. */
enum status memmap_open(struct dump *d, struct memmap *ret);

/* Address of the struct page of a pfn; ST_ABSENT where there is no memory. */
enum status memmap_page(struct memmap *m, uint64_t pfn, uint64_t *ret);

/*
 * Whether its section is offline: no zone has it, and its struct page means nothing.  It was taken offline, or
 * was added to a machine that ran and never brought online.
 */
bool memmap_is_removed(struct memmap *m, uint64_t pfn);

/* The same of a section that has a table of struct page: a memory block is there, and is offline. */
bool memmap_is_offline(struct memmap *m, uint64_t pfn);

/* Counts those of System RAM in ram->offline. */
void memmap_find_offline(struct memmap *m, struct ram *ram);

/* Whether its section was added to a machine that ran. */
bool memmap_is_added(struct memmap *m, uint64_t pfn);

/* The pfn below end whose struct page is at an address; ST_ABSENT: it is no struct page. */
enum status memmap_page_to_pfn(struct memmap *m, uint64_t page, uint64_t end, uint64_t *ret);

/* From many struct pages to their pfns: neighbours are found without a search. */

struct page_to_pfn {
	struct memmap *memmap;
	uint64_t end;	     /* no pfn from here on */
	uint64_t page_bytes; /* of struct page */
	uint64_t left;	     /* for callers: pages that can still be someone's; end, at first */
	/* The table that had the last one: struct page of pfn start, up to that of stop. */
	uint64_t base, start, stop;
};

/* ST_UNKNOWN: debug information has no struct page. */
enum status page_to_pfn_open(struct dump *d, struct memmap *memmap, uint64_t end,
			     struct page_to_pfn *ret);

/* ST_ABSENT: it is no struct page. */
enum status page_to_pfn_find(struct page_to_pfn *f, uint64_t page, uint64_t *ret);
