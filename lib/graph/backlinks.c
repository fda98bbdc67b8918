// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Back pointers are no arcs: where two nodes name each other, the one that many of its kind share is
 * what they go back to.
 *
 * The shape of an edge is the group and place of its word and of what it leads to.  Of those of one shape that own, each leads
 * elsewhere; those that go back, to a parent, a superblock, an array, lead to few targets.
 */
#include <stdlib.h>

#include "graph/arcs.h"
#include "util/hash_u64.h"

/* For both sorts: two numbers of 32 bits. */
struct item {
	uint64_t key;
	uint32_t edge;
};

struct finder {
	struct arcs *a;
	struct item *items, *spare; /* spare: NULL, the budget has no room for both */
	uint8_t *spread;	    /* by edge: distinct targets of its shape for 255 edges of it */
	struct hash_u64 shapes;	    /* of uint32_t */
	uint32_t n;
};

#define DIGIT 11u /* bits that one pass sorts by */
#define DIGITS (1u << DIGIT)

static uint32_t digit(const struct item *t, unsigned int shift)
{
	return (uint32_t)(t->key >> shift) % DIGITS;
}

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* By key.  A digit that all have alike takes no pass. */
static void sort(struct finder *f)
{
	if (!f->spare) {
		qsort(f->items, f->n, sizeof(*f->items), by_key);
		return;
	}
	for (unsigned int shift = 0; shift < 64; shift += DIGIT) {
		struct item *from = f->items;
		uint32_t at[DIGITS] = { 0 }, sum = 0;

		for (uint32_t i = 0; i < f->n; i++)
			at[digit(&from[i], shift)]++;
		if (!f->n || at[digit(from, shift)] == f->n)
			continue;
		for (uint32_t i = 0; i < DIGITS; i++) {
			uint32_t here = at[i];

			at[i] = sum;
			sum += here;
		}
		for (uint32_t i = 0; i < f->n; i++)
			f->spare[at[digit(&from[i], shift)]++] = from[i];
		f->items = f->spare;
		f->spare = from;
	}
}

static bool is_asked(const struct arcs *a, uint32_t i)
{
	const struct edge *e = graph_edge(a->g, i);

	return !(a->marks[i] & EDGE_CUT) && !edge_is_of_page(e);
}

/* The edges between nodes that are no roots. */
static void fill(struct finder *f)
{
	const struct graph *g = f->a->g;
	const struct span *src = NULL, *dst;
	uint32_t *shape;
	bool is_new;

	f->n = 0;
	for (uint32_t i = 0; i < g->edges.n; i++) {
		const struct edge *e = graph_edge(g, i);

		if (!is_asked(f->a, i))
			continue;
		if (!src || e->src - src->first >= src->count)
			src = graph_span_of(g, e->src);
		if (graph_is_root(src))
			continue;
		dst = graph_span_of(g, e->dst);
		if (graph_is_root(dst))
			continue;
		shape = hash_u64_get(&f->shapes, edge_shape(src, dst, e), &is_new);
		if (is_new)
			*shape = (uint32_t)f->shapes.n;
		f->items[f->n++] = (struct item){ (uint64_t)*shape << 32 | e->dst, i };
	}
}

static void measure(struct finder *f)
{
	for (uint32_t i = 0, end; i < f->n; i = end) {
		uint32_t targets = 0;

		for (end = i; end < f->n && f->items[end].key >> 32 == f->items[i].key >> 32; end++)
			targets += end == i || f->items[end].key != f->items[end - 1].key;
		for (uint32_t k = i; k < end; k++)
			f->spread[f->items[k].edge] =
				(uint8_t)((uint64_t)targets * 255 / (end - i));
	}
}

static bool is_down(const struct finder *f, const struct item *t)
{
	const struct edge *e = graph_edge(f->a->g, t->edge);

	return e->src > e->dst;
}

/* Both directions between two nodes beside each other. */
static void pair(struct finder *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct item *t = &f->items[i];
		const struct edge *e = graph_edge(f->a->g, t->edge);
		bool down = is_down(f, t);

		t->key = (uint64_t)(down ? e->dst : e->src) << 32 | (down ? e->src : e->dst);
	}
}

static void cut(struct finder *f)
{
	for (uint32_t i = 0, end; i < f->n; i = end) {
		unsigned int most[2] = { 0 };
		bool has[2] = { false };

		for (end = i; end < f->n && f->items[end].key == f->items[i].key; end++) {
			unsigned int spread = f->spread[f->items[end].edge];
			bool down = is_down(f, &f->items[end]);

			most[down] = spread > most[down] ? spread : most[down];
			has[down] = true;
		}
		if (!has[0] || !has[1])
			continue;
		for (uint32_t k = i; k < end; k++) {
			bool down = is_down(f, &f->items[k]);

			if (2 * most[down] >= most[!down])
				continue;
			f->a->marks[f->items[k].edge] |= EDGE_CUT;
			f->a->backs++;
		}
	}
}

bool arcs_cut_backlinks(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct finder f = { .a = a };

	f.items = budget_alloc(&own, arena, g->edges.n * sizeof(*f.items));
	f.spread = budget_alloc(&own, arena, g->edges.n);
	/* Not of the file, where it would be slow as well. */
	own.spill = NULL;
	f.spare = budget_alloc(&own, arena, g->edges.n * sizeof(*f.spare));
	hash_u64_init(&f.shapes, arena, sizeof(uint32_t));
	if (f.items && f.spread) {
		fill(&f);
		sort(&f);
		measure(&f);
		pair(&f);
		sort(&f);
		cut(&f);
	} else {
		g->cut = "back pointers";
	}
	arena_reset(arena);
	return !g->cut;
}
