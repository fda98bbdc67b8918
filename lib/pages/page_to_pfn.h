/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From many struct pages to their pfns: neighbours are found without a search. */
#pragma once

#include "pages/memmap.h"

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
