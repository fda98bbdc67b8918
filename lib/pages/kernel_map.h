/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own page tables, for what lies outside of the direct map and the
 * kernel's image: module memory, vmalloc.  crash --minimal translates only those
 * two, and takes what it makes of other addresses for physical ones.
 */
#pragma once

#include "pages/pgtable.h"

struct kernel_map {
	struct page_tables tables;
	uint64_t direct_start, direct_end;
	bool door_errs;	      /* it has the direct map elsewhere: the tables tell */
	uint64_t direct_phys; /* of its start */
	uint64_t image_start, image_end;
	/* The page that was translated last. */
	uint64_t last_page, last_phys;
};

/*
 * ST_ABSENT, ST_UNKNOWN: there are no page tables of a known form, or no direct map; the tables are set in the
 * latter case.
 */
enum status kernel_map_find(struct dump *d, struct kernel_map *ret);

/*
 * Makes the reads of a dump go through the page tables where they must, from
 * now on, but where dump->map is set already.  ST_ABSENT, ST_UNKNOWN: there are none,
 * or they are corrupt; reads then stay as they were.
 */
enum status kernel_map_open(struct dump *d);

/*
 * The physical address that the direct map has at an address, also where its entry is not present:
 * KFENCE, debug_pagealloc and memfd_secret() take pages out of it.  ST_ABSENT: it is not there.
 */
enum status direct_map_phys(struct dump *d, uint64_t addr, uint64_t *ret);

/*
 * The lowest address that can be the kernel's: the upper half of what its page tables translate,
 * with 4 levels on x86_64 from 0xffff800000000000, with 5 from 0xff00000000000000.  Where these tables are
 * not known, the lowest that any of them has: enough to tell a pointer from a number.
 */
uint64_t kernel_half(struct dump *d);

/* Whether a word of the dump can be a pointer to a structure of the kernel; half: kernel_half(). */
static inline bool is_kernel_pointer(uint64_t half, uint64_t word)
{
	return word >= half && !(word & 7);
}

/* kernel_map_open() where the dump's own reads need it (dump.linear_only); -D says why there are none. */
void kernel_map_if_linear(struct dump *d);
