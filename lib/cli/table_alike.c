// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/table_alike.h"

#include <ctype.h>

#include "util/units.h"

#define FEWEST 4 /* rows that one stands for: fewer are read as fast */

bool table_same_stack(const struct stack *a, const struct stack *b)
{
	if (a->n != b->n || a->cut != b->cut)
		return false;
	for (unsigned int i = 0; i < a->n; i++)
		if (a->frames[i]->addr != b->frames[i]->addr)
			return false;
	return true;
}

/* "oracle_164_wms" and "oracle_165_wms" */
static bool same_name(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (isdigit((unsigned char)*a))
			a++;
		while (isdigit((unsigned char)*b))
			b++;
		if (*a != *b || !*a)
			return *a == *b;
	}
}

static bool is_comm(const struct column *col)
{
	return col == &column_catalogue[COLUMN_comm];
}

static bool same_cell(const struct table *t, size_t column, const struct cell *a,
		      const struct cell *b)
{
	const struct column *col = table_column(t, column);
	char one[CELL_TEXT_BYTES], two[CELL_TEXT_BYTES];

	if (!col->title || (!table_is_left(col) && a->kind != CELL_STACK))
		return true;
	if (a->kind != b->kind)
		return false;
	if (a->kind == CELL_STACK)
		return table_same_stack(a->stack, b->stack);
	if (is_comm(col))
		return same_name(table_cell_text(col, a, one), table_cell_text(col, b, two));
	return !strcmp(table_cell_text(col, a, one), table_cell_text(col, b, two));
}

static bool same_row(const struct table *t, size_t a, size_t b)
{
	for (size_t i = 0; i < t->nselected; i++) {
		const size_t column = t->selected[i];

		if (!same_cell(t, column, &t->rows[a][column], &t->rows[b][column]))
			return false;
	}
	return true;
}

static bool has_column(const struct table *t, enum column_id id)
{
	return ANY_OF(i, t->nselected, table_column(t, t->selected[i]) == &column_catalogue[id]);
}

struct alike *table_alike(const struct table *t, size_t rows)
{
	struct alike *all;

	if (!rows || (!(has_column(t, COLUMN_comm) && has_column(t, COLUMN_pid)) &&
		      !(has_column(t, COLUMN_memcg) && has_column(t, COLUMN_memcg_state))))
		return NULL;
	all = dump_alloc(t->dump, rows * sizeof(*all));
	for (size_t r = 0; r < rows; r++) {
		size_t head = 0;

		while (head < r && (all[head].head != head || !same_row(t, head, r)))
			head++;
		all[r] = (struct alike){ head, 0 };
		all[head].n++;
	}
	for (size_t r = 0; r < rows; r++)
		if (all[all[r].head].n < FEWEST)
			all[r].head = r;
	for (size_t r = 0; r < rows; r++)
		all[r].n = all[r].head == r && all[r].n < FEWEST ? 1 : all[r].n;
	return all;
}

/* Whether a row before it that is alike has the same number. */
static bool is_told(const struct table *t, const struct alike *of, size_t head, size_t row,
		    size_t column)
{
	for (size_t r = head; r < row; r++)
		if (of[r].head == head && t->rows[r][column].i == t->rows[row][column].i)
			return true;
	return false;
}

/* How many PIDs there are, and behind that which: no script is needed. */
static void put_numbers(const struct table *t, struct sink *sink, const struct alike *of,
			size_t rows, size_t head, size_t column)
{
	const char *between = "";
	uint64_t n = 0;

	for (size_t r = head; r < rows; r++)
		n += of[r].head == head && !is_told(t, of, head, r, column);
	sink_printf(sink, "<td class=num data-v=\"%ld\"><details class=alike><summary>%s</summary>",
		    t->rows[head][column].i, COUNT_TEXT(n));
	for (size_t r = head; r < rows; r++) {
		if (of[r].head != head || is_told(t, of, head, r, column))
			continue;
		sink_printf(sink, "%s%ld", between, t->rows[r][column].i);
		between = ", ";
	}
	sink_text(sink, "</details></td>");
}

static void put_range(const struct table *t, struct sink *sink, size_t column, size_t low,
		      size_t high)
{
	const struct column *col = table_column(t, column);
	char buf[CELL_TEXT_BYTES];

	sink_printf(sink, "<td class=num data-v=\"%ld\">", t->rows[high][column].i);
	sink_text(sink, table_cell_text(col, &t->rows[low][column], buf));
	if (strcmp(table_cell_text(col, &t->rows[high][column], buf),
		   table_cell_text(col, &t->rows[low][column], (char[CELL_TEXT_BYTES]){ "" })) != 0)
		sink_printf(sink, " to %s", buf);
	sink_text(sink, "</td>");
}

bool table_alike_cell(const struct table *t, struct sink *sink, const struct alike *of, size_t rows,
		      size_t head, size_t column)
{
	const struct column *col = table_column(t, column);
	size_t low = rows, high = rows;

	if (of[head].n < FEWEST || table_is_left(col))
		return false;
	for (size_t r = head; r < rows; r++) {
		const struct cell *c = &t->rows[r][column];

		if (of[r].head != head || (c->kind != CELL_UINT && c->kind != CELL_INT))
			continue;
		low = low == rows || c->i < t->rows[low][column].i ? r : low;
		high = high == rows || c->i > t->rows[high][column].i ? r : high;
	}
	if (low == rows || t->rows[low][column].i == t->rows[high][column].i)
		return false;
	if (col->type == JSON_PID)
		put_numbers(t, sink, of, rows, head, column);
	else
		put_range(t, sink, column, low, high);
	return true;
}
