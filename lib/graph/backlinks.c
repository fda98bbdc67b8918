// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Back pointers are no arcs: where two nodes name each other, the one that many of its kind share is
 * what they go back to.
 *
 * The shape of an edge is the group and place of its word and of what it leads to.  Of those of one shape that own, each leads
 * elsewhere; those that go back, to a parent, a superblock, an array, lead to few targets.
 */
#include <stdlib.h>

#include "graph/arcs.h"

/* For both sorts. */
struct item {
	uint64_t key;
	uint32_t sub, edge;
};

struct finder {
	struct arcs *a;
	struct item *items;
	uint8_t *spread; /* by edge: distinct targets of its shape for 255 edges of it */
	uint32_t n;
};

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->sub > y->sub) - (x->sub < y->sub);
}

static bool is_asked(const struct arcs *a, uint32_t i)
{
	const struct edge *e = graph_edge(a->g, i);

	return !(a->marks[i] & EDGE_CUT) && !edge_is_of_page(e);
}

/* The edges between nodes that are no roots. */
static void fill(struct finder *f)
{
	const struct graph *g = f->a->g;
	const struct span *src = NULL, *dst;

	f->n = 0;
	for (uint32_t i = 0; i < g->edges.n; i++) {
		const struct edge *e = graph_edge(g, i);

		if (!is_asked(f->a, i))
			continue;
		if (!src || e->src - src->first >= src->count)
			src = graph_span_of(g, e->src);
		if (graph_is_root(src))
			continue;
		dst = graph_span_of(g, e->dst);
		if (graph_is_root(dst))
			continue;
		f->items[f->n++] = (struct item){ edge_shape(src, dst, e), e->dst, i };
	}
}

static void measure(struct finder *f)
{
	for (uint32_t i = 0, end; i < f->n; i = end) {
		uint32_t targets = 0;

		for (end = i; end < f->n && f->items[end].key == f->items[i].key; end++)
			targets += end == i || f->items[end].sub != f->items[end - 1].sub;
		for (uint32_t k = i; k < end; k++)
			f->spread[f->items[k].edge] =
				(uint8_t)((uint64_t)targets * 255 / (end - i));
	}
}

/* Both directions between two nodes beside each other: sub says which. */
static void pair(struct finder *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct item *t = &f->items[i];
		const struct edge *e = graph_edge(f->a->g, t->edge);
		bool down = e->src > e->dst;

		t->key = (uint64_t)(down ? e->dst : e->src) << 32 | (down ? e->src : e->dst);
		t->sub = down;
	}
}

static void cut(struct finder *f)
{
	for (uint32_t i = 0, end; i < f->n; i = end) {
		unsigned int most[2] = { 0 };

		for (end = i; end < f->n && f->items[end].key == f->items[i].key; end++) {
			unsigned int spread = f->spread[f->items[end].edge];
			unsigned int *of = &most[f->items[end].sub];

			*of = spread > *of ? spread : *of;
		}
		if (!f->items[end - 1].sub || f->items[i].sub)
			continue;
		for (uint32_t k = i; k < end; k++) {
			bool down = f->items[k].sub;

			if (2 * most[down] >= most[!down])
				continue;
			f->a->marks[f->items[k].edge] |= EDGE_CUT;
			f->a->backs++;
		}
	}
}

bool arcs_cut_backlinks(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct finder f = { .a = a };

	f.items = budget_alloc(&own, arena, g->edges.n * sizeof(*f.items));
	f.spread = budget_alloc(&own, arena, g->edges.n);
	if (f.items && f.spread) {
		fill(&f);
		qsort(f.items, f.n, sizeof(*f.items), by_key);
		measure(&f);
		pair(&f);
		qsort(f.items, f.n, sizeof(*f.items), by_key);
		cut(&f);
	} else {
		g->cut = "back pointers";
	}
	arena_reset(arena);
	return !g->cut;
}
