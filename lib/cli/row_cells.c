// SPDX-License-Identifier: GPL-2.0-or-later
/* Cells of records, and whether filters of keys keep these. */
#include "cli/rows.h"

#include "cli/filter_seen.h"
#include "cli/row_times.h"

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
void rows_look_up(struct table *t, size_t rows)
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

/* 0: it has none, or it is unknown. */
static uint64_t row_bytes(const struct table *t, const void *record, void *view)
{
	const size_t i = table_index(t, COLUMN_bytes);
	struct cell cell;

	if (i == t->ncolumns || t->columns[i].from.costly || t->columns[i].from.is_late)
		return 0;
	cell = row_cell(t, &t->columns[i], record, view);
	return cell.kind == CELL_UINT ? cell.u : 0;
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
				      : table_keeps_key(f, column, &cell);
		look_elsewhere(in, t, f, record, view);
		if (!filter_verdict_add(&verdict, f, keeps, unknown))
			return false;
	}
	if (in->filters.n)
		filter_verdict_size(&in->filters, &verdict, row_bytes(t, record, view));
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

void rows_put_record(struct report *r, const struct view *below, const void *record, void *view)
{
	struct table t;
	struct cell row[VIEW_COLUMNS];

	if (table_init(&t, r->dump, below->columns, below->ncolumns, true) != ST_OK)
		return;
	fill(&t, record, view, row);
	table_json_record(&t, r->sink, strchr(below->name, '-') + 1, row);
}
