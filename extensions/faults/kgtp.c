// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp.h"

#include "cli/textfile.h"
#include "kgtp/trace_file.h"

const struct key kgtp_keys[KGTP_KEYS] = {
	[KGTP_KEY_ID] = { COLUMN_frame_id, "id of the frame", KEY_FILTERS },
	[KGTP_KEY_CPU] = { COLUMN_cpu, "CPU that the frame was collected on", KEY_FILTERS },
	[KGTP_KEY_TRACEPOINT] = { COLUMN_tracepoint, "number of the tracepoint", KEY_FILTERS },
	[KGTP_KEY_PID] = { COLUMN_pid, "thread, where $current_task_pid was collected",
			   KEY_FILTERS },
	[KGTP_KEY_SYMBOL] = { COLUMN_symbol, "function of the tracepoint with the offset",
			      KEY_FILTERS },
	[KGTP_KEY_PAGE_FAULT] = { COLUMN_page_fault, "whether that function handles page faults",
				  KEY_FILTERS, .choices = key_yes_no },
	[KGTP_KEY_TS] = { COLUMN_ts_ns, "time, where a clock was collected", KEY_FILTERS },
};

enum status kgtp_view_open(struct fault_view *v)
{
	struct kgtp_view *k = dump_alloc(v->dump, sizeof(*k));
	enum status st;

	k->view = v;
	v->data = k;
	st = kgtp_open(v->dump, &k->kgtp);
	if (st == ST_OK)
		symbolizer_open(v->dump, &k->symbols);
	return st;
}

static const struct kgtp_tracepoint *tracepoint_of(const struct kgtp_view *k,
						   const struct kgtp_frame *f)
{
	return f->defects & KGTP_HEAD_LOST ? NULL : kgtp_tracepoint_of(&k->kgtp, f);
}

struct kgtp_spot kgtp_view_spot(const struct kgtp_view *k, const struct kgtp_frame *f)
{
	const struct kgtp_tracepoint *t = tracepoint_of(k, f);

	return (struct kgtp_spot){ t ? t->address : f->pc, t || f->has_regs, t };
}

const char *kgtp_view_probe(const struct kgtp_view *k, const struct kgtp_frame *f)
{
	const struct kgtp_tracepoint *t = tracepoint_of(k, f);

	return f->is_step ? "step" : t ? kgtp_tracepoint_probe(t) : NULL;
}

static const struct frame *frame_at(struct kgtp_view *k, struct kgtp_spot spot)
{
	const struct frame *f = spot.known ? symbolize(&k->symbols, spot.address) : NULL;

	return f && f->symbol ? f : NULL;
}

struct cell kgtp_address_cell(struct kgtp_spot spot)
{
	return cell_if(spot.known, cell_hex(spot.address));
}

struct cell kgtp_symbol_cell(struct kgtp_view *k, struct kgtp_spot spot)
{
	const struct frame *f = frame_at(k, spot);
	struct dump *d = k->view->dump;
	struct named_text *named;
	char buf[640];

	if (!f)
		return cell_text(NULL);
	named = dump_alloc(d, sizeof(*named));
	*named = (struct named_text){ dump_strdup(d, frame_text(f, buf, sizeof(buf))), f->symbol };
	return cell_named(named);
}

struct cell kgtp_page_fault_cell(struct kgtp_view *k, struct kgtp_spot spot)
{
	const struct frame *f = frame_at(k, spot);

	/* A return address is in the caller: registers tell only at the entry of a function. */
	if (!f || (!spot.is_exact && f->offset))
		return cell_text(NULL);
	return cell_bool(!f->module && kgtp_handles_faults(f->symbol));
}

/* Each kind of problem once, with the number of rings that have it and the first of them. */
static void warn_rings(struct kgtp_view *k)
{
	const struct kgtp_rings *all = &k->kgtp.rings;

	for (size_t i = 0; i < all->n; i++) {
		const char *problem = all->rings[i].problem;
		size_t n = 0, first = i;

		for (size_t j = all->n; problem && j-- > 0;)
			if (all->rings[j].problem && !strcmp(all->rings[j].problem, problem)) {
				first = j;
				n++;
			}
		if (problem && first == i)
			report_warn(&k->view->report,
				    "damaged rings: %zu, first that of cpu %u: %s", n,
				    all->rings[i].cpu, problem);
		k->view->report.has_gaps |= problem != NULL;
	}
}

bool kgtp_view_damaged(const struct kgtp *k, enum kgtp_setting counter)
{
	return k->known[counter] && k->settings[counter] < 0;
}

/* Numbers of rings of a kind. */
struct ring_sums {
	size_t taken,
		short_of; /* their pages: one at a reader, another number than there should be */
	size_t locked, unknown; /* a frame was being written; it is unknown whether one was */
};

