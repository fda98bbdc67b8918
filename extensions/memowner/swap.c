// SPDX-License-Identifier: GPL-2.0-or-later
/* Swap that is used, and pools of huge pages that lie idle. */
#include "limits.h"
#include "pages/hugetlb.h"
#include "summary.h"
#include "util/units.h"

enum status summary_swap(struct summary *s)
{
	return swap_areas_sum(s->dump, &s->swap);
}

/* "pool of 2.0M pages, 2,900 of 3,000 are free" */
static enum status put_pool(void *arg, const struct hugetlb_pool *pool)
{
	struct summary *s = arg;
	const uint64_t pages = pool->total << pool->order;
	char size[UNITS_BYTES], free[UNITS_BYTES], total[UNITS_BYTES];

	if (pool->free > pool->total || pool->order >= 32 || pages > s->ram_pages)
		return ST_OK;
	summary_holder(s, "hugetlb",
		       arena_text(s->dump->arena, "%s pages",
				  units_size(size, 1LL << (pool->order + s->dump->page_shift))),
		       pages, "memowner pools",
		       arena_text(s->dump->arena, "%s of %s are free",
				  units_count(free, pool->free), units_count(total, pool->total)));
	return ST_OK;
}

enum status summary_hugetlb(struct summary *s)
{
	return s->ram_pages ? hugetlb_walk(s->dump, put_pool, s) : ST_OK;
}
