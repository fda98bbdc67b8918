// SPDX-License-Identifier: GPL-2.0-or-later
/* Swap that is used, and pools of huge pages that lie idle. */
#include "pages/hugetlb.h"
#include "summary.h"

enum status summary_swap(struct summary *s)
{
	return swap_areas_sum(s->dump, &s->swap);
}

/* What is reserved is promised to who has mapped it. */
static void add_idle(struct summary *s, const struct hugetlb_pool *pool)
{
	const uint64_t idle = pool->free > pool->reserved ? pool->free - pool->reserved : 0;

	if (idle * 2 < pool->total || !summary_reaches(s, LIMIT_IDLE_POOL, idle << pool->order))
		return;
	s->idle_pools = arena_text(
		s->dump->arena, "%s%s%s of %s in huge pages of %s", s->idle_pools ?: "",
		s->idle_pools ? ", " : "", summary_size(s, idle << pool->order),
		summary_size(s, pool->total << pool->order), summary_size(s, 1ULL << pool->order));
}

/* "pool of 2.0M pages, 2,900 of 3,000 are free" */
static enum status put_pool(void *arg, const struct hugetlb_pool *pool)
{
	struct summary *s = arg;
	const struct statement *last = s->last[SECTION_HOLDER];
	const uint64_t pages = pool->total << pool->order;

	if (pool->free > pool->total || pool->order >= 32 || pages > s->ram_pages)
		return ST_OK;
	add_idle(s, pool);
	summary_holder(s, "hugetlb",
		       arena_text(s->dump->arena, "%s pages", summary_size(s, 1ULL << pool->order)),
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
