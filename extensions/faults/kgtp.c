// SPDX-License-Identifier: GPL-2.0-or-later
#include "kgtp.h"

#include <stdio.h>
#include <string.h>

#include "cli/textfile.h"
#include "kgtp/fault_probe.h"
#include "kgtp/trace_file.h"
#include "util/units.h"

const struct key kgtp_keys[KGTP_KEYS] = {
	[KGTP_KEY_ID] = { COLUMN_frame_id, "id of the frame", KEY_FILTERS },
	[KGTP_KEY_CPU] = { COLUMN_cpu, "CPU that the frame was collected on", KEY_FILTERS },
	[KGTP_KEY_TRACEPOINT] = { COLUMN_tracepoint, "number of the tracepoint", KEY_FILTERS },
	[KGTP_KEY_PID] = { COLUMN_pid, "thread, where $current_task_pid was collected",
			   KEY_FILTERS },
	[KGTP_KEY_SYMBOL] = { COLUMN_symbol, "function of the tracepoint with the offset",
			      KEY_FILTERS, .is_text = true },
	[KGTP_KEY_PAGE_FAULT] = { COLUMN_page_fault, "whether that function handles page faults",
				  KEY_FILTERS, .is_text = true, .choices = key_yes_no },
	[KGTP_KEY_TS] = { COLUMN_ts_ns, "time, where a clock was collected", KEY_FILTERS,
			  .quantity = RANGE_TIME },
};

enum status kgtp_view_open(struct fault_view *v)
{
	struct kgtp_view *k = dump_alloc(v->dump, sizeof(*k));
	enum status st;

	if (!k)
		return ST_NOMEM;
	k->view = v;
	v->data = k;
	st = kgtp_open(v->dump, &k->kgtp);
	if (st == ST_OK)
		symbolizer_open(v->dump, &k->symbols);
	return st;
}

bool kgtp_view_address(const struct kgtp_view *k, const struct kgtp_frame *f, uint64_t *ret)
{
	const struct kgtp_tracepoint *t = f->defects & KGTP_HEAD_LOST
						  ? NULL
						  : kgtp_tracepoint_of(&k->kgtp, f);

	if (!t && !f->has_regs)
		return false;
	*ret = t ? t->address : f->pc;
	return true;
}

const char *kgtp_view_probe(const struct kgtp_view *k, const struct kgtp_frame *f)
{
	const struct kgtp_tracepoint *t;

	if (f->is_step)
		return "step";
	t = f->defects & KGTP_HEAD_LOST ? NULL : kgtp_tracepoint_of(&k->kgtp, f);
	return t ? kgtp_tracepoint_probe(t) : NULL;
}

const char *kgtp_view_symbol(struct kgtp_view *k, uint64_t address)
{
	const struct frame *f = symbolize(&k->symbols, address);
	char buf[640];

	if (!f || !f->symbol)
		return NULL;
	return arena_strdup(k->view->dump->arena, frame_text(f, buf, sizeof(buf)));
}

bool kgtp_view_page_fault(struct kgtp_view *k, uint64_t address, bool is_exact, bool *ret)
{
	const struct frame *f = symbolize(&k->symbols, address);

	/* A return address is in the caller: registers tell only at the entry of a function. */
	if (!f || !f->symbol || (!is_exact && f->offset))
		return false;
	*ret = !f->module && kgtp_handles_faults(f->symbol);
	return true;
}

const char *kgtp_view_clock(const struct kgtp_frame *f)
{
	switch (f->clock) {
	case KGTP_VAR_CLOCK:
		return "$clock";
	case KGTP_VAR_COOKED_CLOCK:
		return "$cooked_clock";
	default:
		return "$xtime_sec";
	}
}

const char *kgtp_view_defects(struct dump *d, const struct kgtp_frame *f)
{
	char buf[128] = "";
	size_t at = 0;

	for (unsigned int i = 0; i < KGTP_DEFECTS; i++)
		if (f->defects >> i & 1 && at < sizeof(buf))
			at += snprintf(buf + at, sizeof(buf) - at, "%s%s", at ? "," : "",
				       kgtp_defect_name(1 << i));
	return at ? arena_strdup(d->arena, buf) : NULL;
}

