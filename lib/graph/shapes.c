// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/shapes.h"

#define RECENT 4096u /* shapes that were asked for last, by hash */

struct finder {
	struct hash_u64 *all;
	struct {
		uint64_t hash;
		struct shape *shape;
	} recent[RECENT];
};

static struct shape *shape_of(struct finder *f, uint64_t hash)
{
	uint32_t slot = hash % RECENT;
	struct shape *s = f->recent[slot].shape;
	bool is_new;

	if (s && f->recent[slot].hash == hash)
		return s;
	s = hash_u64_get(f->all, hash, &is_new);
	if (is_new)
		s->number = (uint32_t)f->all->n - 1;
	f->recent[slot].hash = hash;
	f->recent[slot].shape = s;
	return s;
}

static void number_edges(const struct arcs *a, struct finder *f, uint32_t *by_edge)
{
	const struct graph *g = a->g;
	const struct span *src = NULL, *dst = NULL;

	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);
		struct shape *s;

		if (a->marks[i] & EDGE_CUT || edge_is_of_page(&e))
			continue;
		if (graph_node_is_root(g, e.src) || graph_node_is_root(g, e.dst))
			continue;
		if (!src || e.src - src->first >= src->count)
			src = graph_span_of(g, e.src);
		if (!dst || e.dst - dst->first >= dst->count)
			dst = graph_span_of(g, e.dst);
		s = shape_of(f, edge_shape(src, dst, &e));
		s->edges++;
		s->is_within = src->kind == NODE_OBJECT && span_group(src) == span_group(dst);
		by_edge[i] = s->number + 1;
	}
}

bool shapes_find(const struct arcs *a, struct budget *own, struct arena *arena, struct shapes *ret)
{
	struct finder *f = arena_alloc(arena, sizeof(*f));

	hash_u64_init(&ret->all, arena, sizeof(struct shape));
	f->all = &ret->all;
	ret->by_edge = budget_alloc(own, arena, a->g->edges.n * sizeof(*ret->by_edge));
	if (ret->by_edge)
		number_edges(a, f, ret->by_edge);
	return ret->by_edge;
}
