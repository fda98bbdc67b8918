// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/flow.h"

#include "graph/places.h"
#include "graph/spread.h"

static uint32_t *array(struct graph *g, uint64_t n)
{
	return budget_alloc(&g->budget, g->arena, n * sizeof(uint32_t));
}

/* Sums of what is in front of each. */
static void add_up(uint32_t *at, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i <= n; i++) {
		uint32_t here = at[i];

		at[i] = sum;
		sum += here;
	}
}

/* at[i] is where the arcs of node i begin, and while they are put in, where the next one goes. */
static void sort_arcs(const struct arcs *a, struct flow *f)
{
	for (uint32_t i = 0; i < a->arcs.n; i++) {
		const struct arc *arc = chunks_at(&a->arcs, i);

		f->out_at[arc->src]++;
		f->in_at[arc->dst & ARC_NODE]++;
	}
	add_up(f->out_at, f->n);
	add_up(f->in_at, f->n);
	for (uint32_t i = 0; i < a->arcs.n; i++) {
		const struct arc *arc = chunks_at(&a->arcs, i);

		f->out[f->out_at[arc->src]++] = arc->dst;
		f->in[f->in_at[arc->dst & ARC_NODE]++] = arc_to(arc->src, arc->dst >> 30);
	}
	memmove(f->out_at + 1, f->out_at, f->n * sizeof(*f->out_at));
	memmove(f->in_at + 1, f->in_at, f->n * sizeof(*f->in_at));
	f->out_at[0] = f->in_at[0] = 0;
}

static void find_roots(struct flow *f)
{
	const struct graph *g = f->g;

	memset(f->roots, 0xff, f->n * sizeof(*f->roots));
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint32_t k = s->first; graph_is_root(s) && k < s->first + s->count; k++)
			f->roots[k] = s->kind <= NODE_PERCPU ? s->group : 0;
	}
}

static bool is_tagged(const struct graph *g, uint32_t node)
{
	return g->tags[node] != OWNER_NOBODY && g->tags[node] != OWNER_SHARED;
}

static bool has_tagged(const struct graph *g)
{
	return ANY_OF(i, g->nodes, is_tagged(g, i));
}

/* Where the variables of the module itself keep the object, these are what is told. */
static bool add_tagged(struct flow *f, uint32_t *names)
{
	const struct graph *g = f->g;

	if (!has_tagged(g))
		return true;
	if (!spread_names(f, true, names))
		return false;
	for (uint32_t i = 0; i < g->nodes; i++)
		if (is_tagged(g, i) && names[i] != g->tags[i])
			f->roots[i] = g->tags[i];
	return true;
}

/* Nor is what others lead to as well theirs. */
static bool add_private(struct flow *f, uint32_t *names)
{
	const struct graph *g = f->g;

	if (g->privates.n && !spread_names(f, true, names))
		return false;
	for (const struct hash_u64_entry *e = g->privates.first; e; e = e->next) {
		uint16_t owner = *(const uint16_t *)e->value;

		if (owner != OWNER_SHARED && names[e->key] != owner)
			f->roots[e->key] = owner;
	}
	return true;
}

/* What a module mapped is told by what leads there, else by the module. */
static bool add_mapped(struct flow *f, uint32_t *names)
{
	bool has_owner = false;

	hash_u64_for_each(const struct mapped_area, area, &f->g->mapped)
		has_owner |= area->owner != 0;
	if (!has_owner)
		return true;
	if (!spread_names(f, true, names))
		return false;
	flow_add_mapped(f, names);
	return true;
}

/* From what is reached already, by arcs of this weight and those before. */
static void reach(struct flow *f, enum arc_weight most)
{
	for (uint32_t at = 0; at < f->reached; at++) {
		uint32_t node = f->order[at];

		for (uint32_t k = f->out_at[node]; k < f->out_at[node + 1]; k++) {
			uint32_t dst = f->out[k] & ARC_NODE;

			if (f->roots[dst] != OWNER_NOBODY || f->parent[dst] != UINT32_MAX ||
			    f->out[k] >> 30 > most)
				continue;
			f->parent[dst] = node;
			f->depth[dst] = (uint8_t)(f->depth[node] + 1);
			f->order[f->reached++] = dst;
		}
	}
}

/* A word of a stack is on the way to what no other leads to. */
static void find_order(struct flow *f)
{
	memset(f->parent, 0xff, f->n * sizeof(*f->parent));
	for (uint32_t i = 0; i < f->n; i++)
		if (f->roots[i] != OWNER_NOBODY)
			f->order[f->reached++] = i;
	reach(f, ARC_MIDDLE);
	f->firm = f->reached;
	reach(f, ARC_WEAK);
}

static enum status no_room(struct graph *g)
{
	return graph_is_full(g, "arcs");
}

enum status flow_arcs(const struct arcs *a, struct flow *ret)
{
	struct graph *g = a->g;
	struct flow *f = ret;

	*f = (struct flow){ .g = g, .n = a->nodes };
	f->out_at = array(g, f->n + 2ULL);
	f->in_at = array(g, f->n + 2ULL);
	f->out = array(g, a->arcs.n);
	f->in = array(g, a->arcs.n);
	if (!f->out_at || !f->in_at || !f->out || !f->in)
		return no_room(g);
	sort_arcs(a, f);
	return ST_OK;
}

enum status flow_order(struct flow *f)
{
	struct graph *g = (struct graph *)f->g;
	struct places *places;

	f->order = array(g, f->n);
	f->parent = array(g, f->n);
	f->depth = budget_alloc(&g->budget, g->arena, f->n);
	f->roots = budget_alloc(&g->budget, g->arena, f->n * sizeof(*f->roots));
	if (!f->order || !f->parent || !f->depth || !f->roots)
		return no_room(g);
	find_roots(f);
	/* The array is of what comes next. */
	if (!add_tagged(f, f->parent) || !add_private(f, f->parent) || !add_mapped(f, f->parent))
		return no_room(g);
	find_order(f);
	places = arena_alloc(g->arena, sizeof(*places));
	if (!places_open(f, &g->budget, places))
		return no_room(g);
	f->places = places;
	return ST_OK;
}
