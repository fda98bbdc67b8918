/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edges of a graph that a test makes, in the order of their nodes and of their words. */
#pragma once

#include "graph/graph.h"

static inline void put_edge(struct graph *g, struct edge e)
{
	if (!g->first)
		g->first = arena_alloc(g->arena, (g->nodes + 1) * sizeof(*g->first));
	CHECK(g->edges.n == g->first[g->nodes] && g->first[e.src + 1] == g->edges.n);
	CHECK(graph_add_edge(g, e.dst, e.from, e.to));
	for (uint32_t i = e.src + 1; i <= g->nodes; i++)
		g->first[i] = g->edges.n;
}
