// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/types.h"

#define MAX_ROUNDS \
	64 /* steps from what is certain, and from shapes: most samples need 20, a long list may more */
#define ALIGNED 64u /* what is merged into a cache is less than this smaller */

/* Entries of lists whose heads are at one place of a type, and what links there lead to besides, as to a tree. */
struct learned {
	uint16_t type;
	uint32_t entry; /* place of the links in those */
	uint32_t lists, others;
};

/* Pages and areas are as large as what is in them, up to the end of the last page. */
static bool fits_pages(const struct node_types *x, const struct span *s, uint16_t type)
{
	const struct graph_type *t = &x->types[type - 1];

	return s->kind > NODE_OBJECT && t->name && t->t.bytes && t->t.bytes <= s->stride &&
	       (t->is_array || t->t.is_open ||
		(t->t.bytes * 2 > s->stride &&
		 t->t.bytes + dump_page_size(x->g->dump) > s->stride));
}

/* What is larger than a structure that a pointer leads to may be an array of these; 0: it is none. */
static uint16_t as_array(struct node_types *x, uint32_t node, uint16_t type)
{
	if (x->types[type - 1].element || fits_pages(x, graph_span_of(x->g, node), type))
		return type;
	return node_types_may_be_array(x, node, type) ? node_types_array(x, type) : 0;
}

/* A structure of a module, and what the kernel keeps. */
static bool is_of_kernel(const struct node_types *x, uint32_t node, uint16_t type)
{
	uint16_t owner;

	if (!x->types[type - 1].t.module)
		return false;
	owner = holders_owner(x->h, node);
	return owner < OWNER_SHARED && !graph_module(x->g, owner);
}

static void vote(struct node_types *x, uint32_t node, uint16_t type)
{
	const struct span *s = graph_span_of(x->g, node);
	struct node_type *n = &x->nodes[node];

	if (s->kind < NODE_OBJECT || n->state == NODE_SEED || graph_is_dead(x->g, node) || !type)
		return;
	if (s->kind == NODE_COPIES)
		type = node_types_copies(x, node, type);
	else if (s->kind != NODE_OBJECT || !node_types_fits(x, s->group, type))
		type = as_array(x, node, type);
	if (!type)
		return;
	/* What the shape alone says is no word against a typed pointer. */
	if (x->by_shape &&
	    ((n->state == NODE_TYPED && !n->by_shape) || is_of_kernel(x, node, type)))
		return;
	/* That it is an array is a guess, a structure that fits is none. */
	if (n->votes && x->types[type - 1].element && !x->types[n->type - 1].element)
		return;
	if (!n->votes)
		n->of_few = x->of_few;
	if (!n->votes || (x->types[n->type - 1].element && !x->types[type - 1].element &&
			  n->state == NODE_UNTYPED)) {
		n->type = type;
		n->votes = 1;
	} else if (n->type == type) {
		n->votes += n->votes < UINT8_MAX;
	} else if (graph_type_begins_with(x, type, n->type) && n->state == NODE_UNTYPED) {
		n->type = type;
		n->votes = 1;
	} else if (!graph_type_begins_with(x, n->type, type)) {
		n->against += n->against < UINT8_MAX;
	}
}

#define MAX_WHOLES 64 /* structures with one part that have the shape: more say nothing */

/* The one structure with a part at an offset that fits a node and has its shape; 0: none, or several. */
static uint16_t whole_of(struct node_types *x, uint32_t node, uint16_t part, uint32_t offset,
			 uint8_t *fit)
{
	uint32_t group = graph_span_of(x->g, node)->group, at = 0, tried = 0;
	uint16_t ret = 0, type;

	*fit = 0;
	while ((type = node_types_whole(x, part, offset, &at))) {
		unsigned int percent = node_types_fits(x, group, type)
					       ? node_types_fit(x, node, type)
					       : 0;

		if (percent < TYPE_FIT_PERCENT)
			continue;
		if (ret || tried++ == MAX_WHOLES)
			return 0;
		ret = type;
		*fit = percent;
	}
	return ret;
}

