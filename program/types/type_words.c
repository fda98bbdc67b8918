// SPDX-License-Identifier: GPL-2.0-or-later
/* Types as the words in them that lead somewhere. */
#include <stdlib.h>

#include "types/type_graph.h"

#define MAX_DEPTH 16   /* structures and arrays in each other */
#define MAX_WORDS 8192 /* of one type: what is behind is unknown */
#define POINTER 8u
#define MAX_NAME 128 /* of a structure; the longest of a kernel has some 60 */

struct flat {
	struct type_graph *g;
	uint64_t base; /* of numbers */
	uint64_t link; /* where the link begins whose words are added */
	struct type_word *words, *inner;
	uint32_t nwords, ninner;
	bool is_open;
	uint64_t open_at; /* where the last array of no length begins */
	type_id open_of;
	enum word_form open_as;
};

static bool is_composite(const struct type_node *t)
{
	return t->class == TYPE_STRUCT || t->class == TYPE_UNION;
}

static void add(struct type_word *to, uint32_t *n, const struct type_word *w)
{
	if (*n < MAX_WORDS)
		to[(*n)++] = *w;
}

/* Room for those of one type, whose number is not known before. */
static struct type_word *room_for(struct type_graph *g, struct type_word **room)
{
	if (!*room)
		*room = dump_alloc(g->dump, MAX_WORDS * sizeof(**room));
	return *room;
}

/* As many as there are: all types of a kernel and its modules are told. */
static struct type_word *keep(struct type_graph *g, const struct type_word *words, uint32_t n)
{
	return n ? memcpy(dump_alloc(g->dump, n * sizeof(*words)), words, n * sizeof(*words))
		 : NULL;
}

static void add_word(struct flat *f, uint64_t offset, enum word_form form, type_id type)
{
	const struct type_word w = { type		 ? f->base | type
				     : form == WORD_LINK ? f->link
							 : 0,
				     offset, form };

	if (offset <= UINT32_MAX)
		add(f->words, &f->nwords, &w);
}

/* What a pointer of the kernel leads to that has a name: a structure, or a pointer to one. */
static bool leads_to_type(struct type_graph *g, const struct type_node *pointer)
{
	const struct type_node *t = type_strip(g, pointer->of);

	if (t && t->class == TYPE_POINTER)
		t = type_strip(g, t->of);
	return t && is_composite(t) && *t->name && t->size;
}

static bool leads_to_code(struct type_graph *g, const struct type_node *pointer)
{
	const struct type_node *t = type_strip(g, pointer->of);

	return t && t->class == TYPE_FUNCTION;
}

static void flatten(struct flat *f, type_id id, uint64_t at, enum word_form as, unsigned int depth);

static void add_members(struct flat *f, const struct type_node *t, uint64_t at, enum word_form as,
			unsigned int depth)
{
	if (t->class == TYPE_UNION && as == WORD_TYPED)
		as = WORD_ANY;
	if (type_is_link(t) && as != WORD_LINK) {
		as = WORD_LINK;
		f->link = at;
	}
	for (uint32_t i = 0; i < t->n && f->nwords < MAX_WORDS; i++)
		if (!t->parts[i].bit_size)
			flatten(f, t->parts[i].type, at + t->parts[i].bit_offset / 8, as,
				depth + 1);
}

static void add_elements(struct flat *f, const struct type_node *t, uint64_t at, enum word_form as,
			 unsigned int depth)
{
	uint64_t bytes = type_bytes(f->g, t->of), n = 1;

	for (uint32_t i = 0; i < t->n; i++) {
		/* That of no length is the last one. */
		if (t->parts[i].value <= 0) {
			f->is_open |= !i;
			f->open_at = at;
			f->open_of = t->of;
			f->open_as = as;
			return;
		}
		n *= t->parts[i].value;
		if (n > UINT32_MAX)
			return;
	}
	for (uint64_t i = 0; bytes && i < n && f->nwords < MAX_WORDS; i++) {
		uint32_t before = f->nwords;

		flatten(f, t->of, at + i * bytes, as, depth + 1);
		if (f->nwords == before)
			return;
	}
}

/* as: WORD_TYPED, or what all words in it are. */
static void flatten(struct flat *f, type_id id, uint64_t at, enum word_form as, unsigned int depth)
{
	const struct type_node *t = type_strip(f->g, id);

	if (!t || depth > MAX_DEPTH)
		return;
	if (t->class == TYPE_POINTER && as == WORD_TYPED && leads_to_type(f->g, t))
		add_word(f, at, WORD_TYPED, t->of);
	else if (t->class == TYPE_POINTER && as == WORD_TYPED && leads_to_code(f->g, t))
		add_word(f, at, WORD_CODE, 0);
	else if (t->class == TYPE_POINTER)
		add_word(f, at, as == WORD_LINK ? as : WORD_ANY, 0);
	else if (t->class == TYPE_NUMBER && t->size == POINTER)
		add_word(f, at, WORD_LONG, 0);
	else if (t->class == TYPE_ARRAY)
		add_elements(f, t, at, as, depth);
	if (!is_composite(t))
		return;
	if (as == WORD_TYPED && depth && *t->name && at <= UINT32_MAX) {
		const struct type_word w = { f->base | id, at,
					     type_is_link(t) ? WORD_LINK : WORD_TYPED };

		add(f->inner, &f->ninner, &w);
	}
	add_members(f, t, at, as, depth);
}

