// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether two records are of one group. */
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
