// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows that are not shown and are no less than the last one that is. */
#include "cli/rows.h"

/* Whether two rows are in one place of the order, and have a number there that is not 0. */
static bool are_tied(const struct table *t, const char *sort, size_t a, size_t b)
{
	bool has_number = false;
	size_t exact;

	for (size_t len; sort && *sort; sort += len + (sort[len] == ',')) {
		size_t column = table_find(t, sort, len = strcspn(sort, ","));

		if (column >= t->ncolumns || !cell_same(&t->rows[a][column], &t->rows[b][column]))
			return false;
		exact = table_exact(t, column);
		if (exact < t->ncolumns && !cell_same(&t->rows[a][exact], &t->rows[b][exact]))
			return false;
		has_number |= t->rows[a][column].kind != CELL_NULL && t->rows[a][column].u &&
			      !table_is_left(table_column(t, column));
	}
	return has_number;
}

void rows_tell_ties(struct report *r, const struct cmdline *in, size_t shown)
{
	const struct table *t = &in->table;
	const char *by = in->opts.sort;
	size_t ties = 0, column;

	if (r->json || !by || !shown)
		return;
	while (shown + ties < t->n && are_tied(t, by, shown - 1, shown + ties))
		ties++;
	column = table_find(t, by, strcspn(by, ","));
	if (ties)
		sink_printf(r->sink, "%s the same %s as the last row%s\n",
			    PLURAL_TEXT(ties, "of these has", "of these have"),
			    table_column(t, column)->name,
			    strchr(by, ',') ? ", and what else rows are sorted by" : "");
}
