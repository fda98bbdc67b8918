// SPDX-License-Identifier: GPL-2.0-or-later
/* Which words of the graph of pointers own: a rule left out turns a test red. */
#include "graph_words.h"

#include "graph/dma.h"
#include "holders/references.h"

static void test_lists(void)
{
	open_graph();
	list(MODULE, 32, objects, 20);
	word(objects + 3, 0, pages, PLACE_PAGE);
	word(objects + 7, 0, pages + 1, PLACE_PAGE);
	word(KERNEL, 0, objects + 7, 0);
	CHECK(find() == ST_OK && arcs.lists.n == 1);
	CHECK(((const struct list *)chunks_at(&arcs.lists, 0))->entries == 20);
	/* A stale word costs the entry that it names. */
	CHECK(owned(objects, 20, 1) == 19 && kept.owners[objects + 7] == OWNER_SHARED);
	CHECK(kept.owners[pages] == 1 && kept.roots[pages] == MODULE);
	CHECK(kept.owners[pages + 1] == OWNER_SHARED);
}

/* The head in an object: what has that object has the list. */
static void test_lists_of_objects(void)
{
	open_graph();
	word(MODULE, 0, others, 0);
	list(others, 24, objects, 10);
	word(KERNEL, 8, objects + 9, 32);
	CHECK(find() == ST_OK);
	CHECK(owned(objects, 10, 1) == 9 && kept.owners[others] == 1);
}

/* hlist: each names the pointer to it, and the last is followed by none. */
static void test_hash_lists(void)
{
	open_graph();
	for (uint32_t i = 0; i < 12; i++) {
		uint32_t src = i ? objects + i - 1 : MODULE, from = i ? 16 : 40;

		word(src, from, objects + i, 16);
		word(objects + i, 24, src, from);
	}
	word(KERNEL, 0, objects + 2, 0);
	CHECK(find() == ST_OK && arcs.lists.n == 1);
	CHECK(owned(objects, 12, 1) == 11 && kept.owners[objects + 11] == 1);
}

/* A list that runs through struct page. */
static void test_lists_of_pages(void)
{
	const uint32_t lru = PLACE_PAGE | 8;

	open_graph();
	word(MODULE, 0, others, 0);
	for (uint32_t i = 0; i <= 10; i++) {
		uint32_t src = i ? pages + i - 1 : others, from = i ? lru : 48;
		uint32_t next = i < 10 ? pages + i : others, to = i < 10 ? lru : 48;

		word(src, from, next, to);
		word(next, to + 8, src, from);
	}
	/* One that is in no list says nothing. */
	word(pages + 20, lru, pages + 21, lru);
	word(KERNEL, 0, pages + 20, 0);
	CHECK(find() == ST_OK && owned(pages, 10, 1) == 10);
	CHECK(kept.owners[pages + 20] == 0 && kept.owners[pages + 21] == OWNER_NOBODY);
}

/* Entries whose head is not seen: who refers to one votes for all. */
static void test_headless(void)
{
	open_graph();
	for (uint32_t i = 0; i < 8; i++) {
		word(objects + i, 16, objects + (i + 1) % 8, 16);
		word(objects + (i + 1) % 8, 24, objects + i, 16);
	}
	word(MODULE, 0, objects + 3, 0);
	CHECK(find() == ST_OK && owned(objects, 8, 1) == 8);
}

/* All children name their parent: a word that leads to a child leads no further. */
static void test_back_pointers(void)
{
	open_graph();
	word(MODULE, 0, others, 0);
	for (uint32_t i = 0; i < 10; i++) {
		word(others, 8 * i + 8, objects + i, 0);
		word(objects + i, 40, others, 0);
	}
	word(KERNEL, 0, objects + 4, 0);
	CHECK(find() == ST_OK && arcs.backs == 10);
	CHECK(kept.owners[others] == 1 && owned(objects, 10, 1) == 9);
}

/* A tree: node i has 2i + 1 and 2i + 2, and each names its parent, with its colour. */
static void test_trees(void)
{
	open_graph();
	word(MODULE, 0, objects, 8);
	for (uint32_t i = 0; i < 31; i++) {
		if (i)
			word(objects + i, 8, objects + (i - 1) / 2, 8 + i % 2);
		for (uint32_t k = 1; k <= 2 && 2 * i + k < 31; k++)
			word(objects + i, 8 + 8 * k, objects + 2 * i + k, 8);
	}
	word(KERNEL, 0, objects + 30, 0);
	/* The head of a list and its one entry, in objects of one kind at other places: not as in a tree. */
	word(MODULE, 8, objects + 40, 0);
	word(objects + 40, 24, objects + 41, 8);
	word(objects + 41, 16, objects + 40, 24);
	CHECK(find() == ST_OK && arcs.backs == 30);
	/* Not what the leaf's parent has besides. */
	CHECK(owned(objects, 31, 1) == 30 && kept.owners[objects + 30] == OWNER_SHARED);
	CHECK(kept.owners[objects + 41] == 1);
}

