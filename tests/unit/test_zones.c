// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists of free blocks, and whether a zone serves an allocation. The figures of the rule were
 * worked out by hand from __zone_watermark_ok() and gfp_to_alloc_flags() in mm/page_alloc.c.
 */
#include "kernel/gfp_flags.h"
#include "zones/alloc_request.h"
#include "buddy/free_area.h"
#include "zones/reclaim.h"
#include "buddy/watermark.h"
#include "zones/zones.h"
#include "memory/zones.h"
#include "stub.h"
#include "test.h"

/* Zone of 16 pages at pfn 0x100, of three orders and two migrate types. */
#define ZONE 0x10000ULL
#define MAP 0x20000ULL
#define PAGE(i) (MAP + (i)*64ULL)
#define LINK(i) (PAGE(i) + 8)
#define HEAD(order, type) (ZONE + (order)*40 + (type)*16)
#define BUDDY 0xf0000000U

struct page {
	uint64_t flags, next, prev, mapping, index, private;
	uint32_t page_type, refcount;
	uint64_t memcg;
};

struct free_area {
	uint64_t heads[2][2], nr_free;
};

static struct {
	struct free_area areas[3];
	struct page pages[16];
	struct stub_memory memory[3];
} m;

static const struct stub_member members[] = {
	{ "struct zone", "free_area", KINDED(KIND_ARRAY, 0, sizeof(m.areas)) },
	{ "struct free_area", "free_list", KINDED(KIND_ARRAY, 0, 32) },
	{ "struct free_area", "nr_free", FIELD(32, 8) },
	{ "struct page", "lru", FIELD(8, 16) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct free_area", sizeof(struct free_area) },
					    { "struct page", sizeof(struct page) },
					    { 0 } };

/* Links some pages into a list, in this order. */
static void link_up(unsigned int order, unsigned int type, unsigned int n,
		    const unsigned int *pages)
{
	uint64_t last = HEAD(order, type), *at = &m.areas[order].heads[type][0];

	for (unsigned int i = 0; i < n; i++) {
		struct page *p = &m.pages[pages[i]];

		*at = LINK(pages[i]);
		p->prev = last;
		p->private = order;
		p->page_type = BUDDY;
		last = LINK(pages[i]);
		at = &p->next;
	}
	*at = HEAD(order, type);
	m.areas[order].heads[type][1] = last;
	m.areas[order].nr_free += n;
}

/* Order 0: pages 1 and 9 of type 0, 3 of type 1. Order 2: page 4 of type 1. */
static void make_zone(void)
{
	memset(&m, 0, sizeof(m));
	m.memory[0] = (struct stub_memory){ ZONE, m.areas, sizeof(m.areas) };
	m.memory[1] = (struct stub_memory){ MAP, m.pages, sizeof(m.pages) };
	for (unsigned int i = 0; i < 16; i++)
		m.pages[i].page_type = UINT32_MAX;
	link_up(0, 0, 2, (const unsigned int[]){ 9, 1 });
	link_up(0, 1, 1, (const unsigned int[]){ 3 });
	link_up(1, 0, 0, NULL);
	link_up(1, 1, 0, NULL);
	link_up(2, 0, 0, NULL);
	link_up(2, 1, 1, (const unsigned int[]){ 4 });
}

static enum status read_zone(struct zone_free *ret)
{
	static const struct zone zone = { .address = ZONE, .start = 0x100, .end = 0x110 };
	STUB(s, .memory = m.memory, .members = members, .sizes = sizes);
	struct memmap map = {
		.is_flat = true,
		.flat = { .dump = &s.dump,
			  .page_bytes = sizeof(struct page),
			  .n = 1,
			  .nodes = { { .start = 0x100, .end = 0x110, .mem_map = MAP } } }
	};
	struct page_types types = {
		.dump = &s.dump,
		.memmap = &map,
		.bytes = sizeof(struct page),
		.f = { [PAGE_TYPE] = FIELD(48, 4), [PAGE_PRIVATE] = FIELD(40, 8) }
	};
	struct free_areas areas;
	enum status st;

	types.marks.mask[PAGE_TYPE_BUDDY] = types.marks.value[PAGE_TYPE_BUDDY] = BUDDY;
	types.marks.mask[PAGE_TYPE_BUDDY] |= 0x80;
	st = free_areas_open(&s.dump, &types, 0x110, &areas);
	if (st == ST_OK)
		st = free_areas_read(&areas, &zone, ret);
	return st;
}

static void lists_of_blocks(void)
{
	struct zone_free z;
	uint64_t n = 0;

	make_zone();
	CHECK(read_zone(&z) == ST_OK && z.orders == 3 && z.types == 2 && !z.problem);
	CHECK(zone_free_blocks(&z, 0, 0, &n) && n == 2);
	CHECK(zone_free_blocks(&z, 0, 1, &n) && n == 1);
	CHECK(zone_free_blocks(&z, 2, 1, &n) && n == 1);
	CHECK(z.lists[1][0].head == LIST_EMPTY && z.lists[2][1].head == LIST_FILLED);
	CHECK(zone_free_pages(&z, &n) && n == 7 && z.nr_free[0] == 3 && z.nr_free[2] == 1);
}

/* One defect at a time: the list that has it is corrupt, all others are as they were. */
static bool breaks(unsigned int order, unsigned int type, enum status why)
{
	struct zone_free z;
	uint64_t n;
	bool ok = read_zone(&z) == ST_OK && z.lists[order][type].status == why && z.problem &&
		  z.lists[order][type].head == LIST_FILLED && !zone_free_pages(&z, &n);

	for (unsigned int o = 0; o < 3; o++)
		for (unsigned int t = 0; t < 2; t++)
			ok &= (o == order && t == type) || z.lists[o][t].status == ST_OK;
	return ok;
}

static void lists_that_lie(void)
{
	struct zone_free z;

	make_zone();
	m.pages[1].next = LINK(9); /* a loop */
	CHECK(breaks(0, 0, ST_CORRUPT));
	make_zone();
	m.pages[1].prev = LINK(2);
	CHECK(breaks(0, 0, ST_CORRUPT));
	make_zone();
	m.pages[9].private = 1; /* of another order */
	CHECK(breaks(0, 0, ST_CORRUPT));
	make_zone();
	m.pages[4].page_type = BUDDY | 0x80; /* in use */
	CHECK(breaks(2, 1, ST_CORRUPT));
	make_zone();
	link_up(2, 1, 1, (const unsigned int[]){ 6 }); /* not aligned */
	CHECK(breaks(2, 1, ST_CORRUPT));
	make_zone();
	m.areas[0].heads[1][0] = 0x5008; /* not in this dump */
	CHECK(breaks(0, 1, ST_UNREADABLE));
	make_zone();
	m.areas[0].heads[1][0] = LINK(3) + 8; /* no struct page */
	CHECK(breaks(0, 1, ST_CORRUPT));
	/* Zone not in the dump: nothing is known, not even what is empty. */
	m.memory[0].addr = 0x99000;
	CHECK(read_zone(&z) == ST_OK && !z.has_nr_free && z.lists[1][0].head == LIST_UNKNOWN);
	CHECK(z.lists[1][0].status == ST_UNREADABLE && z.problem);
}

/* DMA32, Normal and Movable; types 3 highatomic, 4 CMA. */
static const struct alloc_kernel kernel = { .rule = RESERVES_OF_NONBLOCK,
					    .zone_dma = -1,
					    .zone_dma32 = 0,
					    .zone_normal = 1,
					    .zone_movable = 2,
					    .pcp_types = 3,
					    .highatomic = 3,
					    .cma = 4,
					    .isolate = 5,
					    .flags = { .bit = { [GFP_BIT_DMA] = 0x1,
								[GFP_BIT_HIGHMEM] = 0x2,
								[GFP_BIT_DMA32] = 0x4,
								[GFP_BIT_MOVABLE] = 0x8,
								[GFP_BIT_RECLAIMABLE] = 0x10,
								[GFP_BIT_HIGH] = 0x20,
								[GFP_BIT_DIRECT_RECLAIM] = 0x400,
								[GFP_BIT_MEMALLOC] = 0x20000,
								[GFP_BIT_NOMEMALLOC] = 0x80000,
								[GFP_BIT_HARDWALL] = 0x100000,
								[GFP_BIT_THISNODE] = 0x200000 },
						       .named = 0x7ffdff } };

#define KNOWN(v) ((struct maybe){ true, v })
#define GFP_KERNEL 0xcc0U
#define GFP_ATOMIC 0x820U
#define OLD_ATOMIC 0xa20U /* with __GFP_ATOMIC, 0x200 */
#define GFP_NOWAIT 0x800U
#define HIGHUSER_MOVABLE 0x100ccaU

/* A zone with room and blocks of order 3 on the list of type 0. */
static struct zone_free blocks;
static struct watermark_zone make_watermark(void)
{
	memset(&blocks, 0, sizeof(blocks));
	blocks.orders = 11;
	blocks.types = 6;
	blocks.has_nr_free = true;
	for (unsigned int o = 0; o < 11; o++)
		for (unsigned int t = 0; t < 6; t++)
			blocks.lists[o][t].head = LIST_EMPTY;
	blocks.lists[3][0].head = LIST_FILLED;
	blocks.nr_free[3] = 5;
	return (struct watermark_zone){ .index = 0,
					.managed = KNOWN(61003),
					.free = KNOWN(346),
					.min = KNOWN(491),
					.boost = KNOWN(0),
					.reserve = KNOWN(0),
					.highatomic = KNOWN(0),
					.cma = KNOWN(0),
					.free_area = &blocks };
}

static struct watermark_verdict verdict;

static enum watermark_result ask_by(enum reserve_rule rule, const struct watermark_zone *z,
				    unsigned int order, uint32_t gfp)
{
	struct alloc_kernel k = kernel;
	struct alloc_request r;

	k.flags.bit[GFP_BIT_ATOMIC] = rule == RESERVES_OF_ATOMIC ? 0x200 : 0;
	CHECK(alloc_request_init(&k, rule, order, gfp, &r));
	return watermark_check(&k, z, &r, &verdict);
}

static enum watermark_result ask(const struct watermark_zone *z, unsigned int order, uint32_t gfp)
{
	return ask_by(RESERVES_OF_NONBLOCK, z, order, gfp);
}

static void pages_against_the_watermark(void)
{
	struct watermark_zone z = make_watermark();

	/* 346 <= 491. */
	CHECK(ask(&z, 0, HIGHUSER_MOVABLE) == WATERMARK_BELOW);
	CHECK(verdict.usable == 346 && verdict.limit == 491);
	/* One more than the limit is enough, the limit itself is not. */
	z.free.n = 491;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_BELOW);
	z.free.n = 492;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_OK);
	/* Order 3 takes 7 away: 498 - 7 = 491. */
	z.free.n = 498;
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_BELOW && verdict.tail == 7);
	z.free.n = 499;
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_OK && verdict.largest == 3);
	z.reserve.n = 100;
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_BELOW && verdict.limit == 591);
	z.free.n = -5;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_BELOW && verdict.usable == -5);
}

