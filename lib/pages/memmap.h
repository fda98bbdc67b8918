/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the struct page of a pfn is, and back, in the memory model of this kernel. */
#pragma once

#include "dump/dump.h"
#include "pages/flatmem.h"
#include "pages/sparsemem.h"

struct memmap {
	bool is_flat;
	struct sections sections; /* unless it is flat */
	struct flatmem flat;
};

/* ST_UNKNOWN: neither sections nor tables of nodes. */
enum status memmap_open(struct dump *d, struct memmap *ret);

/* Address of the struct page of a pfn; ST_ABSENT where there is no memory. */
enum status memmap_page(struct memmap *m, uint64_t pfn, uint64_t *ret);

/* The pfn below end whose struct page is at an address; ST_ABSENT: it is no struct page. */
enum status memmap_page_to_pfn(struct memmap *m, uint64_t page, uint64_t end, uint64_t *ret);
