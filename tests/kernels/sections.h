/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem_section of SPARSEMEM_EXTREME over two tables of page_ext entries, which
 * the kernel that includes this declares before: ENTRY, first_entries, second_entries.
 */
struct page_ext;

struct mem_section {
	u64 section_mem_map;
	void *usage;
	struct page_ext *page_ext;
	u64 pad;
};

/* Biased: the entry of a pfn is the pointer plus size times pfn. */
static struct mem_section root[128] = {
	[0] = { .section_mem_map = 0xf,
		.page_ext = DIRECT((char *)first_entries - FIRST_PFN * sizeof(ENTRY)) },
	[1] = { .section_mem_map = 0xf,
		.page_ext = DIRECT((char *)second_entries - SECOND_PFN * sizeof(ENTRY)) },
};
static struct mem_section *roots[16] = { DIRECT(root) };
struct mem_section **mem_section = DIRECT(roots);
