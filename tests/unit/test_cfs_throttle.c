// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the cgroup of a task has used up its cpu.max: of its own cgroup, or of one above it. */
#include "tasks/cfs_throttle.h"
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
	uint64_t parent, quota, period;
} groups[2];

static const struct stub_memory memory[] = { { TASK, task, sizeof(task) },
					     { QUEUE, &queue, sizeof(queue) },
					     { GROUP(0), &groups[0], sizeof(groups[0]) },
					     { GROUP(1), &groups[1], sizeof(groups[1]) },
					     { 0 } };
static const struct stub_member members[] = {
	{ "struct task_struct", "se.cfs_rq", KINDED(KIND_POINTER, 0, 8) },
	{ "struct cfs_rq", "throttle_count", FIELD(0, 4) },
	{ "struct cfs_rq", "tg", KINDED(KIND_POINTER, 8, 8) },
	{ "struct task_group", "parent", KINDED(KIND_POINTER, 0, 8) },
	{ "struct task_group", "cfs_bandwidth.quota", FIELD(8, 8) },
	{ "struct task_group", "cfs_bandwidth.period", FIELD(16, 8) },
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

TESTS({ "of a cgroup above its own", of_one_above }, { "what is damaged", what_is_damaged })
