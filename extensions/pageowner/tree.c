// SPDX-License-Identifier: GPL-2.0-or-later
/* The call tree of pages: who called whom for them, the biggest branch first. */
#include "cli/tree.h"
#include "paths.h"
#include "view.h"

enum {
	COL_ID,
	COL_PARENT,
	COL_DEPTH,
	COL_PAGES,
	COL_BYTES,
	COL_TRACKED,
	COL_SELF,
	COL_ALLOCS,
	COL_FRAME,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_ID] = { COLUMN_id, IN_JSON | KNOWN },
	[COL_PARENT] = { COLUMN_parent, IN_JSON },
	[COL_DEPTH] = { COLUMN_depth, IN_JSON | KNOWN },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN, "of the node and of all below it" },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[COL_TRACKED] = { COLUMN_tracked_percent, IN_TEXT | KNOWN },
	[COL_SELF] = { COLUMN_self_pages, IN_JSON | KNOWN },
	[COL_ALLOCS] = { COLUMN_allocs, IN_BOTH },
	[COL_FRAME] = { COLUMN_frame, IN_BOTH | KNOWN, .width = TREE_NAME },
};

const struct view owner_tree_view = { "tree", "-t tree", COLUMNS_OF(columns), .has_groups = true };

struct node {
	struct tree_node node; /* its weight: pages */
	uint64_t self, allocs;
};

struct branches {
	struct owner_view *v;
	struct tree tree; /* of struct node */
	struct scan_stats cov;
};

static enum status add_path(void *arg, const struct owner_path *path)
{
	struct branches *b = arg;
	struct node *n = (struct node *)b->tree.top;

	for (unsigned int i = 0; i < path->n; i++) {
		n = tree_child(&b->tree, n, path->labels[i]);
		if (!n)
			return ST_NOMEM;
		n->node.weight += path->group->pages;
		n->allocs += path->group->allocs;
	}
	n->self += path->group->pages;
	return ST_OK;
}

static enum status fill_row(void *arg, const struct tree_node *t, struct cell *row)
{
	struct branches *b = arg;
	struct owner_view *v = b->v;
	const struct node *n = (const struct node *)t;
	uint64_t pages = t->weight, live = b->cov.live;

	row[COL_ID] = cell_uint(t->id);
	row[COL_PARENT] = tree_parent_cell(&b->tree, t);
	row[COL_DEPTH] = cell_uint(t->depth);
	row[COL_PAGES] = cell_uint(pages);
	row[COL_BYTES] = cell_uint(pages << v->page_shift);
	row[COL_TRACKED] = cell_uint(live ? (pages * 1000 + live / 2) / live : 0);
	row[COL_SELF] = cell_uint(n->self);
	row[COL_ALLOCS] = cell_if(owner_has_records(v), cell_uint(n->allocs));
	row[COL_FRAME] = tree_name_cell(&b->tree, t, v->in->opts.json);
	return ST_OK;
}

enum status owner_tree(struct owner_view *v)
{
	struct branches b = { .v = v };
	struct owner_groups groups;
	bool callee = false;
	enum status st = tree_init(&b.tree, v->dump, sizeof(struct node)), filled;

	if (st != ST_OK)
		return st;
	owner_groups_init(v, &groups);
	for (size_t i = 0; i < v->in->ngroups; i++)
		callee |= v->in->groups[i] == KEY_CALLEE;
	st = owner_paths(&groups, callee, &b.cov, add_path, &b);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	filled = tree_show(&b.tree, v->in, &v->report, fill_row, &b);
	if (filled != ST_OK)
		return filled;
	owner_view_end(v, &b.cov, &groups.select);
	return st;
}
