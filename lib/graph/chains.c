// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Long chains through one member of the objects of a cache are lists as well, with the first object as
 * their head: else one stale word into the middle is one for all that follow.
 */
#include <stdlib.h>

#include "graph/arcs.h"

#define CHAIN_LEAST 16

struct link {
	uint64_t shape;
	uint32_t dst, edge;
};

struct finder {
	struct arcs *a;
	struct link *links;
	uint32_t n;
};

static int by_target(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	return COMPARE(x->shape, y->shape) ?: COMPARE(x->dst, y->dst);
}

/* Edges from a cache to itself. */
static void fill(struct finder *f)
{
	const struct graph *g = f->a->g;
	const struct span *src = NULL, *dst;

	for (uint32_t i = 0; i < g->edges.n; i++) {
		const struct edge *e = graph_edge(g, i);

		if (f->a->marks[i] & EDGE_CUT)
			continue;
		if (!src || e->src - src->first >= src->count)
			src = graph_span_of(g, e->src);
		if (src->kind != NODE_OBJECT)
			continue;
		dst = graph_span_of(g, e->dst);
		if (dst->kind == NODE_OBJECT && dst->group == src->group)
			f->links[f->n++] = (struct link){ edge_shape(src, dst, e), e->dst, i };
	}
}

/* The link of a run that leads to a node; UINT32_MAX: none. */
static uint32_t to_node(const struct link *run, uint32_t n, uint32_t node)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (run[mid].dst < node)
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && run[low].dst == node ? low : UINT32_MAX;
}

/*
 * From a first object, to which no link of the run leads, to the end.  next: by link, the one behind it,
 * UINT32_MAX: none; taken out on the way, so each is met once.
 */
static bool add_chain(struct finder *f, const struct link *run, uint32_t at, uint32_t *next,
		      uint32_t length)
{
	struct arcs *a = f->a;
	const struct graph *g = a->g;
	uint32_t first = graph_edge(g, run[at].edge)->src, node = g->nodes + a->lists.n;
	struct list *list = chunks_add(&a->lists);

	if (!list || !arcs_add(a, first, node, ARC_START))
		return false;
	*list = (struct list){ .entries = length, .heads = 1, .head = first };
	list->place = graph_edge(g, run[at].edge)->from;
	for (uint32_t n = 0; n < length && at != UINT32_MAX; n++, at = next[at]) {
		a->marks[run[at].edge] |= EDGE_CUT;
		if (!arcs_add(a, node, run[at].dst, ARC_START))
			return false;
	}
	return true;
}

/* Links of one shape, in the order of their targets. */
static bool add_run(struct finder *f, const struct link *run, uint32_t n, uint32_t *next)
{
	const struct graph *g = f->a->g;
	uint8_t *led = (uint8_t *)(next + n); /* whether a link leads to its source */

	for (uint32_t i = 0; i < n; i++) {
		next[i] = UINT32_MAX;
		led[i] = false;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t before = to_node(run, n, graph_edge(g, run[i].edge)->src);

		led[i] = before != UINT32_MAX;
		if (led[i])
			next[before] = i;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t length = 0;

		for (uint32_t at = i; !led[i] && at != UINT32_MAX && length < n; at = next[at])
			length++;
		if (length >= CHAIN_LEAST && !add_chain(f, run, i, next, length))
			return false;
	}
	return true;
}

static bool add_runs(struct finder *f, uint32_t *next)
{
	for (uint32_t i = 0, end; i < f->n; i = end) {
		uint32_t targets = 0;

		for (end = i; end < f->n && f->links[end].shape == f->links[i].shape; end++)
			targets += end == i || f->links[end].dst != f->links[end - 1].dst;
		/* What many name is no next one. */
		if (targets < CHAIN_LEAST || (uint64_t)targets * 100 <= (uint64_t)(end - i) * 95)
			continue;
		if (!add_run(f, f->links + i, end - i, next))
			return false;
	}
	return true;
}

bool arcs_find_chains(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct finder f = { .a = a };
	uint32_t *next;
	bool fits = false;

	f.links = budget_alloc(&own, arena, g->edges.n * sizeof(*f.links));
	next = budget_alloc(&own, arena, g->edges.n * (sizeof(*next) + 1ULL));
	if (f.links && next) {
		fill(&f);
		qsort(f.links, f.n, sizeof(*f.links), by_target);
		fits = add_runs(&f, next);
	}
	arena_reset(arena);
	if (!fits)
		g->cut = "lists";
	return fits;
}
