// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner vmalloc",
	"areas of the vmalloc space by the function that made them",
	"",
	"  Areas, pages and address space of each caller; -g address has a row for each",
	"  area.",
	"EXAMPLES",
	"  Who made areas; each area of one caller:",
	"    memowner vmalloc",
	"    memowner vmalloc -g address -f caller=leaky_vmalloc -n 3",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_caller } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_areas } },
	.texts = { &baseline_vmallocinfo },
	.many = "areas",
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_caller, "function that made the area"),
	BASELINE_KEY(COLUMN_module, "module of the caller"),
};

static const struct view diff_view = { BASELINE_OF(baseline, "caller", "callers"),
				       KEYS_OF(diff_keys) };

static const struct view *const views[] = { &owner_areas_view, &diff_view };

static const struct command_option options[] = { { 'g', .values = "module" },
						 RANKED_ROWS("module=vmlinux size=1M..", "pages",
							     "+pages"),
						 DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(vmalloc)
