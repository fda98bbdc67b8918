// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/arcs.h"
#include "graph/shapes.h"

static enum arc_weight weight_of(const struct span *src, bool is_hub, const struct edge *e)
{
	if (is_hub)
		return ARC_HUB;
	/* What has the pages themselves has them, whoever maps them. */
	if (src->kind == NODE_STACK || src->kind == NODE_VMAP)
		return ARC_WEAK;
	return e->to & ~PLACE_PAGE ? ARC_MIDDLE : ARC_START;
}

/* What is neither a link nor a back pointer; words of struct page are of lists, or no arcs. */
static bool add_edges(struct arcs *a)
{
	struct graph *g = a->g;
	const struct span *src = NULL;
	uint32_t node = UINT32_MAX;
	bool is_hub = false;

	for (uint32_t i = 0, at = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &at, i);

		if (a->marks[i] & EDGE_CUT || edge_is_of_page(&e))
			continue;
		if (graph_node_is_root(g, e.dst))
			continue;
		if (e.src != node) {
			node = e.src;
			src = graph_span_of(g, node);
			is_hub = a->is_hub && graph_is_root(src) && a->is_hub(a->arg, src);
		}
		if (!arcs_add(a, e.src, e.dst,
			      weight_of(src, is_hub || a->marks[i] & EDGE_RARE, &e)))
			return false;
	}
	return true;
}

/* What is no arc of its own.  False: cut. */
static bool find_links(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct shapes shapes;
	bool fits = shapes_find(a, &own, arena, &shapes) && arcs_find_chains(a, &shapes);

	a->nodes = g->nodes + a->lists.n;
	if (fits) {
		arcs_cut_parents(a);
		arcs_mark_rare(a);
	}
	fits = fits && arcs_cut_backlinks(a, &shapes);
	arena_reset(arena);
	return fits;
}

enum status graph_arcs(struct graph *g, bool (*is_hub)(void *arg, const struct span *s), void *arg,
		       struct arcs *ret)
{
	struct arcs *a = ret;
	bool fits;

	*a = (struct arcs){ .g = g, .is_hub = is_hub, .arg = arg };
	chunks_init(&a->arcs, arena_within(g->arena), &g->budget, sizeof(struct arc));
	chunks_init(&a->lists, g->arena, &g->budget, sizeof(struct list));
	a->marks = budget_alloc(&g->budget, g->arena, g->edges.n);
	fits = a->marks && arcs_find_lists(a);
	if (fits && dump_stopped(g->dump))
		return ST_STOPPED;
	fits = fits && find_links(a) && add_edges(a) && arcs_add_dma(a) && arcs_add_pfns(a) &&
	       arcs_add_neighbours(a);
	decoder_trace(
		g->dump,
		"decide %u edges, %u of DMA addresses, %u of page frame numbers, %u lists, %lu pairs, %lu back pointers, "
		"%lu rare, %u arcs",
		g->edges.n, g->dma.n, g->pfns.n, a->lists.n, a->chains, a->backs, a->rare,
		a->arcs.n);
	if (!fits)
		return graph_is_full(g, "arcs");
	return ST_OK;
}

void arcs_done(struct arcs *a)
{
	chunks_free(&a->arcs);
}
