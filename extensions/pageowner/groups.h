/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages with an owner, summed by the keys of -g. */
#pragma once

#include "select.h"
#include "stackdepot/stackdepot.h"

/* Ages at the panic, in steps that tell a leak from a burst. */

#define AGES 9

/* The step of an age in nanoseconds, and its name: "10s-1min". */
unsigned int ages_step(uint64_t ns);
const char *ages_name(unsigned int step);
/* The same as a cell, which is sorted by age. */
struct cell ages_cell(unsigned int step);

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
	uint32_t several; /* a bit for each of extras: not all have the same */
	const uint64_t *keys;
	uint64_t stacks, tasks; /* distinct ones, if they are counted */
	uint64_t *ages;		/* pages by age; NULL: not counted */
	uint64_t walks;		/* of holders: of WALK_WHOLE, of all pages */
	uint64_t *extras;	/* the value that all have, or VALUE_UNKNOWN; NULL: none is shown */
	uint64_t counted;	/* with -k: pages that the kernel counts */
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
	struct hash_bytes groups; /* that begin with struct owner_group, by values of keys */
	struct hash_bytes pairs;  /* group and stack or task, to count distinct ones */
	struct owner_group *last;
	struct scan_stats cov;
};

/* What the groups are by: keys of -g, or the stack. */
void owner_groups_init(struct owner_view *v, struct owner_groups *ret);

/* The group of a page; the page is not counted in it. */
struct owner_group *owner_group_of(struct owner_groups *g, struct page_facts *f);
/* The time of an allocation, or of a free. */
void owner_group_time(struct owner_groups *g, struct owner_group *group, struct page_facts *f);

/* Scans System RAM; ST_STOPPED: the groups hold what was seen. */
enum status owner_groups_scan(struct owner_groups *g);

/* Of what was selected: the pages of groups that filters of groups keep. */
void owner_groups_count(struct owner_groups *g);

/* Without page_owner: pages that are in use by their struct page, of keys that it tells. */
struct memory_gaps;
enum status owner_groups_by_state(struct owner_groups *g, struct memory_gaps *gaps,
				  uint64_t *visited);

/* Cells of what begins with struct owner_group, in tables that struct owner_groups is handed to. */
#define GROUP_KEY(KEY) CELL_OF(owner_group_key, KEY)
/* Columns of keys; of the first, class and cache how they are shown and a note of their own. */
#define GROUP_KEY_COLUMNS(SHOWN, SHOWN_NOTE, NOTE)                                       \
	{ COLUMN_caller, SHOWN, SHOWN_NOTE, GROUP_KEY(KEY_CALLER) },                     \
		{ COLUMN_module, 0, NOTE, GROUP_KEY(KEY_MODULE) },                       \
		{ COLUMN_pid, 0, NOTE, GROUP_KEY(KEY_PID) },                             \
		{ COLUMN_tgid, 0, NOTE, GROUP_KEY(KEY_TGID) },                           \
		{ COLUMN_comm, 0, NOTE, GROUP_KEY(KEY_COMM) },                           \
		{ COLUMN_order, 0, NOTE, GROUP_KEY(KEY_ORDER) },                         \
		{ COLUMN_gfp, 0, NOTE, GROUP_KEY(KEY_GFP) },                             \
		{ COLUMN_migratetype, 0, NOTE, GROUP_KEY(KEY_MIGRATETYPE) },             \
		{ COLUMN_block_migratetype, 0, NOTE, GROUP_KEY(KEY_BLOCK_MIGRATETYPE) }, \
		{ COLUMN_node, 0, NOTE, GROUP_KEY(KEY_NODE) },                           \
		{ COLUMN_zone, 0, NOTE, GROUP_KEY(KEY_ZONE) },                           \
		{ COLUMN_memcg, 0, NOTE, GROUP_KEY(KEY_MEMCG) },                         \
		{ COLUMN_class, SHOWN, SHOWN_NOTE, .choices = page_class_names + 1,      \
		  GROUP_KEY(KEY_CLASS) },                                                \
		{ COLUMN_cache, SHOWN, SHOWN_NOTE, .width = 32, GROUP_KEY(KEY_CACHE) },  \
		{ COLUMN_file, 0, NOTE, GROUP_KEY(KEY_FILE) },                           \
		{ COLUMN_mapper, 0, NOTE, GROUP_KEY(KEY_MAPPER) },                       \
		{ COLUMN_age, 0, NOTE, GROUP_KEY(KEY_AGE) },                             \
		{ COLUMN_owner, 0, NOTE, .choices = owner_life_choices, GROUP_KEY(KEY_OWNER) },
struct cell owner_group_key(const void *group, void *groups, unsigned int key);
struct cell owner_group_bytes(const void *group, void *groups);
struct cell owner_group_oldest(const void *group, void *groups);
struct cell owner_group_youngest(const void *group, void *groups);
struct cell owner_group_handle(const void *group, void *groups);
struct cell owner_group_stack(const void *group, void *groups);

/* Rows of the groups that filters of groups keep. */
void owner_groups_rows(struct owner_groups *g, struct table *t);
/* Shows the columns of keys but KEY_STACK. */
void owner_keys_show(struct table *t, const size_t *keys, size_t n);

/* Groups of pages as paths of labels, for trees and flame graphs. */

#define PATH_LABELS (GROUP_KEYS + DEPOT_MAX_FRAMES + 1)

struct owner_path {
	const struct owner_group *group;
	const char *labels[PATH_LABELS]; /* from the root; of equal texts there is one */
	unsigned int n;
};

/*
 * Opens what -t tree and folded need; ST_USAGE: a key has no place in a path.  Then scans by stack and
 * the keys of -g and calls visit for each group that the filters keep: its keys, then the functions of
 * its stack, the outermost first unless callee is set. Truncated stacks are under "[truncated at 16]".
 * The path is valid until visit returns. ST_STOPPED: visited is what was seen.
 */
enum status owner_paths_open(void *owner_view, enum availability *why);
enum status owner_paths(struct owner_groups *g, bool callee,
			void (*visit)(void *arg, const struct owner_path *path), void *arg);
