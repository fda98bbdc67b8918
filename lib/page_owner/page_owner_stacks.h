/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_owner's own list of the stack records that it uses (stack_list in mm/page_owner.c, 6.9:
 * mm,page_owner: maintain own list of stack_records structs).  The refcount of a record is the
 * number of its pages plus one.
 */
#pragma once

#include "stackdepot/stackdepot.h"
#include "util/hash_u64.h"

struct stack_list {
	bool present;		 /* this kernel has the list, and page_owner was on */
	struct hash_u64 records; /* keys are addresses of stack records */
};

/* Reads the list; an absent one is no error. */
enum status stack_list_open(struct dump *d, struct stack_list *ret);

bool stack_list_has(struct stack_list *l, uint64_t record);

/* The kernel's own count of the pages of each stack.  Pages of early boot are not in it. */
struct stack_counts {
	struct hash_u64 pages; /* uint64_t by handle, of stacks with pages alone */
	uint64_t total;
	uint64_t stacks;  /* in the list */
	uint64_t missing; /* of them, those whose record is not in this dump */
	uint64_t unsound; /* whose record has another's handle, or no count */
};

/*
 * Pages by the refcount of a record, 0 where page_owner does not use it. Since 6.17 page_owner
 * counts, but does not list, stacks of contexts that may not take a lock
 * (inc_stack_record_count()).
 */
uint64_t stack_counted_pages(const struct depot_stack *record);

/* Of the stacks in the list.  ST_ABSENT: this kernel does not count. */
enum status stack_counts_open(struct depot *depot, struct stack_counts *ret);

/*
 * Handles of the stacks that page_owner registers for itself at boot (mm/page_owner.c): they do not
 * tell who allocated.
 */

enum special_kind {
	SPECIAL_FAILURE, /* the depot was full */
	SPECIAL_DUMMY,	 /* page_owner itself allocated */
	SPECIAL_EARLY,	 /* pages that were in use when it started */
	SPECIAL_HANDLES
};

struct special_handles {
	bool known[SPECIAL_HANDLES];
	bool unreadable[SPECIAL_HANDLES]; /* this kernel has it, this dump does not */
	uint32_t handles[SPECIAL_HANDLES];
};

/* What cannot be read is not known; no message. */
void special_handles_open(struct dump *d, struct special_handles *ret);

static inline bool special_handle_is(const struct special_handles *b, enum special_kind which,
				     uint32_t handle)
{
	return b->known[which] && b->handles[which] == handle;
}

/* One of them, or 0, which is none. */
bool special_handle(const struct special_handles *b, uint32_t handle);
