// SPDX-License-Identifier: GPL-2.0-or-later

#include "events.h"
#include "log/printk.h"

/* One buffer, all its CPUs. */
struct sum {
	struct ring_tally tally;
	uint64_t expected, overrun, dropped, read;
	unsigned int unreadable_cpus, cut, broken, disagreeing, off_cpus, cpus;
	const char *problem; /* of the first CPU that is not readable */
};

/* What the events of one instance are set to. */
struct setting {
	bool known; /* of all of them */
	unsigned int enabled, soft_disabled, filtered, pid_filtered;
	bool was_known; /* of all of them */
	unsigned int was_enabled;
	char names[96]; /* of the enabled ones */
};

/* A trace buffer. */
struct buffer {
	const struct trace_buffer_of *b;
	struct sum sum;
	struct setting set;
	bool is_open, is_whole; /* whole: of all its CPUs */
};

static void add_ring(struct sum *s, const struct trace_ring *ring)
{
	const struct ring_tally *t = &ring->cursor.tally;

	s->cpus++;
	if (!ring->open) {
		s->unreadable_cpus++;
		s->problem = s->problem ?: ring->problem;
		return;
	}
	s->tally.subbufs += t->subbufs;
	s->tally.unreadable += t->unreadable;
	s->tally.damaged += t->damaged;
	if (!s->tally.problem)
		s->tally.problem = t->problem;
	s->tally.lossy += t->lossy;
	s->tally.records += t->records;
	s->tally.consumed += t->consumed;
	s->tally.uncommitted += t->uncommitted;
	s->expected += ring_cpu_expected(&ring->ring);
	s->overrun += ring->ring.overrun;
	s->dropped += ring->ring.dropped + ring->ring.commit_overrun;
	s->read += ring->ring.read;
	s->broken += ring_cpu_is_damaged(&ring->ring);
	s->cut += !!(ring->ring.damage & RING_HOLE);
	s->disagreeing += !!(ring->ring.damage & RING_DISAGREES);
	s->off_cpus += ring->ring.off;
}

static struct sum sum_up(const struct trace_stream *s, const struct trace_buffer_of *b)
{
	struct sum sum = { .cpus = 0 };

	for (size_t i = 0; i < s->nrings; i++)
		if (s->rings[i]->buffer == b)
			add_ring(&sum, s->rings[i]);
	return sum;
}

static struct setting setting_of(struct event_reader *r, const struct trace_array *a)
{
	struct setting s = { .known = true, .was_known = true };

	for (size_t i = 0; i < r->nevents; i++) {
		struct trace_event_state state;
		size_t used = strlen(s.names);

		if (trace_event_state(&r->formats, a, &r->events[i], &state) != ST_OK ||
		    !state.known) {
			s.known = s.was_known = false;
			continue;
		}
		s.was_known &= state.was_enabled_known;
		s.enabled += state.enabled;
		s.was_enabled += state.was_enabled;
		s.soft_disabled += state.soft_disabled;
		s.filtered += state.filtered;
		s.pid_filtered += state.pid_filtered;
		if (state.enabled)
			snprintf(s.names + used, sizeof(s.names) - used, "%s%s", used ? "," : "",
				 r->events[i].name);
	}
	return s;
}

static const char *limits_of(const struct setting *s)
{
	static const char *const names[] = { "none",
					     "soft-disabled",
					     "filter",
					     "soft-disabled,filter",
					     "pid-filter",
					     "soft-disabled,pid-filter",
					     "filter,pid-filter",
					     "soft-disabled,filter,pid-filter" };

	return s->known ? names[!!s->soft_disabled + 2 * !!s->filtered + 4 * !!s->pid_filtered]
			: NULL;
}

/* tracing_on, and what else holds a whole buffer back. */
static bool is_recording(const struct trace_buffer_of *b, const struct sum *s)
{
	return !b->ring.off && !b->ring.disabled && !b->array->buffer_disabled &&
	       !b->array->stop_count && (!s->cpus || s->off_cpus < s->cpus);
}

/* False: all CPUs that can be read are off, and others are not in this dump. */
static bool knows_recording(const struct trace_buffer_of *b, const struct sum *s)
{
	return !is_recording(b, s) || !s->unreadable_cpus ||
	       s->off_cpus + s->unreadable_cpus < s->cpus;
}

