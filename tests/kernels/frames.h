/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct page and page_ext of what objects.h has in memory. Behind its slabs: a page
 * charged to nobody on purpose, two allocations, one page and two; a free page; one of a
 * module; the slab that CASE_x breaks; one of a module that was unloaded.
 */
#if defined(STRIDE)
#define APART(n) .stride = n
#elif defined(PACKED) && defined(NEEDS_OBJCG)
#define APART(n) .obj_exts_in_object = (n) == 192, .obj_exts_needs_objcg = 1
#elif defined(PACKED)
#define APART(n) .obj_exts_in_object = (n) == 192
#else
#define APART(n) .frozen = 0
#endif
#define SLAB(cache, n, used, list, exts, apart)                                                    \
	.slab_cache = DIRECT(&cache), .freelist = list, .inuse = used, .objects = n, APART(apart), \
	.__page_type = TYPE(slab), .obj_exts = exts
#define NEXT_TO sizeof(struct ext)

#if defined(CASE_loop) || defined(CASE_off_loop) || defined(CASE_astray)
#define BROKEN_SLAB SLAB(plain_cache, 4, 2, BROKEN(0), BROKEN_AT, NEXT_TO)
#elif defined(CASE_wild)
#define BROKEN_SLAB SLAB(plain_cache, 4, 4, 0, WILD + IS_VECTOR, NEXT_TO)
#elif defined(CASE_inuse)
#define BROKEN_SLAB SLAB(plain_cache, 4, 9, 0, BROKEN_AT, NEXT_TO)
#elif defined(CASE_none)
#define BROKEN_SLAB SLAB(plain_cache, 0, 0, 0, BROKEN_AT, NEXT_TO)
#elif defined(CASE_cache)
#define BROKEN_SLAB SLAB(heap.rest_broken, 4, 4, 0, BROKEN_AT, NEXT_TO)
#elif defined(CASE_room)
#define BROKEN_SLAB SLAB(torn_cache, 4, 4, 0, BROKEN_AT, NEXT_TO)
#elif defined(CASE_stride_0)
#define BROKEN_SLAB SLAB(plain_cache, 4, 4, 0, BROKEN_AT, 0)
#elif defined(CASE_stride_huge)
#define BROKEN_SLAB SLAB(plain_cache, 4, 4, 0, BROKEN_AT, 0x7fffffff)
#endif
#ifdef BROKEN_SLAB
#define BROKEN_FRAME                    \
	{                               \
		.slab = { BROKEN_SLAB } \
	}
#else
#define BROKEN_FRAME                        \
	{                                   \
		.page = {.page_type = ~0U } \
	}
#endif

