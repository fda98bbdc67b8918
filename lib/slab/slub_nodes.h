/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a slab cache keeps for each NUMA node: struct kmem_cache_node with the kernel's own counters
 * and the list of partial slabs, and since 6.18 a struct node_barn of sheaves (mm/slub.c).
 */
#pragma once

#include "slab/slub.h"

struct cache_node {
	unsigned int node;
	uint64_t address; /* of struct kmem_cache_node; 0: the cache has none for this node */
	uint64_t barn;	  /* of struct node_barn, or 0 */
	/* Of SLAB: of a struct array_cache, of pointers to struct alien_cache by node; or 0. */
	uint64_t shared, alien;
};

/* Calls visit for each node until it returns anything but ST_OK, which is then returned. */
enum status cache_nodes_walk(struct slabs *s, const struct slab_cache *c,
			     enum status (*visit)(void *arg, const struct cache_node *node),
			     void *arg);

/* How many nodes a cache may have: the kernel's, or 1 without CONFIG_NUMA. */
enum status cache_nodes_count(struct slabs *s, uint64_t *ret);

/* What the kernel counted of a cache, as /proc/slabinfo shows it. */
struct cache_counts {
	bool has_slabs;	       /* CONFIG_SLUB_DEBUG or SLAB, and the cache has a node */
	uint64_t slabs;	       /* nr_slabs */
	uint64_t objects;      /* total_objects, free ones too */
	bool has_partial;      /* false: a list is not as its counter says, or not in this dump */
	uint64_t partial;      /* slabs on lists of nodes; 0 in SLAB, which counts objects */
	uint64_t partial_free; /* free objects in these; exact where slabinfo estimates (6.10) */
};

#define ALL_NODES UINT32_MAX

/* Of one node, or of all.  ST_UNREADABLE: a kmem_cache_node is not in this dump. */
enum status cache_counts_read(struct slabs *s, const struct slab_cache *c, unsigned int node,
			      struct cache_counts *ret);
