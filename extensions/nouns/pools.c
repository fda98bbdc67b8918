// SPDX-License-Identifier: GPL-2.0-or-later
#include "noun.h"

static char *help[] = {
	"memowner pools",
	"pools of pages by name, and swap",
	"",
	"  Page pools of network drivers, zram, zswap, hugetlb, per-CPU chunks,",
	"  balloons, CMA; below them chunks of the per-CPU allocator and swap areas.",
	"EXAMPLES",
	"  All pools; those of zsmalloc, which zram and zswap store in:",
	"    memowner pools",
	"    memowner pools -f kind=zsmalloc",
	NULL
};

static const struct baseline baseline = {
	.by = { { COLUMN_kind, COLUMN_name }, { COLUMN_kind } },
	.amounts = { { COLUMN_bytes } },
	.beside = { COLUMN_used_bytes },
	.may_lack = "page_pool",
	.strips_numbers = true,
};

static const struct view diff_view = { BASELINE_BESIDE(baseline, "pool", "pools"), NO_KEYS };

static const struct view *const views[] = { &owner_pools_view, &diff_view };

static const struct command_option options[] = { RANKED_ROWS("bytes=1M..", "pages", "+pages"), DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(pools)
