/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct page of both sections: a slab page, a page table, an anonymous compound page
 * of four, a free one; in section 1 a page of a file. How they say so is the
 * kernel's: CASE_types (flags and macros, up to 6.9), CASE_types_6_10, CASE_types_6_11
 * (bits of an enumeration), CASE_types_7_1 (top byte, masks for tails). The
 * anonymous page is charged to /web, that of the file to /web/db through an
 * obj_cgroup; since 7.1 both are. The slab page's word leads to a vector.
 */
struct cgroup_subsys {
	s32 id;
};
struct cgroup_subsys memory_cgrp_subsys;
#ifdef CASE_types_7_1
#define PARENT __parent
#define WORD memcg_data
#define WEB_WORD (u64) DIRECT(&web_objcg)
#else
#define PARENT parent
#ifdef CASE_types
#define WORD mem_cgroup
#else
#define WORD memcg_data
#endif
#define WEB_WORD (u64) DIRECT(&web)
#endif
#ifndef DB_NAME
#define DB_NAME "db"
#endif
#ifndef ANON_FLAGS
#define ANON_FLAGS 0
#endif
struct kernfs_node {
	u32 count;
	const char *name;
	struct kernfs_node *PARENT;
};
struct cgroup {
	u64 flags;
	struct kernfs_node *kn;
};
enum { CSS_NO_REF = 1, CSS_ONLINE = 2 } keep_css_flags;
struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys *ss;
	u32 flags;
};
struct mem_cgroup {
	struct cgroup_subsys_state css;
};
struct obj_cgroup {
	u64 refs;
	struct mem_cgroup *memcg;
};
static struct kernfs_node root_node = { 1, "" };
static struct kernfs_node web_node = { 1, "web", DIRECT(&root_node) };
static struct kernfs_node db_node = { 1, DB_NAME, DIRECT(&web_node) };
static struct cgroup web_cgroup = { 0, DIRECT(&web_node) }, db_cgroup = { 0, DIRECT(&db_node) };
static struct mem_cgroup web = { { DIRECT(&web_cgroup), &memory_cgrp_subsys, CSS_ONLINE } };
static struct mem_cgroup db = { { DIRECT(&db_cgroup), &memory_cgrp_subsys } };
static struct obj_cgroup db_objcg = { 1, DIRECT(&db) }, web_objcg = { 1, DIRECT(&web) };

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
enum pagetype {
	PG_buddy = 0x40000000,
	PG_offline = 0x20000000,
	PG_table = 0x10000000,
	PG_slab = 0x02000000
};
#endif
enum pagetype keep_pagetype;
#define TYPE(t) (~(u32)PG_##t)
#define SLAB .page_type = TYPE(slab)
#else
enum pageflags { PG_locked, PG_slab = 9, __NR_PAGEFLAGS = 23 };
enum pageflags keep_pageflags;
#define PAGE_TYPE_buddy 0x80
#define PAGE_TYPE_table 0x400 /* kmemcg was below it until 5.11 */
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
	u64 WORD, private, rest[2];
};
#ifndef CASE_stale
#define FREE_ORDER 0
#define SECOND_FREE .page_type = TYPE(buddy)
#else
#define FREE_ORDER 1 /* the second page has no mark */
#define SECOND_FREE UNTYPED
struct free_area {
	u64 nr_free;
};
struct zone {
	struct free_area free_area[11];
} keep_zone;
#endif
#define UNTYPED .page_type = ~0U
static struct page first_pages[FIRST_PAGES] __attribute__((aligned(4096))) = {
	[0] = { SLAB, .WORD = (u64)DIRECT(&db_objcg) + 1 },
	[1] = { .page_type = TYPE(table) },
	[4] = { UNTYPED, .flags = ANON_FLAGS, .mapping = 0xffff888000001001UL, .WORD = WEB_WORD },
	/* The flags of the second page contain the order. */
	[5] = { UNTYPED, .flags = 2, .LINK = TAIL_OF(4) },
	[6 ... 7] = { UNTYPED, .LINK = TAIL_OF(4) },
	[8] = { .page_type = TYPE(buddy), .private = FREE_ORDER },
	[9] = { SECOND_FREE },
#ifdef CASE_control
	[10 ... 11] = { UNTYPED },
#endif
};
static struct page second_pages[SECOND_PAGES] = { [3] = { UNTYPED, .mapping = 0xffff888000001000UL,
							  .WORD = (u64)DIRECT(&db_objcg) + 2 } };

#define FIRST_MAP ((u64)DIRECT(first_pages) - FIRST_PFN * sizeof(struct page))
#define SECOND_MAP ((u64)DIRECT(second_pages) - SECOND_PFN * sizeof(struct page))
