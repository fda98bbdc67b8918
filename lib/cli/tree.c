// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/tree.h"

#include <stdlib.h>

#include "cli/rows.h"

#define DEFAULT_NODES 40
#define MAX_INDENT (TREE_NAME / 2) /* deeper nodes are not moved on */

void tree_init(struct tree *t, struct dump *d, size_t node_bytes)
{
	t->dump = d;
	hash_bytes_init(&t->nodes, d->arena, node_bytes);
	t->top = dump_alloc(d, node_bytes);
}

void *tree_child(struct tree *t, void *parent, const char *name)
{
	const void *key[2] = { parent, name };
	struct tree_node *n, *above = parent;
	bool is_new;

	n = hash_bytes_get(&t->nodes, key, sizeof(key), &is_new)->value;
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
	return COMPARE(a->id, b->id);
}

/* The biggest nodes, and all above them: where sums can be negative, these can be less. */
static void choose(struct tree *t, uint64_t rows, uint64_t *shown)
{
	struct tree_node **nodes = dump_alloc(t->dump, (t->nodes.n + 1) * sizeof(*nodes));
	size_t n = 0;

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
}

/* A node's shown children in order, each with what is below it. */
static void add_children(struct table *table, const struct tree_node *parent, void *view)
{
	struct tree_node **children;
	size_t n = 0;

	for (struct tree_node *c = parent->child; c; c = c->sibling)
		n += c->shown;
	if (!n)
		return;
	children = dump_alloc(table->dump, n * sizeof(*children));
	n = 0;
	for (struct tree_node *c = parent->child; c; c = c->sibling)
		if (c->shown)
			children[n++] = c;
	qsort(children, n, sizeof(*children), compare);
	for (size_t i = 0; i < n; i++) {
		row_add(table, children[i], view);
		add_children(table, children[i], view);
	}
}

void tree_show(struct tree *t, struct cmdline *in, struct report *r, void *view)
{
	r->rows_total = t->nodes.n;
	choose(t, opts_rows(&in->opts, DEFAULT_NODES, t->nodes.n), &r->rows_shown);
	add_children(&in->table, t->top, view);
	report_table(r, &in->table);
	report_rest(r, r->rows_total - r->rows_shown, "branch", "branches", NULL);
}

struct cell tree_parent_cell(const struct tree_node *n)
{
	return cell_if(n->parent->id, cell_uint(n->parent->id));
}

struct cell tree_name_cell(const struct tree *t, const struct tree_node *n, bool json)
{
	size_t indent = json ? 0 : n->depth < MAX_INDENT ? n->depth : MAX_INDENT;

	return cell_text(dump_text(t->dump, "%*s%s", (int)indent, "", n->name));
}