static void rights_of_requests(void)
{
	struct watermark_zone z = make_watermark();

	/* __GFP_HIGH leaves 491 - 245 = 246, and GFP_ATOMIC of that 246 - 61 = 185. */
	z.free.n = 186;
	CHECK(ask(&z, 0, GFP_ATOMIC) == WATERMARK_OK && verdict.limit == 185);
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 0, OLD_ATOMIC) == WATERMARK_OK &&
	      verdict.limit == 185);
	CHECK(ask(&z, 0, GFP_KERNEL | 0x20) == WATERMARK_BELOW && verdict.limit == 246);
	/* GFP_NOWAIT alone takes nothing off the watermark. */
	CHECK(ask(&z, 0, GFP_NOWAIT) == WATERMARK_BELOW && verdict.limit == 491);
	/* __GFP_NOMEMALLOC leaves __GFP_HIGH alone. */
	CHECK(ask(&z, 0, GFP_ATOMIC | 0x80000) == WATERMARK_BELOW && verdict.limit == 246);
	/* Only up to 6.2 is a quarter taken off without __GFP_HIGH: 491 - 122 = 369. */
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 0, 0x200) == WATERMARK_BELOW && verdict.limit == 369);
}

static void pages_for_atomic_requests(void)
{
	struct watermark_zone z = make_watermark();

	z.free.n = 900;
	z.highatomic.n = 512;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_BELOW && verdict.usable == 388);
	/* __GFP_HIGH may have them since 6.3, before that __GFP_ATOMIC alone. */
	CHECK(ask(&z, 0, GFP_KERNEL | 0x20) == WATERMARK_OK && verdict.usable == 900);
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 0, (GFP_KERNEL | 0x20)) == WATERMARK_OK &&
	      verdict.usable == 388);
	z.free.n = 700;
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 0, (GFP_KERNEL | 0x20)) == WATERMARK_BELOW &&
	      verdict.usable == 188);
	CHECK(ask(&z, 0, GFP_NOWAIT) == WATERMARK_OK);
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 0, GFP_NOWAIT) == WATERMARK_BELOW);
	/* Their lists are for atomic requests above order 0. */
	z.free.n = 5000;
	blocks.lists[3][0].head = LIST_EMPTY;
	blocks.lists[4][3].head = LIST_FILLED;
	blocks.nr_free[4] = 1;
	CHECK(ask(&z, 2, GFP_KERNEL) == WATERMARK_NO_BLOCK && verdict.largest == -1);
	CHECK(ask(&z, 2, GFP_KERNEL | 0x20) == WATERMARK_NO_BLOCK);
	CHECK(ask(&z, 2, GFP_ATOMIC) == WATERMARK_OK && verdict.largest == 4);
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 2, OLD_ATOMIC) == WATERMARK_OK);
}

