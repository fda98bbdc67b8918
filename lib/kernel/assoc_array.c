// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/assoc_array.h"

#define PENDING 2048 /* nodes that are still to be visited: 128 levels of 16 each */
/* include/linux/assoc_array_priv.h, the same in all releases. */
#define IS_META 1ULL
#define IS_SHORTCUT 2ULL
#define TAGS 3ULL

struct node {
	uint64_t back, slot;
	uint64_t slots[ASSOC_SLOTS];
};

struct shortcut {
	uint64_t back, next;
	uint32_t slot;
};

/* A node or a shortcut by the pointer to it, which stands in a slot of the one above. */
struct pending {
	uint64_t pointer, above;
	unsigned int slot;
};

struct walk {
	const struct assoc_arrays *a;
	struct pending pending[PENDING];
	unsigned int n;
	struct first_problem problem;
	enum status (*visit)(void *arg, uint64_t leaf);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct assoc_arrays, node, "struct assoc_array_node"),
	POINTS(struct node, back, REQUIRED, "3.13", "back_pointer"),
	READS(struct node, slot, REQUIRED, "3.13", "parent_slot"),
	READS(struct node, slots, REQUIRED, "3.13", "slots"),
	STRUCTURE(struct assoc_arrays, shortcut, "struct assoc_array_shortcut"),
	POINTS(struct shortcut, back, REQUIRED, "3.13", "back_pointer"),
	READS(struct shortcut, slot, REQUIRED, "3.13", "parent_slot"),
	POINTS(struct shortcut, next, REQUIRED, "3.13", "next_node"),
};

enum status assoc_arrays_open(struct dump *d, struct assoc_arrays *ret)
{
	enum status st;

	*ret = (struct assoc_arrays){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret);
	if (st != ST_OK)
		return st;
	ret->slots = STRUCT_FIELD(&ret->node, struct node, slots)->size / sizeof(uint64_t);
	if (!ret->slots || ret->slots > ASSOC_SLOTS)
		return dump_unknown(d, "assoc_array_node.slots of %u", ret->slots);
	return ST_OK;
}

static enum status push(struct walk *w, uint64_t pointer, uint64_t above, unsigned int slot)
{
	if (!pointer)
		return ST_OK;
	if (!(pointer & IS_META))
		return w->visit(w->arg, pointer);
	if (w->n == PENDING)
		return first_problem_keep(
			w->a->dump, &w->problem,
			dump_corrupt(w->a->dump, "an assoc_array is too deep at %#lx", pointer));
	w->pending[w->n++] = (struct pending){ pointer, above, slot };
	return ST_OK;
}

/* The slot of a root is no slot. */
static enum status check(const struct walk *w, const struct pending *p, uint64_t back,
			 uint64_t slot)
{
	return back != p->above || (back && slot != p->slot)
		       ? dump_corrupt(w->a->dump,
				      "%#lx of an assoc_array is not in slot %u of %#lx",
				      p->pointer, p->slot, p->above)
		       : ST_OK;
}

static enum status enter_shortcut(struct walk *w, const struct pending *p)
{
	struct shortcut s;
	enum status st = struct_read(&w->a->shortcut, p->pointer & ~TAGS, &s)
				 ?: check(w, p, s.back, s.slot);

	return st == ST_OK ? push(w, s.next, p->pointer, 0)
			   : first_problem_keep(w->a->dump, &w->problem, st);
}

static enum status enter_node(struct walk *w, const struct pending *p)
{
	struct node node;
	enum status st = struct_read(&w->a->node, p->pointer & ~TAGS, &node)
				 ?: check(w, p, node.back, node.slot);

	st = first_problem_keep(w->a->dump, &w->problem, st) ?: st;
	if (st != ST_OK)
		return st == ST_STOPPED ? st : ST_OK;
	for (unsigned int i = 0; i < w->a->slots && st == ST_OK; i++)
		st = push(w, node.slots[i], p->pointer, i);
	return st;
}

enum status assoc_array_walk(const struct assoc_arrays *a, uint64_t root,
			     enum status (*visit)(void *arg, uint64_t leaf), void *arg)
{
	struct walk *w = dump_alloc(a->dump, sizeof(*w));
	enum status st;

	*w = (struct walk){ .a = a, .visit = visit, .arg = arg };
	st = push(w, root, 0, 0);
	while (st == ST_OK && w->n) {
		const struct pending p = w->pending[--w->n];

		if (dump_stopped(a->dump))
			return ST_STOPPED;
		st = p.pointer & IS_SHORTCUT ? enter_shortcut(w, &p) : enter_node(w, &p);
	}
	return st ?: first_problem_end(a->dump, &w->problem);
}
