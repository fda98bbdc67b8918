// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs that ended by an exception of their own, by the log: again and again, or for good. */
#include "log/log_told.h"
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "tasks/task.h"

#define CRASHES 3 /* of one name: once it may have been by accident */

struct search {
	const struct user_crashes *crashes;
	bool is_there[CRASHED];
};

static enum status look(void *arg, const struct task *t)
{
	struct search *x = arg;

	for (unsigned int i = 0; i < x->crashes->n; i++)
		x->is_there[i] |= !strcmp(x->crashes->all[i].comm, t->comm);
	return ST_OK;
}

/* Whether no thread has one of these names: false where some may be missing, as of a log alone. */
static bool all_were_seen(struct summary *s, struct search *x)
{
	struct tasks tasks;

	if (s->dump->log_file || tasks_open(s->dump, &tasks) != ST_OK)
		return false;
	tasks.identity_only = true;
	return tasks_walk(&tasks, look, x) == ST_OK && !tasks.cut.n && tasks.has_count &&
	       tasks.visited >= tasks.count;
}

/* "edrd ended by an exception of its own: edrd[143]: segfault at 0 ...; no thread of that name is there at the end, ..." */
static void add_gone(struct summary *s, const struct user_crash *c)
{
	struct strbuf b = STRBUF_OF(512);

	strbuf_add(&b, "%s ended by an exception of its own by the log: %.*s", c->comm, SIGN_TEXT,
		   c->last->text);
	summary_add_when(s, c->last->ts_ns, &b);
	strbuf_add(&b, "; at the end no thread has that name");
	summary_add_logged(s, c->last, b.buf);
}

static void add_many(struct summary *s, const struct user_crash *c)
{
	struct strbuf b = STRBUF_OF(512);

	strbuf_add(&b, "%s ended by an exception of its own %u times by the log", c->comm, c->n);
	summary_add_when(s, c->first->ts_ns, &b);
	strbuf_add(&b, "%s; the last: %.*s",
		   summary_time_of(s, c->first->ts_ns).known ? " for the first time" : "",
		   SIGN_TEXT, c->last->text);
	summary_add_when(s, c->last->ts_ns, &b);
	summary_add_logged(s, c->last, b.buf);
}

void summary_add_crashes(struct summary *s)
{
	const struct user_crashes *all = &s->told->crashes;
	struct search x = { .crashes = all };
	const bool is_known = all->n && all_were_seen(s, &x);

	for (unsigned int i = 0; i < all->n; i++) {
		if (all->all[i].n >= CRASHES)
			add_many(s, &all->all[i]);
		else if (is_known && !x.is_there[i])
			add_gone(s, &all->all[i]);
	}
}
