// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which task is on a CPU: without SMP struct task_struct has no on_cpu, and the runqueue names it. How the one
 * of a CPU is scheduled.
 */
#include <string.h>

#include "tasks/last_ran.h"
#include "tasks/task_stack.h"
#include "tasks/user_call.h"
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
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes);
	struct task_stacks stacks;

	return task_stacks_open(&s.dump, &stacks) ?: task_stack_read(&stacks, TASK, ret);
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

/* Of CPU 1 of two, by its own copy of the runqueue. */
static void how_it_is_scheduled(void)
{
	static const struct {
		uint32_t pid, policy, rt_priority;
		char comm[16];
		uint32_t tgid;
		uint64_t mm;
	} on_cpu = { 115, 1, 95, "ethercat\1master", 110, TASK };
	static const uint64_t offsets[] = { 0, 8 }, currs[] = { OTHER, TASK };
	static const uint64_t cpus[] = { 2, 3 };
	static const struct stub_member members[] = {
		{ "struct rq", "curr", FIELD(0, 8) },
		{ "struct task_struct", "pid", FIELD(0, 4) },
		{ "struct task_struct", "policy", FIELD(4, 4) },
		{ "struct task_struct", "rt_priority", FIELD(8, 4) },
		{ "struct task_struct", "comm", FIELD(12, 16) },
		{ "struct task_struct", "tgid", FIELD(28, 4) },
		{ "struct task_struct", "mm", FIELD(32, 8) },
		{ 0 }
	};
	static const struct stub_symbol symbols[] = {
		{ "runqueues", RUNQUEUE, FIELD(0, 8) },
		{ "nr_cpu_ids", STACK, FIELD(0, 4) },
		{ "__cpu_possible_mask", STACK + 8, FIELD(0, 8) },
		{ "__per_cpu_offset", STACK + 16, KINDED(KIND_ARRAY, 0, 16) },
		{ 0 }
	};
	const struct stub_memory memory[] = { { TASK, &on_cpu, sizeof(on_cpu) },
					      { STACK, cpus, sizeof(cpus) },
					      { STACK + 16, offsets, sizeof(offsets) },
					      { RUNQUEUE, currs, sizeof(currs) },
					      { 0 } };
	STUB(s, .memory = memory, .members = members, .symbols = symbols);
	struct cpu_task t, beside;
	unsigned int n;

	CHECK(cpu_task_read(&s.dump, 1, &t) == ST_OK && t.pid == 115 && t.tgid == 110 &&
	      t.rt_priority == 95 && t.mm == TASK);
	CHECK_TEXT(t.comm, "ethercat?master");
	CHECK_TEXT(sched_policy_name(t.policy), "SCHED_FIFO");
	CHECK(cpu_task_read(&s.dump, 0, &t) == ST_UNREADABLE);
	CHECK(cpu_task_read(&s.dump, 2, &t) == ST_ABSENT);
	CHECK(cpu_tasks_beside(&s.dump, 0, &beside, 1, &n) == ST_OK && n == 1);
	CHECK(beside.cpu == 1 && beside.pid == 115);
	CHECK(cpu_tasks_beside(&s.dump, 0, &beside, 0, &n) == ST_NOMEM);
	CHECK(cpu_tasks_beside(&s.dump, 1, &beside, 1, &n) == ST_UNREADABLE);
	CHECK_TEXT(sched_policy_name(5), "SCHED_IDLE");
	CHECK(!sched_policy_name(4) && !sched_policy_name(8));
}

