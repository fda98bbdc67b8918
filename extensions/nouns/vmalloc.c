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

static const struct view *const views[] = { &owner_areas_view };

static const struct command_option options[] = { { 'g', .values = "module" },
						 RANKED_ROWS("module=vmlinux size=1M..", "pages",
							     "+pages"),
						 LAST_OPTIONS };

OWNER_NOUN(vmalloc)
