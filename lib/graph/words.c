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

/* How many of g->far are of edges before a multiple of FAR_STEP. */
static uint32_t far_before(const struct graph *g, uint32_t step)
{
	return step < g->far_at.n ? *(const uint32_t *)chunks_at(&g->far_at, step) : g->far.n;
}

static const struct far_word *far_at(const struct graph *g, uint32_t i)
{
	uint32_t step = i / FAR_STEP;

	return chunks_at(&g->far,
			 LAST_OF(k, far_before(g, step), far_before(g, step + 1),
				 ((const struct far_word *)chunks_at(&g->far, k))->edge <= i));
}

uint32_t graph_word_place(const struct graph *g, uint32_t i)
{
	const struct graph_word *w = word_at(g, i);

	return w->from == WORD_FAR ? far_at(g, i)->from : graph_place(w->from);
}

bool graph_add_edge(struct graph *g, uint32_t dst, uint32_t from, uint32_t to)
{
	uint32_t number = g->edges.n;
	struct graph_word *w = chunks_add(&g->edges);
	struct far_word *f;
	uint32_t *before;

	if (!w)
		return false;
	if (number % FAR_STEP == 0) {
		before = chunks_add(&g->far_at);
		if (!before)
			return false;
		*before = g->far.n;
	}
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

	return graph_edge_of(g, LAST_OF(node, low, high, g->first[node] <= i), i);
}

/* The word at a place that has no code of its own: among those of the node in g->far, in their order. */
static bool far_word_at(const struct graph *g, uint32_t node, uint32_t from, uint32_t *number)
{
	uint32_t end = g->first[node + 1], low = far_before(g, g->first[node] / FAR_STEP);
	uint32_t high = far_before(g, (end + FAR_STEP - 1) / FAR_STEP);

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct far_word *f = chunks_at(&g->far, mid);

		if (f->edge >= g->first[node] && f->edge < end && f->from == from) {
			*number = f->edge;
			return true;
		}
		if (f->edge < g->first[node] || (f->edge < end && f->from < from))
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

static bool near_word_at(const struct graph *g, uint32_t node, uint32_t from, uint32_t *number)
{
	uint32_t low = g->first[node], high = g->first[node + 1];

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		/* What has no code is behind all that are below WORD_PAGE. */
		uint32_t place = from < WORD_PAGE ? word_at(g, mid)->from
						  : graph_word_place(g, mid);

		if (place == from) {
			*number = mid;
			return true;
		}
		if (place < from)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool graph_word_at(const struct graph *g, uint32_t node, uint32_t from, struct edge *ret,
		   uint32_t *number)
{
	const bool found = code_of(from) == WORD_FAR ? far_word_at(g, node, from, number)
						     : near_word_at(g, node, from, number);

	if (found)
		*ret = graph_edge_of(g, node, *number);
	return found;
}