/* Behind a structure at its beginning an object has nothing. */
static bool ends_with(struct node_types *x, uint32_t node, uint16_t type)
{
	uint32_t n = node_types_read(x, node);

	for (uint32_t i = x->types[type - 1].t.bytes; i < n; i++)
		if (x->bytes[i])
			return false;
	return n > 0;
}

/* A pointer to a structure may lead to a larger one that begins with it. */
static uint16_t decide(struct node_types *x, uint32_t node, uint16_t type, uint8_t *fit)
{
	uint8_t other = 0;
	uint16_t whole;
	uint32_t at = 0;
	bool may_be_larger = false;

	if (x->types[type - 1].element) {
		*fit = node_types_array_fit(x, node, type);
		return *fit >= TYPE_FIT_PERCENT ? type : 0;
	}
	*fit = node_types_fit(x, node, type);
	if (graph_span_of(x->g, node)->kind != NODE_OBJECT)
		return *fit >= TYPE_FIT_PERCENT ? type : 0;
	while (!may_be_larger && (whole = node_types_whole(x, type, 0, &at)))
		may_be_larger = node_types_fits(x, graph_span_of(x->g, node)->group, whole);
	if (*fit >= TYPE_FIT_PERCENT && (!may_be_larger || ends_with(x, node, type)))
		return type;
	whole = may_be_larger ? whole_of(x, node, type, 0, &other) : 0;
	*fit = other;
	return whole;
}

/*
 * What an object is that is linked at a place as one of a known type is.  Where the link is of a structure in that
 * one, a device or an inode, others are linked that have it as well.
 */
static uint16_t linked(struct node_types *x, uint32_t node, uint16_t type, uint32_t place)
{
	const struct typed t = x->types[type - 1].t;
	uint16_t part = 0;
	uint32_t at = 0;
	uint8_t fit;

	for (uint32_t i = 0; i < t.ninner && t.inner[i].offset <= place; i++) {
		const struct type_query q = { .by = TYPE_BY_NUMBER, .number = t.inner[i].type };
		uint16_t inner = node_types_get(x, &q);

		if (inner && t.inner[i].form != WORD_LINK &&
		    place - t.inner[i].offset < x->types[inner - 1].t.bytes) {
			part = inner;
			at = t.inner[i].offset;
		}
	}
	if (!part)
		return type;
	return x->nodes[node].state == NODE_SEED ? 0 : whole_of(x, node, part, at, &fit);
}

/* Links lead to the same member of objects of the same cache; those of trees with a colour in the lowest bits. */
static bool is_same_link(const struct node_types *x, uint32_t node, const struct edge *e,
			 const struct type_word *w)
{
	const struct span *s = graph_span_of(x->g, node);

	return s->kind == NODE_OBJECT && span_group(s) == span_group(graph_span_of(x->g, e->dst)) &&
	       (e->to & ~7u) == w->type;
}

/* Whether entries of an xarray are at a place of a type, of which those with bit 1 are its nodes. */
static bool is_of_xarray(struct node_types *x, uint16_t type, uint32_t place)
{
	const struct typed t = x->types[type - 1].t;
	bool ret = t.name && !strcmp(t.name, "struct xa_node");

	for (uint32_t i = 0; !ret && i < t.ninner && t.inner[i].offset <= place; i++) {
		const struct type_query q = { .by = TYPE_BY_NUMBER, .number = t.inner[i].type };
		uint16_t inner = node_types_get(x, &q);
		const struct graph_type *of = inner ? &x->types[inner - 1] : NULL;

		ret = of && of->name && !strcmp(of->name, "struct xarray") &&
		      place - t.inner[i].offset < of->t.bytes;
	}
	return ret;
}

/* The root of a tree, the head of a list.  Without room it is not followed. */
static void keep_link(struct node_types *x, uint32_t edge)
{
	uint32_t *kept = chunks_add(&x->links);

	if (kept)
		*kept = edge;
}

