// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/stack_cache.h"

enum status stack_cache_open(struct dump *d, struct stack_cache *ret)
{
	enum status st;

	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	hash_u64_init(&ret->cache, d->arena, sizeof(struct cached_stack));
	st = depot_open(d, &ret->depot);
	if (st == ST_OK)
		symbolizer_open(d, &ret->symbols);
	return st;
}

void stack_cache_with_lines(struct stack_cache *s, const char *dir)
{
	lines_open(s->dump, dir, &s->lines);
	s->symbols.lines = &s->lines;
	/* Opens the debug file of vmlinux for the trace of -D; no frame has the address 0. */
	if (s->dump->tracing)
		lines_of_call(&s->lines, 0, NULL);
}

static void name_frames(struct stack_cache *s, const struct depot_stack *record, struct stack *ret)
{
	ret->n = record->n;
	ret->cut = s->depth_limit && record->n >= s->depth_limit ? s->depth_limit : 0;
	ret->frames = dump_alloc(s->dump, record->n * sizeof(*ret->frames));
	for (unsigned int i = 0; i < record->n; i++) {
		ret->frames[i] = symbolize(&s->symbols, record->frames[i]);
	}
}

struct cached_stack *stack_cache_get(struct stack_cache *s, uint32_t handle)
{
	struct cached_stack *k;
	bool is_new;

	k = hash_u64_get(&s->cache, handle, &is_new);
	if (is_new)
		k->decoded = depot_fetch(&s->depot, handle, &k->record) == ST_OK;
	return k;
}

struct cached_stack *stack_cache_add(struct stack_cache *s, const struct depot_stack *record)
{
	struct cached_stack *k;
	bool is_new;

	k = hash_u64_get(&s->cache, record->handle, &is_new);
	if (!k->decoded) {
		k->record = *record;
		k->decoded = depot_frames(&s->depot, &k->record) == ST_OK;
	}
	return k;
}

const struct stack *stack_cache_frames(struct stack_cache *s, struct cached_stack *k)
{
	if (!k || !k->decoded)
		return NULL;
	if (!k->named)
		name_frames(s, &k->record, &k->stack);
	k->named = true;
	return &k->stack;
}
