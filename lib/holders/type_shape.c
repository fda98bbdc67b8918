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

/* Of what has pointers alone anything may be one. */
bool node_types_may_be_array(const struct node_types *x, uint32_t node, uint16_t type)
{
	const struct graph_type *t = &x->types[type - 1];
	const struct span *s = graph_span_of(x->g, node);
	uint64_t pointers = 0;

	for (uint32_t i = 0; i < t->t.nwords; i++)
		pointers += t->t.words[i].form != WORD_LONG;
	return t->name && !t->is_array && !t->t.is_open && t->t.bytes > 8 &&
	       pointers * 8 < t->t.bytes && s->stride / t->t.bytes >= 2 &&
	       (s->kind != NODE_OBJECT || x->groups[s->group].is_mixed);
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
	       word < g->percpu_bytes || word - g->boot < g->boot_bytes;
}

/* A pointer to a structure leads to one where it is known what is there. */
static bool agrees(struct node_types *x, const struct edge *e, const struct type_word *w)
{
	uint16_t type = w->form == WORD_TYPED ? node_types_pointed(x, w) : 0;
	bool is_page = type && x->types[type - 1].is_page;

	/* Functions of BPF are in areas. */
	if (w->form == WORD_CODE)
		return graph_span_of(x->g, e->dst)->kind == NODE_AREA;
	/* A page is linked by its list member. */
	if (!type)
		return w->form != WORD_LINK || e->to != PLACE_PAGE;
	if (is_page || e->to & PLACE_PAGE)
		return is_page && e->to & PLACE_PAGE;
	if (e->to + x->types[type - 1].t.bytes > graph_span_of(x->g, e->dst)->stride &&
	    x->has_leftovers)
		return false;
	return e->to || !node_types_knows(x, e->dst) || x->nodes[e->dst].type == type ||
	       graph_type_begins_with(x, x->nodes[e->dst].type, type);
}

/* Links that lead to what is like the object that has them, or nowhere: others end, or begin, in a head. */
static bool is_of_equals(const char *link)
{
	static const char *const links[] = { "struct rb_node", "struct hlist_node",
					     "struct llist_node" };

	return ANY_OF(i, ARRAY_SIZE(links), !strcmp(link, links[i]));
}

/* The name of the link that begins at a byte of a type; "": none does. */
static const char *link_at(struct node_types *x, const struct graph_type *t, uint32_t at)
{
	const char *ret = NULL;

	for (uint32_t i = 0; i < t->t.ninner && t->t.inner[i].offset <= at; i++) {
		const struct type_query q = { .by = TYPE_BY_NUMBER, .number = t->t.inner[i].type };
		uint16_t inner = t->t.inner[i].offset == at && t->t.inner[i].form == WORD_LINK
					 ? node_types_get(x, &q)
					 : 0;

		ret = inner ? x->types[inner - 1].t.name : ret;
	}
	return ret ?: "";
}

/* What two owners have in one list or tree is of the kernel, which has one for each of them. */
static bool is_of_others(const struct node_types *x, const struct edge *e)
{
	uint16_t src = holders_owner(x->h, e->src), dst = holders_owner(x->h, e->dst);

	return dst < OWNER_SHARED && src < OWNER_SHARED && dst != src;
}

/*
 * Where the shape alone is to say what an object is: a link to such a one of somebody else, or the first word of one
 * that leads to its like leads elsewhere.
 */
static bool is_misled(struct node_types *x, const struct graph_type *t, const struct edge *e,
		      const struct type_word *w)
{
	const struct graph *g = x->g;

	if (!x->has_leftovers || w->form != WORD_LINK)
		return false;
	if (span_group(graph_span_of(g, e->dst)) == span_group(graph_span_of(g, e->src)))
		return is_of_others(x, e);
	return w->offset == w->type && is_of_equals(link_at(x, t, w->offset));
}

/* The same of what is no address, and of a list that has one end. */
static bool is_no_link(struct node_types *x, const struct graph_type *t, const uint8_t *bytes,
		       const struct type_word *w)
{
	const uint64_t half = kernel_half(x->g->dump), word = le64(bytes + w->offset);
	const char *link = x->has_leftovers && w->form == WORD_LINK && w->offset == w->type
				   ? link_at(x, t, w->offset)
				   : "";

	if (!strcmp(link, "struct list_head"))
		return !word != !le64(bytes + w->offset + 8);
	return is_of_equals(link) && word && word < half && word >> 48 != 0xdead;
}

static void count_edges(struct node_types *x, uint32_t node, const struct graph_type *t,
			uint32_t *good, uint32_t *bad)
{
	const struct graph *g = x->g;

	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		const struct edge e = graph_edge_of(g, node, i);
		const struct type_word *w = graph_type_word(t, e.from);

		if (e.from & PLACE_PAGE)
			continue;
		/* What is behind the last element says something where the shape alone does. */
		if (t->t.is_open && e.from >= t->t.bytes) {
			if (w && w->form != WORD_LONG && agrees(x, &e, w))
				++*good;
			else
				*bad += x->has_leftovers && t->t.open_element;
			continue;
		}
		/* It is larger, or has what was left behind by others. */
		if (e.from >= t->t.bytes && !t->is_array && x->has_leftovers)
			continue;
		if (e.from >= t->t.bytes && !t->is_array) {
			*good = 0;
			*bad = 1;
			return;
		}
		if (!w || !agrees(x, &e, w) || is_misled(x, t, &e, w))
			++*bad;
		else if (w->form != WORD_LONG)
			++*good;
	}
}

