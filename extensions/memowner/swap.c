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

static const char *pages_text(const struct summary *s, uint64_t pages, char *buf)
{
	return units_size(buf, (int64_t)(pages << s->dump->page_shift));
}

/* What is reserved is promised to who has mapped it. */
static void add_idle(struct summary *s, const struct hugetlb_pool *pool)
{
	const uint64_t idle = pool->free > pool->reserved ? pool->free - pool->reserved : 0;
	char size[UNITS_BYTES], free[UNITS_BYTES], total[UNITS_BYTES];

	if (idle * 2 < pool->total ||
	    !limit_has_idle_pool(units_tenths(idle << pool->order, s->ram_pages)))
		return;
	s->idle_pools = arena_text(s->dump->arena, "%s%s%s of %s in huge pages of %s",
				   s->idle_pools ? s->idle_pools : "", s->idle_pools ? ", " : "",
				   pages_text(s, idle << pool->order, free),
				   pages_text(s, pool->total << pool->order, total),
				   pages_text(s, 1ULL << pool->order, size));
}

/* "pool of 2.0M pages, 2,900 of 3,000 are free" */
static enum status put_pool(void *arg, const struct hugetlb_pool *pool)
{
	struct summary *s = arg;
	const struct statement *last = s->last[SECTION_HOLDER];
	const uint64_t pages = pool->total << pool->order;
	char size[UNITS_BYTES];

	if (pool->free > pool->total || pool->order >= 32 || pages > s->ram_pages)
		return ST_OK;
	add_idle(s, pool);
	summary_holder(
		s, "hugetlb",
		arena_text(s->dump->arena, "%s pages", pages_text(s, 1ULL << pool->order, size)),
		pages, "memowner pools",
		arena_text(s->dump->arena, "%s of %s are free", COUNT_TEXT(pool->free),
			   COUNT_TEXT(pool->total)));
	s->huge_in_use += pool->free < pool->total;
	if (pool->free < pool->total)
		s->huge = s->huge_in_use == 1 && s->last[SECTION_HOLDER] != last
				  ? s->last[SECTION_HOLDER]
				  : NULL;
	return ST_OK;
}

enum status summary_hugetlb(struct summary *s)
{
	return s->ram_pages ? hugetlb_walk(s->dump, put_pool, s) : ST_OK;
}
