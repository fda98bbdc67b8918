/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own count of the pages held through each stack: the refcounts of
 * the records in stack_list, less one (mm/page_owner.c, 6.9 and later).  Pages of
 * early boot are not among them.
 */
#ifndef MEMOWNER_PAGEOWNER_COUNTERS_H
#define MEMOWNER_PAGEOWNER_COUNTERS_H

#include "util/hash_u64.h"
#include "symbols/stack_cache.h"

struct owner_counted {
	struct hash_u64 pages; /* uint64_t by handle, only of stacks that hold some */
	uint64_t total;
	uint64_t stacks;     /* in the list */
	uint64_t unreadable; /* of them, those whose record is not in this dump or unsound */
};

/*
 * What a record's refcount says, 0 if nothing. Since 6.17 page_owner counts, but does not list,
 * stacks that it met where it could not take a lock (its inc_stack_record_count()).
 */
uint64_t owner_counted_pages(const struct cached_stack *k);

/* ST_ABSENT: this kernel does not count. */
enum status owner_counted_open(struct stack_cache *stacks, struct owner_counted *ret);

#endif