/* Registers of user mode at the top of the stack, or 16 bytes below it. */
static void a_call_without_files(void)
{
	enum { NUMBER, FIRST, SECOND, CODE, SS, THIRD, FOURTH, REGISTERS };
	static const struct stub_member members[] = {
		{ "struct pt_regs", "orig_ax", FIELD(8 * NUMBER, 8) },
		{ "struct pt_regs", "di", FIELD(8 * FIRST, 8) },
		{ "struct pt_regs", "si", FIELD(8 * SECOND, 8) },
		{ "struct pt_regs", "dx", FIELD(8 * THIRD, 8) },
		{ "struct pt_regs", "r10", FIELD(8 * FOURTH, 8) },
		{ "struct pt_regs", "cs", FIELD(8 * CODE, 8) },
		{ "struct pt_regs", "ss", FIELD(8 * SS, 8) },
		{ 0 }
	};
	static const struct stub_number sizes[] = { { "struct pt_regs", 8 * REGISTERS }, { 0 } };
	static const struct {
		uint64_t registers[REGISTERS];
		enum user_files files;
		bool locks;
	} all[] = {
		/* futex(): a lock of glibc, of processes; with a time; a condition; another number; a wake. */
		{ { 202, 0, 128, 0x33, 0x2b, 2, 0 }, USER_FILES_UNKNOWN, true },
		{ { 202, 0, 0, 0x33, 0x2b, 0xff00000002, 0 }, USER_FILES_UNKNOWN, true },
		{ { 202, 0, 128, 0x33, 0x2b, 2, 0x7ffc0000 }, USER_FILES_UNKNOWN, false },
		{ { 202, 0, 137, 0x33, 0x2b, 2, 0 }, USER_FILES_UNKNOWN, false },
		{ { 202, 0, 128, 0x33, 0x2b, 0, 0 }, USER_FILES_UNKNOWN, false },
		{ { 202, 0, 129, 0x33, 0x2b, 2, 0 }, USER_FILES_UNKNOWN, false },
		{ { 203, 0, 128, 0x33, 0x2b, 2, 0 }, USER_FILES_UNKNOWN, false },
		{ { 23, 0, 5, 0x33, 0x2b }, USER_FILES_NONE },
		{ { 23, 1, 0, 0x33, 0x2b }, USER_FILES_SOME },
		{ { 271, 4, 0, 0x33, 0x2b }, USER_FILES_NONE },
		{ { 7, 0, 2, 0x33, 0x2b }, USER_FILES_SOME },
		{ { 0, 0, 0, 0x33, 0x2b }, USER_FILES_UNKNOWN },
		{ { 23, 0, 0, 0x23, 0x2b }, USER_FILES_UNKNOWN },
		{ { 270, 1ULL << 32, 0, 0x33, 0x2b }, USER_FILES_NONE },
	};
	STUB(s, .members = members, .sizes = sizes);
	STUB(other, .sizes = sizes);
	struct user_calls x, none;

	user_calls_open(&s.dump, &x);
	user_calls_open(&other.dump, &none);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		for (size_t padding = 0; padding < 5; padding += 2) {
			uint64_t words[16] = { 0 };
			const struct task_stack at = { .base = STACK,
						       .size = sizeof(words),
						       .bytes = (const uint8_t *)words };

			memcpy(words + 16 - padding - REGISTERS, all[i].registers,
			       sizeof(all[i].registers));
			CHECK(user_call_files(&x, &at) ==
			      (padding < 4 ? all[i].files : USER_FILES_UNKNOWN));
			CHECK(user_call_files(&none, &at) == USER_FILES_UNKNOWN);
			CHECK(user_call_locks(&x, &at) == (padding < 4 && all[i].locks));
			CHECK(!user_call_locks(&none, &at));
		}
}

