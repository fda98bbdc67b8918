// SPDX-License-Identifier: GPL-2.0-or-later
/* Edges as they are kept: most places are below 96 KiB, or of a struct page, and have room in 17 bits. */
#include "graph/graph.h"

static uint32_t code_of(uint32_t place)
{
	if (place < WORD_PAGE)
		return place;
	if (place == PLACE_MAX)
		return WORD_MAX;
	return place - PLACE_PAGE < WORD_FAR - WORD_PAGE ? place - PLACE_PAGE + WORD_PAGE
							 : WORD_FAR;
}

static const struct graph_word *word_at(const struct graph *g, uint32_t i)
{
	return chunks_at(&g->edges, i);
}

static const struct far_word *far_at(const struct graph *g, uint32_t i)
{
	uint32_t low = 0, high = g->far.n;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;
		const struct far_word *f = chunks_at(&g->far, mid);

		if (f->edge <= i)
			low = mid;
		else
			high = mid;
	}
	return chunks_at(&g->far, low);
}

static uint32_t from_of(const struct graph *g, uint32_t i)
{
	const struct graph_word *w = word_at(g, i);

	return w->from == WORD_FAR ? far_at(g, i)->from : graph_place(w->from);
}

bool graph_add_edge(struct graph *g, uint32_t dst, uint32_t from, uint32_t to)
{
	uint32_t number = g->edges.n;
	struct graph_word *w = chunks_add(&g->edges);
	struct far_word *f;

	if (!w)
		return false;
	w->dst = dst;
	w->from = code_of(from);
	w->to = code_of(to);
	if (w->from != WORD_FAR && w->to != WORD_FAR)
		return true;
	f = chunks_add(&g->far);
	if (f)
		*f = (struct far_word){ number, from, to };
	return f;
}

struct edge graph_far_edge(const struct graph *g, uint32_t src, uint32_t i)
{
	const struct far_word *f = far_at(g, i);

	return (struct edge){ src, word_at(g, i)->dst, f->from, f->to };
}

bool graph_index_edges(struct graph *g)
{
	uint32_t n = g->edges.n / EDGE_STEP + 1, node = 0;
	uint32_t *at = budget_alloc(&g->budget, g->arena, (n + 1ULL) * sizeof(*at));

	for (uint32_t i = 0; at && i <= n; i++) {
		while (node + 1 < g->nodes && g->first[node + 1] <= (uint64_t)i * EDGE_STEP)
			node++;
		at[i] = node;
	}
	g->node_at = at;
	return at;
}

struct edge graph_edge(const struct graph *g, uint32_t i)
{
	const uint32_t *at = g->node_at ? g->node_at + i / EDGE_STEP : NULL;
	uint32_t low = at ? at[0] : 0, high = at ? at[1] + 1 : g->nodes;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (g->first[mid] <= i)
			low = mid;
		else
			high = mid;
	}
	return graph_edge_of(g, low, i);
}

bool graph_word_at(const struct graph *g, uint32_t node, uint32_t from, struct edge *ret,
		   uint32_t *number)
{
	uint32_t low = g->first[node], high = g->first[node + 1];

	while (low < high) {
		uint32_t mid = low + (high - low) / 2, place = from_of(g, mid);

		if (place == from) {
			*number = mid;
			*ret = graph_edge_of(g, node, mid);
			return true;
		}
		if (place < from)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}
