// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e -t timeline: a row per thread, a character per interval. */

#include "events.h"

#define INTERVALS 64	       /* of a line; as time goes on, they double */
#define FIRST_INTERVAL 1000000 /* nanoseconds */

struct line {
	int32_t pid;
	const char *comm; /* of its newest event */
	uint64_t events;
	uint32_t counts[INTERVALS];
	char drawn[INTERVALS + 1];
};

struct timeline {
	struct hash_u64 lines; /* by pid */
	bool begun;
	const struct trace_buffer_of *of; /* a buffer that has its clock; NULL: there is no event */
	uint64_t start;			  /* of the first interval */
	uint64_t interval;		  /* nanoseconds */
	uint64_t other_clock;		  /* events that are not in it */
};

#define ROW struct line
#define LINES const struct timeline

CELL_WITH(first_cell, ROW, LINES, cell_uint(v->start))
CELL_WITH(interval_cell, ROW, LINES, cell_uint(v->interval))

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH | KNOWN, INT_OF(ROW, pid) },
	{ COLUMN_comm, IN_BOTH, TEXT_OF(ROW, comm) },
	{ COLUMN_events, IN_BOTH | KNOWN, UINT_OF(ROW, events) },
	{ COLUMN_first_ts_ns, IN_JSON | KNOWN, "of all: where each line begins",
	  CELL_BY(first_cell) },
	{ COLUMN_interval_ns, IN_JSON | KNOWN, CELL_BY(interval_cell) },
	{ COLUMN_timeline, IN_BOTH | KNOWN | NO_SORT_KEY, CHARS_OF(ROW, drawn) },
	BASIS(recorded),
};

static void halve(struct line *l)
{
	for (size_t i = 0; i < INTERVALS; i++)
		l->counts[i] = i < INTERVALS / 2 ? l->counts[2 * i] + l->counts[2 * i + 1] : 0;
}

static void add(struct timeline *t, const struct fault_event *ev)
{
	const struct trace_ring *ring = ev->record.ring;
	uint64_t ts = ev->record.ts;
	struct line *l;

	if (!t->begun && ring->buffer->array->clock.in_ns) {
		t->begun = true;
		t->of = ring->buffer;
		t->start = ts;
		t->interval = FIRST_INTERVAL;
	}
	if (!t->begun || !event_clocks_same(t->of, ring->buffer)) {
		t->other_clock++;
		return;
	}
	/* The order of a damaged ring may not be that of its stamps. */
	ts = ts > t->start ? ts - t->start : 0;
	while (ts / t->interval >= INTERVALS) {
		hash_u64_for_each(struct line, of, &t->lines)
			halve(of);
		t->interval *= 2;
	}
	l = hash_u64_get(&t->lines, (uint32_t)ev->record.pid, NULL);
	l->pid = ev->record.pid;
	l->comm = ev->record.comm ?: l->comm;
	l->events++;
	l->counts[ts / t->interval]++;
}

static void draw(struct line *l)
{
	static const struct {
		uint32_t up_to;
		char mark;
	} marks[] = { { 0, ' ' },  { 1, '.' },	 { 9, ':' },
		      { 99, '+' }, { 999, '#' }, { UINT32_MAX, '@' } };

	for (size_t i = 0; i < INTERVALS; i++) {
		size_t m = 0;

		while (l->counts[i] > marks[m].up_to)
			m++;
		l->drawn[i] = marks[m].mark;
	}
}

static void put_scale(struct fault_view *v, const struct timeline *t)
{
	uint64_t panic;

	sink_printf(v->out, "a character is %s, the first begins at %s", TIME_TEXT(t->interval),
		    STAMP_TEXT(t->start));
	if (t->of && !t->of->array->other_boot && t->of->array->clock.is_sched &&
	    time_of_panic(&v->report.info, &panic))
		sink_printf(v->out, ", the %s is at %s", age_end(&v->report.info),
			    STAMP_TEXT(panic - (uint64_t)t->of->array->clock.log_offset));
	sink_text(v->out, "\n");
}

static enum status show(struct fault_view *v)
{
	struct fault_events *e = v->data;
	struct table *t = &v->in->table;
	struct timeline line = { .begun = false };
	struct fault_event ev;

	hash_u64_init(&line.lines, v->dump->arena, sizeof(struct line));
	while (fault_events_next(e, &ev))
		add(&line, &ev);
	for (struct hash_u64_entry *l = line.lines.first; l; l = l->next) {
		draw((struct line *)l->value);
		row_add(t, l->value, &line);
	}
	rows_sort(v->in);
	report_rows(&v->report, t, &v->in->opts, v->in->shown->rows);
	if (!v->in->opts.json && t->n)
		put_scale(v, &line);
	report_rest(&v->report, t->n - v->report.rows_shown, "thread", "threads", NULL);
	/* A panic on the same clock is told with it. */
	if (t->n && (line.of->array->other_boot || !line.of->array->clock.is_sched))
		report_warn(&v->report, "the timeline is of the clock %s",
			    event_clock_text(v, line.of->array));
	if (line.other_clock)
		report_warn(&v->report, "%lu %s left out", line.other_clock,
			    line.other_clock == 1 ? "event of another clock is"
						  : "events of other clocks are");
	return event_buffers_end(v, &e->reader, e->kept);
}

const struct fault_view_ops fault_event_timeline = {
	{ "timeline", "-t timeline", COLUMNS_OF(columns), .keys = event_keys, .nkeys = EVENT_KEYS,
	  ROWS_ARE("thread", "threads", "events", 10) },
	NULL,
	fault_events_open,
	show
};
