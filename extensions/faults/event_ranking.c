// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e -g: page-fault events counted by the keys of -g. */
#include "util/units.h"

#include "event_buffers.h"
#include "events.h"

#define DEFAULT_ROWS 10
#define UNKNOWN UINT64_MAX /* of a value; no pid, CPU or interned text is so */

enum {
	COL_RANK,
	COL_EVENTS,
	COL_PERCENT,
	COL_THREADS,
	COL_FIRST,
	COL_LAST,
	COL_PID,
	COL_COMM,
	COL_CPU,
	COL_INSTANCE,
	COL_MODE,
	COL_ADDRESS,
	COL_IP,
	COL_IP_SYMBOL,
	COL_INSTRUCTION,
	COL_CODE,
	COL_ERROR,
	COL_VMA,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_RANK] = { COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	[COL_EVENTS] = { COLUMN_events, IN_BOTH | KNOWN },
	[COL_PERCENT] = { COLUMN_event_percent, IN_TEXT },
	[COL_THREADS] = { COLUMN_threads, IN_BOTH | KNOWN },
	[COL_FIRST] = { COLUMN_first_ts_ns, IN_BOTH },
	[COL_LAST] = { COLUMN_last_ts_ns, IN_BOTH },
	[COL_PID] = { COLUMN_pid, 0 },
	[COL_COMM] = { COLUMN_comm, 0 },
	[COL_CPU] = { COLUMN_cpu, 0 },
	[COL_INSTANCE] = { COLUMN_instance, 0 },
	[COL_MODE] = { COLUMN_mode, 0 },
	[COL_ADDRESS] = { COLUMN_address, 0, "of the page that faulted" },
	[COL_IP] = { COLUMN_ip, 0 },
	[COL_IP_SYMBOL] = { COLUMN_ip_symbol, 0 },
	[COL_INSTRUCTION] = { COLUMN_instruction, 0 },
	[COL_CODE] = { COLUMN_error_code, 0 },
	[COL_ERROR] = { COLUMN_error, 0 },
	[COL_VMA] = { COLUMN_vma_file, 0 },
};

static struct cell number(uint64_t value)
{
	return cell_int((int32_t)value);
}

static struct cell text(uint64_t value)
{
	return cell_text((const char *)(uintptr_t)value);
}

/* The column of a key, and how its value becomes a cell. */
static const struct {
	unsigned int column;
	struct cell (*cell)(uint64_t value);
} keys[EVENT_KEYS] = {
	[EVENT_PID] = { COL_PID, number },
	[EVENT_COMM] = { COL_COMM, text },
	[EVENT_CPU] = { COL_CPU, number },
	[EVENT_INSTANCE] = { COL_INSTANCE, text },
	[EVENT_MODE] = { COL_MODE, text },
	[EVENT_ADDRESS] = { COL_ADDRESS, cell_hex },
	[EVENT_IP] = { COL_IP, cell_hex },
	[EVENT_IP_SYMBOL] = { COL_IP_SYMBOL, text },
	[EVENT_INSTRUCTION] = { COL_INSTRUCTION, text },
	[EVENT_ERROR_CODE] = { COL_CODE, cell_hex },
	[EVENT_ERROR] = { COL_ERROR, text },
	[EVENT_VMA] = { COL_VMA, text },
};

/* The keys, and what one of them says of another. */
static void prepare(struct cmdline *in)
{
	for (size_t i = 0; i < in->ngroups; i++) {
		table_show(&in->table, keys[in->groups[i]].column);
		if (in->groups[i] == EVENT_IP)
			table_show(&in->table, COL_IP_SYMBOL);
	}
}

const struct view fault_event_ranking = { "ranking",	       "-e -g ip",
					  COLUMNS_OF(columns), .prepare = prepare,
					  .keys = event_keys,  .nkeys = EVENT_KEYS,
					  .filters_rows = true };

struct group {
	uint64_t values[GROUP_KEYS];
	const char *ip_symbol; /* of its first event */
	uint64_t events, threads;
	bool has_time;
	uint64_t first, last;
};

/* The clock that times are of: that of the first event that has one. */
struct timing {
	const struct trace_buffer_of *of; /* NULL: there was none yet */
	uint64_t others;		  /* events of other clocks */
};

static uint64_t interned(struct fault_events *e, const char *s)
{
	s = intern(&e->texts, s);
	return s ? (uint64_t)(uintptr_t)s : UNKNOWN;
}

