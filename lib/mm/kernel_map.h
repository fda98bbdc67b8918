/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own page tables, for what lies outside of the direct map and the
 * kernel's image: module memory, vmalloc.  crash --minimal translates only those
 * two, and takes what it makes of other addresses for physical ones.
 */
#ifndef MEMOWNER_MM_KERNEL_MAP_H
#define MEMOWNER_MM_KERNEL_MAP_H

#include "dump/dump.h"
#include "mm/pgtable.h"

struct kernel_map {
	struct page_tables tables;
	uint64_t direct_start, direct_end;
	uint64_t image_start, image_end;
	/* The page that was translated last. */
	uint64_t last_page, last_phys;
};

/*
 * Makes the reads of a dump go through the page tables where they must, from
 * now on.  ST_ABSENT, ST_UNKNOWN: there are none, or they are corrupt; reads
 * then stay as they were.
 */
enum status kernel_map_open(struct dump *d);

/* The same where the dump's own reads need it (dump.linear_only); -D says why there are none. */
void kernel_map_if_linear(struct dump *d);

#endif
