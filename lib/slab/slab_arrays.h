/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free objects of SLAB (mm/slab.c, to 6.7): a slab has an array of all indexes, those behind the first
 * slab.active are of free objects. What a CPU freed is still in use to the slab: it is in an array of the CPU, of
 * the node, or, of another node, in one that waits for that.
 */
#pragma once

#include "slab/slub.h"

/* Sets a bit for each free object of the slab. ST_CORRUPT: an index is impossible, or there twice. */
enum status slab_indexes_read(struct slabs *s, const struct slab *slab, uint64_t *bits);

/* Adds what the arrays of a cache hold to s->sheaves, by the address that slab_object() has. */
enum status slab_arrays_read(struct slabs *s, const struct slab_cache *c);
