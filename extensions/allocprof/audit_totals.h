/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tags of pages, objects and per-CPU memory add up to, beside what the kernel counted and
 * what is in use: each total with its parts, and what is left of it.
 */
#pragma once

#include "cli/table.h"

struct amount {
	uint64_t n, bytes;
};

static inline void amount_add(struct amount *a, uint64_t bytes)
{
	a->n++;
	a->bytes += bytes;
}

/* Of pages that somebody has, or that page_owner has a live record of. */
struct page_parts {
	struct amount all;
	struct amount charged; /* to a site */
	struct amount unsure;  /* the same, or to what was there before: profiling is off */
	struct amount before;  /* no tag; from before page_owner started */
	struct amount exempt;  /* CODETAG_EMPTY: deliberately not tagged by the kernel */
	struct amount guard;   /* debug_pagealloc's, which have no user */
};

struct tag_totals {
	/* By the counters of sites that could be read; bytes may be below zero. */
	struct amount counters;
	bool knows_counters; /* of all sites */
	/* References to tags; a page counts for all that its order makes of it. */
	struct amount pages, objects, percpu; /* to tags of sites */
	struct amount uncounted;	      /* to unlisted tags, or with unknown counters */
	struct amount stale;		      /* of what is free: profiling was turned off */
	bool knows_pages;		      /* of any: one page at least could be read */
	bool knows_percpu;		      /* how this kernel counts it, and all of it */
	bool knows_rest;		      /* all references are there */
	/* Pages.  knows_orders: of all that are charged; knows_tags: of all pages. */
	bool knows_orders, knows_tags;
	bool knows_use, knows_owners, knows_before;
	struct page_parts used, owned;
	struct amount unowned; /* charged, in use, without a live record of page_owner */
	/* Slabs: n counts pages, the others objects. */
	bool knows_slabs, knows_free, knows_left;
	struct amount slab;
	struct amount objects_charged, objects_unsure, objects_exempt;
	struct amount objects_plain;	 /* in use, without a tag; in slabs that have tags */
	struct amount objects_no_vector; /* the same, in slabs that have none */
	struct amount objects_free;
	struct amount slabs_unknown; /* pages of slabs, or objects, that cannot be told */
	uint64_t
		lost_slab; /* the first pfn of the slab that was the last of these; UINT64_MAX: none was */
};

/* The first page of a slab that cannot be told; the pages behind it follow. */
static inline void tag_totals_lose_slab(struct tag_totals *s, uint64_t pfn, uint64_t bytes)
{
	s->lost_slab = pfn;
	amount_add(&s->slabs_unknown, bytes);
}

/* A page of the slab that begins at head. */
static inline void tag_totals_add_slab(struct tag_totals *s, uint64_t head, uint64_t bytes)
{
	amount_add(&s->slab, bytes);
	if (s->lost_slab == head)
		amount_add(&s->slabs_unknown, bytes);
}

/* A row for each total and part; unless all is set, no parts that are seldom and are not there. */
void tag_totals_rows(const struct tag_totals *s, bool all, struct table *t);