static void blocks_of_the_order(void)
{
	struct watermark_zone z = make_watermark();

	z.free.n = 5000;
	CHECK(ask(&z, 4, GFP_KERNEL) == WATERMARK_NO_BLOCK && verdict.largest == 3);
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_OK && ask(&z, 1, GFP_KERNEL) == WATERMARK_OK);
	/* CMA is for movable requests, isolated blocks are for none. */
	blocks.lists[5][4].head = blocks.lists[10][5].head = LIST_FILLED;
	blocks.nr_free[5] = blocks.nr_free[10] = 1;
	CHECK(ask(&z, 4, GFP_KERNEL) == WATERMARK_NO_BLOCK);
	CHECK(ask(&z, 4, HIGHUSER_MOVABLE) == WATERMARK_OK && verdict.largest == 5);
	z.cma.n = 4700;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_BELOW && verdict.usable == 300);
	CHECK(ask(&z, 0, HIGHUSER_MOVABLE) == WATERMARK_OK && verdict.usable == 5000);
	/* The kernel looks at no list of an order whose count is 0. */
	z.cma.n = 0;
	blocks.nr_free[3] = 0;
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_NO_BLOCK);
}

static void watermarks_with_a_boost(void)
{
	struct watermark_zone z = make_watermark();

	/* 493 + 1108 = 1601, as of a 7.3 kernel that ran out of memory with 321 pages free. */
	z.min.n = 493;
	z.boost.n = 1108;
	z.free.n = 321;
	CHECK(ask(&z, 0, HIGHUSER_MOVABLE) == WATERMARK_BELOW && verdict.mark == 1601);
	/* Atomic requests of order 0 ignore it: 493 - 246 - 61 = 186. */
	CHECK(ask(&z, 0, GFP_ATOMIC) == WATERMARK_OK && verdict.limit == 186);
	/* Above order 0 they do not: 1601 - 800 - 200 = 601. */
	CHECK(ask(&z, 1, GFP_ATOMIC) == WATERMARK_BELOW && verdict.limit == 601);
	/* Up to 6.2 __GFP_ATOMIC ignores it, not __GFP_HIGH. */
	CHECK(ask(&z, 0, GFP_KERNEL | 0x20) == WATERMARK_OK && verdict.limit == 247);
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 0, GFP_KERNEL | 0x20) == WATERMARK_BELOW &&
	      verdict.limit == 801);
	CHECK(ask_by(RESERVES_OF_ATOMIC, &z, 0, OLD_ATOMIC) == WATERMARK_OK);
}

