// SPDX-License-Identifier: GPL-2.0-or-later
/* When those started that the summary tells of without an ID of theirs: by their cgroup, by their name. */
#include "cgroup/cgroup.h"
#include "collect/task_places.h"
#include "memowner/case.h"
#include "story.h"

struct search {
	struct story *st;
	struct tasks tasks;
	struct task_places places;
	bool has_oldest, has_crowd, has_same_parent;
	struct task oldest;	 /* of the cgroup whose limit keeps it from running */
	struct task first, last; /* of those that ran or could run */
	size_t n;
};

static void take_limited(struct search *x, const struct task *t)
{
	const struct summary *s = x->st->s;
	const char *of = s->limited_words ? s->limited_cgroup : NULL;
	const char *cgroup = of ? task_cgroup(&x->places, t) : NULL;

	if (!cgroup || !cgroup_is_below(cgroup, of) ||
	    (x->has_oldest && x->oldest.start_ns <= t->start_ns))
		return;
	x->oldest = *t;
	x->has_oldest = true;
}

static void take_crowd(struct search *x, const struct task *t)
{
	const struct summary *s = x->st->s;

	if (!s->waits_for_cpu || !s->crowd || strcmp(s->crowd, t->comm) != 0)
		return;
	x->has_same_parent = t->has_ppid &&
			     (!x->n || (x->has_same_parent && x->first.ppid == t->ppid));
	if (!x->n || t->start_ns < x->first.start_ns)
		x->first = *t;
	if (!x->n || t->start_ns > x->last.start_ns)
		x->last = *t;
	x->n++;
}

static enum status take(void *arg, const struct task *t)
{
	struct search *x = arg;

	if (dump_stopped(x->st->s->dump))
		return ST_STOPPED;
	if (t->is_kthread || t->pid != t->tgid || !t->mm || !t->start_ns)
		return ST_OK;
	take_limited(x, t);
	take_crowd(x, t);
	return ST_OK;
}

static bool is_told(const struct story *st, const char *comm)
{
	return ANY_NEXT(e, st->first, e->kind == EVENT_START && e->what && !strcmp(e->what, comm));
}

static void add_started(struct search *x, const struct task *t, const char *before,
			const char *after, const char *command)
{
	struct story *st = x->st;
	const struct summary *s = st->s;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	struct maybe_u64 age = { 0 }, ts;

	age.known = age_at_panic(&s->report->info, t->start_ns, &age.n);
	if (!age.known || !s->of_case || is_told(st, t->comm))
		return;
	ts = story_before_end(s, s->of_case->machine.clocks.agree ? age : (struct maybe_u64){ 0 });
	if (!story_tells_start(st, ts))
		return;
	strbuf_add(&b, "%s started, %s before the %s%s", before, TIME_TEXT(age.n),
		   age_end(&s->report->info), after);
	STORY_ADD(st, .kind = EVENT_START, .clock = CLOCK_OF_TASKS, .ts = ts, .what = t->comm,
		  .text = b.buf, .command = command);
}

/* "invoice-render (263) in /system.slice/invoice-render.service" */
static const char *who(struct search *x, const struct task *t)
{
	const char *cgroup = task_cgroup(&x->places, t);

	return dump_text(x->st->s->dump, "%s (%d)%s%s", t->comm, t->pid, cgroup ? " in " : "",
			 cgroup ?: "");
}

static void add_limited(struct search *x)
{
	struct dump *d = x->st->s->dump;

	if (x->has_oldest)
		add_started(x, &x->oldest, who(x, &x->oldest),
			    ", the oldest process that this cgroup has",
			    dump_text(d, "faults -f pid=%d -o +life_ns", x->oldest.pid));
}

static const char *parent_of(struct search *x, const struct task *t)
{
	struct task parent;

	return tasks_find(&x->tasks, t->ppid, &parent) == ST_OK
		       ? dump_text(x->st->s->dump, ", children of %s (%d),", parent.comm,
				   parent.pid)
		       : "";
}

static void add_crowd(struct search *x)
{
	const struct story *st = x->st;
	struct dump *d = st->s->dump;
	const char *parent = x->n && x->has_same_parent ? parent_of(x, &x->first) : "";
	const char *cgroup = x->n ? task_cgroup(&x->places, &x->first) : NULL;
	uint64_t age;

	if (x->n < 2 || !age_at_panic(&st->s->report->info, x->last.start_ns, &age))
		return;
	add_started(x, &x->first,
		    dump_text(d, "the first of %s processes %s%s%s%s", COUNT_TEXT(x->n),
			      x->first.comm, cgroup ? " in " : "", cgroup ?: "", parent),
		    dump_text(d, ", the last of them %s before it", TIME_TEXT(age)),
		    story_filtered(st->s,
				   *parent ? "faults -o +life_ns,ppid" : "faults -o +life_ns",
				   "comm", x->first.comm));
}

void story_add_starts(struct story *st)
{
	struct summary *s = st->s;
	struct search *x;

	if (s->dump->log_file || (!s->limited_words && !s->crowd))
		return;
	x = dump_alloc(s->dump, sizeof(*x));
	*x = (struct search){ .st = st };
	if (tasks_open(s->dump, &x->tasks) == ST_OK) {
		task_places_open(s->dump, &x->places);
		/* The oldest, and how many there are, are of all. */
		if (tasks_walk(&x->tasks, take, x) == ST_OK) {
			add_limited(x);
			add_crowd(x);
		}
	}
	s->dump->error[0] = '\0';
}