static void lead_to_pages(void)
{
	for (uint32_t i = 0; i < 32; i++)
		g.page_spans[((PAGES - LINEAR) >> 12) + i] = g.spans.n - 1; /* the last but one */
	g.dump->page_shift = 12;
}

/* 16 descriptors of 16 bytes, each with an address and a length. */
static void fill_ring(uint64_t words[64], uint32_t first, uint32_t n, uint32_t byte)
{
	for (uint32_t i = 0; i < n; i++) {
		words[2 * i] = PAGES - LINEAR + (first + i) * 4096ULL + byte;
		words[2 * i + 1] = 1500;
	}
}

static void test_dma(void)
{
	uint64_t ring[64] = { 0 }, few[64] = { 0 }, one[64], mixed[64] = { 0 };
	const struct edge *e;

	open_graph();
	lead_to_pages();
	word(MODULE, 0, objects, 0);
	/* What a pointer leads to was in the ring before. */
	word(KERNEL, 0, pages + 3, 0);
	fill_ring(ring, 0, 8, 64);
	fill_ring(few, 8, 7, 0);
	/* No numbers of other bytes, and not one page again and again. */
	fill_ring(mixed, 16, 8, 0);
	mixed[8] += 128;
	for (uint32_t i = 0; i < 64; i++)
		one[i] = PAGES - LINEAR + 30 * 4096;
	CHECK(dma_rows(&g, (const uint8_t *)ring, sizeof(ring), objects, 0) && g.dma.n == 8);
	/* What refers to a page is told with the byte of the word, and that which it leads to. */
	e = chunks_at(&g.dma, 3);
	CHECK(e->src == objects && e->from == 48 && e->dst == pages + 3 && e->to == 64);
	CHECK(dma_rows(&g, (const uint8_t *)few, sizeof(few), objects, 0) && g.dma.n == 8);
	CHECK(dma_rows(&g, (const uint8_t *)one, sizeof(one), objects, 0) && g.dma.n == 8);
	CHECK(dma_rows(&g, (const uint8_t *)mixed, sizeof(mixed), objects, 0) && g.dma.n == 8);
	CHECK(find() == ST_OK);
	CHECK(owned(pages, 8, 1) == 7 && kept.owners[pages + 3] == 0);
	CHECK(kept.owners[pages + 8] == OWNER_NOBODY && kept.owners[pages + 30] == OWNER_NOBODY);
}

/* Objects linked by one member: a word into the middle is one for that object alone. */
static void test_chains(void)
{
	open_graph();
	word(MODULE, 0, objects, 0);
	for (uint32_t i = 0; i < 30; i++)
		word(objects + i, 8, objects + i + 1, 0);
	word(KERNEL, 0, objects + 10, 0);
	CHECK(find() == ST_OK && arcs.lists.n == 1);
	CHECK(owned(objects, 31, 1) == 30 && kept.owners[objects + 30] == 1);
}

/* A ring and a chain that runs into a ring have no first, or no end. */
static void test_rings(void)
{
	open_graph();
	for (uint32_t i = 0; i < 40; i++)
		word(objects + i, 8, objects + (i + 1) % 40, 0);
	word(objects + 50, 8, objects + 5, 0);
	word(MODULE, 0, objects + 50, 0);
	CHECK(find() == ST_OK && owned(objects, 40, 1) == 40);
}

static void test_neighbours(void)
{
	open_graph();
	/* A block of 8 that is aligned, one that is not, one that its struct page names, one of 4. */
	word(MODULE, 0, pages, 0);
	word(MODULE, 8, pages + 8, PLACE_PAGE);
	word(MODULE, 16, pages + 16, 0);
	word(MODULE, 24, pages + 17, 0);
	word(MODULE, 32, pages + 24, 0);
	word(MODULE, 40, pages + 28, 0);
	CHECK(find() == ST_OK);
	CHECK(owned(pages, 8, 1) == 8);
	CHECK(kept.owners[pages + 8] == 1 && kept.owners[pages + 9] == OWNER_NOBODY);
	CHECK(kept.owners[pages + 17] == 1 && kept.owners[pages + 18] == OWNER_NOBODY);
	CHECK(kept.owners[pages + 24] == 1 && kept.owners[pages + 25] == OWNER_NOBODY);
}

