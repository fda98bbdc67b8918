/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every reference to a tag in this dump: of pages, of slab objects, of per-CPU memory. */
#pragma once

#include "alloctag/percpu_tag.h"
#include "slab/slub_walk.h"
#include "sources.h"

/* Any status but ST_OK ends the walk. */
struct reference_visitor {
	/* A page whose type and reference could be read: 0, TAG_EMPTY or a tag. */
	enum status (*page)(void *arg, uint64_t pfn, const struct page_info *info, uint64_t tag);
	enum status (*object)(void *arg, const struct slub_object *o);
	/* After the objects of the slab whose first page is pfn. */
	void (*slab)(void *arg, uint64_t pfn, const struct slab_gaps *gaps);
	enum status (*percpu)(void *arg, const struct percpu_object *o);
	bool untagged; /* objects of slabs without slabobj_ext too */
};

/*
 * Adds to stats: pages scanned, skipped, unreadable, undecodable.  *percpu_missing: some per-CPU
 * chunks could not be read, and the report has a warning.  ST_STOPPED.
 */
enum status references_walk(struct tag_view *v, const struct reference_visitor *visitor, void *arg,
			    struct scan_stats *stats, bool *percpu_missing);
