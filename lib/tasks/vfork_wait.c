// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/vfork_wait.h"

struct child {
	uint64_t done;
};

struct queue {
	uint64_t first, head;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct vfork_waits, task, "struct task_struct"),
	POINTS(struct child, done, REQUIRED, "all", "vfork_done"),
	STRUCTURE(struct vfork_waits, completion, "struct completion"),
	/* 5.7: "completion: Use simple wait queues"; before, a wait_queue_head, which is such a list, too. */
	LINKS(struct queue, first, OPTIONAL, "all", "wait.task_list", "wait.head"),
	PLACES(struct queue, head, OPTIONAL, "all", "wait.task_list", "wait.head"),
};

enum status vfork_waits_open(struct dump *d, struct vfork_waits *ret)
{
	struct vfork_waits w = { 0 };

	return RESULT(STRUCTS_OPEN(d, rows, &w), ret, w);
}

enum status vfork_wait_of(const struct vfork_waits *w, uint64_t task, uint64_t *ret)
{
	struct child child;
	enum status st = struct_read(&w->task, task, &child);

	if (st != ST_OK)
		return st;
	*ret = child.done;
	return child.done ? ST_OK : ST_ABSENT;
}

enum status vfork_waiter_of(const struct vfork_waits *w, uint64_t completion, uint64_t *entry)
{
	struct queue q;
	enum status st = struct_read(&w->completion, completion, &q);

	if (st != ST_OK)
		return st;
	*entry = q.first;
	return q.head && q.first && q.first != q.head ? ST_OK : ST_ABSENT;
}
