// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What objects of a module are that no type reaches and that have no pointer of their own, as records behind a tree of
 * void pointers: the structure that others of the cache are of by typed pointers, if it is the only one of the module with
 * that size.
 */
#include "holders/types.h"

#define MOST_PERCENT 90 /* of such objects have its shape */

/* Objects of a cache that a module keeps. */
struct sized {
	uint16_t type; /* of those that are known; 0: none is */
	bool differs;  /* or the module has several of that size */
	uint64_t n, fit;
};

static bool is_own(const struct node_types *x, uint16_t type, const struct module *m)
{
	const struct graph_type *t = &x->types[type - 1];

	return t->t.module && !t->is_array && !strcmp(t->t.module, m->name);
}

static struct sized *sized_of(struct node_types *x, struct hash_u64 *all, const struct span *s,
			      uint32_t node, const struct module **m)
{
	uint16_t owner;

	if (graph_is_dead(x->g, node))
		return NULL;
	owner = holders_owner(x->h, node);
	*m = owner < OWNER_SHARED ? graph_module(x->g, owner) : NULL;
	return *m ? hash_u64_get(all, (uint64_t)owner << 16 | s->group, NULL) : NULL;
}

static void learn(struct node_types *x, struct sized *z, uint32_t node, const struct span *s,
		  const struct module *m)
{
	const struct node_type *n = &x->nodes[node];

	if (!node_types_knows(x, node) || n->by_shape || z->differs || z->type == n->type)
		return;
	z->differs = z->type || !is_own(x, n->type, m) || x->types[n->type - 1].t.is_open;
	z->type = n->type;
	for (uint32_t i = 1; i <= x->ntypes; i++)
		z->differs |= i != n->type && is_own(x, i, m) && node_types_fits(x, s->group, i);
}

static bool has_shape(struct node_types *x, const struct sized *z, uint32_t node)
{
	const struct node_type *n = &x->nodes[node];

	return z->type && !z->differs && n->state == NODE_UNTYPED && !n->votes &&
	       node_types_fit(x, node, z->type) >= TYPE_FIT_PERCENT;
}

static void look(struct node_types *x, struct sized *z, uint32_t node)
{
	if (!z->type || z->differs || node_types_knows(x, node))
		return;
	z->n++;
	z->fit += has_shape(x, z, node);
}

static void take(struct node_types *x, struct sized *z, uint32_t node)
{
	if (!z->fit || z->fit * 100 < z->n * MOST_PERCENT || !has_shape(x, z, node))
		return;
	x->nodes[node] = (struct node_type){ .type = z->type,
					     .votes = 1,
					     .fit = FEW_PERCENT,
					     .state = NODE_TYPED,
					     .by_shape = true,
					     .of_few = true };
}

void node_types_by_size(struct node_types *x)
{
	struct hash_u64 all;

	hash_u64_init(&all, x->arena, sizeof(struct sized));
	for (unsigned int pass = 0; pass < 3; pass++)
		for (uint32_t i = 0; i < x->g->spans.n; i++) {
			const struct span *s = graph_span(x->g, i);

			if (s->kind != NODE_OBJECT || !x->groups[s->group].is_mixed)
				continue;
			for (uint32_t k = s->first; k < s->first + s->count; k++) {
				const struct module *m;
				struct sized *z = sized_of(x, &all, s, k, &m);

				if (z && !pass)
					learn(x, z, k, s, m);
				else if (z && pass == 1)
					look(x, z, k);
				else if (z)
					take(x, z, k);
			}
		}
}