#define ROW struct buffer

CELL_FROM(instance_cell, ROW, cell_text(r->b->array->name))
CELL_FROM(clock_cell, ROW, cell_text(r->b->array->clock.name))
CELL_FROM(tracing_cell, ROW,
	  cell_text(!r->is_open || !knows_recording(r->b, &r->sum) ? NULL
		    : is_recording(r->b, &r->sum)		   ? "on"
								   : "off"))
CELL_FROM(enabled_cell, ROW,
	  cell_text(!r->set.known    ? NULL
		    : r->set.enabled ? r->set.names
				     : "none"))
CELL_FROM(limits_cell, ROW, cell_text(limits_of(&r->set)))

static const char *const on_off[] = { "on", "off", NULL };

static const struct view_column columns[] = {
	{ COLUMN_instance, IN_BOTH | KNOWN, CELL_BY(instance_cell) },
	{ COLUMN_buffer, IN_BOTH | KNOWN, .choices = event_buffer_names,
	  VIA(NAME, ROW, b, is_snapshot, .names = event_buffer_names) },
	{ COLUMN_clock, IN_BOTH, CELL_BY(clock_cell) },
	{ COLUMN_tracing, IN_BOTH, .choices = on_off, CELL_BY(tracing_cell) },
	{ COLUMN_enabled, IN_BOTH, CELL_BY(enabled_cell) },
	{ COLUMN_limits, IN_BOTH, CELL_BY(limits_cell) },
	{ COLUMN_records, IN_BOTH, UINT_IF(ROW, sum.tally.records, is_open) },
	{ COLUMN_expected, IN_BOTH, UINT_IF(ROW, sum.expected, is_whole) },
	{ COLUMN_overwritten, IN_BOTH, UINT_IF(ROW, sum.overrun, is_whole) },
	{ COLUMN_dropped, IN_BOTH, UINT_IF(ROW, sum.dropped, is_whole) },
	{ COLUMN_consumed, IN_BOTH, UINT_IF(ROW, sum.read, is_whole) },
	BASIS(derived),
};

const struct view event_buffer_view = { "events-buffer", "-e", COLUMNS_OF(columns) };
const struct view event_records_buffer_view = { "records-buffer", "-e oom:mark_victim",
						COLUMNS_OF(columns) };

static struct buffer *sum_all(struct event_reader *r)
{
	const struct trace_stream *stream = &r->stream;
	struct buffer *all = dump_alloc(r->dump, (stream->nbuffers + 1) * sizeof(*all));

	for (size_t i = 0; i < stream->nbuffers; i++) {
		const struct trace_buffer_of *b = &stream->buffers[i];
		struct sum sum = sum_up(stream, b);

		all[i] = (struct buffer){ b, sum, setting_of(r, b->array), b->open,
					  b->open && !sum.unreadable_cpus };
	}
	return all;
}

static void put_gaps(struct fault_view *v, const struct buffer *of)
{
	const struct trace_buffer_of *b = of->b;
	const struct sum *s = &of->sum;
	struct arena *a = v->dump->arena;
	bool differs = s->tally.records != s->expected && b->open && !v->dump->interrupted;
	const struct gap gaps[] = {
		GAP_WHY(": %s", b->open ? NULL : b->problem),
		{ ": buffers of %s cannot be read: %s", s->unreadable_cpus, "CPU", "CPUs",
		  s->problem },
		{ ": %s not in this dump", s->tally.unreadable, "sub-buffer is",
		  "sub-buffers are" },
		{ s->cut == 1
			  ? ": the list of sub-buffers of %s incomplete in this dump: its "
			    "events are marked"
			  : ": lists of sub-buffers of %s incomplete in this dump: their events "
			    "are marked",
		  s->cut, "CPU is", "CPUs are" },
		{ s->broken == 1 ? ": the list of sub-buffers of %s damaged: its events are marked"
				 : ": lists of sub-buffers of %s damaged: their events are marked",
		  s->broken, "CPU is", "CPUs are" },
		{ ": links of sub-buffers of %s disagree", s->broken || s->cut ? 0 : s->disagreeing,
		  "CPU", "CPUs", .is_note = true },
		{ ": %s events are marked: %s", s->tally.damaged, "sub-buffer is damaged, its",
		  "sub-buffers are damaged, their", s->tally.problem },
		{ " lost events: %s", s->overrun || s->dropped, .is_note = true,
		  .why = arena_text(a, "%lu overwritten, %lu not recorded", s->overrun,
				    s->dropped) },
		{ ": events were lost before %s", s->tally.lossy, "sub-buffer", "sub-buffers",
		  .is_note = true },
		{ ": %s still there: -a shows them", v->in->opts.all ? 0 : s->tally.consumed,
		  "record was taken by a reader and is", "records were taken by a reader and are",
		  .is_note = true },
		{ v->in->opts.all ? ": %s not committed"
				  : ": %s not committed: -a shows what is in them",
		  s->tally.uncommitted, "byte was", "bytes were", .is_note = true },
		{ ": the kernel counts %s", differs, .is_note = true,
		  .why = arena_text(a, "%s, %s found", COUNT_OF(s->expected, "record"),
				    PLURAL_TEXT(s->tally.records, "was", "were")) },
		{ " was filled before this boot: no names", b->array->other_boot, .is_note = true },
	};

	report_gaps_of(
		&v->report,
		arena_text(a, "instance %s%s", b->array->name, b->is_snapshot ? " snapshot" : ""),
		gaps, ARRAY_SIZE(gaps));
}

