/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem_section of SPARSEMEM_EXTREME over two tables of page_ext entries, which
 * the kernel that includes this declares before: ENTRY, first_entries, second_entries.
 */
struct page_ext;
#if defined(CASE_types) || defined(CASE_types_6_10) || defined(CASE_types_6_11) || \
	defined(CASE_types_7_1)
#include "pagetypes.h"
#elif !defined(FIRST_MAP)
#define FIRST_MAP 0
#define SECOND_MAP 0
#endif

#ifndef USAGE
#define USAGE usage
#define FIRST_USAGE 0
#define SECOND_USAGE 0
#endif

struct mem_section {
	u64 section_mem_map;
	void *USAGE;
	struct page_ext *page_ext;
	u64 pad;
};

/* Biased: the entry of a pfn is the pointer plus size times pfn. */
static struct mem_section root[128] = {
	[0] = { .section_mem_map = FIRST_MAP + 0xf,
		.USAGE = FIRST_USAGE,
		.page_ext = DIRECT((char *)first_entries - FIRST_PFN * sizeof(ENTRY)) },
	[1] = { .section_mem_map = SECOND_MAP + 0xf,
		.USAGE = SECOND_USAGE,
#ifdef CASE_offline
/* Marked invalid while its memory goes offline (6.1 and later). */
#define MARK 1
#else
#define MARK 0
#endif
#ifdef CASE_holed
		.page_ext = (void *)(0xffff88ffffff0000UL - SECOND_PFN * sizeof(ENTRY)) },
#else
		.page_ext = DIRECT((char *)second_entries - SECOND_PFN * sizeof(ENTRY) + MARK) },
#endif
};
#if defined(CASE_static)
/* Without SPARSEMEM_EXTREME: sections themselves, one to a root. */
struct mem_section mem_section[16][1] = {
	[0] = { { .section_mem_map = 0xf,
		  .page_ext = DIRECT((char *)first_entries - FIRST_PFN * sizeof(ENTRY)) } },
	[1] = { { .section_mem_map = 0xf,
		  .page_ext = DIRECT((char *)second_entries - SECOND_PFN * sizeof(ENTRY)) } },
};
#elif defined(CASE_array)
/* SPARSEMEM_EXTREME as it was before 4.16. */
struct mem_section *mem_section[16] = { DIRECT(root) };
#else
static struct mem_section *roots[16] = { DIRECT(root) };
#ifdef CASE_no_model
#define mem_section section_table
#endif
struct mem_section **mem_section = DIRECT(roots);
#endif