ORDER_BY(by_offset, struct type_word, COMPARE(x->offset, y->offset) ?: COMPARE(x->form, y->form))

/* Parts of a union lie at one place. */
static uint32_t sort_words(struct type_word *words, uint32_t n)
{
	uint32_t kept = 0;

	if (n)
		qsort(words, n, sizeof(*words), by_offset);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || words[kept - 1].offset != words[i].offset)
			words[kept++] = words[i];
	return kept;
}

static const char *spell(struct type_graph *g, const struct type_node *t)
{
	const struct type_node *of = t->class == TYPE_POINTER ? type_strip(g, t->of) : t;

	if (!of || !is_composite(of) || !*of->name || strlen(of->name) > MAX_NAME)
		return NULL;
	return arena_text(g->dump->arena, "%s %s%s", of->class == TYPE_UNION ? "union" : "struct",
			  of->name, of == t ? "" : " *");
}

/* Of an array without a length at the end one element is told. */
static void add_open(struct flat *f, struct typed *ret)
{
	const uint64_t element = type_bytes(f->g, f->open_of);
	const uint32_t before = f->nwords, inner = f->ninner;

	if (!element || element > UINT32_MAX || f->open_at > UINT32_MAX)
		return;
	flatten(f, f->open_of, f->open_at, f->open_as, 1);
	f->ninner = inner;
	if (f->nwords == before)
		return;
	ret->open_at = (uint32_t)f->open_at;
	ret->open_element = (uint32_t)element;
}

static enum status describe(struct type_graph *g, type_id id, uint64_t base, struct typed *ret)
{
	const struct type_node *t = type_strip(g, id);
	struct flat f = { .g = g, .base = base };

	if (!t || !id)
		return ST_ABSENT;
	f.words = room_for(g, &g->room_for_words);
	f.inner = room_for(g, &g->room_for_inner);
	flatten(&f, id, 0, WORD_TYPED, 0);
	*ret = (struct typed){
		.number = base | id,
		.name = spell(g, t),
		.module = g->module_of ? g->module_of(g, id) : NULL,
		.bytes = type_bytes(g, id),
		.is_open = f.is_open && f.open_at + POINTER > type_bytes(g, id),
	};
	if (ret->is_open)
		add_open(&f, ret);
	ret->nwords = sort_words(f.words, f.nwords);
	ret->words = keep(g, f.words, ret->nwords);
	ret->ninner = f.ninner;
	ret->inner = keep(g, f.inner, f.ninner);
	return ST_OK;
}

/* Several of one name, as static variables are, have to be of one type by name. */
static enum status of_variable(struct type_graph *g, const char *name, type_id *ret)
{
	const struct name_row *r = NULL;
	const char *first = NULL;

	*ret = 0;
	while ((r = name_index_find(&g->names, NAME_VARIABLE, name, r))) {
		const struct type_node *t = type_node(g, r->id);
		char text[256];

		if (!t || !type_bytes(g, r->id))
			continue;
		t = type_strip(g, r->id);
		type_put_text(g, t, text, sizeof(text));
		if (*ret && strcmp(first, text))
			return ST_ABSENT;
		first = arena_strdup(g->dump->arena, text);
		*ret = r->id;
	}
	return *ret ? ST_OK : ST_ABSENT;
}

/* Files of a module have no names of it. */
static bool is_of_module(struct type_graph *g, type_id id, const char *module)
{
	const char *of = module && g->module_of ? g->module_of(g, id) : module;

	return !module || (of && !strcmp(of, module));
}

/* number: of the row of names. */
static enum status next_struct(struct type_graph *g, const struct type_query *q, struct typed *ret)
{
	for (uint64_t i = q->number; i < g->names.n || (g->more && g->more(g)); i++) {
		const struct name_row *r = &g->names.rows[i];

		if (r->kind != NAME_STRUCT || !is_of_module(g, r->id, q->module) ||
		    describe(g, r->id, q->base, ret) != ST_OK)
			continue;
		ret->next = i + 1;
		return ST_OK;
	}
	return ST_ABSENT;
}

static enum status of_member(struct type_graph *g, const struct type_query *q, struct typed *ret)
{
	*ret = (struct typed){ .number = q->number,
			       .member = type_member_at(g, q->number & ~q->base, q->at) };
	return ret->member ? ST_OK : ST_ABSENT;
}

enum status type_graph_typed(void *priv, const struct type_query *q, struct typed *ret)
{
	struct type_graph *g = priv;
	const char *tag;
	const struct name_row *r;
	type_id id;

	switch (q->by) {
	case TYPE_BY_NUMBER:
		if (q->has_at)
			return of_member(g, q, ret);
		return describe(g, q->number & ~q->base, q->base, ret);
	case TYPE_BY_NAME:
		tag = strchr(q->name, ' ');
		r = tag ? name_index_find(&g->names, NAME_STRUCT, tag + 1, NULL) : NULL;
		return r ? describe(g, r->id, q->base, ret) : ST_ABSENT;
	case TYPE_BY_VARIABLE:
		return of_variable(g, q->name, &id) ?: describe(g, id, q->base, ret);
	case TYPE_BY_ORDER:
		return next_struct(g, q, ret);
	}
	return ST_ABSENT;
}
