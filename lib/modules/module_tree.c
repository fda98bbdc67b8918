// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules/module_tree.h"

#include "dump/layout.h"
#include "kernel/rb_tree.h"

enum { T_TREE, N_MODULE, N_NODES, T_FIELDS };

static const struct layout_row rows[T_FIELDS] = {
	[T_TREE] = { "struct mod_tree_root", { "root.tree" }, OPTIONAL, "4.2" },
	[N_MODULE] = { "struct mod_tree_node", { "mod" }, OPTIONAL, "4.2" },
	[N_NODES] = { "struct mod_tree_node", { "node.node" }, OPTIONAL, "4.2" },
};

/* One copy of the tree; node: offset of its rb_nodes in mod_tree_node. Modules that are missing are not told. */
static enum status walk_copy(struct dump *d, const struct rb_types *types, const struct field *f,
			     uint64_t root, uint32_t node,
			     enum status (*visit)(void *arg, uint64_t module), void *arg)
{
	struct rb_nodes n;
	enum status st = ST_OK;
	uint64_t at, module;

	rb_begin(&n, d, types, root, "mod_tree");
	while (st == ST_OK && rb_next(&n, &at))
		if (dump_try(d, at - node + f[N_MODULE].offset, &module, 8) == ST_OK)
			st = visit(arg, module);
	return st;
}

enum status module_tree_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t module),
			     void *arg)
{
	struct rb_types types;
	struct field f[T_FIELDS];
	uint64_t tree, root, node_bytes;
	enum status st = layout_resolve(d, rows, T_FIELDS, f) ?: rb_types_open(d, &types);

	if (st == ST_OK && (!dump_has_symbol(d, "mod_tree") || !f[T_TREE].present ||
			    !f[N_MODULE].present || !f[N_NODES].present))
		st = dump_fail(d, ST_ABSENT, "this kernel has no tree of modules");
	st = st ?: dump_symbol(d, "mod_tree", &tree);
	if (st != ST_OK)
		return st;
	/* A latch tree has two copies: a reader uses one while the other changes. */
	node_bytes = f[N_NODES].size / 2;
	if (types.bytes > node_bytes || f[T_TREE].size < 16 || f[N_MODULE].size != 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct mod_tree_node");
	for (unsigned int copy = 0; st == ST_OK && copy < 2; copy++)
		if (dump_try(d, tree + f[T_TREE].offset + copy * 8, &root, 8) == ST_OK)
			st = walk_copy(d, &types, f, root, f[N_NODES].offset + copy * node_bytes,
				       visit, arg);
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
	st = st ?: dump_symbol(d, "mod_tree", &tree) ?:
			dump_u64(d, tree + f[0].offset, &first, "mod_tree") ?:
			dump_u64(d, tree + f[1].offset, &last, "mod_tree");
	if (st != ST_OK)
		return st;
	*start = first;
	*end = last;
	return ST_OK;
}
