// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Questions of struct type_source, answered of a graph of types as crash/types.c does: a member of
 * a type without a name, or of what a member points to, is an expression of gdb there, which knows bits.
 */

#include "types/type_graph.h"

#define MAX_PATH 256	 /* bytes of "a.b.c" */
#define MAX_DEPTH 16	 /* structures without a name in each other */
#define MAX_LOOKED 20000 /* members, for one question */

struct place {
	type_id type;
	uint64_t base;	   /* bytes from the start to the structure that has the member */
	uint64_t bits;	   /* from there */
	uint32_t bit_size; /* 0: no bit field */
};

struct search {
	struct type_graph *g;
	const char *name;
	unsigned int looked;
	struct place *ret;
};

static bool is_composite(const struct type_node *t)
{
	return t && (t->class == TYPE_STRUCT || t->class == TYPE_UNION);
}

/* Among the members, and those of members without a name, in their order. */
static bool find_in(struct search *s, const struct type_node *t, uint64_t base, unsigned int depth)
{
	for (uint32_t i = 0; i < t->n && s->looked++ < MAX_LOOKED; i++) {
		const struct type_part *p = &t->parts[i];
		const struct type_node *inner;

		if (!strcmp(p->name, s->name)) {
			*s->ret = (struct place){ p->type, base, p->bit_offset, p->bit_size };
			return true;
		}
		if (*p->name || depth == MAX_DEPTH)
			continue;
		inner = type_strip(s->g, p->type);
		if (is_composite(inner) && find_in(s, inner, base + p->bit_offset / 8, depth + 1))
			return true;
	}
	return false;
}

/* One name of a path. */
static bool find_one(struct type_graph *g, const struct type_node *t, const char *name,
		     struct place *ret)
{
	struct search s = { .g = g, .name = name, .ret = ret };

	return *name && is_composite(t) && find_in(&s, t, 0, 0);
}

/* "a.b.c"; by_expression: a type on the way has no name. */
static bool find_path(struct type_graph *g, const struct type_node *t, const char *path,
		      struct place *ret, bool *by_expression)
{
	char copy[MAX_PATH], *rest = copy, *name;
	struct place at = { 0 };
	uint64_t base = 0;

	if (strlen(path) >= sizeof(copy))
		return false;
	strcpy(copy, path);
	while ((name = strsep(&rest, "."))) {
		if (!find_one(g, t, name, &at))
			return false;
		at.base += base;
		if (!rest)
			break;
		t = type_strip(g, at.type);
		if (!is_composite(t))
			return false;
		*by_expression |= !*t->name;
		base = at.base + at.bits / 8;
	}
	*ret = at;
	return at.base + at.bits / 8 <= UINT32_MAX;
}

/* Which bytes gdb reads for it: the number that has all its bits, else from the byte with the first. */
static void place_bits(const struct place *p, struct field *f)
{
	uint32_t whole = f->size * 8;
	uint32_t bit = whole && whole <= 64 && p->bits % whole + p->bit_size <= whole
			       ? p->bits % whole
			       : p->bits % 8;

	f->offset = p->base + (p->bits - bit) / 8;
	f->bit_offset = bit;
	f->bit_size = p->bit_size;
}

/* "struct x.member" is what that member points to. */
static const struct type_node *pointed(struct type_graph *g, const char *type)
{
	const char *dot = strchr(type, '.');
	char of[MAX_PATH];
	bool by_expression = false;
	struct place p;
	const struct type_node *t;

	if ((size_t)(dot - type) >= sizeof(of))
		return NULL;
	memcpy(of, type, dot - type);
	of[dot - type] = '\0';
	t = type_named(g, of);
	if (!t || !find_path(g, t, dot + 1, &p, &by_expression))
		return NULL;
	t = type_strip(g, p.type);
	return t && t->class == TYPE_POINTER ? type_strip(g, t->of) : NULL;
}

static const struct type_node *type_of(struct type_graph *g, const char *type)
{
	return strchr(type, '.') ? pointed(g, type) : type_named(g, type);
}

/* crash's own look-up does not look behind the name of a typedef: atomic_t is a number to it. */
static bool is_typedef(struct type_graph *g, type_id id)
{
	const struct type_node *t = type_node(g, id);

	for (unsigned int i = 0; t && i < MAX_DEPTH; i++) {
		if (t->class == TYPE_TYPEDEF)
			return true;
		if (t->class != TYPE_CONST && t->class != TYPE_VOLATILE &&
		    t->class != TYPE_QUALIFIED)
			return false;
		t = type_node(g, t->of);
	}
	return false;
}

static enum status find(struct type_graph *g, const char *type, const char *member, bool bits,
			struct field *ret)
{
	const struct type_node *t = type_of(g, type);
	bool by_expression = bits || strchr(type, '.');
	struct place p;
	struct field f;

