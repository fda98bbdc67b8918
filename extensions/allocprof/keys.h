/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What allocation sites are filtered and grouped by. */
#ifndef MEMOWNER_ALLOCPROF_KEYS_H
#define MEMOWNER_ALLOCPROF_KEYS_H

#include "alloctag/codetag.h"
#include "cli/filter.h"
#include "cli/glossary.h"

enum site_key {
	SITE_MODULE,
	SITE_FUNCTION,
	SITE_FILE,
	SITE_DIR,
	SITE_LINE,
	SITE_SIZE,
	SITE_CALLS,
	SITE_ACCURATE,
	SITE_LOADED,
	SITE_KEYS
};

extern const struct key site_keys[SITE_KEYS];
/* Terms of the help texts, for "-g help". */
extern const struct term site_terms[];

/* Of a key that is a text; NULL: unknown, or no memory. */
const char *site_text(struct dump *d, const struct codetags *tags, const struct site *s,
		      enum site_key key);

/* Whether all filters keep a site. */
bool site_selects(struct dump *d, const struct codetags *tags, const struct filters *filters,
		  const struct site *s);

#endif
