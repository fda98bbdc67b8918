// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "tagnames.h"

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
	map_init(&ret->texts, d->arena, sizeof(const char *));
	return st;
}

const char *tag_names_text(struct tag_names *n, uint64_t tag)
{
	struct site unknown = { .tag = tag };
	const struct site *s;
	const char **text;
	char buf[256];
	bool is_new;

	if (tag <= TAG_EMPTY)
		return NULL;
	text = map_get(&n->texts, tag, &is_new);
	if (!text)
		return NULL;
	if (is_new) {
		s = site_named(&n->sites, tag);
		site_name(s ? s : &unknown, buf, sizeof(buf));
		/* What was freed and allocated since has kept its tag. */
		if (!n->tags.on && strlen(buf) + sizeof(OFF) <= sizeof(buf))
			strcat(buf, OFF);
		*text = arena_strdup(n->dump->arena, buf);
	}
	return *text;
}

const char *tag_names_page(struct tag_names *n, uint64_t pfn)
{
	struct page_info info;
	uint64_t tag;

	if (page_state_at(&n->states, pfn, &info) != DUMP_OK ||
	    page_tags_at(&n->pages, pfn, &info, &tag) != DUMP_OK)
		return NULL;
	return tag_names_text(n, tag);
}