/* arm64: the number is an int, the second argument in an array. */
static void a_call_without_files_of_arm64(void)
{
	enum { ARGUMENTS, PSTATE = 4, FIRST, NUMBER, REGISTERS };
	static const struct stub_member members[] = {
		{ "struct pt_regs", "regs", FIELD(8 * ARGUMENTS, 32) },
		{ "struct pt_regs", "pstate", FIELD(8 * PSTATE, 8) },
		{ "struct pt_regs", "orig_x0", FIELD(8 * FIRST, 8) },
		{ "struct pt_regs", "syscallno", FIELD(8 * NUMBER, 4) },
		{ 0 }
	};
	static const struct stub_number sizes[] = { { "struct pt_regs", 8 * REGISTERS }, { 0 } };
	static const struct {
		uint64_t registers[REGISTERS];
		enum user_files files;
		bool locks;
	} all[] = {
		{ { 9, 0, 7, 0, 0x60001000, 1, 0xee00000049 }, USER_FILES_NONE }, /* ppoll() */
		{ { 9, 1, 7, 0, 0x60001000, 0, 73 }, USER_FILES_SOME },
		{ { 9, 3, 7, 0, 0x60001000, 0, 72 }, USER_FILES_NONE }, /* pselect6() */
		{ { 9, 0, 7, 0, 0x60001000, 2, 72 }, USER_FILES_SOME },
		{ { 9, 0, 7, 0, 0x60000010, 1, 73 }, USER_FILES_UNKNOWN }, /* of 32 bits */
		{ { 9, 0, 7, 0, 0x60000005, 1, 73 }, USER_FILES_UNKNOWN }, /* of the kernel */
		{ { 9, 128, 2, 0, 0x60001000, 0, 0 }, USER_FILES_UNKNOWN },
		{ { 9, 128, 2, 0, 0x60001000, 0, 98 }, USER_FILES_UNKNOWN, true }, /* futex() */
		{ { 9, 128, 2, 9, 0x60001000, 0, 98 }, USER_FILES_UNKNOWN },
	};
	STUB(s, .members = members, .sizes = sizes);
	struct user_calls x;

	user_calls_open(&s.dump, &x);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct task_stack at = { .base = STACK,
					       .size = sizeof(all[i].registers),
					       .bytes = (const uint8_t *)all[i].registers };

		CHECK(user_call_files(&x, &at) == all[i].files);
		CHECK(user_call_locks(&x, &at) == all[i].locks);
	}
}

static void since_when_it_waits(void)
{
	static const struct {
		uint32_t cpu, pad;
		uint64_t queued;
	} waiting = { 3, 0, 7000 };
	static const struct stub_member members[] = { { "struct task_struct", "cpu", FIELD(0, 4) },
						      { "struct task_struct",
							"sched_info.last_queued", FIELD(8, 8) },
						      { 0 } };
	const struct stub_memory memory[] = { { TASK, &waiting, sizeof(waiting) }, { 0 } };
	STUB(s, .memory = memory, .members = members);
	struct cpu_waits w;
	struct cpu_wait t;

	CHECK(cpu_waits_open(&s.dump, &w) == ST_OK);
	CHECK(cpu_wait_read(&w, TASK, &t) == ST_OK && t.queued_ns == 7000 && t.cpu == 3);
	CHECK(cpu_wait_read(&w, OTHER, &t) == ST_UNREADABLE);
}

/* Only what has exited has none: else struct task_struct is damaged. */
static void without_a_stack(void)
{
	static const struct stub_member exits[] = {
		MEMBERS, { "struct task_struct", "exit_state", FIELD(8, 4) }, { 0 }
	};
	struct task_stack one;

	task[0] = 0;
	CHECK(read_by(alone, runqueues, &one) == ST_ABSENT);
	CHECK(read_by(exits, runqueues, &one) == ST_CORRUPT);
	task[1] = 16; /* EXIT_DEAD */
	CHECK(read_by(exits, runqueues, &one) == ST_ABSENT);
	task[0] = STACK;
	task[1] = 0;
}

TESTS({ "a call without files", a_call_without_files },
      { "the same of arm64", a_call_without_files_of_arm64 },
      { "who is on a CPU", who_is_on_a_cpu }, { "without a stack", without_a_stack },
      { "how the task of a CPU is scheduled", how_it_is_scheduled },
      { "since when a task waits for a CPU", since_when_it_waits })
