// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -k: the frames of all rings in the order of their ids. */
#include "kgtp.h"

#define ROW struct kgtp_frame
#define VIEW struct kgtp_view

static struct cell time_source_cell(const void *record, void *view NOT_USED)
{
	const struct kgtp_frame *f = record;

	return cell_text(!f->has_time			     ? NULL
			 : f->clock == KGTP_VAR_CLOCK	     ? "$clock"
			 : f->clock == KGTP_VAR_COOKED_CLOCK ? "$cooked_clock"
							     : "$xtime_sec");
}

/* "head-lost,hole" */
static struct cell defects_cell(const void *record, void *view)
{
	const struct kgtp_frame *f = record;
	const struct kgtp_view *k = view;
	struct strbuf s = STRBUF_OF(128);

	for (unsigned int i = 0; i < KGTP_DEFECTS; i++)
		if (f->defects >> i & 1)
			strbuf_add(&s, "%s%s", strbuf_between(&s, ","), kgtp_defect_name(1 << i));
	return cell_text(s.len ? dump_strdup(k->view->dump, s.buf) : NULL);
}

CELL_FROM(tracepoint_cell, ROW, cell_if(!(r->defects & KGTP_HEAD_LOST), cell_uint(r->number)))
CELL_WITH(address_cell, ROW, VIEW, kgtp_address_cell(kgtp_view_spot(v, r)))
CELL_WITH(symbol_cell, ROW, VIEW, kgtp_symbol_cell(v, kgtp_view_spot(v, r)))
CELL_WITH(page_fault_cell, ROW, VIEW, kgtp_page_fault_cell(v, kgtp_view_spot(v, r)))
CELL_WITH(probe_cell, ROW, VIEW, cell_text(kgtp_view_probe(v, r)))

static const struct view_column columns[] = {
	{ COLUMN_frame_id, IN_BOTH, UINT_NONZERO(ROW, id) },
	{ COLUMN_cpu, IN_BOTH | KNOWN, VIA(UINT, ROW, ring, cpu) },
	{ COLUMN_ts_ns, IN_BOTH, "if a variable with a clock was collected",
	  UINT_IF(ROW, time_ns, has_time) },
	{ COLUMN_time_source, IN_JSON, CELL_BY(time_source_cell) },
	{ COLUMN_pid, IN_JSON, "if $current_task_pid was collected", INT_IF(ROW, pid, has_pid) },
	{ COLUMN_tracepoint, IN_BOTH, CELL_BY(tracepoint_cell) },
	{ COLUMN_address, IN_JSON, "of the tracepoint, or of the instruction if that is unknown",
	  CELL_BY(address_cell) },
	{ COLUMN_symbol, IN_BOTH, CELL_BY(symbol_cell) },
	{ COLUMN_probe, IN_BOTH, "step: a step of while-stepping, no hit", CELL_BY(probe_cell) },
	{ COLUMN_page_fault, IN_BOTH, CELL_BY(page_fault_cell) },
	{ COLUMN_registers, IN_JSON | KNOWN, BOOL_OF(ROW, has_regs) },
	{ COLUMN_variables, IN_JSON | KNOWN, UINT_OF(ROW, variables) },
	{ COLUMN_ranges, IN_BOTH | KNOWN, UINT_OF(ROW, pieces) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, "of memory", UINT_OF(ROW, bytes) },
	{ COLUMN_defects, IN_BOTH, CELL_BY(defects_cell) },
	BASIS(recorded),
};

/* "23 frames of 40 begun, 3 pages overwritten, circular; tracing was on" */
static void put_totals(const struct kgtp *k, struct sink *out)
{
	sink_text(out, COUNT_OF(k->frames.n, "frame"));
	if (k->known[KGTP_SET_CREATED] && !kgtp_view_damaged(k, KGTP_SET_CREATED))
		sink_printf(out, " of %ld begun", k->settings[KGTP_SET_CREATED]);
	if (k->known[KGTP_SET_DISCARDED] && !kgtp_view_damaged(k, KGTP_SET_DISCARDED))
		sink_printf(out, ", %ld %s overwritten", k->settings[KGTP_SET_DISCARDED],
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

	if (o->save)
		return kgtp_view_save(k) ?: kgtp_view_end(k, true);
	for (size_t i = 0; i < frames->n && !dump_stopped(v->dump); i++)
		rows_add(v->in, &frames->f[i], k);
	table_filter(t, &v->in->filters);
	/* -r alone: the newest frame first. */
	if (o->sort || o->reverse)
		table_sort(t, o->sort ?: "frame_id", o->sort && o->reverse);
	report_rest(&v->report, t->n - report_rows(&v->report, t, o, 0), "frame", "frames", NULL);
	kgtp_view_end(k, true);
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
