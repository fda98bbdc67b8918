// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner processes",
	"processes by memory",
	"",
	"  Resident memory by kind, swap, page tables, OOM score. -g sums up many small",
	"  ones: RSS has what several share several times, PSS once. With -a also",
	"  mm_structs that no task uses, and what holds references to each, which scans",
	"  memory.",
	"EXAMPLES",
	"  Services by the memory of their processes; the largest processes by swap:",
	"    memowner processes -g cgroup",
	"    memowner processes -s swap_bytes -n 3",
	NULL
};

static const struct view *const views[] = { &owner_procs_view };

static const struct command_option options[] = { { 'a' },
						 VALUE('g', "comm cgroup"),
						 RANKED_ROWS("rss_bytes=1M..", "rss_bytes",
							     "+threads"),
						 LAST_OPTIONS };

OWNER_NOUN(processes)