static void zones_of_flags(void)
{
	struct watermark_zone z = make_watermark();
	struct alloc_kernel dma = kernel;
	struct alloc_request r;

	z.free.n = 5000;
	z.index = 1;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_OK);
	CHECK(ask(&z, 0, GFP_KERNEL | 4) == WATERMARK_NOT_ALLOWED);
	z.index = 2;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_NOT_ALLOWED);
	CHECK(ask(&z, 0, GFP_KERNEL | 8) == WATERMARK_NOT_ALLOWED);
	CHECK(ask(&z, 0, HIGHUSER_MOVABLE) == WATERMARK_OK);
	z.managed.n = 0;
	CHECK(ask(&z, 0, HIGHUSER_MOVABLE) == WATERMARK_NO_PAGES);
	/* A zone that is not built in is Normal. */
	CHECK(alloc_request_init(&kernel, RESERVES_OF_NONBLOCK, 0, GFP_KERNEL | 1, &r) &&
	      r.highest_zone == 1);
	dma.zone_dma = 0;
	CHECK(alloc_request_init(&dma, RESERVES_OF_NONBLOCK, 0, GFP_KERNEL | 1, &r) &&
	      r.highest_zone == 0);
	CHECK(!alloc_request_init(&kernel, RESERVES_OF_NONBLOCK, 0, GFP_KERNEL | 5, &r));
	CHECK(!alloc_request_init(&kernel, RESERVES_OF_NONBLOCK, 0, GFP_KERNEL | 6, &r));
}

