// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner objects",
	"objects of slab caches by who allocated them",
	"",
	"  Groups by call stack with slub_debug=U, else by call site with allocation",
	"  profiling; with -f state=free, free objects by who freed them.",
	"  The keys holder and type are inferred from pointers, as by memowner holders.",
	"  What has no type has what its objects have in common in column content.",
	"EXAMPLES",
	"  Who has the objects of a cache; by module:",
	"    memowner objects -f cache=kmalloc-1k -n 3",
	"    memowner objects -g module",
	"  What keeps them, where nothing recorded it; what they are; who is charged:",
	"    memowner objects -g holder,cache -n 5",
	"    memowner objects -g type,cache -f cache=kmalloc-*",
	"    memowner objects -g memcg,cache",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_cache, COLUMN_site }, { COLUMN_cache } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_objects } },
	.many = "objects",
	.passes_groups = true,
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_cache, "slab cache"),
	BASELINE_KEY(COLUMN_site, "call site"),
	BASELINE_KEY(COLUMN_caller, "function that allocated"),
	BASELINE_KEY(COLUMN_module, "module that allocated"),
	BASELINE_KEY(COLUMN_holder, "what keeps it, inferred"),
	BASELINE_KEY(COLUMN_memcg, "memory cgroup"),
};

static const struct view diff_view = { BASELINE_OF(baseline, "group", "groups"),
				       KEYS_OF(diff_keys) };

static const struct view *const views[] = { &owner_objects_view, &diff_view };

static const struct command_option options[] = { { 'g', .values = "module" },
						 RANKED_ROWS("cache=kmalloc-* size=1M..", "bytes",
							     "+caller"),
						 { 'l', .views = "objects" },
						 DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(objects, .terms = owner_terms)
