/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The path of a cgroup, from struct cgroup or from what refers to one. */
#pragma once

#include "dump/structure.h"
#include "kernel/list.h"
#include "util/hash_u64.h"

struct cgroups {
	struct dump *dump;
	struct structure cgroup, node, css, set;
	struct field subsys;   /* of struct css_set */
	int64_t memory;	       /* index of the memory controller in css_set.subsys; -1: none */
	struct hash_u64 paths; /* of const char * by kernfs_node */
	struct hash_u64 sets;  /* of struct css_set_paths by css_set */
};

/* Of a task, through its css_set; each NULL: not built in, or not in this dump. */
struct css_set_paths {
	const char *cgroup; /* on the default hierarchy: "0::" of /proc/PID/cgroup */
	const char *memcg;  /* that its memory is charged to */
};

/* cgroup_disable=memory: the root alone exists, and nothing is charged to it. */
bool cgroups_memory_is_off(struct dump *d);

/* Whether the memory controller is on a hierarchy of cgroup v1: not on the default one. */
bool cgroups_memory_is_v1(struct dump *d);

/* In place.  ST_UNKNOWN: a layout that is not known, or built without CONFIG_CGROUPS. */
enum status cgroups_open(struct dump *d, struct cgroups *ret);

/* The same of a struct cgroup. */
const char *cgroups_path(struct cgroups *c, uint64_t cgroup);

/* ST_UNKNOWN: the cgroups of a css_set, those of a thread, cannot be known. */
enum status cgroups_check_sets(struct cgroups *c);

/* The cgroup_subsys_state of the memory controller that a css_set has; false: unknown. */
bool cgroups_memory_of_set(struct cgroups *c, uint64_t css_set, uint64_t *ret);

struct css_set_paths cgroups_of_set(struct cgroups *c, uint64_t css_set);

/* What of a cgroup_subsys_state, of a cgroup itself or of a controller, says that it was removed. */
struct css_state {
	uint64_t flags, refs;
	bool has_refs; /* refs are known */
};

#define READS_CSS_STATE(T, MEMBER, NEED, CSS)                              \
	READS(T, MEMBER.flags, NEED, "all", CSS ".flags"),                 \
		READS_IF(T, MEMBER.refs, MEMBER.has_refs, OPTIONAL, "all", \
			 CSS ".refcnt.percpu_count_ptr")

struct css_states {
	struct dump *dump;
	uint64_t online, dead; /* masks of the two; online 0: unknown */
};

/* ST_UNKNOWN: no CSS_ONLINE. */
enum status css_states_open(struct dump *d, struct css_states *ret);

/*
 * Its references are killed before, by kill_css(): one whose references live was not removed, and that its
 * flags say so is noted as a gap.
 */
bool css_is_removed(const struct css_states *s, const struct css_state *css, uint64_t address);

/* "/web" and "/web/inner" are in "/web", and all are in "/". */
bool cgroup_is_below(const char *path, const char *top);

/*
 * The cgroups of the default hierarchy, version 2: whether a controller is on for them or not.
 *
 *	for (cgroup_tree_begin(&t, d); cgroup_tree_next(&t, &cgroup);)
 *		...
 *	st = cgroup_tree_end(&t);
 */

#define CGROUP_DEPTH 64 /* as in cgroup.c */

struct cgroup_tree {
	struct dump *dump;
	struct structure cgroup;
	struct field first; /* of struct cgroup_root */
	struct css_states states;
	uint64_t root;
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
