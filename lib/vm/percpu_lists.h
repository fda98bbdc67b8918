/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of chunks of the per-CPU allocator, by what each has free (mm/percpu.c). */
#pragma once

#include "dump/dump.h"

/* What to add to an address of a chunk's first unit to have the per-CPU address. */
enum status percpu_distance(struct dump *d, uint64_t *ret);

/* Where the heads of the lists are, one behind the other, in memory of boot. */
enum status percpu_lists_find(struct dump *d, uint64_t *ret);

/*
 * Calls visit with the address of each struct pcpu_chunk.  link: pcpu_chunk.list.  What is missing or
 * corrupt costs only itself where it can: ST_UNREADABLE or ST_CORRUPT, of visit as well, then comes after
 * all others were visited.
 */
enum status percpu_lists_walk(struct dump *d, const struct field *link,
			      enum status (*visit)(void *arg, uint64_t chunk), void *arg);
