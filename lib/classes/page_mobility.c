// SPDX-License-Identifier: GPL-2.0-or-later
#include "classes/page_mobility.h"

const char *const page_mobility_names[MOBILITIES + 1] = {
	[MOBILITY_FREE] = "free",	    [MOBILITY_PCP] = "pcp",
	[MOBILITY_MOVABLE] = "movable",	    [MOBILITY_RECLAIMABLE] = "reclaimable",
	[MOBILITY_UNMOVABLE] = "unmovable",
};

static const enum page_mobility of_class[PAGE_CLASSES] = {
	[CLASS_UNKNOWN] = MOBILITY_UNKNOWN,
	[CLASS_SLAB] = MOBILITY_UNMOVABLE,
	[CLASS_VMALLOC] = MOBILITY_UNMOVABLE,
	[CLASS_PGTABLE] = MOBILITY_UNMOVABLE,
	[CLASS_ANON] = MOBILITY_MOVABLE,
	[CLASS_FILE] = MOBILITY_MOVABLE,
	[CLASS_SHMEM] = MOBILITY_MOVABLE,
	[CLASS_HUGETLB] = MOBILITY_UNMOVABLE,
	[CLASS_PERCPU] = MOBILITY_UNMOVABLE,
	[CLASS_KSTACK] = MOBILITY_UNMOVABLE,
	[CLASS_ZSMALLOC] = MOBILITY_MOVABLE,
	[CLASS_EARLY] = MOBILITY_UNMOVABLE,
	[CLASS_DIRECT] = MOBILITY_UNMOVABLE,
	[CLASS_OFFLINE] = MOBILITY_UNMOVABLE,
	[CLASS_GUARD] = MOBILITY_UNMOVABLE,
	[CLASS_BUDDY] = MOBILITY_FREE,
	[CLASS_PCP] = MOBILITY_PCP,
	[CLASS_UNACCEPTED] = MOBILITY_PCP,
	[CLASS_RESERVED] = MOBILITY_UNMOVABLE,
	[CLASS_REMOVED] = MOBILITY_UNMOVABLE,
	[CLASS_FREE] = MOBILITY_PCP,
};

/* vm.compact_unevictable_allowed: 1 by default, 0 with PREEMPT_RT (mm/compaction.c since 5.7). */
void page_mobilities_open(struct dump *d, struct slabs *slabs, struct page_mobilities *ret)
{
	struct page_mobilities m = { .slabs = slabs, .of_those = MOBILITY_MOVABLE };
	uint64_t allowed;
	int64_t bit;
	/* It is one of CONFIG_COMPACTION. */
	enum status st = dump_has_symbol(d, "sysctl_compact_unevictable_allowed")
				 ? dump_value(d, "sysctl_compact_unevictable_allowed", &allowed)
				 : ST_ABSENT;

	if (dump_ask(d, enumerator, "PG_unevictable", &bit) == ST_OK && bit >= 0 && bit < 64)
		m.unevictable = 1ULL << bit;
	if (st == ST_OK && !allowed)
		m.of_those = MOBILITY_UNMOVABLE;
	else if (st != ST_OK && st != ST_ABSENT)
		m.of_those = MOBILITY_UNKNOWN;
	decoder_trace(d, "decide unevictable pages %s",
		      m.of_those ? page_mobility_names[m.of_those] : "of unknown mobility");
	*ret = m;
}

static enum page_mobility of_slab(struct page_mobilities *m, const struct page_info *info)
{
	const struct slab_cache *cache;

	if (info->state != PAGE_TYPE_SLAB)
		return MOBILITY_UNMOVABLE;
	if (!m->slabs || slab_cache_at(m->slabs, info->head, &cache) != ST_OK)
		return MOBILITY_UNKNOWN;
	return cache->is_reclaimable ? MOBILITY_RECLAIMABLE : MOBILITY_UNMOVABLE;
}

enum page_mobility page_mobility_of(struct page_mobilities *m, const struct page_info *info,
				    enum page_class class)
{
	enum page_mobility mobility = of_class[class];

	if (class == CLASS_SLAB)
		return of_slab(m, info);
	return mobility == MOBILITY_MOVABLE && info->head_flags & m->unevictable ? m->of_those
										 : mobility;
}
