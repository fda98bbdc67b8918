/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Since when a cgroup has been there at least.  No structure has the time at which it was made; but its directory has
 * times of its own from the first owner, mode or extended attribute on that it was given (struct kernfs_iattrs), as
 * systemd and container managers give it when they make it.  What is made or removed in it changes ia_mtime and
 * ia_ctime, and nothing ia_atime but who sets it.
 */
#pragma once

#include "dump/dump.h"

struct cgroup_ages {
	struct dump *dump;
	struct field cgroup, node, attributes,
		time; /* from a mem_cgroup on, each of what the last leads to */
	bool is_known;
};

void cgroup_ages_open(struct dump *d, struct cgroup_ages *ret);

/* Seconds since 1970, of a struct mem_cgroup.  ST_ABSENT: its directory was given nothing. */
enum status cgroup_age_read(const struct cgroup_ages *a, uint64_t memcg, uint64_t *ret);
