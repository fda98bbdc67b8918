// SPDX-License-Identifier: GPL-2.0-or-later
#include "types/btf_graph.h"

#define MODULE_SHIFT 32 /* a type_id: the module's place in parts, then the number in its BTF */

static struct btf *part_of(const struct btf_graph *b, type_id id)
{
	return id >> MODULE_SHIFT < b->n ? b->parts[id >> MODULE_SHIFT] : NULL;
}

/* Types of vmlinux have one number, whichever module refers to them. */
static type_id id_of(uint32_t number, type_id from, const struct btf *part)
{
	return number < part->first ? number : (from >> MODULE_SHIFT << MODULE_SHIFT) | number;
}

/*
 * An enumeration without negative values is unsigned since pahole 1.24, which marks the others; before,
 * none was marked.  Values are asked for that fit both.
 */
static struct type_part *enumerators(struct btf_graph *b, const struct btf *part,
				     const struct btf_type *t)
{
	struct type_part *ret = arena_alloc(b->graph.dump->arena, (t->n + 1) * sizeof(*ret));

	for (uint32_t i = 0; i < t->n; i++)
		btf_enumerator(part, t, i, &ret[i].name, &ret[i].value);
	return ret;
}

static struct type_part *members(struct btf_graph *b, const struct btf *part,
				 const struct btf_type *t, type_id id)
{
	struct type_part *ret = arena_alloc(b->graph.dump->arena, (t->n + 1) * sizeof(*ret));
	struct btf_member m;

	for (uint32_t i = 0; btf_member(part, t, i, &m); i++)
		ret[i] = (struct type_part){
			.name = m.name,
			.type = id_of(m.type, id, part),
			.bit_offset = m.bit_offset,
			.bit_size = m.bit_size,
		};
	return ret;
}

/* The last parameter of a function that takes more has no name and no type. */
static struct type_part *parameters(struct btf_graph *b, const struct btf *part,
				    const struct btf_type *t, type_id id, struct type_node *node)
{
	struct type_part *ret = arena_alloc(b->graph.dump->arena, (t->n + 1) * sizeof(*ret));
	struct btf_member m;

	for (uint32_t i = 0; btf_parameter(part, t, i, &m); i++) {
		node->is_variadic = i + 1 == t->n && !m.type && !*m.name;
		ret[i] = (struct type_part){ .name = m.name, .type = id_of(m.type, id, part) };
	}
	node->n = t->n - node->is_variadic;
	return ret;
}

static struct type_part *dimension(struct btf_graph *b, const struct btf_type *t)
{
	struct type_part *ret = arena_alloc(b->graph.dump->arena, sizeof(*ret));

	*ret = (struct type_part){ .name = "", .value = t->n ? (int64_t)t->n : -1 };
	return ret;
}

static bool load(struct type_graph *g, type_id id, struct type_node *ret)
{
	static const enum type_class classes[BTF_KINDS] = {
		[BTF_INT] = TYPE_NUMBER,	  [BTF_FLOAT] = TYPE_NUMBER,
		[BTF_PTR] = TYPE_POINTER,	  [BTF_ARRAY] = TYPE_ARRAY,
		[BTF_STRUCT] = TYPE_STRUCT,	  [BTF_UNION] = TYPE_UNION,
		[BTF_ENUM] = TYPE_ENUM,		  [BTF_ENUM64] = TYPE_ENUM,
		[BTF_FUNC_PROTO] = TYPE_FUNCTION, [BTF_TYPEDEF] = TYPE_TYPEDEF,
		[BTF_CONST] = TYPE_CONST,	  [BTF_VOLATILE] = TYPE_VOLATILE,
		[BTF_RESTRICT] = TYPE_QUALIFIED,  [BTF_TYPE_TAG] = TYPE_QUALIFIED,
		[BTF_FUNC] = TYPE_QUALIFIED,	  [BTF_VAR] = TYPE_QUALIFIED,
		[BTF_FWD] = TYPE_FORWARD_STRUCT,
	};
	struct btf_graph *b = g->priv;
	const struct btf *part = part_of(b, id);
	struct btf_type t;

	if (!part || !btf_type(part, (uint32_t)id, &t))
		return false;
	*ret = (struct type_node){
		.class = classes[t.kind],
		.name = t.name,
		.size = t.kind == BTF_PTR ? 8 : t.size,
		.of = id_of(t.type, id, part),
	};
	switch (t.kind) {
	case BTF_ENUM:
	case BTF_ENUM64:
		ret->parts = enumerators(b, part, &t);
		ret->n = t.n;
		break;
	case BTF_STRUCT:
	case BTF_UNION:
		ret->parts = members(b, part, &t, id);
		ret->n = t.n;
		break;
	case BTF_FUNC_PROTO:
		ret->parts = parameters(b, part, &t, id, ret);
		break;
	case BTF_ARRAY:
		ret->parts = dimension(b, &t);
		ret->n = 1;
		break;
	case BTF_FWD:
		if (t.is_signed)
			ret->class = TYPE_FORWARD_UNION;
		return true;
	default:
		return true;
	}
	return ret->parts;
}

