// SPDX-License-Identifier: GPL-2.0-or-later
/* The call tree of pages: who called whom for them, the biggest branch first. */
#include "cli/tree.h"
#include "view.h"

struct node {
	struct tree_node node; /* its weight: pages */
	uint64_t self, allocs;
};

struct branches {
	struct owner_view *v;
	struct tree tree; /* of struct node */
	struct owner_groups groups;
};

#define ROW struct node
#define VIEW struct branches

CELL_FROM(parent_cell, ROW, tree_parent_cell(&r->node))
CELL_WITH(tracked_cell, ROW, VIEW,
	  cell_uint(units_tenths((uint64_t)r->node.weight, v->groups.cov.live)))
/* A saved scan has pages of its own size. */
CELL_WITH(bytes_cell, ROW, VIEW, cell_uint((uint64_t)r->node.weight << v->v->page_shift))
CELL_WITH(allocs_cell, ROW, VIEW, cell_if(owner_has_records(v->v), cell_uint(r->allocs)))
CELL_WITH(frame_cell, ROW, VIEW, tree_name_cell(&v->tree, &r->node, v->v->in->opts.json))

CELL_WITH(basis_cell, ROW, VIEW, cell_text(owner_basis(v->v)))

static const struct view_column columns[] = {
	{ COLUMN_id, IN_JSON | KNOWN, UINT_OF(ROW, node.id) },
	{ COLUMN_parent, IN_JSON, CELL_BY(parent_cell) },
	{ COLUMN_depth, IN_JSON | KNOWN, UINT_OF(ROW, node.depth) },
	{ COLUMN_pages, IN_BOTH | KNOWN, "of the node and of all below it",
	  UINT_OF(ROW, node.weight) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, CELL_BY(bytes_cell) },
	{ COLUMN_tracked_percent, IN_TEXT | KNOWN, CELL_BY(tracked_cell) },
	{ COLUMN_self_pages, IN_JSON | KNOWN, UINT_OF(ROW, self) },
	{ COLUMN_allocs, IN_BOTH, CELL_BY(allocs_cell) },
	{ COLUMN_frame, IN_BOTH | KNOWN, .width = TREE_NAME, CELL_BY(frame_cell) },
	BASIS_ASKED(basis_cell, BASIS_OF_RECORDS),
};

static void add_path(void *arg, const struct owner_path *path)
{
	struct branches *b = arg;
	struct node *n = (struct node *)b->tree.top;

	for (unsigned int i = 0; i < path->n; i++) {
		n = tree_child(&b->tree, n, path->labels[i]);
		n->node.weight += path->group->pages;
		n->allocs += path->group->allocs;
	}
	n->self += path->group->pages;
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct branches b = { .v = v };
	bool callee = false;
	enum status st;

	tree_init(&b.tree, v->dump, sizeof(struct node));
	owner_groups_init(v, &b.groups);
	for (size_t i = 0; i < v->in->ngroups; i++)
		callee |= v->in->groups[i] == KEY_CALLEE;
	st = owner_paths(&b.groups, callee, add_path, &b);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	tree_show(&b.tree, v->in, &v->report, &b);
	owner_view_end(v, &b.groups.cov, &b.groups.select);
	return st;
}

const struct view owner_tree_view = {
	"tree",	     "-t tree", COLUMNS_OF(columns), .has_groups = true, .open = owner_paths_open,
	.show = show
};
