// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words that few entries of a long list have: its entries are of one type, so a pointer is at the same place of
 * most of them, and what a few have elsewhere was left there by what had the memory before.
 */
#include "graph/arcs.h"
#include "util/hash_u64.h"

#define LIST_LEAST 64 /* entries: of fewer a member that is rarely set is as few */
#define FEW 32	      /* of FEW entries less than one has it */

/* The same place of the entries of a list, wherever its words lead: one member may have memory of many kinds. */
static uint64_t key_of(const struct arcs *a, uint32_t list, const struct span *src,
		       const struct edge *e)
{
	return (uint64_t)(list - a->g->nodes) << 32 | span_place(src, e->from);
}

static const struct list *list_of(const struct arcs *a, const struct arc *arc)
{
	const struct list *list;

	if (arc->src < a->g->nodes)
		return NULL;
	list = chunks_at(&a->lists, arc->src - a->g->nodes);
	return list->entries >= LIST_LEAST ? list : NULL;
}

/* Counts the words of the entry of an arc, or marks those that few have. */
static void visit_entry(struct arcs *a, const struct arc *arc, const struct list *list,
			struct hash_u64 *counts, bool marks)
{
	const struct graph *g = a->g;
	uint32_t node = arc->dst & ARC_NODE;
	const struct span *src = graph_span_of(g, node);

	for (uint32_t i = g->first[node]; src->kind == NODE_OBJECT && i < g->first[node + 1]; i++) {
		uint32_t *n;
		bool is_new;

		if (a->marks[i] & EDGE_CUT)
			continue;
		n = hash_u64_get(counts, key_of(a, arc->src, src, graph_edge(g, i)), &is_new);
		if (!marks)
			++*n;
		else if ((uint64_t)*n * FEW < list->entries)
			a->marks[i] |= EDGE_RARE;
		a->rare += marks && a->marks[i] & EDGE_RARE;
	}
}

void arcs_mark_rare(struct arcs *a)
{
	struct arena *arena = arena_within(a->g->arena);
	struct hash_u64 counts;

	hash_u64_init(&counts, arena, sizeof(uint32_t));
	for (unsigned int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < a->arcs.n; i++) {
			const struct arc *arc = chunks_at(&a->arcs, i);
			const struct list *list = list_of(a, arc);

			if (list)
				visit_entry(a, arc, list, &counts, pass);
		}
	arena_reset(arena);
}
