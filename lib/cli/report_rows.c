// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of a table, and of -s what their order cannot say. */
#include "cli/report.h"
#include "cli/table.h"

/* Of groups: what members have each another of is as "-" as what is unknown. */
static void warn_of_differing(struct report *r, const struct table *t, size_t column, size_t null)
{
	const char *name = table_column(t, column)->name;
	const char *groups = r->opts ? r->opts->group : NULL;

	if (null < t->n)
		report_warn(
			r,
			"%s is unknown, or not the same in the whole group, of %s of %s, which come last",
			name, COUNT_TEXT(null), COUNT_OF(t->n, "group"));
	else if (groups)
		report_warn(
			r,
			"not sorted by %s: no group is known to have the same in all of it: -g %s,%s groups by it, too",
			name, groups, name);
	else
		report_warn(r, "not sorted by %s: no group is known to have the same in all of it",
			    name);
}

/* Of a key that no row has the order says nothing; rows that do not know it are neither the least nor the most. */
static void warn_of_key(struct report *r, const struct table *t, size_t column)
{
	const char *name = table_column(t, column)->name;
	const char *why = view_column_why(&t->columns[column]);
	size_t unknown = 0, null = 0;

	for (size_t i = 0; i < t->n; i++) {
		unknown += cell_is_unknown(&t->rows[i][column]);
		null += t->rows[i][column].kind == CELL_NULL;
	}
	if (t->may_differ[column] && null)
		warn_of_differing(r, t, column, null);
	else if (null && null == t->n && unknown != t->n)
		report_warn(r, "not sorted by %s: no row is known to have one%s%s%s", name,
			    why ? " (" : "", why ?: "", why ? ")" : "");
	else if (unknown && unknown == t->n)
		report_warn(r, "not sorted by %s: it is unknown of all rows", name);
	else if (unknown)
		report_warn(r, "%s is unknown of %s of %s, which come last", name,
			    COUNT_TEXT(unknown), COUNT_OF(t->n, "row"));
	else if (table_is_alike_behind(t, column, r->rows_shown))
		report_warn(r, "not sorted by %s: all rows have the same", name);
}

static void warn_of_order(struct report *r, const struct table *t, const char *sort)
{
	while (sort && *sort) {
		size_t len = strcspn(sort, ","), column = table_find(t, sort, len);

		if (column < t->ncolumns)
			warn_of_key(r, t, column);
		sort += len + (sort[len] == ',');
	}
}

static void put_rows(struct report *r, const struct table *t, size_t n)
{
	if (!r->json)
		table_text(t, r->sink, n);
	for (size_t i = 0; r->json && i < n; i++)
		table_json_row(t, r->sink, t->rows[i]);
}

void report_table(struct report *r, const struct table *t)
{
	put_rows(r, t, t->n);
}

size_t report_rows(struct report *r, const struct table *t, const struct opts *o, uint64_t dflt)
{
	r->rows_shown = opts_rows(o, dflt, t->n);
	warn_of_order(r, t, o->sort);
	r->rows_total = t->n;
	put_rows(r, t, r->rows_shown);
	report_columns_kept(r, t->left_out);
	return r->rows_shown;
}
