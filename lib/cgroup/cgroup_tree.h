/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cgroups of the default hierarchy, version 2: whether a controller is on for them or not.
 *
 *	for (cgroup_tree_begin(&t, d); cgroup_tree_next(&t, &cgroup);)
 *		...
 *	st = cgroup_tree_end(&t);
 */
#pragma once

#include "dump/structure.h"
#include "kernel/list.h"
#include "util/hash_u64.h"

#define CGROUP_DEPTH 64 /* as in cgroup.c */

struct cgroup_tree {
	struct dump *dump;
	struct structure cgroup;
	struct field first; /* of struct cgroup_root */
	uint64_t online, root;
	bool is_removed; /* the one that was given last: it has no files any more */
	struct hash_u64 seen;
	unsigned int depth;
	struct list_nodes children[CGROUP_DEPTH];
	struct first_problem problem; /* of a cgroup that was left out, with all below it */
};

void cgroup_tree_begin(struct cgroup_tree *t, struct dump *d);

/* The address of the next struct cgroup, a parent before its children; false: there is none. */
bool cgroup_tree_next(struct cgroup_tree *t, uint64_t *cgroup);

/* ST_OK: all were given; else what was left out first; ST_STOPPED. */
enum status cgroup_tree_end(const struct cgroup_tree *t);
