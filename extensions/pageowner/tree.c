// SPDX-License-Identifier: GPL-2.0-or-later
/* The call tree of pages: who called whom for them, the biggest branch first. */
#include "cli/tree.h"
#include "paths.h"
#include "view.h"

enum { N_ID, N_PARENT, N_DEPTH, N_PAGES, N_BYTES, N_TRACKED, N_SELF, N_ALLOCS, N_FRAME, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
	[N_ID] = { "id", "ID", .shown = IN_JSON, .help = "number of the node" },
	[N_PARENT] = { "parent", "PARENT", .shown = IN_JSON,
		       .help = "that of its caller; null: a root" },
	[N_DEPTH] = { "depth", "DEPTH", .shown = IN_JSON, .help = "0: a root" },
	[N_PAGES] = { "pages", "PAGES", .shown = IN_BOTH, .help = "pages of it and of all below" },
	[N_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .help = "the same in bytes" },
	[N_TRACKED] = { "tracked_percent", "TRACKED%", FORMAT_PERCENT, IN_TEXT,
			.help = "share of all pages with an owner" },
	[N_SELF] = { "self_pages", "SELF", .shown = IN_JSON, .help = "pages whose path ends here" },
	[N_ALLOCS] = { "allocs", "ALLOCS", .shown = IN_BOTH,
		       .help = "allocations that they came from" },
	[N_FRAME] = { "frame", "FRAME", FORMAT_TEXT, IN_BOTH, TREE_NAME,
		      .help = "function, or value of a key of -g" },
};

const struct view owner_tree_view = { "tree", "asrkwdml", columns, N_COLUMNS, .has_groups = true };

struct node {
	struct tree_node node; /* its weight: pages */
	uint64_t self, allocs;
};

struct branches {
	struct owner_view *v;
	struct tree tree; /* of struct node */
	struct coverage cov;
};

static enum status add_path(void *arg, const struct owner_path *path)
{
	struct branches *b = arg;
	struct node *n = (struct node *)b->tree.top;

	for (unsigned int i = 0; i < path->n; i++) {
		n = tree_child(&b->tree, n, path->labels[i]);
		if (!n)
			return DUMP_NOMEM;
		n->node.weight += path->group->pages;
		n->allocs += path->group->allocs;
	}
	n->self += path->group->pages;
	return DUMP_OK;
}

static enum status fill_row(void *arg, const struct tree_node *t, struct cell *row)
{
	struct branches *b = arg;
	struct owner_view *v = b->v;
	const struct node *n = (const struct node *)t;
	uint64_t pages = t->weight, live = b->cov.live;

	row[N_ID] = cell_uint(t->id);
	row[N_PARENT] = tree_parent_cell(&b->tree, t);
	row[N_DEPTH] = cell_uint(t->depth);
	row[N_PAGES] = cell_uint(pages);
	row[N_BYTES] = cell_uint(pages << v->page_shift);
	row[N_TRACKED] = cell_uint(live ? (pages * 1000 + live / 2) / live : 0);
	row[N_SELF] = cell_uint(n->self);
	row[N_ALLOCS] = cell_uint(n->allocs);
	row[N_FRAME] = tree_name_cell(&b->tree, t, v->in->opts.json);
	return DUMP_OK;
}

enum status owner_tree(struct owner_view *v)
{
	struct branches b = { .v = v };
	struct owner_groups groups;
	bool callee = false;
	enum status st = tree_init(&b.tree, v->dump, sizeof(struct node)), filled;

	if (st != DUMP_OK)
		return st;
	owner_groups_init(v, &groups);
	for (size_t i = 0; i < v->in->ngroups; i++)
		callee |= v->in->groups[i] == KEY_CALLEE;
	st = owner_paths(&groups, callee, &b.cov, add_path, &b);
	if (st != DUMP_OK && st != DUMP_STOPPED)
		return st;
	filled = tree_show(&b.tree, v->in, &v->report, fill_row, &b);
	if (filled != DUMP_OK)
		return filled;
	owner_view_end(v, &b.cov, &groups.select);
	return st;
}
