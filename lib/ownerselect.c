// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "ownerview.h"

void owner_select_init(struct owner_view *v, struct owner_select *ret)
{
	const struct invocation *in = v->in;
	bool all = in->opts.all;

	memset(ret, 0, sizeof(*ret));
	ret->filters = &in->filters;
	for (unsigned int i = 0; i < in->filters.n; i++)
		map_init(&ret->known[i], v->dump->arena, sizeof(bool));
	/* Pages that are free are asked for by name. */
	for (size_t i = 0; i < in->ngroups; i++)
		all |= in->groups[i] == KEY_STATE;
	ret->live = true;
	ret->free = all;
	for (unsigned int i = 0; i < in->filters.n; i++) {
		const struct filter *f = &in->filters.filters[i];

		if (f->key != KEY_STATE)
			continue;
		if (!f->exclude)
			ret->free = true;
		ret->live &= filter_keeps_text(f, "live");
	}
	for (unsigned int i = 0; i < in->filters.n; i++)
		if (in->filters.filters[i].key == KEY_STATE)
			ret->free &= filter_keeps_text(&in->filters.filters[i], "free");
}

static const char *frame_of(void *arg, size_t i, bool whole)
{
	static char text[640];
	const struct stack *stack = arg;

	if (!whole)
		return stack->frames[i]->symbol ? stack->frames[i]->symbol : "";
	return frame_text(stack->frames[i], text, sizeof(text));
}

static bool keeps_stack(struct owner_view *v, const struct filter *f, uint32_t handle)
{
	const struct stack *stack =
		handle ? stacks_frames(&v->stacks, stacks_get(&v->stacks, handle)) : NULL;

	if (!stack)
		return filter_keeps_unknown(f);
	return filter_keeps_any(f, frame_of, (void *)stack, stack->n);
}

static bool keeps_text(struct owner_view *v, const struct filter *f, uint64_t word)
{
	struct cell cell;

	if (f->key == KEY_STACK)
		return keeps_stack(v, f, word);
	cell = owner_word_cell(v, f->key, word);
	return filter_keeps_text(f, cell.kind == CELL_TEXT ? cell.text : NULL);
}

static bool keeps(struct owner_select *s, unsigned int i, struct owner_fact *fact)
{
	const struct filter *f = &s->filters->filters[i];
	uint64_t word = owner_measure(fact, f->key);
	bool *known, is_new;

	if (owner_keys[f->key].is_text) {
		known = map_get(&s->known[i], word, &is_new);
		if (!known)
			return false;
		if (is_new)
			*known = keeps_text(fact->v, f, word);
		return *known;
	}
	if (word == WORD_UNKNOWN)
		return filter_keeps_unknown(f);
	if (f->key == KEY_PHYS)
		return filter_keeps_span(f, word, word + dump_page_size(fact->v->dump) - 1);
	return filter_keeps_number(f, word);
}

bool owner_selects(struct owner_select *s, struct owner_fact *fact)
{
	if (!(fact->page->allocated ? s->live : s->free))
		return false;
	s->of += fact->pages;
	for (unsigned int i = 0; i < s->filters->n; i++)
		if (!(owner_keys[s->filters->filters[i].key].use & KEY_OF_GROUP) &&
		    !keeps(s, i, fact))
			return false;
	s->kept += fact->pages;
	return true;
}

bool owner_selects_group(const struct owner_select *s, uint64_t bytes)
{
	for (unsigned int i = 0; i < s->filters->n; i++)
		if (owner_keys[s->filters->filters[i].key].use & KEY_OF_GROUP &&
		    !filter_keeps_number(&s->filters->filters[i], bytes))
			return false;
	return true;
}