/* What is registered belongs to who registered it. */
static void test_hubs(void)
{
	for (unsigned int with = 0; with < 2; with++) {
		open_graph();
		hub = with ? KERNEL : UINT32_MAX;
		list(KERNEL, 16, objects, 6);
		word(MODULE, 0, objects + 2, 0);
		CHECK(find() == ST_OK);
		CHECK(kept.owners[objects + 2] == (with ? 1 : OWNER_SHARED));
		/* Known to the walk alone. */
		CHECK(kept.owners[objects + 3] == (with ? OWNER_NOBODY : 0));
	}
}

/* A driver's object hangs on a structure of vmlinux, and names the driver's functions. */
static void test_tags(void)
{
	open_graph();
	word(KERNEL, 0, others, 0);
	word(others, 0, pages, 0);
	word(KERNEL, 8, others + 1, 0);
	word(others + 1, 0, pages + 1, 0);
	word(MODULE, 0, others + 2, 0);
	word(others + 2, 0, pages + 2, 0);
	g.tags[others] = 1;
	g.tags[others + 1] = OWNER_SHARED;
	g.tags[others + 2] = 1;
	CHECK(find() == ST_OK);
	CHECK(kept.owners[pages] == 1 && kept.roots[pages] == others);
	CHECK(kept.owners[pages + 1] == 0);
	/* What a variable of the module keeps is told by the variable. */
	CHECK(kept.owners[pages + 2] == 1 && kept.roots[pages + 2] == MODULE);
}

/* One stale word undoes what is retained; the walk bears it. */
static void test_walk(void)
{
	open_graph();
	for (uint32_t i = 0; i < 3; i++)
		word(MODULE, 8 * i, objects, 0);
	word(KERNEL, 0, objects, 8);
	word(objects, 0, pages, 0);
	word(MODULE, 64, objects + 1, 0);
	CHECK(find() == ST_OK);
	CHECK(kept.owners[pages] == OWNER_SHARED);
	CHECK(ends[pages].names[0] == 1 && ends[pages].parts[0] > WALK_WHOLE * 9 / 10 - 100);
	CHECK(ends[pages].names[1] == 0 && ends[pages].parts[1] > WALK_WHOLE / 20);
	CHECK(ends[objects + 1].parts[0] == WALK_WHOLE);
	/* What nothing leads to. */
	CHECK(!ends[objects + 9].parts[0] && kept.owners[objects + 9] == OWNER_NOBODY);
}

/* Dense cycles end, and what no root leads to stays so. */
static void test_cycles(void)
{
	open_graph();
	for (uint32_t i = 0; i < 30; i++)
		for (uint32_t k = 0; k < 8; k++)
			word(others + i, 8 * k, others + (i * 7 + k * 11 + 1) % 30, 8);
	word(others + 31, 0, others + 32, 0);
	word(others + 32, 0, others + 31, 0);
	word(KERNEL, 0, others + 3, 0);
	word(MODULE, 0, others + 9, 0);
	CHECK(find() == ST_OK);
	CHECK(kept.owners[others + 31] == OWNER_NOBODY && kept.owners[others + 32] == OWNER_NOBODY);
}

static void test_spans(void)
{
	const struct span *s;
	uint32_t node, place;

	open_graph();
	CHECK(!graph_add(&g, NODE_DIRECT, UINT64_MAX - 100, 4096, 2, 0));
	CHECK(!graph_add(&g, NODE_DIRECT, PAGES, 0, 2, 0) &&
	      !graph_add(&g, NODE_DIRECT, PAGES, 1, 0, 0));
	CHECK(!g.cut && !graph_add(&g, NODE_OBJECT, PAGES, 1, UINT32_MAX, 0) && g.cut);
	g.cut = NULL;
	/* Of ranges that overlap the first has the addresses; one within another has none. */
	graph_add(&g, NODE_AREA, 0xffffc90000000000, 0x3000, 1, 0);
	graph_map(&g, 0xffffc90000000000, 0xffffc90000003000, g.spans.n - 1, 1);
	graph_add(&g, NODE_AREA, 0xffffc90000002000, 0x4000, 1, 0);
	graph_map(&g, 0xffffc90000002000, 0xffffc90000006000, g.spans.n - 1, 1);
	graph_add(&g, NODE_AREA, 0xffffc90000001000, 0x1000, 1, 0);
	graph_map(&g, 0xffffc90000001000, 0xffffc90000002000, g.spans.n - 1, 1);
	CHECK(graph_seal(&g) && g.ranges.n == 2);
	CHECK(graph_find(&g, 0xffffc90000001008, &s, &node, &place) && node == pages + 33);
	CHECK(place == 0x1008);
	CHECK(graph_find(&g, 0xffffc90000005000, &s, &node, &place) && node == pages + 34);
	CHECK(!graph_find(&g, 0xffffc90000006000, &s, &node, &place));
	CHECK(!graph_find(&g, 0xffffc8ffffffffff, &s, &node, &place));
	CHECK(graph_span_of(&g, pages + 34) == s);
}

