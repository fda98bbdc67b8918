// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

#include "zones/vm_events.h"
#include "system_memcg.h"

enum { COL_NAME, COL_COUNT, COL_MEANING, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_COUNT] = { COLUMN_count, IN_BOTH, "since boot" },
	[COL_NAME] = { COLUMN_name, IN_BOTH | KNOWN, "as in /proc/vmstat" },
	[COL_MEANING] = { COLUMN_meaning, IN_TEXT | KNOWN },
};

struct events {
	struct vm_event *events;
	size_t n;
	struct memcg_tree of_memcgs; /* with -g */
};

static enum status open_events(struct fault_view *v)
{
	struct events *e = dump_alloc(v->dump, sizeof(*e));

	v->data = e;
	if (!e)
		return ST_NOMEM;
	return v->in->ngroups ? memcg_events_read(v->dump, &e->of_memcgs)
			      : vm_events_read(v->dump, &e->events, &e->n);
}

static enum status show_events(struct fault_view *v)
{
	const struct events *e = v->data;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	enum status st = ST_OK;

	if (v->in->ngroups)
		return system_memcg_show(v, &e->of_memcgs);
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
	report_rest(&v->report, t->n - report_rows(&v->report, t, o, 0), "counter", "counters",
		    NULL);
	report_end(&v->report, NULL, true);
	return ST_OK;
}

const struct fault_view_ops fault_system = { { "system", "-v", COLUMNS_OF(columns),
					       .grouped = &system_memcg_view },
					     NULL,
					     open_events,
					     show_events };
