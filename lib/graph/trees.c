// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A node of a tree names its parent, which has it: no arc.
 *
 * No types are needed: the first word of struct rb_node leads to the parent, with its colour in the lowest bit,
 * and one of the two words behind that place of the parent leads back to the first word of the child.  The head
 * of a list and its only entry do so as well: so both are nodes of one kind with that word at one place, and the word
 * behind it, which leads back in a list and to a child in a tree, does not.
 */
#include "graph/arcs.h"

#define COLOUR 1u

static bool leads(const struct graph *g, uint32_t node, uint32_t from, uint32_t dst, uint32_t to)
{
	uint32_t number;
	struct edge e;

	return graph_word_at(g, node, from, &e, &number) && e.dst == dst && e.to == to;
}

static bool is_to_parent(const struct graph *g, const struct edge *e)
{
	uint32_t place = e->to & ~COLOUR;

	if (e->from != place || e->to >= PLACE_MAX || e->src == e->dst)
		return false;
	return (leads(g, e->dst, place + 8, e->src, e->from) ||
		leads(g, e->dst, place + 16, e->src, e->from)) &&
	       !leads(g, e->src, e->from + 8, e->dst, place) &&
	       span_group(graph_span_of(g, e->src)) == span_group(graph_span_of(g, e->dst));
}

void arcs_cut_parents(struct arcs *a)
{
	const struct graph *g = a->g;

	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);

		if (!(a->marks[i] & EDGE_CUT) && is_to_parent(g, &e)) {
			a->marks[i] |= EDGE_CUT;
			a->backs++;
		}
	}
}
