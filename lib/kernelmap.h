/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own page tables, for what lies outside of the direct map and the
 * kernel's image: module memory, vmalloc.  crash --minimal translates only those
 * two, and takes what it makes of other addresses for physical ones.
 */
#ifndef MEMOWNER_KERNELMAP_H
#define MEMOWNER_KERNELMAP_H

#include "dump.h"

struct kernel_map {
	uint64_t top;	     /* physical address of the top table */
	unsigned int levels; /* 4 or 5 */
	uint64_t encryption; /* bits of an entry that are no address */
	uint64_t direct_start, direct_end;
	uint64_t image_start, image_end;
	/* The page that was translated last. */
	uint64_t last_page, last_phys;
};

/*
 * Makes the reads of a dump go through the page tables where they must, from
 * now on.  How many levels there are is found by translating the image's
 * start, whose physical address crash knows.  DUMP_ABSENT, DUMP_UNKNOWN: no
 * tables that do so; reads then stay as they were.
 */
enum status kernel_map_open(struct dump *d);

#endif
