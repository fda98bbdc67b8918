// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/xarray.h"

#include "dump/fork.h"
#include "dump/layout.h"

#define MAX_NODES 1000000 /* with 64 entries each */
#define MAX_SHIFT 64	  /* bits of an index */
#define MAX_SLOTS 64	  /* XA_CHUNK_SIZE */

enum { X_SHIFT, X_SLOTS, X_FIELDS };

/* Both have the same members; the marks of entries differ. */
enum { FORM_XARRAY, FORM_RADIX_TREE, FORMS };

static const struct fork forms[FORMS] = {
	[FORM_XARRAY] = { "xa_node", "4.20: xarray: Replace exceptional entries",
			  .members = { { "struct xa_node", "slots" } } },
	[FORM_RADIX_TREE] = { "radix_tree_node", "to 4.19",
			      .members = { { "struct radix_tree_node", "slots" } } },
};

static const struct layout_row rows[FORMS][X_FIELDS] = {
	[FORM_XARRAY] = {
		[X_SHIFT] = { "struct xa_node", { "shift" }, REQUIRED, "4.20" },
		[X_SLOTS] = { "struct xa_node", { "slots" }, REQUIRED, "4.20" },
	},
	[FORM_RADIX_TREE] = {
		[X_SHIFT] = { "struct radix_tree_node", { "shift" }, REQUIRED, "to 4.19" },
		[X_SLOTS] = { "struct radix_tree_node", { "slots" }, REQUIRED, "to 4.19" },
	},
};

/* The mark of a node: it is added to its address. */
static const uint64_t marks[FORMS] = { 2, 1 };

struct walk {
	struct dump *dump;
	struct field f[X_FIELDS];
	uint64_t mark;
	unsigned int nodes;
	enum status (*visit)(void *arg, uint64_t index, uint64_t entry);
	void *arg;
};

/*
 * The low bits tell pointers (00), internal entries (10) and numbers (x1) apart; in a radix tree internal
 * entries are 01 and numbers 10.
 */
static bool is_node(const struct walk *w, uint64_t entry)
{
	return (entry & 3) == w->mark && entry > 4096;
}

static bool is_pointer(uint64_t entry)
{
	return entry && !(entry & 3);
}

static enum status walk_node(struct walk *w, uint64_t node, uint64_t index, unsigned int above)
{
	struct dump *d = w->dump;
	unsigned int n = w->f[X_SLOTS].size / 8;
	uint8_t slots[MAX_SLOTS * 8], shift;
	enum status st = dump_read(d, node + w->f[X_SHIFT].offset, &shift, 1, "xa_node")
				 ?: dump_read(d, node + w->f[X_SLOTS].offset, slots, n * 8,
					      "xa_node");

	if (st != ST_OK)
		return st;
	if (shift >= above || ++w->nodes > MAX_NODES)
		return dump_fail(d, ST_CORRUPT, "xarray node at %#lx has shift %u below %u", node,
				 shift, above);
	for (unsigned int i = 0; i < n; i++) {
		uint64_t entry = le64(slots + i * 8), at = index + ((uint64_t)i << shift);

		if (shift && is_node(w, entry))
			st = walk_node(w, entry - w->mark, at, shift);
		else if (is_pointer(entry))
			st = w->visit(w->arg, at, entry);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

enum status xarray_walk(struct dump *d, uint64_t head,
			enum status (*visit)(void *arg, uint64_t index, uint64_t entry), void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	size_t form = fork_find(d, "xarray", forms, FORMS);
	enum status st;

	/* Of a kernel with neither the newer one is missed. */
	form = form == FORMS ? FORM_XARRAY : form;
	w.mark = marks[form];
	st = layout_resolve(d, rows[form], X_FIELDS, w.f);
	if (st != ST_OK)
		return st;
	if (!w.f[X_SLOTS].size || w.f[X_SLOTS].size > MAX_SLOTS * 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: xa_node.slots of %u bytes",
				 w.f[X_SLOTS].size);
	if (is_node(&w, head))
		return walk_node(&w, head - w.mark, 0, MAX_SHIFT);
	return is_pointer(head) ? visit(arg, 0, head) : ST_OK;
}
