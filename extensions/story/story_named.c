// SPDX-License-Identifier: GPL-2.0-or-later
/* Whom the summary names as the cause: when they started, and whose answer they wait for. */
#include "collect/task_places.h"
#include "memowner/case.h"
#include "memowner/verdict_words.h"
#include "story.h"

/* What the summary says of the cause. */
static const enum section sections[] = { SECTION_VERDICT, SECTION_MOST, SECTION_LIMIT,
					 SECTION_STUCK };

/* Who ran on a CPU in the end is there by chance; a text without that, or the text. */
static const char *without(const struct story *st, const char *text, const char *part)
{
	const char *at = part && *part ? strstr(text, part) : NULL;

	return at ? dump_text(st->s->dump, "%.*s%s", (int)(at - text), text, at + strlen(part))
		  : text;
}

void story_find_named(struct story *st)
{
	struct summary *s = st->s;
	struct strbuf b = STRBUF_OF(8192);

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		for (const struct statement *row = s->first[sections[i]]; row; row = row->next)
			/* Whom the log says that a CPU was stuck in had it then: that is told with it. */
			if (row->remark && strcmp(row->by ?: "", STUCK_BY_LOG) != 0)
				strbuf_add(&b, "%s\n",
					   without(st, without(st, row->remark, s->busy_cpu),
						   s->ready));
	task_names_find(s->dump, b.buf, &st->named);
}

bool story_tells_start(const struct story *st, struct maybe_u64 ts)
{
	return !st->deadlock.known || !ts.known || ts.n <= st->deadlock.n;
}

static bool has_row(const struct story *st, int32_t tgid, const char *comm)
{
	return ANY_NEXT(row, st->s->first[SECTION_GROUP],
			row->pages.known &&
				(row->processes.n == 1
					 ? row->pid.known && row->pid.n == (uint64_t)tgid
					 : row->comm && !strcmp(row->comm, comm)));
}

/* " in /system.slice/srv-pictures.mount": which service it is of that the summary names. */
static void add_place(const struct summary *s, struct tasks *tasks, struct task_places *places,
		      int32_t tgid, struct strbuf *b)
{
	struct task task;

	if (tasks_find(tasks, tgid, &task) != ST_OK)
		return;
	summary_place(s,
		      &(const struct statement){ .pid = { (uint64_t)tgid, true },
						 .comm = task.comm,
						 .cgroup = task_cgroup(places, &task) },
		      b);
}

void story_add_named(struct story *st)
{
	const struct summary *s = st->s;
	struct task_places places;
	struct tasks tasks;

	if (!st->named.n || tasks_open(s->dump, &tasks) != ST_OK)
		return;
	task_places_open(s->dump, &places);
	for (size_t i = 0; s->of_case && i < st->named.n; i++) {
		struct strbuf b = STRBUF_OF(STORY_TEXT);
		struct maybe_u64 age = { 0 }, ts = { 0 };

		/* What has much memory is told with that; threads of the kernel start when it needs them. */
		if (has_row(st, st->named.all[i].tgid, st->named.all[i].comm) ||
		    !st->named.all[i].start_ns)
			continue;
		age.known = age_at_panic(&s->report->info, st->named.all[i].start_ns, &age.n);
		if (!age.known)
			continue;
		ts = story_before_end(
			s, s->of_case->machine.clocks.agree ? age : (struct maybe_u64){ 0 });
		if (!story_tells_start(st, ts))
			continue;
		strbuf_add(&b, "%s (%d)", st->named.all[i].comm, st->named.all[i].tgid);
		add_place(s, &tasks, &places, st->named.all[i].tgid, &b);
		strbuf_add(&b, " started, %s before the %s", TIME_TEXT(age.n),
			   age_end(&s->report->info));
		STORY_ADD(st, .kind = EVENT_START, .clock = CLOCK_OF_TASKS, .ts = ts,
			  .what = st->named.all[i].comm, .text = b.buf,
			  .command = dump_text(s->dump, "faults -f pid=%d -o +life_ns",
					       st->named.all[i].tgid));
	}
}
