/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -g sums up: members with the same values of its keys, in a row. */
#pragma once

#include "cli/rows.h"
#include "util/hash_bytes.h"

/* The record of a group begins with it. */
struct row_group {
	struct cell values[GROUP_KEYS]; /* in the order of -g */
	uint64_t members;
	struct cell *sums; /* by rows_add(), of each column of the view; or NULL */
};

struct row_groups {
	struct hash_bytes groups, texts;
	struct hash_bytes seen; /* values of SOURCE_VALUES, by group and column */
	void *view;		/* handed to the functions of cells */
};

void row_groups_init(struct row_groups *g, struct dump *d, size_t group_bytes);
/* The group of a record, whose columns have the keys; a new one is zero but for them. */
void *row_groups_get(struct row_groups *g, const struct cmdline *in,
		     const struct view_column *columns, size_t n, const void *record, void *view,
		     bool *is_new);
/* Its row: the columns of keys have their values, others what they have of the record. */
struct cell *row_add_group(struct cmdline *in, const struct row_group *group, void *view);

/* The same of a view with member_columns, which sums up as its own columns say, and the rows of its groups. */
void row_groups_add(struct cmdline *in, const void *member, void *view);
void row_groups_rows(struct cmdline *in);
/* Of a column of such a view. */
struct cell row_group_cell(const struct table *t, const struct view_column *c, const void *group);