static bool has_word(const struct node_types *x, uint64_t addr, uint64_t word)
{
	uint8_t is[8];

	/* What is not in this dump is no word against it. */
	return addr < kernel_half(x->g->dump) || addr >> 48 == 0xdead ||
	       dump_try(x->g->dump, addr, is, sizeof(is)) != ST_OK || le64(is) == word;
}

#define LINK_FLAGS 3ULL /* of rb_node: in its word of the parent */

/* A link at an address, with its words: what it leads to leads back to it. */
static bool is_linked_back(const struct node_types *x, const char *link, uint64_t addr,
			   uint64_t first, uint64_t second)
{
	const uint64_t parent = first & ~LINK_FLAGS;

	if (!strcmp(link, "struct list_head"))
		return !first || (has_word(x, first + 8, addr) && has_word(x, second, addr));
	if (!strcmp(link, "struct hlist_node"))
		return (!first || has_word(x, first + 8, addr)) &&
		       (!second || has_word(x, second, addr));
	if (!strcmp(link, "struct rb_node"))
		return !parent || parent == addr || has_word(x, parent + 8, addr) ||
		       has_word(x, parent + 16, addr);
	return true;
}

/* All links of a structure where the shape alone is to say what an object is. */
static bool are_linked_back(struct node_types *x, uint32_t node, const struct graph_type *t,
			    uint32_t n)
{
	const uint64_t addr = span_address(graph_span_of(x->g, node), node);

	for (uint32_t i = 0; i < t->t.nwords; i++) {
		const struct type_word *w = &t->t.words[i];

		if (w->form == WORD_LINK && w->offset == w->type && w->offset + 16 <= n &&
		    !is_linked_back(x, link_at(x, t, w->offset), addr + w->offset,
				    le64(x->bytes + w->offset), le64(x->bytes + w->offset + 8)))
			return false;
	}
	return true;
}

static void count_words(struct node_types *x, const uint8_t *bytes, uint32_t n,
			const struct graph_type *t, uint32_t *bad)
{
	uint64_t half = kernel_half(x->g->dump);

	for (uint32_t i = 0; i < t->t.nwords; i++) {
		const struct type_word *w = &t->t.words[i];

		if (w->form > WORD_LINK || w->offset + 8 > n ||
		    (t->t.is_open && w->offset >= t->t.bytes))
			continue;
		*bad += !may_be_pointer(x->g, half, le64(bytes + w->offset)) ||
			(w->offset + 16 <= n && is_no_link(x, t, bytes, w));
	}
}

/*
 * Words that name functions and variables of a module, which hold nothing and are no edges: where the type has a pointer
 * to such, or elsewhere.
 */
static void count_names(struct node_types *x, uint32_t node, const struct graph_type *t, uint32_t n,
			uint32_t *good, uint32_t *bad)
{
	const uint64_t half = kernel_half(x->g->dump);
	uint32_t number;

	for (uint32_t i = 0; i + 8 <= n && i + 8 <= t->t.bytes; i += 8) {
		const uint64_t word = le64(x->bytes + i);
		struct edge e = { .src = node, .from = i }, here;
		const struct type_word *w;
		const struct span *to;

		if (word < half || !graph_find(x->g, word, &to, &e.dst, &e.to) ||
		    to->kind > NODE_STATIC || !to->group ||
		    graph_word_at(x->g, node, i, &here, &number))
			continue;
		w = graph_type_word(t, i);
		if (w && w->form != WORD_LONG && w->form != WORD_LINK &&
		    (to->kind == NODE_TEXT ? w->form == WORD_ANY || w->form == WORD_CODE
					   : agrees(x, &e, w)))
			++*good;
		else
			++*bad;
	}
}

/* Bytes of an object; 0: they are not in this dump. */
uint32_t node_types_read(struct node_types *x, uint32_t node)
{
	const struct span *s = graph_span_of(x->g, node);
	uint32_t n = s->kind == NODE_OBJECT ? x->g->caches[s->group]->bytes : s->stride;

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
	if (x->has_leftovers)
		count_names(x, node, &t, x->nbytes, &good, &bad);
	x->good = good;
	return good + bad ? 100 * good / (good + bad) : 100;
}

unsigned int node_types_has_shape(struct node_types *x, uint32_t node, uint16_t type)
{
	unsigned int fit;

	x->has_leftovers = true;
	fit = node_types_fit(x, node, type);
	x->has_leftovers = false;
	if (!x->good || fit < TYPE_FIT_PERCENT ||
	    !are_linked_back(x, node, &x->types[type - 1], x->nbytes))
		return 0;
	return fit;
}

#define ARRAY_WORDS 3u /* in as many elements */

unsigned int node_types_array_fit(struct node_types *x, uint32_t node, uint16_t type)
{
	const struct graph *g = x->g;
	const struct graph_type t = x->types[type - 1];
	uint32_t good = 0, bad = 0, elements = 0, last = UINT32_MAX;

	for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
		const struct edge e = graph_edge_of(g, node, i);
		const struct type_word *w = graph_type_word(&t, e.from);

		if (e.from & PLACE_PAGE)
			continue;
		if (!w || !agrees(x, &e, w)) {
			bad++;
			continue;
		}
		good++;
		elements += e.from / t.element != last;
		last = e.from / t.element;
	}
	if (graph_span_of(g, node)->kind == NODE_COPIES)
		return good ? 100 * good / (good + bad) : 0;
	return elements >= ARRAY_WORDS ? 100 * good / (good + bad) : 0;
}
