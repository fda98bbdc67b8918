// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -e SYSTEM:EVENT: a row for each record of any trace event, with its fields. */

#include "events.h"

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

static struct cell fields_cell(const void *record, void *view)
{
	struct event_reader *r = ((struct fault_view *)view)->data;
	const struct event_record *rec = record;
	const struct trace_event *event = rec->event;
	struct fields *fields = dump_alloc(r->dump, sizeof(*fields));
	const char **names = dump_alloc(r->dump, (event->nfields + 1) * sizeof(*names));
	struct cell *values = dump_alloc(r->dump, (event->nfields + 1) * sizeof(*values));

	for (size_t i = 0; i < event->nfields; i++) {
		names[i] = event->fields[i].name;
		values[i] = value_of(r, rec, &event->fields[i]);
	}
	*fields = (struct fields){ event->nfields, names, values };
	return cell_fields(fields);
}

static const struct view_column columns[] = {
	EVENT_COLUMNS,
	EVENT_MARK_COLUMN,
	{ COLUMN_fields, IN_BOTH | KNOWN | NO_SORT_KEY, CELL_BY(fields_cell) },
	BASIS(recorded),
};

/* As tracefs has its folders, or as lists of those that are on have it. */
static const char *form_of(struct dump *d, const char *typed)
{
	const char *slash = strchr(typed, '/');

	if (slash && slash != typed && slash[1] && !strchr(slash + 1, '/'))
		return dump_text(d, ": %.*s:%s", (int)(slash - typed), typed, slash + 1);
	return !strncmp(typed, "page_fault", strlen("page_fault"))
		       ? dump_text(d, ": exceptions:%s, or -e alone", typed)
		       : "";
}

static enum status check(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	const char *last = o->args[o->nargs - 1], *colon = strchr(last, ':');

	if (o->group)
		return dump_usage(v->dump, "-g counts page faults: no SYSTEM:EVENT with it");
	if (o->nargs > 1 || !colon || colon == last || !colon[1])
		return dump_usage(v->dump, "-e takes one event as SYSTEM:EVENT, not '%s'%s", last,
				  form_of(v->dump, last));
	return ST_OK;
}

static enum status open(struct fault_view *v)
{
	struct event_reader *r = dump_alloc(v->dump, sizeof(*r));
	char *system = dump_strdup(v->dump, v->in->opts.args[0]);
	const char *name;

	v->data = r;
	system[strcspn(system, ":")] = '\0';
	name = system + strlen(system) + 1;
	return event_reader_open(v->dump, system, &name, 1, v->in->opts.all, r);
}

static enum status show(struct fault_view *v)
{
	struct event_reader *r = v->data;
	struct event_clocks clocks;
	struct event_record rec;

	event_clocks_init(v, &clocks);
	while (event_reader_next(r, &rec)) {
		if (!event_kept(v, &rec))
			continue;
		event_clocks_add(v, &clocks, &rec);
		row_add(&v->in->table, &rec, v);
	}
	events_show(v, &clocks);
	return event_buffers_end(v, r, v->in->table.n);
}

const struct fault_view_ops fault_event_records = {
	{ "records", "-e SYSTEM:EVENT", COLUMNS_OF(columns), .takes_arguments = true,
	  .below = &event_records_buffer_view, .keys = event_keys, .nkeys = EVENT_COMMON,
	  ROWS_ARE("record", "records", NULL, 0) },
	check,
	open,
	show
};
