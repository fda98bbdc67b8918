// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel of 6.9 that something has happened to; -DCASE_x says what.  Nothing
 * may crash, loop or be decoded as if it were sound.
 */
#define RELEASE "6.9.0-broken"

#if defined(CASE_ram_loop) || defined(CASE_wild_ram)
#define OWN_RESOURCES
#endif
#include "common.h"
#ifdef CASE_wild_ram
/* One bit of the end of System RAM has flipped. */
static struct resource ram_only = { .start = 0x10000,
				    .end = 0x2ffff | 1UL << 60,
				    .flags = SYSTEM_RAM };
struct resource iomem_resource = { .child = DIRECT(&ram_only) };
#endif
#ifdef CASE_ram_loop
/* The tree of resources bites its tail. */
static struct resource ram_first;
static struct resource ram_second = {
	.start = 0x8000000,
	.end = 0x800ffff,
	.flags = 0,
	.sibling = DIRECT(&ram_first),
};
static struct resource ram_first = { .start = 0x10000,
				     .end = 0x2ffff,
				     .sibling = DIRECT(&ram_second) };
struct resource iomem_resource = { .child = DIRECT(&ram_first) };
#endif
#ifdef CASE_off
#define INITED 0
#endif
#ifdef CASE_offset
/* The record would lie before its entry. */
#define OFFSET -8UL
#endif
#ifdef CASE_moved
/* Found in physical memory, but moved by KASLR: its pointers say so. */
u64 init_top_pgt[512];
struct mm_struct {
	u64 users;
	void *pgd;
};
struct mm_struct init_mm = { .pgd = (char *)init_top_pgt + 0x1400000 };
#endif
#include "owner_6_8.h"

#ifdef CASE_no_index
/* A depot that nobody knows yet. */
union handle_parts {
	u32 handle;
	struct {
		u32 trie_node : 22, root : 10;
	};
};
#else
union handle_parts {
	u32 handle;
	struct {
		u32 pool_index_plus_1 : 17, offset : 10, extra : 5;
	};
};
#endif
#include "record_6_8.h"

#define HANDLE(pool, slot) ((pool) + 1 | (slot) << 17)
#if defined(CASE_handle)
/* The record of the second stack has another handle. */
#define SECOND RECORD(HANDLE_SECOND ^ 1 << 20, 3, 2, IN(alloc_pages), IN(leak_second))
#elif defined(CASE_size)
/* It says that it has more frames than its pool has room for. */
#define SECOND RECORD(HANDLE_SECOND, 100000, 2, IN(alloc_pages), IN(leak_second))
#elif defined(CASE_room)
/* The same, but no more than a stack can have: the last record runs over the pool. */
#define SECOND_SLOT 169
#define SECOND RECORD(HANDLE_SECOND, 17, 2, IN(alloc_pages), IN(leak_second))
#elif defined(CASE_free)
/* It is on the free list: its frames are none. */
#define SECOND RECORD(HANDLE_SECOND, 3, 0, IN(alloc_pages), IN(leak_second), IN(startup_64))
#endif
#include "stacks.h"

#ifdef CASE_no_pool
/* The pool of the first stack is gone. */
void *stack_pools[8192] = { 0, DIRECT(pool1) };
#elif defined(CASE_wild_pool)
/* It is somewhere that no dump reaches. */
void *stack_pools[8192] = { (void *)0xffff88ffffff0000UL, DIRECT(pool1) };
#else
void *stack_pools[8192] = { DIRECT(pool0), DIRECT(pool1) };
#endif
s32 pools_num = 2;

#ifdef CASE_pages
/* Orders that cannot be, a handle beyond all pools, a page without a handle. */
#define EXTRA_PAGES                                                                 \
	[0x10] = { { ALLOCATED }, OWNER(200, HANDLE_FIRST, BY(7, 7, "order", 1)) }, \
	[0x11] = { { ALLOCATED }, OWNER(0, 0x1ffff, BY(7, 7, "handle", 2)) },       \
	[0x12] = { { ALLOCATED }, OWNER(0, 0, BY(7, 7, "none", 3)) },
#endif
#include "pages.h"
#ifdef CASE_no_section
/* The second section was never there; the first one's table is nowhere. */
struct mem_section {
	u64 section_mem_map;
	void *usage;
	void *page_ext;
	u64 pad;
};
static struct mem_section root[128] = { [0] = { 0xf, 0, (void *)0xffff88ffffff0000UL, 0 } };
static struct mem_section *roots[16] = { DIRECT(root) };
struct mem_section **mem_section = DIRECT(roots);
#else
#include "sections.h"
#endif
