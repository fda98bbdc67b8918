// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/arcs.h"

#include <string.h>

bool arcs_add(struct arcs *a, uint32_t src, uint32_t dst, enum arc_weight w)
{
	struct arc *arc = chunks_add(&a->arcs);

	if (!arc) {
		a->g->cut = "arcs";
		return false;
	}
	*arc = (struct arc){ src, arc_to(dst, w) };
	return true;
}

static enum arc_weight weight_of(const struct span *src, bool is_hub, const struct edge *e)
{
	if (is_hub)
		return ARC_HUB;
	if (src->kind == NODE_STACK)
		return ARC_WEAK;
	return e->to ? ARC_MIDDLE : ARC_START;
}

/* What is neither a link nor a back pointer; words of struct page are of lists, or no arcs. */
static bool add_edges(struct arcs *a)
{
	struct graph *g = a->g;
	const struct span *src = NULL;
	uint32_t node = UINT32_MAX;
	bool is_hub = false;

	for (uint32_t i = 0; i < g->edges.n; i++) {
		const struct edge *e = graph_edge(g, i);

		if (a->marks[i] & EDGE_CUT || (e->from | e->to) & PLACE_PAGE)
			continue;
		if (graph_is_root(graph_span_of(g, e->dst)))
			continue;
		if (e->src != node) {
			node = e->src;
			src = graph_span_of(g, node);
			is_hub = a->is_hub && graph_is_root(src) && a->is_hub(a->arg, src);
		}
		if (!arcs_add(a, e->src, e->dst, weight_of(src, is_hub, e)))
			return false;
	}
	return true;
}

static void mark_named(const struct arcs *a, uint8_t *named)
{
	for (uint32_t i = 0; i < a->arcs.n; i++) {
		const struct arc *arc = chunks_at(&a->arcs, i);
		uint32_t dst = arc->dst & ARC_NODE;

		named[dst / 8] |= 1 << dst % 8;
	}
}

/* A page that no word names is of the one before it: alloc_pages_exact() names the first alone. */
static bool add_neighbours(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	uint8_t *named = budget_alloc(&own, arena, a->nodes / 8 + 1);
	bool fits = named;

	if (named)
		mark_named(a, named);
	for (uint32_t i = 0; i < g->spans.n && fits; i++) {
		const struct span *s = graph_span(g, i), *before;
		uint32_t node, place;

		for (uint32_t k = s->first;
		     s->kind == NODE_DIRECT && fits && k < s->first + s->count; k++)
			if (!(named[k / 8] >> k % 8 & 1) &&
			    graph_find(g, span_address(s, k) - 1, &before, &node, &place) &&
			    before->kind == NODE_DIRECT)
				fits = arcs_add(a, node, k, ARC_START);
	}
	arena_reset(arena);
	return fits;
}

enum status graph_arcs(struct graph *g, bool (*is_hub)(void *arg, const struct span *s), void *arg,
		       struct arcs *ret)
{
	struct arcs *a = ret;
	bool fits;

	*a = (struct arcs){ .g = g, .is_hub = is_hub, .arg = arg };
	chunks_init(&a->arcs, g->arena, &g->budget, sizeof(struct arc));
	chunks_init(&a->lists, g->arena, &g->budget, sizeof(struct list));
	a->marks = budget_alloc(&g->budget, g->arena, g->edges.n);
	fits = a->marks && arcs_find_lists(a);
	a->nodes = g->nodes + a->lists.n;
	if (fits && dump_stopped(g->dump))
		return ST_STOPPED;
	fits = fits && arcs_cut_backlinks(a) && add_edges(a) && add_neighbours(a);
	decoder_trace(g->dump, "decide %u edges, %u lists, %llu pairs, %llu back pointers, %u arcs",
		      g->edges.n, a->lists.n, (unsigned long long)a->chains,
		      (unsigned long long)a->backs, a->arcs.n);
	return fits ? ST_OK
		    : dump_fail(g->dump, ST_NOMEM,
				"the pointers of this dump need more memory than "
				"3 percent of its RAM");
}
