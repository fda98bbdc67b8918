/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What cpu.max of cgroups (cpu.cfs_quota_us of version 1) keeps from running (kernel/sched/fair.c, CONFIG_CFS_BANDWIDTH,
 * 3.2): whether a task may not, by throttle_count of its cfs_rq, which counts those above it too, and what struct
 * cfs_bandwidth of each struct task_group has counted.
 */
#pragma once

#include "cgroup/cgroup.h"

struct cfs_throttle {
	struct dump *dump;
	struct structure task, queue, group;
	struct field link;
};

/* Of one cgroup; of a task that of the nearest that has one, and quota_ns 0: none is known. */
struct cfs_limit {
	bool is_throttled; /* the task; of a cgroup, some of its queues at the end */
	uint64_t cgroup;   /* struct cgroup; 0: that of a session, or unknown */
	uint64_t quota_ns, period_ns;
	/* As cpu.stat has them: nr_periods, nr_throttled, throttled_usec, which sums what has ended, over all CPUs. */
	bool has_counts;
	uint32_t periods, throttled;
	uint64_t throttled_ns;
};

/* ST_UNKNOWN: built without. */
enum status cfs_throttle_open(struct dump *d, struct cfs_throttle *ret);
enum status cfs_throttle_read(const struct cfs_throttle *x, uint64_t task, struct cfs_limit *ret);

/* fn gets each cgroup that has a limit. As list_end(): what was found was given all the same. */
enum status cfs_limits_each(const struct cfs_throttle *x,
			    void (*fn)(void *arg, const struct cfs_limit *limit), void *arg);
