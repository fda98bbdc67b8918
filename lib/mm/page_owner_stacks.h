/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_owner's own list of the stack records that it uses (stack_list in
 * mm/page_owner.c, 6.9 and later).  Their refcount is the pages held through
 * them plus one.
 */
#ifndef MEMOWNER_MM_PAGE_OWNER_STACKS_H
#define MEMOWNER_MM_PAGE_OWNER_STACKS_H

#include "dump/dump.h"
#include "util/hash_u64.h"

struct stack_list {
	bool present;		 /* this kernel has the list, and page_owner was on */
	struct hash_u64 records; /* keys are addresses of stack records */
};

/* Reads the list; an absent one is no error. */
enum status stack_list_open(struct dump *d, struct stack_list *ret);

bool stack_list_has(struct stack_list *l, uint64_t record);

#endif
