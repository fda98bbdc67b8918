// SPDX-License-Identifier: GPL-2.0-or-later
/* Per-CPU memory of boot has numbers for addresses, which lead nowhere: its type is that of the pointer that has the number. */
#include "holders/types.h"

#define ALIGNED 4u /* sizes of per-CPU allocations are multiples of it */

const struct type_word *node_types_number_word(const struct node_types *x,
					       const struct first_chunk *f)
{
	const struct graph_type *t;

	if (!f->has_holder || f->is_shared || f->place & PLACE_PAGE || f->holder >= x->g->nodes ||
	    !node_types_knows(x, f->holder))
		return NULL;
	t = &x->types[x->nodes[f->holder].type - 1];
	return f->place + 8ULL <= t->t.bytes || t->is_array ? graph_type_word(t, f->place) : NULL;
}

/* An array of structures for each CPU is larger. */
static bool fits(const struct node_types *x, uint32_t node, uint16_t type)
{
	const struct span *s = node < x->g->nodes ? graph_span_of(x->g, node) : NULL;
	const struct graph_type *t = &x->types[type - 1];

	return s && s->kind == NODE_PERCPU && s->count == 1 && t->name && t->t.bytes &&
	       t->t.bytes <= s->stride && s->stride - t->t.bytes < ALIGNED;
}

static bool vote(struct node_types *x, const struct first_chunk *f, uint16_t type)
{
	bool ret = false;

	for (unsigned int i = 0; type && i < x->g->cpus.n; i++)
		if (!fits(x, f->node + i, type))
			return false;
	for (unsigned int i = 0; type && i < x->g->cpus.n; i++) {
		struct node_type *n = &x->nodes[f->node + i];

		if (n->votes || n->state != NODE_UNTYPED)
			continue;
		n->type = type;
		n->votes = 1;
		ret = true;
	}
	return ret;
}

bool node_types_of_numbers(struct node_types *x)
{
	bool ret = false;

	hash_u64_for_each(const struct first_chunk, f, &x->g->first_chunk) {
		const struct type_word *w = node_types_number_word(x, f);

		ret |= w && vote(x, f, node_types_pointed(x, w));
	}
	return ret;
}
