/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sum of the allocations of a site, beside the site's own counters. */
#pragma once

#include "alloctag/codetag.h"
#include "sources.h"

struct site_allocs_sum {
	uint64_t pages, page_bytes;
	uint64_t unordered; /* pages whose order is unknown; counted as one page each */
	uint64_t objects, object_bytes;
	uint64_t percpu, percpu_bytes;	 /* bytes in the copy of one CPU */
	uint64_t percpu_factor;		 /* percpu_factor() */
	uint64_t vmalloc_pages, helpers; /* of the former two */
	uint64_t unsure; /* of all: profiling is off, may belong to an earlier allocation */
	uint64_t stale;	 /* skipped: references of memory freed since */
	/* What could not be read. */
	uint64_t unreadable, bad_slabs;
	bool percpu_missing, partial;
};

void site_allocs_sum_page(struct site_allocs_sum *s, bool has_order, uint64_t bytes, bool vmalloc);
void site_allocs_sum_object(struct site_allocs_sum *s, uint64_t bytes, bool helper);
void site_allocs_sum_percpu(struct site_allocs_sum *s, uint64_t bytes);

/* Lines of text, or a JSON record "total". */
void site_allocs_sum_put(const struct site_allocs_sum *s, struct tag_view *v,
			 const struct site *site);
