// SPDX-License-Identifier: GPL-2.0-or-later
#include "largest.h"

struct search {
	struct dump *dump;
	int32_t tgid; /* 0: the one that has most */
	int64_t pages;
	struct page_process *ret;
};

static enum status add_task(void *arg, const struct task *t)
{
	struct search *x = arg;
	const int64_t pages = (int64_t)((uint64_t)t->rss + (uint64_t)t->swap);

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	if (x->tgid ? t->pid == x->tgid : t->has_memory && t->has_mm && pages > x->pages) {
		x->ret->tgid = t->tgid;
		memcpy(x->ret->comm, t->comm, sizeof(x->ret->comm));
		x->pages = pages;
	}
	return ST_OK;
}

void page_find_process(struct dump *d, int32_t tgid, struct page_process *ret)
{
	struct search x = { .dump = d, .tgid = tgid, .ret = ret };
	struct tasks tasks;

	*ret = (struct page_process){ .tgid = tgid };
	if (!d->log_file && tasks_open(d, &tasks) == ST_OK)
		tasks_walk(&tasks, add_task, &x);
}
