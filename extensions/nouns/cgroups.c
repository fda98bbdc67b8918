// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner cgroups",
	"memory cgroups by memory.current",
	"",
	"  Limits, memory.stat, OOM kills and processes of each memory cgroup, and what",
	"  keeps dying ones.",
	"EXAMPLES",
	"  Cgroups by usage; those whose processes the OOM killer killed:",
	"    memowner cgroups",
	"    memowner cgroups -f oom_kills=1..",
	NULL
};

static const struct view *const views[] = { &owner_cgroups_view };

static const struct command_option options[] = {
	{ 'f', .values = "usage_bytes=1M.." },
	{ 'X', .values = "usage_bytes=1M.." },
	{ 's', .values = "usage_bytes" },
	{ 'r' },
	{ 'n', .values = "1" },
	{ 'o', .values = "+min_limit" },
	{ 'j' },
	{ .letter = 'D' },
	{ .letter = 'h' },
	{ 0 },
};

OWNER_NOUN(cgroups)
