// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner processes",
	"processes by memory",
	"",
	"  Resident memory by kind, swap, page tables, OOM score. -g sums up many small",
	"  ones: RSS has what several share several times, PSS once. -a, mm_structs that",
	"  no task uses, and -o +held_bytes, what a kill frees, scan memory.",
	"EXAMPLES",
	"  Services by the memory of their processes; the largest by what a kill frees:",
	"    memowner processes -g cgroup",
	"    memowner processes -s held_bytes -n 3 -o +held_bytes",
	NULL
};

static const struct view *const views[] = { &owner_procs_view };

static const struct command_option options[] = { { 'a' },
						 VALUE('g', "comm cgroup"),
						 RANKED_ROWS("rss_bytes=1M..", "rss_bytes",
							     "+threads"),
						 LAST_OPTIONS };

OWNER_NOUN(processes)
