/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cgroups whose tasks stand still, by cgroup.freeze of version 2 (76f969e8948d "cgroup: cgroup v2 freezer", 5.2). */
#pragma once

#include "dump/dump.h"
#include "util/hash_u64.h"

struct frozen_cgroups {
	uint64_t cgroups, threads; /* those with frozen threads of their own; these */
	const char *most; /* path of the one with most of them; NULL: unknown, or none is frozen */
	uint64_t of_most;
	struct hash_u64 all; /* addresses of those that are frozen, threads of their own or not */
};

/* ST_ABSENT: this kernel freezes none; else as cgroup_tree_end(): what was found stands in ret all the same. */
enum status frozen_cgroups_find(struct dump *d, struct frozen_cgroups *ret);
