/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KFENCE (mm/kfence/core.c, 5.12 and later): a sample of slab objects has a page each, in a pool of
 * its own with guard pages between them, and a record of who allocated and who freed it.
 *
 * The pool is memory of boot: SLUB counts none of it, though its object pages are marked as slabs
 * and name a cache.  Pages 2, 4, ... of the pool have an object each; all others are guards.
 */
#pragma once

#include "dump/structure.h"

#define KFENCE_FRAMES 64

enum kfence_state { KFENCE_UNUSED, KFENCE_IN_USE, KFENCE_FREEING, KFENCE_FREED, KFENCE_STATES };

struct kfence {
	struct dump *dump;
	uint64_t pool, pfn; /* its first page */
	uint64_t pages;	    /* of it, guards included */
	uint32_t objects;
	uint64_t metadata, stride; /* of object 0, bytes to the next */
	struct structure object, track;
	int64_t states[KFENCE_STATES]; /* of this kernel; -1: it has no such state */
};

struct kfence_track {
	int32_t pid;
	bool has_time, has_cpu; /* 5.15 and later */
	uint32_t cpu;
	uint64_t ts_ns;
	uint32_t n;
	uint64_t frames[KFENCE_FRAMES];
};

struct kfence_object {
	enum kfence_state state;
	int64_t value;		/* of the kernel for it */
	uint64_t address, size; /* of the object, as it was asked for */
	uint64_t cache;		/* struct kmem_cache; 0: never used, or the cache was destroyed */
	uint64_t allocated_at, freed_at; /* addresses of the tracks */
	struct kfence_track allocated;
	struct kfence_track freed; /* KFENCE_FREEING and KFENCE_FREED */
};

/* ST_ABSENT: not built in, or off. */
enum status kfence_open(struct dump *d, struct kfence *ret);

/* Object i.  ST_CORRUPT: its record is not of its page. */
enum status kfence_object_at(struct kfence *k, uint32_t i, struct kfence_object *ret);

/*
 * The object whose page has a pfn, or whose guard page behind it; *guard says which.  ST_ABSENT: the
 * pfn is not of the pool, or of the two guard pages before the first object.
 */
enum status kfence_index(const struct kfence *k, uint64_t pfn, uint32_t *ret, bool *guard);

static inline bool kfence_has(const struct kfence *k, uint64_t pfn)
{
	return pfn - k->pfn < k->pages;
}
