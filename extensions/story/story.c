// SPDX-License-Identifier: GPL-2.0-or-later
#include "story.h"

#include <stdlib.h>

#include "log/log_file.h"

const char *const event_names[] = {
	[EVENT_VERDICT] = "verdict",
	[EVENT_HOLDER] = "holder",
	[EVENT_BOOT] = "boot",
	[EVENT_LOG] = "log",
	[EVENT_START] = "start",
	[EVENT_GROWTH] = "growth",
	[EVENT_WRITTEN] = "written",
	[EVENT_WAIT] = "wait",
	[EVENT_DEADLOCK] = "deadlock",
	[EVENT_OOM] = "oom",
	[EVENT_ALLOCATION] = "allocation",
	[EVENT_MEM_INFO] = "mem_info",
	[EVENT_FORK] = "fork",
	[EVENT_REACHED] = "reached",
	[EVENT_MORE] = "more",
	[EVENT_CHANGE] = "change",
	[EVENT_GROWN] = "grown",
	[EVENT_WARNING] = "warning",
	[EVENT_EXCEPTION] = "exception",
	[EVENT_PANIC] = "panic",
	[EVENT_END] = "end",
	[EVENT_LIMIT] = "limit",
	[EVENT_MEMORY] = "memory",
	[EVENT_USER] = "user",
	[EVENT_PRESSURE] = "pressure",
	[EVENT_RECLAIM] = "reclaim",
	[EVENT_VICTIM] = "victim",
	NULL,
};

const char *const event_clocks[] = { "log", "monotonic", "realtime", NULL };

static bool has_place(const struct story_event *e)
{
	return e->ts.known || e->is_placed;
}

/* Where the time of one of two is unknown, their order is that in which they were found. */
static int by_time(const void *a, const void *b)
{
	const struct story_event *x = *(struct story_event *const *)a;
	const struct story_event *y = *(struct story_event *const *)b;

	if (story_is_first(x) != story_is_first(y))
		return story_is_first(x) ? -1 : 1;
	if (story_is_state(x) != story_is_state(y))
		return story_is_state(x) ? 1 : -1;
	if (has_place(x) != has_place(y))
		return has_place(x) ? -1 : 1;
	if (has_place(x) && x->ts.n != y->ts.n)
		return x->ts.n < y->ts.n ? -1 : 1;
	/* What is placed stands behind the record of that time. */
	if (has_place(x) && x->ts.known != y->ts.known)
		return x->ts.known ? -1 : 1;
	if (x->ts.known && x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/* Of a log without times since boot: ts is unknown, and has the number of a record; that of the end has not. */
static int by_line(const void *a, const void *b)
{
	const struct story_event *x = *(struct story_event *const *)a;
	const struct story_event *y = *(struct story_event *const *)b;
	const bool of_lines = !story_is_first(x) && !story_is_first(y) && !story_is_state(x) &&
			      !story_is_state(y);

	if (of_lines && (x->kind == EVENT_END) != (y->kind == EVENT_END))
		return x->kind == EVENT_END ? 1 : -1;
	if (of_lines && x->ts.n != y->ts.n)
		return x->ts.n < y->ts.n ? -1 : 1;
	return by_time(a, b);
}

static void sort(struct story *st)
{
	size_t n = 0;

	st->events = dump_alloc(st->s->dump, (st->n + 1) * sizeof(struct story_event *));
	for (struct story_event *e = st->first; e; e = e->next)
		st->events[n++] = e;
	qsort(st->events, n, sizeof(*st->events), st->has_no_times ? by_line : by_time);
}

void story_collect(struct story *st)
{
	const struct log_file *f = st->s->dump->log_file;

	st->last = &st->first;
	st->has_no_times = f && f->has_no_times;
	story_add_verdict(st);
	if (!f)
		story_find_named(st);
	/* What started behind a deadlock is none of its causes. */
	if (!f)
		story_add_waits(st);
	story_add_start(st);
	story_add_named(st);
	story_add_starts(st);
	story_add_restarts(st);
	story_add_growth(st);
	story_add_files(st);
	story_add_reports(st);
	story_add_signs(st);
	story_add_end(st);
	story_add_state(st);
	sort(st);
}
