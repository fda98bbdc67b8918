/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of class slab, summed by cache: slabs, objects and what is in use of them.
 *
 * Each page is added once, so the sum of all pages is that of the class.  An object is in use
 * when slab.inuse counts it, and neither the free list of a CPU nor a sheaf has it.
 */
#pragma once

#include "pages/page_type.h"
#include "slab/slub.h"
#include "util/hash_bytes.h"
#include "zones/zones.h"

enum slab_use_kind {
	SLAB_USE_CACHE,
	SLAB_USE_LARGE,	  /* large kmalloc: pages without a cache (6.15 and later) */
	SLAB_USE_UNKNOWN, /* the slab or its kmem_cache is corrupt, or not in this dump */
	SLAB_USE_KINDS
};

#define NODE_UNKNOWN UINT32_MAX

struct slab_use {
	enum slab_use_kind kind;
	const struct slab_cache *cache; /* of SLAB_USE_CACHE */
	unsigned int node;		/* 0 unless nodes are told apart; NODE_UNKNOWN */
	uint64_t pages, slabs;
	uint64_t objects;   /* of all slabs but bad ones */
	uint64_t taken;	    /* sum of slab.inuse */
	uint64_t idle;	    /* of these, on the free list of a CPU or in a sheaf */
	uint64_t bad;	    /* slabs with impossible numbers */
	uint64_t orders;    /* of its slabs, a bit each */
	bool is_idle_known; /* after slab_caches_scan(), or of a cache that was asked for */
};

#define SLABS_TRIED 128 /* more say no more of how many are missing */

struct slab_caches {
	struct slabs slabs;
	struct page_types *types;
	const struct zones *zones; /* NULL: nodes are not told apart */
	struct hash_bytes uses;	   /* of struct slab_use */
	const char *problem;	   /* NULL, or why idle objects of a cache are unknown */
	uint64_t met;		   /* slabs */
	/* pfns of the last pages of some; of how many it is not in this dump, after slab_caches_try(). */
	uint64_t last_pages[SLABS_TRIED], tried, absent;
	const char *list_problem; /* NULL, or why caches without a slab are missing */
	/* The slab that is being added. */
	struct slab_use *use;
	uint64_t head, head_pages;
	struct slab slab;
	bool has_slab;
};

/*
 * types: asked while pages are added, and its memmap.  zones: NULL, or to tell nodes apart.  ret
 * stays where it is.  ST_UNKNOWN as of slabs_open().
 */
enum status slab_caches_open(struct dump *d, struct page_types *types, const struct zones *zones,
			     struct slab_caches *ret);

static inline bool slab_caches_want(const struct page_info *info)
{
	return info->state == PAGE_TYPE_SLAB || info->state == PAGE_TYPE_LARGE_KMALLOC;
}

/* Adds one page that slab_caches_want(); in rising order of pfns. */
void slab_caches_add(struct slab_caches *c, const struct page_info *info);

/* After the last page, where no more is asked for than slabs and their objects. */
void slab_caches_close(struct slab_caches *c);

/*
 * Behind that, for who tells it: asks for the last pages.  makedumpfile may have left out all slabs, or all but the first page
 * of each, as what it takes for data of users.
 */
void slab_caches_try(struct slab_caches *c);

/* Behind that, of one cache: which of its objects are free on a CPU or in a sheaf, if they can be read.  ST_STOPPED. */
enum status slab_caches_find_idle(struct slab_caches *c, const struct slab_cache *cache);

/*
 * All of these for every page of System RAM; *seen: those before an interrupt.  unreadable: pages without a struct page in this dump,
 * which may be slabs.  ST_STOPPED: the sums are of what was seen.
 */
enum status slab_caches_scan(struct slab_caches *c, const struct ram *ram, uint64_t *unreadable,
			     uint64_t *seen);

/* Objects in use; false: unknown. */
bool slab_use_objects(const struct slab_use *u, uint64_t *ret);

/* As many at most, with those that CPUs have on their free lists where these are unknown. */
uint64_t slab_use_most(const struct slab_use *u);

/* The cache of the slab that has an object. ST_ABSENT: it is in no slab. */
enum status slab_cache_of(struct slabs *s, struct page_types *types, uint64_t object,
			  const struct slab_cache **ret);

/* Name of the cache, "[large kmalloc]"; NULL: unknown. */
const char *slab_use_name(const struct slab_use *u);

/*
 * Names of caches that another cache serves, because the kernel merged them: the symbolic links in
 * /sys/kernel/slab. A cache that others were merged into has a link of its own name as well.
 */

struct slab_alias {
	struct slab_alias *next;
	const char *name;
	uint64_t cache;	    /* address of the struct kmem_cache that serves it */
	const char *server; /* its name; NULL: not in this dump */
};

/*
 * In the order of the kernel's tree; *ret is NULL where there are none. ST_ABSENT: this kernel has no
 * such directory; ST_OK, or with any other status what was found until then.
 */
enum status slab_aliases_read(struct dump *d, struct slab_alias **ret);

/*
 * "and 2 merged (sgpool-16, xflow_entry)": the caches that this one serves, if asked by name, where they are a few and
 * all names are in the dump; NULL: none.
 */
const char *slab_merged_text(struct dump *d, const struct slab_cache *c, bool by_name);
