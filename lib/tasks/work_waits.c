// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/work_waits.h"

#include "kernel/list.h"

#define MAX_BEHIND 4096 /* works that one worker has before it */

struct kthread {
	uint64_t data;
};

struct worker {
	uint64_t work, function;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct work_waits, kthread, "struct kthread"),
	POINTS(struct kthread, data, REQUIRED, "all", "data"),
	STRUCTURE(struct work_waits, worker, "struct worker"),
	POINTS(struct worker, work, REQUIRED, "all", "current_work"),
	POINTS(struct worker, function, REQUIRED, "all", "current_func"),
	FINDS(struct work_waits, scheduled, "struct worker", REQUIRED, "all", "scheduled"),
};

enum status work_waits_open(struct dump *d, struct work_waits *ret)
{
	struct work_waits w = { .dump = d };

	return RESULT(STRUCTS_OPEN(d, rows, &w), ret, w);
}

enum status work_running(const struct work_waits *w, uint64_t kthread, struct running_work *ret)
{
	struct kthread thread = { 0 };
	struct worker worker = { 0 };
	enum status st = struct_read(&w->kthread, kthread, &thread);

	if (st == ST_OK && thread.data)
		st = struct_read(&w->worker, thread.data, &worker);
	if (st == ST_OK && !worker.work)
		st = dump_fail(w->dump, ST_ABSENT, "the worker runs no work");
	return RESULT(st, ret, (struct running_work){ thread.data, worker.function });
}

enum status work_behind_walk(const struct work_waits *w, const struct running_work *of,
			     void (*visit)(void *arg, uint64_t entry), void *arg)
{
	struct list_nodes l = list_of(w->dump, of->worker + w->scheduled.offset,
				      "works of a worker");
	uint64_t entry;

	for (unsigned int n = 0; list_next(&l, &entry); n++) {
		if (n == MAX_BEHIND)
			return dump_fail(w->dump, ST_CORRUPT, "more than %d works of a worker",
					 MAX_BEHIND);
		visit(arg, entry);
	}
	return list_end(&l);
}

bool work_is_waited(const char *function)
{
	static const char *const names[] = { "__flush_work", "flush_work", "flush_delayed_work",
					     "start_flush_work" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const size_t n = strlen(names[i]);

		if (!strncmp(function, names[i], n) && (!function[n] || function[n] == '.'))
			return true;
	}
	return false;
}
