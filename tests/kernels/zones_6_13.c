// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Zones as of 6.13 and later: free pages of highatomic blocks are counted, CPUs keep lists of
 * orders. Node 0 has DMA32, node 1 Normal; both are short of pages, node 0 with a boost.
 * CASE_5_10: pages of CPUs in struct per_cpu_pageset, __GFP_ATOMIC, reserves by its rule.
 * CASE_4_19: that, with the gfp flags of 4.19, and 3 pages in bytes. CASE_unnamed: one of them has no name.
 * CASE_6_1: __GFP_ATOMIC, and the rule of 6.3. CASE_inlined: either rule. CASE_loop, CASE_astray,
 * CASE_torn: a list of free blocks that bites its tail, leads elsewhere, or into a hole.
 * Each node has two zonelists; CASE_endless, CASE_foreign: that of node 1 has no end, or a zone of none.
 * CASE_swapoff: swapoff() empties an area with 40 pages more in use than others have free.
 * CASE_zspages: zsmalloc has three pages; it is a module, whose types are not here; nor are those of zswap's pools.
 * CASE_blocks: pageblocks of 8 pages; what is not free is anonymous, but for a page table.
 */
#define RELEASE "6.13.0-zones"
#include "common.h"

#ifdef CASE_4_19
#define CASE_5_10
#endif
#if defined(CASE_5_10) || defined(CASE_6_1) || defined(CASE_inlined)
#define OLD_FLAGS
#endif

enum zone_type { ZONE_DMA32, ZONE_NORMAL, ZONE_MOVABLE, MAX_NR_ZONES } keep_zones;
enum migratetype {
	MIGRATE_UNMOVABLE,
	MIGRATE_MOVABLE,
	MIGRATE_RECLAIMABLE,
	MIGRATE_PCPTYPES,
	MIGRATE_HIGHATOMIC = MIGRATE_PCPTYPES,
	MIGRATE_CMA,
	MIGRATE_TYPES
} keep_types;
#ifdef CASE_blocks
enum pageblock_bits {
	PB_migrate,
	PB_migrate_end = PB_migrate + 2,
	PB_migrate_skip,
	NR_PAGEBLOCK_BITS
} keep_bits;
unsigned int pageblock_order = 3;
unsigned long get_pfnblock_flags_mask(const void *page, unsigned long pfn, unsigned long mask)
{
	return pfn & mask;
}
#endif
enum zone_stat_item {
	NR_FREE_PAGES,
	NR_ZONE_UNEVICTABLE,
	NR_MLOCK,
#ifdef CASE_zspages
	NR_ZSPAGES = NR_MLOCK,
#endif
	NR_FREE_CMA_PAGES
} keep_items;
enum node_stat_item {
	NR_UNEVICTABLE,
	NR_FILE_DIRTY,
	NR_WRITEBACK,
	NR_ACTIVE_FILE,
	NR_INACTIVE_FILE,
#ifdef CASE_4_19
	NR_SLAB_RECLAIMABLE,
	NR_INDIRECTLY_RECLAIMABLE_BYTES
#else
	NR_SLAB_RECLAIMABLE_B
#endif
} keep_node_items;
unsigned long totalreserve_pages = 14; /* lowmem_reserve and the high watermarks of both zones */
#ifdef CASE_zspages
u64 zswap_pools[2] = { 1, 1 };
#endif
const char *const migratetype_names[MIGRATE_TYPES] = { "Unmovable", "Movable", "Reclaimable",
						       "HighAtomic", "CMA" };
