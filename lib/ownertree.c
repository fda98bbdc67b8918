// SPDX-License-Identifier: GPL-2.0-or-later
/* The call tree of pages: who called whom for them, the biggest branch first. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ownerstacks.h"
#include "ownerview.h"
#include "units.h"

#define DEFAULT_NODES 40
#define INDENT_MAX 60

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
	[N_FRAME] = { "frame", "FRAME", FORMAT_TEXT, IN_BOTH, INDENT_MAX,
		      .help = "function, or value of a key of -g" },
};

const struct view owner_tree_view = { "tree", "asrkwdml", columns, N_COLUMNS, .has_groups = true };

struct node {
	struct node *parent, *sibling, *child;
	const char *label;
	uint64_t id, depth, pages, self, allocs;
	bool shown;
};

struct tree {
	struct owner_view *v;
	struct dict nodes; /* of struct node, by parent and label */
	struct node root;
};

static struct node *find_child(struct tree *t, struct node *parent, const char *label)
{
	const void *key[2] = { parent, label };
	struct dict_entry *e;
	struct node *n;
	bool is_new;

	e = dict_get(&t->nodes, key, sizeof(key), &is_new);
	if (!e)
		return NULL;
	n = e->value;
	if (is_new) {
		n->parent = parent;
		n->label = label;
		n->id = t->nodes.n;
		n->depth = parent == &t->root ? 0 : parent->depth + 1;
		n->sibling = parent->child;
		parent->child = n;
	}
	return n;
}

static enum status add_path(void *arg, const struct owner_path *path)
{
	struct tree *t = arg;
	struct node *n = &t->root;

	for (unsigned int i = 0; i < path->n; i++) {
		n = find_child(t, n, path->labels[i]);
		if (!n)
			return dump_fail(t->v->dump, DUMP_NOMEM, "out of memory");
		n->pages += path->group->pages;
		n->allocs += path->group->allocs;
	}
	n->self += path->group->pages;
	return DUMP_OK;
}

/* The biggest first; of equals the older one, so that a caller comes before what it called. */
static int compare(const void *x, const void *y)
{
	const struct node *a = *(struct node *const *)x, *b = *(struct node *const *)y;

	if (a->pages != b->pages)
		return a->pages > b->pages ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

static const char *indented(struct tree *t, const struct node *n)
{
	char text[INDENT_MAX + 640];
	int indent = n->depth < INDENT_MAX / 2 ? (int)n->depth : INDENT_MAX / 2;

	if (t->v->in->opts.json)
		return n->label;
	snprintf(text, sizeof(text), "%*s%s", indent, "", n->label);
	return arena_strdup(t->v->dump->arena, text);
}

static enum status add_row(struct tree *t, const struct node *n, const struct coverage *cov)
{
	struct owner_view *v = t->v;
	struct cell *row = table_add(&v->in->table);

	if (!row)
		return DUMP_NOMEM;
	row[N_ID] = cell_uint(n->id);
	row[N_PARENT] = cell_if(n->parent != &t->root, cell_uint(n->parent->id));
	row[N_DEPTH] = cell_uint(n->depth);
	row[N_PAGES] = cell_uint(n->pages);
	row[N_BYTES] = cell_uint(n->pages << v->page_shift);
	row[N_TRACKED] = cell_uint(cov->live ? (n->pages * 1000 + cov->live / 2) / cov->live : 0);
	row[N_SELF] = cell_uint(n->self);
	row[N_ALLOCS] = cell_uint(n->allocs);
	row[N_FRAME] = cell_text(indented(t, n));
	return DUMP_OK;
}

/* A node's shown children in order, each with what is below it. */
static enum status add_children(struct tree *t, const struct node *parent,
				const struct coverage *cov)
{
	struct node **children;
	size_t n = 0;
	enum status st = DUMP_OK;

	for (struct node *c = parent->child; c; c = c->sibling)
		n += c->shown;
	if (!n)
		return DUMP_OK;
	children = dump_alloc(t->v->dump, n * sizeof(*children));
	if (!children)
		return DUMP_NOMEM;
	n = 0;
	for (struct node *c = parent->child; c; c = c->sibling)
		if (c->shown)
			children[n++] = c;
	qsort(children, n, sizeof(*children), compare);
	for (size_t i = 0; i < n && st == DUMP_OK; i++) {
		st = add_row(t, children[i], cov);
		if (st == DUMP_OK)
			st = add_children(t, children[i], cov);
	}
	return st;
}

/* The biggest nodes: with each its callers, which are at least as big, and older. */
static enum status choose(struct tree *t, size_t shown)
{
	struct node **nodes = dump_alloc(t->v->dump, (t->nodes.n + 1) * sizeof(*nodes));
	size_t n = 0;

	if (!nodes)
		return DUMP_NOMEM;
	for (struct dict_entry *e = t->nodes.first; e; e = e->next)
		nodes[n++] = e->value;
	qsort(nodes, n, sizeof(*nodes), compare);
	for (size_t i = 0; i < shown && i < n; i++)
		nodes[i]->shown = true;
	return DUMP_OK;
}

enum status owner_tree(struct owner_view *v)
{
	struct tree t = { .v = v };
	struct owner_groups groups;
	struct coverage cov;
	bool callee = false;
	enum status st, filled;

	dict_init(&t.nodes, v->dump->arena, sizeof(struct node));
	owner_groups_init(v, &groups);
	for (size_t i = 0; i < v->in->ngroups; i++)
		callee |= v->in->groups[i] == KEY_CALLEE;
	st = owner_paths(&groups, callee, &cov, add_path, &t);
	if (st != DUMP_OK && st != DUMP_STOPPED)
		return st;
	v->report.rows_total = t.nodes.n;
	v->report.rows_shown = opts_rows(&v->in->opts, DEFAULT_NODES, t.nodes.n);
	filled = choose(&t, v->report.rows_shown);
	if (filled == DUMP_OK)
		filled = add_children(&t, &t.root, &cov);
	if (filled != DUMP_OK)
		return filled;
	report_table(&v->report, &v->in->table);
	if (!v->in->opts.json && v->report.rows_shown < v->report.rows_total)
		sink_printf(v->out, "... %llu smaller branches (-n 0 shows all)\n",
			    (unsigned long long)(v->report.rows_total - v->report.rows_shown));
	owner_view_end(v, &cov, &groups.select);
	return st;
}
