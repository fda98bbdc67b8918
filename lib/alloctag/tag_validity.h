/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a reference to a tag is of the allocation that has the memory now.
 *
 * While profiling is off, the kernel neither clears the references of what is freed nor sets those of
 * what is allocated (pgalloc_tag_sub(), alloc_tagging_slab_free_hook(), pcpu_alloc_tag_free_hook()):
 * they keep the values that they had when it was turned off.
 */
#pragma once

#include "alloctag/codetag.h"
#include "classes/page_class.h"
#include "symbols/stack.h"

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
