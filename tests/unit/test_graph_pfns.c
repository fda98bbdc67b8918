// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of page frame numbers, and of DMA addresses with flags: which ones say that a driver keeps the pages. */
#include <string.h>

#include "graph/dma.h"
#include "graph/pfns.h"
#include "graph/retained.h"
#include "stub.h"
#include "test.h"

#include "graph_edge.h"

#define LINEAR 0xffff888000000000ULL
#define FIRST_PFN 0x3000u /* of 256 single pages, and behind these of as many of two */
#define PAGES 256u
#define TABLE 4 /* pages: behind the area of vmalloc */
#define ROOM (16 << 20)

static struct stub stub;
static struct graph g;
static struct arcs arcs;
static struct flow flow;
static struct retained kept;
static const struct slab_cache caches[] = { { .name = "kmalloc-64" }, { .name = "dentry" } };
static const struct slab_cache *all_caches[] = { &caches[0], &caches[1] };
static uint32_t objects, dentries, pages, blocks, area, table;

enum { KERNEL, MODULE };

static void lead(uint32_t pfn, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		g.page_spans[pfn + i] = g.spans.n;
}

static void open_graph(void)
{
	STUB_OPEN(stub);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
	g.linear = LINEAR;
	g.end = 0x8000;
	g.page_spans = arena_alloc(g.arena, g.end * sizeof(*g.page_spans));
	g.caches = all_caches;
	g.ncaches = 2;
	graph_add(&g, NODE_STATIC, 0xffffffff81000000, 8192, 1, 0);
	graph_add(&g, NODE_STATIC, 0xffffffffa0000000, 8192, 1, 1);
	objects = g.nodes;
	graph_add(&g, NODE_OBJECT, LINEAR + 0x1000000, 64, 64, 0);
	dentries = g.nodes;
	graph_add(&g, NODE_OBJECT, LINEAR + 0x1001000, 64, 64, 1);
	pages = g.nodes;
	graph_add(&g, NODE_DIRECT, LINEAR + ((uint64_t)FIRST_PFN << 12), 4096, PAGES, 0);
	lead(FIRST_PFN, PAGES);
	blocks = g.nodes;
	graph_add(&g, NODE_DIRECT, LINEAR + ((uint64_t)(FIRST_PFN + PAGES) << 12), 8192, PAGES, 0);
	lead(FIRST_PFN + PAGES, 2 * PAGES);
	area = g.nodes;
	graph_add(&g, NODE_AREA, 0xffffc90000000000, 65536, 1, 0);
	table = g.nodes;
	graph_add(&g, NODE_DIRECT, LINEAR + 0x2000000, 4096, TABLE, 0);
	CHECK(graph_seal(&g));
	g.first = arena_alloc(g.arena, (g.nodes + 1) * sizeof(*g.first));
}

/* Not in equal steps. */
static uint32_t nth(uint32_t i)
{
	return 3 * (i ^ 1);
}

static uint32_t pfn_of(uint32_t i)
{
	return FIRST_PFN + nth(i);
}

static bool add(const uint32_t *numbers, uint32_t n, uint32_t src, uint32_t from)
{
	return pfn_rows(&g, (const uint8_t *)numbers, n * 4UL, src, from);
}

/* How many nodes from one on the module has. */
static uint32_t owned(uint32_t first, uint32_t n)
{
	uint32_t count = 0;

	arcs.g = &g;
	CHECK(graph_arcs(&g, NULL, NULL, &arcs) == ST_OK && flow_open(&arcs, &flow) == ST_OK &&
	      retained_find(&flow, &kept) == ST_OK);
	for (uint32_t i = first; i < first + n; i++)
		count += kept.owners[i] == 1;
	return count;
}

static void fill(uint32_t *numbers, uint32_t n, uint32_t stride)
{
	memset(numbers, 0, n * 4UL * stride);
	for (uint32_t i = 0; i < n; i++)
		numbers[i * stride] = pfn_of(i);
}

static void test_rows(void)
{
	uint32_t numbers[512] = { 0 };

	/* One behind the other, with a count in front; and every other one, as words of 64 bits have it. */
	for (uint32_t stride = 1; stride <= 4; stride++) {
		open_graph();
		fill(numbers, 32, stride);
		memmove(numbers + 1, numbers, sizeof(numbers) - 4);
		numbers[0] = 32;
		CHECK(pfns_count(&g, (const uint8_t *)numbers, 33 * 4 * stride) == 32);
		CHECK(add(numbers, 33 * stride, MODULE, 0) && g.pfns.n == 32 && g.pfn_rows.n == 1);
		CHECK(owned(pages, PAGES) == 32);
	}
}

static bool is_none(const uint32_t *numbers, uint32_t n)
{
	bool ret;

	open_graph();
	ret = add(numbers, n, MODULE, 0) && !owned(pages, PAGES) && !owned(blocks, PAGES);
	return ret;
}

