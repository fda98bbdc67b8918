/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a task that could run may not, as its cgroup has used up its cpu.max: throttle_count of its cfs_rq, which
 * counts those above it too (kernel/sched/fair.c, CONFIG_CFS_BANDWIDTH, 3.2).
 */
#pragma once

#include "dump/structure.h"

struct cfs_throttle {
	struct dump *dump;
	struct structure task, queue, group;
};

/* Of the nearest cgroup that has one; quota_ns 0: none is known. */
struct cfs_limit {
	bool is_throttled;
	uint64_t quota_ns, period_ns;
};

/* ST_UNKNOWN: built without. */
enum status cfs_throttle_open(struct dump *d, struct cfs_throttle *ret);
enum status cfs_throttle_read(const struct cfs_throttle *x, uint64_t task, struct cfs_limit *ret);
