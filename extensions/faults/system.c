// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

#include "mm/vm_events.h"

enum { COL_NAME, COL_COUNT, COL_MEANING, COLUMNS };

static const struct column system_columns[COLUMNS] = {
	[COL_COUNT] = { "count", "COUNT", .shown = IN_BOTH, .help = "since boot" },
	[COL_NAME] = { "name", "NAME", FORMAT_TEXT, IN_BOTH, 24, .help = "as in /proc/vmstat" },
	[COL_MEANING] = { "meaning", "MEANING", FORMAT_TEXT, IN_TEXT, 50, .help = "in words" },
};

static const struct view system_view = { "system", "", .columns = system_columns,
					 .ncolumns = COLUMNS };

struct events {
	struct vm_event *events;
	size_t n;
};

static enum status open_events(struct fault_view *v)
{
	struct events *e = dump_alloc(v->dump, sizeof(*e));

	v->data = e;
	return e ? vm_events_read(v->dump, &e->events, &e->n) : ST_NOMEM;
}

static enum status show_events(struct fault_view *v)
{
	const struct events *e = v->data;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	enum status st = ST_OK;

	for (size_t i = 0; i < e->n; i++) {
		const struct vm_event *event = &e->events[i];
		struct cell *row = table_add(t);

		if (!row)
			return ST_NOMEM;
		row[COL_NAME] = cell_text(event->name);
		row[COL_COUNT] = cell_if(event->known, cell_uint(event->count));
		row[COL_MEANING] = cell_text(event->meaning);
	}
	if (o->sort)
		st = table_sort(t, o->sort, o->reverse);
	if (st != ST_OK)
		return st;
	report_rows(&v->report, t, o, 0);
	report_end(&v->report, NULL, true);
	return ST_OK;
}

const struct fault_view_ops fault_system = { &system_view, open_events, show_events };
