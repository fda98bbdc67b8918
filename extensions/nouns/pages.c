// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner pages",
	"pages in use by what struct page tells of them",
	"",
	"  Groups the pages that are in use at the panic, whoever allocated them: by",
	"  class or, with -g, by one combination of keys. No record of page_owner is",
	"  read: early pages are direct, which memowner classes tells apart.",
	"  The key holder is inferred from pointers, as by memowner holders.",
	"  -t list: all of them in rising order, a row for pages side by side that are",
	"  alike in all that is shown; -o +head_pfn: a row for each compound page.",
	"EXAMPLES",
	"  Cgroups by their pages; user pages by process; where those of a cgroup are:",
	"    memowner pages -g memcg,class",
	"    memowner pages -g mapper -f class=anon,file,shmem",
	"    memowner pages -t list -f memcg=/web -o +zone,memcg",
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

static const struct view *const views[] = { &owner_pages_view, &owner_page_list_view, &diff_view };

static const struct command_option options[] = {
	{ 't', .values = "list", .views = "list" },
	{ 'g', .values = "class memcg", .views = "pages diff" },
	{ 'f', .values = "class=slab size=1M.." },
	{ 'X', .values = "class=slab size=1M.." },
	{ 's', .values = "pages", .views = "pages diff" },
	{ 'r', .views = "pages diff" },
	{ 'n', .values = "1" },
	{ 'o', .values = "+pages" },
	DIFF,
	LAST_OPTIONS,
};

OWNER_NOUN(pages, .keys = owner_page_keys, .nkeys = OWNER_KEYS, .terms = owner_terms)
