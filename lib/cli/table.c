// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/table.h"

#include <stdlib.h>

#include "cli/filter_seen.h"
#include "util/likeness.h"

/* Columns, rows and their order.  How they look is in table_print.c. */

#define SORT_KEYS 8

enum status table_init(struct table *t, struct dump *d, const struct view_column *columns, size_t n,
		       bool json)
{
	if (n > VIEW_COLUMNS)
		return dump_usage(d, "%zu columns are more than a table takes, %d", n,
				  VIEW_COLUMNS);
	memset(t, 0, sizeof(*t));
	t->dump = d;
	t->columns = columns;
	t->ncolumns = n;
	t->one = "row";
	t->many = "rows";
	for (size_t i = 0; i < n; i++) {
		if (columns[i].id == COLUMN_NONE)
			return dump_usage(d, "column %zu of this view has no name", i);
		if (columns[i].shown & (json ? IN_JSON : IN_TEXT))
			t->selected[t->nselected++] = i;
	}
	return ST_OK;
}

size_t table_find(const struct table *t, const char *name, size_t len)
{
	return column_find(t->columns, t->ncolumns, name, len);
}

size_t table_index(const struct table *t, enum column_id id)
{
	size_t i = 0;

	while (i < t->ncolumns && t->columns[i].id != id)
		i++;
	return i;
}

static bool is_sort_key(const struct table *t, size_t column)
{
	return table_column(t, column)->title && !(t->columns[column].shown & NO_SORT_KEY);
}

static enum status unknown_column(const struct table *t, const char *what, bool sort_keys,
				  const char *name, size_t len)
{
	struct known_names known;

	known_names_init(&known, name, len);
	known.call = t->call;
	for (size_t i = 0; i < t->ncolumns; i++) {
		if (sort_keys && !is_sort_key(t, i))
			continue;
		known_names_add(&known, table_column(t, i)->name);
		column_names_like(&known, t->columns[i].id);
	}
	return dump_usage(t->dump, "unknown %s '%.*s'%s, known are: %s", what, (int)len, name,
			  known_names_hint(&known), known_names_text(&known, "-o help"));
}

void table_hide_at(struct table *t, size_t column)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->nselected; i++)
		if (t->selected[i] != column)
			t->selected[kept++] = t->selected[i];
	t->nselected = kept;
}

void table_show_at(struct table *t, size_t column)
{
	table_hide_at(t, column);
	t->selected[t->nselected++] = column;
}

enum status table_select(struct table *t, const char *spec)
{
	struct table next = *t;

	if (*spec != '+' && *spec != '-')
		next.nselected = 0;
	while (*spec) {
		bool minus = *spec == '-';
		size_t len, column;

		spec += *spec == '+' || minus;
		len = strcspn(spec, ",");
		column = table_find(t, spec, len);
		if (column == t->ncolumns)
			return unknown_column(t, "column", false, spec, len);
		/* Asked for again, a column moves to where it was asked for last. */
		table_hide_at(&next, column);
		if (!minus)
			table_show_at(&next, column);
		next.asked[column] = !minus;
		spec += len;
		spec += *spec == ',';
	}
	if (!next.nselected)
		return dump_usage(t->dump, "-o leaves no column");
	*t = next;
	return ST_OK;
}

struct cell *table_add(struct table *t)
{
	struct cell *row;

	t->rows = arena_more(t->dump->arena, t->rows, t->n, sizeof(*t->rows));
	row = dump_alloc(t->dump, (t->ncolumns + 1) * sizeof(*row));
	t->rows[t->n++] = row;
	return row;
}

struct sort_key {
	size_t column, exact;
	bool reverse;
};

size_t table_exact(const struct table *t, size_t column)
{
	switch (t->columns[column].id) {
	case COLUMN_ram_percent:
	case COLUMN_tracked_percent:
	case COLUMN_total_percent:
		return table_index(t, COLUMN_bytes);
	default:
		return t->ncolumns;
	}
}

struct sort {
	struct sort_key keys[SORT_KEYS];
	size_t n;
};

/* Order of two known cells of one kind: negative if a comes first. */
static int compare(const struct cell *a, const struct cell *b)
{
	switch (a->kind) {
	case CELL_TEXT:
	case CELL_NAMED:
	case CELL_LIST:
		return strcmp(cell_words(a), cell_words(b));
	case CELL_RANKED:
		return a->ranked->rank > b->ranked->rank ? -1 : a->ranked->rank < b->ranked->rank;
	case CELL_INT:
		return a->i > b->i ? -1 : a->i < b->i;
	default:
		return a->u > b->u ? -1 : a->u < b->u;
	}
}

