// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structures of a module inside of what the kernel allocated for it: behind the head of what a device frees with its
 * driver, the private data of a net device, and wherever a typed pointer leads into an object.
 */
#include "holders/steps.h"
#include "holders/types.h"

#define MOST_ENTRIES 4096u /* of lists of devices, and of objects that may be net devices */

const struct inner_type *node_types_inner(const struct node_types *x, uint32_t node)
{
	const struct inner_type *ret = hash_u64_find(&x->inner, node);

	/* Of a known type is what is in front of it, as a net device of its private data. */
	return ret && ret->type &&
			       (!node_types_knows(x, node) ||
				ret->at >= x->types[x->nodes[node].type - 1].t.bytes)
		       ? ret
		       : NULL;
}

/* The number of a structure of a module by its name; 0: there is none. */
static uint16_t named(const struct node_types *x, uint16_t owner, const char *name)
{
	const struct module *m = graph_module(x->g, owner);

	for (uint32_t i = 0; m && name && i < x->ntypes; i++) {
		const struct typed *t = &x->types[i].t;

		if (t->name == name && t->module && !strcmp(t->module, m->name))
			return i + 1;
	}
	return 0;
}

/* A structure that has another one in it, or is larger than one beside it; where they overlap none is known. */
static bool is_around(const struct node_types *x, struct inner_type *inner, uint32_t at,
		      uint16_t type)
{
	const uint64_t end = at + x->types[type - 1].t.bytes;
	const uint64_t last = inner->at + x->types[inner->type - 1].t.bytes;
	bool is_inside = at >= inner->at && end <= last;
	bool is_beside = at >= last || end <= inner->at;

	if (is_inside || (is_beside && end - at <= last - inner->at))
		return false;
	if (is_beside || (at <= inner->at && end >= last))
		return true;
	inner->type = 0;
	return false;
}

static void add(struct node_types *x, uint32_t node, uint32_t at, uint16_t type)
{
	struct inner_type *inner;
	uint32_t *kept;
	bool is_new;

	if (!type)
		return;
	inner = hash_u64_get(&x->inner, node, &is_new);
	if (!is_new && (!inner->type || !is_around(x, inner, at, type)))
		return;
	kept = chunks_add(x->known);
	if (kept)
		*kept = node;
	*inner = (struct inner_type){ at, type };
}

void node_types_add_inner(struct node_types *x, uint32_t node, uint32_t at, uint16_t type)
{
	const struct span *s = graph_span_of(x->g, node);
	const struct graph_type *t = type ? &x->types[type - 1] : NULL;

	if (t && t->t.module && !t->is_array && at < PLACE_MAX && s->kind == NODE_OBJECT &&
	    x->groups[s->group].is_mixed && !x->nodes[node].votes && at + t->t.bytes <= s->stride)
		add(x, node, at, type);
}

/* What a device frees with its driver, by its size. */
static void add_devres(struct node_types *x, uint32_t node, uint16_t owner)
{
	uint64_t bytes;
	uint32_t at;

	if (node < x->g->nodes && holder_is_devres(x->h, node, &bytes, &at) && bytes)
		add(x, node, at, named(x, owner, holder_sized_type(x->h, owner, bytes)));
}

static void add_list(struct node_types *x, uint32_t list, uint16_t owner)
{
	const struct flow *f = &x->h->flow;
	uint32_t n = 0;

	for (uint32_t k = f->out_at[list]; k < f->out_at[list + 1] && n++ < MOST_ENTRIES; k++)
		add_devres(x, f->out[k] & ARC_NODE, owner);
}

static uint16_t module_of(const struct node_types *x, uint32_t node)
{
	uint16_t tag = x->g->tags[node];
	uint16_t owner = graph_module(x->g, tag) ? tag : holders_owner(x->h, node);

	return graph_module(x->g, owner) ? owner : 0;
}

static void find_devres(struct node_types *x)
{
	const struct chunks *lists = &x->h->arcs.lists;
	uint32_t tried = 0;

	for (uint32_t i = 0; i < lists->n && tried < MOST_ENTRIES; i++) {
		const struct list *l = chunks_at(lists, i);
		uint16_t owner = l->heads && l->head < x->g->nodes &&
						 graph_span_of(x->g, l->head)->kind == NODE_OBJECT
					 ? module_of(x, l->head)
					 : 0;

		if (!owner)
			continue;
		tried++;
		if (holder_device_name(x->h, l->head))
			add_list(x, x->g->nodes + i, owner);
	}
}

/* Of one or two entries there is no list. */
static void add_of_device(struct node_types *x, uint32_t device, uint16_t owner)
{
	const struct graph *g = x->g;

	for (uint32_t i = g->first[device]; i < g->first[device + 1]; i++) {
		const struct edge e = graph_edge_of(g, device, i);

		if (!e.to && !(e.from & PLACE_PAGE) && graph_span_of(g, e.dst)->kind == NODE_OBJECT)
			add_devres(x, e.dst, owner);
	}
}

static void add_private(struct node_types *x, uint32_t node, uint16_t owner)
{
	uint32_t at = holder_net_private(x->h, node);

	if (at)
		add(x, node, at, named(x, owner, holder_part_type(x->h, owner, node, at)));
}

/* Objects that name a module and may be devices. */
static void find_devices(struct node_types *x)
{
	uint64_t least = 0;
	uint32_t tried = 0;

	if (dump_ask(x->g->dump, type_size, "struct device", &least) != ST_OK)
		return;
	for (uint32_t i = 0; i < x->g->spans.n; i++) {
		const struct span *s = graph_span(x->g, i);

		if (s->kind != NODE_OBJECT || s->stride < least || !x->groups[s->group].is_mixed)
			continue;
		for (uint32_t k = s->first; k < s->first + s->count && tried < MOST_ENTRIES; k++) {
			uint16_t owner = graph_is_dead(x->g, k) ? 0 : module_of(x, k);

			if (!owner || x->g->tags[k] != owner)
				continue;
			tried++;
			if (!holder_device_name(x->h, k))
				continue;
			add_of_device(x, k, owner);
			add_private(x, k, owner);
		}
	}
}

void node_types_find_inner(struct node_types *x)
{
	struct node_types *before = x->h->types;

	/* What is asked for names structures by these. */
	x->h->types = x;
	find_devres(x);
	find_devices(x);
	x->h->types = before;
}
