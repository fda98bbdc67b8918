// SPDX-License-Identifier: GPL-2.0-or-later
#include "largest.h"

#include "tasks/task.h"

struct largest {
	struct dump *dump;
	int32_t tgid;
	int64_t pages;
};

static enum status add_task(void *arg, const struct task *t)
{
	struct largest *l = arg;
	const int64_t pages = (int64_t)((uint64_t)t->rss + (uint64_t)t->swap);

	if (dump_stopped(l->dump))
		return ST_STOPPED;
	if (t->has_memory && t->has_mm && pages > l->pages) {
		l->tgid = t->tgid;
		l->pages = pages;
	}
	return ST_OK;
}

int32_t page_largest_process(struct dump *d)
{
	struct largest l = { .dump = d };
	struct tasks tasks;

	if (!d->log_file && tasks_open(d, &tasks) == ST_OK)
		tasks_walk(&tasks, add_task, &l);
	return l.tgid;
}