/* Tables of other numbers of which some are as large. */
static void test_other(void)
{
	uint32_t numbers[512];

	fill(numbers, PFN_ROW - 1, 1);
	CHECK(is_none(numbers, PFN_ROW - 1));
	/* One page twice. */
	fill(numbers, 32, 1);
	numbers[20] = numbers[3];
	CHECK(is_none(numbers, 32));
	/* In equal steps, as indices are; with one break they are pages. */
	for (uint32_t i = 0; i < 64; i++)
		numbers[i] = FIRST_PFN + i;
	CHECK(is_none(numbers, 64));
	numbers[40] = FIRST_PFN + 80;
	CHECK(!is_none(numbers, 64));
	/* In the midst of numbers that lead nowhere. */
	fill(numbers + 8, 32, 1);
	for (uint32_t i = 0; i < 8; i++)
		numbers[i] = 0x1000 + i;
	CHECK(is_none(numbers, 40));
	/* The second page of an allocation. */
	for (uint32_t i = 0; i < 32; i++)
		numbers[i] = FIRST_PFN + PAGES + 2 * nth(i) + 1;
	CHECK(is_none(numbers, 32));
	for (uint32_t i = 0; i < 32; i++)
		numbers[i]--;
	CHECK(!is_none(numbers, 32));
}

/* Numbers in equal steps that are all of the pages there, up to one that a pointer leads to. */
static void test_whole(void)
{
	uint32_t numbers[PAGES];

	for (uint32_t i = 0; i < PAGES; i++)
		numbers[i] = FIRST_PFN + i;
	for (uint32_t is_led = 0; is_led < 2; is_led++) {
		open_graph();
		CHECK(add(numbers, PAGES, MODULE, 0));
		if (is_led)
			put_edge(&g, (struct edge){ KERNEL, blocks, 0, 0 });
		CHECK(owned(pages, PAGES) == (is_led ? PAGES : 0));
	}
}

/* The next free entry of a table is near its own number. */
static void test_index(void)
{
	uint32_t numbers[64];

	fill(numbers, 64, 1);
	for (uint32_t near = 0; near < 2; near++) {
		open_graph();
		CHECK(add(numbers, 64, area, near ? FIRST_PFN * 4 : 0) &&
		      g.pfns.n == (near ? 0 : 64));
	}
}

/* Where pointers lead as well, the row is what is left of one. */
static void test_named(void)
{
	uint32_t numbers[64];

	for (uint32_t named = 3; named <= 4; named++) {
		open_graph();
		fill(numbers, 32, 1);
		CHECK(add(numbers, 32, MODULE, 0));
		for (uint32_t i = 0; i < named; i++)
			put_edge(&g,
				 (struct edge){ KERNEL, pages + pfn_of(i) - FIRST_PFN, 8 * i, 0 });
		CHECK(owned(pages, PAGES) == (named == 3 ? 29 : 0));
	}
}

/* Rows at one place of objects that are alike are of one kind: that of each has no break. */
static void test_kinds(void)
{
	uint32_t numbers[PFN_ROW];

	for (uint32_t apart = 0; apart < 2; apart++) {
		open_graph();
		for (uint32_t k = 0; k < 3; k++) {
			for (uint32_t i = 0; i < PFN_ROW; i++)
				numbers[i] = FIRST_PFN + 40 * k + i;
			CHECK(add(numbers, PFN_ROW, objects + k, apart ? 4 * k : 0));
			put_edge(&g, (struct edge){ MODULE, objects + k, 8 * k, 0 });
		}
		CHECK(owned(pages, PAGES) == (apart ? 0 : 3 * PFN_ROW));
	}
}

static void test_sources(void)
{
	open_graph();
	CHECK(!pfns_may_be_in(&g, graph_span_of(&g, KERNEL)));
	CHECK(pfns_may_be_in(&g, graph_span_of(&g, MODULE)));
	CHECK(pfns_may_be_in(&g, graph_span_of(&g, objects)));
	CHECK(!pfns_may_be_in(&g, graph_span_of(&g, dentries)));
	CHECK(pfns_may_be_in(&g, graph_span_of(&g, pages)) &&
	      pfns_may_be_in(&g, graph_span_of(&g, area)));
}

/* Flags in the low bits: of pages and of the kernel it is a page table. */
static void test_flags(void)
{
	const struct {
		uint32_t src, n;
		bool is_row;
	} cases[] = {
		{ KERNEL, 16, false }, { 0, 16, false }, { MODULE, 16, true }, { MODULE, 15, false }
	};
	uint64_t words[16];

	for (size_t k = 0; k < ARRAY_SIZE(cases); k++) {
		open_graph();
		for (uint32_t i = 0; i < 16; i++)
			words[i] = (uint64_t)pfn_of(i) << 12 | 3;
		CHECK(dma_rows(&g, (const uint8_t *)words, cases[k].n * 8,
			       k == 1 ? table : cases[k].src, 0));
		CHECK(g.dma.n == (cases[k].is_row ? 16 : 0));
	}
}

TESTS({ "rows", test_rows }, { "other numbers", test_other }, { "tables of indices", test_index },
      { "all pages in a row", test_whole }, { "pages that pointers lead to", test_named },
      { "rows of one kind", test_kinds }, { "whose memory", test_sources },
      { "addresses with flags", test_flags })
