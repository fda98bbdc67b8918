/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct page of both sections: a slab page, a page table, an anonymous compound page
 * of four, a free one; in section 1 a page of a file. How they say so is the
 * kernel's: CASE_types (flags and macros, up to 6.9), CASE_types_6_10, CASE_types_6_11
 * (bits of an enumeration), CASE_types_7_1 (top byte, masks for tails).
 */
#if defined(CASE_types_7_1)
enum pagetype { PGTY_buddy = 0xf0, PGTY_offline = 0xf1, PGTY_table = 0xf2, PGTY_slab = 0xf5 };
enum pagetype keep_pagetype;
#define TYPE(t) ((u32)PGTY_##t << 24)
#define SLAB .page_type = TYPE(slab)
#define LINK compound_info
#define TAIL_OF(i) (~(4 * sizeof(struct page) - 1) | 1)
#elif defined(CASE_types_6_10) || defined(CASE_types_6_11)
#ifdef CASE_types_6_10
enum pagetype { PG_buddy = 0x80, PG_offline = 0x100, PG_table = 0x200, PG_slab = 0x1000 };
#else
enum pagetype { PG_buddy = 0x40000000, PG_offline = 0x20000000, PG_table = 0x10000000, PG_slab = 0x02000000 };
#endif
enum pagetype keep_pagetype;
#define TYPE(t) (~(u32)PG_##t)
#define SLAB .page_type = TYPE(slab)
#else
enum pageflags { PG_locked, PG_slab = 9 };
enum pageflags keep_pageflags;
#define PAGE_TYPE_buddy 0x80
#define PAGE_TYPE_table 0x400	/* kmemcg was below it until 5.11 */
#define TYPE(t) (~(u32)PAGE_TYPE_##t)
#define SLAB .flags = 1UL << PG_slab
#endif
#ifndef LINK
#define LINK compound_head
#define TAIL_OF(i) ((u64)DIRECT(&first_pages[i]) + 1)
#endif

struct page {
	u64 flags;
	u64 mapping, LINK;
	u32 page_type, refs;
	u64 rest[4];
};
#define UNTYPED .page_type = ~0U
static struct page first_pages[FIRST_PAGES] __attribute__((aligned(4096))) = {
	[0] = { SLAB },
	[1] = { .page_type = TYPE(table) },
	[4] = { UNTYPED, .mapping = 0xffff888000001001UL },
	[5 ... 7] = { UNTYPED, .LINK = TAIL_OF(4) },
	[8] = { .page_type = TYPE(buddy) },
};
static struct page second_pages[SECOND_PAGES] = { [3] = { UNTYPED, .mapping = 0xffff888000001000UL } };

#define FIRST_MAP ((u64)DIRECT(first_pages) - FIRST_PFN * sizeof(struct page))
#define SECOND_MAP ((u64)DIRECT(second_pages) - SECOND_PFN * sizeof(struct page))