#ifdef COMPOUND_INFO
#define TAIL (~(2 * sizeof(struct page) - 1) | 1) /* its own address without these bits */
#define ALIGNED_TAIL(i) TAIL
#else
#define ALIGNED_TAIL(i) ((u64)DIRECT(&first_pages[i]) + 1)
#endif
/* FRAME(i): what a page has in its flags beside, from the kernel that includes this. */
#ifndef FRAME
#define FRAME(i) 0
#endif
#define HEAD(i) FLAGS(FRAME(i) | 1UL << PG_head)
/* What a CPU or a sheaf has, slab.inuse counts. */
#ifdef SHEAVES
#define PLAIN_INUSE 7
#define FAILED_INUSE 4
#else
#define PLAIN_INUSE 6
#define FAILED_INUSE 3
#endif
static union frame first_pages[FIRST_PAGES] __attribute__((aligned(4096))) = {
	[0] = { .slab = { HEAD(0), SLAB(plain_cache, 8, PLAIN_INUSE, PLAIN(2), PLAIN_AT, NEXT_TO),
			  .slab_list = { DIRECT(&AFTER_PARTIAL), DIRECT(&cache_node.partial) } } },
	[1] = { .page = { FLAGS(1), .LINK = ALIGNED_TAIL(0), .page_type = ~0U } },
	[2] = { .slab = { FLAGS(FRAME(2)),
			  SLAB(traced_cache, 4, 3, TRACED(2), TRACED_AT, TRACED_STRIDE) } },
	[3] = { .slab = { FLAGS(FRAME(3)),
			  SLAB(plain_cache, 4, FAILED_INUSE, LAST_FAILED, FAILED_AT, NEXT_TO) } },
	[4] = { .page = { FLAGS(FRAME(4)), .page_type = ~0U } },
	[5] = { .page = { FLAGS(FRAME(5)), .page_type = ~0U } },
	[6] = { .page = { HEAD(6), .page_type = ~0U } },
	[7] = { .page = { FLAGS(1), .LINK = ALIGNED_TAIL(6), .page_type = ~0U } },
	[8] = { .page = { FLAGS(0), .page_type = TYPE(buddy) } },
	[9] = { .page = { FLAGS(FRAME(9)), .page_type = ~0U } },
	[10] = BROKEN_FRAME,
	[11] = { .page = { FLAGS(FRAME(11)), .page_type = ~0U } },
	[12] = { .page = { FLAGS(FRAME(12)), .page_type = ~0U } },
	[13 ... FIRST_PAGES - 1] = { .page = { .page_type = ~0U } },
#ifdef CASE_kfence
	[POOL_AT + 2] = { .slab = { SLAB(plain_cache, 1, 0, 0, KFENCE_EXT, NEXT_TO) } },
#endif
};
/* Low bits of section_mem_map are flags. */
static union frame second_pages[SECOND_PAGES] __attribute__((aligned(64))) = {
	[0 ... SECOND_PAGES - 1] = { .page = { .page_type = ~0U } },
#ifdef CASE_absent
	[1] = { .slab = { SLAB(traced_cache, 4, 4, 0, BROKEN_AT, NEXT_TO) } },
#endif
};
#define FIRST_MAP ((u64)DIRECT(first_pages) - FIRST_PFN * sizeof(struct page))
#define SECOND_MAP ((u64)DIRECT(second_pages) - SECOND_PFN * sizeof(struct page))

#define SLAB_OWNER OWNER(0, HANDLE_FIRST, BY(7, 7, "slabber", 1000))
#define PAGE_OWNER(o) OWNER(o, HANDLE_SECOND, BY(200, 200, "taker", 5000))
#ifndef REF
#define REF(tag) .ref = { tag }
#endif
#ifdef CASE_wild_ref
#define WILD_REF (void *)(WILD + 16)
#else
#define WILD_REF 0
#endif
/* Bits and record of page_owner, where there is one. */
#ifdef REFS_ALONE
#define OWNED(bits, owner)
#else
#define OWNED(bits, owner) { bits }, owner,
#endif
static struct entry first_entries[FIRST_PAGES] = {
	[0] = { OWNED(3, OWNER(1, HANDLE_FIRST, BY(7, 7, "slabber", 1000))) REF(SLAB_PAGE) },
	[1] = { OWNED(3, OWNER(1, HANDLE_FIRST, BY(7, 7, "slabber", 1000))) },
	[2] = { OWNED(3, SLAB_OWNER) REF(SLAB_PAGE) },
	[3] = { OWNED(3, SLAB_OWNER) REF(SLAB_PAGE) },
	[4] = { OWNED(3, PAGE_OWNER(0)) REF(TAKE_PAGES) },
	[5] = { OWNED(3, PAGE_OWNER(0)) REF(EMPTY) },
	[6] = { OWNED(3, PAGE_OWNER(1)) REF(TAKE_PAGES) },
	[7] = { OWNED(3, PAGE_OWNER(1)) },
	[8] = { OWNED(1, PAGE_OWNER(0)) },
	[9] = { OWNED(3, PAGE_OWNER(0)) REF(TAKE_MODULE) },
	[11] = { OWNED(3, PAGE_OWNER(0)) REF(GONE) },
	[12] = { OWNED(3, PAGE_OWNER(0)) REF(WILD_REF) },
};
static struct entry second_entries[SECOND_PAGES];
