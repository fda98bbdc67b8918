// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/last_ran.h"

#include "util/utf8.h"

static const struct layout_row rows[LAST_RAN_FIELDS] = {
	[RAN_BLOCK_START] = FIELD_ROW("struct task_struct", OPTIONAL, "all, CONFIG_SCHEDSTATS",
				      "stats.block_start", "se.statistics.block_start"),
	[RAN_SLEEP_START] = FIELD_ROW("struct task_struct", OPTIONAL, "all, CONFIG_SCHEDSTATS",
				      "stats.sleep_start", "se.statistics.sleep_start"),
	[RAN_EXEC_START] = FIELD_ROW("struct task_struct", OPTIONAL, "all", "se.exec_start"),
	[RAN_LAST_ARRIVAL] = FIELD_ROW("struct task_struct", OPTIONAL, "CONFIG_SCHED_INFO",
				       "sched_info.last_arrival"),
	[RAN_LAST_QUEUED] = FIELD_ROW("struct task_struct", OPTIONAL, "CONFIG_SCHED_INFO",
				      "sched_info.last_queued"),
};

const char *const last_ran_names[] = { "block_start",  "sleep_start", "exec_start",
				       "last_arrival", "last_queued", NULL };

enum status last_ran_open(struct dump *d, struct last_ran *ret)
{
	ret->dump = d;
	return layout_resolve(d, rows, LAST_RAN_FIELDS, ret->f);
}

enum status last_ran_get(const struct last_ran *l, uint64_t task, uint64_t *ns,
			 enum last_ran_field *source)
{
	uint64_t newest = 0;
	enum last_ran_field of = LAST_RAN_FIELDS;

	for (unsigned int i = 0; i < LAST_RAN_FIELDS; i++) {
		uint64_t v;
		enum status st;

		if (!l->f[i].present || l->f[i].size != 8)
			continue;
		st = dump_u64(l->dump, task + l->f[i].offset, &v, "task_struct");
		if (st != ST_OK)
			return st;
		if (v <= newest)
			continue;
		newest = v;
		of = i;
	}
	if (!newest)
		return dump_absent(l->dump, "no time of the task's last run");
	*ns = newest;
	*source = of;
	return ST_OK;
}

struct walk {
	struct structure task;
	struct field curr;
};

static const struct layout_row cpu_task_rows[] = {
	FINDS(struct walk, curr, "struct rq", REQUIRED, "all", "curr"),
	STRUCTURE(struct walk, task, "struct task_struct"),
	READS(struct cpu_task, comm, REQUIRED, "all", "comm"),
	READS(struct cpu_task, pid, REQUIRED, "all", "pid"),
	READS(struct cpu_task, tgid, REQUIRED, "all", "tgid"),
	READS(struct cpu_task, policy, REQUIRED, "all", "policy"),
	READS(struct cpu_task, rt_priority, REQUIRED, "all", "rt_priority"),
	POINTS(struct cpu_task, mm, OPTIONAL, "all", "mm"),
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
	enum status st = STRUCTS_OPEN(d, cpu_task_rows, &w) ?: dump_symbol(d, "runqueues", &rq) ?:
			 percpu_open(d, &cpus);

	if (st != ST_OK)
		return st;
	while (i < cpus.n && cpus.cpu[i] != cpu)
		i++;
	if (i == cpus.n)
		return dump_absent(d, "the kernel has no CPU %lu", cpu);
	st = dump_u64(d, rq + cpus.offset[i] + w.curr.offset, &task, "rq.curr")
		     ?: struct_read(&w.task, task, &found);
	if (st == ST_OK) {
		printable(found.comm);
		found.cpu = cpu;
		*ret = found;
	}
	return st;
}

enum status cpu_tasks_beside(struct dump *d, uint64_t cpu, struct cpu_task *ret, unsigned int room,
			     unsigned int *n)
{
	struct percpu cpus;
	unsigned int found = 0;
	enum status st = percpu_open(d, &cpus);

	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++) {
		struct cpu_task task;

		if (cpus.cpu[i] == cpu)
			continue;
		st = cpu_task_read(d, cpus.cpu[i], &task);
		if (st != ST_OK || !task.pid)
			continue;
		if (found == room)
			return dump_fail(d, ST_NOMEM, "more than %u CPUs ran a task", room);
		ret[found++] = task;
	}
	if (st == ST_OK)
		*n = found;
	return st;
}

static const struct layout_row wait_rows[] = {
	STRUCTURE(struct cpu_waits, task, "struct task_struct"),
	READS(struct cpu_wait, queued_ns, REQUIRED, "CONFIG_SCHED_INFO", "sched_info.last_queued"),
	READS(struct cpu_wait, cpu, REQUIRED, "5.16, before 5.16", "thread_info.cpu", "cpu"),
};

enum status cpu_waits_open(struct dump *d, struct cpu_waits *ret)
{
	/* Each task_struct has one, without a member where the option is off. */
	if (dump_lacks_type(d, "struct sched_info"))
		return dump_absent(d, "this kernel was built without CONFIG_SCHED_INFO");
	return STRUCTS_OPEN(d, wait_rows, ret);
}

enum status cpu_wait_read(const struct cpu_waits *w, uint64_t task, struct cpu_wait *ret)
{
	return struct_read(&w->task, task, ret);
}

static const struct layout_row time_rows[] = {
	STRUCTURE(struct cpu_times, task, "struct task_struct"),
	READS(struct cpu_time, ns, REQUIRED, "all", "se.sum_exec_runtime"),
};

enum status cpu_times_open(struct dump *d, struct cpu_times *ret)
{
	return STRUCTS_OPEN(d, time_rows, ret);
}

enum status cpu_time_read(const struct cpu_times *t, uint64_t task, struct cpu_time *ret)
{
	return struct_read(&t->task, task, ret);
}
