// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages that no word names, behind one that is named by its address: alloc_pages_exact() makes single
 * pages of one block, and its user keeps the address of the first.  So the first is aligned to the block
 * that they were; of short runs one in two or four is so by chance, and they are left out.
 */
#include "graph/arcs.h"
#include "util/bits.h"

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

	for (uint32_t i = 0; i < g->edges.n; i++)
		if (!graph_edge(g, i)->to)
			bit_set(f->exact, graph_edge(g, i)->dst);
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

static bool add_all(struct finder *f)
{
	const struct graph *g = f->a->g;

	mark(f);
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
