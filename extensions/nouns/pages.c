// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner pages",
	"pages in use by what struct page tells of them",
	"",
	"  Groups the pages that are in use at the panic, whoever allocated them: by",
	"  class or, with -g, by one combination of keys. No record of page_owner is",
	"  read: pages from before page_owner started are direct, which memowner classes",
	"  tells apart.",
	"  The key holder is inferred from pointers, as by memowner holders: none is what",
	"  nothing that was read leads to.",
	"EXAMPLES",
	"  Cgroups by their pages; user pages by the process that maps them:",
	"    memowner pages -g memcg,class",
	"    memowner pages -g mapper -f class=anon,file,shmem",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_class } },
	.amounts = { { COLUMN_bytes } },
	.passes_groups = true,
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_class, "use of the memory"),
	BASELINE_KEY(COLUMN_cache, "slab cache"),
	BASELINE_KEY(COLUMN_file, "file"),
	BASELINE_KEY(COLUMN_mapper, "process that maps the pages"),
	BASELINE_KEY(COLUMN_memcg, "memory cgroup"),
	BASELINE_KEY(COLUMN_node, "NUMA node"),
	BASELINE_KEY(COLUMN_zone, "zone"),
	BASELINE_KEY(COLUMN_holder, "what keeps it, inferred"),
};

static const struct view diff_view = { BASELINE_OF(baseline, "group", "groups"),
				       KEYS_OF(diff_keys) };

static const struct view *const views[] = { &owner_pages_view, &diff_view };

static const struct command_option options[] = { { 'g', .values = "class memcg" },
						 RANKED_ROWS("class=slab size=1M..", "pages",
							     "+pages"),
						 DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(pages, .keys = owner_page_keys, .nkeys = OWNER_KEYS, .terms = owner_terms)
