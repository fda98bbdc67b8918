// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e: a row for each page-fault event, oldest first. */
#include <stdio.h>

#include "event_buffers.h"
#include "events.h"

enum {
	COL_TO_PANIC,
	COL_TS,
	COL_CPU,
	COL_INSTANCE,
	COL_BUFFER,
	COL_PID,
	COL_COMM,
	COL_MODE,
	COL_ADDRESS,
	COL_INSTRUCTION,
	COL_IP,
	COL_IP_SYMBOL,
	COL_CODE,
	COL_ERROR,
	COL_VMA,
	COL_MARK,
	COLUMNS
};

static const char *const modes[] = { "user", "kernel", NULL };
static const char *const buffers[] = { "main", "snapshot", NULL };
static const char *const marks[] = { "consumed", "uncommitted", "cut", "damaged", NULL };

static const struct view_column columns[COLUMNS] = {
	[COL_TO_PANIC] = { COLUMN_to_panic, IN_TEXT },
	[COL_TS] = { COLUMN_ts_ns, IN_JSON, "of another clock than nanoseconds: null" },
	[COL_CPU] = { COLUMN_cpu, IN_BOTH | KNOWN },
	[COL_INSTANCE] = { COLUMN_instance, IN_JSON | KNOWN },
	[COL_BUFFER] = { COLUMN_buffer, IN_JSON | KNOWN, .choices = buffers },
	[COL_PID] = { COLUMN_pid, IN_BOTH | KNOWN },
	[COL_COMM] = { COLUMN_comm, IN_BOTH },
	[COL_MODE] = { COLUMN_mode, IN_JSON | KNOWN, .choices = modes },
	[COL_ADDRESS] = { COLUMN_address, IN_BOTH | KNOWN, "that faulted", 14 },
	[COL_INSTRUCTION] = { COLUMN_instruction, IN_TEXT },
	[COL_IP] = { COLUMN_ip, IN_JSON | KNOWN },
	[COL_IP_SYMBOL] = { COLUMN_ip_symbol, IN_JSON },
	[COL_CODE] = { COLUMN_error_code, IN_JSON | KNOWN },
	[COL_ERROR] = { COLUMN_error, IN_BOTH | KNOWN },
	[COL_VMA] = { COLUMN_vma_file, IN_BOTH },
	[COL_MARK] = { COLUMN_mark, IN_JSON, "-a shows the first two", .choices = marks },
};

/* Consumed and uncommitted events are shown with their mark. */
static void prepare(struct cmdline *in)
{
	if (in->opts.all)
		table_show(&in->table, COL_MARK);
}

static void fill(struct fault_view *v, const struct fault_event *ev, struct cell *row)
{
	const struct table *t = &v->in->table;
	const char *sort = v->in->opts.sort;
	const struct trace_ring *ring = ev->record.ring;
	const struct trace_array *a = ring->buffer->array;

	if (table_needs(t, COL_TO_PANIC, sort) || table_needs(t, COL_TS, sort))
		row[COL_TO_PANIC] = cell_ranked(event_to_panic(v, &ev->record));
	row[COL_TS] = cell_if(a->clock.in_ns, cell_uint(ev->record.ts));
	row[COL_CPU] = cell_uint(ring->cpu);
	row[COL_INSTANCE] = cell_text(a->name);
	row[COL_BUFFER] = cell_text(buffers[ring->buffer->is_snapshot]);
	row[COL_PID] = cell_int(ev->record.pid);
	row[COL_COMM] = cell_text(ev->comm);
	row[COL_MODE] = cell_text(fault_event_mode(ev));
	row[COL_ADDRESS] = cell_hex(ev->address);
	if (table_needs(t, COL_INSTRUCTION, sort))
		row[COL_INSTRUCTION] = cell_text(fault_event_instruction(ev));
	row[COL_IP] = cell_hex(ev->ip);
	if (table_needs(t, COL_IP_SYMBOL, sort))
		row[COL_IP_SYMBOL] = cell_text(fault_event_symbol(ev));
	row[COL_CODE] = cell_hex(ev->code);
	if (table_needs(t, COL_ERROR, sort))
		row[COL_ERROR] = cell_text(fault_event_error(ev));
	if (table_needs(t, COL_VMA, sort))
		row[COL_VMA] = cell_text(fault_event_vma(ev));
	row[COL_MARK] = cell_text(ring_doubt_name(ev->record.doubt));
}

/* Row by row, as they come. */
static void stream(struct fault_view *v, struct fault_events *e)
{
	const struct opts *o = &v->in->opts;
	uint64_t limit = o->has_rows ? o->rows : 0;
	struct cell row[COLUMNS];
	struct fault_event ev;

	while (!v->out->closed && fault_events_next(e, &ev)) {
		if (limit && v->report.rows_shown == limit)
			continue;
		if (!o->json && !v->report.rows_shown)
			table_stream_header(&v->in->table, v->out);
		for (size_t i = 0; i < COLUMNS; i++)
			row[i] = cell_text(NULL);
		fill(v, &ev, row);
		if (o->json)
			table_json_row(&v->in->table, v->out, row);
		else
			table_stream_row(&v->in->table, v->out, row);
		v->report.rows_shown++;
	}
	v->report.rows_total = e->kept;
}

/* All are kept until the last is known. */
static enum status sorted(struct fault_view *v, struct fault_events *e)
{
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	struct event_clocks clocks = { NULL };
	struct fault_event ev;
	enum status st;

	while (fault_events_next(e, &ev)) {
		struct cell *row = table_add(t);

		if (!row)
			return ST_NOMEM;
		fill(v, &ev, row);
		event_clocks_add(v, &clocks, &ev.record);
	}
	table_filter(t, &v->in->filters);
	st = o->sort ? events_sort(v, &clocks) : ST_OK;
	if (st != ST_OK)
		return st;
	if (!o->sort && o->reverse)
		table_reverse(t);
	report_rows(&v->report, t, o, 0);
	return ST_OK;
}

static enum status show(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	struct fault_events *e = v->data;
	struct report *r = &v->report;
	enum status st = ST_OK;

	if (v->in->shown == &fault_event_ranking)
		return fault_event_ranking_show(v);
	if (o->sort || o->reverse || v->in->filters.nrows)
		st = sorted(v, e);
	else
		stream(v, e);
	if (st != ST_OK)
		return st;
	report_rest(r, r->rows_total - r->rows_shown, "event", "events", NULL);
	if (e->vma_problem)
		report_warn(r, "some mappings are unknown: %s", e->vma_problem);
	return event_buffers_end(v, &e->reader, e->kept);
}

const struct fault_view_ops fault_event_list = {
	{ "events", "-e", COLUMNS_OF(columns), .prepare = prepare, .grouped = &fault_event_ranking,
	  .named = &fault_event_records.view, .below = &event_buffer_view, .keys = event_keys,
	  .nkeys = EVENT_KEYS, .filters_rows = true },
	NULL,
	fault_events_open,
	show
};
