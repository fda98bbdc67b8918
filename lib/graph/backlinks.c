// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Back pointers are no arcs: where two nodes name each other, the one that many of its kind share is
 * what they go back to.
 *
 * The shape of an edge is the group and place of its word and of what it leads to.  Of those of one shape that own, each leads
 * elsewhere; those that go back, to a parent, a superblock, an array, lead to few targets.
 */
#include <stdlib.h>

#include "graph/shapes.h"

/* An edge among those that lead to the same node. */
struct source {
	uint32_t node, shape;
};

struct spread {
	uint32_t edges, targets;
	uint32_t last; /* target that was counted last, + 1 */
};

/* An edge whose target leads back. */
struct mutual {
	uint32_t dst, edge;
};

struct finder {
	struct arcs *a;
	const uint32_t *by_edge; /* number of its shape + 1; 0: it is not asked for */
	uint32_t *at; /* by node: where those begin that lead there; of the next: behind the last */
	struct source *sources; /* of each node in the order of their numbers */
	struct spread *shapes;
	struct mutual *mutual; /* of one node */
};

static bool is_asked(const struct finder *f, uint32_t i)
{
	return f->by_edge[i] && !(f->a->marks[i] & EDGE_CUT);
}

/* Returns how many there are. */
static uint32_t count_sources(struct finder *f)
{
	const struct graph *g = f->a->g;
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->edges.n; i++)
		if (is_asked(f, i)) {
			f->at[graph_edge_dst(g, i) + 1]++;
			n++;
		}
	return n;
}

/* at[i + 1] counts, then is where those of i begin, and at last where they end. */
static void find_sources(struct finder *f)
{
	const struct graph *g = f->a->g;
	uint32_t sum = 0;

	for (uint32_t i = 1; i <= g->nodes; i++) {
		uint32_t here = f->at[i];

		f->at[i] = sum;
		sum += here;
	}
	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);

		if (is_asked(f, i))
			f->sources[f->at[e.dst + 1]++] = (struct source){ e.src,
									  f->by_edge[i] - 1 };
	}
}

static void measure(struct finder *f)
{
	for (uint32_t node = 0; node < f->a->g->nodes; node++)
		for (uint32_t k = f->at[node]; k < f->at[node + 1]; k++) {
			struct spread *s = &f->shapes[f->sources[k].shape];

			/* Counted from 1: none was seen yet. */
			s->targets += s->last != node + 1;
			s->last = node + 1;
			s->edges++;
		}
}

/* Distinct targets for 255 edges of a shape. */
static unsigned int spread_of(const struct finder *f, uint32_t shape)
{
	const struct spread *s = &f->shapes[shape];

	return (unsigned int)((uint64_t)s->targets * 255 / s->edges);
}

/* Of those that lead to a node the first that comes from another, or would be behind. */
static uint32_t first_from(const struct finder *f, uint32_t node, uint32_t from)
{
	uint32_t low = f->at[node], high = f->at[node + 1];

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (f->sources[mid].node < from)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The largest spread of those that lead to a node from another; 0, has: false: none does. */
static unsigned int most_from(const struct finder *f, uint32_t node, uint32_t from, bool *has)
{
	unsigned int most = 0;

	*has = false;
	for (uint32_t k = first_from(f, node, from);
	     k < f->at[node + 1] && f->sources[k].node == from; k++) {
		unsigned int spread = spread_of(f, f->sources[k].shape);

		most = spread > most ? spread : most;
		*has = true;
	}
	return most;
}

ORDER_BY(by_dst, struct mutual, COMPARE(x->dst, y->dst))

/* The edges of a node to those that lead to it. */
static uint32_t find_mutual(struct finder *f, uint32_t node)
{
	const struct graph *g = f->a->g;
	uint32_t n = 0;

	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		uint32_t dst = graph_edge_dst(g, i), k = first_from(f, node, dst);

		if (is_asked(f, i) && k < f->at[node + 1] && f->sources[k].node == dst)
			f->mutual[n++] = (struct mutual){ dst, i };
	}
	if (n > 1)
		qsort(f->mutual, n, sizeof(*f->mutual), by_dst);
	return n;
}

static void cut_node(struct finder *f, uint32_t node)
{
	uint32_t n = find_mutual(f, node);

	for (uint32_t i = 0, end; i < n; i = end) {
		unsigned int most = 0, back;
		bool has;

		for (end = i; end < n && f->mutual[end].dst == f->mutual[i].dst; end++) {
			unsigned int spread = spread_of(f, f->by_edge[f->mutual[end].edge] - 1);

			most = spread > most ? spread : most;
		}
		back = most_from(f, node, f->mutual[i].dst, &has);
		for (uint32_t k = i; has && 2 * most < back && k < end; k++) {
			f->a->marks[f->mutual[k].edge] |= EDGE_CUT;
			f->a->backs++;
		}
	}
}

static void cut(struct finder *f)
{
	const struct graph *g = f->a->g;

	for (uint32_t node = 0; node < g->nodes; node++)
		if (f->at[node] < f->at[node + 1] && g->first[node] < g->first[node + 1])
			cut_node(f, node);
}

static uint32_t most_edges(const struct graph *g)
{
	uint32_t most = 0;

	for (uint32_t node = 0; node < g->nodes; node++)
		if (g->first[node + 1] - g->first[node] > most)
			most = g->first[node + 1] - g->first[node];
	return most;
}

static bool find(struct finder *f, uint64_t shapes, struct budget *own, struct arena *arena)
{
	const struct graph *g = f->a->g;

	f->at = budget_alloc(own, arena, (g->nodes + 2ULL) * sizeof(*f->at));
	f->mutual = budget_alloc(own, arena, most_edges(g) * sizeof(*f->mutual));
	if (!f->at || !f->mutual)
		return false;
	f->sources = budget_alloc(own, arena, count_sources(f) * sizeof(*f->sources));
	f->shapes = budget_alloc(own, arena, shapes * sizeof(*f->shapes));
	if (!f->sources || !f->shapes)
		return false;
	find_sources(f);
	measure(f);
	cut(f);
	return true;
}

bool arcs_cut_backlinks(struct arcs *a, const struct shapes *shapes)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct finder f = { .a = a, .by_edge = shapes->by_edge };

	if (!find(&f, shapes->all.n, &own, arena))
		g->cut = "back pointers";
	arena_reset(arena);
	return !g->cut;
}
