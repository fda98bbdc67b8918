// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures that steps of a way are of: what nearly all objects of the cache are that its root keeps. */
#include "holders/steps.h"
#include "holders/types.h"

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

/* Caches whose name does not tell what is in them. */
static bool is_asked(const struct group_fit *f)
{
	return f->is_mixed || f->is_untold;
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

/* Of few objects those of another type are many: what has not the shape is one of these. */
static bool may_be(const struct holders *h, uint32_t node, const struct step_type *t)
{
	return node_types_knows(h->types, node) ||
	       node_types_fit(h->types, node, t->type) >= TYPE_FIT_PERCENT;
}

/* "dentry" says no less than "struct dentry". */
static bool has_its_name(const struct holders *h, const struct span *s, uint16_t type)
{
	const char *kind = h->graph.caches[s->group]->kind;
	const char *name = h->types->types[type - 1].t.name;

	return type == h->types->xarray_node || !kind || !name ||
	       (!strncmp(name, "struct ", 7) && !strcmp(name + 7, kind));
}

uint16_t holder_step_type(const struct holders *h, uint32_t node, unsigned int *fit)
{
	const struct node_types *x = h->types;
	const struct span *s = graph_span_of(&h->graph, node);
	const struct holder *row = x && s->kind == NODE_OBJECT ? holders_row(h, node) : NULL;
	const struct step_type *t = row ? hash_u64_find(&h->steps, step_key(row, s)) : NULL;
	/* A root that is many objects has the type of all of them, whatever this one is. */
	bool is_many = t && node == row->root && row->kind >= HOLDER_OBJECTS;
	bool is_own = x && !is_many && node_types_knows(x, node);

	/* The cache is named by its structure. */
	if (row && is_own && x->nodes[node].state == NODE_SEED &&
	    graph_module(&h->graph, row->owner) && !has_its_name(h, s, x->nodes[node].type)) {
		*fit = 100;
		return x->nodes[node].type;
	}
	/* What roots meet at is one of its kind. */
	if (s->kind <= NODE_OBJECT && (!t || (node == row->root && !node_types_knows(x, node))))
		return 0;
	if (is_own && (!t || x->nodes[node].type != t->type)) {
		*fit = x->nodes[node].fit;
		return x->nodes[node].type;
	}
	if (!is_own &&
	    (!t || !t->votes || t->votes * 100 < t->n * MOST_PERCENT || !may_be(h, node, t)))
		return 0;
	*fit = is_own ? x->nodes[node].fit : t->fits / t->n;
	return t->type;
}

static const char *step_type(const struct holders *h, uint32_t node)
{
	unsigned int fit = 0;
	uint16_t number = holder_step_type(h, node, &fit);
	const struct graph_type *type = number ? &h->types->types[number - 1] : NULL;
	const struct module *m;
	bool is_own;

	if (!type || !type->name)
		return NULL;
	m = graph_module(&h->graph, holders_row(h, node)->owner);
	is_own = m && type->t.module && !strcmp(type->t.module, m->name);
	return arena_text(
		h->graph.arena, "%s%s (%s, type %u%%)", is_own ? type->t.name : type->name,
		type->is_array && !type->element ? "[]" : "", holder_typed_cache(h, node), fit);
}

enum status holders_find_types(struct holders *h)
{
	const struct graph *g = &h->graph;
	struct node_types *x;
	enum status st;

	h->types = h->found_types;
	h->step_type = h->types ? step_type : NULL;
	if (h->types || !has_own(h))
		return ST_OK;
	x = dump_alloc(g->dump, sizeof(*x));
	st = node_types_find(h, NULL, NULL, x);
	if (st != ST_OK)
		return st;
	h->types = h->found_types = x;
	h->step_type = step_type;
	hash_u64_init(&h->steps, g->arena, sizeof(struct step_type));
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint32_t k = 0;
		     s->kind == NODE_OBJECT && is_asked(&x->groups[s->group]) && k < s->count; k++)
			add(h, s, s->first + k);
	}
	return ST_OK;
}

/* Members through which a way leads on: where in an object, and in those like it, the words stand. */

