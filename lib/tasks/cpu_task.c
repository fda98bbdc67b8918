// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/cpu_task.h"

#include "kernel/percpu.h"
#include "util/printable.h"

struct walk {
	struct structure task;
	struct field curr;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, curr, "struct rq", REQUIRED, "all", "curr"),
	STRUCTURE(struct walk, task, "struct task_struct"),
	READS(struct cpu_task, comm, REQUIRED, "all", "comm"),
	READS(struct cpu_task, pid, REQUIRED, "all", "pid"),
	READS(struct cpu_task, policy, REQUIRED, "all", "policy"),
	READS(struct cpu_task, rt_priority, REQUIRED, "all", "rt_priority"),
};

const char *const sched_policies[] = { "SCHED_OTHER", "SCHED_FIFO",	"SCHED_RR",  "SCHED_BATCH",
				       "SCHED_IDLE",  "SCHED_DEADLINE", "SCHED_EXT", NULL };

const char *sched_policy_name(uint64_t policy)
{
	/* 4 is reserved. */
	return policy < 4		  ? sched_policies[policy]
	       : policy > 4 && policy < 8 ? sched_policies[policy - 1]
					  : NULL;
}

enum status cpu_task_read(struct dump *d, uint64_t cpu, struct cpu_task *ret)
{
	struct walk w = { 0 };
	struct cpu_task found = { 0 };
	struct percpu cpus;
	unsigned int i = 0;
	uint64_t rq, task;
	enum status st = STRUCTS_OPEN(d, rows, &w) ?: dump_symbol(d, "runqueues", &rq) ?:
			 percpu_open(d, &cpus);

	if (st != ST_OK)
		return st;
	while (i < cpus.n && cpus.cpu[i] != cpu)
		i++;
	if (i == cpus.n)
		return dump_fail(d, ST_ABSENT, "the kernel has no CPU %lu", cpu);
	st = dump_u64(d, rq + cpus.offset[i] + w.curr.offset, &task, "rq.curr")
		     ?: struct_read(&w.task, task, &found);
	if (st == ST_OK) {
		printable(found.comm);
		*ret = found;
	}
	return st;
}
