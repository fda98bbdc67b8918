/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resident pages of a process by its page tables, and its proportional set size: each page divided
 * by the number of entries that map it, as smaps_account() of fs/proc/task_mmu.c has it.
 */
#pragma once

#include "pages/page_mapcount.h"
#include "pages/pgtable.h"
#include "util/hash_u64.h"

struct pss_reader {
	struct page_types types;
	struct memmap memmap;
	struct page_mapcounts counts;
	struct page_tables tables; /* of any process, but for the top table */
	struct pfnset *in_swap;	   /* pages of areas of swap are added to it; NULL: they are not */
	uint64_t areas;		   /* with in_swap: of swap, nr_swapfiles */
};

struct pss {
	uint64_t pages;	     /* that are resident */
	uint64_t bytes;	     /* PSS */
	uint64_t anon_bytes; /* of these, in anonymous pages */
	uint64_t alone;	     /* pages that no other entry maps: private ones of smaps_rollup */
	uint64_t anon_alone; /* of these, anonymous ones: they are free when the process is gone */
	uint64_t merged;     /* of pages, those that KSM merged */
	uint64_t merged_bytes; /* of anon_bytes, in such */
	uint64_t swapped;      /* pages in swap, with in_swap */
	uint64_t anon_huge; /* of pages, anonymous ones that an entry above the lowest level maps */
};

/* *ret stays where it is. */
enum status pss_open(struct dump *d, struct pss_reader *ret);

/*
 * From now on pss_read() fills in_swap.  ST_ABSENT: entries of swap are not known of this architecture;
 * ST_UNREADABLE, ST_UNKNOWN.
 */
enum status pss_look_at_swap(struct pss_reader *p);

/*
 * pgd: mm_struct.pgd.  Pages of hugetlb and those that no counter of the process has are not among
 * them.  Pages that are moving are missing: the caller compares pages with the counters of the
 * process.  ST_UNREADABLE: a page table or a struct page is not in this dump; ST_STOPPED.
 */
enum status pss_read(struct pss_reader *p, uint64_t pgd, struct pss *ret);