static void index_enumerators(struct btf_graph *b, const struct btf *part, const struct btf_type *t,
			      type_id id)
{
	const char *name;
	int64_t value;

	for (uint32_t i = 0; btf_enumerator(part, t, i, &name, &value); i++)
		name_index_add(&b->graph.names, NAME_ENUMERATOR, name, id);
}

/* Functions are asked for by one or two names, and half of the types are some: they are found without. */
static void index_part(struct btf_graph *b, unsigned int place)
{
	static const enum name_kind kinds[BTF_KINDS] = {
		[BTF_STRUCT] = NAME_STRUCT, [BTF_UNION] = NAME_UNION,  [BTF_ENUM] = NAME_ENUM,
		[BTF_ENUM64] = NAME_ENUM,   [BTF_VAR] = NAME_VARIABLE,
	};
	const struct btf *part = b->parts[place];
	struct btf_type t;

	for (uint32_t i = part->first; i < part->n; i++) {
		type_id id = (type_id)place << MODULE_SHIFT | i;
		unsigned int kind = btf_kind(part, i);

		if ((!kinds[kind] && kind != BTF_STRUCT) || !btf_type(part, i, &t))
			continue;
		if (*t.name)
			name_index_add(&b->graph.names, kinds[t.kind], t.name, id);
		if (t.kind == BTF_ENUM || t.kind == BTF_ENUM64)
			index_enumerators(b, part, &t, id);
	}
}

static type_id function(struct type_graph *g, const char *name)
{
	const struct btf_graph *b = g->priv;
	struct btf_type t;

	for (unsigned int place = 0; place < b->n; place++)
		for (uint32_t i = b->parts[place]->first; i < b->parts[place]->n; i++)
			if (btf_kind(b->parts[place], i) == BTF_FUNC &&
			    btf_type(b->parts[place], i, &t) && !strcmp(t.name, name))
				return (type_id)place << MODULE_SHIFT | i;
	return 0;
}

static enum status add(struct btf_graph *b, const void *bytes, size_t size)
{
	struct dump *d = b->graph.dump;
	struct btf *part = dump_alloc(d, sizeof(*part));
	enum status st;

	st = btf_open_split(d, bytes, size, b->n ? b->parts[0] : NULL, part);
	if (st != ST_OK)
		return st;
	b->parts[b->n++] = part;
	index_part(b, b->n - 1);
	return b->graph.names.failed ? dump_no_memory(d) : ST_OK;
}

static const char *module_of(struct type_graph *g, type_id id)
{
	const struct btf_graph *b = g->priv;

	return id >> MODULE_SHIFT < b->n ? b->modules[id >> MODULE_SHIFT] : NULL;
}

enum status btf_graph_open(struct dump *d, const void *bytes, size_t size, struct btf_graph *ret)
{
	memset(ret, 0, sizeof(*ret));
	type_graph_open(&ret->graph, d);
	ret->graph.priv = ret;
	ret->graph.load = load;
	ret->graph.module_of = module_of;
	ret->graph.function = function;
	return add(ret, bytes, size);
}

enum status btf_graph_add(struct btf_graph *b, const void *bytes, size_t size, const char *module)
{
	enum status st;

	if (b->n > BTF_GRAPH_MODULES)
		return dump_fail(b->graph.dump, ST_CORRUPT, "more than %d modules have BTF",
				 BTF_GRAPH_MODULES);
	st = add(b, bytes, size);
	if (st == ST_OK)
		b->modules[b->n - 1] = module;
	return st;
}