/* A budget that is spent is no answer. */
static void test_budget(void)
{
	for (uint64_t left = 0; left < 200000; left += 1000) {
		enum status st;

		open_graph();
		list(MODULE, 32, objects, 40);
		fill_edges();
		g.budget.left = left;
		st = graph_arcs(&g, NULL, NULL, &arcs) ?: flow_open(&arcs, &flow) ?:
			retained_find(&flow, &kept) ?: walk_find(&flow, true, &ends);
		CHECK(st == ST_OK ? !g.cut : st == ST_NOMEM && g.cut);
		CHECK(st != ST_OK || left > 4096);
	}
}

/* What the budget has not is in a file: with the same owners, within its limit, and given back. */
static void test_file(void)
{
	uint16_t owner;
	uint64_t used;

	open_graph();
	list(MODULE, 32, objects, 40);
	CHECK(find() == ST_OK);
	owner = kept.owners[objects + 7];
	open_graph();
	g.spill.limit = 64 << 20;
	list(MODULE, 32, objects, 40);
	fill_edges();
	g.budget.left = 0;
	CHECK(find_owners() == ST_OK && !g.cut && g.spill.used && g.spill.used <= g.spill.limit);
	CHECK(kept.owners[objects + 7] == owner);
	used = g.spill.used;
	{
		struct arena *own = arena_within(g.arena);
		uint8_t *more = budget_alloc(&g.budget, own, 8 << 20);

		CHECK(more && !more[0] && !more[(8 << 20) - 1] && g.spill.used == used + (8 << 20));
		CHECK(!budget_alloc(&g.budget, own, 64 << 20) && g.spill.problem);
		arena_reset(own);
		CHECK(g.spill.used == used);
	}
	open_graph();
	setenv("TMPDIR", "/nonexistent", 1);
	g.spill.limit = 64 << 20;
	list(MODULE, 32, objects, 40);
	fill_edges();
	g.budget.left = 0;
	CHECK(find_owners() == ST_NOMEM && strstr(stub.dump.error, "TMPDIR: No such file"));
	unsetenv("TMPDIR");
}

/* A word with the per-CPU address and words with the addresses of copies lead to one node. */
static void test_copies(void)
{
	static uint64_t offsets[2] = { 0x100000000, 0x100200000 };
	const uint64_t base = 0x1000000000000;
	const struct span *span;
	uint32_t node, place;

	open_graph();
	g.cpus = (struct percpu){ .n = 2, .offset = offsets };
	graph_add(&g, NODE_COPIES, base, 2 * 32, 1, 0);
	graph_add(&g, NODE_COPIES, base + 64, 2 * 8, 1, 0);
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		graph_map_copy(&g, base + offsets[cpu], base + 72 + offsets[cpu], g.spans.n - 2, 2,
			       offsets[cpu], cpu);
	graph_map_copy(&g, base, base + 72, g.spans.n - 2, 2, 0, 0);
	CHECK(graph_seal(&g));
	CHECK(graph_find(&g, base, &span, &node, &place) && node == g.nodes - 2 && !place);
	CHECK(graph_find(&g, base + 0x100000008, &span, &node, &place) && node == g.nodes - 2 &&
	      place == 8);
	CHECK(graph_find(&g, base + 0x100200008, &span, &node, &place) && node == g.nodes - 2 &&
	      place == 32 + 8);
	CHECK(graph_find(&g, base + 0x100200040, &span, &node, &place) && node == g.nodes - 1 &&
	      place == 8);
	/* Between the two nothing was given out. */
	CHECK(!graph_find(&g, base + 0x100000020, &span, &node, &place));
	CHECK(!graph_find(&g, base + 72, &span, &node, &place));
	g.copies = base;
	g.copies_bytes = 72;
	CHECK(graph_may_lead(&g, LINEAR, base + 64) && !graph_may_lead(&g, LINEAR, base + 72));
}

