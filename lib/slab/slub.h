/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slabs of SLUB and of SLAB, and the objects in them (mm/slub.c, mm/slab.c, mm/slab.h).
 *
 * Per object there may be a struct slabobj_ext with the alloc_tag that it was
 * charged to: in a vector, since 7.0 also in the tail of the slab or behind each object.
 */
#pragma once

#include "kernel/jiffies.h"
#include "kernel/percpu.h"
#include "pages/kfence.h"
#include "pages/memmap.h"
#include "util/hash_u64.h"

#define SLAB_MAX_OBJECTS 32767 /* slab.objects has 15 bits */

/* Forms of struct slabobj_ext, see slub.c. */
enum exts_fork { EXTS_POINTERS, EXTS_STRIDE, EXTS_VECTOR, EXTS_UNTAGGED, EXTS_FORKS };

struct slab_cache {
	uint64_t address;    /* of struct kmem_cache; 0: corrupt */
	const char *name;    /* NULL: not in this dump */
	const char *kind;    /* of a cgroup's own cache the name of its root; NULL: unknown */
	uint32_t size;	     /* bytes from one object to the next */
	uint32_t bytes;	     /* of an object, as its user sees it */
	uint32_t pad;	     /* bytes before each object */
	uint32_t offset;     /* of the pointer to the next free object */
	uint32_t info;	     /* bytes from an object to its tracks */
	bool is_hardened;    /* pointers are mixed with random and their address */
	uint64_t random;     /* 0 in caches that are older than the kernel's random numbers */
	uint64_t root;	     /* of a cgroup's own cache, that which it is a copy of; else 0 */
	uint64_t cpu_slab;   /* per-CPU address, or 0 */
	uint64_t sheaves;    /* the same */
	uint64_t arrays;     /* the same: objects that CPUs have freed (SLAB) */
	uint32_t num;	     /* objects of each slab (SLAB) */
	uint32_t indexes;    /* bytes of the indexes of all of them (SLAB) */
	bool has_tracks;     /* SLAB_STORE_USER */
	bool is_reclaimable; /* SLAB_RECLAIM_ACCOUNT */
	bool is_accounted;   /* SLAB_ACCOUNT: every object is charged to a cgroup */
	bool has_requested;  /* kmalloc keeps the size that was asked for behind the tracks */
	bool has_aliases;    /* false: unknown */
	uint32_t aliases;    /* other caches merged into this one: its objects may be theirs */
	bool has_sheaves;    /* its objects were added to slabs.sheaves */
};

/* A struct slab, up to 5.16 a struct page. */
struct slab_header {
	uint64_t cache, freelist;
	uint64_t first; /* object (SLAB) */
	uint64_t exts;	/* address, with bits of EXTS_FLAGS */
	uint32_t inuse, objects, stride;
	bool has_stride, has_bits; /* the kernel's: bits are the next two */
	bool in_object, needs_objcg;
};

struct slabs {
	struct dump *dump;
	struct memmap *memmap;
	bool has_indexes; /* SLAB: freelist is an array of indexes */
	struct structure slab, cache;
	struct field slab_list, cache_list, cache_nodes; /* of struct slab, of struct kmem_cache */
	uint64_t linear; /* virtual address of physical 0, in wrapping arithmetic */
	/* Masks of kmem_cache.flags. */
	uint64_t store_user, red_zone, kmalloc, reclaimable, accounted;
	struct hash_u64 caches; /* of struct slab_cache */
	bool has_tags;
	enum exts_fork exts_fork;
	uint64_t ext_bytes, ext_tag; /* size of slabobj_ext, offset of the tag in it */
	bool has_objcgs;	     /* objects may be charged to a cgroup */
	uint64_t objcg_bytes, objcg; /* from one pointer to the next in a vector, offset */
	bool has_nodes;		     /* nodes is filled */
	struct structure per_node, node, node_barn; /* see slub_nodes.c */
	struct field partial;
	uint64_t node_bytes; /* from one entry of the array of nodes to the next */
	struct percpu cpus;
	struct hash_u64 sheaves; /* objects that are free but on no freelist */
	bool sheaves_complete;
	const char *sheaves_problem; /* why they are not, what was met first */
	uint8_t *exts;		     /* of the slab that was asked for last */
	uint8_t *objcgs;	     /* of the slab that slab_objcgs() was asked for last */
};

struct slab {
	const struct slab_cache *cache;
	uint64_t address; /* of its memory; of the first object in SLAB, behind a gap */
	uint32_t objects, inuse;
	uint64_t freelist;
	uint64_t exts; /* address of the first slabobj_ext, 0: it has none */
	bool lost;     /* there was no memory for them (OBJEXTS_ALLOC_FAIL) */
	uint32_t stride;
	uint32_t tag;	    /* offset in a slabobj_ext */
	bool has_exts_read; /* their bytes are in slabs.exts */
	uint64_t objcgs;    /* address of the obj_cgroup pointer of object 0; 0: it has none */
	uint32_t objcg_stride;
};

/* ST_UNKNOWN: SLOB, or no layout that is known. */
enum status slabs_open(struct dump *d, struct memmap *memmap, struct slabs *ret);

/* The cache at the address of a struct kmem_cache, decoded once; it lives as long as s. */
enum status slab_cache_get(struct slabs *s, uint64_t addr, const struct slab_cache **ret);
/* That of the slab whose first page is pfn, where slab_at() fails; ST_ABSENT: slab_cache is NULL. */
enum status slab_cache_at(struct slabs *s, uint64_t pfn, const struct slab_cache **ret);

