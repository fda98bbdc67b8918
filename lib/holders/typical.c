// SPDX-License-Identifier: GPL-2.0-or-later
/* Of the nodes of a row the one whose way is told: a way by which most of them are reached, be there others. */
#include "holders/steps.h"
#include "holders/types.h"

#define WAY_KINDS 12u	       /* of steps, which are compared */
#define MOST_STEPS 100u	       /* up to a root */
#define MOST_PLACES 256u       /* that are looked at on the way back */
#define MOST_ARCS 4096u	       /* to these */
#define BY_PARENT (1ULL << 32) /* in a likeness: of no type */

/* What is alike of the nodes of a row: their type, or what leads to them. */
static uint64_t likeness(const struct holders *h, uint32_t node)
{
	const struct node_types *x = h->types;
	uint32_t from = h->flow.parent[node];

	if (x && node_types_knows(x, node))
		return x->nodes[node].type;
	return BY_PARENT | (from < h->graph.nodes ? span_group(graph_span_of(&h->graph, from)) : 0);
}

/* What is nearest by another way is of no other kind where no type says so. */
static bool is_like(const struct holders *h, uint32_t node, uint64_t kind)
{
	const uint64_t other = likeness(h, node);

	return other == kind || (other & kind & BY_PARENT);
}

/* Kinds of the steps from a node back to its root, what repeats once. */
struct kinds {
	uint32_t of[WAY_KINDS], n;
};

static uint32_t kind_of(const struct flow *f, uint32_t node)
{
	return span_group(graph_span_of(f->g, node));
}

/* False: it has too many. */
static bool find_kinds(const struct flow *f, uint32_t node, struct kinds *ret)
{
	struct kinds *k = ret;

	*k = (struct kinds){ 0 };
	for (uint32_t i = 0; i < MOST_STEPS; i++, node = f->parent[node]) {
		bool is_new = node < f->g->nodes && (!k->n || k->of[k->n - 1] != kind_of(f, node));

		if (is_new && k->n == WAY_KINDS)
			return false;
		if (is_new)
			k->of[k->n++] = kind_of(f, node);
		if (f->parent[node] == UINT32_MAX)
			return true;
	}
	return false;
}

struct place {
	uint32_t node, at; /* in the kinds */
};

struct search {
	const struct flow *f;
	const struct kinds *kinds;
	struct place places[MOST_PLACES];
	uint32_t n;
};

static void add(struct search *s, uint32_t node, uint32_t at)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->places[i].node == node && s->places[i].at == at)
			return;
	if (s->n < MOST_PLACES)
		s->places[s->n++] = (struct place){ node, at };
}

/* From a place back to a node; whether that is the root. */
static bool step(struct search *s, uint32_t src, uint32_t at)
{
	const struct kinds *k = s->kinds;
	bool is_root;
	uint32_t kind;

	if (src >= s->f->g->nodes) {
		add(s, src, at);
		return false;
	}
	kind = kind_of(s->f, src);
	if (kind != k->of[at] && (++at == k->n || kind != k->of[at]))
		return false;
	is_root = s->f->roots[src] != OWNER_NOBODY;
	if (!is_root)
		add(s, src, at);
	return is_root && at == k->n - 1;
}

/* Whether a way of these kinds leads to a node, be it the shortest or not. */
static bool has_way(const struct flow *f, uint32_t node, const struct kinds *k)
{
	struct search s = { .f = f, .kinds = k };
	uint32_t arcs = 0;

	add(&s, node, 0);
	for (uint32_t i = 0; i < s.n; i++) {
		const struct place p = s.places[i];

		for (uint32_t e = f->in_at[p.node]; e < f->in_at[p.node + 1]; e++) {
			if (arcs++ == MOST_ARCS)
				return false;
			if (f->in[e] >> 30 <= ARC_MIDDLE && step(&s, f->in[e] & ARC_NODE, p.at))
				return true;
		}
	}
	return false;
}

static uint32_t common(const struct flow *f, const uint32_t *nodes, uint32_t n)
{
	uint32_t ret = nodes[0], most = 0;

	for (uint32_t i = 0; i < n && most < n; i++) {
		struct kinds k;
		uint32_t ways = 0;

		if (!find_kinds(f, nodes[i], &k))
			continue;
		for (uint32_t j = 0; j < n; j++)
			ways += i == j || has_way(f, nodes[j], &k);
		if (ways > most) {
			most = ways;
			ret = nodes[i];
		}
	}
	return ret;
}

uint32_t holder_typical(const struct holders *h, const struct holder *row, const uint32_t *but,
			uint32_t *n)
{
	const struct holder_part *part = row->largest;
	uint32_t all = !part ? 0 : part->objects < HOLDER_NODES ? part->objects : HOLDER_NODES;
	uint32_t nodes[HOLDER_NODES], like;
	uint64_t of = 0;

	*n = 0;
	for (uint32_t i = 0; i < all; i++) {
		const uint64_t kind = likeness(h, part->nodes[i]);

		like = 0;
		for (uint32_t k = 0; k < all; k++)
			like += kind == likeness(h, part->nodes[k]);
		if (like > *n && (!but || kind != likeness(h, *but))) {
			*n = like;
			of = kind;
		}
	}
	like = 0;
	for (uint32_t i = 0; *n && i < all; i++)
		if (is_like(h, part->nodes[i], of) &&
		    (!but || likeness(h, part->nodes[i]) != likeness(h, *but)))
			nodes[like++] = part->nodes[i];
	return like ? common(&h->flow, nodes, like) : row->part;
}
