// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom the filters of memowner stuck may mean as well: threads at no such place, and others of a process. */
#include "stuck_asked.h"

/* Whoever names a thread may mean its process. */
static bool names_a_thread(const struct cmdline *in, const struct filter *f)
{
	const enum column_id column = in->keys[f->key].column;

	return !f->exclude && (column == COLUMN_comm || column == COLUMN_pid);
}

static bool has_row_named(const struct stuck *x, const char *comm)
{
	return ANY_NEXT(s, x->first, !strcmp(s->task.comm, comm));
}

/*
 * Who asks for a state means all threads that have it. What became of one that is asked for by its number, or by a name
 * that no row has, is told where nothing has that: it is not to be met here.
 */
static void warn_of_places(struct owner_view *v, const struct stuck *x)
{
	const struct cmdline *in = v->in;
	const struct filters *f = &in->filters;
	const bool by_name = ANY_OF(i, f->n, in->keys[f->filters[i].key].column == COLUMN_comm);
	size_t kept = 0;

	/* Who leaves some out asks for no others. */
	if (!ANY_OF(i, f->n, !f->filters[i].exclude) || in->opts.all ||
	    ANY_OF(i, f->n, in->keys[f->filters[i].key].column == COLUMN_pid))
		return;
	for (const struct stuck_task *s = x->others; s; s = s->next)
		kept += (!by_name || has_row_named(x, s->task.comm)) && rows_would_keep(in, s, v);
	if (kept)
		report_warn(&v->report,
			    "%s that the filters keep %s at none of these places: -a has %s",
			    COUNT_OF(kept, "more thread"), kept == 1 ? "is" : "are",
			    kept == 1 ? "it" : "them");
}

static const struct stuck_task *leader_of(const struct stuck *x, const struct stuck_task *s)
{
	const struct stuck_task *lists[] = { x->first, x->others };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct stuck_task *t = lists[i]; t; t = t->next)
			if (t->task.pid == s->task.tgid)
				return t;
	return NULL;
}

/* Kept as its first thread, or by the name of that: the process may be meant. */
static bool stands_for_process(const struct owner_view *v, const struct stuck *x,
			       const struct stuck_task *s)
{
	const struct stuck_task *leader = leader_of(x, s);

	return leader && !strcmp(leader->task.comm, s->task.comm) &&
	       rows_would_keep(v->in, s, (void *)v);
}

/* Of a process its threads at these places that filters leave out; 0: it is not asked for. */
static size_t left_of(const struct owner_view *v, const struct stuck *x, const struct stuck_task *s)
{
	size_t n = 0;

	if (!stands_for_process(v, x, s))
		return 0;
	for (const struct stuck_task *t = x->first; t; t = t->next)
		n += t->task.tgid == s->task.tgid && !rows_would_keep(v->in, t, (void *)v);
	return n;
}

static void warn_of_siblings(struct owner_view *v, const struct stuck *x)
{
	const struct stuck_task *lists[] = { x->first, v->in->opts.all ? x->others : NULL };
	const struct stuck_task *most = NULL;
	const struct filters *f = &v->in->filters;
	size_t left = 0;
	bool more = false;

	if (f->nrows || !ANY_OF(i, f->n, names_a_thread(v->in, &f->filters[i])))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		for (const struct stuck_task *s = lists[i]; s; s = s->next) {
			const bool is_told = most && most->task.tgid == s->task.tgid;
			const size_t n = is_told ? 0 : left_of(v, x, s);

			more |= most && n;
			if (n > left) {
				most = s;
				left = n;
			}
		}
	}
	if (most)
		report_warn(&v->report,
			    "%s of process %d (%s) %s at these places, and -f leaves %s out: "
			    "-f tgid=%d%s",
			    PLURAL_TEXT(left, "other thread", "other threads"), most->task.tgid,
			    most->task.comm, left == 1 ? "is" : "are", left == 1 ? "it" : "them",
			    most->task.tgid, more ? "; others have such threads, too" : "");
}

void stuck_warn_of_others(struct owner_view *v, const struct stuck *x)
{
	warn_of_places(v, x);
	warn_of_siblings(v, x);
}
