// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/frozen_cgroups.h"

#include "cgroup/cgroup.h"

#define MOST_THREADS (1 << 22) /* PID_MAX_LIMIT */

struct freezer {
	uint64_t is_frozen; /* it, or one above it */
	uint64_t threads;
};

struct walk {
	struct structure cgroup;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, cgroup, "struct cgroup"),
	READS(struct freezer, is_frozen, OPTIONAL, "5.2", "freezer.e_freeze"),
	READS_TO(struct freezer, threads, MOST_THREADS, OPTIONAL, "5.2", "freezer.nr_frozen_tasks"),
};

enum status frozen_cgroups_find(struct dump *d, struct frozen_cgroups *ret)
{
	struct walk w = { 0 };
	struct cgroup_tree t;
	struct cgroups paths;
	uint64_t at;
	enum status st = STRUCTS_OPEN(d, rows, &w) ?: cgroups_open(d, &paths);

	*ret = (struct frozen_cgroups){ 0 };
	hash_u64_init(&ret->all, d->arena, 0);
	if (st != ST_OK)
		return st;
	if (!STRUCT_HAS(&w.cgroup, struct freezer, threads))
		return dump_absent(d, "this kernel has no freezer of cgroup v2");
	for (cgroup_tree_begin(&t, d); cgroup_tree_next(&t, &at);) {
		struct freezer f = { 0 };
		enum status one = struct_read(&w.cgroup, at, &f);

		st = st ?: one;
		if (one == ST_OK && f.is_frozen)
			hash_u64_get(&ret->all, at, NULL);
		/* A thread that is being moved counts for a moment where it comes to. */
		if (one != ST_OK || !f.threads || !f.is_frozen)
			continue;
		ret->cgroups++;
		ret->threads += f.threads;
		if (f.threads <= ret->of_most)
			continue;
		ret->of_most = f.threads;
		ret->most = cgroups_path(&paths, at);
	}
	return cgroup_tree_end(&t) ?: st;
}