#define MOST_LIKE 1024u	   /* objects like one that are looked at */
#define MOST_WORDS 65536u  /* of these */
#define MOST_PLACES 8192u  /* that lead there: more are asked for no member */
#define LEAST_PERCENT 25   /* of these that each of two members leads to */
#define MOST_PATHS 16u	   /* members that do */
#define MOST_CHARACTERS 48 /* of a member, which is shown in a line with others */

#define NO_PLACE UINT32_MAX /* of a member that leads nowhere */

struct place {
	uint64_t bytes;
};

struct path {
	char any[MOST_CHARACTERS + 1]; /* without numbers */
	const char *text;
	uint64_t bytes;
	bool differs; /* in numbers */
};

struct search {
	struct holders *h;
	const struct graph *g;
	uint32_t node, next, words;
	uint16_t type, next_type;
	uint32_t base;		/* of that type in the node */
	uint32_t entry;		/* where next is a list: one of it */
	struct hash_u64 places; /* of struct place, by offset */
	bool leads;		/* the node to the next one */
};

static uint16_t type_of(struct holders *h, uint32_t node)
{
	const struct span *s = graph_span_of(&h->graph, node);
	unsigned int fit;

	if (s->kind == NODE_STATIC || s->kind == NODE_PERCPU)
		return node_types_knows(h->types, node) ? h->types->nodes[node].type : 0;
	return s->kind >= NODE_OBJECT ? holder_step_type(h, node, &fit) : 0;
}

/* What is of the kind of the next step. */
static bool is_like_next(const struct search *s, uint32_t dst)
{
	const struct graph *g = s->g;
	const struct node_types *x = s->h->types;
	uint32_t next = s->entry;

	if (dst == next)
		return true;
	if (span_group(graph_span_of(g, dst)) != span_group(graph_span_of(g, next)) ||
	    graph_is_dead(g, dst) || holders_row(s->h, dst) != holders_row(s->h, next))
		return false;
	/* Areas and pages have nothing else in common. */
	if (!node_types_knows(x, dst))
		return !s->next_type || graph_span_of(g, dst)->kind == NODE_OBJECT;
	return !s->next_type || x->nodes[dst].type == s->next_type;
}

/* In the array without a length at the end of a type, whose elements are alike. */
static bool is_in_open(const struct graph_type *t, uint32_t from)
{
	return t->t.open_element && from != NO_PLACE && from >= t->t.open_at;
}

static void add_place(struct search *s, uint32_t from, uint64_t bytes)
{
	const struct graph_type *t = &s->h->types->types[s->type - 1];
	const uint32_t element = t->element;
	struct place *p;
	bool is_new;

	/* Elements of an array are alike. */
	if (element && from != NO_PLACE)
		from %= element;
	else if (is_in_open(t, from))
		from = t->t.open_at + (from - t->t.open_at) % t->t.open_element;
	p = hash_u64_get(&s->places, from, &is_new);
	p->bytes += bytes;
}

/* Pages and areas may have their addresses in numbers; an object that has one in a number is of another type. */
static bool may_lead(const struct search *s, const struct edge *e)
{
	const struct graph_type *t = &s->h->types->types[s->type - 1];
	const struct type_word *w = e->from < s->base ? NULL
						      : graph_type_word(t, e->from - s->base);

	return w && (w->form != WORD_LONG || graph_span_of(s->g, e->dst)->kind != NODE_OBJECT);
}

static void add_words(struct search *s, uint32_t node)
{
	const struct graph *g = s->g;

	for (uint32_t i = g->first[node]; i < g->first[node + 1] && s->words < MOST_WORDS; i++) {
		const struct edge e = graph_edge_of(g, node, i);

		s->words++;
		if (e.from & PLACE_PAGE || s->h->arcs.marks[i] & EDGE_CUT ||
		    !is_like_next(s, e.dst))
			continue;
		s->leads |= e.src == s->node && e.dst == s->next;
		add_place(s, may_lead(s, &e) ? e.from - s->base : NO_PLACE,
			  graph_span_of(g, e.dst)->stride);
	}
}

/* One of the entries; UINT32_MAX: none is a node. */
static uint32_t entry_of(const struct flow *f, uint32_t list)
{
	for (uint32_t k = f->out_at[list]; k < f->out_at[list + 1]; k++)
		if ((f->out[k] & ARC_NODE) < f->g->nodes)
			return f->out[k] & ARC_NODE;
	return UINT32_MAX;
}