/*
 * The slab whose first page is pfn.  ST_CORRUPT: its numbers are impossible;
 * ST_UNREADABLE: it or its cache is not in this dump.
 */
enum status slab_at(struct slabs *s, uint64_t pfn, struct slab *ret);

/* The address of object i. */
static inline uint64_t slab_object(const struct slab *slab, uint32_t i)
{
	return slab->address + (uint64_t)i * slab->cache->size + slab->cache->pad;
}

/* The index of the object that has an address. ST_ABSENT: the slab has no object there. */
enum status slab_index(const struct slab *slab, uint64_t addr, uint32_t *ret);

/*
 * The tag of object i; 0: free, or not charged; TAG_EMPTY.  ST_ABSENT: the slab has no tags;
 * ST_UNREADABLE; ST_CORRUPT: ones, as of a page that was lost.  Cheap for rising i of one slab.
 */
enum status slab_tag(struct slabs *s, struct slab *slab, uint32_t i, uint64_t *ret);

/*
 * The pointers to struct obj_cgroup of all objects of a slab, 0 for one that is free or not
 * charged; valid until the next call.  ST_ABSENT: the slab has none; ST_UNREADABLE.
 */
enum status slab_objcgs(struct slabs *s, const struct slab *slab, const uint64_t **ret);

/*
 * Sets a bit for each object that is free: on the list of the slab or of a CPU, or in a sheaf
 * (6.18 and later) or an array of SLAB.  ST_CORRUPT: a list leads out of the slab or in circles;
 * what was found until then is set.
 */
#define SLAB_FREE_WORDS ((SLAB_MAX_OBJECTS + 64) / 64)
enum status slab_free_objects(struct slabs *s, const struct slab *slab,
			      uint64_t bits[SLAB_FREE_WORDS]);

/*
 * Objects of a cache that are free although slab.inuse counts them: on the free list of a CPU or
 * in a sheaf.  Calls visit with each once; before slab_free_objects() of the same s.
 * slab_of: the slab that has an object; any status but ST_OK is that of the walk.
 */
struct idle_visitor {
	enum status (*slab_of)(void *arg, uint64_t object, struct slab *ret);
	enum status (*visit)(void *arg, const struct slab *slab, uint64_t object);
	void *arg;
};
enum status slab_idle_walk(struct slabs *s, const struct slab_cache *cache,
			   const struct idle_visitor *v);

/* The objects of a slab, each with whether it is free and with the alloc_tag it was charged to. */

struct slub_object {
	struct slab *slab;
	uint32_t index;
	bool is_free;	 /* only while knows_free */
	bool knows_free; /* the freelists of the slab could be followed to their ends */
	bool knows_tag;	 /* false: its slabobj_ext is not in this dump */
	uint64_t tag;	 /* 0: none, or not known */
	const struct kfence_object *kfence; /* its record, of an object of KFENCE; NULL: of SLUB */
};

/* What is not known of a slab. */
struct slab_gaps {
	bool slab; /* all of it: corrupt, or not in this dump */
	bool free; /* which objects are free */
	bool tags; /* of some objects */
};

/*
 * Calls visit for each object of the slab whose first page is pfn, in the order of addresses;
 * untagged: of slabs without slabobj_ext too.  A status of visit but ST_OK ends the walk and is
 * returned; else ST_OK.
 */
enum status slub_walk(struct slabs *s, uint64_t pfn, bool untagged,
		      enum status (*visit)(void *arg, const struct slub_object *o), void *arg,
		      struct slab_gaps *gaps);

/*
 * The same of the objects of KFENCE that are in use, each as the only one of a slab: their pages are
 * memory of boot, their slabobj_ext is in the record (6.10: mm: introduce slabobj_ext to support slab
 * object extensions).  gaps: of any of them.
 */
enum status slub_walk_kfence(struct slabs *s, struct kfence *k,
			     enum status (*visit)(void *arg, const struct slub_object *o),
			     void *arg, struct slab_gaps *gaps);
/* One of them by the pfn of its page.  ST_ABSENT: it is none, or not in use. */
enum status slub_kfence_at(struct slabs *s, struct kfence *k, uint64_t pfn, struct slab *ret,
			   struct kfence_object *object);

/*
 * What slub_debug=U keeps behind each object: who allocated it last and who freed it
 * (struct track, mm/slub.c).
 */

#define TRACK_FRAMES 16 /* TRACK_ADDRS_COUNT, to 5.17 */

struct slub_tracks {
	struct dump *dump;
	struct structure track;
	uint64_t bytes; /* of a struct track */
	struct jiffies jiffies;
};

struct slub_track {
	uint64_t addr;	 /* return address of the call into SLUB */
	uint32_t handle; /* of the stack depot; 0: none */
	unsigned int n;	 /* frames of its own, where there is no handle */
	uint64_t frames[TRACK_FRAMES];
	uint64_t when; /* in jiffies */
	int32_t pid;
	bool has_age;
	uint64_t age_ns; /* before the panic, to a jiffy */
};

/* ST_UNKNOWN: not built in, or a layout that is not known. */
enum status slub_tracks_open(struct dump *d, struct slub_tracks *ret);

/*
 * Of object i of a slab whose cache has tracks: the last allocation or the last free.
 * ST_ABSENT: never; ST_UNREADABLE; ST_CORRUPT: there is no room for it.
 */
enum status slub_track_at(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			  bool freed, struct slub_track *ret);

/* Bytes that kmalloc was asked for; ST_ABSENT: it is not kept. */
enum status slub_requested(const struct slub_tracks *t, const struct slab *slab, uint32_t i,
			   uint32_t *ret);