bool table_is_alike_behind(const struct table *t, size_t column, uint64_t shown)
{
	const struct cell *first = t->n ? &t->rows[0][column] : NULL;

	return t->n > 1 && (!table_shows_at(t, column) || (shown && shown < t->n)) &&
	       !ANY_OF(i, t->n,
		       t->rows[i][column].kind != CELL_NULL &&
			       (t->rows[i][column].kind != first->kind ||
				compare(first, &t->rows[i][column])));
}

/* Behind what is known: that there is none, then a text of rank 0, last what is not known. */
static int level_of(const struct cell *c, bool reverse)
{
	if (c->kind == CELL_RANKED)
		return c->ranked->rank || reverse ? 0 : 2;
	return c->kind != CELL_NULL ? 0 : c->is_none ? 1 : 3;
}

struct ordered {
	struct cell *row;
	size_t index;
};

static int compare_cells(const struct cell *a, const struct cell *b, size_t column, bool reverse)
{
	const struct cell *p = &a[column], *q = &b[column];
	int order;

	if (p->kind == CELL_NULL || q->kind == CELL_NULL)
		return level_of(p, reverse) - level_of(q, reverse);
	order = compare(p, q);
	return reverse ? -order : order;
}

static int compare_rows(const void *x, const void *y, void *arg)
{
	const struct ordered *a = x, *b = y;
	const struct sort *sort = arg;

	for (size_t i = 0; i < sort->n; i++) {
		const struct sort_key *key = &sort->keys[i];
		int order = compare_cells(a->row, b->row, key->column, key->reverse);

		if (!order && key->exact != key->column)
			order = compare_cells(a->row, b->row, key->exact, key->reverse);
		if (order)
			return order;
	}
	if (sort->n && sort->keys[0].reverse)
		return a->index > b->index ? -1 : a->index < b->index;
	return a->index < b->index ? -1 : a->index > b->index;
}

static const char *sort_keys_text(const struct table *t)
{
	struct known_names known;

	known_names_init(&known, "", 0);
	for (size_t i = 0; i < t->ncolumns; i++)
		if (is_sort_key(t, i))
			known_names_add(&known, table_column(t, i)->name);
	/* The text is in the local structure. */
	return dump_strdup(t->dump, known_names_text(&known, "-o help"));
}

static enum status parse_sort(struct table *t, const char *spec, bool reverse, struct sort *sort)
{
	do {
		size_t len = strcspn(spec, ","), column = table_find(t, spec, len), exact;

		if (column < t->ncolumns && !is_sort_key(t, column))
			return dump_usage(
				t->dump,
				"%.*s is a column that rows are not sorted by, known are: %s",
				(int)len, spec, sort_keys_text(t));
		if (column == t->ncolumns)
			return unknown_column(t, "sort key", true, spec, len);
		if (sort->n == SORT_KEYS)
			return dump_usage(t->dump, "more than %d sort keys", SORT_KEYS);
		exact = table_exact(t, column);
		sort->keys[sort->n++] =
			(struct sort_key){ column, exact < t->ncolumns ? exact : column, reverse };
		t->sorted[column] = true;
		spec += len;
		spec += *spec == ',';
	} while (*spec);
	return ST_OK;
}

enum status table_check_sort(struct table *t, const char *spec)
{
	return parse_sort(t, spec, false, &(struct sort){ .n = 0 });
}

void table_sort(struct table *t, const char *spec, bool reverse)
{
	struct sort sort = { .n = 0 };
	struct ordered *order;

	if (parse_sort(t, spec, reverse, &sort) != ST_OK || !t->n)
		return;
	order = dump_alloc(t->dump, t->n * sizeof(*order));
	for (size_t i = 0; i < t->n; i++)
		order[i] = (struct ordered){ t->rows[i], i };
	qsort_r(order, t->n, sizeof(*order), compare_rows, &sort);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i] = order[i].row;
}

static bool keeps_order(const struct filter *f, uint64_t orders)
{
	bool met = false;

	/* All of them: each of several values is asked of each. */
	for (unsigned int i = 0; i < 64; i++)
		if (orders >> i & 1)
			met |= filter_keeps_number(f, i) != f->exclude;
	return met != f->exclude;
}

static const char *named_part(void *arg, size_t i, bool whole NOT_USED)
{
	const struct named_text *named = arg;

	return i ? named->name : named->text;
}

