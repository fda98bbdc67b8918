// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel of 6.9 with much memory: PAGES page frames (a multiple of 32768)
 * whose page_ext table lies behind the image, at physical 32 MiB, written by
 * tests/tools/fill or left empty; and STACKS stacks of 16 frames.  Its page tables map the direct map
 * and the image in pages of 1 GiB; what fill writes before the image makes the file an ELF dump.
 */
#ifndef PAGES
#define PAGES (48UL << 20)
#endif
#define TABLE (32UL << 20)
#define RELEASE "6.9.0-huge"
#define OWN_RESOURCES
#define MAX_PFN PAGES
#define SECTIONS (PAGES >> 15)
#define HIGHEST_SECTION (SECTIONS - 1)
#include "common.h"
#include "owner_6_8.h"

static struct resource ram = { .start = 0, .end = (PAGES << 12) - 1, .flags = SYSTEM_RAM };
struct resource iomem_resource = { .end = ~0UL, .child = DIRECT(&ram) };

union handle_parts {
	u32 handle;
	struct {
		u32 pool_index_plus_1 : 17, offset : 10, extra : 5;
	};
};
struct stack_record {
	void *next, *prev;
	u32 hash, size;
	union handle_parts handle;
	struct {
		struct {
			s32 counter;
		} refs;
	} count;
	u64 entries[16];
};

/* Behind the page_ext table: pools of 102 records each, found through the array. */
#define POOLS 128
#define POOL(i) (void *)(DIRECT_BASE + TABLE + PAGES * sizeof(struct entry) + (i)*16384UL)
#define POOLS8(i)                                                                           \
	POOL(i), POOL((i) + 1), POOL((i) + 2), POOL((i) + 3), POOL((i) + 4), POOL((i) + 5), \
		POOL((i) + 6), POOL((i) + 7)
void *stack_pools[8192] = {
	POOLS8(0),  POOLS8(8),	 POOLS8(16),  POOLS8(24),  POOLS8(32), POOLS8(40),
	POOLS8(48), POOLS8(56),	 POOLS8(64),  POOLS8(72),  POOLS8(80), POOLS8(88),
	POOLS8(96), POOLS8(104), POOLS8(112), POOLS8(120),
};
s32 pools_num = POOLS;

struct mem_section {
	u64 section_mem_map;
	void *usage;
	void *page_ext;
	u64 pad;
};
static struct mem_section sections[SECTIONS] __attribute__((aligned(4096))) = {
	[0 ... SECTIONS - 1] = { 0xf, 0, (void *)(DIRECT_BASE + TABLE), 0 },
};
/* 128 structures a page. */
#define ROOT(i) DIRECT((char *)sections + (i)*4096UL)
static void *roots[64] = {
	ROOT(0), ROOT(1), ROOT(2), ROOT(3), ROOT(4),  ROOT(5),
	ROOT(6), ROOT(7), ROOT(8), ROOT(9), ROOT(10), ROOT(11),
};
struct mem_section **mem_section = DIRECT(roots);

#define MAPS(place, flags) ((char *)(place)-LINK_BASE + (flags))
#define GIB(i) (char *)(((i) << 30) + 0xe3) /* present, a page of memory */
#define GIB8(i) \
	GIB(i), GIB(i + 1), GIB(i + 2), GIB(i + 3), GIB(i + 4), GIB(i + 5), GIB(i + 6), GIB(i + 7)
#define GIB64(i) \
	GIB8(i), GIB8(i + 8), GIB8(i + 16), GIB8(i + 24), GIB8(i + 32), GIB8(i + 40), \
		GIB8(i + 48), GIB8(i + 56)
#define IS_TABLE static char __attribute__((aligned(4096)))
IS_TABLE *direct_map[512] = { GIB64(0UL), GIB64(64UL), GIB64(128UL) };
IS_TABLE *image_map[512] = { [510] = GIB(0UL) };
char *init_top_pgt[512] __attribute__((aligned(4096))) = {
	[DIRECT_BASE >> 39 & 511] = MAPS(direct_map, 0x63),
	[511] = MAPS(image_map, 0x63),
};

/* Types that no object has are not in the debug information. */
struct entry keep_entry;
struct stack_record keep_record;