/* Lists with entries of one kind whose heads are in a node. */
static void add_heads(struct search *s, uint32_t node)
{
	const struct flow *f = &s->h->flow;
	const struct chunks *lists = &s->h->arcs.lists;

	for (uint32_t k = f->out_at[node]; k < f->out_at[node + 1] && s->words < MOST_WORDS; k++) {
		uint32_t list = f->out[k] & ARC_NODE, entry;
		const struct list *l;

		s->words++;
		if (list < s->g->nodes || list - s->g->nodes >= lists->n)
			continue;
		l = chunks_at(lists, list - s->g->nodes);
		entry = entry_of(f, list);
		if (l->head != node || l->place & PLACE_PAGE || l->place < s->base ||
		    entry == UINT32_MAX || !is_like_next(s, entry))
			continue;
		s->leads |= node == s->node && list == s->next;
		add_place(s, l->place - s->base,
			  (uint64_t)l->entries * graph_span_of(s->g, entry)->stride);
	}
}

static void add_node(struct search *s, uint32_t node)
{
	if (s->next < s->g->nodes)
		add_words(s, node);
	else
		add_heads(s, node);
}

/* Those of the slabs beside that are of the same type, and of the same root. */
static void add_like(struct search *s)
{
	const struct node_types *x = s->h->types;
	const struct span *span = graph_span_of(s->g, s->node);
	uint32_t from = s->node - span->first < MOST_LIKE / 2 ? span->first
							      : s->node - MOST_LIKE / 2;

	for (uint32_t i = from; i < span->first + span->count && i - from < MOST_LIKE; i++)
		if (i != s->node && node_types_knows(x, i) && x->nodes[i].type == s->type &&
		    !graph_is_dead(s->g, i) && holders_row(s->h, i) == holders_row(s->h, s->node))
			add_node(s, i);
}

/* Without the numbers of elements; false: it is too long. */
static bool without_numbers(const char *text, char *ret)
{
	size_t n = 0;
	bool in_number = false;

	for (; *text; text++) {
		in_number &= *text != ']';
		if (in_number)
			continue;
		if (n == MOST_CHARACTERS)
			return false;
		ret[n++] = *text;
		in_number = *text == '[';
	}
	ret[n] = '\0';
	return true;
}

static const char *member_at(const struct search *s, uint32_t from)
{
	const struct graph_type *of = &s->h->types->types[s->type - 1];
	const struct type_query q = {
		.by = TYPE_BY_NUMBER, .number = of->t.number, .has_at = true, .at = from
	};
	struct typed t = { 0 };

	return dump_ask(s->g->dump, typed, &q, &t) == ST_OK ? t.member : NULL;
}

static uint32_t add_path(struct path *paths, uint32_t n, const char *text, bool is_any,
			 uint64_t bytes)
{
	char any[MOST_CHARACTERS + 1];
	uint32_t i = 0;

	if (!text || !without_numbers(text, any))
		return n;
	while (i < n && strcmp(paths[i].any, any) != 0)
		i++;
	if (i == MOST_PATHS)
		return n;
	if (i == n) {
		paths[n] = (struct path){ .text = text };
		memcpy(paths[n++].any, any, sizeof(any));
	}
	paths[i].bytes += bytes;
	paths[i].differs |= is_any || strcmp(paths[i].text, text) != 0;
	return n;
}

/* ".tree" of ".tree.rb_root" and ".tree.rb_leftmost"; "": nothing. */
static const char *in_common(struct arena *arena, const struct path *paths, uint32_t n)
{
	size_t len = n ? strlen(paths[0].any) : 0;
	bool is_end = !len;

	while (!is_end) {
		is_end = true;
		for (uint32_t i = 0; i < n; i++)
			is_end &= !strncmp(paths[i].any, paths[0].any, len) &&
				  strchr(".[", paths[i].any[len]);
		len -= !is_end;
		is_end |= !len;
	}
	return arena_text(arena, "%.*s", (int)len, paths[0].any);
}

