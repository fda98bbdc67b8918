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

/* Objects that variables of modules point to. */
static void find_first(struct owners *o)
{
	const struct graph *g = o->g;
	const struct span *src = NULL;

	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);
		uint16_t *of;
		bool is_new;

		if (!src || e.src - src->first >= src->count)
			src = graph_span_of(g, e.src);
		if (src->kind != NODE_STATIC || !src->group || e.to ||
		    graph_span_of(g, e.dst)->kind < NODE_OBJECT)
			continue;
		of = hash_u64_get(&o->first, e.dst, &is_new);
		if (is_new)
			*of = OWNER_NOBODY;
		join(of, src->group);
	}
}

/* Of a variable, or of an object that one points to. */
static bool namer_of(const struct owners *o, const struct span *src, uint32_t node, uint16_t *ret)
{
	const uint16_t *of = src->kind >= NODE_OBJECT ? hash_u64_find(&o->first, node) : NULL;

	if (src->kind == NODE_STATIC)
		*ret = src->group;
	else if (of && *of < OWNER_SHARED)
		*ret = *of;
	else
		return false;
	return true;
}

static void name_caches(struct owners *o)
{
	const struct graph *g = o->g;
	const struct span *src = NULL, *dst;

	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);
		const uint32_t *number;
		uint16_t owner;

		if (!src || e.src - src->first >= src->count)
			src = graph_span_of(g, e.src);
		if (e.to || !namer_of(o, src, e.src, &owner))
			continue;
		dst = graph_span_of(g, e.dst);
		number = dst->kind == NODE_OBJECT
				 ? hash_u64_find(&o->number, span_address(dst, e.dst))
				 : NULL;
		if (number)
			join(&o->of[*number], owner);
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
	find_first(&o);
	name_caches(&o);
	tag_objects(&o);
}
