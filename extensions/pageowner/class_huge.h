/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of a class in transparent huge pages, by the counters behind AnonHugePages and its like of /proc/meminfo. */
#pragma once

#include "classes/page_class.h"
#include "zones/vmstat.h"

/* The counter, as /proc/vmstat has it; NULL: the class has none. */
const char *class_huge_counter(enum page_class class);

/*
 * NR_ANON_THPS, NR_SHMEM_THPS and NR_FILE_THPS have pages since 5.12 ("mm: memcontrol: convert NR_ANON_THPS account to
 * pages" and its like), and before huge pages, of which each has as many pages as a page table has entries.  page_bytes:
 * of a page.  pages: of the class, which cannot have more.  False: unknown, or the number may be of either.
 */
bool class_huge_pages(const struct counters *c, uint64_t page_bytes, enum page_class class,
		      uint64_t pages, uint64_t *ret);
