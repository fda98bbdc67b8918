/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What refers to the tag of each call site, beside what the site counted. */
#pragma once

#include "alloctag/codetag.h"
#include "util/sink.h"
#include "util/hash_u64.h"
#include "alloctag/site_index.h"

/* What references to a site's tag add up to. */
struct site_refs {
	uint64_t calls, bytes; /* of pages and objects */
	uint64_t percpu;       /* bytes in the copy of one CPU */
	uint64_t left;	    /* of pages and per-CPU memory that was freed since profiling is off */
	uint64_t unordered; /* pages of unknown order, as one page each */
};

/* Whether each page whose order is unknown is a single one: their sites add up with that. */
bool site_refs_ordered(const struct codetags *tags, const struct site_refs *found, uint64_t factor);

/*
 * Lines of text or JSON records "site" of those that do not add up.  factor: percpu_factor();
 * complete: all references are in this dump; rows: how many are shown (0: all).  Returns how
 * many there are.
 */
uint64_t site_refs_put(const struct codetags *tags, const struct site_refs *found, uint64_t factor,
		       bool complete, uint64_t rows, bool json, struct sink *out);

/* Tags with references that the kernel does not list: those of unloaded modules. */

struct unlisted_tags {
	struct hash_u64 tags;
	uint64_t bytes, n; /* of all references to them */
};

void unlisted_tags_init(struct unlisted_tags *s, struct arena *arena);
void unlisted_tags_add(struct unlisted_tags *s, uint64_t tag, uint64_t bytes);

/* Lines with the biggest first, if there are any. */
void unlisted_tags_put(struct unlisted_tags *s, struct site_index *sites, struct sink *out);
