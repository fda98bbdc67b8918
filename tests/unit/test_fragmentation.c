// SPDX-License-Identifier: GPL-2.0-or-later
/* Aligned blocks of all orders, and the kernel's count of mixed pageblocks. */
#include "buddy/mixed_blocks.h"
#include "classes/order_blocks.h"

#include "test.h"

#define ORDERS 4
#define SEEN 64

static struct order_block seen[SEEN];
static unsigned int nseen;

static void keep(void *arg NOT_USED, const struct order_block *b)
{
	if (nseen < SEEN)
		seen[nseen++] = *b;
}

static const struct order_block *find(unsigned int order, uint64_t start)
{
	static const struct order_block none;

	for (unsigned int i = 0; i < nseen; i++)
		if (seen[i].order == order && seen[i].start == start)
			return &seen[i];
	return &none;
}

/* A letter a page, from a pfn on: what it is; the first page of its allocation is its own. */
static void add(struct order_blocks *b, uint64_t zone, uint64_t pfn, const char *pages)
{
	static const char letters[MOBILITIES + 1] = "?fpmru";

	for (; *pages; pages++, pfn++)
		order_blocks_add(b, zone, pfn, pfn, strchr(letters, *pages) - letters);
}

static void blocks_of_all_orders(void)
{
	struct order_blocks b;

	nseen = 0;
	order_blocks_init(&b, ORDERS, keep, NULL);
	add(&b, 0, 8, "ffffmpru");
	order_blocks_end(&b);
	CHECK(nseen == 8 + 4 + 2 + 1);
	CHECK(order_block_state(find(2, 8)) == BLOCK_FREE);
	CHECK(order_block_state(find(1, 12)) == BLOCK_MOVABLE);
	CHECK(order_block_state(find(0, 14)) == BLOCK_RECLAIMABLE);
	CHECK(order_block_state(find(1, 14)) == BLOCK_UNMOVABLE);
	CHECK(order_block_state(find(3, 8)) == BLOCK_UNMOVABLE);
	CHECK(find(3, 8)->pages[MOBILITY_FREE] == 4 && find(3, 8)->pages[MOBILITY_PCP] == 1);
	CHECK(find(3, 8)->fixed.pfn == 14 && find(3, 8)->fixed.several);
	CHECK(find(1, 12)->used.pfn == 12 && find(1, 12)->used.several && !find(1, 12)->fixed.has);
	CHECK(!find(0, 14)->fixed.several && find(0, 14)->fixed.first == 14);
	/* Nothing is left for the next scan. */
	order_blocks_end(&b);
	CHECK(nseen == 15);
}

static void an_unknown_page(void)
{
	struct order_blocks b;

	nseen = 0;
	order_blocks_init(&b, ORDERS, keep, NULL);
	add(&b, 0, 0, "f?fru?ff");
	order_blocks_end(&b);
	CHECK(order_block_state(find(1, 0)) == BLOCK_UNKNOWN);
	/* What is not reclaimable may be what is unknown. */
	CHECK(order_block_state(find(2, 0)) == BLOCK_UNKNOWN);
	/* Whatever it is, another page is unmovable. */
	CHECK(order_block_state(find(2, 4)) == BLOCK_UNMOVABLE);
}

static void holes_and_zones(void)
{
	struct order_blocks b;

	nseen = 0;
	order_blocks_init(&b, ORDERS, keep, NULL);
	add(&b, 0, 1, "fff");
	add(&b, 0, 6, "ff");
	add(&b, 1, 8, "ff");
	add(&b, 1, 0x1000000008, "ffffffff");
	order_blocks_end(&b);
	CHECK(order_block_state(find(1, 2)) == BLOCK_FREE);
	CHECK(find(1, 0)->seen == 1 && order_block_state(find(1, 0)) == BLOCK_CUT);
	CHECK(find(3, 0)->seen == 5 && order_block_state(find(3, 0)) == BLOCK_CUT);
	CHECK(find(3, 8)->seen == 2 && order_block_state(find(3, 8)) == BLOCK_CUT);
	CHECK(order_block_state(find(3, 0x1000000008)) == BLOCK_FREE);
	/* The same block in two zones is two, neither of them whole. */
	nseen = 0;
	add(&b, 0, 16, "ffff");
	add(&b, 1, 20, "ffff");
	order_blocks_end(&b);
	CHECK(find(3, 16)->seen == 4 && order_block_state(find(3, 16)) == BLOCK_CUT);
	CHECK(order_block_state(find(2, 20)) == BLOCK_FREE);
}

static void one_allocation(void)
{
	struct order_blocks b;

	nseen = 0;
	order_blocks_init(&b, ORDERS, keep, NULL);
	add(&b, 0, 0, "ff");
	order_blocks_add(&b, 0, 2, 2, MOBILITY_UNMOVABLE);
	order_blocks_add(&b, 0, 3, 2, MOBILITY_UNMOVABLE);
	add(&b, 0, 4, "mmmm");
	order_blocks_end(&b);
	CHECK(find(2, 0)->used.pfn == 2 && !find(2, 0)->used.several);
	CHECK(!find(3, 0)->fixed.several && find(3, 0)->used.several);
}

enum { UNMOVABLE, MOVABLE };

static struct mixed_page page(uint64_t pfn, unsigned int order, unsigned int type)
{
	return (struct mixed_page){
		.pfn = pfn, .is_allocated = true, .order = order, .type = type
	};
}

static void mixed(void)
{
	struct mixed_block m = { 0 };
	struct mixed_page p = page(0, 1, MOVABLE), other = page(1, 0, UNMOVABLE);

	/* The second page of an allocation is stepped over, whatever its record says. */
	mixed_block_add(&m, MOVABLE, &p);
	mixed_block_add(&m, MOVABLE, &other);
	CHECK(!m.is_mixed);
	other.pfn = 2;
	mixed_block_add(&m, MOVABLE, &other);
	CHECK(m.is_mixed && !m.is_unknown);
	mixed_block_next(&m);
	CHECK(!m.is_mixed);
	/* Free and reserved pages, and those without a record, mix nothing. */
	other = page(8, 2, UNMOVABLE);
	other.is_free = true;
	mixed_block_add(&m, MOVABLE, &other);
	other = page(9, 0, UNMOVABLE);
	mixed_block_add(&m, MOVABLE, &other);
	other.pfn = 12;
	other.is_reserved = true;
	mixed_block_add(&m, MOVABLE, &other);
	other.is_reserved = other.is_allocated = false;
	mixed_block_add(&m, MOVABLE, &other);
	CHECK(!m.is_mixed && !m.is_unknown);
	/* An unknown page makes it unknown, unless it was mixed before. */
	other.is_unknown = true;
	mixed_block_add(&m, MOVABLE, &other);
	other = page(13, 0, UNMOVABLE);
	mixed_block_add(&m, MOVABLE, &other);
	CHECK(m.is_unknown && !m.is_mixed);
	/* An order that cannot be does not step over the zone. */
	mixed_block_next(&m);
	p = page(20, 60, MOVABLE);
	mixed_block_add(&m, MOVABLE, &p);
	other.pfn = 21;
	mixed_block_add(&m, MOVABLE, &other);
	CHECK(m.is_mixed);
}

TESTS({ "blocks of all orders", blocks_of_all_orders }, { "an unknown page", an_unknown_page },
      { "holes and zones", holes_and_zones }, { "one allocation of several pages", one_allocation },
      { "mixed pageblocks", mixed })
