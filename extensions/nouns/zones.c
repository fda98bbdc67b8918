// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner zones",
	"free memory of zones, and why an allocation fails",
	"[ORDER [GFP]]",
	"  Free blocks by order and migrate type, watermarks, lists of the CPUs,",
	"  reclaim; the newest report in the log that memory ran out; whether each zone,",
	"  in the order of the zonelist where it is known, serves that allocation, then",
	"  and at the panic, by this kernel's check. ORDER and GFP (default GFP_KERNEL;",
	"  commas between flags) ask of another. KSWAPD_FAILURES: runs in a row that",
	"  reclaimed nothing, at 16 it stops; COMPACT: order kcompactd was woken for.",
	"EXAMPLES",
	"  Why memory ran out; would 16 contiguous pages have been had?",
	"    memowner zones",
	"    memowner zones 4 GFP_ATOMIC,__GFP_COMP",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_node, COLUMN_zone } },
	.amounts = { { COLUMN_free_pages, BASELINE_PAGES,
		       .note = "free_pages lacks what CPUs have not added to the counter yet: a "
			       "small difference may be that; /proc/buddyinfo has the lists" },
		     { COLUMN_listed_pages, BASELINE_PAGES } },
	.texts = { &baseline_zoneinfo, &baseline_buddyinfo },
};

static const struct view diff_view = { BASELINE_OF(baseline, "zone", "zones"), .sorted_up = true,
				       NO_KEYS };

static const struct view *const views[] = { &owner_zones_view, &diff_view };

static const struct command_option options[] = {
	{ 'o', .values = "+free_pages" },
	{ 's', .values = "diff_bytes", .views = "diff" },
	{ 'r', .views = "diff" },
	{ 'f', .values = "basis=derived" },
	{ 'X', .values = "basis=derived" },
	{ 'n', .values = "1", .views = "diff" },
	DIFF,
	LAST_OPTIONS,
};

OWNER_NOUN(zones)
