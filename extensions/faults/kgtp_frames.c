// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -k: the frames of all rings in the order of their ids. */
#include "kgtp.h"

#include "util/units.h"

enum {
	COL_ID,
	COL_CPU,
	COL_TS,
	COL_TIME_SOURCE,
	COL_PID,
	COL_TRACEPOINT,
	COL_ADDRESS,
	COL_SYMBOL,
	COL_PROBE,
	COL_PAGE_FAULT,
	COL_REGISTERS,
	COL_VARIABLES,
	COL_RANGES,
	COL_BYTES,
	COL_DEFECTS,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_ID] = { COLUMN_frame_id, IN_BOTH },
	[COL_CPU] = { COLUMN_cpu, IN_BOTH | KNOWN },
	[COL_TS] = { COLUMN_ts_ns, IN_BOTH, "if a variable with a clock was collected" },
	[COL_TIME_SOURCE] = { COLUMN_time_source, IN_JSON },
	[COL_PID] = { COLUMN_pid, IN_JSON, "if $current_task_pid was collected" },
	[COL_TRACEPOINT] = { COLUMN_tracepoint, IN_BOTH },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON,
			  "of the tracepoint, or of the instruction if that is unknown" },
	[COL_SYMBOL] = { COLUMN_symbol, IN_BOTH },
	[COL_PROBE] = { COLUMN_probe, IN_BOTH, "step: a step of while-stepping, no hit" },
	[COL_PAGE_FAULT] = { COLUMN_page_fault, IN_BOTH },
	[COL_REGISTERS] = { COLUMN_registers, IN_JSON | KNOWN },
	[COL_VARIABLES] = { COLUMN_variables, IN_JSON | KNOWN },
	[COL_RANGES] = { COLUMN_ranges, IN_BOTH | KNOWN },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN, "of memory" },
	[COL_DEFECTS] = { COLUMN_defects, IN_BOTH },
};

static enum status add_frame(struct kgtp_view *k, const struct kgtp_frame *f)
{
	struct cell *row = table_add(&k->view->in->table);
	bool has_head = !(f->defects & KGTP_HEAD_LOST), is_fault;
	uint64_t address;

	if (!row)
		return ST_NOMEM;
	row[COL_ID] = cell_if(f->id, cell_uint(f->id));
	row[COL_CPU] = cell_uint(f->ring->cpu);
	row[COL_TS] = cell_if(f->has_time, cell_uint(f->time_ns));
	row[COL_TIME_SOURCE] = cell_text(f->has_time ? kgtp_view_clock(f) : NULL);
	row[COL_PID] = cell_if(f->has_pid, cell_int(f->pid));
	row[COL_TRACEPOINT] = cell_if(has_head, cell_uint(f->number));
	row[COL_PROBE] = cell_text(kgtp_view_probe(k, f));
	row[COL_REGISTERS] = cell_bool(f->has_regs);
	row[COL_VARIABLES] = cell_uint(f->variables);
	row[COL_RANGES] = cell_uint(f->pieces);
	row[COL_BYTES] = cell_uint(f->bytes);
	row[COL_DEFECTS] = cell_text(kgtp_view_defects(k->view->dump, f));
	if (!kgtp_view_address(k, f, &address))
		return ST_OK;
	row[COL_ADDRESS] = cell_hex(address);
	row[COL_SYMBOL] = cell_text(kgtp_view_symbol(k, address));
	if (kgtp_view_page_fault(k, address, kgtp_tracepoint_of(&k->kgtp, f), &is_fault))
		row[COL_PAGE_FAULT] = cell_bool(is_fault);
	return ST_OK;
}

/* "23 frames of 40 begun, 3 pages overwritten, circular; tracing was on" */
static void put_totals(const struct kgtp *k, struct sink *out)
{
	char n[UNITS_PLURAL];

	sink_text(out, units_plural(n, k->frames.n, "frame", "frames"));
	if (k->known[KGTP_SET_CREATED] && !kgtp_view_damaged(k, KGTP_SET_CREATED))
		sink_printf(out, " of %lld begun", (long long)k->settings[KGTP_SET_CREATED]);
	if (k->known[KGTP_SET_DISCARDED] && !kgtp_view_damaged(k, KGTP_SET_DISCARDED))
		sink_printf(out, ", %lld %s overwritten",
			    (long long)k->settings[KGTP_SET_DISCARDED],
			    k->settings[KGTP_SET_DISCARDED] == 1 ? "page" : "pages");
	if (k->known[KGTP_SET_CIRCULAR])
		sink_text(out, k->settings[KGTP_SET_CIRCULAR] ? ", circular" : ", not circular");
	if (k->known[KGTP_SET_START])
		sink_text(out, k->settings[KGTP_SET_START] ? "; tracing was on\n"
							   : "; tracing was off\n");
	else
		sink_text(out, "\n");
}

static enum status show_frames(struct fault_view *v)
{
	struct kgtp_view *k = v->data;
	const struct opts *o = &v->in->opts;
	const struct kgtp_frames *frames = &k->kgtp.frames;
	struct table *t = &v->in->table;
	enum status st = ST_OK;
	size_t shown;
	bool whole;

	if (o->save) {
		st = kgtp_view_save(k);
		if (st != ST_OK)
			return st;
		whole = kgtp_view_warn(k);
		report_end(&v->report, NULL, whole);
		return ST_OK;
	}
	for (size_t i = 0; st == ST_OK && i < frames->n && !dump_stopped(v->dump); i++)
		if (kgtp_view_keeps(k, &frames->f[i]))
			st = add_frame(k, &frames->f[i]);
	table_filter(t, &v->in->filters);
	/* -r alone: the newest frame first. */
	if (st == ST_OK && (o->sort || o->reverse))
		st = table_sort(t, o->sort ? o->sort : "frame_id", o->sort && o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, t, o, 0);
	report_rest(&v->report, t->n - shown, "frame", "frames", NULL);
	whole = kgtp_view_warn(k);
	report_end(&v->report, NULL, whole);
	if (!o->json)
		put_totals(&k->kgtp, v->out);
	return ST_OK;
}

const struct fault_view_ops kgtp_frames_view = {
	.view = { "frames", "-k", COLUMNS_OF(columns), .keys = kgtp_keys, .nkeys = KGTP_KEYS,
		  .filters_rows = true, .named = &kgtp_frame_view.view },
	.open = kgtp_view_open,
	.show = show_frames,
};
