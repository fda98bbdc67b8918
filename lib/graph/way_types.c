// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures that steps of a way are of: what nearly all objects of the cache are that its root keeps. */
#include "graph/steps.h"
#include "graph/types.h"

#define LEAST_WORDS 2u	/* that lead to memory, for the shape of a part */
#define MOST_PERCENT 90 /* of such objects: the rest may be of no known type */

/* Objects of a row in a cache: votes are those of one type less those of others. */
struct step_type {
	uint16_t type;
	uint64_t n, votes, fits;
};

static uint64_t step_key(const struct holder *row, const struct span *s)
{
	return (uint64_t)(uintptr_t)row << 20 ^ s->group;
}

static void add(struct holders *h, const struct span *s, uint32_t node)
{
	const struct node_types *x = h->types;
	const struct holder *row = graph_is_dead(&h->graph, node) ? NULL : holders_row(h, node);
	struct step_type *t;
	bool is_new;

	if (!row)
		return;
	t = hash_u64_get(&h->steps, step_key(row, s), &is_new);
	t->n++;
	if (node_types_knows(x, node) && (!t->votes || t->type == x->nodes[node].type)) {
		t->type = x->nodes[node].type;
		t->votes++;
		t->fits += x->nodes[node].fit;
	} else if (t->votes) {
		t->votes--;
	}
}

/* A pass over all types is worth it where much is kept by a module that has some: one percent of RAM. */
static bool has_own(const struct holders *h)
{
	struct dump *d = h->graph.dump;

	hash_u64_for_each(const struct holder, row, &h->rows) {
		const struct module *m = graph_module(&h->graph, row->owner);

		if (m && row->bytes >> d->page_shift >= h->sources.ram->pages / 100 &&
		    types_of_module(d, m->name))
			return true;
	}
	return false;
}

static const char *step_type(const struct holders *h, uint32_t node)
{
	const struct node_types *x = h->types;
	const struct span *s = graph_span_of(&h->graph, node);
	const struct holder *row = s->kind == NODE_OBJECT ? holders_row(h, node) : NULL;
	const struct step_type *t = row ? hash_u64_find(&h->steps, step_key(row, s)) : NULL;
	/* A root that is many objects has the type of all of them, whatever this one is. */
	bool is_many = row && node == row->root && row->kind >= HOLDER_OBJECTS;
	/* Of few objects those of another type are many; to this one a typed pointer leads. */
	bool is_sure = t && !is_many && node_types_knows(x, node) &&
		       x->nodes[node].fit >= MOST_PERCENT;
	uint16_t number = is_sure ? x->nodes[node].type : t && t->votes ? t->type : 0;
	const struct graph_type *type = number ? &x->types[number - 1] : NULL;
	const struct module *m = row ? graph_module(&h->graph, row->owner) : NULL;
	bool is_own;

	/* What roots meet at is one of its kind. */
	if (row && node == row->root && !node_types_knows(x, node))
		return NULL;
	if (!type || !type->name || (!is_sure && t->votes * 100 < t->n * MOST_PERCENT))
		return NULL;
	is_own = m && type->t.module && !strcmp(type->t.module, m->name);
	return arena_text(h->graph.arena, "%s (%s, confidence %lu%%)",
			  is_own ? type->t.name : type->name, holder_group_name(h, node),
			  is_sure ? x->nodes[node].fit : t->fits / t->n);
}

static bool is_of(const struct holders *h, const struct graph_type *t, uint16_t owner)
{
	const struct module *m = graph_module(&h->graph, owner);

	return m && t->t.name && t->t.module && !t->is_array && !strcmp(t->t.module, m->name);
}

const char *holder_sized_type(const struct holders *h, uint16_t owner, uint64_t bytes)
{
	const struct node_types *x = h->types;
	const char *ret = NULL;

	for (uint32_t i = 0; x && i < x->ntypes; i++) {
		const struct graph_type *t = &x->types[i];

		if (!is_of(h, t, owner) || t->t.is_open || t->t.bytes != bytes)
			continue;
		if (ret)
			return NULL;
		ret = t->t.name;
	}
	return ret;
}

/* Words that lead to memory, from a byte on, where a type has pointers; 0: one is where it has none. */
static uint32_t words_in(const struct graph *g, uint32_t node, uint32_t from,
			 const struct graph_type *t)
{
	uint32_t n = 0;

	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		const struct edge *e = graph_edge(g, i);
		const struct type_word *w;

		if (e->from < from || e->from & PLACE_PAGE)
			continue;
		w = e->from - from < t->t.bytes ? graph_type_word(t, e->from - from) : NULL;
		if (!w || w->form == WORD_LONG)
			return 0;
		n++;
	}
	return n;
}

const char *holder_part_type(const struct holders *h, uint16_t owner, uint32_t node, uint32_t from)
{
	const struct node_types *x = h->types;
	const struct span *s = graph_span_of(&h->graph, node);
	const char *ret = NULL;

	for (uint32_t i = 0; x && i < x->ntypes; i++) {
		const struct graph_type *t = &x->types[i];

		if (!is_of(h, t, owner) || from + t->t.bytes > s->stride ||
		    words_in(&h->graph, node, from, t) < LEAST_WORDS)
			continue;
		if (ret)
			return NULL;
		ret = t->t.name;
	}
	return ret;
}

enum status holders_find_types(struct holders *h)
{
	const struct graph *g = &h->graph;
	struct node_types *x;
	enum status st;

	if (!has_own(h))
		return ST_OK;
	x = dump_alloc(g->dump, sizeof(*x));
	st = node_types_find(h, NULL, NULL, x);
	if (st != ST_OK)
		return st;
	h->types = x;
	h->step_type = step_type;
	hash_u64_init(&h->steps, g->arena, sizeof(struct step_type));
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint32_t k = 0;
		     s->kind == NODE_OBJECT && x->groups[s->group].is_mixed && k < s->count; k++)
			add(h, s, s->first + k);
	}
	return ST_OK;
}
