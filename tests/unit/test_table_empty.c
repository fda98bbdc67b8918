// SPDX-License-Identifier: GPL-2.0-or-later
/* Columns that say nothing are left out of text, and named below the rows. */
#include "cli/table.h"
#include "cli/table_empty.h"
#include "stub.h"
#include "test.h"
#include "util/number_range.h"

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH },	{ COLUMN_node, IN_BOTH },
	{ COLUMN_swap_bytes, IN_BOTH }, { COLUMN_max_limit, IN_BOTH },
	{ COLUMN_pages, IN_BOTH },	{ COLUMN_ram_percent, IN_BOTH },
	{ COLUMN_path, IN_BOTH },	{ COLUMN_oom_kills, IN_BOTH },
	{ COLUMN_comm, IN_BOTH },
};

enum { PID, NODE, SWAP, MAX, PAGES, RAM, PATH, KILLS, COMM };

/* Rows that have nothing but a pid and a name. */
static void fill(struct table *t, unsigned int rows)
{
	for (unsigned int i = 0; i < rows; i++) {
		struct cell *row = table_add(t);

		row[PID] = cell_uint(0);
		row[NODE] = cell_uint(0);
		row[SWAP] = cell_uint(0);
		row[MAX] = i ? cell_uint(NUMBER_NO_LIMIT) : cell_none();
		row[PAGES] = i ? cell_text(NULL) : cell_uint(0);
		row[RAM] = cell_uint(0);
		row[PATH] = i ? cell_text("") : cell_none();
		row[KILLS] = cell_uint(0);
		row[COMM] = cell_text("a");
	}
}

static const char *text_of(struct table *t)
{
	static struct text ret;

	text_open(&ret);
	table_text(t, &ret.sink, t->n);
	return text_get(&ret);
}

#define OPEN(spec, rows)                                                              \
	STUB(s);                                                                      \
	struct table t;                                                               \
	CHECK(table_init(&t, &s.dump, columns, ARRAY_SIZE(columns), false) == ST_OK); \
	CHECK(!(spec) || table_select(&t, spec) == ST_OK);                            \
	fill(&t, rows)

static void all_but_names(void)
{
	OPEN(NULL, 3);
	CHECK(!strcmp(text_of(&t), "PID  NODE  COMM\n  0     0  a\n  0     0  a\n  0     0  a\n"
				   "0 in every row: SWAP, OOM_KILL; 0.0: RAM%; none: PATH; "
				   "max or none: MAX; 0, none or unknown: PAGES\n"));
	CHECK(table_tells(&t, COLUMN_node) && !table_tells(&t, COLUMN_swap_bytes));
}

static void one_value(void)
{
	OPEN(NULL, 3);
	t.rows[2][SWAP] = cell_uint(4096);
	t.rows[1][PATH] = cell_text("/a");
	/* No limit is nothing beside a limit of 0. */
	t.rows[0][MAX] = cell_uint(0);
	CHECK(strstr(text_of(&t), "PID  NODE  SWAP  MAX  PATH  COMM\n"));
	CHECK(strstr(text_of(&t),
		     "\n0 in every row: OOM_KILL; 0.0: RAM%; 0, none or unknown: PAGES\n"));
	CHECK(table_tells(&t, COLUMN_swap_bytes));
}

static void what_was_asked_for(void)
{
	OPEN("+swap_bytes", 3);
	t.keys[KILLS] = t.sorted[RAM] = t.filtered[PAGES] = true;
	CHECK(strstr(text_of(&t), "PID  NODE  PAGES  RAM%  OOM_KILL  COMM  SWAP\n"));
	CHECK(strstr(text_of(&t), "\nnone in every row: PATH; max or none: MAX\n"));
}

static void a_single_row(void)
{
	OPEN(NULL, 1);
	CHECK(strstr(text_of(&t), "SWAP") && !strstr(text_of(&t), "in every row"));
	CHECK(table_tells(&t, COLUMN_swap_bytes));
}

/* A key of -f is no cell that table_filter() needs, and stays as well; so does what else has no room. */
static void filters_of_keys(void)
{
	OPEN(NULL, 3);
	t.chose[SWAP] = true;
	CHECK(strstr(text_of(&t), "PID  NODE  SWAP  COMM\n"));
}

/* Where the cells of rows that are not shown were not looked up, nothing is known of them. */
static void late_cells(void)
{
	OPEN(NULL, 3);
	t.put_off[KILLS] = true;
	CHECK(table_tells(&t, COLUMN_oom_kills));
	t.has_late = true;
	CHECK(!table_tells(&t, COLUMN_oom_kills));
}

TESTS({ "what names rows stays, and all else is named", all_but_names },
      { "a column with one value stays", one_value },
      { "what -o, -g, -s or -f named stays", what_was_asked_for },
      { "what a filter of a key named stays", filters_of_keys },
      { "a single row is whole", a_single_row }, { "cells that are looked up late", late_cells })
