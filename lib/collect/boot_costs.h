/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory it takes to record, from the next boot on, who allocates: by the sizes that this kernel's
 * types have, on the pages and objects that it had. What cannot be told is unknown.
 */
#pragma once

#include "pages/memmap.h"
#include "util/maybe.h"

/* Bytes of page_owner=on: a struct page_owner for each page; call stacks come on top. */
struct maybe_u64 page_owner_cost(struct dump *d, struct memmap *m, const struct ram *ram);

/*
 * Bytes of sysctl.vm.mem_profiling=1: a reference for each page and each object of slab caches. The counters of
 * call sites are there without it.
 */
struct maybe_u64 profiling_cost(struct dump *d, struct memmap *m, const struct ram *ram,
				uint64_t objects);

/*
 * Bytes of slub_debug=U at least: two struct track behind each object, which is aligned as before: of kmalloc's sizes that
 * are powers of two it takes twice as much (5.4, "mm, sl[aou]b: guarantee natural alignment for kmalloc(power-of-two)").
 * cache: a struct kmem_cache whose objects are size bytes apart; 0: of many caches. Unknown: this kernel has no tracks.
 */
struct maybe_u64 tracks_cost(struct dump *d, uint64_t objects, uint64_t cache, uint32_t size);
