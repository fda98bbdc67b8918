// SPDX-License-Identifier: GPL-2.0-or-later
#include "classes/order_blocks.h"

void order_blocks_init(struct order_blocks *b, unsigned int orders,
		       void (*visit)(void *arg, const struct order_block *block), void *arg)
{
	memset(b, 0, sizeof(*b));
	b->orders = orders < FREE_AREA_ORDERS ? orders : FREE_AREA_ORDERS;
	b->visit = visit;
	b->arg = arg;
}

static void join(struct block_users *into, const struct block_users *u)
{
	if (!u->has)
		return;
	if (!into->has)
		*into = *u;
	else
		into->several |= u->several || u->first != into->first;
}

static void open_block(struct order_blocks *b, unsigned int order, uint64_t pfn)
{
	b->open[order] = (struct order_block){ .order = order, .start = pfn >> order << order };
}

static void close_block(struct order_blocks *b, unsigned int order)
{
	const struct order_block *block = &b->open[order];
	struct order_block *parent;

	b->visit(b->arg, block);
	if (order + 1 >= b->orders)
		return;
	parent = &b->open[order + 1];
	parent->seen += block->seen;
	for (unsigned int i = 0; i < MOBILITIES; i++)
		parent->pages[i] += block->pages[i];
	join(&parent->used, &block->used);
	join(&parent->fixed, &block->fixed);
}

void order_blocks_end(struct order_blocks *b)
{
	for (unsigned int o = 0; b->has_page && o < b->orders; o++)
		close_block(b, o);
	b->has_page = false;
}

void order_blocks_add(struct order_blocks *b, uint64_t zone, uint64_t pfn, uint64_t first,
		      enum page_mobility mobility)
{
	const struct block_users user = { pfn, first, true, false };
	struct order_block *page = &b->open[0];

	if (b->has_page && zone != b->zone)
		order_blocks_end(b);
	/* Blocks lie within each other: where one goes on, so do all above it. */
	for (unsigned int o = 0; b->has_page && o < b->orders && b->open[o].start != pfn >> o << o;
	     o++)
		close_block(b, o);
	for (unsigned int o = 0;
	     o < b->orders && (!b->has_page || b->open[o].start != pfn >> o << o); o++)
		open_block(b, o, pfn);
	b->has_page = true;
	b->zone = zone;
	page->seen = 1;
	page->pages[mobility] = 1;
	if (mobility != MOBILITY_FREE)
		page->used = user;
	if (mobility == MOBILITY_RECLAIMABLE || mobility == MOBILITY_UNMOVABLE)
		page->fixed = user;
}

enum block_state order_block_state(const struct order_block *b)
{
	uint64_t n = 1ULL << b->order;

	if (b->seen != n)
		return BLOCK_CUT;
	if (b->pages[MOBILITY_UNMOVABLE])
		return BLOCK_UNMOVABLE;
	if (b->pages[MOBILITY_UNKNOWN])
		return BLOCK_UNKNOWN;
	if (b->pages[MOBILITY_RECLAIMABLE])
		return BLOCK_RECLAIMABLE;
	return b->pages[MOBILITY_FREE] == n ? BLOCK_FREE : BLOCK_MOVABLE;
}

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
	/* It is one of CONFIG_COMPACTION. */
	enum status st = dump_has_symbol(d, "sysctl_compact_unevictable_allowed")
				 ? dump_value(d, "sysctl_compact_unevictable_allowed", &allowed)
				 : ST_ABSENT;

	m.unevictable = dump_enumerator_bit(d, "PG_unevictable");
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