#define CHAIN_FLAGS 3u /* in the low bits of a word that leads to the next part of a scatterlist */

/* A number in an array of structures that leads to one like it: a part of the same. */
static bool goes_on(const struct node_types *x, uint32_t node, const struct edge *e)
{
	return x->types[x->nodes[node].type - 1].element && e->to && e->to <= CHAIN_FLAGS &&
	       span_group(graph_span_of(x->g, node)) == span_group(graph_span_of(x->g, e->dst));
}

#define XARRAY_NODE 2 /* in the low bits of an entry */

/* The words of a node whose type is known, or of the structure inside of it, vote for what they lead to. */
static void spread_type(struct node_types *x, uint32_t node, const struct inner_type *inner)
{
	const struct graph *g = x->g;
	uint16_t type = inner ? inner->type : x->nodes[node].type;
	uint32_t base = inner ? inner->at : 0;
	uint8_t fit;

	x->of_few = x->nodes[node].of_few;
	/* Of what several structures are said to be in, nothing is known. */
	for (uint32_t i = g->first[node]; type && i < g->first[node + 1]; i++) {
		const struct edge e = graph_edge_of(g, node, i);
		const struct type_word *w = (e.to | e.from) & PLACE_PAGE || e.from < base
						    ? NULL
						    : graph_type_word(&x->types[type - 1],
								      e.from - base);

		if (!w)
			continue;
		if (w->form == WORD_TYPED && !e.to)
			vote(x, e.dst, node_types_pointed(x, w));
		else if (w->form == WORD_TYPED && graph_span_of(g, e.dst)->kind == NODE_OBJECT &&
			 x->nodes[e.dst].state != NODE_SEED) {
			node_types_add_inner(x, e.dst, e.to, node_types_pointed(x, w));
			vote(x, e.dst, whole_of(x, e.dst, node_types_pointed(x, w), e.to, &fit));
		} else if (inner)
			;
		else if (w->form == WORD_LINK && is_same_link(x, node, &e, w))
			vote(x, e.dst, linked(x, e.dst, type, w->type));
		else if (w->form == WORD_LINK && graph_span_of(g, e.dst)->kind == NODE_OBJECT)
			keep_link(x, i);
		else if (w->form == WORD_LONG && goes_on(x, node, &e))
			vote(x, e.dst, type);
		else if (w->form == WORD_ANY && e.to == XARRAY_NODE &&
			 is_of_xarray(x, type, e.from))
			vote(x, e.dst, x->xarray_node);
	}
}

static void spread_words(struct node_types *x, uint32_t node)
{
	const struct inner_type *inner = node_types_inner(x, node);

	if (!inner || node_types_knows(x, node))
		spread_type(x, node, NULL);
	if (inner)
		spread_type(x, node, inner);
}

/* What all links at one place of a type lead to, others there do, too.  True: some did. */
static bool spread_links(struct node_types *x)
{
	struct hash_u64 places;
	bool ret = false, is_new;

	hash_u64_init(&places, x->arena, sizeof(struct learned));
	x->of_few = false;
	for (uint64_t k = 0; k < 2ULL * x->links.n; k++) {
		const struct edge e =
			graph_edge(x->g, *(const uint32_t *)chunks_at(&x->links, k % x->links.n));
		const struct node_type *src = &x->nodes[e.src], *dst = &x->nodes[e.dst];
		struct learned *l;

		if (!node_types_knows(x, e.src))
			continue;
		l = hash_u64_get(&places, (uint64_t)src->type << 32 | e.from, &is_new);
		if (k >= x->links.n) {
			if (l->lists < 2 || l->others || l->entry != e.to || dst->votes)
				continue;
			vote(x, e.dst, linked(x, e.dst, l->type, l->entry));
			ret |= dst->votes > 0;
		} else if (node_types_knows(x, e.dst)) {
			if (!l->lists++) {
				l->type = dst->type;
				l->entry = e.to;
			}
			l->others += l->type != dst->type || l->entry != e.to;
		}
	}
	return ret;
}

