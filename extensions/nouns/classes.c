// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

#include "pageowner/class_counters.h"

static char *help[] = {
	"memowner classes",
	"every page of System RAM by class",
	"",
	"  Each page is in one class, so that the sum is exact. COUNTED is the kernel's",
	"  counter of the class at the panic with the deltas of all CPUs added, -o",
	"  +counter names it; LOG is that of the last OOM report in the log, without",
	"  deltas. Below stand the callers of direct pages, of which -n is; memowner",
	"  counted has who lists them. -g node, -g zone: the classes of each of them,",
	"  of which -n is then.",
	"EXAMPLES",
	"  Where memory is; of each NUMA node:",
	"    memowner classes",
	"    memowner classes -g node",
	NULL
};

static const char *none(size_t i, const char **counter)
{
	if (i + 1 >= PAGE_CLASSES)
		return NULL;
	*counter = class_counter(i + 1);
	return page_class_names[i + 1];
}

static const struct baseline baseline = {
	.by = { { COLUMN_class }, { COLUMN_counter } },
	.amounts = { { COLUMN_bytes },
		     { COLUMN_counted_pages, BASELINE_PAGES, .is_counter = true } },
	.beside = { COLUMN_used_bytes },
	.texts = { &baseline_meminfo },
	.none = none,
};

static const struct view diff_view = { BASELINE_BESIDE(baseline, "class", "classes"), NO_KEYS };

static const struct view *const views[] = { &owner_memory_view, &diff_view };

static const struct command_option options[] = {
	{ 'g', .values = "node", .views = "classes classes_groups" },
	{ 'f', .values = "class=slab" },
	{ 'X', .values = "pages=..100" },
	{ 's', .values = "pages" },
	{ 'r' },
	{ 'n', .values = "1" },
	{ 'o', .values = "+pages" },
	DIFF,
	LAST_OPTIONS,
};

/* What -f of another noun keeps. */
static char *rows_help[] = { "memowner pages" };
static const struct view *const rows_views[] = { &owner_pages_view };
static const struct command_spec rows = { .command = "memowner",
					  .help = rows_help,
					  .views = rows_views,
					  .nviews = 1,
					  .keys = owner_page_keys,
					  .nkeys = OWNER_KEYS };

OWNER_NOUN(classes, .rows_of = &rows)
