/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who keeps whom: the edges that own what they lead to, with a node of its own for each list.
 *
 * An edge is a word; an arc is a statement that the one keeps the other.  Links of a list, back pointers
 * and words of allocators are no arcs.  Nothing here reads the dump but for names.
 */
#pragma once

#include "graph/graph.h"

enum arc_weight {
	ARC_START,  /* names the beginning of a node */
	ARC_MIDDLE, /* a byte inside of it */
	ARC_WEAK,   /* a word of a stack, a mapping of vmap(), or a guess */
	ARC_HUB,    /* of a list in which everybody registers, or a leftover: for the walk alone */
	ARC_WEIGHTS
};

struct arc {
	uint32_t src;
	uint32_t dst; /* and its weight in the two highest bits */
};

#define ARC_NODE 0x3fffffffu

static inline uint32_t arc_to(uint32_t dst, enum arc_weight w)
{
	return dst | (uint32_t)w << 30;
}

/* What was found of an edge. */
#define EDGE_NEXT 1 /* of a list: leads to the next entry */
#define EDGE_PREV 2 /* leads to the one before */
#define EDGE_CUT 4  /* is no arc */
#define EDGE_RARE 8 /* few entries of its list have it: for the walk alone */

/* A list: the node g->nodes + its number. */
struct list {
	uint32_t entries, heads;
	uint32_t head; /* a node, the first of them */
	uint32_t place;
	uint32_t entry; /* place of the links in its entries */
	bool is_hub;
};

struct arcs {
	struct graph *g;
	struct chunks arcs, lists; /* the first in an arena of its own, up to arcs_done() */
	uint32_t nodes;		   /* of the graph and lists */
	uint8_t *marks;		   /* by edge */
	uint64_t links, chains, backs, rare; /* edges: links, of pairs, back pointers */
	/* Whether everybody registers at a variable. */
	bool (*is_hub)(void *arg, const struct span *s);
	void *arg;
};

/* is_hub: NULL, no variable is.  ST_NOMEM, ST_STOPPED. */
enum status graph_arcs(struct graph *g, bool (*is_hub)(void *arg, const struct span *s), void *arg,
		       struct arcs *ret);

/* False: cut (arc.c). */
bool arcs_add(struct arcs *a, uint32_t src, uint32_t dst, enum arc_weight w);

/* The flow has them: a->arcs is given back, lists and marks stay (arcs.c). */
void arcs_done(struct arcs *a);

/* A bit for each node, with lists, to which an arc leads; NULL: the budget has no room (arc.c). */
uint8_t *arcs_named(const struct arcs *a, struct budget *own, struct arena *arena);

/* Parts of it; false: cut, or stopped. */
bool arcs_find_lists(struct arcs *a);	  /* lists.c */
void arcs_cut_parents(struct arcs *a);	  /* trees.c */
void arcs_mark_rare(struct arcs *a);	  /* rare.c */
bool arcs_add_dma(struct arcs *a);	  /* dma.c */
bool arcs_add_pfns(struct arcs *a);	  /* pfns.c */
bool arcs_add_neighbours(struct arcs *a); /* neighbours.c */

/* By the shapes of edges that are not cut after the first of these. */
struct shapes;
bool arcs_find_chains(struct arcs *a, const struct shapes *shapes);   /* chains.c */
bool arcs_cut_backlinks(struct arcs *a, const struct shapes *shapes); /* backlinks.c */

/* What nodes of one kind have in common: the cache of objects. */
static inline uint32_t span_group(const struct span *s)
{
	return (uint32_t)s->kind << 16 | s->group;
}

/* A place that is the same in all of a group: in pages and areas any place may be an entry's. */
static inline uint32_t span_place(const struct span *s, uint32_t place)
{
	return s->kind == NODE_OBJECT ? place : place & PLACE_PAGE;
}

/* Edges of one shape lead from the same place in the objects of a group to the same in those of a group. */
static inline uint64_t edge_shape(const struct span *src, const struct span *dst,
				  const struct edge *e)
{
	const uint32_t parts[4] = { span_group(src), span_place(src, e->from), span_group(dst),
				    span_place(dst, e->to) };
	uint64_t h = 0;

	for (unsigned int i = 0; i < 4; i++) {
		h = (h ^ parts[i]) * 0x9e3779b97f4a7c15ULL;
		h ^= h >> 29;
	}
	return h;
}

/* Whether it is of a list that runs through struct page. */
static inline bool edge_is_of_page(const struct edge *e)
{
	return e->from & PLACE_PAGE || (e->to & PLACE_PAGE && e->to != PLACE_PAGE);
}
