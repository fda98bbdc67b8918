/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct page, struct slab and the structures of SLUB from 6.10 on, as far as objects are found
 * by them. What the kernel that includes objects.h defines:
 *
 * TYPE_BITS: types of pages are bits (6.10); else the top byte (6.12)
 * FLAGS_IN_F: page.flags is a structure (6.18)
 * COMPOUND_INFO: compound_head got a new name (7.1)
 * CPU_SLABS: each CPU has a slab of a cache for itself (to 6.19)
 * SHEAVES: each CPU has a sheaf of free objects (6.18)
 * BARN_IN_CACHE: more of them hang at the cache (7.1), else at kmem_cache_node
 * STRIDE: a slab says how far apart its references are (7.0 to 7.2)
 * PACKED: they are one or two pointers (7.3), else a structure
 * NO_MEMCG: CONFIG_MEMCG is off
 * NEEDS_OBJCG: a pointer of memcg stands before each reference
 * CASE_batchcount: struct kmem_cache is SLAB's (to 6.7)
 * IN_SLAB: references are in the tail of a slab, or in its objects; else in vectors
 * CASE_nodes: CONFIG_NODES_SHIFT is 10, as distributions have it
 * PERCPU_ZERO: per-CPU addresses are small numbers (to 6.14)
 */
#ifdef FLAGS_IN_F
typedef struct {
	u64 f;
} flags_t;
#define FLAGS(x) .flags = { x }
#else
typedef u64 flags_t;
#define FLAGS(x) .flags = x
#endif

enum pageflags {
	PG_locked,
	PG_lru = 5,
	PG_head,
	PG_swapcache = 11,
	PG_reserved = 14,
	PG_swapbacked = 19,
	__NR_PAGEFLAGS = 23
};
enum pageflags keep_pageflags;
#ifdef TYPE_BITS
enum pagetype { PG_buddy = 0x80, PG_offline = 0x100, PG_table = 0x200, PG_slab = 0x1000 };
#define TYPE(t) (~(u32)PG_##t)
#else
enum pagetype { PGTY_buddy = 0xf0, PGTY_offline = 0xf1, PGTY_table = 0xf2, PGTY_slab = 0xf5 };
#define TYPE(t) ((u32)PGTY_##t << 24)
#endif
enum pagetype keep_pagetype;

#ifdef NO_MEMCG
#define WORD _unused_slab_obj_exts
#define IS_VECTOR 0
#else
#define WORD memcg_data
#define IS_VECTOR 1 /* MEMCG_DATA_OBJEXTS */
#endif
#ifdef COMPOUND_INFO
#define LINK compound_info
#else
#define LINK compound_head
#endif
struct page {
	flags_t flags;
	union {
		struct {
			struct list_head lru;
			u64 mapping, index, private;
		};
		u64 LINK;
	};
	u32 page_type;
	s32 _refcount;
	u64 WORD;
};
struct folio {
	struct page page;
	u64 _flags_1; /* the order is its low byte */
};
struct folio keep_folio;