	if (!t || !find_path(g, t, member, &p, &by_expression) ||
	    type_as_field(g, p.type, false, &f) != ST_OK)
		return ST_ABSENT;
	f.offset = p.base + p.bits / 8;
	if (by_expression && p.bit_size)
		place_bits(&p, &f);
	if (!by_expression && is_typedef(g, p.type))
		f.kind = f.size && f.size <= 8 ? KIND_INT : KIND_OTHER;
	*ret = f;
	return ST_OK;
}

static enum status answer_member(void *priv, const char *type, const char *member,
				 struct field *ret)
{
	return find(priv, type, member, false, ret);
}

static enum status answer_bits(void *priv, const char *type, const char *member, struct field *ret)
{
	return find(priv, type, member, true, ret);
}

static enum status answer_size(void *priv, const char *type, uint64_t *ret)
{
	const struct type_node *t = type_of(priv, type);

	if (!is_composite(t) || !t->size)
		return ST_ABSENT;
	*ret = t->size;
	return ST_OK;
}

static const struct type_part *part_of(const struct type_node *t, const char *name)
{
	for (uint32_t i = 0; t && t->class == TYPE_ENUM && i < t->n; i++)
		if (!strcmp(t->parts[i].name, name))
			return &t->parts[i];
	return NULL;
}

/* The first of that name, and the enumeration that has it. */
static const struct type_part *enumerator(struct type_graph *g, const char *name,
					  const struct type_node **of)
{
	const struct name_row *r = NULL;

	while ((r = name_index_find(&g->names, NAME_ENUMERATOR, name, r))) {
		const struct type_part *p;

		*of = type_node(g, r->id);
		p = part_of(*of, name);
		if (p)
			return p;
	}
	return NULL;
}

static enum status answer_enumerator(void *priv, const char *name, int64_t *ret)
{
	struct type_graph *g = priv;
	const struct type_node *of;
	const struct type_part *p = enumerator(g, name, &of);

	if (!p && g->more && g->more(g))
		p = enumerator(g, name, &of);
	if (!p)
		return ST_ABSENT;
	*ret = p->value;
	return ST_OK;
}

static bool answer_enumerates(void *priv, const char *type, const char *name)
{
	const struct type_node *of;

	return enumerator(priv, name, &of) && !strncmp(type, "enum ", 5) && *of->name &&
	       !strcmp(type + 5, of->name);
}

/* "variable" or "variable[0]". */
static enum status answer_variable(void *priv, const char *name, struct field *ret)
{
	static const enum name_kind kinds[] = { NAME_VARIABLE, NAME_DECLARED };
	struct type_graph *g = priv;
	const char *element = strstr(name, "[0]");
	char plain[MAX_PATH];
	size_t len = element ? (size_t)(element - name) : strlen(name);
	bool found = false;

	if (len >= sizeof(plain) || (element && element[3]))
		return ST_ABSENT;
	memcpy(plain, name, len);
	plain[len] = '\0';
	/* The first declaration of an array may not say its length. */
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const struct name_row *r = NULL;

		while ((r = name_index_find(&g->names, kinds[i], plain, r))) {
			struct field f;

			if (type_as_field(g, r->id, element, &f) != ST_OK || (found && !f.size))
				continue;
			*ret = f;
			found = true;
			if (f.size)
				return ST_OK;
		}
	}
	if (found)
		return ST_OK;
	return g->variable ? g->variable(g, name, ret) : ST_ABSENT;
}

static const struct type_node *function(struct type_graph *g, const char *name)
{
	const struct name_row *r = name_index_find(&g->names, NAME_FUNCTION, name, NULL);
	type_id id = r ? r->id : g->function ? g->function(g, name) : 0;

	if (id)
		return type_node(g, id);
	r = name_index_find(&g->names, NAME_VARIABLE, name, NULL);
	return r ? type_node(g, r->id) : NULL;
}

static enum status answer_text(void *priv, const char *type, char *buf, size_t size)
{
	const struct type_node *t = strchr(type, ' ') ? type_named(priv, type)
						      : function(priv, type);

	if (!t || !size)
		return ST_ABSENT;
	type_put_text(priv, t, buf, size);
	return ST_OK;
}

void type_graph_source(struct type_graph *g, const char *what, struct type_source *ret)
{
	*ret = (struct type_source){
		.what = what,
		.variable = answer_variable,
		.type_size = answer_size,
		.member = answer_member,
		.bits = answer_bits,
		.typed = type_graph_typed,
		.type_text = answer_text,
		.enumerator = answer_enumerator,
		.enumerates = answer_enumerates,
		.priv = g,
	};
}
