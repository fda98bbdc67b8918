// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the cgroup of a task has used up its cpu.max: of its own cgroup, or of one above it. */
#include "cgroup/cfs_throttle.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define TASK AT(0)
#define QUEUE AT(1)
#define GROUP(i) AT(2 + (i))
#define NO_LIMIT UINT64_MAX

static uint64_t task[1];
static struct {
	uint32_t throttled, unused;
	uint64_t group;
} queue;
static struct {
	uint64_t parent, quota, period, cgroup, time;
	uint32_t periods, throttled;
	uint64_t queues[2], list[2];
} groups[2];
static uint64_t head[2];
#define HEAD AT(5)

static const struct stub_memory memory[] = { { TASK, task, sizeof(task) },
					     { QUEUE, &queue, sizeof(queue) },
					     { GROUP(0), &groups[0], sizeof(groups[0]) },
					     { GROUP(1), &groups[1], sizeof(groups[1]) },
					     { HEAD, head, sizeof(head) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "task_groups", HEAD, FIELD(0, 16) }, { 0 } };
static const struct stub_member members[] = {
	{ "struct task_struct", "se.cfs_rq", KINDED(KIND_POINTER, 0, 8) },
	{ "struct cfs_rq", "throttle_count", FIELD(0, 4) },
	{ "struct cfs_rq", "tg", KINDED(KIND_POINTER, 8, 8) },
	{ "struct task_group", "parent", KINDED(KIND_POINTER, 0, 8) },
	{ "struct task_group", "cfs_bandwidth.quota", FIELD(8, 8) },
	{ "struct task_group", "cfs_bandwidth.period", FIELD(16, 8) },
	{ "struct task_group", "css.cgroup", KINDED(KIND_POINTER, 24, 8) },
	{ "struct task_group", "cfs_bandwidth.throttled_time", FIELD(32, 8) },
	{ "struct task_group", "cfs_bandwidth.nr_periods", FIELD(40, 4) },
	{ "struct task_group", "cfs_bandwidth.nr_throttled", FIELD(44, 4) },
	{ "struct task_group", "cfs_bandwidth.throttled_cfs_rq", FIELD(48, 16) },
	{ "struct task_group", "list", FIELD(64, 16) },
	{ 0 },
};

static void fill(void)
{
	task[0] = QUEUE;
	queue.throttled = 1;
	queue.group = GROUP(0);
	groups[0].parent = GROUP(1);
	groups[0].quota = NO_LIMIT;
	groups[0].period = 100000000;
	groups[1].parent = 0;
	groups[1].quota = 1000000;
	groups[1].period = 1000000000;
}

static enum status read_limit(struct cfs_limit *ret)
{
	STUB(s, .memory = memory, .members = members);
	struct cfs_throttle x;

	*ret = (struct cfs_limit){ 0 };
	return cfs_throttle_open(&s.dump, &x) ?: cfs_throttle_read(&x, TASK, ret);
}

static void of_one_above(void)
{
	struct cfs_limit l;

	fill();
	CHECK(read_limit(&l) == ST_OK && l.is_throttled && l.quota_ns == 1000000 &&
	      l.period_ns == 1000000000);
	groups[0].quota = 5000000;
	CHECK(read_limit(&l) == ST_OK && l.quota_ns == 5000000 && l.period_ns == 100000000);
	queue.throttled = 0;
	CHECK(read_limit(&l) == ST_OK && !l.is_throttled && !l.quota_ns);
}

static void what_is_damaged(void)
{
	struct cfs_limit l;

	fill();
	groups[1].parent = GROUP(0); /* a circle in which none has a limit */
	groups[1].quota = NO_LIMIT;
	CHECK(read_limit(&l) == ST_OK && l.is_throttled && !l.quota_ns);
	fill();
	groups[0].parent = AT(9);
	CHECK(read_limit(&l) == ST_UNREADABLE && !l.is_throttled);
	fill();
	task[0] = 0;
	CHECK(read_limit(&l) == ST_ABSENT);
}

#define QUEUES(i) (GROUP(i) + 48)
#define LINK(i) (GROUP(i) + 64)

struct limits {
	struct cfs_limit all[3];
	unsigned int n;
};

static void keep(void *arg, const struct cfs_limit *limit)
{
	struct limits *l = arg;

	if (l->n < ARRAY_SIZE(l->all))
		l->all[l->n++] = *limit;
}

static enum status read_limits(struct limits *ret, const struct stub_member *asked)
{
	STUB(s, .memory = memory, .members = asked, .symbols = symbols);
	struct cfs_throttle x;

	*ret = (struct limits){ 0 };
	return cfs_throttle_open(&s.dump, &x) ?: cfs_limits_each(&x, keep, ret);
}

static void of_each_cgroup(void)
{
	struct limits l;

	fill();
	head[0] = LINK(0);
	head[1] = LINK(1);
	for (unsigned int i = 0; i < 2; i++) {
		groups[i].list[0] = i ? HEAD : LINK(1);
		groups[i].list[1] = i ? LINK(0) : HEAD;
		groups[i].queues[0] = groups[i].queues[1] = QUEUES(i);
		groups[i].cgroup = AT(20 + i);
	}
	groups[1].periods = 33;
	groups[1].throttled = 32;
	groups[1].time = 5000;
	/* The first has no limit. */
	CHECK(read_limits(&l, members) == ST_OK && l.n == 1);
	CHECK(!l.all[0].is_throttled && l.all[0].has_counts && l.all[0].periods == 33 &&
	      l.all[0].throttled == 32 && l.all[0].throttled_ns == 5000 &&
	      l.all[0].cgroup == AT(21) && l.all[0].quota_ns == 1000000);
	groups[1].queues[0] = AT(30);
	CHECK(read_limits(&l, members) == ST_OK && l.all[0].is_throttled);
	/* More often than there were periods no limit is used up. */
	groups[1].throttled = 34;
	CHECK(read_limits(&l, members) == ST_OK && !l.all[0].has_counts);
	groups[0].quota = 5;
	groups[1].list[0] = AT(9);
	CHECK(read_limits(&l, members) == ST_UNREADABLE && l.n == 2);
}

TESTS({ "each cgroup that has a limit", of_each_cgroup },
      { "of a cgroup above its own", of_one_above }, { "what is damaged", what_is_damaged })
