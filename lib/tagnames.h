/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call site of a page in words, for views that have more to say of it. */
#ifndef MEMOWNER_TAGNAMES_H
#define MEMOWNER_TAGNAMES_H

#include "memmap.h"
#include "pagetags.h"
#include "sitefind.h"

struct tag_names {
	struct dump *dump;
	struct codetags tags;
	struct site_index sites;
	struct page_tags pages;
	struct page_states states;
	struct map texts; /* by tag: const char * */
};

/* Any status but DUMP_OK: this kernel has none; the message says why.  ret stays where it is. */
enum status tag_names_open(struct dump *d, struct memmap *memmap, struct tag_names *ret);

/* "file:line function [module]" of the first page of an allocation; NULL: it has no tag. */
const char *tag_names_page(struct tag_names *n, uint64_t pfn);

/* The same of a tag that is known. */
const char *tag_names_text(struct tag_names *n, uint64_t tag);

#endif
