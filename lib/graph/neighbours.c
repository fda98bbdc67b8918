// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages that no word names, behind one that is.
 *
 * By its address: alloc_pages_exact() makes single pages of one block, and its user keeps the address of the first.
 * So the first is aligned to the block that they were; of short runs one in two or four is so by chance, and they
 * are left out.  By its struct page, with an offset and a length behind: struct bio_vec and struct scatterlist name the
 * first page of what lies behind each other.
 */
#include "graph/arcs.h"
#include "util/bits.h"

#define MOST_BYTES (16u << 20) /* of a segment */
#define RUN_LEAST 5 /* pages: their block is of eight, and one in eight is aligned by chance */

struct finder {
	struct arcs *a;
	uint8_t *named;	       /* a bit for each node: by any arc */
	uint8_t *exact;	       /* by the address of its first byte */
	uint32_t first, count; /* the run: the node that is named, and how many follow with it */
	uint64_t start, end;   /* its addresses */
};

static void mark(struct finder *f)
{
	const struct graph *g = f->a->g;

	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);

		if (!e.to)
			bit_set(f->exact, e.dst);
	}
}

static bool end_run(struct finder *f)
{
	uint64_t block = 1, bytes = f->end - f->start;
	bool fits = true;

	while (block < bytes)
		block *= 2;
	if (f->count >= RUN_LEAST && bit_has(f->exact, f->first) &&
	    !((f->start - f->a->g->linear) & (block - 1)))
		for (uint32_t i = 1; i < f->count && fits; i++)
			fits = arcs_add(f->a, f->first, f->first + i, ARC_START);
	f->count = 0;
	return fits;
}

static bool add_node(struct finder *f, const struct span *s, uint32_t node)
{
	uint64_t start = span_address(s, node);
	bool fits = true;

	if (f->count && !bit_has(f->named, node) && start == f->end &&
	    node == f->first + f->count && s->stride == dump_page_size(f->a->g->dump)) {
		f->count++;
		f->end += s->stride;
		return true;
	}
	fits = end_run(f);
	if (!bit_has(f->named, node))
		return fits;
	f->first = node;
	f->count = 1;
	f->start = start;
	f->end = start + s->stride;
	return fits;
}

/* Pages from a node on that follow each other up to an address, unnamed but for the first; 0: not all are. */
static uint32_t unnamed(const struct finder *f, uint32_t node, uint64_t bytes)
{
	const struct graph *g = f->a->g;
	const struct span *s = graph_span_of(g, node);
	const uint64_t start = span_address(s, node), size = dump_page_size(g->dump);
	uint32_t n = 1;

	for (; n * size < bytes; n++) {
		if (node + n >= g->nodes || bit_has(f->named, node + n))
			return 0;
		if (node + n - s->first >= s->count)
			s = graph_span_of(g, node + n);
		if (s->kind != NODE_DIRECT || s->stride != size ||
		    span_address(s, node + n) != start + n * size)
			return 0;
	}
	return n;
}

/* What follows the word that names a page: its offset and length, in either order. */
static bool add_segment(struct finder *f, const struct edge *e)
{
	const struct graph *g = f->a->g;
	const uint32_t size = (uint32_t)dump_page_size(g->dump);
	const struct span *s;
	uint32_t offset, length, n;
	uint8_t bytes[8];

	if (e->to != PLACE_PAGE || e->from >= PLACE_MAX)
		return true;
	s = graph_span_of(g, e->src);
	if (s->kind == NODE_STACK || s->kind == NODE_COPIES || e->from + 16 > s->stride ||
	    !unnamed(f, e->dst, size + 1) ||
	    dump_try(g->dump, span_address(s, e->src) + e->from + 8, bytes, 8) != ST_OK)
		return true;
	offset = le32(bytes + 4);
	length = le32(bytes);
	if (offset >= size) {
		offset = le32(bytes);
		length = le32(bytes + 4);
	}
	if (offset >= size || length > MOST_BYTES)
		return true;
	n = unnamed(f, e->dst, (uint64_t)offset + length);
	for (uint32_t i = 1; i < n; i++) {
		if (!arcs_add(f->a, e->src, e->dst + i, ARC_START))
			return false;
		bit_set(f->named, e->dst + i);
	}
	return true;
}

static bool add_all(struct finder *f)
{
	const struct graph *g = f->a->g;

	mark(f);
	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);

		if (!(f->a->marks[i] & EDGE_CUT) && !add_segment(f, &e))
			return false;
	}
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint32_t k = 0; s->kind == NODE_DIRECT && k < s->count; k++)
			if (!add_node(f, s, s->first + k))
				return false;
	}
	return end_run(f);
}

bool arcs_add_neighbours(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct finder f = { .a = a };
	bool fits;

	f.named = arcs_named(a, &own, arena);
	f.exact = budget_alloc(&own, arena, a->nodes / 8 + 1);
	fits = f.named && f.exact && add_all(&f);
	arena_reset(arena);
	if (!fits)
		g->cut = "arcs";
	return fits;
}
