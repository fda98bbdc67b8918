// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether an object may be of a type: its size, its words that lead to memory, and those that have to. */
#include "holders/types.h"
#include "pages/kernel_map.h"

bool node_types_fits(const struct node_types *x, uint32_t group, uint16_t type)
{
	const struct group_fit *f = &x->groups[group];
	const struct graph_type *t = &x->types[type - 1];

	if (!t->name || !t->t.bytes)
		return false;
	return t->t.bytes <= f->high && (t->t.bytes > f->low || t->t.is_open || t->is_array);
}

uint16_t node_types_pointed(struct node_types *x, const struct type_word *w)
{
	const struct type_query q = { .by = TYPE_BY_NUMBER, .number = w->type };

	return w->form == WORD_TYPED ? node_types_get(x, &q) : 0;
}

bool node_types_knows(const struct node_types *x, uint32_t node)
{
	const struct node_type *n = &x->nodes[node];

	return n->state == NODE_SEED || (n->state == NODE_TYPED && !n->against);
}

/* Pointers, or what stands in their place: errors, poison, addresses of per-CPU memory. */
static bool may_be_pointer(const struct graph *g, uint64_t half, uint64_t word)
{
	return !word || graph_may_lead(g, half, word) || word >> 48 == 0xdead ||
	       word < g->percpu_bytes;
}

/* A pointer to a structure leads to one where it is known what is there. */
static bool agrees(struct node_types *x, const struct edge *e, const struct type_word *w)
{
	static const char *const pages[] = { "struct page", "struct folio", "struct slab",
					     "struct ptdesc", "struct netmem_desc" };
	uint16_t type = w->form == WORD_TYPED ? node_types_pointed(x, w) : 0;
	const char *name = type ? x->types[type - 1].t.name : NULL;
	bool is_page = false;

	for (size_t i = 0; name && i < ARRAY_SIZE(pages); i++)
		is_page |= !strcmp(name, pages[i]);
	/* A page is linked by its list member. */
	if (!type)
		return w->form != WORD_LINK || e->to != PLACE_PAGE;
	if (is_page || e->to & PLACE_PAGE)
		return is_page && e->to & PLACE_PAGE;
	return e->to || !node_types_knows(x, e->dst) || x->nodes[e->dst].type == type ||
	       graph_type_begins_with(x, x->nodes[e->dst].type, type);
}

static void count_edges(struct node_types *x, uint32_t node, const struct graph_type *t,
			uint32_t *good, uint32_t *bad)
{
	const struct graph *g = x->g;

	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		const struct edge *e = graph_edge(g, i);
		const struct type_word *w = graph_type_word(t, e->from);

		if (e->from & PLACE_PAGE || (t->t.is_open && e->from >= t->t.bytes))
			continue;
		/* It is larger, or has what was left behind by others. */
		if (e->from >= t->t.bytes && !t->is_array && x->has_leftovers)
			continue;
		if (e->from >= t->t.bytes && !t->is_array) {
			*good = 0;
			*bad = 1;
			return;
		}
		if (!w || !agrees(x, e, w))
			++*bad;
		else if (w->form != WORD_LONG)
			++*good;
	}
}

static void count_words(const struct node_types *x, const uint8_t *bytes, uint32_t n,
			const struct graph_type *t, uint32_t *bad)
{
	uint64_t half = kernel_half(x->g->dump);

	for (uint32_t i = 0; i < t->t.nwords; i++) {
		const struct type_word *w = &t->t.words[i];

		if (w->form > WORD_LINK || w->offset + 8 > n)
			continue;
		*bad += !may_be_pointer(x->g, half, le64(bytes + w->offset));
	}
}

/* Bytes of an object; 0: they are not in this dump. */
uint32_t node_types_read(struct node_types *x, uint32_t node)
{
	const struct span *s = graph_span_of(x->g, node);
	uint32_t n = x->g->caches[s->group]->bytes;

	if (x->bytes_of == node)
		return x->nbytes;
	if (n > s->stride)
		n = s->stride;
	if (n > TYPED_BYTES)
		n = TYPED_BYTES;
	x->bytes_of = node;
	x->nbytes = dump_try(x->g->dump, span_address(s, node), x->bytes, n) == ST_OK ? n : 0;
	return x->nbytes;
}

/* How well a node has the shape of a type, of 100. */
unsigned int node_types_fit(struct node_types *x, uint32_t node, uint16_t type)
{
	/* A copy: the array of types moves. */
	const struct graph_type t = x->types[type - 1];
	uint32_t good = 0, bad = 0;

	count_edges(x, node, &t, &good, &bad);
	count_words(x, x->bytes, node_types_read(x, node), &t, &bad);
	x->good = good;
	return good + bad ? 100 * good / (good + bad) : 100;
}

unsigned int node_types_has_shape(struct node_types *x, uint32_t node, uint16_t type)
{
	unsigned int fit;

	x->has_leftovers = true;
	fit = node_types_fit(x, node, type);
	x->has_leftovers = false;
	return x->good && fit >= TYPE_FIT_PERCENT ? fit : 0;
}
