/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "memowner classes" and its groups share. */
#pragma once

#include "view.h"

/* Instead of owner_memory_view with -g: classes by node and zone. */
extern const struct view owner_memory_groups_view;

/* owner_view_open() of a view that shows each page, whoever has it; needs: see struct owner_view. */
enum status memory_open(struct owner_view *v, uint64_t needs, enum availability *why);
/* The same as the hook of a view that asks for classes. */
enum status memory_open_classes(void *arg, enum availability *why);
/* Whether classes are known; else the answer is why they are not. */
bool memory_has_classes(struct owner_view *v);

/* The class of a page of a scan; info is filled. false: its struct page is not in this dump. */
static inline bool memory_class(struct owner_view *v, const struct owner_page *page,
				struct page_info *info, enum page_class *ret)
{
	enum page_record record = page->allocated ? RECORD_LIVE
				  : page->unknown ? RECORD_UNKNOWN
						  : RECORD_NONE;

	if (page_type_at(&v->states, page->pfn, info) != ST_OK)
		return false;
	*ret = page_class_at(v->classes, info, page->pfn, record,
			     page->allocated ? page->handle : 0);
	return true;
}

/* Calls visit for each page of System RAM, with its record where this dump has records. */
enum status memory_scan(struct owner_view *v, struct scan_stats *cov,
			enum status (*visit)(void *arg, const struct owner_page *page), void *arg);

/* Pages without a class, of pages that were visited. */
struct memory_gaps {
	uint64_t unreadable; /* without a struct page in this dump */
	uint64_t unknown;    /* CLASS_UNKNOWN */
};

/*
 * Warns of the gaps, tells how many pages were visited, and ends the report.  st: of memory_scan();
 * callers: what the view shows by the stacks of pages; without page_owner it is unknown, and a stack
 * that cannot be decoded is a gap.  NULL: nothing.
 */
void memory_end(struct owner_view *v, const struct scan_stats *cov, enum status st,
		const struct memory_gaps *gaps, uint64_t visited, const char *callers);
/* The same, by the pages that were found. */
struct class_pages;
void memory_end_classes(struct owner_view *v, const struct scan_stats *cov, enum status st,
			const struct class_pages *found, const char *callers);
