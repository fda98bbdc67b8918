// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner holders",
	"who keeps memory, by the pointers in the dump",
	"",
	"  For kernels that record no owner: variables, stacks and objects of modules,",
	"  by the memory that they alone lead to. It is inferred: each line begins with",
	"  ~ and ends with the share of walks back along pointers that agree; where one",
	"  owner alone leads to memory they do so, and half of them where a stack does,",
	"  whose words may be left over. What that share cannot show is a",
	"  pointer that was not read, or a stale one: the lines below the rows have how",
	"  often either was seen. What several lead to, and what none does, stands there.",
	"  Where structures of a module that keeps 1 % of RAM are known, as --modules DIR",
	"  of the program gives them, WAY names what nearly all objects of a step are and",
	"  how sure it is: struct entry (kmalloc-64, type 50%), by shape alone.",
	"EXAMPLES",
	"  All that keep a megabyte or more; what a module keeps:",
	"    memowner holders -f bytes=1M..",
	"    memowner holders -f module=leaky -n 0",
	NULL
};

static const struct baseline baseline = {
	/* With the rows they are all of that memory. */
	.rest = { "several modules, or a module and vmlinux", "unknown: walks back end elsewhere",
		  "no root leads there, nor does it name a module" },
	.by = { { COLUMN_root, COLUMN_module }, { COLUMN_root } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_objects } },
	.many = "objects",
	.strips_numbers = true,
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_root, "root"),
	BASELINE_KEY(COLUMN_module, "module of the root"),
};

static const struct view diff_view = { BASELINE_OF(baseline, "root", "roots"), KEYS_OF(diff_keys) };

static const struct view *const views[] = { &owner_holders_view, &diff_view };

static const struct command_option options[] = { { 'g', .values = "module", .views = "diff" },
						 RANKED_ROWS("bytes=1M..", "objects", "+module"),
						 DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(holders)