/* Whether the log tells that the kernel wrote the buffers to it. */
struct log_search {
	bool found, torn; /* torn: a part of the log is not in this dump */
};

static enum status look_for_dump(void *arg, const struct log_record *rec)
{
	struct log_search *s = arg;

	s->torn |= rec->is_torn;
	s->found = strstr(rec->text, "Dumping ftrace buffer");
	return s->found ? ST_STOPPED : ST_OK;
}

/* All buffers and instances together. */
struct whole {
	uint64_t expected, overrun, read, records;
	bool readable, recording;
	bool enabled, enabled_known; /* any event in any instance */
	bool was, was_known;
};

static struct whole look_at_all(const struct event_reader *r, const struct buffer *all)
{
	struct whole w = { .enabled_known = true, .was_known = true };

	w.readable = !r->arrays.problem;
	for (const struct buffer *b = all; b < all + r->stream.nbuffers; b++) {
		const struct sum *sum = &b->sum;

		w.readable &= b->is_whole && !sum->tally.unreadable && !sum->broken && !sum->cut &&
			      !sum->tally.damaged;
		w.expected += sum->expected;
		w.overrun += sum->overrun;
		w.read += sum->read;
		w.records += sum->tally.records;
		w.recording |= b->set.enabled && b->is_open && is_recording(b->b, sum);
		w.enabled |= b->set.enabled;
		w.enabled_known &= b->set.known;
		w.was |= b->set.was_enabled;
		w.was_known &= b->set.was_known;
	}
	return w;
}

/* Why no event was found, in dump->error, and what the summary calls it. */
static enum availability why_none(struct dump *d, const struct event_reader *r,
				  const struct whole *w)
{
	struct log_search search = { false, false };
	const struct trace_event *e = r->events;
	bool torn = printk_walk(d, look_for_dump, &search) != ST_OK || search.torn;
	const char *perhaps = torn && !search.found
				      ? "; the kernel may have written them to its log "
					"(ftrace_dump_on_oops), which is not all in this dump"
				      : "";
	const struct {
		bool is;
		enum availability why;
		const char *text;
	} reasons[] = {
		{ !w->readable, NOT_IN_DUMP,
		  "no event was found, but not all trace buffers can be read" },
		{ w->enabled_known && !w->enabled && w->was_known && !w->was, OFF_AT_BOOT,
		  dump_text(d,
			    "%s:%s was never enabled in any instance; boot option "
			    "trace_event=%s:%s, or tracefs events/%s/enable, turns it on",
			    e->system, e->name, e->system, e->name, e->system) },
		{ search.found, NOT_IN_DUMP,
		  "the kernel wrote the trace buffers to its log and emptied them "
		  "(ftrace_dump_on_oops): look for \"Dumping ftrace buffer\" there" },
		{ w->enabled_known && !w->enabled, OFF_LATER,
		  dump_text(d, "%s:%s was not enabled at the panic, and no event is left%s",
			    e->system, e->name, perhaps) },
		{ !w->expected && w->read, NOT_IN_DUMP,
		  dump_text(d, "the buffers are empty: a reader took %s%s",
			    COUNT_OF(w->read, "record"), perhaps) },
		{ w->overrun, NOT_IN_DUMP,
		  dump_text(d,
			    "none of the %lu records in the buffers is of such an event; %lu "
			    "were overwritten",
			    w->records, w->overrun) },
		{ true, w->recording ? AVAILABLE : OFF_LATER,
		  dump_text(d, "none of the %lu records in the buffers is of such an event%s",
			    w->records, w->recording ? "" : "; tracing was off at the panic") },
	};
	size_t i = 0;

	while (!reasons[i].is)
		i++;
	dump_absent(d, "%s", reasons[i].text);
	return reasons[i].why;
}

