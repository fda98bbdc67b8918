// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task_index.h"

static const struct layout_row row = {
	"struct task_struct", { "start_time" }, REQUIRED, "ns of CLOCK_MONOTONIC since 3.17"
};

struct reader {
	struct dump *dump;
	struct field start;
	struct task_index *ret;
};

/* Keeps the first problem, and the first of a process. */
static void note_problem(struct reader *r, bool of_process)
{
	struct task_index *x = r->ret;
	const char *problem = dump_why(r->dump);

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

	if (dump_u64(r->dump, task->address + r->start.offset, &start, "task_struct") != ST_OK) {
		note_problem(r, leads);
		return ST_OK;
	}
	name = hash_u64_get(&r->ret->tasks, (uint32_t)task->pid, &is_new);
	/* Two tasks with one pid are a damaged list: the thread group leader is kept. */
	if (!is_new && !leads)
		return ST_OK;
	r->ret->processes += leads && (is_new || name->tgid != task->pid);
	name->tgid = task->tgid;
	name->start_ns = start;
	memcpy(name->comm, task->comm, sizeof(name->comm));
	return ST_OK;
}

enum status task_index_open(struct dump *d, struct task_index *ret)
{
	struct reader r = { .dump = d, .ret = ret };
	struct tasks tasks;
	enum status st = tasks_open(d, &tasks);

	memset(ret, 0, sizeof(*ret));
	hash_u64_init(&ret->tasks, d->arena, sizeof(struct task_name));
	st = st ?: layout_resolve(d, &row, 1, &r.start);
	if (st == ST_OK && r.start.size != 8)
		st = dump_unknown(d, "task_struct.start_time");
	if (st != ST_OK)
		return st;
	tasks.identity_only = true;
	st = tasks_walk(&tasks, add, &r);
	if (dump_stopped(d))
		st = dump_fail(d, ST_STOPPED, "interrupted");
	if (st != ST_OK)
		note_problem(&r, true);
	return ST_OK;
}

const struct task_name *task_index_get(const struct task_index *x, int32_t pid)
{
	return hash_u64_find(&x->tasks, (uint32_t)pid);
}

const struct task_name *task_index_find(const struct task_index *x, int32_t pid, uint64_t ts_ns)
{
	const struct task_name *t = task_index_get(x, pid);

	return t && t->start_ns < ts_ns ? t : NULL;
}

/* local_clock() is not slewed as CLOCK_MONOTONIC is: by 500 ppm at most (MAXFREQ, timex.h). */
#define DRIFT_SHARE 2000
#define DRIFT_NS 1000000000ULL

enum status task_owners_open(struct dump *d, struct task_owners *ret)
{
	enum status st = task_index_open(d, &ret->tasks);

	if (st != ST_OK)
		return st;
	ret->problem = ret->tasks.process_problem;
	ret->complete = !ret->problem;
	decoder_trace(d, "decide %zu processes%s", ret->tasks.processes,
		      ret->complete ? "" : ", not all");
	return ST_OK;
}

enum task_liveness task_owners_find(const struct task_owners *o, int32_t tgid, uint64_t ts_ns)
{
	const struct task_name *leader = task_index_get(&o->tasks, tgid);
	uint64_t start = leader ? leader->start_ns : 0;

	if (!tgid)
		return TASK_LIVE;
	if (!leader || leader->tgid != tgid)
		return o->complete ? TASK_DEAD : TASK_LIVENESS_UNKNOWN;
	if (!ts_ns)
		return TASK_LIVENESS_UNKNOWN;
	/* The two clocks differ by up to this margin: a start within it is of the same process. */
	return start > ts_ns && start - ts_ns > ts_ns / DRIFT_SHARE + DRIFT_NS ? TASK_DEAD
									       : TASK_LIVE;
}

const char *task_liveness_name(enum task_liveness life)
{
	static const char *const names[] = { [TASK_LIVE] = "live", [TASK_DEAD] = "dead" };

	return life < ARRAY_SIZE(names) ? names[life] : NULL;
}
