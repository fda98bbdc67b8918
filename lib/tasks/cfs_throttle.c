// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/cfs_throttle.h"

#define MAX_DEPTH 256			  /* of cgroups below each other */
#define MOST_NS (1000ULL * 1000000000ULL) /* a period is a second at most */

struct queued {
	uint64_t queue; /* struct cfs_rq */
	uint32_t throttled;
	uint64_t group, parent; /* struct task_group */
	uint64_t quota, period;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct cfs_throttle, task, "struct task_struct"),
	POINTS(struct queued, queue, REQUIRED, "CONFIG_FAIR_GROUP_SCHED", "se.cfs_rq"),
	STRUCTURE(struct cfs_throttle, queue, "struct cfs_rq"),
	READS(struct queued, throttled, REQUIRED, "CONFIG_CFS_BANDWIDTH", "throttle_count"),
	POINTS(struct queued, group, REQUIRED, "CONFIG_FAIR_GROUP_SCHED", "tg"),
	STRUCTURE(struct cfs_throttle, group, "struct task_group"),
	POINTS(struct queued, parent, REQUIRED, "all", "parent"),
	READS(struct queued, quota, REQUIRED, "CONFIG_CFS_BANDWIDTH", "cfs_bandwidth.quota"),
	READS(struct queued, period, REQUIRED, "CONFIG_CFS_BANDWIDTH", "cfs_bandwidth.period"),
};

enum status cfs_throttle_open(struct dump *d, struct cfs_throttle *ret)
{
	*ret = (struct cfs_throttle){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret);
}

enum status cfs_throttle_read(const struct cfs_throttle *x, uint64_t task, struct cfs_limit *ret)
{
	struct queued q = { 0 };
	struct cfs_limit found = { 0 };
	enum status st = struct_read(&x->task, task, &q);

	/* Of another class of the scheduler it is in none of these queues. */
	if (st == ST_OK && !q.queue)
		return dump_absent(x->dump, "task %#lx has no cfs_rq", task);
	st = st ?: struct_read(&x->queue, q.queue, &q);
	found.is_throttled = st == ST_OK && q.throttled;
	for (unsigned int i = 0; st == ST_OK && found.is_throttled && q.group && i < MAX_DEPTH;
	     i++) {
		st = struct_read(&x->group, q.group, &q);
		/* RUNTIME_INF: it has no limit. */
		if (st == ST_OK && q.quota && q.quota <= MOST_NS && q.period &&
		    q.period <= MOST_NS) {
			found.quota_ns = q.quota;
			found.period_ns = q.period;
			break;
		}
		q.group = q.parent;
	}
	return RESULT(st, ret, found);
}
