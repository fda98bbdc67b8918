/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory cgroups, and counters of each with its descendants, as memory.stat has them after
 * a flush.
 *
 * A cgroup that was removed stays in the list of its parent's children until the last reference
 * to it is dropped (css_release_work_fn() in kernel/cgroup/cgroup.c).
 */
#pragma once

#include "cgroup/memcg_stats.h"

#define MEMCG_BATCH 32 /* MEMCG_CHARGE_BATCH of 5.10 */

struct memcg_counts {
	struct memcg_counts *next;   /* a parent comes before its children */
	struct memcg_counts *parent; /* NULL: the root */
	unsigned int depth;
	uint64_t address;  /* of struct mem_cgroup */
	uint64_t cgroup;   /* of struct cgroup; 0: not in this dump */
	const char *path;  /* "/web"; NULL: it cannot be read */
	bool removed;	   /* it has no files any more */
	bool has_children; /* the list of its children was read to its end */
	bool is_flat; /* v1, up to 5.10, without use_hierarchy: what descendants have is not its */
	bool doubted; /* a counter of it or of a descendant has what cannot be */
	/* By the index of the counter; where there is a no_stats of the tree, none is known. */
	uint64_t *counts;
	bool *known; /* everything that the count is made of is in this dump, and can be true */
};

struct memcg_tree {
	bool *counted; /* this kernel counts it for each memory cgroup; by index */
	struct memcg_counts *first;
	struct first_problem no_stats; /* why no counter is known */
	bool batched; /* CPUs hold back up to MEMCG_BATCH of each count, up to 5.12 */
	unsigned int cpus;
	bool complete;	   /* every cgroup was reached */
	const char *why;   /* it is not */
	uint64_t doubted;  /* cgroups with a counter of their own that cannot be true */
	const char *doubt; /* one of these counters */
};

/*
 * bytes: of RAM and swap, more than which no counter of memory can have; 0: unknown.  ST_ABSENT:
 * built without CONFIG_MEMCG, cgroup_disable=memory, or none was made yet.  ST_UNKNOWN: the tree has a layout that is
 * not known; where that is so of the counters alone, no_stats says so.
 */
enum status memcg_counts_read(struct dump *d, const struct memcg_counter *kinds, size_t n,
			      uint64_t bytes, struct memcg_tree *ret);

/* The counters of vm_events.h for each memory cgroup. */

/* Counters by the index of vm_event_kinds; statuses of memcg_counts_read() and memcg_stats_open(). */
enum status memcg_events_read(struct dump *d, struct memcg_tree *ret);