/* Where free objects wait. */
struct kmem_cache_cpu {
	u64 freelist, tid;
	struct slab *slab, *partial;
};
struct slab_sheaf {
	struct list_head barn_list;
	struct kmem_cache *cache;
	u32 size;
	s32 node;
	u64 objects[];
};
struct slub_percpu_sheaves {
	u64 lock;
	struct slab_sheaf *main, *spare, *rcu_free;
};
struct node_barn {
	u64 lock;
	struct list_head sheaves_full, sheaves_empty;
	u32 nr_full, nr_empty;
};
struct kmem_cache_node {
	u64 list_lock, nr_partial;
	struct list_head partial;
	u64 nr_slabs, total_objects;
#ifndef BARN_IN_CACHE
	struct node_barn *barn;
#endif
};
#ifdef BARN_IN_CACHE
struct kmem_cache_per_node_ptrs {
	struct node_barn *barn;
	struct kmem_cache_node *node;
};
#endif
enum _slab_flag_bits {
	_SLAB_CONSISTENCY_CHECKS,
	_SLAB_RED_ZONE,
	_SLAB_POISON,
	_SLAB_KMALLOC,
	_SLAB_HWCACHE_ALIGN,
	_SLAB_CACHE_DMA,
	_SLAB_CACHE_DMA32,
	_SLAB_STORE_USER,
#ifdef CASE_tiny
	RECLAIM_ACCOUNT = 17, /* SLUB_TINY has no such flag; up to 6.8 this bit was it */
#else
	_SLAB_RECLAIM_ACCOUNT,
#define RECLAIM_ACCOUNT _SLAB_RECLAIM_ACCOUNT
#endif
	_SLAB_ACCOUNT,
};
enum _slab_flag_bits keep_slab_flag_bits;
#ifdef CASE_nodes
#define NODES 1024
#else
#define NODES 4
#endif
struct kmem_cache {
#ifdef CPU_SLABS
	struct kmem_cache_cpu *cpu_slab;
#endif
#ifdef SHEAVES
	struct slub_percpu_sheaves *cpu_sheaves;
#endif
	u32 flags;
	u64 min_partial;
	u32 size, object_size;
	u64 reciprocal_size;
	u32 offset;
	u32 oo, min, allocflags;
	s32 refcount;
#ifdef CASE_batchcount
	u32 batchcount; /* of SLAB */
#endif
	void *ctor;
	u32 inuse, align, red_left_pad;
	const char *name;
	struct list_head list;
#ifdef CASE_hardened
	u64 random;
#endif
#ifdef BARN_IN_CACHE
	struct kmem_cache_per_node_ptrs per_node[NODES];
#else
	struct kmem_cache_node *node[NODES];
#endif
};

struct slab {
	flags_t flags;
	struct kmem_cache *slab_cache;
	struct list_head slab_list;
	u64 freelist;
	union {
		u64 counters;
		struct {
			u32 inuse : 16, objects : 15, frozen : 1;
#if defined(STRIDE)
			u32 stride;
#elif defined(PACKED)
			u32 obj_exts_in_object : 1, obj_exts_needs_objcg : 1;
#endif
		};
	};
	u32 __page_type;
	s32 __page_refcount;
	u64 obj_exts;
};
union frame {
	struct page page;
	struct slab slab;
};
_Static_assert(sizeof(struct page) == 64 && sizeof(union frame) == 64, "they share their memory");

/* struct slabobj_ext is what debug information has, struct ext what is stored. */
#if defined(PACKED)
struct slabobj_ext {
	union {
#ifndef NO_MEMCG
		void *_objcg;
#endif
		union codetag_ref _ctref;
	};
} __attribute__((aligned(8)));
struct slabobj_ext keep_slabobj_ext;
#elif defined(NO_MEMCG)
struct slabobj_ext {
	union codetag_ref ref;
} __attribute__((aligned(8)));
struct slabobj_ext keep_slabobj_ext;
#else
struct slabobj_ext {
	void *objcg;
	union codetag_ref ref;
} __attribute__((aligned(8)));
struct slabobj_ext keep_slabobj_ext;
#endif
struct ext {
#ifdef NEEDS_OBJCG
	void *objcg;
#endif
	union codetag_ref ref;
};
#ifdef NEEDS_OBJCG
#define EXT(r)                      \
	{                           \
		(void *)(WILD + 8), \
		{                   \
			r           \
		}                   \
	}
#else
#define EXT(r)            \
	{                 \
		{         \
			r \
		}         \
	}
#endif

struct track {
	u64 addr;
	u32 handle;
	s32 cpu, pid;
	u64 when;
};
#define TRACK(h, p, at)                      \
	{                                    \
		IN(alloc_pages), h, 1, p, at \
	}
