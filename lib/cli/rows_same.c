// SPDX-License-Identifier: GPL-2.0-or-later
/* What is asked of records that become no row: whether two are of one group, whether filters would keep one. */
#include "cli/rows.h"

bool rows_same_group(const struct cmdline *in, const struct view_column *columns, size_t n,
		     const void *a, const void *b, void *view)
{
	const struct table t = { .dump = in->table.dump, .columns = columns, .ncolumns = n };

	for (size_t i = 0; i < in->ngroups; i++) {
		size_t column = table_index(&t, in->keys[in->groups[i]].column);
		struct cell of_a = row_cell(&t, &columns[column], a, view),
			    of_b = row_cell(&t, &columns[column], b, view);

		of_a = cell_value(&of_a);
		of_b = cell_value(&of_b);
		if (!cell_same(&of_a, &of_b))
			return false;
	}
	return true;
}

bool rows_would_keep(const struct cmdline *in, const void *record, void *view)
{
	const struct view *v = in->shown;
	const struct table t = v->member_columns ? (struct table){ .dump = in->table.dump,
								   .columns = v->member_columns,
								   .ncolumns = v->nmember_columns }
						 : in->table;

	for (unsigned int i = 0; i < in->filters.n; i++) {
		const struct filter *f = &in->filters.filters[i];
		const struct view_column *c = &t.columns[table_index(&t, in->keys[f->key].column)];
		struct cell cell;
		bool unknown = false;

		if (!(in->keys[f->key].use & KEY_FILTERS))
			continue;
		cell = row_cell(&t, c, record, view);
		if (c->keeps ? !c->keeps(f, record, view, &unknown) : !table_keeps_key(f, c, &cell))
			return false;
	}
	return true;
}

struct cmdline *rows_without(const struct cmdline *in, enum column_id column)
{
	struct cmdline *ret = dump_alloc(in->table.dump, sizeof(*ret));
	const struct filters *f = &in->filters;

	*ret = *in;
	ret->filters.n = 0;
	for (unsigned int i = 0; i < f->n; i++)
		if (in->keys[f->filters[i].key].column != column)
			ret->filters.filters[ret->filters.n++] = f->filters[i];
	return ret->filters.n < f->n ? ret : NULL;
}
