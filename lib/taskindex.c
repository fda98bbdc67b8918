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

static enum status add(void *arg, const struct task *task)
{
	struct reader *r = arg;
	struct task_name *name;
	uint64_t start;
	bool is_new;

	if (dump_u64(r->dump, task->address + r->start.offset, &start, "task_struct") != DUMP_OK) {
		r->ret->problem = arena_strdup(r->dump->arena, r->dump->error);
		return DUMP_OK;
	}
	name = map_get(&r->ret->tasks, (uint32_t)task->pid, &is_new);
	if (!name)
		return dump_fail(r->dump, DUMP_NOMEM, "out of memory");
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
	if (st == DUMP_UNREADABLE || st == DUMP_CORRUPT)
		ret->problem = arena_strdup(d->arena, d->error);
	return st == DUMP_NOMEM || st == DUMP_STOPPED ? st : DUMP_OK;
}

const struct task_name *task_index_find(const struct task_index *x, int32_t pid, uint64_t ts_ns)
{
	const struct task_name *t = map_find(&x->tasks, (uint32_t)pid);

	return t && t->start_ns < ts_ns ? t : NULL;
}
