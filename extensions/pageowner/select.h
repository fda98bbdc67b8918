/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which pages -f and -X keep.  A filter on text or stacks is evaluated once for each value. */
#pragma once

#include "keys.h"

struct owner_select {
	const struct filters *filters;
	struct hash_u64 known[OPTS_FILTERS]; /* of struct answer by word */
	bool live, free;		     /* states that any page may have */
	uint64_t kept, of;		     /* pages since it was opened */
};

void owner_select_init(struct owner_view *v, struct owner_select *ret);

/* The scope of the scan that the filters need. */
static inline enum owner_scope owner_select_scope(const struct owner_select *s)
{
	return s->free ? SCAN_RECORDED : SCAN_LIVE;
}

bool owner_keeps(struct owner_select *s, struct page_facts *fact);

/* Whether a page is kept, and counts it; filters of groups are not asked. */
static inline bool owner_selects(struct owner_select *s, struct page_facts *fact)
{
	if (!(fact->page->allocated ? s->live : s->free))
		return false;
	s->of += fact->pages;
	if (s->filters->n && !owner_keeps(s, fact))
		return false;
	s->kept += fact->pages;
	return true;
}

struct zone;

/* Whether the filters of node and zone keep a zone; NULL: it is unknown. */
bool owner_keeps_zone(const struct filters *f, const struct zone *zone);

/* Whether the class of pages from before page_owner started needs its records, which are not read. */
bool owner_has_early(const struct owner_view *v);

/* Which classes that filters name no page here can be of, and which view has them. */
void owner_tell_classes(struct owner_view *v);

/*
 * Which path several cgroups have whose pages are added up: of those that filters by this key, one of
 * memcg, keep. v->has_memcgs.
 */
void owner_tell_memcgs(struct owner_view *v, size_t key);

/* Whether the filters of groups keep a group of that size in bytes. */
bool owner_selects_group(const struct owner_select *s, uint64_t bytes);