static bool keeps_page_fault(struct kgtp_view *k, const struct kgtp_frame *f,
			     const struct filter *filter)
{
	uint64_t address;
	bool is;

	if (!kgtp_view_address(k, f, &address) ||
	    !kgtp_view_page_fault(k, address, kgtp_tracepoint_of(&k->kgtp, f), &is))
		return filter_keeps_text(filter, NULL);
	return filter_keeps_text(filter, key_yes_no[!is]);
}

static bool keeps_number(const struct filter *filter, bool known, uint64_t v)
{
	return known ? filter_keeps_number(filter, v) : filter_keeps_unknown(filter);
}

struct named_place {
	struct kgtp_view *k;
	uint64_t address;
};

/* With its offset, and the function alone. */
static const char *place_text(void *arg, size_t i, bool whole)
{
	const struct named_place *p = arg;
	const struct frame *f;

	(void)whole;
	if (!i)
		return kgtp_view_symbol(p->k, p->address);
	f = symbolize(&p->k->symbols, p->address);
	return f ? f->symbol : NULL;
}

static bool keeps_symbol(struct kgtp_view *k, const struct kgtp_frame *f,
			 const struct filter *filter)
{
	struct named_place p = { .k = k };

	if (!kgtp_view_address(k, f, &p.address) || !place_text(&p, 0, true))
		return filter_keeps_text(filter, NULL);
	return filter_keeps_any(filter, place_text, &p, 2);
}

static bool keeps(struct kgtp_view *k, const struct kgtp_frame *f, const struct filter *filter)
{
	switch (filter->key) {
	case KGTP_KEY_ID:
		return keeps_number(filter, f->id, f->id);
	case KGTP_KEY_CPU:
		return filter_keeps_number(filter, f->ring->cpu);
	case KGTP_KEY_TRACEPOINT:
		return keeps_number(filter, !(f->defects & KGTP_HEAD_LOST), f->number);
	case KGTP_KEY_PID:
		return keeps_number(filter, f->has_pid, f->pid);
	case KGTP_KEY_SYMBOL:
		return keeps_symbol(k, f, filter);
	case KGTP_KEY_PAGE_FAULT:
		return keeps_page_fault(k, f, filter);
	default:
		return keeps_number(filter, f->has_time, f->time_ns);
	}
}

bool kgtp_view_keeps(struct kgtp_view *k, const struct kgtp_frame *f)
{
	const struct filters *filters = &k->view->in->filters;

	for (unsigned int i = 0; i < filters->n; i++)
		if (!keeps(k, f, &filters->filters[i]))
			return false;
	return true;
}

/* Each kind of problem once, with the number of rings that have it and the first of them. */
static bool warn_rings(struct kgtp_view *k)
{
	const struct kgtp_rings *all = &k->kgtp.rings;
	bool whole = true;

	for (size_t i = 0; i < all->n; i++) {
		const char *problem = all->rings[i].problem;
		bool told = false;
		size_t n = 0;

		for (size_t j = 0; problem && j < all->n; j++) {
			bool same = all->rings[j].problem &&
				    !strcmp(all->rings[j].problem, problem);

			told |= same && j < i;
			n += same;
		}
		if (problem)
			whole = false;
		if (problem && !told)
			report_warn(&k->view->report,
				    "damaged rings: %zu, first that of cpu %u: %s", n,
				    all->rings[i].cpu, problem);
	}
	return whole;
}

static bool warn_pages(struct kgtp_view *k)
{
	const struct kgtp *g = &k->kgtp;
	struct report *r = &k->view->report;
	bool reader = g->known[KGTP_SET_PIPE_PID] && g->settings[KGTP_SET_PIPE_PID] >= 0;
	size_t taken = 0, short_of = 0;

	for (size_t i = 0; i < g->rings.n; i++) {
		uint64_t closed = g->rings.rings[i].closed;

		taken += closed && closed + 1 == g->rings.page_count && reader;
		short_of += closed && closed != g->rings.page_count &&
			    !(closed + 1 == g->rings.page_count && reader);
	}
	if (taken)
		report_warn(
			r,
			"rings with a page at a reader of gtpframe_pipe (pid %lld): %zu; frames "
			"of that page are not shown",
			(long long)g->settings[KGTP_SET_PIPE_PID], taken);
	if (short_of)
		report_warn(r, "rings with another number of pages than gtp_rb_page_count: %zu",
			    short_of);
	return !taken && !short_of;
}

