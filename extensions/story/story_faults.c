// SPDX-License-Identifier: GPL-2.0-or-later
/* Which thread of a process touched its memory, by the page faults that the kernel counts of each. */
#include "story.h"
#include "tasks/task.h"

#define FEWEST 1000u /* faults: of a few nothing follows */

struct search {
	const struct summary *s;
	int32_t tgid;
	uint64_t threads, sum, exited;
	struct task most;
};

static enum status add(void *arg, const struct task *t)
{
	struct search *x = arg;

	if (dump_stopped(x->s->dump))
		return ST_STOPPED;
	if (t->tgid != x->tgid)
		return ST_OK;
	x->sum += t->min_flt;
	x->exited = t->exited_min_flt;
	if (!x->threads++ || t->min_flt > x->most.min_flt)
		x->most = *t;
	return ST_OK;
}

const char *story_most_faults(const struct summary *s, const struct statement *process)
{
	struct search x = { .s = s, .tgid = (int32_t)process->pid.n };
	struct tasks tasks;

	if (process->processes.n != 1 || !process->pid.known || process->lacks_first ||
	    tasks_open(s->dump, &tasks) != ST_OK)
		return NULL;
	tasks.identity_only = true;
	if (tasks_walk(&tasks, add, &x) != ST_OK || tasks.cut.n || x.threads < 2 ||
	    x.most.min_flt < FEWEST || x.most.min_flt <= x.sum - x.most.min_flt + x.exited)
		return NULL;
	return dump_text(
		s->dump,
		"; its thread %s (%d) has %s minor page faults, more than all others of it",
		x.most.comm, x.most.pid, COUNT_TEXT(x.most.min_flt));
}
