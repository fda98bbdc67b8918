// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What objects of a module are that no type reaches: of the structures that the module alone has, the one that
 * nearly all of the objects that it keeps in a cache have the shape of.  A weaker proof than a pointer.
 */
#include "holders/types.h"

#define MAX_OWN 1024u	/* structures of a module that are tried */
#define LOOKED 256u	/* objects of a cache that decide */
#define MOST_PERCENT 90 /* of these have the shape of the one */
#define LEAST 3u
#define WORDS \
	3u /* of fewer objects: each has as many that lead to memory, and none that does not fit */

/* Objects of a cache that a module keeps. */
struct class
{
	uint16_t owner, group;
	uint32_t n;	     /* that have words which lead to memory, LOOKED at most */
	uint16_t *own, nown; /* types that fit */
	uint32_t *fit;	     /* how many have the shape of each */
	uint32_t *full;	     /* and all of it */
	uint16_t type;
};

static uint16_t owner_of(const struct node_types *x, const struct span *s, uint32_t node)
{
	const struct node_type *n = &x->nodes[node];
	uint16_t owner;

	if (s->kind != NODE_OBJECT || n->votes || n->state != NODE_UNTYPED ||
	    graph_is_dead(x->g, node) || !x->groups[s->group].is_mixed ||
	    x->g->first[node] == x->g->first[node + 1])
		return 0;
	owner = holders_owner(x->h, node);
	return owner != OWNER_NOBODY && graph_module(x->g, owner) ? owner : 0;
}

static void open_class(struct node_types *x, struct class *c, uint16_t owner, uint16_t group)
{
	const char *module = graph_module(x->g, owner)->name;
	const struct group_fit *f = &x->groups[group];

	*c = (struct class){ .owner = owner, .group = group };
	c->own = arena_alloc(x->arena, MAX_OWN * sizeof(*c->own));
	c->fit = arena_alloc(x->arena, MAX_OWN * sizeof(*c->fit));
	c->full = arena_alloc(x->arena, MAX_OWN * sizeof(*c->full));
	for (uint32_t i = 1; i <= x->ntypes && c->nown < MAX_OWN; i++) {
		const struct graph_type *t = &x->types[i - 1];

		if (t->t.module && !t->is_array && !t->t.is_open && !strcmp(t->t.module, module) &&
		    (node_types_fits(x, group, i) ||
		     (t->name && t->t.bytes > f->least && t->t.bytes <= f->high)))
			c->own[c->nown++] = i;
	}
}

static void look(struct node_types *x, struct class *c, uint32_t node)
{
	if (c->n == LOOKED)
		return;
	c->n++;
	for (uint32_t i = 0; i < c->nown; i++) {
		unsigned int fit = node_types_has_shape(x, node, c->own[i]);

		c->fit[i] += fit > 0;
		c->full[i] += fit == 100 && x->good >= WORDS;
	}
}

/* The one that nearly all have the shape of, and none of which another has it as well. */
static void choose(struct class *c)
{
	uint32_t others = 0;

	for (uint32_t i = 0; i < c->nown; i++) {
		const uint32_t has = c->n < LEAST ? c->full[i] : c->fit[i];

		if (!c->type && has * 100 >= c->n * MOST_PERCENT)
			c->type = c->own[i];
		else
			others += c->fit[i];
	}
	if (others * 100 > c->n * (100 - MOST_PERCENT))
		c->type = 0;
}

/* known: NULL, or where the classes are decided, those that are of their types. */
static void each(struct node_types *x, struct hash_u64 *classes, struct chunks *known)
{
	for (uint32_t i = 0; i < x->g->spans.n; i++) {
		const struct span *s = graph_span(x->g, i);

		for (uint32_t k = s->first; s->kind == NODE_OBJECT && k < s->first + s->count;
		     k++) {
			uint16_t owner = owner_of(x, s, k);
			struct class *c;
			bool is_new;
			unsigned int fit;
			uint32_t *kept;

			if (!owner)
				continue;
			c = hash_u64_get(classes, (uint64_t)owner << 16 | s->group, &is_new);
			if (is_new)
				open_class(x, c, owner, s->group);
			if (!known)
				look(x, c, k);
			fit = known && c->type ? node_types_has_shape(x, k, c->type) : 0;
			kept = fit ? chunks_add(known) : NULL;
			if (!kept)
				continue;
			*kept = k;
			x->nodes[k] = (struct node_type){ .type = c->type,
							  .votes = 1,
							  .fit = fit * SHAPE_PERCENT / 100,
							  .state = NODE_TYPED };
		}
	}
}

bool node_types_of_modules(struct node_types *x, struct chunks *known)
{
	const uint32_t before = known->n;
	struct hash_u64 classes;

	hash_u64_init(&classes, x->arena, sizeof(struct class));
	each(x, &classes, NULL);
	for (struct hash_u64_entry *e = classes.first; e; e = e->next)
		choose((struct class *)e->value);
	each(x, &classes, known);
	return known->n > before;
}