static uint64_t value_of(struct fault_events *e, const struct fault_event *ev, size_t key)
{
	const struct trace_ring *ring = ev->record.ring;

	switch (key) {
	case EVENT_PID:
		return (uint32_t)ev->record.pid;
	case EVENT_COMM:
		return interned(e, ev->comm);
	case EVENT_CPU:
		return ring->cpu;
	case EVENT_INSTANCE:
		return interned(e, ring->buffer->array->name);
	case EVENT_MODE:
		return interned(e, fault_event_mode(ev));
	case EVENT_ADDRESS:
		return ev->address & ~(dump_page_size(e->view->dump) - 1);
	case EVENT_IP:
		return ev->ip;
	case EVENT_IP_SYMBOL:
		return interned(e, fault_event_symbol(ev));
	case EVENT_INSTRUCTION:
		return interned(e, fault_event_instruction(ev));
	case EVENT_ERROR_CODE:
		return ev->code;
	case EVENT_ERROR:
		return interned(e, fault_event_error(ev));
	default:
		return interned(e, fault_event_vma(ev));
	}
}

/* The addresses that are all ones are values, not unknown. */
static bool is_known(size_t key, uint64_t value)
{
	return value != UNKNOWN || keys[key].cell == cell_hex;
}

/* Whether the time of an event can be compared with those of the others. */
static bool is_timed(struct timing *t, const struct trace_buffer_of *b)
{
	if (b->array->clock.in_ns && !t->of)
		t->of = b;
	if (t->of && t->of->clock == b->clock)
		return true;
	t->others++;
	return false;
}

static enum status count(struct fault_view *v, const struct fault_event *ev, struct timing *timing,
			 struct hash_bytes *groups, struct hash_bytes *threads)
{
	struct fault_events *e = v->data;
	const struct cmdline *in = v->in;
	struct {
		uint64_t values[GROUP_KEYS];
		int64_t pid;
	} key = { { 0 }, ev->record.pid };
	struct hash_bytes_entry *entry;
	struct group *g;
	bool is_new, new_thread;

	for (size_t i = 0; i < in->ngroups; i++)
		key.values[i] = value_of(e, ev, in->groups[i]);
	entry = hash_bytes_get(groups, key.values, sizeof(key.values), &is_new);
	if (!entry || !hash_bytes_get(threads, &key, sizeof(key), &new_thread))
		return dump_fail(v->dump, ST_NOMEM, "out of memory");
	g = entry->value;
	if (is_new) {
		for (size_t i = 0; i < in->ngroups; i++)
			g->values[i] = key.values[i];
		g->ip_symbol = fault_event_symbol(ev);
	}
	g->events++;
	g->threads += new_thread;
	if (!is_timed(timing, ev->record.ring->buffer))
		return ST_OK;
	if (!g->has_time || ev->record.ts < g->first)
		g->first = ev->record.ts;
	if (!g->has_time || ev->record.ts > g->last)
		g->last = ev->record.ts;
	g->has_time = true;
	return ST_OK;
}

static enum status add_row(struct fault_view *v, const struct group *g, uint64_t total)
{
	const struct cmdline *in = v->in;
	struct cell *row = table_add(&v->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_EVENTS] = cell_uint(g->events);
	row[COL_PERCENT] = cell_uint(units_tenths(g->events, total));
	row[COL_THREADS] = cell_uint(g->threads);
	row[COL_FIRST] = cell_if(g->has_time, cell_uint(g->first));
	row[COL_LAST] = cell_if(g->has_time, cell_uint(g->last));
	for (size_t i = 0; i < in->ngroups; i++) {
		size_t key = in->groups[i];

		if (key == EVENT_IP)
			row[COL_IP_SYMBOL] = cell_text(g->ip_symbol);
		if (is_known(key, g->values[i]))
			row[keys[key].column] = keys[key].cell(g->values[i]);
	}
	return ST_OK;
}

enum status fault_event_ranking_show(struct fault_view *v)
{
	struct fault_events *e = v->data;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	struct hash_bytes groups, threads;
	struct timing timing = { NULL };
	struct fault_event ev;
	enum status st = ST_OK;

	hash_bytes_init(&groups, v->dump->arena, sizeof(struct group));
	hash_bytes_init(&threads, v->dump->arena, 0);
	while (st == ST_OK && fault_events_next(e, &ev))
		st = count(v, &ev, &timing, &groups, &threads);
	for (struct hash_bytes_entry *g = groups.first; st == ST_OK && g; g = g->next)
		st = add_row(v, g->value, e->kept);
	table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "events", o->reverse);
	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][COL_RANK] = cell_uint(i + 1);
	if (timing.of && timing.others)
		report_warn(
			&v->report,
			"FIRST and LAST are of the clock %s: %llu events of other clocks have none",
			timing.of->array->clock.name ? timing.of->array->clock.name
						     : "of the first event",
			(unsigned long long)timing.others);
	report_rows(&v->report, t, o, DEFAULT_ROWS);
	report_rest(&v->report, t->n - v->report.rows_shown, "group", "groups", NULL);
	return event_buffers_end(v, &e->reader, e->kept);
}
