// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks, summed by the mm_struct that they use. */
#include <string.h>

#include "kernel/kthread.h"
#include "processes.h"

static struct process *process_of(struct processes *p, uint64_t mm)
{
	struct process **slot, *q, **all;
	bool is_new;

	slot = hash_u64_get(&p->by_mm, mm, &is_new);
	if (!slot || !is_new)
		return slot ? *slot : NULL;
	if (p->n == p->room) {
		size_t room = p->room ? 2 * p->room : 256;

		all = dump_alloc(p->v->dump, room * sizeof(*all));
		if (!all)
			return NULL;
		memcpy(all, p->all, p->n * sizeof(*all));
		p->all = all;
		p->room = room;
	}
	q = dump_alloc(p->v->dump, sizeof(*q));
	if (!q)
		return NULL;
	q->mm = mm;
	p->all[p->n++] = *slot = q;
	return q;
}

/* The leader stands for its process, else the first thread that was found. */
static void take_task(struct processes *p, struct process *q, const struct task *t)
{
	q->threads++;
	q->groups += !q->has_task || q->last_tgid != (uint64_t)t->tgid;
	q->last_tgid = t->tgid;
	q->blocked += t->state == 'D';
	if (q->has_task &&
	    !(t->pid == t->tgid && q->task.pid != q->task.tgid && q->task.tgid == t->tgid))
		return;
	q->has_task = true;
	q->task = *t;
	q->has_oom = p->has_scores && oom_process_read(&p->scores, t, &q->oom) == ST_OK;
	if (p->has_cgroups)
		q->paths = cgroups_of_set(&p->cgroups, t->css_set);
}

static enum status visit(void *arg, const struct task *t)
{
	struct processes *p = arg;
	struct process *q, **by_tgid;
	bool is_new;

	if (dump_stopped(p->v->dump))
		return ST_STOPPED;
	if (!t->mm) {
		p->exited += !t->is_kthread && t->pid == t->tgid;
		return ST_OK;
	}
	q = process_of(p, t->mm);
	if (!q)
		return ST_NOMEM;
	if (t->is_kthread) {
		q->kthreads++;
		return ST_OK;
	}
	take_task(p, q, t);
	by_tgid = hash_u64_get(&p->by_tgid, t->tgid, &is_new);
	if (!by_tgid)
		return dump_no_memory(p->v->dump);
	*by_tgid = q;
	return ST_OK;
}

static void read_mm(struct processes *p, struct process *q)
{
	q->has_mm = mm_struct_read(&p->mms, q->mm, &q->info) == ST_OK;
	q->has_exact = q->has_task ? q->task.has_mm : q->has_mm && q->info.has_exact;
	if (!q->has_exact)
		return;
	if (!q->has_task) {
		q->exact = q->info.exact;
		return;
	}
	q->exact = (struct mm_counts){ .anon = q->task.rss_anon,
				       .file = q->task.rss_file,
				       .shmem = q->task.rss_shmem,
				       .swap = q->task.swap };
}

enum status processes_collect(struct processes *p)
{
	struct dump *d = p->v->dump;
	enum status st;

	hash_u64_init(&p->by_mm, d->arena, sizeof(struct process *));
	hash_u64_init(&p->by_tgid, d->arena, sizeof(struct process *));
	st = tasks_walk(&p->tasks, visit, p);
	if (st == ST_NOMEM)
		return st;
	if (st != ST_OK)
		p->tasks_problem = arena_strdup(d->arena, d->error);
	for (size_t i = 0; i < p->n; i++)
		read_mm(p, p->all[i]);
	return st == ST_STOPPED ? st : ST_OK;
}