struct trace_print_flags {
	u64 mask;
	const char *name;
};
const struct trace_print_flags gfpflag_names[] = {
#ifdef CASE_4_19
	{ 0x480020, "GFP_ATOMIC" },
	{ 0x80000, "__GFP_ATOMIC" },
	{ 0x6000c0, "GFP_KERNEL" },
	{ 0x6200ca, "GFP_HIGHUSER_MOVABLE" },
	{ 0x8000, "__GFP_ZERO" },
	{ 0x10000, "__GFP_NOMEMALLOC" },
	{ 0x2000, "__GFP_MEMALLOC" },
	{ 0x20000, "__GFP_HARDWALL" },
	{ 0x40000, "__GFP_THISNODE" },
	{ 0x200000, "__GFP_DIRECT_RECLAIM" },
	{ 0x400000, "__GFP_KSWAPD_RECLAIM" },
#else
#ifdef OLD_FLAGS
	{ 0xa20, "GFP_ATOMIC" },
	{ 0x200, "__GFP_ATOMIC" },
#else
	{ 0x820, "GFP_ATOMIC" },
#endif
	{ 0xcc0, "GFP_KERNEL" },
	{ 0x100cca, "GFP_HIGHUSER_MOVABLE" },
	{ 0x80000, "__GFP_NOMEMALLOC" },
	{ 0x20000, "__GFP_MEMALLOC" },
	{ 0x100000, "__GFP_HARDWALL" },
	{ 0x200000, "__GFP_THISNODE" },
	{ 0x400, "__GFP_DIRECT_RECLAIM" },
	{ 0x800, "__GFP_KSWAPD_RECLAIM" },
#endif
	{ 0x40, "__GFP_IO" },
	{ 0x80, "__GFP_FS" },
	{ 0x20, "__GFP_HIGH" },
	{ 0x10, "__GFP_RECLAIMABLE" },
	{ 0x8, "__GFP_MOVABLE" },
	{ 0x4, "GFP_DMA32" },
	{ 0x2, "__GFP_HIGHMEM" },
#ifndef CASE_unnamed
	{ 0x1, "GFP_DMA" },
#endif
	{ 0, 0 },
};
#ifdef CASE_5_10
u32 gfp_to_alloc_flags(u32 gfp_mask)
{
	return gfp_mask;
}
#elif !defined(CASE_inlined)
u32 gfp_to_alloc_flags(u32 gfp_mask, u32 order)
{
	return gfp_mask + order;
}
#endif

struct page {
	u64 flags;
	union {
		struct list_head lru;
		u64 compound_head;
#ifndef CASE_5_10
		struct list_head buddy_list, pcp_list;
#endif
	};
	u64 mapping, index, private;
	u32 page_type, refcount;
	u64 memcg_data;
};
enum pagetype { PGTY_buddy = 0xf0, PGTY_table = 0xf2, PGTY_slab = 0xf5 } keep_pagetype;

#define ORDERS 4
struct free_area {
	struct list_head free_list[MIGRATE_TYPES];
	u64 nr_free;
};
#ifdef CASE_5_10
#define LISTS MIGRATE_PCPTYPES
#else
#define LISTS (MIGRATE_PCPTYPES * 4 + 2)
#endif
struct per_cpu_pages {
	s32 count, high, batch;
	struct list_head lists[LISTS];
};
#ifdef CASE_5_10
struct per_cpu_pageset {
	u64 pad;
	struct per_cpu_pages pcp;
	signed char vm_stat_diff[4];
};
#else
struct per_cpu_zonestat {
	signed char vm_stat_diff[4];
};
#endif
struct per_cpu_nodestat {
	signed char vm_node_stat_diff[6];
};
typedef struct {
	s64 counter;
} atomic_long_t;
struct zone {
	u64 _watermark[3], watermark_boost, nr_reserved_highatomic;
#if !defined(OLD_FLAGS)
	u64 nr_free_highatomic;
#endif
	s64 lowmem_reserve[MAX_NR_ZONES];
#ifdef CASE_5_10
	struct per_cpu_pageset *pageset;
#else
	struct per_cpu_pages *per_cpu_pageset;
	struct per_cpu_zonestat *per_cpu_zonestats;
#endif
	u64 zone_start_pfn;
#ifdef CASE_blocks
	u64 *pageblock_flags;
#endif
	atomic_long_t managed_pages;
	u64 spanned_pages, present_pages;
	const char *name;
	struct free_area free_area[ORDERS];
	u32 compact_considered, compact_defer_shift;
	s32 compact_order_failed;
	atomic_long_t vm_stat[4];
};
struct zoneref {
	struct zone *zone;
	s32 zone_idx;
};
struct zonelist {
	struct zoneref _zonerefs[3];
};
enum zonelists { ZONELIST_FALLBACK, ZONELIST_NOFALLBACK, MAX_ZONELISTS } keep_zonelists;
struct pglist_data {
	struct zone node_zones[MAX_NR_ZONES];
	struct zonelist node_zonelists[MAX_ZONELISTS];
	s32 node_id;
	u64 node_start_pfn, node_spanned_pages;
	struct page *node_mem_map;
	s32 kswapd_failures, kswapd_order, kcompactd_max_order;
	struct per_cpu_nodestat *per_cpu_nodestats;
	atomic_long_t vm_stat[7];
};

