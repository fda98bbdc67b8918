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

static const struct command_option options[] = {
	{ 'g', .values = "module" },
	{ 'f', .values = "module=vmlinux size=1M.." },
	{ 'X', .values = "module=vmlinux size=1M.." },
	{ 's', .values = "pages" },
	{ 'r' },
	{ 'n', .values = "1" },
	{ 'o', .values = "+pages" },
	{ 'j' },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

OWNER_NOUN(vmalloc)
