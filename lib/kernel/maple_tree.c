// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/maple_tree.h"

#include "dump/layout.h"

#define MAX_NODES 100000  /* of one tree: with 10 entries each, a million areas */
#define MAX_DEPTH 31	  /* MAPLE_HEIGHT_MAX */
#define MAX_SLOTS 64	  /* of a node: 10, 16 or 31 */
#define NODE_MASK 0xffULL /* nodes are aligned to 256 bytes */

/* enum maple_type; the type of a node is in the pointer to it, from bit 3 on */
enum { LEAF_64 = 1, RANGE_64, ARANGE_64, TYPES };

static const struct layout_row rows[MAPLE_FIELDS] = {
	[MAPLE_ROOT] = { "struct maple_tree", { "ma_root" }, REQUIRED, "6.1" },
	[MAPLE_RANGE_PIVOT] = { "struct maple_range_64", { "pivot" }, REQUIRED, "6.1" },
	[MAPLE_RANGE_SLOT] = { "struct maple_range_64", { "slot" }, REQUIRED, "6.1" },
	[MAPLE_ARANGE_PIVOT] = { "struct maple_arange_64", { "pivot" }, REQUIRED, "6.1" },
	[MAPLE_ARANGE_SLOT] = { "struct maple_arange_64", { "slot" }, REQUIRED, "6.1" },
};

struct walk {
	const struct maple *maple;
	unsigned int nodes;
	enum status (*visit)(void *arg, uint64_t first, uint64_t last, uint64_t value);
	void *arg;
};

/* As in an XArray, the low bits 10 are an internal entry; small ones are no nodes. */
static bool is_node(uint64_t entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

static enum status torn(struct dump *d, uint64_t node)
{
	return dump_corrupt(d, "maple tree node at %#lx is torn", node);
}

/* The slots of a node that are used, each with the last index that it covers. */
struct node {
	unsigned int n;
	bool is_leaf;
	uint64_t last[MAX_SLOTS], value[MAX_SLOTS];
};

static enum status read_node(struct walk *w, uint64_t entry, uint64_t first, uint64_t last,
			     unsigned int depth, struct node *ret)
{
	struct dump *d = w->maple->dump;
	uint64_t node = entry & ~NODE_MASK;
	unsigned int type = entry >> 3 & 15;
	const struct field *pivot =
		&w->maple->f[type == ARANGE_64 ? MAPLE_ARANGE_PIVOT : MAPLE_RANGE_PIVOT];
	const struct field *slot =
		&w->maple->f[type == ARANGE_64 ? MAPLE_ARANGE_SLOT : MAPLE_RANGE_SLOT];
	unsigned int n = slot->size / 8, npivots = pivot->size / 8;
	uint8_t pivots[MAX_SLOTS * 8], slots[MAX_SLOTS * 8];
	enum status st;

	if (type < LEAF_64 || type >= TYPES || depth == MAX_DEPTH || ++w->nodes > MAX_NODES)
		return torn(d, node);
	st = dump_read(d, node + pivot->offset, pivots, pivot->size, "maple tree node")
		     ?: dump_read(d, node + slot->offset, slots, slot->size, "maple tree node");
	if (st != ST_OK)
		return st;
	ret->n = 0;
	ret->is_leaf = type == LEAF_64;
	for (unsigned int i = 0; i < n; i++) {
		uint64_t end = i < npivots ? le64(pivots + i * 8) : last;
		uint64_t value = le64(slots + i * 8);

		/* Behind the last one used, pivots are 0: it reaches to the end. */
		if (!end && i)
			end = last;
		if (end < first || end > last)
			return torn(d, node);
		/* The bit of an internal entry is the root's alone. */
		if (!ret->is_leaf && (value <= 4096 || value & 3))
			return torn(d, node);
		ret->last[ret->n] = end;
		ret->value[ret->n++] = value;
		if (end == last)
			break;
		first = end + 1;
	}
	return ST_OK;
}

/* Numbers and internal entries are no pointers. */
static bool is_pointer(uint64_t value)
{
	return value && !(value & 3);
}

static enum status walk_node(struct walk *w, uint64_t entry, uint64_t first, uint64_t last,
			     unsigned int depth)
{
	struct node node;
	enum status st = read_node(w, entry, first, last, depth, &node);

	for (unsigned int i = 0; st == ST_OK && i < node.n; i++) {
		if (!node.is_leaf)
			st = walk_node(w, node.value[i], first, node.last[i], depth + 1);
		else if (is_pointer(node.value[i]))
			st = w->visit(w->arg, first, node.last[i], node.value[i]);
		first = node.last[i] + 1;
	}
	return st;
}

enum status maple_open(struct dump *d, struct maple *ret)
{
	struct maple m = { .dump = d };
	enum status st = layout_resolve(d, rows, MAPLE_FIELDS, m.f);

	if (st != ST_OK)
		return st;
	for (unsigned int i = MAPLE_RANGE_PIVOT; i < MAPLE_FIELDS; i++)
		if (!m.f[i].size || m.f[i].size > MAX_SLOTS * 8)
			return dump_unknown(d, "%s.%s of %u bytes", rows[i].type, rows[i].names[0],
					    m.f[i].size);
	*ret = m;
	return ST_OK;
}

static enum status read_root(const struct maple *m, uint64_t tree, uint64_t *ret)
{
	return dump_u64(m->dump, tree + m->f[MAPLE_ROOT].offset, ret, "maple tree");
}

enum status maple_walk(const struct maple *m, uint64_t tree,
		       enum status (*visit)(void *arg, uint64_t first, uint64_t last,
					    uint64_t value),
		       void *arg)
{
	struct walk w = { .maple = m, .visit = visit, .arg = arg };
	uint64_t root;
	enum status st = read_root(m, tree, &root);

	if (st != ST_OK)
		return st;
	if (is_node(root))
		return walk_node(&w, root, 0, UINT64_MAX, 0);
	return is_pointer(root) ? visit(arg, 0, 0, root) : ST_OK;
}

enum status maple_find(const struct maple *m, uint64_t tree, uint64_t index, uint64_t *ret)
{
	struct dump *d = m->dump;
	struct walk w = { .maple = m };
	uint64_t value, first = 0, last = UINT64_MAX;
	enum status st = read_root(m, tree, &value);

	if (st == ST_OK && !is_node(value) && index)
		value = 0;
	for (unsigned int depth = 0; st == ST_OK && is_node(value); depth++) {
		struct node node;
		unsigned int i = 0;

		st = read_node(&w, value, first, last, depth, &node);
		if (st != ST_OK)
			return st;
		while (i + 1 < node.n && node.last[i] < index)
			i++;
		if (!node.n || node.last[i] < index)
			return torn(d, value & ~NODE_MASK);
		first = i ? node.last[i - 1] + 1 : first;
		last = node.last[i];
		value = node.value[i];
		if (node.is_leaf)
			break;
		/* Only the root has the bits of a node. */
		value |= 2;
	}
	if (st != ST_OK)
		return st;
	if (!is_pointer(value))
		return dump_absent(d, "maple tree at %#lx has nothing at %#lx", tree, index);
	*ret = value;
	return ST_OK;
}
