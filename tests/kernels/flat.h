/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FLATMEM: two nodes with a table of pages and of page_ext each. The table of
 * page_ext starts at a multiple of the largest block, 1024 pages.
 */
#ifdef RAW
#include "pagetypes.h"
#else
struct page {
	u64 words[8];
};
static struct page first_pages[FIRST_PAGES], second_pages[SECOND_PAGES];
#define FIRST_BLOCKS 0
#define SECOND_BLOCKS 0
#endif
struct page_ext;
struct free_area {
	u64 nr_free;
};
struct zone {
	u64 zone_start_pfn, spanned_pages;
	const char *name;
	u64 *pageblock_flags;
	struct free_area free_area[11];
};
struct pglist_data {
	struct zone node_zones[1];
	s32 node_id;
	u64 node_start_pfn, node_spanned_pages;
	struct page *node_mem_map;
#ifdef CASE_flat_elsewhere
#define node_page_ext node_extension
#endif
	struct page_ext *node_page_ext;
};
static struct pglist_data first_node = {
	.node_zones = { { FIRST_PFN, FIRST_PAGES, "Normal", FIRST_BLOCKS } },
	.node_start_pfn = FIRST_PFN,
	.node_spanned_pages = FIRST_PAGES,
	.node_mem_map = DIRECT(first_pages),
	.node_page_ext = DIRECT((char *)first_entries - FIRST_PFN * sizeof(ENTRY)),
};
static struct pglist_data second_node = {
	.node_zones = { { SECOND_PFN, SECOND_PAGES, "Normal", SECOND_BLOCKS } },
	.node_id = 2,
	.node_start_pfn = SECOND_PFN,
	.node_spanned_pages = SECOND_PAGES,
	.node_mem_map = DIRECT(second_pages),
	.node_page_ext = DIRECT(second_entries),
};
struct pglist_data *node_data[4] = { DIRECT(&first_node), 0, DIRECT(&second_node) };