static void figures_that_are_missing(void)
{
	struct watermark_zone z = make_watermark();

	z.free.known = false;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_UNKNOWN);
	CHECK_TEXT(verdict.missing, "the counter of free pages");
	/* What is known without it stays known. */
	z.index = 2;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_NOT_ALLOWED);
	z = make_watermark();
	z.free.n = 5000;
	z.highatomic.known = false;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_UNKNOWN);
	CHECK_TEXT(verdict.missing, "how much highatomic blocks have");
	CHECK(ask(&z, 0, GFP_ATOMIC) == WATERMARK_OK);
	/* Up to 4.20 the log does not tell: what is taken away besides makes too few no more. */
	z.free.n = 400;
	z.cma.known = false;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_BELOW && verdict.usable == 400 &&
	      verdict.limit == 491);
	CHECK_TEXT(verdict.missing, "how much highatomic blocks have");
	z.min.known = false;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_UNKNOWN);
	z = make_watermark();
	z.free.n = 5000;
	/* A list that may have a block, at the order or above. */
	blocks.lists[6][1].head = LIST_UNKNOWN;
	CHECK(ask(&z, 4, GFP_KERNEL) == WATERMARK_NO_BLOCK);
	blocks.has_nr_free = false;
	CHECK(ask(&z, 4, GFP_KERNEL) == WATERMARK_UNKNOWN);
	CHECK_TEXT(verdict.missing, "what a list of free blocks has");
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_OK);
	CHECK(ask(&z, 7, GFP_KERNEL) == WATERMARK_NO_BLOCK);
	/* Nor is a block below that list known to be the largest. */
	CHECK(verdict.largest == -1);
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_OK && verdict.largest == -1);
	z.free.n = 10;
	CHECK(ask(&z, 4, GFP_KERNEL) == WATERMARK_BELOW && verdict.largest == -1);
	blocks.lists[6][1].head = LIST_EMPTY;
	CHECK(ask(&z, 4, GFP_KERNEL) == WATERMARK_BELOW && verdict.largest == 3);
	z.free.n = 5000;
	z.free_area = NULL;
	CHECK(ask(&z, 3, GFP_KERNEL) == WATERMARK_UNKNOWN);
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_OK);
	/* Numbers of a corrupt struct. */
	z.min.n = INT64_MAX;
	z.boost.n = 1;
	CHECK(ask(&z, 0, GFP_KERNEL) == WATERMARK_UNKNOWN && !verdict.missing);
	z = make_watermark();
	z.free.n = INT64_MIN;
	CHECK(ask(&z, 1, GFP_KERNEL) == WATERMARK_UNKNOWN);
	CHECK(ask(&z, 0, GFP_KERNEL | 0x20000) == WATERMARK_UNKNOWN);
}

