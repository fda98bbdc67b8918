// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In which part an object is kept: in a list, by its head and its links; by a pointer into it, at the same byte; by a
 * pointer of a variable or of what is of one type or cache.  Objects of one cache and one part are of one structure.
 */
#include "holders/types.h"

enum rank { RANK_SELF, RANK_START, RANK_MIDDLE, RANK_LIST };

static uint32_t hash4(uint64_t a, uint64_t b, uint64_t c, enum rank rank)
{
	uint64_t h = a * 0x9e3779b97f4a7c15ULL;

	h = (h ^ h >> 29 ^ b) * 0x9e3779b97f4a7c15ULL;
	h = (h ^ h >> 29 ^ c) * 0x9e3779b97f4a7c15ULL;
	return (uint32_t)rank << 30 | (uint32_t)(h >> 34);
}

static void keep(uint32_t *role, uint32_t other)
{
	/* Of several of one rank any, the same each time. */
	if (other > *role)
		*role = other;
}

/* What a pointer is of: a variable, a type, a cache or pages. */
static uint64_t source(const struct node_types *x, const struct span *s, uint32_t node)
{
	if (graph_is_root(s))
		return 1ULL << 32 | node;
	if (node_types_knows(x, node))
		return 2ULL << 32 | x->nodes[node].type;
	return 3ULL << 32 | span_group(s);
}

/* Where there are many words, as in an array, all places are one. */
static uint32_t place_of(const struct node_types *x, const struct span *s, const struct edge *e)
{
	const struct graph_type *t = node_types_knows(x, e->src)
					     ? &x->types[x->nodes[e->src].type - 1]
					     : NULL;

	if (!t || t->is_array || s->kind != NODE_OBJECT || x->nodes[e->src].type == x->xarray_node)
		return 0;
	return e->from;
}

/* The variable that alone keeps a node; 0: another root, or several. */
static uint64_t variable(const struct node_types *x, uint32_t node)
{
	uint32_t root = x->h->retained.roots[node];

	return root < x->g->nodes && graph_span_of(x->g, root)->kind <= NODE_PERCPU ? root : 0;
}

static void add_edges(const struct node_types *x, uint32_t *roles)
{
	const struct graph *g = x->g;
	const struct span *src = NULL;

	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);
		uint32_t to = e.to & ~7u;

		if ((e.from | e.to) & PLACE_PAGE ||
		    x->h->arcs.marks[i] & (EDGE_NEXT | EDGE_PREV | EDGE_CUT) ||
		    roles[e.dst] == ROLE_OF_NOBODY)
			continue;
		if (!src || e.src - src->first >= src->count)
			src = graph_span_of(g, e.src);
		if (e.src == e.dst)
			/* As an empty list: of those of one kind, and of others. */
			keep(&roles[e.dst], hash4(e.from, to, 0, RANK_SELF));
		else if (to)
			keep(&roles[e.dst], hash4(to, 0, 0, RANK_MIDDLE));
		else
			keep(&roles[e.dst], hash4(source(x, src, e.src), place_of(x, src, &e),
						  variable(x, e.dst), RANK_START));
	}
}

#define TABLE_LISTS 8u /* heads in one node: they are a table, as of hashes */

static void count_heads(const struct node_types *x, struct hash_u64 *heads)
{
	const struct chunks *lists = &x->h->arcs.lists;

	for (uint32_t i = 0; i < lists->n; i++) {
		const struct list *l = chunks_at(lists, i);

		if (l->heads)
			++*(uint32_t *)hash_u64_get(heads, l->head, NULL);
	}
}

static void add_lists(const struct node_types *x, uint32_t *roles, struct arena *arena)
{
	const struct graph *g = x->g;
	const struct flow *f = &x->h->flow;
	const struct chunks *lists = &x->h->arcs.lists;
	struct hash_u64 heads;

	hash_u64_init(&heads, arena, sizeof(uint32_t));
	count_heads(x, &heads);
	for (uint32_t i = 0; i < lists->n; i++) {
		const struct list *l = chunks_at(lists, i);
		const uint32_t *n = hash_u64_find(&heads, l->head);
		uint32_t place = n && *n < TABLE_LISTS ? l->place : 0;
		bool has_head = l->heads && l->head < g->nodes && !(l->place & PLACE_PAGE);
		uint64_t head = has_head ? source(x, graph_span_of(g, l->head), l->head) : 0;
		uint32_t role = hash4(head, has_head ? place : 0, l->entry, RANK_LIST);
		uint32_t list = g->nodes + i;

		for (uint32_t k = f->out_at[list]; k < f->out_at[list + 1]; k++) {
			uint32_t node = f->out[k] & ARC_NODE;

			if (node < g->nodes && roles[node] != ROLE_OF_NOBODY)
				keep(&roles[node], role);
		}
	}
}

void node_types_roles(const struct node_types *x, uint32_t *roles, struct arena *arena)
{
	add_edges(x, roles);
	add_lists(x, roles, arena);
}
