/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two slab caches and what references to call sites say of their objects, the same
 * in every generation:
 *
 * plain: 1000 bytes, 8 objects in the two pages from HEAP on. 0 and 4 taken, 1 taken by a module, 3
 *	on purpose of nobody, 7 not charged; 2, 5 and 6 free, on the list of the slab, of
 *	a CPU or in a sheaf.
 * traced: slots of 192 bytes with a red zone of 8 in front, in the third page. 0, 1 and 3 taken,
 *	the last without a track; 2 free.
 * A slab of plain in the fourth page, whose vector there was no memory for; 3 is free.
 * boot: no slab. What kmem_cache_node counts of plain is right but for CASE_counted; the first slab
 * of plain is on its list of partial ones, and CASE_partial leads it back to itself.
 */
#include "slabtypes.h"

#define HEAP (DIRECT_BASE + ((u64)FIRST_PFN << 12))
#define PAGE(i) (HEAP + ((u64)(i) << 12))
#define WILD 0xffff88ffff000000UL /* not in the dump */

#define RANDOM 0x0123456789abcdefUL
#ifdef CASE_hardened
#define NEXT(at, object) ((object) ^ RANDOM ^ __builtin_bswap64(at))
#else
#define NEXT(at, object) (object)
#endif

#define PLAIN_SIZE 1000
#define PLAIN_OFFSET 496 /* the middle, of a word */
struct plain {
	u64 before[PLAIN_OFFSET / 8], next, after[(PLAIN_SIZE - PLAIN_OFFSET) / 8 - 1];
};
#define PLAIN(i) (HEAP + (i)*PLAIN_SIZE)
#define FAILED(i) (PAGE(3) + (i)*PLAIN_SIZE)
#define BROKEN(i) (PAGE(10) + (i)*PLAIN_SIZE)
/* Word of a free object, of any of the three. */
#define FREE_PLAIN(o, n)                            \
	{                                           \
		.next = NEXT((o) + PLAIN_OFFSET, n) \
	}

#ifdef CASE_handle
#define TRACK_HANDLE 0x7fffffff /* of no pool */
#else
#define TRACK_HANDLE HANDLE_FIRST
#endif
#ifdef CASE_inside
#define TRACED_OFFSET 16
#define INSIDE(o, n) .object[2] = NEXT((o) + TRACED_OFFSET, n)
#else
#define TRACED_OFFSET 48
#define INSIDE(o, n) .next = NEXT((o) + TRACED_OFFSET, n)
#endif
struct traced_info {
	struct track tracks[2];
	u64 requested;
	struct ext ext; /* of a slab that has them in its objects */
};
struct traced {
	u64 left, object[5], right;
#ifndef CASE_inside
	u64 next;
#endif
	struct traced_info info;
	u8 rest[192 - 8 * (7 + (TRACED_OFFSET == 48)) - sizeof(struct traced_info)];
};
_Static_assert(sizeof(struct plain) == PLAIN_SIZE && sizeof(struct traced) == 192, "slots");
#define TRACED(i) (PAGE(2) + (i)*192UL + 8)

#if defined(CASE_off_later) || defined(CASE_off_loop) || defined(CASE_toggled)
#define FREED TAKE /* once profiling is off, nobody takes back what is freed */
#else
#define FREED 0
#endif
/* A site that no list of tags has. */
#ifdef CASE_nowhere
#define NOWHERE WILD + 16
#else
#define NOWHERE TAKE
#endif
#define PLAIN_EXTS                                                                           \
	{                                                                                    \
		[0] = EXT(NOWHERE), [1] = EXT(TAKE_MODULE), [2] = EXT(FREED), [3] = EXT(EMPTY), \
		[4] = EXT(TAKE), [5] = EXT(FREED), [6] = EXT(FREED),                         \
	}
#define TRACED_EXTS                                                                  \
	{                                                                            \
		[0] = EXT(TAKE), [1] = EXT(TAKE), [2] = EXT(FREED), [3] = EXT(TAKE), \
	}
#ifdef IN_SLAB
#define IN_OBJECT(r) .ext = EXT(r)
#else
#define IN_OBJECT(r) .ext = EXT(0)
#endif

#ifdef SHEAVES
#define SECOND_FREE 0 /* of the slab's own list: 5 is in a sheaf */
#define LAST_FAILED 0
#else
#define SECOND_FREE PLAIN(5)
#define LAST_FAILED FAILED(3)
#endif
#if defined(CASE_loop) || defined(CASE_off_loop)
#define AFTER_BROKEN BROKEN(0)
#elif defined(CASE_astray)
#define AFTER_BROKEN (BROKEN(2) + 8)
#else
#define AFTER_BROKEN 0
#endif