extern struct pglist_data first_node, second_node;
static struct page first_pages[FIRST_PAGES], second_pages[SECOND_PAGES];
#define DMA32 first_node.node_zones[0]
#define NORMAL second_node.node_zones[1]
#define HEAD(z, o, t) ((struct list_head *)DIRECT(&(z).free_area[o].free_list[t]))
#define FIRST(pfn) ((struct list_head *)DIRECT(&first_pages[(pfn)-FIRST_PFN].lru))
#define SECOND(pfn) ((struct list_head *)DIRECT(&second_pages[(pfn)-SECOND_PFN].lru))

/* A CPU has its area at its offset; what is shared points to it from the offset on. */
struct area {
	u64 pad;
#ifdef CASE_5_10
	struct per_cpu_pageset first, second;
#define PCP(area, zone) area.zone.pcp
#else
	struct per_cpu_pages first, second;
	struct per_cpu_zonestat first_stat, second_stat;
#define PCP(area, zone) area.zone
#endif
	struct per_cpu_nodestat node;
};
extern struct area area0, area1;
void *__per_cpu_offset[2] = { DIRECT(&area0), DIRECT(&area1) };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 3 } };
u32 nr_cpu_ids = 2;

#define OF_DMA32                                   \
	{                                          \
		(void *)DIRECT(&DMA32), ZONE_DMA32 \
	}
#define OF_NORMAL                                    \
	{                                            \
		(void *)DIRECT(&NORMAL), ZONE_NORMAL \
	}
#ifdef CASE_endless
#define LAST OF_DMA32
#elif defined(CASE_foreign)
#define LAST                                                           \
	{                                                              \
		(void *)DIRECT(&first_node.node_zones[1]), ZONE_NORMAL \
	}
#else
#define LAST      \
	{         \
		0 \
	}
#endif
#define LIST(a, z, i) ((struct list_head *)DIRECT(&PCP(a, z).lists[i]))
#define EMPTY(a, z, i)                       \
	{                                    \
		LIST(a, z, i), LIST(a, z, i) \
	}
#ifndef CASE_5_10
#define MORE(a, z)                                                                         \
	, EMPTY(a, z, 6), EMPTY(a, z, 7), EMPTY(a, z, 8), EMPTY(a, z, 9), EMPTY(a, z, 10), \
		EMPTY(a, z, 11), EMPTY(a, z, 12), EMPTY(a, z, 13)
#endif
#ifdef CASE_5_10
/* CPU 0: pfn 0x12. CPU 1: pfn 0x24. */
struct area area0 = {
	.first = { .pcp = { 1,
			    9,
			    1,
			    { { FIRST(0x12), FIRST(0x12) },
			      EMPTY(area0, first, 1),
			      EMPTY(area0, first, 2) } },
		   .vm_stat_diff = { 2 } },
	.second = { .pcp = { 0,
			     9,
			     1,
			     { EMPTY(area0, second, 0), EMPTY(area0, second, 1),
			       EMPTY(area0, second, 2) } } },
};
struct area area1 = {
	.first = { .pcp = { 1,
			    9,
			    1,
			    { EMPTY(area1, first, 0),
			      { FIRST(0x24), FIRST(0x24) },
			      EMPTY(area1, first, 2) } },
		   .vm_stat_diff = { -1 } },
	.second = { .pcp = { 0,
			     9,
			     1,
			     { EMPTY(area1, second, 0), EMPTY(area1, second, 1),
			       EMPTY(area1, second, 2) } } },
};
#define CPU1_HEAD LIST(area1, first, 1)
#else
/* CPU 0: pfn 0x12. CPU 1: a block of order 1 at pfn 0x24. */
struct area area0 = {
	.first = { 1,
		   9,
		   1,
		   { { FIRST(0x12), FIRST(0x12) },
		     EMPTY(area0, first, 1),
		     EMPTY(area0, first, 2),
		     EMPTY(area0, first, 3),
		     EMPTY(area0, first, 4),
		     EMPTY(area0, first, 5) MORE(area0, first) } },
	.second = { 0,
		    9,
		    1,
		    { EMPTY(area0, second, 0), EMPTY(area0, second, 1), EMPTY(area0, second, 2),
		      EMPTY(area0, second, 3), EMPTY(area0, second, 4),
		      EMPTY(area0, second, 5) MORE(area0, second) } },
	.first_stat = { { 2 } },
};
struct area area1 = {
	.first = { 2,
		   9,
		   1,
		   { EMPTY(area1, first, 0),
		     EMPTY(area1, first, 1),
		     EMPTY(area1, first, 2),
		     EMPTY(area1, first, 3),
		     { FIRST(0x24), FIRST(0x24) },
		     EMPTY(area1, first, 5) MORE(area1, first) } },
	.second = { 0,
		    9,
		    1,
		    { EMPTY(area1, second, 0), EMPTY(area1, second, 1), EMPTY(area1, second, 2),
		      EMPTY(area1, second, 3), EMPTY(area1, second, 4),
		      EMPTY(area1, second, 5) MORE(area1, second) } },
	.first_stat = { { -1 } },
};
#define CPU1_HEAD LIST(area1, first, 4)
#endif

