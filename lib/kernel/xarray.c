// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/xarray.h"

#define MAX_NODES 1000000 /* with 64 entries each */
#define MAX_SHIFT 64	  /* bits of an index */

/* Both have the same members; the marks of entries differ. */
enum { FORM_XARRAY, FORM_RADIX_TREE, FORMS };

static const struct fork forms[FORMS] = {
	[FORM_XARRAY] = { "xa_node", "4.20: xarray: Replace exceptional entries",
			  .members = { { "struct xa_node", "slots" } } },
	[FORM_RADIX_TREE] = { "radix_tree_node", "to 4.19",
			      .members = { { "struct radix_tree_node", "slots" } } },
};

static const struct layout_row rows[FORMS][2] = {
	[FORM_XARRAY] = {
		FINDS(struct xa_entries, shift, "struct xa_node", REQUIRED, "4.20", "shift"),
		FINDS(struct xa_entries, slots, "struct xa_node", REQUIRED, "4.20", "slots"),
	},
	[FORM_RADIX_TREE] = {
		FINDS(struct xa_entries, shift, "struct radix_tree_node", REQUIRED, "to 4.19",
		      "shift"),
		FINDS(struct xa_entries, slots, "struct radix_tree_node", REQUIRED, "to 4.19",
		      "slots"),
	},
};

/* The mark of a node: it is added to its address. */
static const uint64_t marks[FORMS] = { 2, 1 };

/*
 * The low bits tell pointers (00), internal entries (10) and numbers (x1) apart; in a radix tree internal
 * entries are 01 and numbers 10.
 */
static bool is_node(const struct xa_entries *x, uint64_t entry)
{
	return (entry & 3) == x->mark && entry > 4096;
}

static bool is_pointer(uint64_t entry)
{
	return entry && !(entry & 3);
}

/* Its slots come next. */
static void enter(struct xa_entries *x, uint64_t node, uint64_t index, unsigned int above)
{
	struct xa_level *l = &x->path[x->depth];
	enum status st = dump_read(x->dump, node + x->shift.offset, &l->shift, 1, "xa_node")
				 ?: dump_read(x->dump, node + x->slots.offset, l->slots,
					      x->slots.size, "xa_node");

	if (st == ST_OK &&
	    (l->shift >= above || x->depth == XA_DEPTH - 1 || ++x->nodes > MAX_NODES))
		st = dump_corrupt(x->dump, "xarray node at %#lx has shift %u below %u", node,
				  l->shift, above);
	if (st != ST_OK) {
		first_problem_keep(x->dump, &x->problem, st);
		return;
	}
	l->index = index;
	l->next = 0;
	x->depth++;
}

static enum status open_nodes(struct xa_entries *x)
{
	size_t form = fork_find(x->dump, "xarray", forms, FORMS);
	enum status st;

	/* Of a kernel with neither the newer one is missed. */
	form = form == FORMS ? FORM_XARRAY : form;
	x->mark = marks[form];
	st = STRUCTS_OPEN(x->dump, rows[form], x);
	if (st == ST_OK && (!x->slots.size || x->slots.size > XA_SLOTS * 8))
		st = dump_unknown(x->dump, "xa_node.slots of %u bytes", x->slots.size);
	return st;
}

void xa_begin(struct xa_entries *x, struct dump *d, uint64_t head)
{
	*x = (struct xa_entries){ .dump = d, .head = head };
}

/* The entry of an array without nodes, or 0 with the slots of its first node. */
static uint64_t only_entry(struct xa_entries *x)
{
	uint64_t head = x->head;
	enum status st = open_nodes(x);

	x->is_open = true;
	if (st != ST_OK)
		first_problem_keep(x->dump, &x->problem, st);
	else if (is_node(x, head))
		enter(x, head - x->mark, 0, MAX_SHIFT);
	return st == ST_OK && is_pointer(head) ? head : 0;
}

bool xa_next(struct xa_entries *x, uint64_t *index, uint64_t *entry)
{
	*index = 0;
	*entry = x->is_open ? 0 : only_entry(x);
	while (!*entry && x->depth && !dump_stopped(x->dump)) {
		struct xa_level *l = &x->path[x->depth - 1];
		uint64_t slot = le64(l->slots + l->next * 8ULL);

		*index = l->index + ((uint64_t)l->next++ << l->shift);
		if (l->next == x->slots.size / 8)
			x->depth--;
		if (l->shift && is_node(x, slot))
			enter(x, slot - x->mark, *index, l->shift);
		else if (is_pointer(slot))
			*entry = slot;
	}
	return *entry;
}

enum status xa_end(const struct xa_entries *x)
{
	return dump_stopped(x->dump) ? ST_STOPPED : first_problem_end(x->dump, &x->problem);
}

enum status idr_head(struct dump *d, uint64_t idr, const char *name, uint64_t *head)
{
	static const struct layout_row row = FIELD_ROW("struct idr", REQUIRED, "4.20, 4.11",
						       "idr_rt.xa_head", "idr_rt.rnode");
	struct field f;

	return layout_resolve(d, &row, 1, &f) ?: dump_u64(d, idr + f.offset, head, name);
}

enum status idr_open(struct dump *d, const char *name, uint64_t *head)
{
	uint64_t idr;

	return dump_symbol(d, name, &idr) ?: idr_head(d, idr, name, head);
}
