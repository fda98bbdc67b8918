// SPDX-License-Identifier: GPL-2.0-or-later
#include "system.h"

enum { COL_NAME, COL_COUNT, COL_MEANING, COLUMNS };

static const struct column system_columns[COLUMNS] = {
	[COL_COUNT] = { "count", "COUNT", .shown = IN_BOTH, .help = "since boot" },
	[COL_NAME] = { "name", "NAME", FORMAT_TEXT, IN_BOTH, 24, .help = "as in /proc/vmstat" },
	[COL_MEANING] = { "meaning", "MEANING", FORMAT_TEXT, IN_TEXT, 50, .help = "in words" },
};

const struct view fault_system_view = { "system", "", .columns = system_columns,
					.ncolumns = COLUMNS };

enum status fault_system_show(struct cmdline *in, const struct vm_event *events, size_t n,
			      struct report *r)
{
	const struct opts *o = &in->opts;
	struct table *t = &in->table;
	enum status st = ST_OK;

	for (size_t i = 0; i < n; i++) {
		struct cell *row = table_add(t);

		if (!row)
			return ST_NOMEM;
		row[COL_NAME] = cell_text(events[i].name);
		row[COL_COUNT] = cell_if(events[i].known, cell_uint(events[i].count));
		row[COL_MEANING] = cell_text(events[i].meaning);
	}
	if (o->sort)
		st = table_sort(t, o->sort, o->reverse);
	if (st != ST_OK)
		return st;
	report_rows(r, t, o, 0);
	report_end(r, NULL, true);
	return ST_OK;
}