/* Whether filters by instance keep it. */
static bool keeps_instance(const struct filters *filters, const char *name)
{
	for (unsigned int i = 0; i < filters->n; i++) {
		const struct filter *f = &filters->filters[i];

		if (f->key == EVENT_INSTANCE && filter_names(f, name) == f->exclude)
			return false;
	}
	return true;
}

/* A time that is asked for is taken for one of the log. */
static void warn_of_times(struct fault_view *v, const struct buffer *all, size_t n)
{
	for (const struct buffer *b = all; b < all + n; b++) {
		const struct trace_array *a = b->b->array;

		if (b->sum.tally.records && a->clock.in_ns &&
		    (a->other_boot || !trace_clock_is_log(&a->clock)) &&
		    keeps_instance(&v->in->filters, a->name))
			report_warn(&v->report,
				    "ts_ns of events of instance %s is of its clock, %s", a->name,
				    event_clock_text(v, a));
	}
}

/* What rows of several instances are easily taken for. */
static void put_notes(struct fault_view *v, const struct buffer *all, size_t n)
{
	unsigned int instances = 0;

	for (const struct buffer *b = all; b < all + n; b++) {
		const struct trace_clock *clock = &b->b->array->clock;

		/* Whether an instance may have recorded such events. */
		if (b->b->is_snapshot || !b->sum.tally.records ||
		    !(b->set.enabled || b->set.was_enabled || !b->set.was_known))
			continue;
		instances++;
		/* Lists have the time to the panic. */
		if (v->in->shown->below && !clock->is_sched)
			sink_printf(v->out,
				    "no time to the panic for events of instance %s: its clock, "
				    "%s, is not that of the log\n",
				    b->b->array->name, clock->name ?: "unknown");
	}
	if (instances > 1 && !cmdline_filters_by(v->in, EVENT_INSTANCE))
		sink_printf(v->out,
			    "%u instances recorded: what several saw is an event in each "
			    "(-f instance=NAME keeps one)\n",
			    instances);
}

enum status event_buffers_end(struct fault_view *v, struct event_reader *r, uint64_t kept)
{
	const struct buffer *all = sum_all(r);
	const struct view *below = v->in->shown->below;
	size_t n = r->stream.nbuffers;
	struct whole w = look_at_all(r, all);
	const struct gap gaps[] = {
		GAP_WHY("%s", r->arrays.problem),
		{ "%s the number of the event and not its length: left out", r->misfits,
		  "record has", "records have", .is_note = true },
		{ "names of tasks only of those that live: %s", r->saved_problem != NULL,
		  .why = r->saved_problem, .is_note = true },
	};

	if (below || !v->in->opts.json)
		rows_put_below(&v->report, v->in, below ?: &event_buffer_view, all, n, sizeof(*all),
			       v);
	for (size_t i = 0; i < n; i++)
		put_gaps(v, &all[i]);
	REPORT_GAPS(&v->report, gaps);
	if (cmdline_filters_by(v->in, EVENT_TS))
		warn_of_times(v, all, n);
	if (!r->found && !v->dump->interrupted) {
		report_no_data(&v->report, why_none(v->dump, r, &w));
		return ST_OK;
	}
	/* Events from before recording ended. */
	if (!w.recording && w.enabled_known && w.readable)
		v->report.state = OFF_LATER;
	report_end(&v->report, NULL, true);
	report_kept(&v->report, &v->in->filters, kept, r->found, "event", "events");
	if (!v->in->opts.json)
		put_notes(v, all, n);
	return ST_OK;
}
