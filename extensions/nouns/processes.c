// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = { "memowner processes",
			"processes by memory",
			"",
			"EXAMPLES",
			"    memowner processes -g cgroup",
			"    memowner processes -s held_bytes -n 3 -o +held_bytes",
			NULL };

#define SHARED "a page counts for each process that maps it: the sum of the rows may exceed RAM"

static const struct baseline baseline = {
	.by = { { COLUMN_comm } },
	.amounts = { { COLUMN_process_bytes, .note = SHARED, .plus = COLUMN_hugetlb_bytes },
		     { COLUMN_rss_bytes, .note = SHARED } },
	.beside = { COLUMN_held_bytes, .note = "; with -o +held_bytes -j has it" },
	.asks_beside = true,
	.counts = { { COLUMN_processes, BASELINE_ROWS } },
	.texts = { &baseline_proc_status, &baseline_ps },
	.many = "processes",
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_comm, "name of the process"),
	BASELINE_KEY(COLUMN_cgroup, "path of the cgroup"),
	BASELINE_KEY(COLUMN_memcg, "memory cgroup"),
	BASELINE_KEY(COLUMN_uid, "user ID"),
};

static const struct view diff_view = { BASELINE_BESIDE(baseline, "name", "names"),
				       KEYS_OF(diff_keys) };

static const struct view *const views[] = { &owner_procs_view, &diff_view };

static const struct command_option options[] = { { 'a' },
						 VALUE('g', "comm cgroup"),
						 RANKED_ROWS("rss_bytes=1M..", "rss_bytes",
							     "+threads"),
						 DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(processes)
