/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks that generic KASAN keeps beside each slab object (mm/kasan/generic.c): of its allocation and
 * of work that was deferred with it, in struct kasan_alloc_meta; of its free, in struct
 * kasan_free_meta, while the object is in the quarantine.  The shadow says which of them are valid.
 */
#pragma once

#include "slab/slub.h"

#define KASAN_AUX 2

struct kasan {
	struct dump *dump;
	struct field alloc_offset, free_offset;
	struct structure alloc_meta, free_meta;
	uint64_t alloc_bytes, free_bytes; /* of the two structures */
	struct hash_u64 caches;		  /* offsets of the metadata, by address of the cache */
};

enum kasan_state {
	KASAN_IN_USE,
	KASAN_QUARANTINED, /* freed, with its metadata, and not yet on a list of SLUB */
	KASAN_FREED,
	KASAN_POISONED, /* neither: an object that was never allocated */
};

struct kasan_object {
	enum kasan_state state;
	/* Handles of the stack depot; 0: none. freed is valid while quarantined. */
	uint32_t allocated, aux[KASAN_AUX], freed;
};

/*
 * ST_ABSENT: not built in.  ST_UNKNOWN: KASAN with tags, an architecture or a layout that is not
 * known; ST_UNREADABLE: the shadow is not in this dump.  Sets dump->translate.
 */
enum status kasan_open(struct dump *d, struct kasan *ret);

/* Object i of a slab; ST_ABSENT: its cache has no metadata; ST_UNREADABLE; ST_CORRUPT. */
enum status kasan_object_at(struct kasan *k, const struct slab *slab, uint32_t i,
			    struct kasan_object *ret);