static void compaction_that_is_deferred(void)
{
	struct zone_state s = { .defer_shift = 3,
				.considered = 6,
				.order_failed = 4,
				.has_deferral = true,
				.has_considered = true,
				.has_order_failed = true };

	CHECK(zone_defers_compaction(&s, 4) && zone_defers_compaction(&s, 9));
	CHECK(!zone_defers_compaction(&s, 3));
	s.considered = 7;
	CHECK(!zone_defers_compaction(&s, 4));
	s.defer_shift = 200;
	CHECK(!zone_defers_compaction(&s, 4));
	s.has_considered = false;
	s.defer_shift = 3;
	s.considered = 0;
	CHECK(!zone_defers_compaction(&s, 4));
}

/* Two nodes with a zone each, as the log of their kernel has them. */
static struct oom_report report;
static const struct zone zones_of_nodes[] = { { .node = 0, .index = 1, .name = "Normal" },
					      { .node = 1, .index = 1, .name = "Normal" } };
static struct zone_now zones_now[2];

#define LOG(v) ((struct log_number){ true, v })

static void make_report(struct zones_view *z, struct owner_view *v)
{
	memset(z, 0, sizeof(*z));
	memset(v, 0, sizeof(*v));
	memset(&report, 0, sizeof(report));
	v->page_shift = 12;
	z->v = v;
	z->kernel = kernel;
	z->has_kernel = z->has_request = z->is_of_report = true;
	z->report = &report;
	z->gfp = HIGHUSER_MOVABLE;
	z->zones.n = 2;
	z->now = zones_now;
	for (int i = 0; i < 2; i++) {
		struct mem_zone *l = &report.mem.zones[i];

		zones_now[i].zone = &zones_of_nodes[i];
		snprintf(l->name, sizeof(l->name), "Normal");
		l->node = LOG(i);
		l->kib[MEM_ZONE_managed] = LOG(400000);
		l->kib[MEM_ZONE_free] = LOG(2000); /* 500 pages */
		l->kib[MEM_ZONE_boost] = LOG(400);
		l->kib[MEM_ZONE_min] = LOG(1600); /* 300 and the boost of 100 */
		l->kib[MEM_ZONE_reserved_highatomic] = LOG(0);
		l->kib[MEM_ZONE_free_cma] = LOG(0);
		l->nreserve = 3;
		l->reserve[2] = 7;
		l->orders = 11;
		l->free_blocks[2] = 3;
		snprintf(l->types[2], sizeof(l->types[2]), "%s", i ? "H" : "UM");
	}
	report.mem.nzones = 2;
}

static enum watermark_result ask_logged(const struct zones_view *z, unsigned int i)
{
	struct zone_answer a;

	zone_request_check_logged(z, &report.mem.zones[i], &a);
	CHECK(a.is_asked);
	verdict = a.verdict;
	return a.verdict.result;
}

