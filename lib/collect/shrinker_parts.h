/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What shrinkers.h has of each shrinker, found by memory cgroup: objects on lists, and what was left for later. */
#pragma once

#include "cgroup/memcg_counts.h"
#include "collect/shrinkers.h"
#include "kernel/list_lru.h"

/* A memory cgroup that lists are of. */
struct shrinker_memcg {
	uint64_t address;
	const char *path;
};

enum shrinker_info_field {
	NODEINFO,
	INFO,
	INFO_DEFERRED,
	INFO_UNITS,
	INFO_MAX,
	UNIT_DEFERRED,
	SHRINKER_INFO_FIELDS
};

struct shrinker_search {
	struct dump *dump;
	struct shrinkers *ret;
	struct symbolizer symbols;
	struct memcg_tree memcgs;
	struct hash_u64 by_index; /* of struct shrinker_memcg by kmemcg_id */
	struct hash_u64 by_id;	  /* of struct shrinker * */
	struct list_lrus lrus;
	bool has_lrus;
	uint64_t nodes; /* nr_node_ids */
	struct shrinker_memcg root, unknown;
	/* Where cgroups keep what was left for later: 5.13 and later. */
	struct field f[SHRINKER_INFO_FIELDS];
};

#define SHRINKER_NO_NODE (-1)

/* The part of a shrinker, made where there is none. */
struct shrinker_part *shrinker_part_get(struct shrinker_search *x, struct shrinker *s, int node,
					const struct shrinker_memcg *memcg);

/* Cgroups by the number that lists have: without any the root alone is known. */
void shrinker_memcgs_open(struct shrinker_search *x);

/* Objects by what counts them: fills the members of s that are about objects. */
enum status shrinker_objects_read(struct shrinker_search *x, struct shrinker *s);

/* What memory cgroups have of all shrinkers. */
enum status shrinker_deferred_read(struct shrinker_search *x);