#define FREE(order, n, p)                                                             \
	{                                                                             \
		.lru = { n, p }, .private = order, .page_type = (u32)PGTY_buddy << 24 \
	}
#ifdef CASE_loop
#define END FIRST(0x11)
#else
#define END HEAD(DMA32, 0, 0)
#endif
#ifdef CASE_blocks
#define BLOCKS(bits) .pageblock_flags = DIRECT(bits),
/* Unmovable, HighAtomic, CMA, Movable; Unmovable, Movable. */
static u64 first_blocks[] = { 0x1430 }, second_blocks[] = { 0x10 };
#else
#define BLOCKS(bits)
#endif
static struct page first_pages[FIRST_PAGES] = {
	[0 ... FIRST_PAGES - 1] = { .page_type = ~0U },
#ifdef CASE_blocks
	[0x10 - FIRST_PFN] = { .mapping = 1, .page_type = ~0U },
	[0x20 - FIRST_PFN] = { .mapping = 1, .page_type = ~0U },
	[0x21 - FIRST_PFN] = { .page_type = (u32)PGTY_table << 24 },
	[0x26 - FIRST_PFN... 0x2f - FIRST_PFN] = { .mapping = 1, .page_type = ~0U },
#endif
	[0x11 - FIRST_PFN] = FREE(0, FIRST(0x13), HEAD(DMA32, 0, 0)),
	[0x13 - FIRST_PFN] = FREE(0, END, FIRST(0x11)),
	[0x14 - FIRST_PFN] = FREE(2, HEAD(DMA32, 2, 1), HEAD(DMA32, 2, 1)),
	[0x18 - FIRST_PFN] = FREE(3, HEAD(DMA32, 3, 3), HEAD(DMA32, 3, 3)),
	[0x22 - FIRST_PFN] = FREE(1, HEAD(DMA32, 1, 4), HEAD(DMA32, 1, 4)),
	[0x12 - FIRST_PFN] = { .lru = { LIST(area0, first, 0), LIST(area0, first, 0) },
			       .page_type = ~0U },
	[0x24 - FIRST_PFN] = { .lru = { CPU1_HEAD, CPU1_HEAD }, .page_type = ~0U },
};
static struct page second_pages[SECOND_PAGES] = {
	[0 ... SECOND_PAGES - 1] = { .page_type = ~0U },
	[0x8001 - SECOND_PFN] = FREE(0, HEAD(NORMAL, 0, 0), HEAD(NORMAL, 0, 0)),
	[0x8008 - SECOND_PFN] = FREE(3, HEAD(NORMAL, 3, 1), HEAD(NORMAL, 3, 1)),
};

#define NONE(z, o, t)                        \
	{                                    \
		HEAD(z, o, t), HEAD(z, o, t) \
	}
#define ONE(n, p)    \
	{            \
		n, p \
	}
