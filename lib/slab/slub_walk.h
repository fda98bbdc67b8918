/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The objects of a slab, each with whether it is free and with the alloc_tag it was charged to. */
#pragma once

#include "slab/slub.h"

struct slub_object {
	struct slab *slab;
	uint32_t index;
	bool is_free;	 /* only while knows_free */
	bool knows_free; /* the freelists of the slab could be followed to their ends */
	bool knows_tag;	 /* false: its slabobj_ext is not in this dump */
	uint64_t tag;	 /* 0: none, or not known */
};

/* What is not known of a slab. */
struct slab_gaps {
	bool slab; /* all of it: corrupt, or not in this dump */
	bool free; /* which objects are free */
	bool tags; /* of some objects */
};

/*
 * Calls visit for each object of the slab whose first page is pfn, in the order of addresses;
 * untagged: of slabs without slabobj_ext too.  A status of visit but ST_OK ends the walk and is
 * returned; else ST_OK.
 */
enum status slub_walk(struct slabs *s, uint64_t pfn, bool untagged,
		      enum status (*visit)(void *arg, const struct slub_object *o), void *arg,
		      struct slab_gaps *gaps);
