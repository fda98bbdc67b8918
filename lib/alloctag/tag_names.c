// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/tag_names.h"

#include <string.h>

#define OFF ", or another's: profiling was turned off"

enum status tag_names_open(struct dump *d, struct memmap *memmap, struct tag_names *ret)
{
	enum availability why;
	enum status st = codetags_open(d, &ret->tags, &why);

	if (st == DUMP_OK)
		st = page_states_open(d, memmap, &ret->states);
	if (st == DUMP_OK)
		st = page_tags_open(d, &ret->pages);
	if (st == DUMP_OK)
		st = site_index_open(d, &ret->tags, &ret->sites);
	ret->dump = d;
	map_init(&ret->texts, d->arena, 2 * sizeof(const char *));
	blind_handles_open(d, &ret->blind);
	return st;
}

/* A live allocation of page_owner; the class of its page need not be known. */
static enum tag_proof prove(struct tag_names *n, uint64_t tag, uint64_t pfn,
			    const struct page_info *info, uint32_t handle,
			    const struct stack *stack)
{
	if (n->tags.on)
		return TAG_OWN;
	return tag_proof_page(site_named(&n->sites, tag),
			      blind_handle(&n->blind, handle) ? NULL : stack, pfn, info,
			      info->state == STATE_HUGETLB ? CLASS_HUGETLB : CLASS_DIRECT);
}

static const char *text_of(struct tag_names *n, uint64_t tag, enum tag_proof proof)
{
	struct site unknown = { .tag = tag };
	const struct site *s;
	const char **texts, **text;
	char buf[256];
	bool is_new;

	texts = proof == TAG_STALE || tag <= TAG_EMPTY ? NULL : map_get(&n->texts, tag, &is_new);
	if (!texts)
		return NULL;
	text = &texts[proof];
	if (!*text) {
		s = site_named(&n->sites, tag);
		site_name(s ? s : &unknown, buf, sizeof(buf));
		if (proof == TAG_UNSURE && strlen(buf) + sizeof(OFF) <= sizeof(buf))
			strcat(buf, OFF);
		*text = arena_strdup(n->dump->arena, buf);
	}
	return *text;
}

static const char *text_of_page(struct tag_names *n, uint64_t pfn, uint32_t handle,
				const struct stack *stack, bool sure)
{
	struct page_info info;
	enum tag_proof proof;
	uint64_t tag;

	if (page_state_at(&n->states, pfn, &info) != DUMP_OK ||
	    page_tags_at(&n->pages, pfn, &info, &tag) != DUMP_OK || tag <= TAG_EMPTY)
		return NULL;
	proof = prove(n, tag, pfn, &info, handle, stack);
	return sure && proof == TAG_UNSURE ? NULL : text_of(n, tag, proof);
}

const char *tag_names_page(struct tag_names *n, uint64_t pfn, uint32_t handle,
			   const struct stack *stack)
{
	return text_of_page(n, pfn, handle, stack, false);
}

const char *tag_names_sure(struct tag_names *n, uint64_t pfn, uint32_t handle,
			   const struct stack *stack)
{
	return text_of_page(n, pfn, handle, stack, true);
}

const char *tag_names_object(struct tag_names *n, uint64_t tag)
{
	return text_of(n, tag, n->tags.on ? TAG_OWN : TAG_UNSURE);
}
