// SPDX-License-Identifier: GPL-2.0-or-later
/* A machine on whose CPUs threads of real-time policies ran: what else could run got what they left. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

#define TASKS 0xffff888000100000ULL
#define RUNQUEUE 0xffff888000200000ULL
#define CPUS 0xffff888000300000ULL

struct on_cpu {
	uint32_t pid, policy, rt_priority, tgid;
	uint64_t mm;
	char comm[16];
};

static struct on_cpu tasks[2];
static uint64_t cpus[2]; /* their number and mask */
static const uint64_t offsets[] = { 0, 8 };
static const uint64_t currs[] = { TASKS, TASKS + sizeof(tasks[0]) };
static const struct stub_memory memory[] = { { TASKS, tasks, sizeof(tasks) },
					     { CPUS, cpus, sizeof(cpus) },
					     { CPUS + 16, offsets, sizeof(offsets) },
					     { RUNQUEUE, currs, sizeof(currs) },
					     { 0 } };
static const struct stub_member members[] = { { "struct rq", "curr", FIELD(0, 8) },
					      { "struct task_struct", "pid", FIELD(0, 4) },
					      { "struct task_struct", "policy", FIELD(4, 4) },
					      { "struct task_struct", "rt_priority", FIELD(8, 4) },
					      { "struct task_struct", "tgid", FIELD(12, 4) },
					      { "struct task_struct", "mm", FIELD(16, 8) },
					      { "struct task_struct", "comm", FIELD(24, 16) },
					      { 0 } };
static const struct stub_symbol symbols[] = { { "runqueues", RUNQUEUE, FIELD(0, 8) },
					      { "nr_cpu_ids", CPUS, FIELD(0, 4) },
					      { "__cpu_possible_mask", CPUS + 8, FIELD(0, 8) },
					      { "__cpu_present_mask", CPUS + 8, FIELD(0, 8) },
					      { "__per_cpu_offset", CPUS + 16,
						KINDED(KIND_ARRAY, 0, 16) },
					      { 0 } };

static uint64_t asked; /* the pid of who asked for the panic; 0: there was none */

static const char *told(unsigned int n)
{
	static struct summary s;
	static struct stub stub;
	static struct statement panic;

	panic.pid = (struct maybe_u64){ asked, true };

	memset(&s, 0, sizeof(s));
	STUB_OPEN(stub, .memory = memory, .members = members, .symbols = symbols);
	cpus[0] = n;
	cpus[1] = (1U << n) - 1;
	s.dump = &stub.dump;
	s.first[SECTION_PANIC] = asked ? &panic : NULL;
	summary_tell_starved(&s);
	return s.busy_cpu ?: "";
}

static void begin(void)
{
	tasks[0] = (struct on_cpu){ 348, 1, 80, 348, TASKS, "motion-loop" };
	tasks[1] = (struct on_cpu){ 350, 2, 10, 350, TASKS, "camera" };
}

static void each_cpu(void)
{
	begin();
	CHECK_TEXT(told(2), "at the end each CPU ran a thread of a real-time policy, as "
			    "motion-loop (348); its policy is SCHED_FIFO 80");
	CHECK_TEXT(told(1), "at the end the only CPU ran a thread of a real-time policy, "
			    "motion-loop (348); its policy is SCHED_FIFO 80");
}

/* One that is idle, one of another policy, one of the kernel. */
static void not_each(void)
{
	for (unsigned int i = 0; i < 3; i++) {
		begin();
		if (!i)
			tasks[1].pid = tasks[1].tgid = 0;
		else if (i == 1)
			tasks[1].policy = tasks[1].rt_priority = 0;
		else
			tasks[1].mm = 0;
		CHECK_TEXT(told(2), "");
	}
}

/* Who ended it ran for that. */
static void who_asked(void)
{
	begin();
	asked = 348;
	CHECK_TEXT(told(1), "");
	asked = 9;
	CHECK(*told(1));
	asked = 0;
}

TESTS({ "who asked", who_asked }, { "each CPU", each_cpu }, { "not each CPU", not_each })
