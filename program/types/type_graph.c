// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/type_graph.h"

#define MAX_LINKS 64 /* typedefs and qualifiers around one type, arrays of arrays */

void type_graph_open(struct type_graph *g, struct dump *d)
{
	*g = (struct type_graph){ .dump = d };
	hash_u64_init(&g->nodes, d->arena, sizeof(struct type_node *));
	name_index_open(&g->names, d->arena);
}

static const struct type_node nothing = { .class = TYPE_VOID, .name = "" };

const struct type_node *type_node(struct type_graph *g, type_id id)
{
	struct type_node **kept;
	bool is_new;

	if (!id)
		return &nothing;
	kept = hash_u64_get(&g->nodes, id, &is_new);
	if (is_new) {
		struct type_node *t = arena_alloc(g->dump->arena, sizeof(*t));

		if (g->load(g, id, t))
			*kept = t;
	}
	return *kept;
}

static const char *keyword_end(const char *type, const char *keyword)
{
	size_t len = strlen(keyword);

	return strncmp(type, keyword, len) ? NULL : type + len;
}

static const struct type_node *of_kind(struct type_graph *g, enum name_kind kind, const char *tag)
{
	const struct name_row *r = NULL;

	while ((r = name_index_find(&g->names, kind, tag, r))) {
		const struct type_node *t = type_node(g, r->id);

		if (t)
			return t;
	}
	return NULL;
}

/* The three kinds share their names in gdb, and crash leaves the keyword out. */
static const struct type_node *find_tag(struct type_graph *g, const char *type)
{
	static const struct {
		const char *keyword;
		enum name_kind kind;
	} kinds[] = { { "struct ", NAME_STRUCT },
		      { "union ", NAME_UNION },
		      { "enum ", NAME_ENUM } };
	const char *tag = strchr(type, ' ');
	const struct type_node *ret = NULL;

	tag = tag ? tag + 1 : type;
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !ret; i++)
		if (keyword_end(type, kinds[i].keyword))
			ret = of_kind(g, kinds[i].kind, tag);
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !ret; i++)
		ret = of_kind(g, kinds[i].kind, tag);
	return ret;
}

const struct type_node *type_named(struct type_graph *g, const char *type)
{
	const struct type_node *ret = find_tag(g, type);

	return ret || !g->more || !g->more(g) ? ret : find_tag(g, type);
}

/* What is only declared is a definition elsewhere. */
static const struct type_node *define(struct type_graph *g, const struct type_node *t)
{
	const struct type_node *whole = NULL;

	if (t->class == TYPE_FORWARD_STRUCT)
		whole = of_kind(g, NAME_STRUCT, t->name);
	else if (t->class == TYPE_FORWARD_UNION)
		whole = of_kind(g, NAME_UNION, t->name);
	else if (t->class == TYPE_FORWARD_ENUM)
		whole = of_kind(g, NAME_ENUM, t->name);
	return whole ? whole : t;
}

const struct type_node *type_strip(struct type_graph *g, type_id id)
{
	const struct type_node *t = type_node(g, id);

	for (unsigned int i = 0; t && i < MAX_LINKS; i++) {
		if (t->class != TYPE_TYPEDEF && t->class != TYPE_CONST &&
		    t->class != TYPE_VOLATILE && t->class != TYPE_QUALIFIED)
			return define(g, t);
		t = type_node(g, t->of);
	}
	return NULL;
}

/* Elements of all dimensions from the first on, 0 where one is not said. */
static uint64_t elements(const struct type_node *array, uint32_t first)
{
	uint64_t n = 1;

	for (uint32_t i = first; i < array->n; i++) {
		int64_t more = array->parts[i].value;

		if (more <= 0 || n > UINT32_MAX || more > UINT32_MAX)
			return 0;
		n *= more;
	}
	return n;
}

uint64_t type_bytes(struct type_graph *g, type_id id)
{
	const struct type_node *t = type_strip(g, id);
	uint64_t times = 1;

	for (unsigned int i = 0; t && i < MAX_LINKS; i++) {
		if (t->class != TYPE_ARRAY)
			return t->size > UINT32_MAX || times * t->size > UINT32_MAX
				       ? 0
				       : times * t->size;
		times *= elements(t, 0);
		if (times > UINT32_MAX)
			return 0;
		t = type_strip(g, t->of);
	}
	return 0;
}

static enum kind kind_of(const struct type_node *t, uint64_t bytes)
{
	switch (t->class) {
	case TYPE_POINTER:
		return KIND_POINTER;
	case TYPE_ARRAY:
		return KIND_ARRAY;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_FORWARD_STRUCT:
	case TYPE_FORWARD_UNION:
		return KIND_STRUCT;
	default:
		return bytes && bytes <= 8 ? KIND_INT : KIND_OTHER;
	}
}

enum status type_as_field(struct type_graph *g, type_id id, bool is_element, struct field *ret)
{
	const struct type_node *t = type_strip(g, id);
	uint64_t bytes;

	if (!t)
		return ST_ABSENT;
	bytes = type_bytes(g, id);
	if (is_element) {
		bool is_row = t->class == TYPE_ARRAY && t->n > 1;

		if (t->class != TYPE_ARRAY && t->class != TYPE_POINTER)
			return ST_ABSENT;
		bytes = type_bytes(g, t->of);
		if (is_row)
			bytes *= elements(t, 1);
		else
			t = type_strip(g, t->of);
		if (!t || bytes > UINT32_MAX)
			return ST_ABSENT;
	}
	*ret = (struct field){ .present = true, .kind = kind_of(t, bytes), .size = bytes };
	return ST_OK;
}