static void warn_locks(struct kgtp_view *k)
{
	const struct kgtp_rings *all = &k->kgtp.rings;
	size_t locked = 0, unknown = 0;

	for (size_t i = 0; i < all->n; i++) {
		locked += all->rings[i].locked;
		unknown += all->rings[i].state == KGTP_RING_OK && !all->rings[i].lock_known;
	}
	if (locked)
		report_warn(&k->view->report, "CPUs that were writing a frame (in-progress): %zu",
			    locked);
	if (unknown)
		report_warn(&k->view->report,
			    "whether a frame was being written is unknown: the lock of this kernel "
			    "is of no known kind");
}

static void warn_file(struct kgtp_view *k)
{
	const struct kgtp *g = &k->kgtp;

	if (!g->rings.page_count || !g->rings.n)
		report_warn(
			&k->view->report,
			"KGTP is loaded (module %s) and has no rings: gtp_rb_page_count is %llu",
			g->symbols.module->name, (unsigned long long)g->rings.page_count);
	if (g->file_size)
		report_warn(&k->view->report,
			    "%sgtp_frame_file has a GDB trace file of %llu bytes that KGTP wrote%s",
			    g->frames.n ? "" : "the rings are empty, but ",
			    (unsigned long long)g->file_size,
			    g->frames.n ? "" : ": -w FILE saves it");
}

bool kgtp_view_damaged(const struct kgtp *k, enum kgtp_setting counter)
{
	return k->known[counter] && k->settings[counter] < 0;
}

/* What was lost before the dump, as far as the counters are of use. */
static bool warn_counters(struct kgtp_view *k)
{
	static const struct {
		enum kgtp_setting counter;
		const char *name;
	} counters[] = {
		{ KGTP_SET_NEWEST, "gtp_rb_count" },
		{ KGTP_SET_CREATED, "gtp_frame_create" },
		{ KGTP_SET_DISCARDED, "gtp_rb_discard_page_number" },
	};
	const struct kgtp *g = &k->kgtp;
	struct report *r = &k->view->report;
	bool whole = true;

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		if (!kgtp_view_damaged(g, counters[i].counter))
			continue;
		report_warn(r, "%s is damaged: %lld", counters[i].name,
			    (long long)g->settings[counters[i].counter]);
		whole = false;
	}
	if (g->known[KGTP_SET_DISCARDED] && g->settings[KGTP_SET_DISCARDED] > 0)
		report_warn(r, "pages of older frames that were overwritten: %lld",
			    (long long)g->settings[KGTP_SET_DISCARDED]);
	return whole;
}

bool kgtp_view_warn(struct kgtp_view *k)
{
	const struct kgtp *g = &k->kgtp;
	struct report *r = &k->view->report;
	bool whole = warn_rings(k);

	whole &= warn_pages(k);
	whole &= warn_counters(k);
	warn_locks(k);
	warn_file(k);
	if (g->frames.damaged)
		report_warn(r, "damaged frames: %zu, see defects", g->frames.damaged);
	if (g->variables.problem)
		report_warn(r, "trace state variables are missing: %s", g->variables.problem);
	if (g->tracepoints.problem)
		report_warn(r, "%s", g->tracepoints.problem);
	return whole && !g->frames.damaged && !g->stopped;
}

enum status kgtp_view_save(struct kgtp_view *k)
{
	struct kgtp_trace_file file = { .kgtp = &k->kgtp };
	struct dump *d = k->view->dump;
	const char *path = k->view->in->opts.save;
	bool copy = !k->kgtp.frames.n && k->kgtp.file_size;
	char n[UNITS_PLURAL];
	enum status st = copy ? textfile_write(d, path, kgtp_trace_file_copy, &k->kgtp)
			      : textfile_write(d, path, kgtp_trace_file_put, &file);

	if (st != ST_OK)
		return st;
	if (copy)
		sink_printf(k->view->out, "%llu bytes of gtp_frame_file written to %s\n",
			    (unsigned long long)k->kgtp.file_size, path);
	else
		sink_printf(k->view->out, "%s written to %s\n",
			    units_plural(n, file.written, "frame", "frames"), path);
	if (file.left_out)
		report_warn(&k->view->report,
			    "frames left out, without a head or with a number beyond 32767: %zu",
			    file.left_out);
	return ST_OK;
}
