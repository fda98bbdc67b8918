// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner cgroups",
	"memory cgroups by the memory charged to them",
	"",
	"  Limits, memory.stat, OOM kills and processes of each memory cgroup, and what",
	"  keeps dying ones.",
	"EXAMPLES",
	"  Cgroups by usage; those whose processes the OOM killer killed:",
	"    memowner cgroups",
	"    memowner cgroups -f oom_kills=1..",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_memcg } },
	.amounts = { { COLUMN_usage_bytes } },
	.counts = { { COLUMN_processes } },
	.many = "processes",
	.overlap = "a cgroup has the memory of those below it",
};

static const struct view diff_view = { BASELINE_OF(baseline, "cgroup", "cgroups"), NO_KEYS };

static const struct view *const views[] = { &owner_cgroups_view, &diff_view };

static const struct command_option options[] = {
	RANKED_ROWS("usage_bytes=1M..", "usage_bytes", "+min_limit"), DIFF, LAST_OPTIONS
};

OWNER_NOUN(cgroups)
