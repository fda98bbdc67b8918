// SPDX-License-Identifier: GPL-2.0-or-later
/* Types that were asked for, one for all of a name and a size. */
#include "holders/types.h"

#define MAX_TYPES 65000u /* their numbers have 16 bits */

static const char *const pages[] = { "struct page", "struct folio", "struct slab", "struct ptdesc",
				     "struct netmem_desc" };

static uint16_t add(struct node_types *x, const struct typed *t)
{
	struct graph_type *more;

	if (x->ntypes == MAX_TYPES)
		return 0;
	if (x->ntypes == x->room) {
		x->room = x->room ? x->room * 2 : 1024;
		more = arena_alloc(x->arena, x->room * sizeof(*more));
		if (x->ntypes)
			memcpy(more, x->types, x->ntypes * sizeof(*more));
		x->types = more;
	}
	more = &x->types[x->ntypes++];
	*more = (struct graph_type){
		.t = *t,
		.name = t->name,
		.is_array = t->name && strchr(t->name, '*'),
	};
	more->is_page = t->name && ANY_OF(i, ARRAY_SIZE(pages), !strcmp(t->name, pages[i]));
	if (t->name && t->module)
		more->name = arena_text(x->arena, "%s [%s]", t->name, t->module);
	return x->ntypes;
}

static uint16_t add_named(struct node_types *x, const struct typed *t)
{
	const char *key = arena_text(x->arena, "%lx %s %s", t->bytes, t->module ? t->module : "",
				     t->name);
	bool is_new;
	uint16_t *kept = hash_bytes_get(&x->named, key, strlen(key), &is_new)->value;

	if (is_new)
		*kept = add(x, t);
	return *kept;
}

uint16_t node_types_get(struct node_types *x, const struct type_query *q)
{
	struct dump *d = x->g->dump;
	uint16_t *kept = NULL, ret;
	struct typed t;
	bool is_new = false;

	if (q->by == TYPE_BY_NUMBER) {
		kept = hash_u64_get(&x->numbers, q->number, &is_new);
		if (!is_new)
			return *kept;
	}
	x->next = 0;
	if (dump_ask(d, typed, q, &t) != ST_OK)
		return 0;
	x->next = t.next;
	if (!t.name && !t.nwords)
		return 0;
	ret = t.name ? add_named(x, &t) : add(x, &t);
	if (kept)
		*kept = ret;
	return ret;
}

uint16_t node_types_array(struct node_types *x, uint16_t of)
{
	/* A copy: the array of types moves. */
	struct typed t = x->types[of - 1].t;
	uint16_t ret;

	if (!t.name || !t.bytes || t.is_open || x->types[of - 1].is_array)
		return 0;
	t.name = arena_text(x->arena, "%s[]", t.name);
	ret = add_named(x, &t);
	if (!ret)
		return 0;
	x->types[ret - 1].is_array = true;
	x->types[ret - 1].element = (uint32_t)t.bytes;
	return ret;
}

#define COPY_ALIGNED 8u /* sizes of per-CPU allocations are multiples of 4, or 8 */

uint16_t node_types_copies(struct node_types *x, uint32_t node, uint16_t of)
{
	const uint32_t bytes = graph_copy_bytes(x->g, graph_span_of(x->g, node));
	/* A copy: the array of types moves. */
	const struct typed t = x->types[of - 1].t;
	const char *key = arena_text(x->arena, "%x copies of %u", bytes, of);
	uint16_t *kept;
	bool is_new;

	if (!t.name || !t.bytes || t.bytes > bytes || bytes - t.bytes >= COPY_ALIGNED ||
	    x->types[of - 1].is_array)
		return 0;
	kept = hash_bytes_get(&x->named, key, strlen(key), &is_new)->value;
	if (is_new)
		*kept = add(x, &t);
	if (*kept) {
		x->types[*kept - 1].is_array = true;
		x->types[*kept - 1].element = bytes;
	}
	return *kept;
}

const struct type_word *graph_type_word(const struct graph_type *t, uint32_t offset)
{
	uint32_t low = 0, high = t->t.nwords;

	if (t->is_array)
		offset %= t->element ?: 8;
	else if (t->t.open_element && offset >= t->t.open_at)
		offset = t->t.open_at + (offset - t->t.open_at) % t->t.open_element;
	while (low < high) {
		uint32_t mid = (low + high) / 2;

		if (t->t.words[mid].offset < offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low < t->t.nwords && t->t.words[low].offset == offset ? &t->t.words[low] : NULL;
}

bool graph_type_begins_with(struct node_types *x, uint16_t whole, uint16_t part)
{
	for (uint32_t i = 0; i < x->types[whole - 1].t.ninner; i++) {
		const struct type_word w = x->types[whole - 1].t.inner[i];
		const struct type_query q = { .by = TYPE_BY_NUMBER, .number = w.type };

		if (w.offset)
			break;
		if (node_types_get(x, &q) == part)
			return true;
	}
	return false;
}

bool types_of_module(struct dump *d, const char *module)
{
	const struct type_query q = { .by = TYPE_BY_ORDER, .module = module };
	struct typed t;

	return d->ops->typed && dump_ask(d, typed, &q, &t) == ST_OK;
}

const char *types_missing_text(struct dump *d, const char *module)
{
	return dump_text(
		d, "memowner --modules DIR names them, with %s.ko and its debug information in DIR",
		module);
}
