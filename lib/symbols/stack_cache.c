// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/stack_cache.h"

#include <string.h>

enum status stacks_open(struct dump *d, struct stacks *ret)
{
	enum status st;

	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	map_init(&ret->cache, d->arena, sizeof(struct known_stack));
	st = depot_open(d, &ret->depot);
	if (st == DUMP_OK)
		symbolizer_open(d, &ret->symbols);
	return st;
}

void stacks_with_lines(struct stacks *s, const char *dir)
{
	lines_open(s->dump, dir, &s->lines);
	s->symbols.lines = &s->lines;
	/* Its decisions are for -D: no address is at 0. */
	if (s->dump->take_notes)
		lines_of_call(&s->lines, 0, NULL);
}

static enum status name_frames(struct stacks *s, const struct depot_stack *record,
			       struct stack *ret)
{
	ret->n = record->n;
	ret->cut = s->depth_limit && record->n >= s->depth_limit ? s->depth_limit : 0;
	ret->frames = dump_alloc(s->dump, record->n * sizeof(*ret->frames));
	if (!ret->frames)
		return DUMP_NOMEM;
	for (unsigned int i = 0; i < record->n; i++) {
		ret->frames[i] = symbolize(&s->symbols, record->frames[i]);
		if (!ret->frames[i])
			return dump_fail(s->dump, DUMP_NOMEM, "out of memory");
	}
	return DUMP_OK;
}

struct known_stack *stacks_get(struct stacks *s, uint32_t handle)
{
	struct known_stack *k;
	bool is_new;

	k = map_get(&s->cache, handle, &is_new);
	if (k && is_new)
		k->decoded = depot_fetch(&s->depot, handle, &k->record) == DUMP_OK;
	return k;
}

const struct stack *stacks_frames(struct stacks *s, struct known_stack *k)
{
	if (!k || !k->decoded)
		return NULL;
	if (!k->named)
		k->named = name_frames(s, &k->record, &k->stack) == DUMP_OK;
	return k->named ? &k->stack : NULL;
}
