// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner caches",
	"slab caches by size",
	"",
	"  Objects, objects in use, slack, orders of each cache; with -g node, of each",
	"  cache on each NUMA node. An object is in use when it is free neither in its",
	"  slab, nor on a CPU, nor in a sheaf (6.18 and later); /proc/slabinfo counts",
	"  free objects of CPUs and sheaves as active: -o +active_objects. A cache may",
	"  serve others that the kernel merged with it. The last line has all caches",
	"  beside the kernel's counters. Who has the objects: memowner objects, with",
	"  -g memcg by cgroup; inodes by file system: memowner filesystems; who filled",
	"  the slab pages: pageowner -f cache=NAME.",
	"EXAMPLES",
	"  The largest caches, and those with most slack; by the module that made them:",
	"    memowner caches",
	"    memowner caches -s slack_bytes -n 3",
	"    memowner caches -g module",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_cache } },
	.instead = COLUMN_root_cache,
	.others = COLUMN_alias_names,
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_inuse_objects },
		    { COLUMN_active_objects,
		      .many = "active objects, free ones of CPUs among them" } },
	.texts = { &baseline_slabinfo },
	.many = "objects in use",
	/* Pages of large kmalloc have a type since 6.15; /proc/slabinfo never has them. */
	.may_lack = "[large kmalloc]",
};

static const struct view diff_view = { BASELINE_OF(baseline, "cache", "caches"), NO_KEYS };

static const struct view *const views[] = { &owner_caches_view, &diff_view };

static const struct command_option options[] = { { 'g', .values = "node module",
						   .views = "caches caches_groups" },
						 RANKED_ROWS("bytes=1M..", "pages", "+pages"),
						 DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(caches)
