/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash table of the stack depot: an array of buckets, or since 5.12 a pointer to one, of
 * stack_hash_mask + 1 buckets since 6.0. A bucket is the first record of a chain, or since 6.8 the
 * head of a list (lib/stackdepot.c).
 */
#pragma once

#include "stackdepot/stackdepot.h"

struct depot_table {
	struct dump *dump;
	struct field link; /* of a record in its chain */
	struct field hash; /* of a record */
	bool is_list;	   /* link is a struct list_head */
	uint64_t address, bucket_bytes;
	uint64_t buckets; /* 0: unknown (5.12 to 5.19, where it is not in the dump) */
};

/* ST_UNKNOWN: no layout fits; ST_UNREADABLE; ST_CORRUPT. */
enum status depot_table_open(const struct depot *depot, struct depot_table *ret);

/*
 * Calls visit for each bucket: whether it is in this dump, the first link (address of the member
 * link) and what follows the last one. Ends at the first status that is not ST_OK; ST_STOPPED.
 */
enum status depot_table_walk(const struct depot_table *t,
			     enum status (*visit)(void *arg, uint64_t bucket, bool readable,
						  uint64_t head, uint64_t end),
			     void *arg);