static bool keeps_cell(const struct filter *f, enum format format, const struct cell *c)
{
	switch (c->kind) {
	case CELL_LIST:
		return filter_keeps_list(f, c->list);
	case CELL_TEXT:
	case CELL_RANKED:
		if (f->is_flags)
			return filter_keeps_flags(f, cell_words(c), NULL);
		return f->is_function ? filter_keeps_function(f, cell_words(c))
				      : filter_keeps_text(f, cell_words(c));
	case CELL_NAMED:
		return filter_keeps_any(f, named_part, (void *)c->named, 2);
	case CELL_STACK:
		return filter_keeps_stack(f, c->stack);
	case CELL_BOOL:
		return filter_keeps_text(f, key_yes_no[!c->u]);
	case CELL_INT:
		if (!f->is_signed)
			return filter_keeps_number(f, c->i < 0 ? 0 : c->i);
		return filter_keeps_number(f, range_balance(c->i));
	case CELL_SPAN:
		return filter_keeps_span(f, c->span->first, c->span->last);
	case CELL_UINT:
	case CELL_HEX:
		if (format == FORMAT_ORDERS)
			return keeps_order(f, c->u);
		return filter_keeps_number(f, f->is_signed ? range_balance((int64_t)c->u) : c->u);
	default:
		return c->is_none ? filter_keeps_none(f) : filter_keeps_unknown(f);
	}
}

bool table_keeps_key(const struct filter *f, const struct view_column *c, const struct cell *cell)
{
	return keeps_cell(f, view_column(c)->format, cell);
}

/* Numbers are compared of processes alone: any other is another quantity. */
void table_ask_elsewhere(const struct filter *f, const struct view_column *c,
			 const struct cell *cell)
{
	const struct column *column = view_column(c);
	struct filter_seen *seen = f->seen;
	bool is_text = cell->kind == CELL_TEXT || cell->kind == CELL_LIST ||
		       cell->kind == CELL_NAMED;

	if (seen->has_choices || !strcmp(column->name, seen->column) ||
	    (!is_text && (seen->type != JSON_PID || column->type != JSON_PID)))
		return;
	for (struct alternative *a = f->first; a; a = a->next) {
		struct alternative one = *a;
		struct filter other = { .first = &one };

		if (a->met || a->unknown || a->is_whole || a->other[1] ||
		    (a->other[0] && !strcmp(a->other[0], column->name)))
			continue;
		if (!seen->elsewhere)
			seen->elsewhere = dump_alloc(seen->dump, sizeof(*seen));
		seen->elsewhere->dump = seen->dump;
		other.seen = seen->elsewhere;
		one.next = NULL;
		one.met = true; /* no likeness is measured */
		if (is_text == (a->glob || a->regex) && table_keeps_key(&other, c, cell))
			a->other[a->other[0] != NULL] = column->name;
	}
}

static bool decide(const struct table *t, const struct filters *f, const struct cell *row,
		   struct filter_verdict *verdict)
{
	for (unsigned int i = 0; i < f->nrows; i++) {
		const struct filter *filter = &f->rows[i];
		const struct view_column *column = &t->columns[filter->key];
		const struct cell *c = &row[filter->key];
		bool unknown = cell_is_doubtful(c), keeps;

		keeps = column->keeps
				? column->keeps(filter, row[t->ncolumns].record, t->view, &unknown)
				: keeps_cell(filter, view_column(column)->format, c);
		for (size_t k = 0; k < t->ncolumns && filter_seen_open(filter); k++)
			if (filter_takes_column(&t->columns[k]))
				table_ask_elsewhere(filter, &t->columns[k], &row[k]);
		if (!filter_verdict_add(verdict, filter, keeps, unknown))
			return false;
	}
	return !filter_verdict_leaves_out(verdict);
}

bool table_will_keep(const struct table *t, const struct filters *f, const struct cell *row)
{
	struct filter_verdict verdict = { 0 };

	return decide(t, f, row, &verdict);
}

bool table_keeps(const struct table *t, const struct filters *f, const struct cell *row)
{
	struct filter_verdict verdict = { 0 };

	const size_t bytes = table_index(t, COLUMN_bytes);

	decide(t, f, row, &verdict);
	if (f->nrows && bytes < t->ncolumns && row[bytes].kind == CELL_UINT)
		filter_verdict_size(f, &verdict, row[bytes].u);
	return filter_verdict_keeps(&verdict, 1, t->one, t->many);
}

void table_filter(struct table *t, const struct filters *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		if (table_keeps(t, f, t->rows[i]))
			t->rows[kept++] = t->rows[i];
	t->left_out += t->n - kept;
	t->n = kept;
}

void table_reverse(struct table *t)
{
	for (size_t i = 0; i < t->n / 2; i++) {
		struct cell *last = t->rows[t->n - 1 - i];

		t->rows[t->n - 1 - i] = t->rows[i];
		t->rows[i] = last;
	}
}

bool table_shows_at(const struct table *t, size_t column)
{
	if (column < t->ncolumns && t->filtered[column])
		return true;
	return ANY_OF(i, t->nselected, t->selected[i] == column);
}

void table_show_sorted(struct table *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		if (t->sorted[i] && !table_shows_at(t, i))
			table_show_at(t, i);
}

bool table_needs_at(const struct table *t, size_t column)
{
	return (column < t->ncolumns && t->sorted[column]) || table_shows_at(t, column);
}
