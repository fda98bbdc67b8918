// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of the threads that are asked for: who leads them, and what of them filters leave out. */
#include "tasks.h"

struct asked_process *asked_process_note(struct task_view *t, const struct thread *thread)
{
	const struct task *task = &thread->task;
	struct asked_process *p = hash_u64_get(&t->processes, (uint64_t)task->tgid, NULL);

	p->tgid = task->tgid;
	p->threads++;
	if (task->pid == task->tgid)
		p->name = thread->name;
	return p;
}

void asked_process_keep(struct asked_process *p, const struct thread *thread)
{
	p->kept++;
	p->keeps_leader |= thread->task.pid == thread->task.tgid;
}

bool asked_processes_are_parts(const struct task_view *t)
{
	const struct cmdline *in = t->v->in;

	if (!cmdline_cuts_groups(in) || t->threads >= t->asked)
		return false;
	if (in->ngroups > 1 || in->groups[0] != KEY_TGID)
		return true;
	hash_u64_for_each(const struct asked_process, p, &t->processes)
		if (p->kept && p->kept < p->threads)
			return true;
	return false;
}

/* Whoever names a thread may mean its process. */
static bool names_a_thread(const struct cmdline *in)
{
	const struct filters *f = &in->filters;

	return ANY_OF(i, f->n,
		      !f->filters[i].exclude &&
			      (in->keys[f->filters[i].key].column == COLUMN_comm ||
			       in->keys[f->filters[i].key].column == COLUMN_pid));
}

void asked_processes_put(struct task_view *t)
{
	const struct asked_process *first = NULL;
	uint64_t n = 0;

	if (cmdline_groups_by(t->v->in, KEY_TGID) || !names_a_thread(t->v->in))
		return;
	hash_u64_for_each(const struct asked_process, p, &t->processes) {
		if (!p->keeps_leader || p->kept >= p->threads)
			continue;
		n++;
		if (!first || p->threads - p->kept > first->threads - first->kept)
			first = p;
	}
	if (!first)
		return;
	sink_printf(t->v->out,
		    "%s (%d) has %s more that the filters leave out, RSS and SWAP are of the "
		    "process: faults -g tgid -f tgid=%d%s\n",
		    first->name ?: "process", first->tgid,
		    PLURAL_TEXT(first->threads - first->kept, "thread", "threads"), first->tgid,
		    n > 1 ? "; others have more as well" : "");
}