/* The one type of the entries of a list that are known; 0: none is, or they differ. */
static uint16_t type_of_list(struct node_types *x, uint32_t list, bool *has_unknown)
{
	const struct flow *f = &x->h->flow;
	uint16_t type = 0;

	*has_unknown = false;
	x->of_few = true;
	for (uint32_t k = f->out_at[list]; k < f->out_at[list + 1]; k++) {
		uint32_t node = f->out[k] & ARC_NODE;

		if (node >= x->g->nodes)
			continue;
		if (!node_types_knows(x, node)) {
			*has_unknown = true;
			continue;
		}
		if (type && type != x->nodes[node].type)
			return 0;
		type = x->nodes[node].type;
		x->of_few &= x->nodes[node].of_few;
	}
	return type;
}

static struct learned *head_of(struct node_types *x, const struct list *l)
{
	bool is_new;

	if (!l->heads || l->place & PLACE_PAGE || l->head >= x->g->nodes ||
	    !node_types_knows(x, l->head))
		return NULL;
	return hash_u64_get(&x->heads, (uint64_t)x->nodes[l->head].type << 32 | l->place, &is_new);
}

/* What is linked in one list is of one type; so is what hangs at one member of a type. */
static void spread_lists(struct node_types *x)
{
	const struct arcs *a = &x->h->arcs;
	const struct flow *f = &x->h->flow;
	bool has_unknown;

	hash_u64_init(&x->heads, x->arena, sizeof(struct learned));
	for (uint32_t i = 0; i < a->lists.n; i++) {
		struct learned *head = head_of(x, chunks_at(&a->lists, i));
		uint16_t type = head ? type_of_list(x, x->g->nodes + i, &has_unknown) : 0;

		if (!type)
			continue;
		if (!head->lists++) {
			head->type = type;
			head->entry = ((const struct list *)chunks_at(&a->lists, i))->entry;
		}
		head->others += type != head->type;
	}
	for (uint32_t i = 0; i < a->lists.n; i++) {
		const struct list *l = chunks_at(&a->lists, i);
		uint32_t list = x->g->nodes + i;
		uint16_t type = type_of_list(x, list, &has_unknown);
		struct learned *head = head_of(x, l);

		if (!has_unknown)
			continue;
		if (!type && head && head->lists > 1 && !head->others && head->entry == l->entry) {
			type = head->type;
			x->of_few = false;
		}
		for (uint32_t k = f->out_at[list]; type && k < f->out_at[list + 1]; k++) {
			uint32_t node = f->out[k] & ARC_NODE;

			if (node < x->g->nodes && !x->nodes[node].votes)
				vote(x, node, linked(x, node, type, l->entry));
		}
	}
}

/* What has votes, and none against, and the shape, is of that type; true: it was not before. */
static bool settle(struct node_types *x, uint32_t node)
{
	struct node_type *n = &x->nodes[node];
	uint16_t type;

	if (n->state != NODE_UNTYPED || !n->votes || n->against)
		return false;
	type = decide(x, node, n->type, &n->fit);
	if (!type && x->types[n->type - 1].element) {
		*n = (struct node_type){ 0 };
		return false;
	}
	if (x->by_shape)
		n->fit = n->fit * (n->of_few ? FEW_PERCENT : SHAPE_PERCENT) / 100;
	n->by_shape = x->by_shape;
	n->state = type ? NODE_TYPED : NODE_UNFIT;
	n->type = type ?: n->type;
	return n->state == NODE_TYPED;
}

/* Those that became known since are in the list next. */
static bool spread(struct node_types *x, struct chunks *next)
{
	bool grows, voted;

	for (uint32_t i = 0; i < x->g->nodes; i++) {
		uint32_t *kept;

		if (!settle(x, i))
			continue;
		kept = chunks_add(next);
		if (!kept)
			return false;
		*kept = i;
	}
	grows = next->n > x->nspread;
	for (; x->nspread < next->n; x->nspread++)
		spread_words(x, *(const uint32_t *)chunks_at(next, x->nspread));
	spread_lists(x);
	voted = node_types_of_numbers(x);
	return spread_links(x) || voted || grows;
}

