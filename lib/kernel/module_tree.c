// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/module_tree.h"

#include "dump/field.h"
#include "dump/layout.h"
#include "util/hash_u64.h"

#define MAX_NODES 65536
#define MAX_DEPTH 64 /* a red-black tree of 2^32 nodes is no deeper */
#define NODE_BYTES 128

enum { T_TREE, N_MODULE, N_NODES, R_LEFT, R_RIGHT, T_FIELDS };

static const struct layout_row rows[T_FIELDS] = {
	[T_TREE] = { "struct mod_tree_root", { "root.tree" }, OPTIONAL, "4.2" },
	[N_MODULE] = { "struct mod_tree_node", { "mod" }, OPTIONAL, "4.2" },
	[N_NODES] = { "struct mod_tree_node", { "node.node" }, OPTIONAL, "4.2" },
	[R_LEFT] = { "struct rb_node", { "rb_left" }, REQUIRED, "all" },
	[R_RIGHT] = { "struct rb_node", { "rb_right" }, REQUIRED, "all" },
};

struct walk {
	struct dump *dump;
	struct field f[T_FIELDS];
	size_t span;	       /* of struct mod_tree_node */
	uint32_t node;	       /* offset of the rb_node of this copy of the tree in mod_tree_node */
	struct hash_u64 *seen; /* rb_nodes */
	enum status (*visit)(void *arg, uint64_t module);
	void *arg;
};

static enum status walk_node(struct walk *w, uint64_t addr, unsigned int depth)
{
	uint8_t raw[NODE_BYTES];
	enum status st = ST_OK;
	uint64_t left, right;
	bool is_new;

	if (!addr || depth > MAX_DEPTH || w->seen->n > MAX_NODES || dump_stopped(w->dump))
		return ST_OK;
	if (!hash_u64_get(w->seen, addr, &is_new))
		return dump_no_memory(w->dump);
	if (!is_new || dump_try(w->dump, addr - w->node, raw, w->span) != ST_OK)
		return ST_OK;
	left = field_get(&w->f[R_LEFT], raw + w->node);
	right = field_get(&w->f[R_RIGHT], raw + w->node);
	st = w->visit(w->arg, field_get(&w->f[N_MODULE], raw));
	if (st == ST_OK)
		st = walk_node(w, left, depth + 1);
	return st == ST_OK ? walk_node(w, right, depth + 1) : st;
}

enum status module_tree_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t module),
			     void *arg)
{
	struct hash_u64 seen;
	struct walk w = { .dump = d, .seen = &seen, .visit = visit, .arg = arg };
	uint64_t tree, root, node_bytes;
	enum status st = layout_resolve(d, rows, T_FIELDS, w.f);

	if (st == ST_OK && (!dump_has_symbol(d, "mod_tree") || !w.f[T_TREE].present ||
			    !w.f[N_MODULE].present || !w.f[N_NODES].present))
		st = dump_fail(d, ST_ABSENT, "this kernel has no tree of modules");
	if (st == ST_OK)
		st = dump_symbol(d, "mod_tree", &tree);
	if (st != ST_OK)
		return st;
	/* A latch tree has two copies: a reader uses one while the other changes. */
	node_bytes = w.f[N_NODES].size / 2;
	w.span = layout_span(&w.f[N_MODULE], 2);
	if (w.span > NODE_BYTES || layout_span(&w.f[R_LEFT], 2) > node_bytes ||
	    w.f[T_TREE].size < 16)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct mod_tree_node");
	hash_u64_init(&seen, d->arena, 0);
	for (unsigned int copy = 0; st == ST_OK && copy < 2; copy++) {
		w.node = w.f[N_NODES].offset + copy * node_bytes;
		if (dump_try(d, tree + w.f[T_TREE].offset + copy * 8, &root, 8) == ST_OK)
			st = walk_node(&w, root, 0);
	}
	return st;
}

enum status module_tree_bounds(struct dump *d, uint64_t *start, uint64_t *end)
{
	static const struct layout_row bounds[2] = {
		{ "struct mod_tree_root", { "addr_min" }, OPTIONAL, "4.2" },
		{ "struct mod_tree_root", { "addr_max" }, OPTIONAL, "4.2" },
	};
	uint64_t tree, first, last;
	struct field f[2];
	enum status st = layout_resolve(d, bounds, 2, f);

	if (st == ST_OK && (!f[0].present || !f[1].present))
		st = dump_fail(d, ST_ABSENT, "this kernel keeps no bounds of modules");
	if (st == ST_OK)
		st = dump_symbol(d, "mod_tree", &tree);
	if (st == ST_OK)
		st = dump_u64(d, tree + f[0].offset, &first, "mod_tree");
	if (st == ST_OK)
		st = dump_u64(d, tree + f[1].offset, &last, "mod_tree");
	if (st != ST_OK)
		return st;
	*start = first;
	*end = last;
	return ST_OK;
}
