// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What slub_debug=U keeps up to 5.17, in a kernel without call sites: tracks with frames of their
 * own, slabs that are struct page, flags of caches that are macros.
 * CASE_inside: the pointer to the next free object is in the object. CASE_swabbed: it is mixed
 * as from 5.7 on, with its own address turned around; CASE_mixed: as before.
 */
#define RELEASE "5.10.0-objects"
#define FIRST_PFN 0x1100
#define FIRST_PAGES 8
#include "common.h"
#include "printk.h"

#define HEAP (DIRECT_BASE + ((u64)FIRST_PFN << 12))
enum pageflags { PG_locked, PG_slab = 9, PG_head = 16, __NR_PAGEFLAGS = 23 };
enum pageflags keep_pageflags;

struct kmem_cache_cpu {
	u64 freelist, tid;
	struct page *page, *partial;
};
#define RED_ZONE 0x400
#define STORE_USER 0x10000
struct kmem_cache {
	struct kmem_cache_cpu *cpu_slab;
	u32 flags;
	u64 min_partial;
	u32 size, object_size;
	u64 reciprocal_size;
	u32 offset, cpu_partial;
	u32 oo, max, min, allocflags;
	s32 refcount;
	void *ctor;
	u32 inuse, align, red_left_pad;
	const char *name;
	struct list_head list;
#if defined(CASE_swabbed) || defined(CASE_mixed)
	u64 random;
#endif
};
struct page {
	u64 flags;
	union {
		struct {
			struct list_head lru;
			u64 mapping, index, private;
		};
		struct {
			struct list_head slab_list;
			struct kmem_cache *slab_cache;
			u64 freelist;
			union {
				u64 counters;
				struct {
					u32 inuse : 16, objects : 15, frozen : 1;
				};
			};
		};
		u64 compound_head;
	};
	u32 page_type;
	s32 _refcount;
	u64 mem_cgroup;
};
_Static_assert(sizeof(struct page) == 64, "as it is with memcg");

struct track {
	u64 addr, addrs[16];
	s32 cpu, pid;
	u64 when;
};
#define TRACK(p, at, ...)                                  \
	{                                                  \
		IN(alloc_pages), { __VA_ARGS__ }, 1, p, at \
	}

#define RANDOM 0x0123456789abcdefUL
#if defined(CASE_swabbed)
#define NEXT(at, object) ((object) ^ RANDOM ^ __builtin_bswap64(at))
#elif defined(CASE_mixed)
#define NEXT(at, object) ((object) ^ RANDOM ^ (at))
#else
#define NEXT(at, object) (object)
#endif
#ifdef CASE_inside
#define OFFSET 16
#define LINKED(o, n) .object[2] = NEXT((o) + OFFSET, n)
#else
#define OFFSET 48
#define LINKED(o, n) .next = NEXT((o) + OFFSET, n)
#endif
struct traced {
	u64 left, object[5], right;
#ifndef CASE_inside
	u64 next;
#endif
	struct track tracks[2];
	u64 padding[2 + (OFFSET == 16)];
};
#define OBJECT(i) (HEAP + (i) * sizeof(struct traced) + 8)

/* Two pages of 12 objects: 5, 2 and, held by a CPU, 7 are free; 11 starts in the second. */
static struct {
	struct traced traced[12];
	u8 rest[2 * 4096 - 12 * sizeof(struct traced)];
} heap __attribute__((section(".heap"), aligned(4096))) = {
	.traced = { [0] = { .tracks = { TRACK(100, AGO(250), IN(alloc_pages), IN(leak_first),
					      IN(startup_64)) } },
		    [2] = { LINKED(OBJECT(2), 0),
			    .tracks = { TRACK(104, AGO(100), IN(alloc_pages)),
					TRACK(103, AGO(25), IN(free_pages), ~0UL) } },
		    [5] = { LINKED(OBJECT(5), OBJECT(2)) },
		    [7] = { LINKED(OBJECT(7), 0) },
		    [11] = { .tracks = { TRACK(101, AGO(500), IN(alloc_pages), IN(leak_second),
					       IN(startup_64), ~0UL),
					 TRACK(102, AGO(750), IN(free_pages), IN(startup_64)) } } },
};
static struct per_cpu {
	u8 pad[64];
	struct kmem_cache_cpu traced_cpu;
} per_cpu[2] = { [1] = { .traced_cpu = { .freelist = OBJECT(7) } } };
void *__per_cpu_offset[2] = { DIRECT(&per_cpu[0]), DIRECT(&per_cpu[1]) };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 3 } };
u32 nr_cpu_ids = 2;

static struct kmem_cache traced_cache = {
	.cpu_slab = (void *)64,
	.flags = RED_ZONE | STORE_USER,
	.size = sizeof(struct traced),
	.object_size = 40,
	.offset = OFFSET,
	.inuse = 48,
	.red_left_pad = 8,
	.name = "traced",
#if defined(CASE_swabbed) || defined(CASE_mixed)
	.random = RANDOM,
#endif
};
struct kmem_cache *kmem_cache = DIRECT(&traced_cache);

static struct page first_pages[FIRST_PAGES] __attribute__((aligned(4096))) = {
	[0] = { .flags = 1UL << PG_slab | 1UL << PG_head,
		.slab_cache = DIRECT(&traced_cache),
		.freelist = OBJECT(5),
		.inuse = 10,
		.objects = 12 },
	[1] = { .compound_head = (u64)DIRECT(first_pages) + 1, .page_type = ~0U },
	[2 ... FIRST_PAGES - 1] = { .page_type = ~0U },
};
static struct page second_pages[SECOND_PAGES];
#define FIRST_MAP ((u64)DIRECT(first_pages) - FIRST_PFN * sizeof(struct page))
#define SECOND_MAP ((u64)DIRECT(second_pages) - SECOND_PFN * sizeof(struct page))
#define ENTRY struct page_ext
struct page_ext {
	u64 flags;
};
static struct page_ext first_entries[FIRST_PAGES], second_entries[SECOND_PAGES];
#include "sections.h"
