// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/rows.h"

#include "cli/row_times.h"
#include "cli/filter_seen.h"

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

/* Of a whole that is unknown no share is 0. */
static struct cell share_of(const struct table *t, uint64_t pages)
{
	return t->whole ? cell_uint(units_tenths(pages, t->whole)) : cell_text(NULL);
}

static struct cell value(const struct table *t, const struct cell_source *s, const void *record,
			 void *view)
{
	const char *base = record, *at, *text;

	if (s->cell)
		return s->cell(record, view);
	if (s->cell_of)
		return s->cell_of(record, view, s->arg);
	if (s->via)
		base = *(const char *const *)(base + s->via - 1);
	if (s->via && !base)
		return cell_text(NULL);
	at = base + s->offset;
	if (s->known == SOURCE_KNOWN_NONZERO ? !member_uint(at, s->bytes)
					     : s->known && !((const bool *)base)[s->known - 1])
		return cell_text(NULL);
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
		return share_of(t, member_uint(at, s->bytes));
	case SOURCE_TEXT:
		return cell_text(*(const char *const *)at);
	case SOURCE_NAME:
		return cell_text(s->names[member_uint(at, s->bytes)]);
	case SOURCE_STACK:
		return cell_stack(*(const struct stack *const *)at);
	case SOURCE_LIST:
		return cell_list(*(const struct text_list *const *)at);
	case SOURCE_COPY:
		text = *(const char *const *)at;
		return cell_text(text && *text ? dump_strdup(t->dump, text) : NULL);
	case SOURCE_CHARS:
		return cell_text(s->known || *at ? at : NULL);
	case SOURCE_WORD:
		return cell_text(s->word);
	default:
		return cell_none();
	}
}

static struct cell row_group_cell(const struct table *t, const struct view_column *c,
				  const void *group)
{
	const struct row_group *g = group;
	struct cell cell;

	if (c->from.kind == SOURCE_MEMBERS)
		return cell_uint(g->members);
	cell = g->sums[c - t->columns];
	if (c->from.kind == SOURCE_TIMES)
		return row_times_cell(t, &cell);
	if (c->from.kind != SOURCE_SUM_SHARE || cell.kind == CELL_NULL)
		return cell;
	/* The whole is in pages. */
	if (column_catalogue[c->from.of].format == FORMAT_SIZE)
		cell.u >>= t->dump->page_shift;
	return share_of(t, cell.u);
}

struct cell row_cell(const struct table *t, const struct view_column *c, const void *record,
		     void *view)
{
	struct cell cell = c->from.kind > SOURCE_WORD ? row_group_cell(t, c, record)
						      : value(t, &c->from, record, view);

	if (cell.kind == CELL_NULL && !cell.is_none)
		cell.is_none = c->shown & OR_NONE || (c->can_have && !c->can_have(record, view));
	return cell;
}

static bool is_late(const struct table *t, size_t column)
{
	return t->columns[column].from.is_late || t->put_off[column];
}

static void fill(const struct table *t, const void *record, void *view, struct cell *row)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		row[i] = is_late(t, i) || (t->columns[i].from.costly && !table_needs_at(t, i))
				 ? cell_text(NULL)
				 : row_cell(t, &t->columns[i], record, view);
}

struct cell *row_add(struct table *t, const void *record, void *view)
{
	struct cell *row = table_add(t);

	t->view = view;
	row[t->ncolumns].record = record;
	fill(t, record, view, row);
	return row;
}

void row_stream(struct report *r, const struct table *t, const void *record, void *view)
{
	struct cell row[VIEW_COLUMNS];

	fill(t, record, view, row);
	if (r->json)
		table_json_row(t, r->sink, row);
	else
		table_stream_row(t, r->sink, row);
	r->rows_shown++;
}

void row_put_named(const struct table *t, const char *spec, struct sink *sink, const void *record,
		   void *view)
{
	struct cell row[VIEW_COLUMNS];

	fill(t, record, view, row);
	table_named(t, spec, sink, row);
}

void row_fill(const struct table *t, const void *record, void *view, struct cell *row)
{
	for (size_t i = 0; i < t->nselected; i++)
		row[t->selected[i]] = row_cell(t, &t->columns[t->selected[i]], record, view);
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->filtered[i])
			row[i] = row_cell(t, &t->columns[i], record, view);
}

