// SPDX-License-Identifier: GPL-2.0-or-later
/* The member of a type that covers a byte of it, by its path. */
#include "types/type_graph.h"

#define MAX_DEPTH 16 /* structures and arrays in each other */
#define MAX_PATH 256 /* a longer path is none */

/* Links of lists and trees: they lead to a member of what is linked. */
static const char *const links[] = {
	"list_head",	 "hlist_head",	     "hlist_node", "hlist_bl_head",
	"hlist_bl_node", "rb_node",	     "rb_root",	   "llist_head",
	"llist_node",	 "hlist_nulls_head", "plist_node", "callback_head",
	"rhash_head",	 "hlist_nulls_node", "plist_head", "timerqueue_node",
};

/* Others with their own ways inside: what they are of is told by their name. */
static const char *const containers[] = { "xarray",	  "idr",	"ida",
					  "maple_tree",	  "rhashtable", "rhltable",
					  "sk_buff_head", "klist",	"rb_root_cached" };

struct member_path {
	struct type_graph *g;
	char text[MAX_PATH];
	size_t n;
};

bool type_is_link(const struct type_node *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (t->class == TYPE_STRUCT && !strcmp(t->name, links[i]))
			return true;
	return false;
}

static bool is_container(const struct type_node *t)
{
	return t->class == TYPE_STRUCT &&
	       ANY_OF(i, ARRAY_SIZE(containers), !strcmp(t->name, containers[i]));
}

static bool put(struct member_path *p, const char *before, const char *name, const char *behind)
{
	int n = snprintf(p->text + p->n, sizeof(p->text) - p->n, "%s%s%s", before, name, behind);

	if (n < 0 || (size_t)n >= sizeof(p->text) - p->n)
		return false;
	p->n += n;
	return true;
}

/* An array without a length, which covers what is behind it; in structures without a name as well. */
static bool is_open(struct type_graph *g, type_id id, unsigned int depth)
{
	const struct type_node *t = type_strip(g, id);

	if (!t || depth > MAX_DEPTH)
		return false;
	if (t->class == TYPE_ARRAY)
		return t->n == 1 && t->parts[0].value <= 0;
	return (t->class == TYPE_STRUCT || t->class == TYPE_UNION) && t->n &&
	       is_open(g, t->parts[t->n - 1].type, depth + 1);
}

/* The one that covers a byte; NULL: none, several as in a union, or a bit field. */
static const struct type_part *covering(struct type_graph *g, const struct type_node *t,
					uint64_t at)
{
	const struct type_part *ret = NULL;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct type_part *p = &t->parts[i];
		uint64_t from = p->bit_offset / 8;

		if (at < from || (at - from >= type_bytes(g, p->type) && !is_open(g, p->type, 0)))
			continue;
		if (ret || p->bit_size)
			return NULL;
		ret = p;
	}
	return ret;
}

/* *at: from the start of what was entered; NULL: the path ends here. */
static const struct type_node *enter_element(struct member_path *p, const struct type_node *t,
					     uint64_t *at)
{
	uint64_t bytes = type_bytes(p->g, t->of);
	char number[24];

	/* Of several dimensions the path ends with the name. */
	if (t->n != 1 || !bytes)
		return NULL;
	snprintf(number, sizeof(number), "%lu", *at / bytes);
	*at %= bytes;
	return put(p, "[", number, "]") ? type_strip(p->g, t->of) : NULL;
}

static const struct type_node *enter_member(struct member_path *p, const struct type_node *t,
					    uint64_t *at)
{
	const struct type_part *part = type_is_link(t) || is_container(t) ? NULL
									  : covering(p->g, t, *at);

	if (!part || (*part->name && !put(p, ".", part->name, "")))
		return NULL;
	*at -= part->bit_offset / 8;
	return type_strip(p->g, part->type);
}

const char *type_member_at(struct type_graph *g, type_id id, uint64_t at)
{
	struct member_path p = { .g = g };
	const struct type_node *t = type_strip(g, id);

	if (at >= type_bytes(g, id) && !is_open(g, id, 0))
		return NULL;
	for (unsigned int depth = 0; t && depth < MAX_DEPTH; depth++) {
		if (t->class == TYPE_ARRAY)
			t = enter_element(&p, t, &at);
		else if (t->class == TYPE_STRUCT || t->class == TYPE_UNION)
			t = enter_member(&p, t, &at);
		else
			break;
	}
	return p.n ? arena_strdup(g->dump->arena, p.text) : NULL;
}
