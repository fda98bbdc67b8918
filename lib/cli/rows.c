// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/rows.h"

#include <string.h>

#include "util/units.h"

static uint64_t member_uint(const void *at, size_t bytes)
{
	uint64_t v = 0;

	memcpy(&v, at, bytes < sizeof(v) ? bytes : sizeof(v));
	return v;
}

static int64_t member_int(const void *at, size_t bytes)
{
	unsigned int unused = 8 * (sizeof(int64_t) - bytes);

	return (int64_t)(member_uint(at, bytes) << unused) >> unused;
}

static struct cell source_cell(const struct table *t, const struct cell_source *s,
			       const void *record, void *view)
{
	const char *at = (const char *)record + s->offset, *text;

	if (s->cell)
		return s->cell(record, view);
	if (s->known == SOURCE_KNOWN_NONZERO ? !member_uint(at, s->bytes)
					     : s->known && !((const bool *)record)[s->known - 1])
		return (struct cell){ .kind = CELL_NULL };
	switch (s->kind) {
	case SOURCE_UINT:
		return cell_uint(member_uint(at, s->bytes));
	case SOURCE_INT:
		return cell_int(member_int(at, s->bytes));
	case SOURCE_HEX:
		return cell_hex(member_uint(at, s->bytes));
	case SOURCE_BOOL:
		return cell_bool(*(const bool *)at);
	case SOURCE_PAGES:
		return cell_uint(member_uint(at, s->bytes) << t->dump->page_shift);
	case SOURCE_SIGNED_PAGES:
		return cell_int(
			(int64_t)((uint64_t)member_int(at, s->bytes) << t->dump->page_shift));
	case SOURCE_SHARE:
		return cell_uint(units_tenths(member_uint(at, s->bytes), t->whole));
	case SOURCE_TEXT:
		return cell_text(*(const char *const *)at);
	case SOURCE_COPY:
		text = *(const char *const *)at;
		return cell_text(text && *text ? arena_strdup(t->dump->arena, text) : NULL);
	case SOURCE_CHARS:
		return cell_text(s->known || *at ? at : NULL);
	default:
		return (struct cell){ .kind = CELL_NULL };
	}
}

struct cell *row_add(struct table *t, const void *record, void *view)
{
	struct cell *row = table_add(t);

	for (size_t i = 0; row && i < t->ncolumns; i++)
		row[i] = source_cell(t, &t->columns[i].from, record, view);
	return row;
}

static bool keep(struct cmdline *in, const struct table *t, unsigned int use, const void *record,
		 void *view)
{
	for (unsigned int i = 0; i < in->filters.n; i++) {
		const struct filter *f = &in->filters.filters[i];
		size_t column = table_index(t, in->keys[f->key].column);
		struct cell cell;

		if (!(in->keys[f->key].use & use))
			continue;
		cell = source_cell(t, &t->columns[column].from, record, view);
		if (table_keeps_key(f, &cell))
			continue;
		in->table.refused++;
		return false;
	}
	return true;
}

bool rows_keep(struct cmdline *in, const void *record, void *view)
{
	return keep(in, &in->table, KEY_FILTERS | KEY_OF_GROUP, record, view);
}

bool rows_keep_group(struct cmdline *in, const void *record, void *view)
{
	return keep(in, &in->table, KEY_OF_GROUP, record, view);
}

bool rows_keep_member(struct cmdline *in, const struct view_column *columns, size_t n,
		      const void *record, void *view)
{
	const struct table t = { .dump = in->table.dump, .columns = columns, .ncolumns = n };

	return keep(in, &t, KEY_FILTERS, record, view);
}

enum status rows_add(struct cmdline *in, const void *record, void *view)
{
	return !rows_keep(in, record, view) || row_add(&in->table, record, view) ? ST_OK : ST_NOMEM;
}

enum status rows_sort(struct cmdline *in)
{
	const struct opts *o = &in->opts;

	table_filter(&in->table, &in->filters);
	return table_sort(&in->table, o->sort ? o->sort : in->shown->sorted_by, o->reverse);
}

void rows_put(struct report *r, struct cmdline *in)
{
	const struct view *v = in->shown;
	struct table *t = &in->table;
	size_t shown = report_rows(r, t, &in->opts, v->rows), bytes = table_index(t, COLUMN_bytes);

	if (!v->row)
		return;
	if (bytes < t->ncolumns)
		report_rest_bytes(r, t, shown, bytes, v->row, v->many);
	else
		report_rest(r, t->n - shown, v->row, v->many, NULL);
}

enum status rows_show(struct report *r, struct cmdline *in)
{
	enum status st = rows_sort(in);

	if (st == ST_OK)
		rows_put(r, in);
	return st;
}

enum status rows_put_below(struct report *r, const struct cmdline *in, const struct view *below,
			   const void *records, size_t n, size_t bytes, void *view)
{
	struct table t;
	enum status st = table_init(&t, r->dump, below->columns, below->ncolumns, r->json);

	t.whole = in->table.whole;
	for (size_t i = 0; st == ST_OK && i < n; i++)
		if (!row_add(&t, (const char *)records + i * bytes, view))
			st = ST_NOMEM;
	if (st == ST_OK && below->sorted_by)
		st = table_sort(&t, below->sorted_by, false);
	if (st == ST_OK)
		report_records(r, &t, strchr(below->name, '-') + 1);
	return st;
}

void rows_put_record(struct report *r, const struct view *below, const void *record, void *view)
{
	struct table t;
	struct cell row[VIEW_COLUMNS];

	if (table_init(&t, r->dump, below->columns, below->ncolumns, true) != ST_OK)
		return;
	for (size_t i = 0; i < t.ncolumns; i++)
		row[i] = source_cell(&t, &t.columns[i].from, record, view);
	table_json_record(&t, r->sink, strchr(below->name, '-') + 1, row);
}

void rows_show_groups(struct cmdline *in, const enum column_id *behind)
{
	struct table *t = &in->table;

	for (size_t i = 0; i < in->ngroups; i++)
		table_show(t, table_index(t, in->keys[in->groups[i]].column));
	for (; *behind; behind++)
		table_show(t, table_index(t, *behind));
}

void rows_put_kept(struct report *r, const struct cmdline *in)
{
	report_rows_kept(r, &in->filters, &in->table, in->shown->row, in->shown->many);
}
