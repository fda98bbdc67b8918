// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner fragmentation",
	"what keeps blocks of an order from being free",
	"[ORDER]",
	"  Of each order the blocks that are free or would be by moving or reclaim, and",
	"  who has pages that are unmovable. ORDER is that of the newest report in the",
	"  log where there is one; -g groups those pages, by KEY of page_owner too.",
	"EXAMPLES",
	"  What keeps blocks of 16 pages from being free, and by which class:",
	"    memowner fragmentation 4",
	"    memowner fragmentation 4 -g class",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_node, COLUMN_zone, COLUMN_order } },
	.amounts = { { COLUMN_blocks, BASELINE_BLOCKS } },
	.counts = { { COLUMN_blocks } },
	.texts = { &baseline_buddyinfo },
	.many = "free blocks",
};

static const struct view diff_view = { BASELINE_OF(baseline, "order of a zone", "orders of zones"),
				       .sorted_up = true, NO_KEYS };

static const struct view *const views[] = { &owner_fragmentation_view, &diff_view };

static const struct command_option options[] = {
	{ 'g', .values = "class", .views = "fragmentation fragmentation_groups" },
	{ 'f', .values = "node=0" },
	{ 'X', .values = "node=0" },
	{ 's', .values = "pages", .views = "fragmentation_groups diff" },
	{ 'r', .views = "fragmentation_groups diff" },
	{ 'n', .values = "1" },
	{ 'o', .values = "+lower_pages" },
	DIFF,
	LAST_OPTIONS,
};

static enum status check(void *arg)
{
	return owner_fragmentation_check(arg);
}

OWNER_NOUN(fragmentation, .check = check, .keys = owner_keys, .nkeys = OWNER_KEYS,
	   .terms = owner_terms)
