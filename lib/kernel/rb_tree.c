// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/rb_tree.h"

#include "dump/layout.h"

#define NODE_BYTES 64 /* of struct rb_node, which has 24 */
#define COLOR 3ULL    /* bits of __rb_parent_color that are not of the parent's address */

static const struct layout_row rows[] = {
	{ "struct rb_node", { "rb_left" }, REQUIRED, "all" },
	{ "struct rb_node", { "rb_right" }, REQUIRED, "all" },
	{ "struct rb_node", { "__rb_parent_color" }, REQUIRED, "all" },
};

enum status rb_types_open(struct dump *d, struct rb_types *ret)
{
	struct field f[3];
	enum status st = layout_resolve(d, rows, 3, f);
	size_t bytes = st == ST_OK ? layout_span(f, 3) : 0;

	if (bytes > NODE_BYTES)
		st = dump_unknown(d, "struct rb_node");
	return RESULT(st, ret, (struct rb_types){ f[0], f[1], f[2], bytes });
}

/* The node and all on its left side: they are visited from the last on. */
static enum status go_left(struct rb_nodes *n, uint64_t node, uint64_t parent)
{
	const struct rb_types *t = n->types;
	struct dump *d = n->dump;
	unsigned int above = n->depth;
	uint8_t raw[NODE_BYTES];

	while (node) {
		uint64_t left, right;
		enum status st = dump_read(d, node, raw, t->bytes, n->what);

		if (st != ST_OK)
			return st;
		left = field_get(&t->left, raw);
		right = field_get(&t->right, raw);
		if ((field_get(&t->parent, raw) & ~COLOR) != parent || (left && left == right))
			return dump_corrupt(d, "%s: rb_node at %#lx is not below %#lx", n->what,
					    node, parent);
		if (n->depth == RB_DEPTH) {
			n->depth = above;
			return dump_corrupt(d, "%s is too deep at %#lx", n->what, node);
		}
		n->path[n->depth].address = node;
		n->path[n->depth++].right = right;
		parent = node;
		node = left;
	}
	return ST_OK;
}

void rb_begin(struct rb_nodes *n, struct dump *d, const struct rb_types *types, uint64_t node,
	      const char *what)
{
	n->dump = d;
	n->types = types;
	n->what = what;
	n->problem = (struct first_problem){ 0 };
	n->depth = 0;
	first_problem_keep(d, &n->problem, go_left(n, node, 0));
}

bool rb_next(struct rb_nodes *n, uint64_t *node)
{
	if (!n->depth || dump_stopped(n->dump))
		return false;
	n->depth--;
	*node = n->path[n->depth].address;
	first_problem_keep(n->dump, &n->problem, go_left(n, n->path[n->depth].right, *node));
	return true;
}

enum status rb_end(const struct rb_nodes *n)
{
	return dump_stopped(n->dump) ? ST_STOPPED : first_problem_end(n->dump, &n->problem);
}
