// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "layout.h"
#include "taskindex.h"

static const struct layout_row row = {
	"struct task_struct", { "start_time" }, REQUIRED, "ns of CLOCK_MONOTONIC since 3.17"
};

struct reader {
	struct dump *dump;
	struct field start;
	struct task_index *ret;
};

/* The first of each counts. */
static void note_problem(struct reader *r, bool of_process)
{
	struct task_index *x = r->ret;
	const char *problem = arena_strdup(r->dump->arena, r->dump->error);

	if (!x->problem)
		x->problem = problem;
	if (of_process && !x->process_problem)
		x->process_problem = problem;
}

static enum status add(void *arg, const struct task *task)
{
	struct reader *r = arg;
	bool is_new, leads = task->pid == task->tgid;
	struct task_name *name;
	uint64_t start;

	if (dump_u64(r->dump, task->address + r->start.offset, &start, "task_struct") != DUMP_OK) {
		note_problem(r, leads);
		return DUMP_OK;
	}
	name = map_get(&r->ret->tasks, (uint32_t)task->pid, &is_new);
	if (!name)
		return dump_fail(r->dump, DUMP_NOMEM, "out of memory");
	/* A pid is had once: in a list that lies, the leader counts. */
	if (!is_new && !leads)
		return DUMP_OK;
	r->ret->processes += leads && (is_new || name->tgid != task->pid);
	name->tgid = task->tgid;
	name->start_ns = start;
	memcpy(name->comm, task->comm, sizeof(name->comm));
	return DUMP_OK;
}

enum status task_index_open(struct dump *d, struct task_index *ret)
{
	struct reader r = { .dump = d, .ret = ret };
	struct tasks tasks;
	enum status st = tasks_open(d, &tasks);

	memset(ret, 0, sizeof(*ret));
	map_init(&ret->tasks, d->arena, sizeof(struct task_name));
	if (st == DUMP_OK)
		st = layout_resolve(d, &row, 1, &r.start);
	if (st == DUMP_OK && r.start.size != 8)
		st = dump_fail(d, DUMP_UNKNOWN, "unknown layout: task_struct.start_time");
	if (st != DUMP_OK)
		return st;
	tasks.identity_only = true;
	st = tasks_walk(&tasks, add, &r);
	if (st == DUMP_NOMEM)
		return st;
	if (dump_stopped(d))
		st = dump_fail(d, DUMP_STOPPED, "interrupted");
	if (st != DUMP_OK)
		note_problem(&r, true);
	return DUMP_OK;
}

const struct task_name *task_index_get(const struct task_index *x, int32_t pid)
{
	return map_find(&x->tasks, (uint32_t)pid);
}

const struct task_name *task_index_find(const struct task_index *x, int32_t pid, uint64_t ts_ns)
{
	const struct task_name *t = task_index_get(x, pid);

	return t && t->start_ns < ts_ns ? t : NULL;
}