#ifdef CASE_torn
#define THIRD ONE((void *)0xffff88ffffff0008UL, (void *)0xffff88ffffff0008UL)
#elif defined(CASE_astray)
#define THIRD ONE(FIRST(0x18), FIRST(0x18))
#else
#define THIRD ONE(SECOND(0x8008), SECOND(0x8008))
#endif
#ifdef OLD_FLAGS
#define HIGHATOMIC .nr_reserved_highatomic = 16
#else
#define HIGHATOMIC .nr_reserved_highatomic = 16, .nr_free_highatomic = 8
#endif
#ifdef CASE_5_10
#define SETS(name) .pageset = (void *)__builtin_offsetof(struct area, name)
#else
#define SETS(name)                                                        \
	.per_cpu_pageset = (void *)__builtin_offsetof(struct area, name), \
	.per_cpu_zonestats = (void *)__builtin_offsetof(struct area, name##_stat)
#endif
struct pglist_data first_node = {
	.node_zones = { [ZONE_DMA32] = {
		BLOCKS(first_blocks)
		._watermark = { 4, 5, 6 }, .watermark_boost = 2, HIGHATOMIC,
		.lowmem_reserve = { 0, 2, 2 }, SETS(first),
		.zone_start_pfn = FIRST_PFN, .managed_pages = { 30 },
		.spanned_pages = FIRST_PAGES, .present_pages = 31, .name = "DMA32",
		.free_area = {
			{ { ONE(FIRST(0x11), FIRST(0x13)), NONE(DMA32, 0, 1), NONE(DMA32, 0, 2),
			    NONE(DMA32, 0, 3), NONE(DMA32, 0, 4) }, 2 },
			{ { NONE(DMA32, 1, 0), NONE(DMA32, 1, 1), NONE(DMA32, 1, 2),
			    NONE(DMA32, 1, 3), ONE(FIRST(0x22), FIRST(0x22)) }, 1 },
			{ { NONE(DMA32, 2, 0), ONE(FIRST(0x14), FIRST(0x14)), NONE(DMA32, 2, 2),
			    NONE(DMA32, 2, 3), NONE(DMA32, 2, 4) }, 1 },
			{ { NONE(DMA32, 3, 0), NONE(DMA32, 3, 1), NONE(DMA32, 3, 2),
			    ONE(FIRST(0x18), FIRST(0x18)), NONE(DMA32, 3, 4) }, 1 },
		},
		.compact_considered = 1, .compact_defer_shift = 2, .compact_order_failed = 3,
		.vm_stat = { { 15 }, { 1 }, { 3 }, { 2 } },
	} },
	.node_zonelists = { { { OF_DMA32, OF_NORMAL } }, { { OF_DMA32 } } },
	.node_start_pfn = FIRST_PFN,
	.node_spanned_pages = FIRST_PAGES,
	.node_mem_map = DIRECT(first_pages),
	.kswapd_failures = 17, .kswapd_order = 3, .kcompactd_max_order = 3,
	.per_cpu_nodestats = (void *)__builtin_offsetof(struct area, node),
	.vm_stat = { { 1 }, { 5 }, { 6 }, { 20 }, { 11 }, { 8 }, { 3 * 4096 + 5 } },
};
struct pglist_data second_node = {
	.node_zones = { [ZONE_NORMAL] = {
		BLOCKS(second_blocks)
		._watermark = { 2, 3, 4 }, SETS(second),
		.zone_start_pfn = SECOND_PFN, .managed_pages = { 16 },
		.spanned_pages = SECOND_PAGES, .present_pages = 16, .name = "Normal",
		.free_area = {
			{ { ONE(SECOND(0x8001), SECOND(0x8001)), NONE(NORMAL, 0, 1),
			    NONE(NORMAL, 0, 2), NONE(NORMAL, 0, 3), NONE(NORMAL, 0, 4) }, 1 },
			{ { NONE(NORMAL, 1, 0), NONE(NORMAL, 1, 1), NONE(NORMAL, 1, 2),
			    NONE(NORMAL, 1, 3), NONE(NORMAL, 1, 4) }, 0 },
			{ { NONE(NORMAL, 2, 0), NONE(NORMAL, 2, 1), NONE(NORMAL, 2, 2),
			    NONE(NORMAL, 2, 3), NONE(NORMAL, 2, 4) }, 0 },
			{ { NONE(NORMAL, 3, 0), THIRD, NONE(NORMAL, 3, 2), NONE(NORMAL, 3, 3),
			    NONE(NORMAL, 3, 4) }, 1 },
		},
		.vm_stat = { { 9 } },
	} },
	.node_zonelists = { { { OF_NORMAL, OF_DMA32, LAST } }, { { OF_NORMAL } } },
	.node_id = 1,
	.node_start_pfn = SECOND_PFN,
	.node_spanned_pages = SECOND_PAGES,
	.node_mem_map = DIRECT(second_pages),
	.per_cpu_nodestats = (void *)__builtin_offsetof(struct area, node),
};
struct pglist_data *node_data[2] = { DIRECT(&first_node), DIRECT(&second_node) };
#ifdef CASE_swapoff
atomic_long_t nr_swap_pages = { -40 };
#else
atomic_long_t nr_swap_pages = { 10 };
#endif
s64 total_swap_pages = 100;
