/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many objects are on a list_lru (mm/list_lru.c): a list for each node and memory cgroup, which
 * shrinkers take objects from.
 */
#pragma once

#include "dump/structure.h"

#define LIST_LRU_ROOT (-1) /* the list of the root, and of what no cgroup is charged for */

enum list_lru_form {
	LIST_LRU_BY_INDEX, /* an array of pointers by cgroup for each node; without cgroups none */
	LIST_LRU_BY_CGROUP /* an array by node for each cgroup, in an XArray */
};

struct list_lrus {
	struct dump *dump;
	struct structure lru, node, one;
	struct field by_index, by_node; /* of struct list_lru_memcg */
	uint64_t node_bytes, one_bytes, nodes, indexes;
	enum list_lru_form form;
};

/* In place. */
enum status list_lrus_open(struct dump *d, struct list_lrus *ret);

/*
 * Calls visit for each list with objects.  memcg: the kmemcg_id of the cgroup, LIST_LRU_ROOT.  A status of
 * visit but ST_OK ends the walk.  ST_CORRUPT, ST_UNREADABLE: lists may be missing.
 */
enum status list_lru_walk(struct list_lrus *l, uint64_t lru,
			  enum status (*visit)(void *arg, unsigned int node, int64_t memcg,
					       uint64_t objects),
			  void *arg);
