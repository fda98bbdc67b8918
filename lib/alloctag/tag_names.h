/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call site of a page as text, for views of other data. */
#pragma once

#include "page_owner/special_handles.h"
#include "pages/memmap.h"
#include "alloctag/page_tag.h"
#include "alloctag/site_index.h"
#include "alloctag/tag_validity.h"

struct tag_names {
	struct dump *dump;
	struct codetags tags;
	struct site_index sites;
	struct page_tags pages;
	struct page_types states;
	struct hash_u64 texts; /* by tag: const char * */
	struct special_handles special;
};

/* Any status but ST_OK: this kernel has none; the message says why.  ret stays where it is. */
enum status tag_names_open(struct dump *d, struct memmap *memmap, struct tag_names *ret);

/*
 * "file:line function [module]" of the first page of an allocation, whose stack has this handle;
 * NULL: it has no tag, or one that was left by what had the page before.
 */
const char *tag_names_page(struct tag_names *n, uint64_t pfn, uint32_t handle,
			   const struct stack *stack);

/* The same, or NULL where it may be that of what had the page before. */
const char *tag_names_sure(struct tag_names *n, uint64_t pfn, uint32_t handle,
			   const struct stack *stack);

/* The same of the tag of an object; nothing is known of who has it. */
const char *tag_names_object(struct tag_names *n, uint64_t tag);
/* That site; NULL: it is not in this dump, or the tag may be that of what had the memory before. */
const struct site *tag_names_object_site(struct tag_names *n, uint64_t tag);
/* Whether its site is in this dump; if not, the name tells its address alone. */
bool tag_names_knows(struct tag_names *n, uint64_t tag);
