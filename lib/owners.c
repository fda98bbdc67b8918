// SPDX-License-Identifier: GPL-2.0-or-later
#include "layout.h"
#include "owners.h"
#include "tasks.h"

/* local_clock() is not slewed as CLOCK_MONOTONIC is: by 500 ppm at most (MAXFREQ, timex.h). */
#define DRIFT_SHARE 2000
#define DRIFT_NS 1000000000ULL

static const struct layout_row row = {
	"struct task_struct", { "start_time" }, REQUIRED, "ns of CLOCK_MONOTONIC since 3.17"
};

struct reader {
	struct dump *dump;
	struct field start;
	struct owners *ret;
};

static void note_problem(struct reader *r)
{
	if (r->ret->complete)
		r->ret->problem = arena_strdup(r->dump->arena, r->dump->error);
	r->ret->complete = false;
}

/* The leader's, who is on the list as long as its process is. */
static enum status add_task(void *arg, const struct task *task)
{
	struct reader *r = arg;
	uint64_t start, *value;
	bool is_new;

	if (task->pid != task->tgid)
		return DUMP_OK;
	if (dump_u64(r->dump, task->address + r->start.offset, &start, "task_struct") != DUMP_OK) {
		note_problem(r);
		return DUMP_OK;
	}
	value = map_get(&r->ret->starts, (uint32_t)task->tgid, &is_new);
	if (!value)
		return dump_fail(r->dump, DUMP_NOMEM, "out of memory");
	*value = start;
	return DUMP_OK;
}

enum status tasks_owners_open(struct dump *d, struct owners *ret)
{
	struct owners o = { .complete = true };
	struct reader r = { .dump = d, .ret = &o };
	struct tasks tasks;
	enum status st = tasks_open(d, &tasks);

	map_init(&o.starts, d->arena, sizeof(uint64_t));
	if (st == DUMP_OK)
		st = layout_resolve(d, &row, 1, &r.start);
	if (st == DUMP_OK && r.start.size != 8)
		st = dump_fail(d, DUMP_UNKNOWN, "unknown layout: task_struct.start_time");
	if (st != DUMP_OK)
		return st;
	tasks.identity_only = true;
	st = tasks_walk(&tasks, add_task, &r);
	if (st == DUMP_NOMEM)
		return st;
	if (st != DUMP_OK || dump_stopped(d))
		note_problem(&r);
	dump_note(d, "decide %zu processes%s", o.starts.n, o.complete ? "" : ", not all");
	*ret = o;
	/* It points to its own end until it has an entry. */
	if (!o.starts.n)
		map_init(&ret->starts, d->arena, sizeof(uint64_t));
	return DUMP_OK;
}

enum owner_life owners_find(const struct owners *o, int32_t tgid, uint64_t ts_ns)
{
	const uint64_t *start = map_find(&o->starts, (uint32_t)tgid);

	if (!tgid)
		return OWNER_LIVE;
	if (!start)
		return o->complete ? OWNER_DEAD : OWNER_UNKNOWN;
	if (!ts_ns)
		return OWNER_UNKNOWN;
	/* A margin that a start inside of it cannot be told from: the same process. */
	return *start > ts_ns && *start - ts_ns > ts_ns / DRIFT_SHARE + DRIFT_NS ? OWNER_DEAD
										 : OWNER_LIVE;
}

const char *owner_life_name(enum owner_life life)
{
	static const char *const names[] = { [OWNER_LIVE] = "live", [OWNER_DEAD] = "dead" };

	return life < sizeof(names) / sizeof(names[0]) ? names[life] : NULL;
}
