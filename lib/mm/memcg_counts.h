/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory cgroups, and counters of each with its descendants, as memory.stat has them after
 * a flush.
 *
 * A cgroup that was removed stays in the list of its parent's children until the last reference
 * to it is dropped (css_release_work_fn() in kernel/cgroup/cgroup.c).
 */
#ifndef MEMOWNER_MM_MEMCG_COUNTS_H
#define MEMOWNER_MM_MEMCG_COUNTS_H

#include "mm/vm_events.h"

#define MEMCG_BATCH 32	  /* MEMCG_CHARGE_BATCH of 5.10 */
#define MEMCG_COUNTERS 64 /* of one walk */

/* A counter, by its enumerator in enum node_stat_item, memcg_stat_item or vm_event_item. */
struct memcg_counter {
	const char *enumerator;
	enum of_memcg of_memcg;
};

struct memcg_counts {
	struct memcg_counts *next;   /* a parent comes before its children */
	struct memcg_counts *parent; /* NULL: the root */
	unsigned int depth;
	uint64_t address;  /* of struct mem_cgroup */
	uint64_t cgroup;   /* of struct cgroup; 0: not in this dump */
	const char *path;  /* "/web"; NULL: it cannot be read */
	bool removed;	   /* it has no files any more */
	bool has_children; /* the list of its children was read to its end */
	/* By the index of the counter. */
	uint64_t *counts;
	bool *known; /* everything that the count is made of is in this dump */
};

struct memcg_tree {
	bool *counted; /* this kernel counts it for each memory cgroup; by index */
	struct memcg_counts *first;
	bool batched;	 /* CPUs hold back up to MEMCG_BATCH of each count, up to 5.12 */
	bool complete;	 /* every cgroup was reached */
	const char *why; /* it is not */
};

/*
 * n: at most MEMCG_COUNTERS.  ST_ABSENT: built without CONFIG_MEMCG.  ST_UNKNOWN: a layout that
 * is not known.
 */
enum status memcg_counts_read(struct dump *d, const struct memcg_counter *kinds, size_t n,
			      struct memcg_tree *ret);

#endif
