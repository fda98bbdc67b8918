/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Areas of the contiguous memory allocator, CMA (mm/cma.c): memory that cma_alloc() takes for drivers
 * and hugetlb, and that is lent to movable pages until then.
 */
#pragma once

#include "dump/dump.h"

#define CMA_NAME 64
#define CMA_RANGES 8

struct cma_range {
	uint64_t base, pages;  /* pfns */
	const uint8_t *bitmap; /* a bit for 2^order_per_bit pages; NULL: it is not in this dump */
};

struct cma_area {
	uint64_t address;    /* of struct cma */
	char name[CMA_NAME]; /* "": none, or not in this dump */
	uint64_t pages;	     /* of all ranges */
	bool has_used; /* false: a bitmap is not in this dump, and the kernel keeps no count */
	uint64_t used; /* pages that cma_alloc() gave away */
	unsigned int order_per_bit;
	unsigned int nranges;
	struct cma_range ranges[CMA_RANGES];
};

/* Whether cma_alloc() gave that page of a range away.  The range has its bitmap. */
bool cma_page_is_used(const struct cma_area *area, const struct cma_range *range, uint64_t pfn);

/*
 * Calls visit for each area.  ST_ABSENT: a kernel without CMA; ST_UNREADABLE or ST_CORRUPT: some areas
 * are missing, the others were visited.
 */
enum status cma_walk(struct dump *d, enum status (*visit)(void *arg, const struct cma_area *area),
		     void *arg);
