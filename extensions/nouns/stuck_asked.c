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

/* Threads of processes of which filters keep some. */
struct siblings {
	const struct owner_view *v;
	const struct stuck *x;
	struct hash_u64 leaders; /* of const struct stuck_task *, by tgid: their first threads */
	struct hash_u64 counted; /* by tgid: processes */
	const struct stuck_task *most;
	size_t left; /* of it */
	bool more;
};

static void find_leaders(struct siblings *b)
{
	const struct stuck_task *lists[] = { b->x->first, b->x->others };
	struct arena *a = b->v->dump->arena;

	hash_u64_init(&b->leaders, a, sizeof(const struct stuck_task *));
	hash_u64_init(&b->counted, a, 0);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct stuck_task *t = lists[i]; t; t = t->next)
			if (t->task.pid == t->task.tgid)
				*(const struct stuck_task **)hash_u64_get(
					&b->leaders, (uint64_t)t->task.tgid, NULL) = t;
}

/* Kept as its first thread, or by the name of that: the process may be meant. */
static bool stands_for_process(const struct siblings *b, const struct stuck_task *s)
{
	const struct stuck_task *const *leader = hash_u64_find(&b->leaders, (uint64_t)s->task.tgid);

	return leader && !strcmp((*leader)->task.comm, s->task.comm) &&
	       rows_would_keep(b->v->in, s, (void *)b->v);
}

/* Of a process its threads at these places that filters leave out, once; 0: it is not asked for. */
static size_t left_of(struct siblings *b, const struct stuck_task *s)
{
	const uint64_t tgid = (uint64_t)s->task.tgid;
	size_t n = 0;

	if (hash_u64_has(&b->counted, tgid) || !stands_for_process(b, s))
		return 0;
	hash_u64_add(&b->counted, tgid);
	for (const struct stuck_task *t = b->x->first; t; t = t->next)
		n += t->task.tgid == s->task.tgid && !rows_would_keep(b->v->in, t, (void *)b->v);
	return n;
}

static void add_left(struct siblings *b, const struct stuck_task *s)
{
	const size_t n = left_of(b, s);

	b->more |= b->most && n;
	if (n > b->left) {
		b->most = s;
		b->left = n;
	}
}

static void warn_of_siblings(struct owner_view *v, const struct stuck *x)
{
	const struct stuck_task *lists[] = { x->first, v->in->opts.all ? x->others : NULL };
	struct siblings b = { .v = v, .x = x };
	const struct filters *f = &v->in->filters;

	if (f->nrows || !ANY_OF(i, f->n, names_a_thread(v->in, &f->filters[i])))
		return;
	find_leaders(&b);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct stuck_task *s = lists[i]; s; s = s->next)
			add_left(&b, s);
	if (b.most)
		report_warn(&v->report,
			    "%s of process %d (%s) %s at these places, and -f leaves %s out: "
			    "-f tgid=%d%s",
			    PLURAL_TEXT(b.left, "other thread", "other threads"), b.most->task.tgid,
			    b.most->task.comm, b.left == 1 ? "is" : "are",
			    b.left == 1 ? "it" : "them", b.most->task.tgid,
			    b.more ? "; others have such threads, too" : "");
}

void stuck_warn_of_others(struct owner_view *v, const struct stuck *x)
{
	warn_of_places(v, x);
	warn_of_siblings(v, x);
}
