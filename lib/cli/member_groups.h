/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members with the same cells in the columns of the keys of -g, and what all of them have in common:
 *
 *	struct group { struct member_group of; uint64_t members; };
 *
 *	static const struct view_column members[] = { [BY_KIND] = { COLUMN_kind, 0, TEXT_OF(...) }, ... };
 *	static const struct view_column columns[] = { { COLUMN_kind, IN_BOTH, COMMON_OF(BY_KIND) }, ... };
 *
 * Texts of members are interned: equal ones have one address.
 */
#pragma once

#include "cli/rows.h"
#include "util/hash_bytes.h"

#define MEMBER_COLUMNS 12

/* The record of a group begins with it. */
struct member_group {
	bool is_new; /* of its first member */
	uint64_t members;
	struct cell cells[MEMBER_COLUMNS]; /* of each column of members, that of all or unknown */
};

struct member_groups {
	struct cmdline *in;
	struct table members;	  /* all columns of a member are selected */
	struct hash_bytes groups; /* of records, by the cells of the keys */
	size_t by[GROUP_KEYS], n; /* columns of members */
};

/* by: columns of members up to COLUMN_NONE, without -g; bytes: of the record of a group. */
void member_groups_init(struct member_groups *g, struct cmdline *in,
			const struct view_column *columns, size_t n, const enum column_id *by,
			size_t bytes);

/* The group of a member, or NULL: filters do not keep it. */
void *member_groups_add(struct member_groups *g, const void *member, void *view);

/* A row of the view for each group that filters of groups keep. */
void member_groups_rows(struct member_groups *g, void *view);

#define COMMON_OF(INDEX) CELL_OF(member_group_cell, INDEX)
struct cell member_group_cell(const void *group, void *view, unsigned int index);
