// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/references.h"
#include "graph/page_words.h"
#include "util/bits.h"

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

static void add(struct words *w, const struct edge *e, uint32_t node, bool is_dma)
{
	if (e->dst != node || ++w->total > w->room)
		return;
	w->found[w->n++] = (struct reference){
		e->src, e->from, e->to,
		word_address(w->g, graph_span_of(w->g, e->src), e->src, e->from), is_dma
	};
}

size_t references_to(const struct graph *g, uint32_t node, struct reference *ret, size_t room,
		     uint64_t *total)
{
	struct words w = { .g = g, .found = ret, .room = room };
	bool is_named;

	for (uint32_t i = 0, src = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &src, i);

		add(&w, &e, node, false);
	}
	/* Numbers that are a row of such addresses may be left over: they count where no pointer does. */
	is_named = w.total;
	for (uint32_t i = 0; !is_named && i < g->dma.n; i++)
		add(&w, chunks_at(&g->dma, i), node, true);
	*total = w.total;
	return w.n;
}

/* Of a page that is no node. */
struct page_search {
	struct words w;
	uint64_t pfn;
	uint32_t node; /* that is looked at */
};

static void add_page_word(void *arg, uint64_t at, uint64_t pfn)
{
	struct page_search *x = arg;
	struct words *w = &x->w;

	if (pfn == x->pfn && ++w->total <= w->room)
		w->found[w->n++] = (struct reference){
			x->node,
			(uint32_t)(at - span_address(graph_span_of(w->g, x->node), x->node)),
			PLACE_PAGE, at, false
		};
}

size_t references_to_page(const struct graph *g, uint64_t pfn, struct reference *ret, size_t room,
			  uint64_t *total)
{
	struct page_search x = { { .g = g, .found = ret, .room = room }, pfn, 0 };
	struct read_window window;

	page_words_window(g, &window);
	for (uint32_t i = 0; i < g->page_words.n && !dump_stopped(g->dump); i++) {
		x.node = ((const struct page_words *)chunks_at(&g->page_words, i))->node;
		/* Copies of a CPU are apart from each other. */
		if (graph_span_of(g, x.node)->kind != NODE_COPIES)
			page_words_each(g, &window, x.node, add_page_word, &x);
	}
	*total = x.w.total;
	return x.w.n;
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

#define AHEAD 16u /* nodes before they are asked for, their words are fetched */

struct reach {
	uint8_t *seen;
	uint32_t *queue, n;
};

static void reach(struct reach *r, uint32_t node)
{
	if (bit_has(r->seen, node))
		return;
	bit_set(r->seen, node);
	r->queue[r->n++] = node;
}

static void fetch(const struct graph *g, const struct reach *r, uint32_t at)
{
	uint32_t first;

	if (r->n - at <= 2 * AHEAD)
		return;
	__builtin_prefetch(&g->first[r->queue[at + 2 * AHEAD]]);
	first = g->first[r->queue[at + AHEAD]];
	if (first < g->edges.n)
		__builtin_prefetch(chunks_at(&g->edges, first));
}

enum status references_reach(struct graph *g, uint8_t **ret)
{
	struct arena *arena = arena_within(g->arena);
	struct reach r = { .seen = budget_alloc(&g->budget, g->arena, g->nodes / 8 + 1) };
	struct budget own = g->budget;

	r.queue = budget_alloc(&own, arena, g->nodes * sizeof(*r.queue));
	if (!r.seen || !r.queue)
		return graph_is_full(g, "references");
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint32_t k = 0; graph_is_root(s) && k < s->count; k++)
			reach(&r, s->first + k);
	}
	for (uint32_t i = 0; i < g->dma.n; i++)
		reach(&r, ((const struct edge *)chunks_at(&g->dma, i))->dst);
	for (uint32_t at = 0; at < r.n; at++) {
		fetch(g, &r, at);
		for (uint32_t i = g->first[r.queue[at]]; i < g->first[r.queue[at] + 1]; i++)
			reach(&r, graph_edge_dst(g, i));
	}
	arena_reset(arena);
	*ret = r.seen;
	return ST_OK;
}
