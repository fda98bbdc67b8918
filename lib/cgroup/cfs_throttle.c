// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/cfs_throttle.h"

#define MAX_DEPTH 256			  /* of cgroups below each other */
#define MOST_NS (1000ULL * 1000000000ULL) /* a period is a second at most */

struct queued {
	uint64_t queue; /* struct cfs_rq */
	uint32_t throttled;
	uint64_t group; /* struct task_group */
};

struct group {
	uint64_t parent, cgroup;
	uint64_t quota, period, time;
	uint32_t periods, throttled;
	uint64_t first, queues; /* the first of its cfs_rq that are throttled; the list of them */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct cfs_throttle, task, "struct task_struct"),
	POINTS(struct queued, queue, REQUIRED, "CONFIG_FAIR_GROUP_SCHED", "se.cfs_rq"),
	STRUCTURE(struct cfs_throttle, queue, "struct cfs_rq"),
	READS(struct queued, throttled, REQUIRED, "CONFIG_CFS_BANDWIDTH", "throttle_count"),
	POINTS(struct queued, group, REQUIRED, "CONFIG_FAIR_GROUP_SCHED", "tg"),
	STRUCTURE(struct cfs_throttle, group, "struct task_group"),
	POINTS(struct group, parent, REQUIRED, "all", "parent"),
	POINTS(struct group, cgroup, OPTIONAL, "all", "css.cgroup"),
	READS(struct group, quota, REQUIRED, "CONFIG_CFS_BANDWIDTH", "cfs_bandwidth.quota"),
	READS(struct group, period, REQUIRED, "CONFIG_CFS_BANDWIDTH", "cfs_bandwidth.period"),
	READS(struct group, periods, OPTIONAL, "CONFIG_CFS_BANDWIDTH", "cfs_bandwidth.nr_periods"),
	READS(struct group, throttled, OPTIONAL, "CONFIG_CFS_BANDWIDTH",
	      "cfs_bandwidth.nr_throttled"),
	READS(struct group, time, OPTIONAL, "CONFIG_CFS_BANDWIDTH", "cfs_bandwidth.throttled_time"),
	LINKS(struct group, first, OPTIONAL, "CONFIG_CFS_BANDWIDTH",
	      "cfs_bandwidth.throttled_cfs_rq"),
	PLACES(struct group, queues, OPTIONAL, "CONFIG_CFS_BANDWIDTH",
	       "cfs_bandwidth.throttled_cfs_rq"),
	FINDS(struct cfs_throttle, link, "struct task_group", OPTIONAL, "all", "list"),
};

enum status cfs_throttle_open(struct dump *d, struct cfs_throttle *ret)
{
	*ret = (struct cfs_throttle){ .dump = d };
	return STRUCTS_OPEN(d, rows, ret);
}

static bool counts(const struct cfs_throttle *x)
{
	return STRUCT_HAS(&x->group, struct group, periods) &&
	       STRUCT_HAS(&x->group, struct group, throttled) &&
	       STRUCT_HAS(&x->group, struct group, time);
}

/* RUNTIME_INF: it has no limit. */
static bool has_limit(const struct group *g)
{
	return g->quota && g->quota <= MOST_NS && g->period && g->period <= MOST_NS;
}

static void take(const struct cfs_throttle *x, const struct group *g, struct cfs_limit *to)
{
	to->cgroup = g->cgroup;
	to->quota_ns = g->quota;
	to->period_ns = g->period;
	to->has_counts = counts(x) && g->throttled <= g->periods;
	to->periods = g->periods;
	to->throttled = g->throttled;
	to->throttled_ns = g->time;
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
		struct group g = { 0 };

		st = struct_read(&x->group, q.group, &g);
		if (st == ST_OK && has_limit(&g)) {
			take(x, &g, &found);
			break;
		}
		q.group = g.parent;
	}
	return RESULT(st, ret, found);
}

enum status cfs_limits_each(const struct cfs_throttle *x,
			    void (*fn)(void *arg, const struct cfs_limit *limit), void *arg)
{
	struct dump *d = x->dump;
	struct list_nodes l;
	struct first_problem problem = { 0 };
	uint64_t head, node;
	enum status st = x->link.present ? dump_ask(d, symbol, "task_groups", &head) : ST_ABSENT;

	if (st != ST_OK)
		return dump_absent(d, "this kernel has no list of task_group");
	l = list_of(d, head, "task_groups");
	while (list_next(&l, &node)) {
		struct cfs_limit limit = { 0 };
		struct group g = { 0 };

		st = first_problem_keep(d, &problem,
					struct_read(&x->group, node - x->link.offset, &g));
		if (st != ST_OK || !has_limit(&g))
			continue;
		take(x, &g, &limit);
		limit.is_throttled = g.queues && g.first != g.queues;
		fn(arg, &limit);
	}
	return list_end(&l) ?: first_problem_end(d, &problem);
}
