// SPDX-License-Identifier: GPL-2.0-or-later
/* Which signal stopped a thread, and who sent it by the siginfo on its stack. */
#include "tasks/stop_signal.h"
#include "stub.h"
#include "test.h"

#define TASK 0xffff888000100000ULL
#define PID 0xffff888000200000ULL
#define STACK 0xffffc90000000000ULL

static uint64_t task[2];
static uint32_t level[1];
static struct {
	uint64_t saved[8];
	struct {
		int32_t number, error, code, pad, pid, uid;
		uint64_t rest[3];
	} info[2];
	uint64_t end[4];
} stack;

static const struct stub_memory memory[] = {
	{ TASK, task, sizeof(task) },
	{ PID, level, sizeof(level) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct task_struct", "jobctl", FIELD(0, 8) },
	{ "struct task_struct", "thread_pid", KINDED(KIND_POINTER, 8, 8) },
	{ "struct pid", "level", FIELD(0, 4) },
	{ "struct sigqueue", "info", FIELD(24, 48) },
	{ "struct sigqueue", "info.si_signo", FIELD(24, 4) },
	{ "struct sigqueue", "info.si_code", FIELD(32, 4) },
	{ "struct sigqueue", "info._sifields._kill._pid", FIELD(40, 4) },
	{ 0 },
};

static struct stop_signal find(void)
{
	STUB(s, .memory = memory, .members = members);
	const struct task_stack of = {
		.base = STACK, .size = sizeof(stack), .bytes = (const uint8_t *)&stack, .sp = STACK
	};
	struct stop_signals x;
	struct stop_signal ret = { 0 };

	CHECK(stop_signals_open(&s.dump, &x) == ST_OK);
	CHECK(stop_signal_of(&x, TASK, &of, &ret) == ST_OK);
	return ret;
}

static void fill(int32_t number, int32_t code, int32_t pid)
{
	memset(&stack, 0, sizeof(stack));
	task[0] = 0x200000 | (uint64_t)number;
	task[1] = PID;
	level[0] = 0;
	stack.info[1].number = number;
	stack.info[1].code = code;
	stack.info[1].pid = pid;
}

static void who_sent_it(void)
{
	struct stop_signal s;

	fill(19, 0, 346);
	stack.info[1].uid = 1000;
	s = find();
	CHECK(s.number == 19 && s.by == STOP_SENDER_PROCESS && s.sender == 346);
	fill(20, 0x80, 0);
	s = find();
	CHECK(s.number == 20 && s.by == STOP_SENDER_KERNEL);
	CHECK_TEXT(stop_signal_name(20), "SIGTSTP");
	CHECK(!stop_signal_name(0) && !stop_signal_name(9));
}

/* What is no siginfo of that signal, is of a namespace of its own, or of two times. */
static void what_is_unknown(void)
{
	fill(19, 0, 0);
	CHECK(find().number == 19 && !find().by);
	fill(19, 0, 346);
	stack.info[1].number = 20;
	CHECK(!find().by);
	fill(19, 0, 346);
	stack.info[1].rest[0] = 1;
	CHECK(!find().by);
	fill(19, 1, 346);
	CHECK(!find().by);
	fill(19, 0, 346);
	level[0] = 1;
	CHECK(find().number == 19 && !find().by);
	fill(19, 0, 346);
	stack.info[0] = stack.info[1];
	CHECK(find().sender == 346);
	stack.info[0].pid = 400;
	CHECK(!find().by);
	/* No stop is noted. */
	fill(19, 0, 346);
	task[0] = 0;
	CHECK(!find().number && !find().by);
}

/* It stopped itself as soon as it began, by a clock that is behind. */
static void clocks_differ(void)
{
	CHECK(stop_signal_may_be_of(5000000000ULL, 9000000000ULL));
	CHECK(stop_signal_may_be_of(9000400000ULL, 9000000000ULL));
	CHECK(!stop_signal_may_be_of(60000000000ULL, 9000000000ULL));
}

TESTS({ "clocks differ", clocks_differ }, { "the sender is the siginfo's", who_sent_it },
      { "what may be something else says nothing", what_is_unknown })
