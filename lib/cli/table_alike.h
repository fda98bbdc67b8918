/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of threads or processes that differ in numbers alone, as thirty that wait for one lock, or of removed cgroups
 * that had one path: a page has one row of them, with how many they are, their numbers, and from what to what their
 * figures go.
 */
#pragma once

#include "cli/table.h"

struct alike {
	size_t head; /* the first row of those that are alike; its own, where it stands alone */
	size_t n;    /* of the head: how many */
};

/* NULL: the rows of this table are none of threads or cgroups, or no column names them. */
struct alike *table_alike(const struct table *t, size_t rows);

bool table_same_stack(const struct stack *a, const struct stack *b);

/* What a cell of the head of several has instead of its own; false: all have the same. */
bool table_alike_cell(const struct table *t, struct sink *sink, const struct alike *of, size_t rows,
		      size_t head, size_t column);
