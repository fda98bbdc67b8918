// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_buffers.h"

#include <stdio.h>
#include <string.h>

#include "events.h"
#include "log/printk.h"
#include "util/units.h"

enum {
	COL_INSTANCE,
	COL_BUFFER,
	COL_CLOCK,
	COL_TRACING,
	COL_ENABLED,
	COL_LIMITS,
	COL_RECORDS,
	COL_EXPECTED,
	COL_OVERWRITTEN,
	COL_DROPPED,
	COL_CONSUMED,
	COLUMNS
};

static const char *const buffers[] = { "main", "snapshot", NULL };
static const char *const on_off[] = { "on", "off", NULL };

static const struct view_column columns[COLUMNS] = {
	[COL_INSTANCE] = { COLUMN_instance, IN_BOTH | KNOWN },
	[COL_BUFFER] = { COLUMN_buffer, IN_BOTH | KNOWN, .choices = buffers },
	[COL_CLOCK] = { COLUMN_clock, IN_BOTH },
	[COL_TRACING] = { COLUMN_tracing, IN_BOTH, .choices = on_off },
	[COL_ENABLED] = { COLUMN_enabled, IN_BOTH },
	[COL_LIMITS] = { COLUMN_limits, IN_BOTH },
	[COL_RECORDS] = { COLUMN_records, IN_BOTH },
	[COL_EXPECTED] = { COLUMN_expected, IN_BOTH },
	[COL_OVERWRITTEN] = { COLUMN_overwritten, IN_BOTH },
	[COL_DROPPED] = { COLUMN_dropped, IN_BOTH },
	[COL_CONSUMED] = { COLUMN_consumed, IN_BOTH },
};

const struct view event_buffer_view = { "events-buffer", "-e", COLUMNS_OF(columns) };
const struct view event_records_buffer_view = { "records-buffer", "-e oom:mark_victim",
						COLUMNS_OF(columns) };

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

