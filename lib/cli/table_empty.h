/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of a table that say nothing: of text, and of the page. */
#pragma once

#include "cli/table.h"
#include "util/strbuf.h"

/*
 * Takes from the selected columns those that are 0, max, none or unknown in every row, those that are not shown
 * too, and adds to told which they are: "0 in every row: SWAP, OOM_KILL; none: PINNED"; nothing: all stay.
 * What -o, -s, -f or -g named stays, what tells one row from another (the number of a node, of a user) and the first
 * column.  A single row stays whole.  Where a cell is looked up for rows that are shown only, its column stays.
 */
void table_leave_out_empty(struct table *t, struct strbuf *told);

/* Whether a column is selected and stays: what explains it is needed. */
bool table_tells(const struct table *t, enum column_id id);