static struct {
	struct plain plain[8];
	struct ext tail[8];
	u64 rest[(192 - 8 * sizeof(struct ext)) / 8];
	struct traced traced[4];
	u64 rest_traced[(4096 - 4 * sizeof(struct traced)) / 8];
	struct plain failed[4];
	u64 rest_failed[12];
	u64 pages[6][512];
	struct plain broken[4];
	u64 rest_broken[12];
	u64 more_pages[5][512];
} heap __attribute__((section(".heap"), aligned(4096))) = {
	.plain = { [2] = FREE_PLAIN(PLAIN(2), SECOND_FREE),
		   [5] = FREE_PLAIN(PLAIN(5), 0),
		   [6] = FREE_PLAIN(PLAIN(6), 0) },
#ifdef IN_SLAB
	.tail = PLAIN_EXTS,
#endif
	.traced = { [0] = { .info = { { TRACK(TRACK_HANDLE, 100, AGO(250)) },
				      33,
				      IN_OBJECT(TAKE) } },
		    [1] = { .info = { { TRACK(HANDLE_SECOND, 101, AGO(500)),
					TRACK(HANDLE_FREE, 102, AGO(750)) },
				      40,
				      IN_OBJECT(TAKE) } },
		    [2] = { INSIDE(TRACED(2), 0), .info = { { TRACK(HANDLE_SECOND, 104, AGO(100)),
							      TRACK(HANDLE_FREE, 103, AGO(25)) },
							    8,
							    IN_OBJECT(FREED) } },
		    [3] = { .info = { .requested = 0, IN_OBJECT(TAKE) } } },
	.failed = { [3] = FREE_PLAIN(FAILED(3), 0) },
	.broken = { [0] = FREE_PLAIN(BROKEN(0), BROKEN(1)),
		    [1] = FREE_PLAIN(BROKEN(1), AFTER_BROKEN) },
};

/* One structure of per-CPU data, for two CPUs; in front the image of it. */
static struct per_cpu {
	u8 pad[64];
	struct alloc_tag_counters counters[8];
	struct kmem_cache_cpu plain_cpu, traced_cpu;
	struct slub_percpu_sheaves plain_sheaves, traced_sheaves;
} per_cpu[3];
/* What is added to the address of a CPU's copy, as it is in the image or from 0 on. */
#ifdef PERCPU_ZERO
#define PER_CPU(member) ((void *)__builtin_offsetof(struct per_cpu, member))
void *__per_cpu_offset[2] = { DIRECT(&per_cpu[1]), DIRECT(&per_cpu[2]) };
asm(".globl __per_cpu_start\n.set __per_cpu_start, 0");
#else
#define PER_CPU(member) ((void *)&per_cpu[0].member)
#define COPY(n) (void *)(DIRECT_BASE - LINK_BASE + (n) * sizeof(struct per_cpu))
void *__per_cpu_offset[2] = { COPY(1), COPY(2) };
asm(".globl __per_cpu_start\n.set __per_cpu_start, per_cpu");
#endif
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 3 } };
u32 nr_cpu_ids = 2;
u32 nr_node_ids = 1;

/*
 * Free objects in sheaves of CPUs and in one of the barn. What waits to be freed by RCU is still
 * charged and not free yet: tags are taken back when its time comes.
 */
static union frame first_pages[FIRST_PAGES];
#ifdef CASE_counted
#define COUNTED_SLABS 3
#else
#define COUNTED_SLABS 2
#endif
#define NODE_COUNTS                                                                \
	.nr_partial = 1,                                                           \
	.partial = { DIRECT(&first_pages[0].slab.slab_list),                       \
		     DIRECT(&first_pages[0].slab.slab_list) },                     \
	.nr_slabs = COUNTED_SLABS, .total_objects = 12
#ifdef SHEAVES
static struct slab_sheaf main_sheaf = { .size = 1, .objects = { PLAIN(5) } };
static struct slab_sheaf spare_sheaf = {
#ifndef CPU_SLABS
	.size = 1, .objects = { PLAIN(6) }
#endif
};
static struct slab_sheaf rcu_sheaf = { .size = 1, .objects = { PLAIN(4) } };
static struct node_barn barn;
#ifdef CASE_barn_loop
#define NEXT_SHEAF barn_sheaf
#else
#define NEXT_SHEAF barn.sheaves_full
#endif
#ifdef CASE_barn_huge
#define BARN_SIZE 0x7fffffff
#else
#define BARN_SIZE 1
#endif
static struct slab_sheaf barn_sheaf = {
	.barn_list = { DIRECT(&NEXT_SHEAF), DIRECT(&barn.sheaves_full) },
	.size = BARN_SIZE,
	.objects = { FAILED(3) },
};
static struct node_barn barn = {
	.sheaves_full = { DIRECT(&barn_sheaf.barn_list), DIRECT(&barn_sheaf.barn_list) },
	.sheaves_empty = { DIRECT(&barn.sheaves_empty), DIRECT(&barn.sheaves_empty) },
	.nr_full = 1,
};
#define FIRST_SHEAVES .plain_sheaves = { .main = DIRECT(&main_sheaf) },
#define SECOND_SHEAVES \
	.plain_sheaves = { .spare = DIRECT(&spare_sheaf), .rcu_free = DIRECT(&rcu_sheaf) },
