// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects of a cache that variables of one module alone name are that module's, whatever is in them: a driver's own
 * structure has its own cache. The name may be in an object that a variable points to. A cache into which others were
 * merged has objects of several.
 */
#include "graph/edges.h"

struct owners {
	struct graph *g;
	uint16_t *of;		/* by cache */
	struct hash_u64 first;	/* uint16_t by node: the module whose variable points to it */
	struct hash_u64 number; /* of a cache by its address */
};

static void join(uint16_t *of, uint16_t owner)
{
	*of = *of == OWNER_NOBODY || *of == owner ? owner : OWNER_SHARED;
}

/* The words of a node. */
static void each_word(struct owners *o, uint32_t node, uint16_t owner,
		      void (*visit)(struct owners *o, const struct edge *e, uint16_t owner))
{
	const struct graph *g = o->g;

	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		const struct edge e = graph_edge_of(g, node, i);

		if (!e.to)
			visit(o, &e, owner);
	}
}

/* Those of the variables: of vmlinux, whose number is 0, too, or of modules alone. */
static void each_variable(struct owners *o, bool of_modules,
			  void (*visit)(struct owners *o, const struct edge *e, uint16_t owner))
{
	for (uint32_t i = 0; i < o->g->spans.n; i++) {
		const struct span *s = graph_span(o->g, i);

		for (uint32_t k = 0;
		     s->kind == NODE_STATIC && (s->group || !of_modules) && k < s->count; k++)
			each_word(o, s->first + k, s->group, visit);
	}
}

static void add_first(struct owners *o, const struct edge *e, uint16_t owner)
{
	uint16_t *of;
	bool is_new;

	if (graph_span_of(o->g, e->dst)->kind < NODE_OBJECT)
		return;
	of = hash_u64_get(&o->first, e->dst, &is_new);
	if (is_new)
		*of = OWNER_NOBODY;
	join(of, owner);
}

static void name_cache(struct owners *o, const struct edge *e, uint16_t owner)
{
	const struct span *dst = graph_span_of(o->g, e->dst);
	const uint32_t *number = dst->kind == NODE_OBJECT
					 ? hash_u64_find(&o->number, span_address(dst, e->dst))
					 : NULL;

	if (number)
		join(&o->of[*number], owner);
}

/* By a variable, or by an object that one points to. */
static void name_caches(struct owners *o)
{
	each_variable(o, true, add_first);
	each_variable(o, false, name_cache);
	for (const struct hash_u64_entry *e = o->first.first; e; e = e->next) {
		uint16_t owner = *(const uint16_t *)e->value;

		if (owner < OWNER_SHARED)
			each_word(o, (uint32_t)e->key, owner, name_cache);
	}
}

static void tag_objects(struct owners *o)
{
	struct graph *g = o->g;

	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);
		uint16_t owner = s->kind == NODE_OBJECT ? o->of[s->group] : 0;

		if (!graph_module(g, owner))
			continue;
		for (uint32_t k = s->first; k < s->first + s->count; k++)
			if (!graph_is_dead(g, k) && g->tags[k] == OWNER_NOBODY)
				g->tags[k] = owner;
	}
}

void graph_tag_own_caches(struct graph *g)
{
	struct owners o = { .g = g };

	o.of = arena_alloc(g->arena, g->ncaches * sizeof(*o.of) + 1);
	memset(o.of, 0xff, g->ncaches * sizeof(*o.of));
	hash_u64_init(&o.number, g->arena, sizeof(uint32_t));
	hash_u64_init(&o.first, g->arena, sizeof(uint16_t));
	for (uint32_t i = 0; i < g->ncaches; i++)
		if (g->caches[i]->address && !g->caches[i]->aliases)
			*(uint32_t *)hash_u64_get(&o.number, g->caches[i]->address, NULL) = i;
	name_caches(&o);
	tag_objects(&o);
}