/* The late cells of the first rows. */
static void look_up(struct table *t, size_t rows)
{
	for (size_t n = 0; n < rows && !t->has_late; n++)
		for (size_t i = 0; i < t->ncolumns; i++)
			if (is_late(t, i))
				t->rows[n][i] = row_cell(t, &t->columns[i],
							 t->rows[n][t->ncolumns].record, t->view);
	t->has_late |= rows == t->n;
}

/* Whether a column that is at hand can be named by -f. */
static bool is_filterable(const struct cmdline *in, const struct table *t,
			  const struct view_column *c)
{
	if (c->from.costly || c->from.is_late)
		return false;
	return (t == &in->table && in->shown->filters_rows && filter_takes_column(c)) ||
	       ANY_OF(i, in->nkeys, in->keys[i].column == c->id && in->keys[i].use & KEY_FILTERS);
}

/* What a value that the column of its filter lacks may have been meant for. */
static void look_elsewhere(const struct cmdline *in, const struct table *t, const struct filter *f,
			   const void *record, void *view)
{
	for (size_t i = 0; i < t->ncolumns && filter_seen_open(f); i++)
		if (is_filterable(in, t, &t->columns[i])) {
			const struct cell cell = row_cell(t, &t->columns[i], record, view);

			table_ask_elsewhere(f, &t->columns[i], &cell);
		}
}

static bool keep(const struct cmdline *in, const struct table *t, unsigned int use,
		 const void *record, void *view)
{
	struct filter_verdict verdict = { 0 };

	for (unsigned int i = 0; i < in->filters.n; i++) {
		const struct filter *f = &in->filters.filters[i];
		const struct view_column *column =
			&t->columns[table_index(t, in->keys[f->key].column)];
		struct cell cell;
		bool unknown, keeps;

		if (!(in->keys[f->key].use & use))
			continue;
		cell = row_cell(t, column, record, view);
		unknown = cell_is_doubtful(&cell);
		keeps = column->keeps ? column->keeps(f, record, view, &unknown)
				      : table_keeps_key(f, &cell);
		look_elsewhere(in, t, f, record, view);
		if (!filter_verdict_add(&verdict, f, keeps, unknown))
			return false;
	}
	return filter_verdict_keeps(&verdict, 1, t->one, t->many);
}

bool rows_keep(struct cmdline *in, const void *record, void *view)
{
	bool keeps = keep(in, &in->table, KEY_FILTERS | KEY_OF_GROUP, record, view);

	in->table.refused += !keeps;
	return keeps;
}

bool rows_keep_group(struct cmdline *in, const void *record, void *view)
{
	bool keeps = keep(in, &in->table, KEY_OF_GROUP, record, view);

	in->table.refused += !keeps;
	return keeps;
}

bool rows_keep_member(struct cmdline *in, const struct view_column *columns, size_t n,
		      const void *record, void *view)
{
	const struct view *v = in->shown;
	const struct table t = {
		.dump = in->table.dump,
		.columns = columns,
		.ncolumns = n,
		.one = v->member ?: in->table.one,
		.many = v->member ? v->members : in->table.many,
	};
	bool keeps = keep(in, &t, KEY_FILTERS, record, view);

	in->members++;
	in->kept += keeps;
	return keeps;
}

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
		look_up(t, t->n);
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

void rows_put(struct report *r, struct cmdline *in)
{
	const struct view *v = in->shown;
	struct table *t = &in->table;
	size_t shown = opts_rows(&in->opts, v->rows, t->n), bytes = table_index(t, COLUMN_bytes);

	look_up(t, shown);
	r->tells_groups = v->member_columns;
	report_rows(r, t, &in->opts, v->rows);
	if (r->json)
		report_groups_kept(r, rows_have_parts(in));
	if (!v->row)
		return;
	if (bytes < t->ncolumns)
		report_rest_bytes(r, t, &in->opts, shown, bytes, v->row, v->many);
	else
		report_rest(r, t->n - shown, v->row, v->many, unknown_rank(in, shown));
	rows_tell_empty(r, in, t, shown);
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

	look_up(t, shown);
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

void rows_put_record(struct report *r, const struct view *below, const void *record, void *view)
{
	struct table t;
	struct cell row[VIEW_COLUMNS];

	if (table_init(&t, r->dump, below->columns, below->ncolumns, true) != ST_OK)
		return;
	fill(&t, record, view, row);
	table_json_record(&t, r->sink, strchr(below->name, '-') + 1, row);
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