#ifdef BARN_IN_CACHE
static struct kmem_cache_node cache_node = { NODE_COUNTS };
#define BARN .per_node = { { DIRECT(&barn), DIRECT(&cache_node) } },
#else
static struct kmem_cache_node cache_node = { NODE_COUNTS, .barn = DIRECT(&barn) };
#define BARN .node = { DIRECT(&cache_node) },
#endif
#else
#define FIRST_SHEAVES
#define SECOND_SHEAVES
#ifdef BARN_IN_CACHE
static struct kmem_cache_node cache_node = { NODE_COUNTS };
#define BARN .per_node = { { .node = DIRECT(&cache_node) } },
#else
static struct kmem_cache_node cache_node = { NODE_COUNTS };
#define BARN .node = { DIRECT(&cache_node) },
#endif
#endif
static struct kmem_cache_node traced_node = {
	.partial = { DIRECT(&traced_node.partial), DIRECT(&traced_node.partial) },
	.nr_slabs = 1,
	.total_objects = 4,
};
#ifdef BARN_IN_CACHE
#define TRACED_NODE .per_node = { { .node = DIRECT(&traced_node) } },
#else
#define TRACED_NODE .node = { DIRECT(&traced_node) },
#endif
#ifdef CASE_partial
#define AFTER_PARTIAL first_pages[0].slab.slab_list
#else
#define AFTER_PARTIAL cache_node.partial
#endif
#ifdef CPU_SLABS
#define CPU_LIST .plain_cpu = { .freelist = PLAIN(6) },
#else
#define CPU_LIST
#endif

#ifdef CPU_SLABS
#define CPU_SLAB(name) .cpu_slab = PER_CPU(name##_cpu),
#else
#define CPU_SLAB(name)
#endif
#ifdef SHEAVES
#define CPU_SHEAVES(name) .cpu_sheaves = PER_CPU(name##_sheaves),
#else
#define CPU_SHEAVES(name)
#endif
#ifdef CASE_hardened
#define MIXED .random = RANDOM,
#else
#define MIXED
#endif
/* The list of caches: plain, traced, boot. */
extern struct list_head slab_caches;
static struct kmem_cache traced_cache, boot_cache;
#define LISTED(next, prev) .list = { next, prev },
static struct kmem_cache plain_cache = {
	LISTED(DIRECT(&traced_cache.list), (void *)&slab_caches)
	CPU_SLAB(plain) CPU_SHEAVES(plain) MIXED BARN.size = PLAIN_SIZE,
	.object_size = PLAIN_SIZE,
	.offset = PLAIN_OFFSET,
	.inuse = PLAIN_SIZE,
	.refcount = 1,
	.name = "plain",
};
#define TRACED_FLAGS (1 << _SLAB_RED_ZONE | 1 << _SLAB_KMALLOC | 1 << _SLAB_STORE_USER)
static struct kmem_cache traced_cache = {
	LISTED(DIRECT(&boot_cache.list), DIRECT(&plain_cache.list)) TRACED_NODE
	CPU_SLAB(traced) MIXED.flags = TRACED_FLAGS,
	.size = 192,
	.object_size = 40,
	.offset = TRACED_OFFSET,
	.inuse = 48,
	.red_left_pad = 8,
	.refcount = 3,
	.name = "traced",
};
/* Tracks that no slot has room for. */
static struct kmem_cache torn_cache = {
	.flags = 1 << _SLAB_STORE_USER,
	.size = PLAIN_SIZE,
	.object_size = PLAIN_SIZE,
	.inuse = PLAIN_SIZE,
	.name = "torn",
};
static struct kmem_cache boot_cache = {
	LISTED((void *)&slab_caches, DIRECT(&traced_cache.list)).size = 256,
	.object_size = 256,
	.inuse = 256,
	.flags = 1 << RECLAIM_ACCOUNT | 1 << _SLAB_ACCOUNT,
	.refcount = -1,
	.name = "boot",
};
#ifdef CASE_caches
#define FIRST_CACHE (void *)WILD
#else
#define FIRST_CACHE DIRECT(&plain_cache.list)
#endif
struct list_head slab_caches = { FIRST_CACHE, DIRECT(&boot_cache.list) };
struct kmem_cache *kmem_cache = DIRECT(&boot_cache);

#ifdef IN_SLAB
#define PLAIN_AT (PLAIN(8) + IS_VECTOR)
#define TRACED_AT                                      \
	(TRACED(0) + (TRACED_OFFSET == 48 ? 56 : 48) + \
	 __builtin_offsetof(struct traced_info, ext) + IS_VECTOR)
#define TRACED_STRIDE 192
#else
static struct ext plain_exts[8] = PLAIN_EXTS, traced_exts[4] = TRACED_EXTS;
#define PLAIN_AT ((u64)DIRECT(plain_exts) + IS_VECTOR)
#ifndef TRACED_MARK
#define TRACED_MARK IS_VECTOR
#endif
#define TRACED_AT ((u64)DIRECT(traced_exts) + TRACED_MARK)
#define TRACED_STRIDE sizeof(struct ext)
#endif
static struct ext broken_exts[4] = { EXT(TAKE), EXT(TAKE), EXT(0), EXT(0) };
#define BROKEN_AT ((u64)DIRECT(broken_exts) + IS_VECTOR)
