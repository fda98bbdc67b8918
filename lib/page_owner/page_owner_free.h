/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages with a record that says "allocated" and that are free: those that were on the lists of CPUs when
 * page_owner started are taken for allocated (init_pages_in_zone() in mm/page_owner.c), and a free of one page of an
 * allocation leaves the records of others.  The kernel's own file leaves out each free block of the page
 * allocator, without a look at the records in it (read_page_owner(), all releases).
 */
#pragma once

#include "buddy/free_blocks.h"

struct owner_free;

/* end: first pfn behind System RAM. */
enum status owner_free_open(struct dump *d, const struct memmap *memmap, uint64_t end,
			    struct owner_free **ret);

/*
 * For a scan: the lists of free blocks are read, once.  Where one has a defect, pages are asked by their
 * struct page.  ST_STOPPED
 */
enum status owner_free_list(struct owner_free *f);

/* f: or NULL.  Meant for rising pfns. */
bool owner_free_has(struct owner_free *f, uint64_t pfn);

/* The first pfn from one on that may be free: nothing more is known below.  f: or NULL. */
uint64_t owner_free_next(struct owner_free *f, uint64_t pfn);
