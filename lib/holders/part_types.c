// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures that parts of memory are of, by its size or by where it has pointers. */
#include "holders/steps.h"
#include "holders/types.h"

#define LEAST_WORDS 2u /* that lead to memory, for the shape of a part */

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
		const struct edge e = graph_edge_of(g, node, i);
		const struct type_word *w;

		if (e.from < from || e.from & PLACE_PAGE)
			continue;
		w = e.from - from < t->t.bytes ? graph_type_word(t, e.from - from) : NULL;
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
	uint32_t most = LEAST_WORDS - 1;

	for (uint32_t i = 0; x && i < x->ntypes; i++) {
		const struct graph_type *t = &x->types[i];
		uint32_t n = is_of(h, t, owner) && from + t->t.bytes <= s->stride
				     ? words_in(&h->graph, node, from, t)
				     : 0;

		/* With more of them it says more; two that say as much say nothing. */
		if (n >= most)
			ret = n > most ? t->t.name : NULL;
		most = n > most ? n : most;
	}
	return ret;
}
