// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e SYSTEM:EVENT: a row for each record of any trace event, with its fields. */
#include <string.h>

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
	COL_MARK,
	COL_FIELDS,
	COLUMNS
};

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
	[COL_MARK] = { COLUMN_mark, IN_JSON, "-a shows the first two", .choices = marks },
	[COL_FIELDS] = { COLUMN_fields, IN_BOTH | KNOWN | NO_SORT_KEY },
};

static enum status check(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	const char *last = o->args[o->nargs - 1], *colon = strchr(last, ':');

	if (o->group)
		return dump_fail(v->dump, ST_USAGE,
				 "-g counts page faults: no SYSTEM:EVENT with it");
	if (o->nargs > 1 || !colon || colon == last || !colon[1])
		return dump_fail(v->dump, ST_USAGE, "-e takes one event as SYSTEM:EVENT, not '%s'",
				 last);
	return ST_OK;
}

static enum status open(struct fault_view *v)
{
	struct event_reader *r = dump_alloc(v->dump, sizeof(*r));
	char *system = arena_strdup(v->dump->arena, v->in->opts.args[0]);
	const char *name;

	v->data = r;
	if (!r || !system)
		return dump_fail(v->dump, ST_NOMEM, "out of memory");
	system[strcspn(system, ":")] = '\0';
	name = system + strlen(system) + 1;
	return event_reader_open(v->dump, system, &name, 1, v->in->opts.all, r);
}

static struct cell value_of(struct event_reader *r, const struct event_record *rec,
			    const struct trace_field *f)
{
	switch (f->kind) {
	case TRACE_UINT:
		return cell_uint(event_number(rec, f));
	case TRACE_INT:
		return cell_int((int64_t)event_number(rec, f));
	case TRACE_POINTER:
		return cell_hex(event_number(rec, f));
	default:
		return cell_text(event_text(r, rec, f));
	}
}

static const struct fields *fields_of(struct event_reader *r, const struct event_record *rec)
{
	const struct trace_event *event = rec->event;
	struct fields *fields = dump_alloc(r->dump, sizeof(*fields));
	const char **names = dump_alloc(r->dump, (event->nfields + 1) * sizeof(*names));
	struct cell *values = dump_alloc(r->dump, (event->nfields + 1) * sizeof(*values));

	if (!fields || !names || !values)
		return NULL;
	for (size_t i = 0; i < event->nfields; i++) {
		names[i] = event->fields[i].name;
		values[i] = value_of(r, rec, &event->fields[i]);
	}
	*fields = (struct fields){ event->nfields, names, values };
	return fields;
}

static enum status fill(struct fault_view *v, struct event_reader *r,
			const struct event_record *rec, const char *comm)
{
	const struct trace_ring *ring = rec->ring;
	struct cell *row = table_add(&v->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_TO_PANIC] = cell_ranked(event_to_panic(v, rec));
	row[COL_TS] = cell_if(ring->buffer->array->clock.in_ns, cell_uint(rec->ts));
	row[COL_CPU] = cell_uint(ring->cpu);
	row[COL_INSTANCE] = cell_text(ring->buffer->array->name);
	row[COL_BUFFER] = cell_text(buffers[ring->buffer->is_snapshot]);
	row[COL_PID] = cell_int(rec->pid);
	row[COL_COMM] = cell_text(comm);
	row[COL_MARK] = cell_text(ring_doubt_name(rec->doubt));
	row[COL_FIELDS] = cell_fields(fields_of(r, rec));
	return row[COL_FIELDS].kind == CELL_NULL ? ST_NOMEM : ST_OK;
}

static enum status show(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	struct event_reader *r = v->data;
	struct table *t = &v->in->table;
	struct event_clocks clocks = { NULL };
	struct event_record rec;
	enum status st = ST_OK;

	while (st == ST_OK && event_reader_next(r, &rec)) {
		const char *comm = event_reader_comm(r, &rec);

		if (!event_kept(v, &rec, comm))
			continue;
		event_clocks_add(v, &clocks, &rec);
		st = fill(v, r, &rec, comm);
	}
	table_filter(t, &v->in->filters);
	if (st == ST_OK && o->sort)
		st = events_sort(v, &clocks);
	if (st != ST_OK)
		return st;
	if (!o->sort && o->reverse)
		table_reverse(t);
	report_rows(&v->report, t, o, 0);
	report_rest(&v->report, t->n - v->report.rows_shown, "record", "records", NULL);
	return event_buffers_end(v, r, v->in->table.n);
}

const struct fault_view_ops fault_event_records = {
	{ "records", "-e SYSTEM:EVENT", COLUMNS_OF(columns), .takes_arguments = true,
	  .below = &event_records_buffer_view, .keys = event_keys, .nkeys = EVENT_COMMON,
	  .filters_rows = true },
	check,
	open,
	show
};
