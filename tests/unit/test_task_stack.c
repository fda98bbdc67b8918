// SPDX-License-Identifier: GPL-2.0-or-later
/* Which task is on a CPU: without SMP struct task_struct has no on_cpu, and the runqueue names it. */
#include "tasks/task_stack.h"
#include "stub.h"
#include "test.h"

#define TASK 0x10000ULL
#define OTHER 0x11000ULL
#define STACK 0x20000ULL
#define RUNQUEUE 0x30000ULL

static uint64_t stack[512], task[3] = { STACK, 0, STACK + 0x700 }, curr;

#define MEMBERS                                                             \
	{ "struct task_struct", "stack", FIELD(0, 8) },                     \
		{ "struct task_struct", "thread.sp", FIELD(16, 8) },        \
		{ "struct inactive_task_frame", "bp", FIELD(40, 8) },       \
		{ "struct inactive_task_frame", "ret_addr", FIELD(48, 8) }, \
	{                                                                   \
		"struct rq", "curr", FIELD(0, 8)                            \
	}

static const struct stub_member alone[] = { MEMBERS, { 0 } };
static const struct stub_member smp[] = { MEMBERS,
					  { "struct task_struct", "on_cpu", FIELD(8, 4) },
					  { 0 } };
static const struct stub_symbol runqueues[] = { { "runqueues", RUNQUEUE, FIELD(0, 8) }, { 0 } };

static enum status read_by(const struct stub_member *members, const struct stub_symbol *symbols,
			   struct task_stack *ret)
{
	static const struct stub_number sizes[] = { { "struct inactive_task_frame", 56 },
						    { "union thread_union", sizeof(stack) },
						    { 0 } };
	const struct stub_memory memory[] = { { TASK, task, sizeof(task) },
					      { STACK, stack, sizeof(stack) },
					      { RUNQUEUE, &curr, 8 },
					      { 0 } };
	struct stub s = {
		.memory = memory, .members = members, .symbols = symbols, .sizes = sizes
	};
	struct task_stacks stacks;
	enum status st;

	stub_open(&s);
	st = task_stacks_open(&s.dump, &stacks) ?: task_stack_read(&stacks, TASK, ret);
	stub_close(&s);
	return st;
}

static void who_is_on_a_cpu(void)
{
	struct task_stack one;

	stack[0x730 / 8] = 0x1234;
	curr = TASK;
	CHECK(read_by(alone, runqueues, &one) == ST_OK && one.on_cpu);
	/* What it saved when it last ran is not looked at: that may be overwritten. */
	task[2] = 0;
	CHECK(read_by(alone, runqueues, &one) == ST_OK && one.on_cpu);
	task[2] = STACK + 0x700;
	curr = OTHER;
	CHECK(read_by(alone, runqueues, &one) == ST_OK && !one.on_cpu && one.ip == 0x1234);
	/* The member alone tells, where there is one. */
	curr = TASK;
	CHECK(read_by(smp, runqueues, &one) == ST_OK && !one.on_cpu);
	task[1] = 1;
	CHECK(read_by(smp, NULL, &one) == ST_OK && one.on_cpu);
	task[1] = 0;
	/* Neither: no task's registers can be trusted. */
	CHECK(read_by(alone, NULL, &one) == ST_UNKNOWN);
	CHECK(read_by(alone, (const struct stub_symbol[]){ { "jiffies", 8, FIELD(0, 8) }, { 0 } },
		      &one) == ST_UNKNOWN);
}

TESTS({ "who is on a CPU", who_is_on_a_cpu })