/* ".src and .dst", of which each has its part. */
static const char *both(struct arena *arena, const struct path *paths)
{
	const uint64_t less = paths[0].bytes < paths[1].bytes ? paths[0].bytes : paths[1].bytes;
	const bool is_first = paths[0].bytes >= paths[1].bytes;
	const struct path *a = &paths[!is_first], *b = &paths[is_first];

	if (less * 100 < (paths[0].bytes + paths[1].bytes) * LEAST_PERCENT)
		return "";
	return arena_text(arena, "%s and %s", a->differs ? a->any : a->text,
			  b->differs ? b->any : b->text);
}

static const char *most_of(const struct search *s)
{
	struct path paths[MOST_PATHS];
	uint32_t n = 0, asked = 0;
	uint64_t all = 0, bytes = 0;

	hash_u64_for_each(const struct place, p, &s->places) {
		uint32_t from = hash_u64_entry_of(p)->key;

		all += p->bytes;
		if (asked++ < MOST_PLACES)
			n = add_path(paths, n, from == NO_PLACE ? NULL : member_at(s, from),
				     is_in_open(&s->h->types->types[s->type - 1], from), p->bytes);
	}
	for (uint32_t i = 0; i < n; i++) {
		bytes += paths[i].bytes;
		if (paths[i].bytes * 100 >= all * MOST_PERCENT)
			return arena_strdup(s->g->arena,
					    paths[i].differs ? paths[i].any : paths[i].text);
	}
	return bytes * 100 < all * MOST_PERCENT		      ? ""
	       : n == 2 && !*in_common(s->g->arena, paths, n) ? both(s->g->arena, paths)
							      : in_common(s->g->arena, paths, n);
}

const char *holder_step_member(struct holders *h, uint32_t node, uint32_t next)
{
	const struct graph *g = &h->graph;
	struct search s = { .h = h, .g = g, .node = node, .next = next, .entry = next };
	uint16_t type = h->types && node < g->nodes ? type_of(h, node) : 0;
	const struct inner_type *inner = h->types && node < g->nodes
						 ? node_types_inner(h->types, node)
						 : NULL;

	if (inner) {
		type = inner->type;
		s.base = inner->at;
	}
	if (!type || (h->types->types[type - 1].is_array && !h->types->types[type - 1].element))
		return "";
	if (next >= g->nodes)
		s.entry = next < h->flow.n ? entry_of(&h->flow, next) : UINT32_MAX;
	if (s.entry == UINT32_MAX)
		return "";
	s.type = type;
	s.next_type = type_of(h, s.entry);
	hash_u64_init(&s.places, g->arena, sizeof(struct place));
	add_node(&s, node);
	if (!s.leads)
		return "";
	if (graph_span_of(g, node)->kind == NODE_OBJECT && !inner)
		add_like(&s);
	return most_of(&s);
}

const char *holder_copy_type(const struct holders *h, uint16_t owner, const struct first_chunk *f)
{
	const struct node_types *x = h->types;
	const struct module *m = graph_module(&h->graph, owner);
	unsigned int fit = 100;
	const struct graph_type *t;

	for (unsigned int i = 0; i < h->graph.cpus.n; i++) {
		if (f->node + i >= h->graph.nodes || !node_types_knows(x, f->node + i) ||
		    x->nodes[f->node + i].type != x->nodes[f->node].type)
			return NULL;
		fit = x->nodes[f->node + i].fit < fit ? x->nodes[f->node + i].fit : fit;
	}
	t = &x->types[x->nodes[f->node].type - 1];
	return arena_text(h->graph.arena, "%s (per-CPU, type %u%%)",
			  m && t->t.module && !strcmp(t->t.module, m->name) ? t->t.name : t->name,
			  fit);
}

const char *holder_number_member(struct holders *h, const struct first_chunk *f)
{
	const struct node_types *x = h->types;
	struct search s = { .h = h, .g = &h->graph, .type = x->nodes[f->holder].type };
	const struct graph_type *t = &x->types[s.type - 1];
	char any[MOST_CHARACTERS + 1];
	const char *member;

	if (t->is_array && !t->element)
		return "";
	member = member_at(&s, t->element ? f->place % t->element : f->place);
	if (!member || !without_numbers(member, any))
		return "";
	return arena_strdup(h->graph.arena, t->element ? any : member);
}
