// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Long chains through one member of the objects of a cache are lists as well, with the first object as
 * their head: else one stale word into the middle is one for all that follow.
 */
#include <stdlib.h>

#include "graph/shapes.h"

#define CHAIN_LEAST 16
#define NONE UINT32_MAX

/* The links of one shape, in the order of their words. */
struct run {
	uint64_t hash;
	uint32_t *links; /* edges; NULL: it is none of links */
	uint32_t n;
};

struct finder {
	struct arcs *a;
	struct run *runs;
	uint32_t *links;  /* of all runs */
	uint32_t *to;	  /* by node: the first link of the run that leads there; NONE */
	uint32_t *next;	  /* by link of the run: the one behind it; NONE */
	uint8_t *led;	  /* whether one leads to its source */
	uint64_t *firsts; /* of chains that are long enough: the first link, and its end */
	uint32_t nfirsts;
};

static struct edge link_at(const struct finder *f, const struct run *r, uint32_t i)
{
	return graph_edge(f->a->g, r->links[i]);
}

static uint32_t target_of(const struct finder *f, const struct run *r, uint32_t i)
{
	return graph_edge_dst(f->a->g, r->links[i]);
}

/* From a first object, to which no link leads, to the end. An object has one word of a shape, so each link is met once. */
static bool add_chain(struct finder *f, const struct run *r, uint32_t at)
{
	struct arcs *a = f->a;
	const struct edge first = link_at(f, r, at);
	uint32_t node = a->g->nodes + a->lists.n;
	struct list *list = chunks_add(&a->lists);

	if (!list || !arcs_add(a, first.src, node, ARC_START))
		return false;
	*list = (struct list){ .heads = 1, .head = first.src, .place = first.from };
	for (; at != NONE && list->entries < r->n; at = f->next[at]) {
		list->entries++;
		a->marks[r->links[at]] |= EDGE_CUT;
		if (!arcs_add(a, node, target_of(f, r, at), ARC_START))
			return false;
	}
	return true;
}

/* To how many nodes the links lead. */
static uint32_t find_targets(struct finder *f, const struct run *r)
{
	uint32_t targets = 0;

	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t *to = &f->to[target_of(f, r, i)];

		targets += *to == NONE;
		*to = *to == NONE ? i : *to;
	}
	return targets;
}

static void forget_targets(struct finder *f, const struct run *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		f->to[target_of(f, r, i)] = NONE;
}

static void find_next(struct finder *f, const struct run *r)
{
	memset(f->next, 0xff, r->n * sizeof(*f->next));
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t before = f->to[link_at(f, r, i).src];

		f->led[i] = before != NONE;
		if (f->led[i])
			f->next[before] = i;
	}
}

static void find_firsts(struct finder *f, const struct run *r)
{
	f->nfirsts = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t length = 0;

		for (uint32_t at = i; !f->led[i] && at != NONE && length < CHAIN_LEAST;
		     at = f->next[at])
			length++;
		if (length == CHAIN_LEAST)
			f->firsts[f->nfirsts++] = (uint64_t)target_of(f, r, i) << 32 | i;
	}
}

ORDER_BY(by_target, uint64_t, COMPARE(*x, *y))

static bool add_run(struct finder *f, const struct run *r)
{
	uint64_t targets = find_targets(f, r);
	bool fits = true;

	f->nfirsts = 0;
	/* What many name is no next one. */
	if (targets >= CHAIN_LEAST && targets * 100 > (uint64_t)r->n * 95) {
		find_next(f, r);
		find_firsts(f, r);
	}
	forget_targets(f, r);
	if (f->nfirsts)
		qsort(f->firsts, f->nfirsts, sizeof(*f->firsts), by_target);
	for (uint32_t i = 0; i < f->nfirsts && fits; i++)
		fits = add_chain(f, r, (uint32_t)f->firsts[i]);
	return fits;
}

ORDER_BY(by_hash, struct run, COMPARE(x->hash, y->hash))

/* Edges from a cache to itself, where there are enough of a shape.  Returns the most of one. */
static uint32_t fill(struct finder *f, const struct shapes *shapes)
{
	uint32_t sum = 0, most = 0;

	hash_u64_for_each(struct shape, s, &shapes->all) {
		struct run *r = &f->runs[s->number];

		r->hash = hash_u64_entry_of(s)->key;
		if (!s->is_within || s->edges < CHAIN_LEAST)
			continue;
		r->links = f->links + sum;
		sum += s->edges;
		most = s->edges > most ? s->edges : most;
	}
	for (uint32_t i = 0; i < f->a->g->edges.n; i++) {
		struct run *r = shapes->by_edge[i] ? &f->runs[shapes->by_edge[i] - 1] : NULL;

		if (r && r->links)
			r->links[r->n++] = i;
	}
	return most;
}

static uint32_t count_links(const struct shapes *shapes)
{
	uint32_t n = 0;

	hash_u64_for_each(struct shape, s, &shapes->all)
		n += s->is_within ? s->edges : 0;
	return n;
}

static bool find(struct finder *f, const struct shapes *shapes, struct budget *own,
		 struct arena *arena)
{
	const uint32_t nodes = f->a->g->nodes, n = (uint32_t)shapes->all.n;
	uint32_t most;
	bool fits = true;

	f->runs = budget_alloc(own, arena, n * sizeof(*f->runs));
	f->links = budget_alloc(own, arena, count_links(shapes) * sizeof(*f->links));
	f->to = budget_alloc(own, arena, nodes * sizeof(*f->to));
	if (!f->runs || !f->links || !f->to)
		return false;
	most = fill(f, shapes);
	f->next = budget_alloc(own, arena, most * sizeof(*f->next));
	f->led = budget_alloc(own, arena, most);
	f->firsts = budget_alloc(own, arena, (most / CHAIN_LEAST + 1ULL) * sizeof(*f->firsts));
	if (!f->next || !f->led || !f->firsts)
		return false;
	memset(f->to, 0xff, nodes * sizeof(*f->to));
	qsort(f->runs, n, sizeof(*f->runs), by_hash);
	for (uint32_t i = 0; i < n && fits; i++)
		fits = !f->runs[i].n || add_run(f, &f->runs[i]);
	return fits;
}

bool arcs_find_chains(struct arcs *a, const struct shapes *shapes)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct finder f = { .a = a };
	bool fits = find(&f, shapes, &own, arena);

	arena_reset(arena);
	if (!fits)
		g->cut = "lists";
	return fits;
}
