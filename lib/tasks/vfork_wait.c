// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/vfork_wait.h"

struct child {
	uint64_t done;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct vfork_waits, task, "struct task_struct"),
	POINTS(struct child, done, REQUIRED, "all", "vfork_done"),
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
