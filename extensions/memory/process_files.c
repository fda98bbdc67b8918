// SPDX-License-Identifier: GPL-2.0-or-later
/* What a process alone keeps beside its memory: files without a name, sockets, rings, BPF maps. */
#include "files.h"
#include "collect/task_places.h"
#include "processes.h"

static void add(struct processes *p, int32_t tgid, uint64_t pages)
{
	struct process *const *q = hash_u64_find(&p->by_tgid, (uint64_t)tgid);

	if (q)
		(*q)->held_files += pages;
}

/* A file that several keep is told of one of them, where -g puts all into one group and -f leaves out none. */
static void add_of_group(struct processes *p, const struct file_row *r)
{
	const struct view *of = p->v->in->shown;
	struct process *const *first = hash_u64_find(&p->by_tgid, (uint64_t)r->tgids[0]);

	if (!first || !(*first)->is_kept)
		return;
	for (size_t i = 1; i < r->ntgids; i++) {
		struct process *const *q = hash_u64_find(&p->by_tgid, (uint64_t)r->tgids[i]);

		if (!q || !(*q)->is_kept ||
		    !rows_same_group(p->v->in, of->member_columns, of->nmember_columns, *first, *q,
				     p))
			return;
	}
	(*first)->group_files += r->use.pages;
}

void processes_add_group_files(struct processes *p)
{
	int32_t tgid;

	for (const struct file_row *r = p->files ? p->files->first : NULL; r; r = r->next)
		if (files_keeper(p->files, r, &tgid) == FILE_KEPT_BY_SEVERAL)
			add_of_group(p, r);
}

static const char *problem_of(struct processes *p, const struct files_view *f, uint64_t unknown)
{
	if (p->tasks_problem)
		return p->tasks_problem;
	if (f->found.unreadable)
		return dump_text(p->v->dump, "no struct page in this dump for %s",
				 COUNT_OF(f->found.unreadable, "page"));
	if (f->users_problem)
		return f->users_problem;
	if (unknown)
		return dump_text(p->v->dump, "who uses %s is unknown",
				 COUNT_OF(unknown, "deleted file"));
	return NULL;
}

enum status processes_find_files(struct processes *p)
{
	struct owner_view *v = p->v;
	struct files_view *f = dump_alloc(v->dump, sizeof(*f));
	uint64_t unknown = 0;
	int32_t tgid;
	enum status st;

	if (!v->classes) {
		p->files_problem = "page classes are not available";
		return ST_OK;
	}
	st = files_prepare(v, f) ?: files_collect(f);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		p->files_problem = dump_why(v->dump);
		return ST_OK;
	}
	files_read_users(f);
	p->files = f;
	for (const struct file_row *r = f->first; r; r = r->next) {
		enum file_kept kept = files_keeper(f, r, &tgid);

		unknown += kept == FILE_KEPT_UNKNOWN;
		if (kept == FILE_KEPT_BY_ONE)
			add(p, tgid, r->use.pages);
	}
	p->files_problem = problem_of(p, f, unknown);
	for (size_t i = 0; i < p->n; i++)
		p->all[i]->has_files = !p->files_problem && p->all[i]->has_task;
	return dump_stopped(v->dump) ? ST_STOPPED : ST_OK;
}

enum status processes_find_other(struct processes *p)
{
	struct session session = owner_session(p->v);
	enum status st;

	/* Why nothing is known was told of files. */
	if (!p->v->classes || !session.types)
		return ST_OK;
	st = held_collect(&session, &p->held);
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i]->has_task)
			p->all[i]->other = held_by(&p->held, p->all[i]->task.tgid);
	return st;
}

enum status processes_find_open(struct processes *p)
{
	enum status st = open_counts_read(p->v->dump, false, &p->open);

	if (st == ST_STOPPED)
		return st;
	p->open_problem = st == ST_OK ? p->open.problem : dump_why(p->v->dump);
	for (size_t i = 0; i < p->n; i++) {
		struct process *q = p->all[i];

		if (!q->has_task || st != ST_OK)
			continue;
		q->open = open_counts_of(&p->open, q->task.tgid);
		/* That it has none is known where every table was read. */
		q->has_open = q->open || p->open.complete;
	}
	return ST_OK;
}

enum status processes_find_signals(struct processes *p)
{
	enum status st = signal_users_collect(p->v->dump, &p->signals);

	if (st == ST_STOPPED)
		return st;
	p->signals_problem = st == ST_OK ? p->signals.problem : dump_why(p->v->dump);
	for (size_t i = 0; i < p->n; i++) {
		struct process *q = p->all[i];

		if (!q->has_task || st != ST_OK)
			continue;
		q->signals = signals_of(&p->signals, q->task.tgid);
		q->has_signals = q->signals && (q->signals->n || !p->signals.problem);
	}
	return ST_OK;
}

void processes_find_executables(struct processes *p)
{
	struct task_places *places = dump_alloc(p->v->dump, sizeof(*places));

	if (task_places_open_files(p->v->dump, places) != ST_OK)
		p->executable_problem = dump_why(p->v->dump);
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i]->has_task) {
			p->all[i]->executable = task_executable(places, &p->all[i]->task);
			p->no_executable += places->has_files && !p->all[i]->executable;
		}
}
