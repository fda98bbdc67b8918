// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words that few entries of a long list have: its entries are of one type, so a pointer is at the same place of
 * most of them, and what a few have elsewhere was left there by what had the memory before.  Lists of devices and their
 * like have entries of many types, which have the linked structure in common: what one of a module has is its own.
 */
#include "graph/arcs.h"

#define LIST_LEAST 64 /* entries: of fewer a member that is rarely set is as few */
#define FEW 32	      /* of FEW entries less than one has it, or is of another cache */

/*
 * How many entries of a list have a word at a place, wherever it leads: one member may have memory of many kinds.
 * What is of another list counts as 0.
 */
struct count {
	uint32_t list, n;
};

struct finder {
	struct arcs *a;
	struct count *counts; /* by place, in words */
	uint32_t places;
	uint32_t group, votes,
		others; /* of the list: the cache that most entries are of, those of others */
	const struct span *span; /* of the entry that was looked at last; NULL: none was */
};

/* Entries of one slab follow each other. */
static const struct span *span_of(struct finder *f, uint32_t node)
{
	if (!f->span || node - f->span->first >= f->span->count)
		f->span = graph_span_of(f->a->g, node);
	return f->span;
}

static const struct list *list_of(const struct arcs *a, const struct arc *arc)
{
	const struct list *list;

	if (arc->src < a->g->nodes)
		return NULL;
	list = chunks_at(&a->lists, arc->src - a->g->nodes);
	return list->entries >= LIST_LEAST ? list : NULL;
}

enum pass { VOTE, COUNT_CACHES, COUNT_WORDS, MARK, PASSES };

static void visit_cache(struct finder *f, uint32_t group, enum pass pass)
{
	if (pass == COUNT_CACHES) {
		f->others += group != f->group;
	} else if (!f->votes || group == f->group) {
		f->group = group;
		f->votes++;
	} else {
		f->votes--;
	}
}

static bool has_own_words(const struct finder *f, const struct list *list, uint32_t node)
{
	return (uint64_t)f->others * FEW >= list->entries &&
	       graph_module(f->a->g, f->a->g->tags[node]);
}

/* Counts the words of the entry of an arc, or marks those that few have. */
static void visit_entry(struct finder *f, const struct arc *arc, const struct list *list,
			enum pass pass)
{
	struct arcs *a = f->a;
	const struct graph *g = a->g;
	uint32_t node = arc->dst & ARC_NODE;
	const bool marks = pass == MARK;

	if (pass < COUNT_WORDS) {
		visit_cache(f, span_group(span_of(f, node)), pass);
		return;
	}
	if (marks && has_own_words(f, list, node))
		return;
	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		uint32_t place = graph_word_place(g, i) / 8;
		struct count *c;

		if (a->marks[i] & EDGE_CUT || place >= f->places)
			continue;
		c = &f->counts[place];
		if (c->list != arc->src)
			*c = (struct count){ .list = arc->src };
		if (!marks)
			c->n++;
		else if ((uint64_t)c->n * FEW < list->entries)
			a->marks[i] |= EDGE_RARE;
		a->rare += marks && a->marks[i] & EDGE_RARE;
	}
}

/* Arcs from a list, and those of its heads to it, follow each other; returns where the next begins. */
static uint32_t visit_list(struct finder *f, uint32_t first)
{
	const struct arc *arc = chunks_at(&f->a->arcs, first);
	const struct list *list = list_of(f->a, arc);
	uint32_t src = arc->src, i = first;

	f->votes = f->others = 0;
	for (unsigned int pass = list ? VOTE : MARK; pass < PASSES; pass++)
		for (i = first; i < f->a->arcs.n; i++) {
			arc = chunks_at(&f->a->arcs, i);
			if (arc->src != src && !(list && (arc->dst & ARC_NODE) == src))
				break;
			if (list && arc->src == src &&
			    span_of(f, arc->dst & ARC_NODE)->kind == NODE_OBJECT)
				visit_entry(f, arc, list, pass);
		}
	return i;
}

void arcs_mark_rare(struct arcs *a)
{
	const struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct finder f = { .a = a };

	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		if (s->kind == NODE_OBJECT && s->stride / 8 + 1 > f.places)
			f.places = s->stride / 8 + 1;
	}
	f.counts = arena_alloc(arena, (f.places + 1ULL) * sizeof(*f.counts));
	for (uint32_t i = 0; i < a->arcs.n;)
		i = visit_list(&f, i);
	arena_reset(arena);
}