static uint32_t kmalloc_size(const struct slab_cache *c)
{
	return c->name && strstr(c->name, "kmalloc-") ? c->bytes : 0;
}

/* Sizes of kmalloc are those of the dump. */
static void open_groups(struct node_types *x)
{
	const struct graph *g = x->g;

	for (uint32_t i = 0; i < g->ncaches; i++) {
		const struct slab_cache *c = g->caches[i];
		struct group_fit *f = &x->groups[i];
		bool hidden = c->name && x->hides && x->hides(x->arg, c->name);

		f->is_mixed = kmalloc_size(c) || hidden || c->aliases;
		f->high = c->bytes;
		f->low = c->bytes > 8 ? c->bytes - 8 : 0;
		f->least = !c->aliases ? f->high : c->bytes > ALIGNED ? c->bytes - ALIGNED : 0;
		if (!kmalloc_size(c) && !hidden)
			continue;
		f->low = 0;
		f->high = hidden ? UINT32_MAX : c->bytes;
		for (uint32_t k = 0; k < g->ncaches; k++) {
			uint32_t size = kmalloc_size(g->caches[k]);

			if (size && size < c->bytes && size > f->low)
				f->low = size;
			if (hidden && size >= c->bytes && size < f->high)
				f->high = size;
		}
	}
}

enum status node_types_find(struct holders *h, bool (*hides)(void *arg, const char *cache),
			    void *arg, struct node_types *ret)
{
	struct graph *g = &h->graph;
	struct node_types *x = ret;
	struct chunks known;
	bool goes_on = true;

	*x = (struct node_types){ .h = h, .g = g, .arena = g->arena, .hides = hides, .arg = arg };
	if (!g->dump->ops->typed)
		return dump_fail(g->dump, ST_UNKNOWN,
				 "the members of structures are not enumerated here: the program "
				 "memowner does it");
	hash_u64_init(&x->inner, x->arena, sizeof(struct inner_type));
	chunks_init(&known, x->arena, &g->budget, sizeof(uint32_t));
	x->known = &known;
	hash_u64_init(&x->numbers, x->arena, sizeof(uint16_t));
	hash_bytes_init(&x->named, x->arena, sizeof(uint16_t));
	x->nodes = budget_alloc(&g->budget, x->arena, g->nodes * sizeof(*x->nodes));
	x->groups = budget_alloc(&g->budget, x->arena, (g->ncaches + 1) * sizeof(*x->groups));
	if (!x->nodes || !x->groups)
		return graph_is_full(g, "types");
	node_types_open_parts(x);
	open_groups(x);
	x->bytes_of = UINT32_MAX;
	x->xarray_node = node_types_get(
		x, &(struct type_query){ .by = TYPE_BY_NAME, .name = "struct xa_node" });
	chunks_init(&x->links, x->arena, &g->budget, sizeof(uint32_t));
	node_types_seed(x);
	for (uint32_t i = 0; i < g->nodes; i++)
		if (x->nodes[i].state == NODE_SEED)
			spread_words(x, i);
	spread_lists(x);
	for (unsigned int i = 0; goes_on && i < 2 * MAX_ROUNDS; i++) {
		if (dump_stopped(g->dump))
			return ST_STOPPED;
		goes_on = spread(x, &known);
		/* What these lead to is as sure as they are. */
		if ((!goes_on || i + 1 == MAX_ROUNDS) && !x->by_shape)
			goes_on = x->by_shape = node_types_of_modules(x, &known);
	}
	x->known = NULL;
	node_types_by_size(x);
	return ST_OK;
}

const char *node_type_name(const struct node_types *x, uint32_t node, uint16_t *confidence)
{
	const struct node_type *n = &x->nodes[node];

	*confidence = 0;
	if (!node_types_knows(x, node))
		return NULL;
	*confidence = n->fit * 10;
	return x->types[n->type - 1].name;
}
