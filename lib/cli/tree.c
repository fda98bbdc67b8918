// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/tree.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_NODES 40
#define MAX_INDENT (TREE_NAME / 2)

enum status tree_init(struct tree *t, struct dump *d, size_t node_bytes)
{
	t->dump = d;
	hash_bytes_init(&t->nodes, d->arena, node_bytes);
	t->top = dump_alloc(d, node_bytes);
	return t->top ? ST_OK : ST_NOMEM;
}

void *tree_child(struct tree *t, void *parent, const char *name)
{
	const void *key[2] = { parent, name };
	struct tree_node *n, *above = parent;
	struct hash_bytes_entry *e;
	bool is_new;

	e = hash_bytes_get(&t->nodes, key, sizeof(key), &is_new);
	if (!e) {
		dump_no_memory(t->dump);
		return NULL;
	}
	n = e->value;
	if (is_new) {
		n->parent = above;
		n->name = name;
		n->id = t->nodes.n;
		n->depth = above == t->top ? 0 : above->depth + 1;
		n->sibling = above->child;
		above->child = n;
	}
	return n;
}

/* The biggest first; of equals the older one, so that a parent comes before its children. */
static int compare(const void *x, const void *y)
{
	const struct tree_node *a = *(struct tree_node *const *)x;
	const struct tree_node *b = *(struct tree_node *const *)y;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The biggest nodes, and all above them: where sums can be negative, these can be less. */
static enum status choose(struct tree *t, uint64_t rows, uint64_t *shown)
{
	struct tree_node **nodes = dump_alloc(t->dump, (t->nodes.n + 1) * sizeof(*nodes));
	size_t n = 0;

	if (!nodes)
		return ST_NOMEM;
	for (struct hash_bytes_entry *e = t->nodes.first; e; e = e->next)
		nodes[n++] = e->value;
	qsort(nodes, n, sizeof(*nodes), compare);
	*shown = 0;
	for (size_t i = 0; i < n && *shown < rows; i++) {
		uint64_t more = 0;

		for (struct tree_node *a = nodes[i]; a != t->top && !a->shown; a = a->parent)
			more++;
		if (*shown + more > rows)
			break;
		for (struct tree_node *a = nodes[i]; a != t->top && !a->shown; a = a->parent)
			a->shown = true;
		*shown += more;
	}
	return ST_OK;
}

struct filler {
	struct tree *tree;
	struct table *table;
	enum status (*fill)(void *arg, const struct tree_node *n, struct cell *row);
	void *arg;
};

/* A node's shown children in order, each with what is below it. */
static enum status add_children(struct filler *f, const struct tree_node *parent)
{
	struct tree_node **children;
	size_t n = 0;
	enum status st = ST_OK;

	for (struct tree_node *c = parent->child; c; c = c->sibling)
		n += c->shown;
	if (!n)
		return ST_OK;
	children = dump_alloc(f->tree->dump, n * sizeof(*children));
	if (!children)
		return ST_NOMEM;
	n = 0;
	for (struct tree_node *c = parent->child; c; c = c->sibling)
		if (c->shown)
			children[n++] = c;
	qsort(children, n, sizeof(*children), compare);
	for (size_t i = 0; i < n && st == ST_OK; i++) {
		struct cell *row = table_add(f->table);

		st = row ? f->fill(f->arg, children[i], row) : ST_NOMEM;
		if (st == ST_OK)
			st = add_children(f, children[i]);
	}
	return st;
}

enum status tree_show(struct tree *t, struct cmdline *in, struct report *r,
		      enum status (*fill)(void *arg, const struct tree_node *n, struct cell *row),
		      void *arg)
{
	struct filler f = { t, &in->table, fill, arg };
	enum status st;

	r->rows_total = t->nodes.n;
	st = choose(t, opts_rows(&in->opts, DEFAULT_NODES, t->nodes.n), &r->rows_shown);
	if (st == ST_OK)
		st = add_children(&f, t->top);
	if (st != ST_OK)
		return st;
	report_table(r, &in->table);
	report_rest(r, r->rows_total - r->rows_shown, "branch", "branches", NULL);
	return ST_OK;
}

struct cell tree_parent_cell(const struct tree *t, const struct tree_node *n)
{
	return cell_if(n->parent != t->top, cell_uint(n->parent->id));
}

struct cell tree_name_cell(const struct tree *t, const struct tree_node *n, bool json)
{
	size_t indent = json ? 0 : n->depth < MAX_INDENT ? n->depth : MAX_INDENT;
	char *text = arena_alloc(t->dump->arena, indent + strlen(n->name) + 1);

	if (!text)
		return cell_text(n->name);
	memset(text, ' ', indent);
	strcpy(text + indent, n->name);
	return cell_text(text);
}
