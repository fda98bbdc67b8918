// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/references.h"

static uint64_t word_address(const struct graph *g, const struct span *s, uint32_t node,
			     uint32_t from)
{
	uint64_t start = span_address(s, node);

	if (from & PLACE_PAGE)
		return g->pages + ((start - g->linear) >> g->dump->page_shift) * g->page_bytes +
		       (from & ~PLACE_PAGE);
	if (s->kind == NODE_COPIES)
		return start + g->cpus.offset[from / graph_copy_bytes(g, s)] +
		       from % graph_copy_bytes(g, s);
	return start + from;
}

struct words {
	const struct graph *g;
	struct reference *found;
	size_t n, room;
	uint64_t total;
};

static void add(struct words *w, const struct chunks *edges, uint32_t node, bool is_dma)
{
	for (uint32_t i = 0; i < edges->n; i++) {
		const struct edge *e = chunks_at(edges, i);

		if (e->dst != node || ++w->total > w->room)
			continue;
		w->found[w->n++] = (struct reference){
			e->src, e->from, e->to,
			word_address(w->g, graph_span_of(w->g, e->src), e->src, e->from), is_dma
		};
	}
}

size_t references_to(const struct graph *g, uint32_t node, struct reference *ret, size_t room,
		     uint64_t *total)
{
	struct words w = { .g = g, .found = ret, .room = room };

	add(&w, &g->edges, node, false);
	add(&w, &g->dma, node, true);
	*total = w.total;
	return w.n;
}

const char *reference_name(struct holders *h, const struct reference *r)
{
	const struct graph *g = &h->graph;
	const struct span *s = graph_span_of(g, r->node);
	uint64_t start = span_address(s, r->node);
	uint32_t bytes = s->kind == NODE_COPIES ? graph_copy_bytes(g, s) : 0;

	if (r->from & PLACE_PAGE)
		return arena_text(g->arena, "struct page of %s 0x%lx",
				  holder_group_name(h, r->node), start);
	if (bytes)
		return arena_text(g->arena, "%s 0x%lx+0x%x of CPU %u",
				  holder_group_name(h, r->node), start, r->from % bytes,
				  g->cpus.cpu[r->from / bytes]);
	if (graph_is_root(s))
		return holder_root_name(h, r->node, r->from);
	return arena_text(g->arena, "%s 0x%lx+0x%x", holder_group_name(h, r->node), start, r->from);
}
