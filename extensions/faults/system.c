// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -v: the counters of the whole system. */
#include "view.h"

#define ROW struct vm_event

static const struct view_column columns[] = {
	{ COLUMN_name, IN_BOTH | KNOWN, "as in /proc/vmstat", TEXT_OF(ROW, name) },
	{ COLUMN_count, IN_BOTH, "since boot", UINT_IF(ROW, count, known) },
	{ COLUMN_meaning, IN_TEXT | KNOWN, TEXT_OF(ROW, meaning) },
	BASIS(derived),
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
	return v->in->ngroups ? memcg_events_read(v->dump, &e->of_memcgs)
			      : vm_events_read(v->dump, &e->events, &e->n);
}

static enum status show_events(struct fault_view *v)
{
	const struct events *e = v->data;

	if (v->in->ngroups)
		return system_memcg_show(v, &e->of_memcgs);
	for (size_t i = 0; i < e->n; i++)
		row_add(&v->in->table, &e->events[i], v);
	rows_show(&v->report, v->in);
	report_end(&v->report, NULL, true);
	return ST_OK;
}

const struct fault_view_ops fault_system = { { "system", "-v", COLUMNS_OF(columns),
					       .grouped = &system_memcg_view,
					       ALL_ROWS_ARE("counter", "counters", NULL, 0) },
					     NULL,
					     open_events,
					     show_events };
