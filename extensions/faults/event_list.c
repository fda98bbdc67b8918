// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e: a row for each page-fault event, oldest first. */
#include "events.h"

#define ROW struct fault_event

CAN_HAVE(is_kernel, ROW, void, !r->is_user)

/* The file is that of a mapping at the panic. */
static struct cell basis_cell(const void *record, void *view)
{
	const struct cmdline *in = ((struct fault_view *)view)->in;
	bool has_vma = cmdline_filters_by(in, EVENT_VMA);

	if (!has_vma && table_needs(&in->table, COLUMN_vma_file))
		has_vma = fault_vma_cell(record, view).kind != CELL_NULL;
	return cell_text(has_vma ? "derived" : "recorded");
}

static const struct view_column columns[] = {
	EVENT_COLUMNS,
	{ COLUMN_mode, IN_JSON | KNOWN, .choices = event_modes, CELL_BY(fault_mode_cell) },
	{ COLUMN_address, IN_BOTH | KNOWN, "that faulted", 14, HEX_OF(ROW, address) },
	{ COLUMN_instruction, IN_TEXT, CELL_IF_NEEDED(fault_instruction_cell) },
	{ COLUMN_ip, IN_JSON | KNOWN, HEX_OF(ROW, ip) },
	{ COLUMN_ip_symbol, IN_JSON, .can_have = is_kernel, CELL_IF_NEEDED(fault_symbol_cell) },
	{ COLUMN_error_code, IN_JSON | KNOWN, HEX_OF(ROW, code) },
	{ COLUMN_error, IN_BOTH | KNOWN, CELL_IF_NEEDED(fault_error_cell) },
	{ COLUMN_vma_file, IN_BOTH, CELL_IF_NEEDED(fault_vma_cell) },
	EVENT_MARK_COLUMN,
	BASIS_ASKED(basis_cell, "derived where vma_file is known or asked for"),
};

/* Consumed and uncommitted events are shown with their mark. */
static void prepare(struct cmdline *in)
{
	if (in->opts.all)
		table_show(&in->table, COLUMN_mark);
}

/* Row by row, as they come. */
static void stream(struct fault_view *v, struct fault_events *e)
{
	const struct opts *o = &v->in->opts;
	uint64_t limit = o->has_rows ? o->rows : 0;
	struct fault_event ev;

	while (!v->out->closed && fault_events_next(e, &ev)) {
		if (limit && v->report.rows_shown == limit)
			continue;
		if (!o->json && !v->report.rows_shown)
			table_stream_header(&v->in->table, v->out);
		row_stream(&v->report, &v->in->table, &ev, v);
	}
	v->report.rows_total = e->kept;
	report_rest(&v->report, e->kept - v->report.rows_shown, "event", "events", NULL);
}

/* All are kept until the last is known. */
static void put_sorted(struct fault_view *v, struct fault_events *e)
{
	struct event_clocks clocks;
	struct fault_event ev;

	event_clocks_init(v, &clocks);
	while (fault_events_next(e, &ev)) {
		row_add(&v->in->table, &ev, v);
		event_clocks_add(v, &clocks, &ev.record);
	}
	events_show(v, &clocks);
}

static enum status show(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	struct fault_events *e = v->data;

	if (v->in->shown == &fault_event_ranking)
		return fault_event_ranking_show(v);
	if (o->sort || o->reverse || v->in->filters.nrows)
		put_sorted(v, e);
	else
		stream(v, e);
	if (e->vma_problem)
		report_warn(&v->report, "some mappings are unknown: %s", e->vma_problem);
	return event_buffers_end(v, &e->reader, e->kept);
}

const struct fault_view_ops fault_event_list = {
	{ "events", "-e", COLUMNS_OF(columns), .prepare = prepare, .grouped = &fault_event_ranking,
	  .named = &fault_event_records.view, .below = &event_buffer_view, .keys = event_keys,
	  .nkeys = EVENT_KEYS, ROWS_ARE("event", "events", NULL, 0) },
	NULL,
	fault_events_open,
	show
};