/* Words are told with their own address, and those that lead to a free object if it is asked for. */
static void test_references(void)
{
	struct reference found[4];
	uint64_t total;

	open_graph();
	word(KERNEL, 16, objects, 0);
	word(objects + 3, 8, objects, 24);
	word(pages, PLACE_PAGE | 8, objects, 0);
	word(pages + 1, 0, objects + 1, 0);
	fill_edges();
	g.pages = 0xffffea0000000000;
	g.page_bytes = 64;
	CHECK(references_to(&g, objects, found, 4, &total) == 3 && total == 3);
	CHECK(found[0].node == KERNEL && found[0].address == 0xffffffff81000010 && !found[0].to);
	CHECK(found[1].address == OBJECTS + 3 * 64 + 8 && found[1].to == 24);
	CHECK(found[2].address == g.pages + ((PAGES - LINEAR) >> 12) * 64 + 8);
	CHECK(references_to(&g, objects, found, 2, &total) == 2 && total == 3);
	CHECK(references_to(&g, others, found, 4, &total) == 0 && !total);
	graph_kill(&g, objects);
	graph_revive(&g, objects);
	CHECK(!graph_is_dead(&g, objects));
}

/* A word of a stack may be a leftover: what it alone leads to is half sure at most. */
static void test_stacks(void)
{
	open_graph();
	word(stack, 64, pages, 0);
	word(stack, 72, pages + 1, 0);
	word(KERNEL, 8, pages + 1, 0);
	CHECK(find() == ST_OK);
	CHECK(kept.owners[pages] == 0 && ends[pages].parts[0] == WALK_WHOLE / 2);
	CHECK(kept.owners[pages + 1] == 0 && ends[pages + 1].parts[0] > WALK_WHOLE * 9 / 10);
}

/* A table of many MiB has most of its words where a place has no code of its own. */
static void test_far_words(void)
{
	const uint32_t places[] = { 0, 8, WORD_PAGE - 8, WORD_PAGE, WORD_PAGE + 8 };
	struct edge e;
	uint32_t number;

	open_graph();
	word(KERNEL, 16, pages, WORD_PAGE + 64);
	for (uint32_t i = 0; i < ARRAY_SIZE(places); i++)
		word(MODULE, places[i], pages + i, i & 1 ? WORD_PAGE + 8 * i : 0);
	for (uint32_t i = 0; i < 1000; i++)
		word(MODULE, 0x40000 + 16 * i, objects + i % 64, i % 3 ? 0 : 0x100000 + 8 * i);
	word(MODULE, PLACE_MAX, pages, 0);
	word(MODULE, PLACE_PAGE | 8, pages, 8);
	word(MODULE, PLACE_PAGE | 0x10000, pages, 16);
	word(objects, 0x40008, pages, 24);
	fill_edges();
	CHECK(graph_index_edges(&g));
	for (uint32_t i = 0; i < nedges; i++) {
		const struct edge *want = &edges[i];

		CHECK(graph_word_at(&g, want->src, want->from, &e, &number) && number == i);
		CHECK(e.src == want->src && e.dst == want->dst && e.from == want->from &&
		      e.to == want->to && graph_word_place(&g, i) == want->from);
		e = graph_edge(&g, i);
		CHECK(e.src == want->src && e.from == want->from && e.to == want->to);
		CHECK(!graph_word_at(&g, want->src + 1, want->from, &e, &number) ||
		      want->src + 1 == objects);
	}
	for (uint32_t i = 0; i < 1000; i++)
		CHECK(!graph_word_at(&g, MODULE, 0x40008 + 16 * i, &e, &number));
	CHECK(!graph_word_at(&g, KERNEL, WORD_PAGE, &e, &number));
	CHECK(!graph_word_at(&g, objects, 0x40000, &e, &number));
}

TESTS({ "a list is a star: a stale word costs one entry", test_lists },
      { "a list with its head in an object", test_lists_of_objects },
      { "hlist: the last entry is followed by none", test_hash_lists },
      { "a list through struct page", test_lists_of_pages },
      { "a list whose head is not seen", test_headless },
      { "back pointers do not own", test_back_pointers },
      { "words of a tree to the parent do not own", test_trees },
      { "rows of DMA addresses own what nothing else leads to", test_dma },
      { "a long chain is a list", test_chains }, { "rings of one member end", test_rings },
      { "pages behind one that is named by its address", test_neighbours },
      { "where everybody registers", test_hubs }, { "objects that name one module", test_tags },
      { "the walk bears a stale word", test_walk }, { "cycles end", test_cycles },
      { "spans and ranges that cannot be", test_spans }, { "a budget that is spent", test_budget },
      { "what the budget has not is in a file", test_file },
      { "per-CPU allocations are one node", test_copies },
      { "words that lead to memory", test_references },
      { "places without a code of their own", test_far_words },
      { "what only stacks lead to", test_stacks })
