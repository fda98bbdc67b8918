/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What refers to the tag of each call site, beside what the site counted. */
#ifndef MEMOWNER_TAGFOUND_H
#define MEMOWNER_TAGFOUND_H

#include "codetag.h"
#include "sink.h"

/* What references to a site's tag add up to. */
struct tag_found {
	uint64_t calls, bytes; /* of pages and objects */
	uint64_t percpu;       /* bytes in the copy of one CPU */
	uint64_t left;	    /* of pages and per-CPU memory that was freed since profiling is off */
	uint64_t unordered; /* pages of unknown order, as one page each */
};

/*
 * How many bytes this kernel counts for one of per-CPU memory: 1, one of each copy, or also memcg's
 * pointers (pcpu_obj_full_size(), mm/percpu-internal.h); what most sites that have some add
 * up with.  found is as tags->sites.  0: none does.
 */
uint64_t tag_found_percpu_way(const struct codetags *tags, const struct tag_found *found);

/* Whether each page whose order is unknown is a single one: their sites add up with that. */
bool tag_found_ordered(const struct codetags *tags, const struct tag_found *found, uint64_t way);

/*
 * Lines of text or JSON records "site" of those that do not add up.  way: of per-CPU memory;
 * complete: all references are in this dump.  Returns how many there are.
 */
uint64_t tag_found_put(const struct codetags *tags, const struct tag_found *found, uint64_t way,
		       bool complete, bool json, struct sink *out);

#endif
