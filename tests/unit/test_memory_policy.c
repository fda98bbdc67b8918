// SPDX-License-Identifier: GPL-2.0-or-later
/* The nodes to which the memory policy of a task binds it. */
#include "oom/memory_policy.h"
#include "task_stub.h"
#include "test.h"

#define INIT 0xffff888000100000ULL
#define TASK 0xffff888000200000ULL
#define SIGNAL(i) (0xffff888000300000ULL + 0x1000 * (uint64_t)(i))
#define POLICY 0xffff888000400000ULL

static struct ptask {
	struct utask task;
	uint64_t policy;
} tasks[2];
static struct usignal signals[2];
static struct {
	uint32_t refs;
	uint16_t mode, flags;
	uint64_t nodes[16];
} policy;

static const struct stub_memory memory[] = { { INIT, &tasks[0], sizeof(tasks[0]) },
					     { TASK, &tasks[1], sizeof(tasks[1]) },
					     { SIGNAL(0), &signals[0], sizeof(signals[0]) },
					     { SIGNAL(1), &signals[1], sizeof(signals[1]) },
					     { POLICY, &policy, sizeof(policy) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", INIT, FIELD(0, 0) }, { 0 } };
static const struct stub_number sizes[] = { { "struct mm_struct", 64 }, { 0 } };

static enum status status; /* of what was told last */

static const char *told(const char *of_task, const char *nodes, uint32_t size, int32_t pid)
{
	static char text[64];
	const struct stub_member members[] = {
		TASK_MEMBERS,
		{ "struct task_struct", of_task, FIELD(sizeof(struct utask), 8) },
		{ "struct mempolicy", "mode", FIELD(4, 2) },
		{ "struct mempolicy", nodes, FIELD(8, size) },
		{ 0 },
	};
	static const struct stub_number enumerators[] = { TASK_COUNTERS,
							  { "MPOL_BIND", 2 },
							  { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = enumerators);

	for (unsigned int i = 0; i < 2; i++) {
		const uint64_t at = i ? TASK : INIT, other = i ? INIT : TASK;

		tasks[i].task = (struct utask){ .pid = 100 * (int32_t)i, .tgid = 100 * (int32_t)i };
		tasks[i].task.signal = SIGNAL(i);
		tasks[i].task.tasks = (struct link){ other, other };
		tasks[i].task.node = (struct link){ SIGNAL(i), SIGNAL(i) };
		signals[i].head = (struct link){ at + 16, at + 16 };
	}
	snprintf(text, sizeof(text), "-");
	status = memory_policy_read(&s.dump, pid, text, sizeof(text));
	return text;
}

static void binds(void)
{
	policy.mode = 2;
	policy.nodes[0] = 2;
	tasks[1].policy = POLICY;
	CHECK_TEXT(told("mempolicy", "nodes", 128, 100), "1");
	CHECK(status == ST_OK);
	CHECK_TEXT(told("mempolicy", "v.nodes", 8, 100), "1");
	policy.nodes[0] = 13;
	CHECK_TEXT(told("mempolicy", "nodes", 8, 100), "0,2-3");
}

static void binds_to_none(void)
{
	/* Another mode, and none at all. */
	policy.mode = 1;
	CHECK_TEXT(told("mempolicy", "nodes", 8, 100), "");
	CHECK(status == ST_OK);
	tasks[1].policy = 0;
	CHECK_TEXT(told("mempolicy", "nodes", 8, 100), "");
	CHECK(status == ST_OK);
}

static void unknown(void)
{
	policy.mode = 2;
	/* A kernel without NUMA, a task that is not there, a layout that is none. */
	told("others", "nodes", 8, 100);
	CHECK(status == ST_ABSENT);
	told("mempolicy", "nodes", 8, 300);
	CHECK(status == ST_ABSENT);
	told("mempolicy", "nodes", 12, 100);
	CHECK(status == ST_UNKNOWN);
	/* No node, and one that is not in the dump. */
	tasks[1].policy = POLICY;
	policy.nodes[0] = 0;
	told("mempolicy", "nodes", 8, 100);
	CHECK(status == ST_CORRUPT);
	tasks[1].policy = POLICY + 0x100000;
	told("mempolicy", "nodes", 8, 100);
	CHECK(status == ST_UNREADABLE);
}

TESTS({ "binds", binds }, { "binds to none", binds_to_none }, { "unknown", unknown })
