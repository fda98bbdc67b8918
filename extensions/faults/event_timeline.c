// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e -t timeline: a row per thread, a character per interval. */
#include "util/units.h"

#include "event_buffers.h"
#include "events.h"

#define DEFAULT_ROWS 10
#define INTERVALS 64	       /* of a line; as time goes on, they double */
#define FIRST_INTERVAL 1000000 /* nanoseconds */

enum { COL_PID, COL_COMM, COL_EVENTS, COL_FIRST, COL_INTERVAL, COL_TIMELINE, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_PID] = { COLUMN_pid, IN_BOTH | KNOWN },
	[COL_COMM] = { COLUMN_comm, IN_BOTH },
	[COL_EVENTS] = { COLUMN_events, IN_BOTH | KNOWN },
	[COL_FIRST] = { COLUMN_first_ts_ns, IN_JSON | KNOWN, "of all: where each line begins" },
	[COL_INTERVAL] = { COLUMN_interval_ns, IN_JSON | KNOWN },
	[COL_TIMELINE] = { COLUMN_timeline, IN_BOTH | KNOWN | NO_SORT_KEY },
};

struct line {
	int32_t pid;
	const char *comm; /* of its newest event */
	uint64_t events;
	uint32_t counts[INTERVALS];
};

struct timeline {
	struct hash_u64 lines; /* by pid */
	bool begun;
	size_t clock;		      /* of the buffers that it is of */
	const struct trace_clock *of; /* the same; NULL: there is no event */
	uint64_t start;		      /* of the first interval */
	uint64_t interval;	      /* nanoseconds */
	uint64_t other_clock;	      /* events that are not in it */
};

static void halve(struct line *l)
{
	for (size_t i = 0; i < INTERVALS; i++)
		l->counts[i] = i < INTERVALS / 2 ? l->counts[2 * i] + l->counts[2 * i + 1] : 0;
}

static enum status add(struct fault_view *v, struct timeline *t, const struct fault_event *ev)
{
	const struct trace_ring *ring = ev->record.ring;
	uint64_t ts = ev->record.ts;
	struct line *l;
	bool is_new;

	if (!t->begun) {
		t->begun = true;
		t->clock = ring->buffer->clock;
		t->of = &ring->buffer->array->clock;
		t->start = ts;
		t->interval = FIRST_INTERVAL;
	}
	if (ring->buffer->clock != t->clock || !ring->buffer->array->clock.in_ns) {
		t->other_clock++;
		return ST_OK;
	}
	/* The order of a damaged ring may not be that of its stamps. */
	ts = ts > t->start ? ts - t->start : 0;
	while (ts / t->interval >= INTERVALS) {
		for (struct hash_u64_entry *e = t->lines.first; e; e = e->next)
			halve((struct line *)e->value);
		t->interval *= 2;
	}
	l = hash_u64_get(&t->lines, (uint32_t)ev->record.pid, &is_new);
	if (!l)
		return dump_fail(v->dump, ST_NOMEM, "out of memory");
	l->pid = ev->record.pid;
	l->comm = ev->comm ? ev->comm : l->comm;
	l->events++;
	l->counts[ts / t->interval]++;
	return ST_OK;
}

static const char *draw(struct dump *d, const struct line *l)
{
	static const struct {
		uint32_t up_to;
		char mark;
	} marks[] = { { 0, ' ' },  { 1, '.' },	 { 9, ':' },
		      { 99, '+' }, { 999, '#' }, { UINT32_MAX, '@' } };
	char *text = dump_alloc(d, INTERVALS + 1);

	for (size_t i = 0; text && i < INTERVALS; i++) {
		size_t m = 0;

		while (l->counts[i] > marks[m].up_to)
			m++;
		text[i] = marks[m].mark;
	}
	return text;
}

static enum status add_row(struct fault_view *v, const struct timeline *t, const struct line *l)
{
	struct cell *row = table_add(&v->in->table);
	const char *text = draw(v->dump, l);

	if (!row || !text)
		return ST_NOMEM;
	row[COL_PID] = cell_int(l->pid);
	row[COL_COMM] = cell_text(l->comm);
	row[COL_EVENTS] = cell_uint(l->events);
	row[COL_FIRST] = cell_uint(t->start);
	row[COL_INTERVAL] = cell_uint(t->interval);
	row[COL_TIMELINE] = cell_text(text);
	return ST_OK;
}

static void put_scale(struct fault_view *v, const struct timeline *t)
{
	uint64_t panic = v->report.info.panic_ns;
	char interval[UNITS_BYTES];

	units_time(interval, t->interval);
	sink_printf(v->out, "a character is %s, the first begins at %llu.%06llu", interval,
		    (unsigned long long)(t->start / 1000000000),
		    (unsigned long long)(t->start % 1000000000 / 1000));
	if (v->report.info.has_panic_time && t->of && t->of->is_sched) {
		panic -= (uint64_t)t->of->log_offset;
		sink_printf(v->out, ", the panic is at %llu.%06llu",
			    (unsigned long long)(panic / 1000000000),
			    (unsigned long long)(panic % 1000000000 / 1000));
	}
	sink_text(v->out, "\n");
}

static enum status show(struct fault_view *v)
{
	struct fault_events *e = v->data;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	struct timeline line = { .begun = false };
	struct fault_event ev;
	enum status st = ST_OK;

	hash_u64_init(&line.lines, v->dump->arena, sizeof(struct line));
	while (st == ST_OK && fault_events_next(e, &ev))
		st = add(v, &line, &ev);
	for (struct hash_u64_entry *l = line.lines.first; st == ST_OK && l; l = l->next)
		st = add_row(v, &line, (const struct line *)l->value);
	table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "events", o->reverse);
	if (st != ST_OK)
		return st;
	report_rows(&v->report, t, o, DEFAULT_ROWS);
	if (!o->json && t->n)
		put_scale(v, &line);
	report_rest(&v->report, t->n - v->report.rows_shown, "thread", "threads", NULL);
	if (line.other_clock)
		report_warn(&v->report, "%llu %s left out", (unsigned long long)line.other_clock,
			    line.other_clock == 1 ? "event of another clock is"
						  : "events of other clocks are");
	return event_buffers_end(v, &e->reader, e->kept);
}

const struct fault_view_ops fault_event_timeline = { { "timeline", "-t timeline",
						       COLUMNS_OF(columns), .keys = event_keys,
						       .nkeys = EVENT_KEYS, .filters_rows = true },
						     NULL,
						     fault_events_open,
						     show };