static void add_ring(struct sum *s, const struct trace_ring *ring)
{
	const struct ring_tally *t = &ring->cursor.tally;

	s->cpus++;
	if (!ring->open) {
		s->unreadable_cpus++;
		s->problem = s->problem ? s->problem : ring->problem;
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

static const char *lists_of(char n[UNITS_PLURAL], unsigned int cpus)
{
	char text[UNITS_PLURAL];

	snprintf(n, UNITS_PLURAL,
		 cpus == 1 ? "the list of sub-buffers of %s" : "lists of sub-buffers of %s",
		 units_plural(text, cpus, "CPU is", "CPUs are"));
	return n;
}

static void warn(struct fault_view *v, const struct trace_buffer_of *b, const struct sum *s)
{
	struct report *r = &v->report;
	const char *name = b->array->name, *which = b->is_snapshot ? " snapshot" : "";
	char n[UNITS_PLURAL], found[UNITS_PLURAL];

	if (!b->open)
		report_warn(r, "instance %s%s: %s", name, which, b->problem);
	if (s->unreadable_cpus)
		report_warn(r, "instance %s%s: buffers of %s cannot be read: %s", name, which,
			    units_plural(n, s->unreadable_cpus, "CPU", "CPUs"), s->problem);
	if (s->tally.unreadable)
		report_warn(
			r, "instance %s%s: %s not in this dump", name, which,
			units_plural(n, s->tally.unreadable, "sub-buffer is", "sub-buffers are"));
	if (s->cut)
		report_warn(r, "instance %s%s: %s incomplete in this dump: %s events are marked",
			    name, which, lists_of(n, s->cut), s->cut == 1 ? "its" : "their");
	if (s->broken)
		report_warn(r, "instance %s%s: %s damaged: %s events are marked", name, which,
			    lists_of(n, s->broken), s->broken == 1 ? "its" : "their");
	if (s->disagreeing && !s->broken && !s->cut)
		report_warn(r, "instance %s%s: links of sub-buffers of %s disagree", name, which,
			    units_plural(n, s->disagreeing, "CPU", "CPUs"));
	if (s->tally.damaged)
		report_warn(r, "instance %s%s: %s events are marked: %s", name, which,
			    units_plural(n, s->tally.damaged, "sub-buffer is damaged, its",
					 "sub-buffers are damaged, their"),
			    s->tally.problem);
	if (s->overrun || s->dropped)
		report_warn(r, "instance %s%s lost events: %llu overwritten, %llu not recorded",
			    name, which, (unsigned long long)s->overrun,
			    (unsigned long long)s->dropped);
	if (s->tally.lossy)
		report_warn(r, "instance %s%s: events were lost before %s", name, which,
			    units_plural(n, s->tally.lossy, "sub-buffer", "sub-buffers"));
	if (!v->in->opts.all && s->tally.consumed)
		report_warn(r, "instance %s%s: %s still there: -a shows them", name, which,
			    units_plural(n, s->tally.consumed,
					 "record was taken by a reader and is",
					 "records were taken by a reader and are"));
	if (s->tally.uncommitted)
		report_warn(r, "instance %s%s: %s not committed%s", name, which,
			    units_plural(n, s->tally.uncommitted, "byte was", "bytes were"),
			    v->in->opts.all ? "" : ": -a shows what is in them");
	if (s->tally.records != s->expected && b->open && !v->dump->interrupted)
		report_warn(r, "instance %s%s: the kernel counts %s, %s found", name, which,
			    units_plural(n, s->expected, "record", "records"),
			    units_plural(found, s->tally.records, "was", "were"));
	if (b->array->other_boot)
		report_warn(r, "instance %s%s was filled before this boot: no names", name, which);
}

/* The buffers as a table; complete is set to false where something could not be read. */
static enum status put_buffers(struct fault_view *v, struct event_reader *r, bool *complete)
{
	struct trace_stream *s = &r->stream;
	struct table t;
	enum status st;

	st = table_init(&t, v->dump, columns, COLUMNS, v->in->opts.json);
	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < s->nbuffers; i++) {
		const struct trace_buffer_of *b = &s->buffers[i];
		struct sum sum = sum_up(s, b);
		struct setting set = setting_of(r, b->array);
		struct cell *row = table_add(&t);

		if (!row)
			return ST_NOMEM;
		row[COL_INSTANCE] = cell_text(b->array->name);
		row[COL_BUFFER] = cell_text(b->is_snapshot ? "snapshot" : "main");
		row[COL_CLOCK] = cell_text(b->array->clock.name);
		if (b->open) {
			row[COL_TRACING] = cell_if(knows_recording(b, &sum),
						   cell_text(is_recording(b, &sum) ? "on" : "off"));
			row[COL_RECORDS] = cell_uint(sum.tally.records);
			row[COL_EXPECTED] = cell_if(!sum.unreadable_cpus, cell_uint(sum.expected));
			row[COL_OVERWRITTEN] = cell_if(!sum.unreadable_cpus,
						       cell_uint(sum.overrun));
			row[COL_DROPPED] = cell_if(!sum.unreadable_cpus, cell_uint(sum.dropped));
			row[COL_CONSUMED] = cell_if(!sum.unreadable_cpus, cell_uint(sum.read));
		}
		row[COL_ENABLED] = cell_if(
			set.known,
			cell_text(arena_strdup(v->dump->arena, set.enabled ? set.names : "none")));
		row[COL_LIMITS] = cell_text(limits_of(&set));
		warn(v, b, &sum);
		*complete &= b->open && !sum.unreadable_cpus && !sum.tally.unreadable &&
			     !sum.tally.damaged && !sum.broken && !sum.cut;
	}
	if (!v->in->opts.json && t.n) {
		if (v->report.rows_shown)
			sink_text(v->out, "\n");
		table_text(&t, v->out, t.n);
	}
	for (size_t i = 0; v->in->opts.json && v->in->shown->below && i < t.n; i++)
		table_json_record(&t, v->out, "buffer", t.rows[i]);
	return ST_OK;
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

static struct whole look_at_all(struct event_reader *r)
{
	struct whole w = { .readable = true, .enabled_known = true, .was_known = true };

	w.readable = !r->arrays.problem;
	for (size_t i = 0; i < r->stream.nbuffers; i++) {
		const struct trace_buffer_of *b = &r->stream.buffers[i];
		struct sum sum = sum_up(&r->stream, b);
		struct setting set = setting_of(r, b->array);

		w.readable &= b->open && !sum.unreadable_cpus && !sum.tally.unreadable &&
			      !sum.broken && !sum.cut && !sum.tally.damaged;
		w.expected += sum.expected;
		w.overrun += sum.overrun;
		w.read += sum.read;
		w.records += sum.tally.records;
		w.recording |= set.enabled && b->open && is_recording(b, &sum);
		w.enabled |= set.enabled;
		w.enabled_known &= set.known;
		w.was |= set.was_enabled;
		w.was_known &= set.was_known;
	}
	return w;
}

/* Why no event was found, in dump->error, and what the summary calls it. */
static enum availability why_none(struct dump *d, struct event_reader *r, const struct whole *w)
{
	struct log_search search = { false, false };
	const char *system = r->events[0].system;
	const char *perhaps;
	char n[UNITS_PLURAL];

	if (!w->readable) {
		dump_fail(d, ST_UNREADABLE,
			  "no event was found, but not all trace buffers can be read");
		return NOT_IN_DUMP;
	}
	if (w->enabled_known && !w->enabled && w->was_known && !w->was) {
		dump_fail(d, ST_ABSENT,
			  "%s:%s was never enabled in any instance; boot option "
			  "trace_event=%s:%s, or tracefs events/%s/enable, turns it on",
			  system, r->events[0].name, system, r->events[0].name, system);
		return OFF_AT_BOOT;
	}
	if (printk_walk(d, look_for_dump, &search) != ST_OK)
		search.torn = true;
	perhaps = search.torn && !search.found
			  ? "; the kernel may have written them to its log "
			    "(ftrace_dump_on_oops), which is not all in this dump"
			  : "";
	if (search.found) {
		dump_fail(d, ST_ABSENT,
			  "the kernel wrote the trace buffers to its log and emptied them "
			  "(ftrace_dump_on_oops): look for \"Dumping ftrace buffer\" there");
		return NOT_IN_DUMP;
	}
	if (w->enabled_known && !w->enabled) {
		dump_fail(d, ST_ABSENT,
			  "%s:%s was not enabled at the panic, and no event is left%s", system,
			  r->events[0].name, perhaps);
		return OFF_LATER;
	}
	if (!w->expected && w->read) {
		dump_fail(d, ST_ABSENT, "the buffers are empty: a reader took %s%s",
			  units_plural(n, w->read, "record", "records"), perhaps);
		return NOT_IN_DUMP;
	}
	if (w->overrun) {
		dump_fail(d, ST_ABSENT,
			  "none of the %llu records in the buffers is of such an event; %llu were "
			  "overwritten",
			  (unsigned long long)w->records, (unsigned long long)w->overrun);
		return NOT_IN_DUMP;
	}
	dump_fail(d, ST_ABSENT, "none of the %llu records in the buffers is of such an event%s",
		  (unsigned long long)w->records,
		  w->recording ? "" : "; tracing was off at the panic");
	return w->recording ? AVAILABLE : OFF_LATER;
}

/* Whether an instance may have recorded such events. */
static bool has_events(struct event_reader *r, const struct trace_buffer_of *b)
{
	struct sum sum = sum_up(&r->stream, b);
	struct setting set = setting_of(r, b->array);

	return sum.tally.records && (set.enabled || set.was_enabled || !set.was_known);
}

static bool is_chosen(const struct filters *filters)
{
	for (unsigned int i = 0; i < filters->n; i++)
		if (filters->filters[i].key == EVENT_INSTANCE)
			return true;
	return false;
}

/* What rows of several instances are easily taken for. */
static void put_notes(struct fault_view *v, struct event_reader *r)
{
	const struct filters *filters = &v->in->filters;
	unsigned int instances = 0;

	for (size_t i = 0; i < r->stream.nbuffers; i++) {
		const struct trace_buffer_of *b = &r->stream.buffers[i];
		const struct trace_clock *clock = &b->array->clock;

		if (b->is_snapshot || !has_events(r, b))
			continue;
		instances++;
		/* Lists have the time to the panic. */
		if (v->in->shown->below && !clock->is_sched)
			sink_printf(v->out,
				    "no time to the panic for events of instance %s: its clock, "
				    "%s, is not that of the log\n",
				    b->array->name, clock->name ? clock->name : "unknown");
	}
	if (instances > 1 && !is_chosen(filters))
		sink_printf(v->out,
			    "%u instances recorded: what several saw is an event in each "
			    "(-f instance=NAME keeps one)\n",
			    instances);
}

enum status event_buffers_end(struct fault_view *v, struct event_reader *r, uint64_t kept)
{
	struct whole w = look_at_all(r);
	bool complete = !r->arrays.problem;
	char n[UNITS_PLURAL];
	enum status st = put_buffers(v, r, &complete);

	if (st != ST_OK)
		return st;
	if (r->arrays.problem)
		report_warn(&v->report, "%s", r->arrays.problem);
	if (r->misfits)
		report_warn(&v->report, "%s the number of the event and not its length: left out",
			    units_plural(n, r->misfits, "record has", "records have"));
	if (r->saved_problem)
		report_warn(&v->report, "names of tasks only of those that live: %s",
			    r->saved_problem);
	if (!r->found && !v->dump->interrupted) {
		report_no_data(&v->report, why_none(v->dump, r, &w));
		return ST_OK;
	}
	/* Events from before recording ended. */
	if (!w.recording && w.enabled_known && w.readable)
		v->report.state = OFF_LATER;
	report_end(&v->report, NULL, complete);
	report_kept(&v->report, &v->in->filters, kept, r->found, "event", "events");
	if (!v->in->opts.json)
		put_notes(v, r);
	return ST_OK;
}