static void zones_of_the_log(void)
{
	struct zones_view z;
	struct owner_view v;
	struct mem_zone *l = &report.mem.zones[0];

	make_report(&z, &v);
	CHECK(ask_logged(&z, 0) == WATERMARK_OK && verdict.usable == 500 && verdict.limit == 407 &&
	      verdict.boost == 100);
	l->kib[MEM_ZONE_free].value = 1628;
	CHECK(ask_logged(&z, 0) == WATERMARK_BELOW && verdict.usable == 407);
	/* Blocks by the letters of their migrate types. */
	make_report(&z, &v);
	z.order = 2;
	CHECK(ask_logged(&z, 0) == WATERMARK_OK && verdict.largest == 2);
	CHECK(ask_logged(&z, 1) == WATERMARK_NO_BLOCK && verdict.largest == -1);
	z.order = 3;
	CHECK(ask_logged(&z, 0) == WATERMARK_NO_BLOCK && verdict.largest == 2);
	l->orders = 0; /* the line is not in the log */
	CHECK(ask_logged(&z, 0) == WATERMARK_UNKNOWN);
	/* Kernels up to 5.10 print min with a boost, not the boost. */
	make_report(&z, &v);
	l->kib[MEM_ZONE_boost].known = false;
	CHECK(ask_logged(&z, 0) == WATERMARK_OK && verdict.limit == 407);
	l->kib[MEM_ZONE_free].known = false;
	CHECK(ask_logged(&z, 0) == WATERMARK_UNKNOWN);
	/* Of which node a zone is cannot be told, or it is none of the dump's. */
	make_report(&z, &v);
	l->node.known = false;
	CHECK(ask_logged(&z, 0) == WATERMARK_UNKNOWN);
	l->node = LOG(7);
	CHECK(ask_logged(&z, 0) == WATERMARK_UNKNOWN);
	CHECK_TEXT(verdict.missing, "which zone of this kernel it is");
	/* Where the dump has none at all, its name says which of the kernel's it is. */
	z.zones.n = 0;
	CHECK(ask_logged(&z, 0) == WATERMARK_OK && verdict.usable == 500);
	snprintf(z.mems_allowed, sizeof(z.mems_allowed), "0-1");
	CHECK(ask_logged(&z, 0) == WATERMARK_NOT_ALLOWED);
	snprintf(l->name, sizeof(l->name), "Movable");
	z.gfp = GFP_KERNEL;
	CHECK(ask_logged(&z, 0) == WATERMARK_NOT_ALLOWED);
	snprintf(l->name, sizeof(l->name), "Other");
	CHECK(ask_logged(&z, 0) == WATERMARK_UNKNOWN);
}

static void nodes_of_a_task(void)
{
	struct zones_view z;
	struct owner_view v;

	make_report(&z, &v);
	snprintf(z.mems_allowed, sizeof(z.mems_allowed), "0");
	CHECK(ask_logged(&z, 0) == WATERMARK_OK && ask_logged(&z, 1) == WATERMARK_NOT_ALLOWED);
	snprintf(z.mems_allowed, sizeof(z.mems_allowed), "1-3,5");
	CHECK(ask_logged(&z, 0) == WATERMARK_NOT_ALLOWED && ask_logged(&z, 1) == WATERMARK_OK);
	/* Without __GFP_HARDWALL the cpuset above may allow it; what is not understood excludes none. */
	z.gfp = GFP_KERNEL;
	CHECK(ask_logged(&z, 0) == WATERMARK_OK);
	make_report(&z, &v);
	snprintf(z.mems_allowed, sizeof(z.mems_allowed), "x");
	CHECK(ask_logged(&z, 0) == WATERMARK_OK);
	snprintf(report.nodemask, sizeof(report.nodemask), "(null)");
	CHECK(ask_logged(&z, 0) == WATERMARK_OK);
	snprintf(report.nodemask, sizeof(report.nodemask), "1");
	CHECK(ask_logged(&z, 0) == WATERMARK_NOT_ALLOWED && ask_logged(&z, 1) == WATERMARK_OK);
	/* An order that the user names is not of that task. */
	z.is_of_report = false;
	CHECK(ask_logged(&z, 0) == WATERMARK_OK);
}

TESTS({ "report: zones by the figures of the log", zones_of_the_log },
      { "report: nodes that its task may use", nodes_of_a_task },
      { "free blocks: lists by order and type", lists_of_blocks },
      { "free blocks: loops, links, pages of others", lists_that_lie },
      { "watermark: pages", pages_against_the_watermark },
      { "watermark: rights of a request", rights_of_requests },
      { "watermark: highatomic", pages_for_atomic_requests },
      { "watermark: blocks of an order", blocks_of_the_order },
      { "watermark: boost", watermarks_with_a_boost },
      { "watermark: zones that flags allow", zones_of_flags },
      { "watermark: missing and impossible figures", figures_that_are_missing },
      { "compaction: deferred", compaction_that_is_deferred })
