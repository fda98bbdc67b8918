/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What classes, processes, files and cgroups have in the zones that a request may use, where these alone ran out: by struct
 * page, its charge, and who maps it.
 */
#pragma once

#include "classes/page_class.h"
#include "util/hash_bytes.h"

struct summary;
struct statement;

#define ZONE_USE_WHOLE \
	95 /* percent of pages in the zones that ran out: then they are bound to these */

struct zone_part {
	uint64_t here, all; /* pages; of processes of those that were looked up */
};

struct zone_use {
	bool known;
	struct zone_part classes[PAGE_CLASSES];
	struct hash_u64 processes; /* of zone_part by PID: anon that no other maps */
	struct hash_bytes names;   /* the same of all processes of a name */
	struct hash_u64 files;	   /* of struct zone_part by address of inode, and super_block */
	struct hash_bytes cgroups; /* of zone_use_of by path; "": to none, or to the root */
};

struct zone_use_of {
	struct zone_part anon, files;
};

/* known is false where the pages of these zones cannot be told apart. */
void zone_use_read(const struct summary *s, struct zone_use *ret);

/* How many at least of pages of these classes: all that are not there are fewer. */
uint64_t zone_use_least(const struct zone_use *u, uint32_t memory, uint64_t pages);

/* What of the memory of a row of these classes is told apart by zones; all 0: nothing is. */
struct zone_part zone_use_find(const struct zone_use *u, const struct statement *row,
			       const char *cgroup, uint32_t memory);

/* Marks processes of which those zones have hardly any memory. */
void zone_use_mark(const struct zone_use *u, struct statement *groups);
