/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call site of a page as text, for views of other data. */
#pragma once

#include "alloctag/page_tag.h"
#include "alloctag/site_index.h"
#include "classes/page_class.h"
#include "symbols/frame.h"

/*
 * Whether a reference to a tag is of the allocation that has the memory now.
 *
 * While profiling is off, the kernel neither clears the references of what is freed nor sets those of
 * what is allocated (pgalloc_tag_sub(), alloc_tagging_slab_free_hook(), pcpu_alloc_tag_free_hook()):
 * they keep the values that they had when it was turned off.
 */

/* The warning about references of free memory while profiling is on; %s: "3 references are". */
#define TAG_TOGGLED "profiling was off for some time: %s stale, others may be"

enum tag_validity {
	TAG_REF_VALID,	 /* its own: profiling is on, or the stack shows the function of the site */
	TAG_REF_UNKNOWN, /* an earlier allocation at this address may have left it */
	TAG_REF_STALE,	 /* an earlier allocation at this address left it */
};

/*
 * The following are for references of when profiling was turned off.  s: the site that the
 * reference names, NULL if it has no name; stack: of the allocation, NULL if it is not known.
 */
enum tag_validity tag_validity_stack(const struct site *s, const struct stack *stack);
enum tag_validity tag_validity_page(const struct site *s, const struct stack *stack, uint64_t pfn,
				    const struct page_info *info, enum page_class class);

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
