// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/work_waits.h"

#include "kernel/list.h"

#define MAX_BEHIND 4096	     /* works that one worker has before it */
#define MAX_PENDING 65536    /* works that a pool has before it */
#define MAX_INACTIVE 2000000 /* works of a workqueue that wait until fewer of it run */

struct kthread {
	uint64_t data;
};

struct worker {
	uint64_t work, function, pool, queue;
};

struct pool {
	int32_t cpu;
};

struct work {
	uint64_t function;
};

struct queue {
	uint64_t workqueue;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct work_waits, kthread, "struct kthread"),
	POINTS(struct kthread, data, REQUIRED, "all", "data"),
	STRUCTURE(struct work_waits, worker, "struct worker"),
	POINTS(struct worker, work, REQUIRED, "all", "current_work"),
	POINTS(struct worker, function, REQUIRED, "all", "current_func"),
	POINTS(struct worker, pool, REQUIRED, "all", "pool"),
	POINTS(struct worker, queue, OPTIONAL, "all", "current_pwq"),
	STRUCTURE(struct work_waits, queue, "struct pool_workqueue"),
	POINTS(struct queue, workqueue, OPTIONAL, "all", "wq"),
	FINDS(struct work_waits, inactive, "struct pool_workqueue", OPTIONAL, "5.15",
	      "inactive_works"),
	STRUCTURE(struct work_waits, pool, "struct worker_pool"),
	READS(struct pool, cpu, REQUIRED, "all", "cpu"),
	FINDS(struct work_waits, worklist, "struct worker_pool", REQUIRED, "all", "worklist"),
	STRUCTURE(struct work_waits, work, "struct work_struct"),
	POINTS(struct work, function, REQUIRED, "all", "func"),
	FINDS(struct work_waits, entry, "struct work_struct", REQUIRED, "all", "entry"),
	FINDS(struct work_waits, scheduled, "struct worker", REQUIRED, "all", "scheduled"),
};

enum status work_waits_open(struct dump *d, struct work_waits *ret)
{
	struct work_waits w = { .dump = d };

	kthread_names_open(d, &w.names);
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
		st = dump_absent(w->dump, "the worker runs no work");
	*ret = (struct running_work){ thread.data, worker.function, worker.pool, worker.queue };
	return st;
}

enum status work_queue_read(struct work_waits *w, const struct running_work *of,
			    struct work_queue *ret)
{
	struct work_queue q = { .is_whole = true };
	struct queue queue = { 0 };
	struct list_nodes l;
	uint64_t entry;
	enum status st = of->pwq && w->queue.end && w->inactive.present
				 ? struct_read(&w->queue, of->pwq, &queue)
				 : dump_absent(w->dump, "the work is of no workqueue");

	if (st != ST_OK)
		return st;
	if (!queue.workqueue || !kthread_workqueue(&w->names, queue.workqueue, q.name))
		q.name[0] = '\0';
	l = list_of(w->dump, of->pwq + w->inactive.offset, "works of a workqueue");
	while (q.inactive < MAX_INACTIVE && list_next(&l, &entry))
		q.inactive++;
	/* Of a list that goes on, or is not all in this dump, what was found. */
	q.is_whole = q.inactive < MAX_INACTIVE && list_end(&l) == ST_OK;
	/* The last link leads to none. */
	q.inactive -= !q.is_whole && q.inactive && q.inactive < MAX_INACTIVE;
	*ret = q;
	return ST_OK;
}

enum status work_behind_walk(const struct work_waits *w, const struct running_work *of,
			     void (*visit)(void *arg, uint64_t entry), void *arg)
{
	struct list_nodes l = list_of(w->dump, of->worker + w->scheduled.offset,
				      "works of a worker");
	uint64_t entry;

	for (unsigned int n = 0; list_next(&l, &entry); n++) {
		if (n == MAX_BEHIND)
			return dump_corrupt(w->dump, "more than %d works of a worker", MAX_BEHIND);
		visit(arg, entry);
	}
	return list_end(&l);
}

enum status work_pending_walk(const struct work_waits *w, uint64_t pool,
			      bool (*visit)(void *arg, const struct pending_works *at), void *arg)
{
	struct list_nodes l = list_of(w->dump, pool + w->worklist.offset, "works of a pool");
	struct pending_works at = { 0 };
	struct pool of;
	struct work work;
	uint64_t entry;
	enum status st = struct_read(&w->pool, pool, &of);

	if (st != ST_OK)
		return st;
	at.cpu = of.cpu;
	for (unsigned int n = 0; list_next(&l, &entry); n++) {
		if (n == MAX_PENDING)
			return dump_corrupt(w->dump, "more than %d works of a pool", MAX_PENDING);
		at.entry = entry;
		/* From the end on, behind a hole in the list: what it is behind comes later. */
		if (l.way == LIST_BACKWARD)
			at.function = 0;
		if (!visit(arg, &at))
			at.function = struct_read(&w->work, entry - w->entry.offset, &work) == ST_OK
					      ? work.function
					      : 0;
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
