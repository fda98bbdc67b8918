// SPDX-License-Identifier: GPL-2.0-or-later
/* Of file systems that are frozen: who started about when the first thread waited for it. Who froze it no structure says. */
#include "story_frozen.h"

#include "memowner/case.h"
#include "story.h"

#define NEAR_NS \
	15000000000ull /* of the first wait: who freezes for a backup or a snapshot may have started for that */
#define NAMED 4u /* where more started, none of them stands out */

struct nearby {
	const struct summary *s;
	const struct stuck *all;
	const struct frozen_super *of;
	uint64_t waited; /* ns before the end */
	struct strbuf *names;
	unsigned int n;
};

static enum status visit(void *arg, const struct task *t)
{
	struct nearby *x = arg;
	uint64_t age;

	if (t->pid != t->tgid || !t->mm || !t->start_ns ||
	    !age_at_panic(&x->s->report->info, t->start_ns, &age) || age > x->waited + NEAR_NS ||
	    age + NEAR_NS < x->waited ||
	    ANY_NEXT(w, x->all->first, w->frozen == x->of && w->task.tgid == t->tgid))
		return ST_OK;
	if (x->n++ < NAMED)
		strbuf_add(x->names, "%s%s (%d)", x->n > 1 ? ", " : "", t->comm, t->pid);
	return ST_OK;
}

static void add_nearby(struct story *st, const struct stuck *all, const struct frozen_super *f,
		       const struct stuck_task *first, struct strbuf *b)
{
	struct strbuf names = STRBUF_OF(256);
	struct nearby x = { .s = st->s, .all = all, .of = f, .names = &names };
	struct tasks tasks;

	if (!st->s->of_case || !st->s->of_case->machine.clocks.agree ||
	    !age_at_panic(&st->s->report->info, first->since_ns, &x.waited) ||
	    tasks_open(st->s->dump, &tasks) != ST_OK || tasks_walk(&tasks, visit, &x) != ST_OK ||
	    !x.n || x.n > NAMED)
		return;
	strbuf_add(b,
		   "; of the processes that are left %s started within %s of that, which is no "
		   "proof that %s to do with it",
		   names.buf, TIME_TEXT(NEAR_NS), x.n > 1 ? "they have" : "it has");
}

void story_add_frozen(struct story *st, const struct stuck *all)
{
	for (const struct frozen_super *f = all->frozen ? all->frozen->first : NULL; f;
	     f = f->next) {
		const struct stuck_task *first = NULL;
		struct strbuf b = STRBUF_OF(STORY_TEXT);

		for (const struct stuck_task *t = all->first; t; t = t->next)
			if (t->frozen == f && t->has_since &&
			    (!first || t->since_ns < first->since_ns))
				first = t;
		if (!first)
			continue;
		strbuf_add(&b,
			   "%s was frozen, or being frozen, by then, by which process is not "
			   "recorded",
			   f->name);
		add_nearby(st, all, f, first, &b);
		STORY_ADD(st, .kind = EVENT_WAIT, .ts = { first->since_ns, true }, .what = f->name,
			  .text = b.buf, .command = "memowner stuck");
	}
	st->s->dump->error[0] = '\0';
}
