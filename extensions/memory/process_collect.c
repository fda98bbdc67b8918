// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks, summed by the mm_struct that they use. */

#include "vm/rss_witness.h"
#include "processes.h"

static struct process *process_of(struct processes *p, uint64_t mm)
{
	struct process **slot, *q;
	bool is_new;

	slot = hash_u64_get(&p->by_mm, mm, &is_new);
	if (!is_new)
		return *slot;
	p->all = arena_more(p->v->dump->arena, p->all, p->n, sizeof(*p->all));
	q = dump_alloc(p->v->dump, sizeof(*q));
	q->mm = mm;
	p->all[p->n++] = *slot = q;
	return q;
}

/* The leader stands for its process, else the first thread that was found. */
static void take_task(struct processes *p, struct process *q, const struct task *t)
{
	uint32_t uid = 0;

	q->threads++;
	q->groups += !q->has_task || q->last_tgid != (uint64_t)t->tgid;
	q->last_tgid = t->tgid;
	q->blocked += t->state == 'D';
	if (q->has_task &&
	    !(t->pid == t->tgid && q->task.pid != q->task.tgid && q->task.tgid == t->tgid))
		return;
	q->has_task = true;
	q->task = *t;
	q->thread_comm = NULL;
	if (t->pid != t->tgid && p->leader.tgid == t->tgid) {
		q->thread_comm = dump_strdup(p->v->dump, t->comm);
		memcpy(q->task.comm, p->leader.comm, sizeof(q->task.comm));
		q->task.start_ns = p->leader.start_ns;
	}
	q->has_oom = p->has_scores && oom_process_read(&p->scores, t, &q->oom) == ST_OK;
	if (p->has_users)
		q->uid.known = task_user(&p->users, t->address, &uid) == ST_OK;
	q->uid.n = uid;
	if (p->has_cgroups)
		q->paths = cgroups_of_set(&p->cgroups, t->css_set);
}

static enum status visit(void *arg, const struct task *t)
{
	struct processes *p = arg;
	struct process *q, **by_tgid;

	if (dump_stopped(p->v->dump))
		return ST_STOPPED;
	/* It is visited before the others of its process. */
	if (t->pid == t->tgid) {
		p->leader = *t;
		*(const char **)hash_u64_get(&p->names, (uint64_t)t->tgid,
					     NULL) = intern(&p->v->texts, t->comm);
	}
	if (!t->mm)
		return ST_OK;
	q = process_of(p, t->mm);
	if (t->is_kthread) {
		q->kthreads++;
		return ST_OK;
	}
	take_task(p, q, t);
	by_tgid = hash_u64_get(&p->by_tgid, t->tgid, NULL);
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

/* Which of several processes that share an mm_struct has a list that is cut is not looked up. */
static void put_threads(const struct processes *p, struct process *q)
{
	const struct hash_u64 *cut = &p->tasks.cut;

	q->has_threads = q->groups > 1 ? !cut->n : !hash_u64_has(cut, q->task.signal);
}

static void find_parent(struct processes *p, struct process *q)
{
	const char *const *name = q->has_task && q->task.has_ppid
					  ? hash_u64_find(&p->names, (uint64_t)q->task.ppid)
					  : NULL;

	q->parent = name ? *name : NULL;
}

enum status processes_collect(struct processes *p)
{
	struct dump *d = p->v->dump;
	enum status st;

	hash_u64_init(&p->by_mm, d->arena, sizeof(struct process *));
	hash_u64_init(&p->by_tgid, d->arena, sizeof(struct process *));
	hash_u64_init(&p->names, d->arena, sizeof(const char *));
	rss_witness(d);
	st = tasks_walk(&p->tasks, visit, p);
	if (st != ST_OK) {
		p->tasks_problem = dump_why(d);
		p->tasks_lack = availability_of(st);
	}
	for (size_t i = 0; i < p->n; i++) {
		put_threads(p, p->all[i]);
		find_parent(p, p->all[i]);
		read_mm(p, p->all[i]);
	}
	return st == ST_STOPPED ? st : ST_OK;
}

/* What the kernel writes its own text through (arch/x86/kernel/alternative.c). */
static const char *kernel_name_of(struct dump *d, uint64_t mm)
{
	static const char *const names[] = { "poking_mm", "text_poke_mm" };
	uint64_t at, value;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (dump_has_symbol(d, names[i]) && dump_symbol(d, names[i], &at) == ST_OK &&
		    dump_u64(d, at, &value, names[i]) == ST_OK && value == mm)
			return names[i];
	return NULL;
}

static enum status take_mm(void *arg, uint64_t mm)
{
	struct processes *p = arg;
	struct process *q;

	if (hash_u64_has(&p->by_mm, mm))
		return ST_OK;
	q = process_of(p, mm);
	p->without_task++;
	q->kernel_name = kernel_name_of(p->v->dump, mm);
	q->has_threads = true;
	read_mm(p, q);
	return ST_OK;
}

enum status processes_add_exited(struct processes *p)
{
	enum status st;

	/* What a task uses that was not reached would be told to have none. */
	if (p->tasks_problem) {
		p->exited_problem = "the task list is incomplete";
		return ST_OK;
	}
	st = mm_objects_walk(p->v->dump, take_mm, p, &p->objects);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		p->exited_problem = dump_why(p->v->dump);
	return ST_OK;
}

/* The proportional set size of a process, by its page tables. */
static enum status find_pss(struct processes *p, struct pss_reader *reader, struct process *q)
{
	struct pss pss = { 0 };
	enum status st = ST_OK;

	if (mm_counts_rss(&q->exact))
		st = pss_read(reader, q->info.pgd, &pss);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		p->no_pss++;
		if (!p->no_pss_tables++)
			p->pss_problem = dump_why(p->v->dump);
		return ST_OK;
	}
	/* Tables of a process that ran may be ahead of its counters. */
	q->has_pss = pss.pages == (uint64_t)mm_counts_rss(&q->exact);
	q->pss_bytes = pss.bytes;
	q->pss_anon_bytes = pss.anon_bytes;
	q->alone = pss.alone;
	q->anon_alone = pss.anon_alone;
	q->thp_bytes = pss.anon_huge << p->v->dump->page_shift;
	p->no_pss += !q->has_pss;
	return ST_OK;
}

enum status processes_find_pss(struct processes *p)
{
	struct dump *d = p->v->dump;
	struct pss_reader *reader = dump_alloc(d, sizeof(*reader));
	enum status st = pss_open(d, reader);

	if (st != ST_OK) {
		p->pss_problem = dump_why(d);
		p->no_pss = p->no_pss_tables = p->n;
		return ST_OK;
	}
	for (size_t i = 0; i < p->n; i++) {
		if (!p->all[i]->has_exact || !p->all[i]->has_mm)
			continue;
		st = find_pss(p, reader, p->all[i]);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}
