/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How full and how sound the stack depot is: every record is reached through
 * the hash table and must be the one that its own handle names.
 */
#pragma once

#include "stackdepot/stackdepot.h"

struct depot_stats {
	uint64_t bytes;	  /* of the pools that are handed out, the last one as far as it is used */
	bool has_bytes;	  /* the kernel says how far */
	uint64_t records; /* that are sound */
	uint64_t record_bytes; /* headers and frames of them, in units of 16 */
	uint64_t frames;
	uint64_t bad;  /* chains that broke off: at a record that is unsound, or not in this dump */
	bool has_free; /* this generation has a free list, and all of it was read */
	uint64_t free; /* records on it */
	bool has_table;	  /* the size of the hash table is known */
	uint64_t buckets; /* of it */
	uint64_t chains;  /* buckets in use */
	uint64_t longest; /* chain */
};

/*
 * Walks all of it.  Where the size of the hash table is not known (5.12 to 5.19)
 * records are taken one behind the other from the pools.  ST_UNREADABLE: the
 * hash table is not in this dump; ST_STOPPED.
 */
enum status depot_stats_read(struct depot *depot, struct depot_stats *ret);

/*
 * The same, and calls visit for each sound record, without its frames, once.  Any status of visit
 * but ST_OK ends the walk and is returned.
 */
enum status depot_walk(struct depot *depot,
		       enum status (*visit)(void *arg, const struct depot_stack *record), void *arg,
		       struct depot_stats *ret);
