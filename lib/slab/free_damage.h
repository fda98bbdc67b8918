/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list of free objects that was written over: the allocator faults where the next object would be. */
#pragma once

#include "slab/slub.h"

struct free_damage {
	const struct slab_cache *cache;
	unsigned int cpu; /* whose list it is */
	uint64_t next;	  /* what the list leads to, which is no object */
	bool has_slab;	  /* the slab of that list, which is known: */
	struct slab slab;
};

/*
 * The cache of which the list of a CPU (struct kmem_cache_cpu, to 6.19) leads to an object whose pointer to the next one
 * would be at an address; end: pages of the machine. ST_ABSENT: none does.
 */
enum status free_damage_find(struct slabs *s, uint64_t end, uint64_t address,
			     struct free_damage *ret);
