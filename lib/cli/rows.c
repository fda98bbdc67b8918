// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/rows.h"

void rows_add(struct cmdline *in, const void *record, void *view)
{
	const struct view *v = in->shown;

	if (v->member_columns) {
		if (rows_keep_member(in, v->member_columns, v->nmember_columns, record, view))
			rows_add_member(in, record, view);
	} else if (rows_keep(in, record, view)) {
		row_add(&in->table, record, view);
	}
}

void rows_order(struct table *t, const char *sort, bool up, bool reverse)
{
	size_t rank = table_index(t, COLUMN_rank);

	table_sort(t, sort, up);
	/* The first is the biggest, in whatever order they are shown. */
	for (size_t i = 0; rank < t->ncolumns && i < t->n; i++)
		t->rows[i][rank] = cell_uint(i + 1);
	if (reverse)
		table_sort(t, sort, !up);
}

bool rows_need_late(const struct cmdline *in)
{
	const struct table *t = &in->table;

	return ANY_OF(i, t->ncolumns,
		      t->columns[i].from.is_late && (t->sorted[i] || t->filtered[i]));
}

/* What its rows are summed up by where they are not shown. */
static bool is_summed(enum column_id id)
{
	return id == COLUMN_bytes || id == COLUMN_allocs;
}

void rows_put_off(struct cmdline *in)
{
	struct table *t = &in->table;
	size_t by = table_find(t, in->shown->sorted_by, strlen(in->shown->sorted_by));

	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct cell_source *s = &t->columns[i].from;

		t->put_off[i] = !t->sorted[i] && !t->filtered[i] && i != by && !s->costly &&
				(s->cell || s->cell_of || s->kind != SOURCE_NONE) &&
				!is_summed(t->columns[i].id);
	}
}

void rows_sort(struct cmdline *in)
{
	const struct opts *o = &in->opts;
	const char *by = o->sort ?: in->shown->sorted_by;
	struct table *t = &in->table;

	if (in->row_groups)
		rows_add_groups(in);
	if (rows_need_late(in))
		rows_look_up(t, t->n);
	table_filter(t, &in->filters);
	if (by)
		rows_order(t, by, !o->sort && in->shown->sorted_up, o->reverse);
}

/* Rows that are last because what they are ranked by is unknown may be the largest. */
static const char *unknown_rank(const struct cmdline *in, size_t shown)
{
	const struct table *t = &in->table;
	const char *by = in->opts.sort ? NULL : in->shown->sorted_by;
	size_t column = by ? table_find(t, by, strcspn(by, ",")) : t->ncolumns, unknown = 0;

	for (size_t i = shown; column < t->ncolumns && i < t->n; i++)
		unknown += cell_is_unknown(&t->rows[i][column]);
	return unknown ? dump_text(t->dump, ", of %s of which %s is unknown", COUNT_TEXT(unknown),
				   table_column(t, column)->name)
		       : NULL;
}

/* The rows that are shown are the first by a column that is not: who chose others may take it for one of these. */
static void tell_order(struct report *r, const struct cmdline *in, size_t shown)
{
	const struct table *t = &in->table;
	const char *by = in->opts.sort ? NULL : in->shown->sorted_by;
	const size_t column = by ? table_find(t, by, strcspn(by, ",")) : t->ncolumns;

	/* What is added to a view, or taken from it, leaves what it ranks. */
	if (r->json || !shown || shown == t->n || !in->opts.columns ||
	    strchr("+-", *in->opts.columns) || column == t->ncolumns || table_shows_at(t, column))
		return;
	sink_printf(r->sink, "rows are sorted by %s, which is not shown\n",
		    table_column(t, column)->name);
}

void rows_put(struct report *r, struct cmdline *in)
{
	const struct view *v = in->shown;
	struct table *t = &in->table;
	size_t shown = opts_rows(&in->opts, v->rows, t->n), bytes = table_index(t, COLUMN_bytes);

	rows_look_up(t, shown);
	r->tells_groups = v->member_columns;
	report_rows(r, t, &in->opts, v->rows);
	if (r->json)
		report_groups_kept(r, rows_have_parts(in), v->member, v->members);
	if (!v->row)
		return rows_tell_keys(r, in, t, shown);
	if (bytes < t->ncolumns)
		report_rest_bytes(r, t, &in->opts, shown, bytes, v->row, v->many);
	else
		report_rest(r, t->n - shown, v->row, v->many, unknown_rank(in, shown));
	rows_tell_ties(r, in, shown);
	tell_order(r, in, shown);
	rows_tell_empty(r, in, t, shown);
	rows_tell_keys(r, in, t, shown);
}

void rows_show(struct report *r, struct cmdline *in)
{
	rows_sort(in);
	rows_put(r, in);
}

void rows_put_below(struct report *r, const struct cmdline *in, const struct view *below,
		    const void *records, size_t n, size_t bytes, void *view)
{
	struct table t;

	table_init(&t, r->dump, below->columns, below->ncolumns, r->json);
	t.whole = in->table.whole;
	for (size_t i = 0; i < n; i++)
		row_add(&t, (const char *)records + i * bytes, view);
	if (below->sorted_by)
		table_sort(&t, below->sorted_by, false);
	if (r->sink->page)
		r->sink->page->is_below = true;
	report_records(r, &t, strchr(below->name, '-') + 1);
	if (r->sink->page)
		r->sink->page->is_below = false;
}

void rows_put_table(struct report *r, const struct cmdline *in, const struct view *below,
		    struct table *t, const char *title)
{
	size_t shown = below->rows ? opts_rows(&in->opts, below->rows, t->n) : t->n;

	rows_look_up(t, shown);
	for (size_t i = 0; r->json && i < shown; i++)
		table_json_record(t, r->sink, strchr(below->name, '-') + 1, t->rows[i]);
	if (r->json)
		return;
	sink_text(r->sink, title);
	/* The title has rows behind it. */
	if (r->sink->page && r->sink->page->room < r->sink->page->below_room)
		r->sink->page->room = r->sink->page->below_room;
	table_text(t, r->sink, shown);
	if (below->row)
		report_rest(r, t->n - shown, below->row, below->many, NULL);
}

void rows_show_groups(struct cmdline *in, const enum column_id *behind)
{
	cmdline_show_keys(in);
	for (; *behind; behind++)
		table_show(&in->table, *behind);
}

void rows_hide(struct cmdline *in, const enum column_id *columns)
{
	for (; !in->opts.json && *columns; columns++)
		table_hide(&in->table, *columns);
}