static struct ring_sums sum_rings(const struct kgtp *g)
{
	bool reader = g->known[KGTP_SET_PIPE_PID] && g->settings[KGTP_SET_PIPE_PID] >= 0;
	uint64_t pages = g->rings.page_count;
	struct ring_sums sums = { 0 };

	for (size_t i = 0; i < g->rings.n; i++) {
		const struct kgtp_ring *ring = &g->rings.rings[i];
		bool is_taken = ring->closed && ring->closed + 1 == pages && reader;

		sums.taken += is_taken;
		sums.short_of += ring->closed && ring->closed != pages && !is_taken;
		sums.locked += ring->locked;
		sums.unknown += ring->state == KGTP_RING_OK && !ring->lock_known;
	}
	return sums;
}

/* What the counters say of their own damage. */
static int64_t damage(const struct kgtp *g, enum kgtp_setting counter)
{
	return kgtp_view_damaged(g, counter) ? g->settings[counter] : 0;
}

static void warn_counts(struct kgtp_view *k)
{
	const struct kgtp *g = &k->kgtp;
	const struct ring_sums sums = sum_rings(g);
	int64_t discarded = g->known[KGTP_SET_DISCARDED] ? g->settings[KGTP_SET_DISCARDED] : 0;
	const struct {
		const char *text;
		int64_t n;
		const char *rest;
		bool is_note; /* nothing is missing */
	} counts[] = {
		{ dump_text(k->view->dump,
			    "rings with a page at a reader of gtpframe_pipe (pid %ld)",
			    g->settings[KGTP_SET_PIPE_PID]),
		  (int64_t)sums.taken, "; frames of that page are not shown" },
		{ "rings with another number of pages than gtp_rb_page_count",
		  (int64_t)sums.short_of },
		{ "gtp_rb_count is damaged", damage(g, KGTP_SET_NEWEST) },
		{ "gtp_frame_create is damaged", damage(g, KGTP_SET_CREATED) },
		{ "gtp_rb_discard_page_number is damaged", damage(g, KGTP_SET_DISCARDED) },
		{ "pages of older frames that were overwritten", discarded > 0 ? discarded : 0,
		  .is_note = true },
		{ "CPUs that were writing a frame (in-progress)", (int64_t)sums.locked,
		  .is_note = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		if (!counts[i].n)
			continue;
		report_warn(&k->view->report, "%s: %ld%s", counts[i].text, counts[i].n,
			    counts[i].rest ?: "");
		k->view->report.has_gaps |= !counts[i].is_note;
	}
	if (sums.unknown)
		report_warn(&k->view->report,
			    "whether a frame was being written is unknown: the lock of this kernel "
			    "is of no known kind");
}

static void warn_file(struct kgtp_view *k)
{
	const struct kgtp *g = &k->kgtp;

	if (!g->rings.page_count || !g->rings.n)
		report_warn(&k->view->report,
			    "KGTP is loaded (module %s) and has no rings: gtp_rb_page_count is %lu",
			    g->symbols.module->name, g->rings.page_count);
	if (g->file_size)
		report_warn(&k->view->report,
			    "%sgtp_frame_file has a GDB trace file of %lu bytes that KGTP wrote%s",
			    g->frames.n ? "" : "the rings are empty, but ", g->file_size,
			    g->frames.n ? "" : ": -w FILE saves it");
}

enum status kgtp_view_end(struct kgtp_view *k, bool complete)
{
	const struct kgtp *g = &k->kgtp;
	struct report *r = &k->view->report;

	warn_rings(k);
	warn_counts(k);
	warn_file(k);
	if (g->frames.damaged)
		report_warn(r, "damaged frames: %zu, see defects", g->frames.damaged);
	if (g->variables.problem)
		report_warn(r, "trace state variables are missing: %s", g->variables.problem);
	if (g->tracepoints.problem)
		report_warn(r, "%s", g->tracepoints.problem);
	report_end(r, NULL, complete && !g->frames.damaged && !g->stopped);
	return ST_OK;
}

enum status kgtp_view_save(struct kgtp_view *k)
{
	struct kgtp_trace_file file = { .kgtp = &k->kgtp };
	struct dump *d = k->view->dump;
	const char *path = k->view->in->opts.save;
	bool copy = !k->kgtp.frames.n && k->kgtp.file_size;
	enum status st = copy ? textfile_write(d, path, kgtp_trace_file_copy, &k->kgtp)
			      : textfile_write(d, path, kgtp_trace_file_put, &file);

	if (st != ST_OK)
		return st;
	if (copy)
		sink_printf(k->view->out, "%lu bytes of gtp_frame_file written to %s\n",
			    k->kgtp.file_size, path);
	else
		sink_printf(k->view->out, "%s written to %s\n", COUNT_OF(file.written, "frame"),
			    path);
	if (file.left_out)
		report_warn(&k->view->report,
			    "frames left out, without a head or with a number beyond 32767: %zu",
			    file.left_out);
	return ST_OK;
}
