// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner objects",
	"objects of slab caches by who allocated them",
	"",
	"  Groups by call stack with slub_debug=U, else by call site with allocation",
	"  profiling; with -f state=free, free objects by who freed them.",
	"  The key holder is inferred from pointers, as by memowner holders.",
	"EXAMPLES",
	"  Who has the objects of a cache; by module:",
	"    memowner objects -f cache=kmalloc-1k -n 3",
	"    memowner objects -g module",
	"  What keeps them, where nothing recorded it:",
	"    memowner objects -g holder,cache -n 5",
	NULL
};

static const struct view *const views[] = { &owner_objects_view };

static const struct command_option options[] = { { 'g', .values = "module" },
						 RANKED_ROWS("cache=kmalloc-* size=1M..", "bytes",
							     "+caller"),
						 { 'l' },
						 LAST_OPTIONS };

OWNER_NOUN(objects, .terms = owner_terms)
