/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages with an owner, summed by the keys of -g. */
#ifndef MEMOWNER_PAGEOWNER_GROUPS_H
#define MEMOWNER_PAGEOWNER_GROUPS_H

#include "ages.h"
#include "util/hash_bytes.h"
#include "select.h"
#include "cli/cmdline.h"

#define GROUP_EXTRAS 20 /* keys that are shown, but not grouped by: room for all */

struct owner_group {
	/* What each page changes, in one line of cache. */
	uint64_t pages;
	uint64_t allocs; /* first pages */
	uint64_t orders; /* a bit each */
	uint64_t ts_min, ts_max;
	uint32_t handle; /* of its first page */
	bool one_stack;	 /* all have this handle */
	bool has_time;
	const uint64_t *keys;
	uint64_t stacks, tasks; /* distinct ones, if they are counted */
	uint64_t *ages;		/* pages by age; NULL: not counted */
	uint64_t *extras;	/* the value that all have, or VALUE_UNKNOWN; NULL: none is shown */
};

struct owner_groups {
	struct owner_view *v;
	size_t nkeys;
	size_t keys[GROUP_KEYS]; /* enum owner_key */
	size_t nextras;
	size_t extras[GROUP_EXTRAS];
	bool count_stacks, count_tasks, count_ages;
	bool without_early; /* pages from before page_owner started are left out, and counted: */
	uint64_t early;
	struct hash_u64 early_known; /* of bool by handle */
	struct owner_select select;
	struct hash_bytes groups; /* of struct owner_group, its key the values of keys */
	struct hash_bytes pairs;  /* group and stack or task, to count distinct ones */
	struct owner_group *last;
};

/* What the groups are by: keys of -g, or the stack. */
void owner_groups_init(struct owner_view *v, struct owner_groups *ret);

/* Scans System RAM; ST_STOPPED: the groups hold what was seen. */
enum status owner_groups_scan(struct owner_groups *g, struct scan_stats *cov);

/* Without page_owner: pages that are in use by their struct page, of keys that it tells. */
struct memory_gaps;
enum status owner_groups_by_state(struct owner_groups *g, struct memory_gaps *gaps,
				  uint64_t *visited);

#endif
