// SPDX-License-Identifier: GPL-2.0-or-later
/* The variable of a module behind its objects, which are roots as they name it. */
#include <stdlib.h>
#include <unistd.h>

#include "holders/behind.h"
#include "graph/edges.h"
#include "holders/armed.h"
#include "holders/holders.h"
#include "graph/meets.h"
#include "holders/references.h"
#include "holders/steps.h"
#include "stub.h"
#include "test.h"

#include "graph_edge.h"

#define OBJECTS 0xffff888000100000ULL
#define ROOM (16 << 20)

enum { KERNEL, FIRST, SECOND, PERCPU, OBJECT, NODES = OBJECT + 64, LIST = NODES };
#define QUEUE (OBJECT + 60)

static struct stub stub;
static struct graph g;
static struct arcs arcs;
static struct flow flow;

static void arc(uint32_t src, uint32_t dst)
{
	CHECK(arcs_add(&arcs, src, dst, ARC_START));
}

/* 20 objects in a list, which name what has it. */
static void open_graph(void)
{
	STUB_OPEN(stub);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
	graph_add(&g, NODE_STATIC, 0xffffffff81000000, 256, 1, 0);
	graph_add(&g, NODE_STATIC, 0xffffffffa0000000, 256, 1, 1);
	graph_add(&g, NODE_STATIC, 0xffffffffa0000100, 256, 1, 1);
	graph_add(&g, NODE_PERCPU, 0xffffffffa0001000, 256, 1, 1);
	graph_add(&g, NODE_OBJECT, OBJECTS, 64, NODES - OBJECT, 0);
	CHECK(graph_seal(&g));
	arcs = (struct arcs){ .g = &g, .nodes = NODES + 1 };
	chunks_init(&arcs.arcs, g.arena, &g.budget, sizeof(struct arc));
	arc(QUEUE, LIST);
	for (uint32_t i = OBJECT; i < OBJECT + 20; i++) {
		g.tags[i] = 1;
		arc(LIST, i);
		arc(i, QUEUE);
	}
}

static void find_behind(struct behind *b)
{
	struct behind_search room;

	behind_open(&flow, stub.dump.arena, &room);
	behind_find(&room, b);
}

static uint32_t find(void)
{
	struct behind b = { 0 };

	CHECK(flow_open(&arcs, &flow) == ST_OK);
	for (uint32_t i = OBJECT; i < OBJECT + 20; i++)
		behind_add(&b, i, 1);
	CHECK(b.n == BEHIND_NODES);
	find_behind(&b);
	return b.variable;
}

static void test_variable(void)
{
	uint32_t way[8];

	open_graph();
	arc(FIRST, QUEUE);
	arc(KERNEL, QUEUE);
	CHECK(find() == FIRST);
	CHECK(behind_way(&flow, OBJECT + 3, FIRST, way, 8) == 3);
	CHECK(way[0] == OBJECT + 3 && way[1] == LIST && way[2] == QUEUE);
	CHECK(behind_way(&flow, OBJECT + 3, FIRST, way, 2) == 2);
	CHECK(behind_way(&flow, OBJECT + 3, SECOND, way, 8) == 0);
}

/* None, where another is as near, or may be. */
static void test_unsure(void)
{
	open_graph();
	arc(KERNEL, QUEUE);
	CHECK(find() == ROOT_NONE);
	arc(FIRST, QUEUE);
	arc(SECOND, OBJECT + 40);
	arc(OBJECT + 40, QUEUE);
	CHECK(find() == ROOT_NONE);

	open_graph();
	arc(FIRST, QUEUE);
	arc(PERCPU, QUEUE);
	CHECK(find() == ROOT_NONE);
}

/* What is registered by a table of functions is led to from there as well; the pointer to it is told. */
static void test_registered(void)
{
	static struct module module = { .name = "leaky", .address = 0xffffffffa0000180 };

	for (int i = 0; i < 4; i++) {
		open_graph();
		g.modules.first = &module;
		module.address = i == 1 ? 0xffffffffa0000180 : 0xffffffffa0002000;
		if (i >= 2)
			g.tags[SECOND] = 1;
		if (i == 3)
			g.tags[FIRST] = 1;
		arc(FIRST, QUEUE);
		arc(SECOND, OBJECT + 40);
		arc(OBJECT + 40, QUEUE);
		CHECK(find() == (i == 1 || i == 2 ? FIRST : ROOT_NONE));
	}
}

/* Few other objects of the cache that another variable leads to, be they the first ones, do not matter. */
static void test_few(void)
{
	struct behind b = { 0 };

	open_graph();
	arc(FIRST, QUEUE);
	for (uint32_t i = OBJECT + 20; i < OBJECT + 24; i++)
		arc(SECOND, i);
	CHECK(flow_open(&arcs, &flow) == ST_OK);
	for (uint32_t i = OBJECT + 20; i < OBJECT + 24; i++)
		behind_add(&b, i, 1);
	for (uint32_t i = 0; i < 1000; i++)
		behind_add(&b, OBJECT + i % 20, 1);
	find_behind(&b);
	CHECK(b.variable == FIRST);
}

/* A list of vmlinux's, on each CPU its own: it keeps nothing of the module, and leads to it. */
static void test_before(void)
{
	struct behind b = { 0 };
	uint32_t way[8];

	open_graph();
	arc(KERNEL, QUEUE);
	CHECK(flow_open(&arcs, &flow) == ST_OK);
	for (uint32_t i = OBJECT; i < OBJECT + 20; i++)
		behind_add(&b, i, 1);
	find_behind(&b);
	CHECK(b.variable == ROOT_NONE && b.before == KERNEL);
	CHECK(behind_way(&flow, OBJECT, KERNEL, way, 8) == 3 && way[1] == LIST);

	open_graph();
	arc(FIRST, QUEUE);
	arc(KERNEL, QUEUE);
	CHECK(flow_open(&arcs, &flow) == ST_OK);
	find_behind(&b);
	CHECK(b.variable == FIRST && b.before == ROOT_NONE);

	/* As notifiers, where everybody registers; a word that few of its kind have says nothing. */
	for (uint32_t from = KERNEL; from <= OBJECT + 50; from += OBJECT + 50 - KERNEL) {
		open_graph();
		CHECK(arcs_add(&arcs, from, QUEUE, ARC_HUB));
		arc(KERNEL, OBJECT + 50);
		CHECK(flow_open(&arcs, &flow) == ST_OK);
		find_behind(&b);
		CHECK(b.before == (from == KERNEL ? KERNEL : ROOT_NONE));
		CHECK(behind_way(&flow, OBJECT, KERNEL, way, 8) == (from == KERNEL ? 3 : 0));
	}
}

/* What is so far away says nothing, and no word of a stack does. */
static void test_far(void)
{
	for (uint32_t n = 6; n <= 7; n++) {
		open_graph();
		for (uint32_t i = 0; i < n; i++)
			arc(OBJECT + 41 + i, i ? OBJECT + 40 + i : QUEUE);
		arc(FIRST, OBJECT + 40 + n);
		CHECK(find() == (n == 6 ? FIRST : ROOT_NONE));
	}
	open_graph();
	CHECK(arcs_add(&arcs, FIRST, QUEUE, ARC_WEAK));
	CHECK(find() == ROOT_NONE);
}

/* Of another part of them it is not said. */
static void test_part(void)
{
	open_graph();
	arc(FIRST, OBJECT + 3);
	CHECK(find() == ROOT_NONE);
}

/* The word of a variable leads to the first, and from there to another; where words are missing it is not said. */
static void test_none(void)
{
	static struct holders h;

	open_graph();
	put_edge(&g, (struct edge){ KERNEL, OBJECT, 8, 0 });
	put_edge(&g, (struct edge){ OBJECT, OBJECT + 1, 8, 16 });
	h = (struct holders){ .graph = g };
	hash_u64_init(&h.rows, stub.dump.arena, sizeof(struct holder));
	hash_u64_init(&h.behind, stub.dump.arena, sizeof(struct behind));
	hash_u64_init(&h.files, stub.dump.arena, sizeof(uint64_t));
	armed_open(&h);
	CHECK(flow_open(&arcs, &h.flow) == ST_OK && retained_find(&h.flow, &h.retained) == ST_OK);
	CHECK(walk_find(&h.flow, true, &h.ends) == ST_OK);
	CHECK(references_reach(&h.graph, &h.led_to) == ST_OK);
	CHECK(holders_row_of(&h, OBJECT).kind == HOLDER_OBJECTS);
	CHECK(holders_row_of(&h, OBJECT + 1).kind == HOLDER_OBJECTS);
	CHECK(holders_row_of(&h, OBJECT + 2).kind == HOLDER_NONE);
	h.graph.unreadable = 1;
	CHECK(holders_row_of(&h, OBJECT + 2).kind == HOLDER_OBJECTS);
}

/* Buffers in a tree behind an open file name the file; a leftover leads to the tree, one to a new buffer. */
static void test_circles(void)
{
	const uint32_t file = OBJECT + 20, leaf = OBJECT + 21, buffers = OBJECT + 22;
	struct walk_end *ends = NULL;

	open_graph();
	arc(FIRST, file);
	arc(file, leaf);
	CHECK(arcs_add(&arcs, KERNEL, leaf, ARC_WEAK));
	CHECK(arcs_add(&arcs, KERNEL, buffers + 11, ARC_WEAK));
	for (uint32_t i = buffers; i < buffers + 12; i++) {
		if (i < buffers + 11)
			arc(leaf, i);
		arc(i, file);
	}
	CHECK(flow_open(&arcs, &flow) == ST_OK && walk_find(&flow, true, &ends) == ST_OK);
	CHECK(ends[buffers].names[0] == 1 && ends[buffers].parts[0] > WALK_WHOLE / 10 * 9);
	/* And the way does not begin at the leftover. */
	CHECK(flow.parent[leaf] == file && flow.parent[buffers + 11] == KERNEL);
}

/* Two roots lead to one object, what hangs on it goes round; a leftover elsewhere in there is no way. */
static void test_meets(void)
{
	const uint32_t top = OBJECT + 20, left = OBJECT + 21, right = OBJECT + 22,
		       end = OBJECT + 23, alone = OBJECT + 24;
	uint32_t *meets = NULL;

	open_graph();
	arc(KERNEL, top);
	arc(FIRST, top);
	arc(top, left);
	arc(top, right);
	arc(left, end);
	arc(right, end);
	arc(end, left);
	arc(KERNEL, alone);
	CHECK(arcs_add(&arcs, KERNEL, end, ARC_WEAK));
	CHECK(flow_open(&arcs, &flow) == ST_OK && meets_find(&flow, &meets) == ST_OK);
	CHECK(meets[top] == top && meets[left] == top && meets[right] == top && meets[end] == top);
	CHECK(meets[KERNEL] == KERNEL && meets[alone] == KERNEL);
	CHECK(meets[OBJECT + 25] == MEET_NONE);
	/* A way past it: what hangs below has none in common. */
	arc(SECOND, right);
	CHECK(flow_open(&arcs, &flow) == ST_OK && meets_find(&flow, &meets) == ST_OK);
	CHECK(meets[left] == left && meets[right] == right && meets[end] == end);
	/* Without room for it owners are known all the same, and the gap is told. */
	g.budget.left = 0;
	CHECK(meets_find(&flow, &meets) == ST_OK && !meets && g.dump->gaps);
}

/* Which nodes roots reach without one of them. */
static void reach(const uint64_t *out, uint32_t without, bool *reached)
{
	uint32_t todo[NODES], n = 0;

	memset(reached, 0, NODES);
	for (uint32_t root = KERNEL; root < OBJECT; root++) {
		reached[root] = root != without;
		if (reached[root])
			todo[n++] = root;
	}
	while (n) {
		uint64_t left = out[todo[--n]];

		for (uint32_t i = 0; i < NODES - OBJECT; i++)
			if (left >> i & 1 && !reached[OBJECT + i] && OBJECT + i != without) {
				reached[OBJECT + i] = true;
				todo[n++] = OBJECT + i;
			}
	}
}

/* As removing each node in turn has it, of graphs of any form. */
static void test_meets_of_any(void)
{
	static bool all[NODES], without[NODES][NODES];
	uint32_t *meets = NULL;
	unsigned int seed = 7;

	for (unsigned int round = 0; round < 60; round++) {
		uint64_t out[NODES] = { 0 };

		STUB_OPEN(stub);
		graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
		for (uint32_t root = KERNEL; root < OBJECT; root++)
			graph_add(&g, NODE_STATIC, 0xffffffff81000000 + 256 * root, 256, 1, 0);
		graph_add(&g, NODE_OBJECT, OBJECTS, 64, NODES - OBJECT, 0);
		CHECK(graph_seal(&g));
		arcs = (struct arcs){ .g = &g, .nodes = NODES };
		chunks_init(&arcs.arcs, g.arena, &g.budget, sizeof(struct arc));
		for (unsigned int i = 0; i < 40 + round; i++) {
			uint32_t src = i < 2 ? i : (uint32_t)rand_r(&seed) % NODES;
			uint32_t dst = OBJECT + (uint32_t)rand_r(&seed) % (NODES - OBJECT);

			out[src] |= 1ULL << (dst - OBJECT);
			arc(src, dst);
		}
		CHECK(flow_open(&arcs, &flow) == ST_OK && meets_find(&flow, &meets) == ST_OK);
		reach(out, NODES, all);
		for (uint32_t i = 0; i < NODES; i++)
			reach(out, i, without[i]);
		for (uint32_t node = OBJECT; node < NODES; node++) {
			uint32_t first = MEET_NONE;

			/* The first has none before it that is on all ways to it. */
			for (uint32_t i = 0; all[node] && i < NODES; i++)
				if (!without[i][node] && all[i] &&
				    (first == MEET_NONE || !without[i][first]))
					first = i;
			CHECK(meets[node] == first);
		}
	}
}

/* A list of any length, whose objects lead to what a root has as well, takes no time of its square. */
static void test_meets_of_a_list(void)
{
	const uint32_t n = 250000, leaf = 1 + n;
	uint32_t *meets = NULL;

	STUB_OPEN(stub);
	graph_init(&stub.dump, stub.dump.arena, 16ULL * ROOM, 0, &g);
	graph_add(&g, NODE_STATIC, 0xffffffff81000000, 256, 1, 0);
	graph_add(&g, NODE_OBJECT, OBJECTS, 64, 2 * n, 0);
	CHECK(graph_seal(&g));
	arcs = (struct arcs){ .g = &g, .nodes = 1 + 2 * n };
	chunks_init(&arcs.arcs, g.arena, &g.budget, sizeof(struct arc));
	for (uint32_t i = 0; i < n; i++) {
		arc(i, i + 1);
		arc(KERNEL, leaf + i);
		arc(i + 1, leaf + i);
	}
	alarm(60);
	CHECK(flow_open(&arcs, &flow) == ST_OK && meets_find(&flow, &meets) == ST_OK);
	alarm(0);
	CHECK(meets && meets[n] == KERNEL && meets[leaf + n - 1] == KERNEL);
}

/* A device of the kernel, an object, has the data of its driver as well. */
static void test_pointed(void)
{
	const uint32_t device = OBJECT + 20, data = OBJECT + 21;
	struct holders h = { 0 };

	open_graph();
	arc(KERNEL, device);
	arc(device, data);
	CHECK(flow_open(&arcs, &flow) == ST_OK);
	h.graph = g;
	h.flow = flow;
	CHECK(holders_variable(&h, data, true) == ROOT_NONE);
	arc(SECOND, data);
	CHECK(flow_open(&arcs, &flow) == ST_OK);
	h.flow = flow;
	CHECK(holders_variable(&h, data, true) == SECOND);
	/* A list of the kernel, too: the row is not the module's alone, but the name is. */
	arc(KERNEL, data);
	CHECK(flow_open(&arcs, &flow) == ST_OK);
	h.flow = flow;
	CHECK(holders_variable(&h, data, true) == ROOT_NONE);
	CHECK(holders_variable(&h, data, false) == SECOND);
	/* Of two modules neither. */
	((struct span *)graph_span_of(&h.graph, PERCPU))->group = 2;
	arc(PERCPU, data);
	CHECK(flow_open(&arcs, &flow) == ST_OK);
	h.flow = flow;
	CHECK(holders_variable(&h, data, false) == ROOT_NONE);
}

/* Private data that vmlinux and functions of a module get is a root of the module, where it is not the module's anyhow. */
static void test_private(void)
{
	bool is_new;

	for (int owned = 0; owned < 2; owned++) {
		open_graph();
		arc(KERNEL, OBJECT + 20);
		if (owned)
			arc(FIRST, OBJECT + 21);
		else
			arc(OBJECT + 20, OBJECT + 21);
		*(uint16_t *)hash_u64_get(&g.privates, OBJECT + 21, &is_new) = 1;
		*(uint16_t *)hash_u64_get(&g.privates, OBJECT + 20, &is_new) = OWNER_SHARED;
		CHECK(flow_open(&arcs, &flow) == ST_OK);
		CHECK(flow.roots[OBJECT + 21] == (owned ? OWNER_NOBODY : 1));
		CHECK(flow.roots[OBJECT + 20] == OWNER_NOBODY);
	}
}

/* A file of debugfs that was never open: its dentry names what functions get what its inode has. */
static void test_debugfs(void)
{
	static const struct stub_member members[] = { { "struct inode", "i_private", FIELD(8, 8) },
						      { "struct dentry", "d_inode", FIELD(0, 8) },
						      { "struct dentry", "d_fsdata", FIELD(8, 8) },
						      { 0 } };
	static const struct slab_cache caches[] = { { .name = "dentry" },
						    { .name = "inode_cache" },
						    { .name = "kmalloc-64" } };
	static const struct slab_cache *all[] = { &caches[0], &caches[1], &caches[2] };
	static struct module module = { .name = "leaky" };
	enum { DENTRY = 2, INODE, DATA };
	const uint64_t functions = 0xffffffffa0000000;
	uint64_t memory[2] = { 0 };
	const struct stub_memory parts[] = { { OBJECTS, memory, sizeof(memory) }, { 0 } };
	const uint64_t names[] = { functions | 1, 0xffffffff81000001, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		memory[1] = names[i];
		STUB_OPEN(stub, .memory = parts, .members = members);
		graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
		g.modules.first = &module;
		g.caches = all;
		g.ncaches = 3;
		graph_add(&g, NODE_STATIC, 0xffffffff81000000, 256, 1, 0);
		graph_map(&g, 0xffffffff81000000, 0xffffffff81000100, 0, 1);
		graph_add(&g, NODE_STATIC, functions, 256, 1, 1);
		graph_map(&g, functions, functions + 256, 1, 1);
		for (uint16_t k = 0; k < 3; k++)
			graph_add(&g, NODE_OBJECT, OBJECTS + 64 * k, 64, 1, k);
		CHECK(graph_seal(&g));
		put_edge(&g, (struct edge){ DENTRY, INODE, 0, 16 });
		put_edge(&g, (struct edge){ INODE, DATA, 24, 0 });
		graph_find_private(&g);
		CHECK(hash_u64_has(&g.privates, DATA) == !i && !hash_u64_has(&g.privates, INODE));
	}
}

/* A struct bio_vec of pages that follow each other, and words behind a page that are no length. */
static void test_segments(void)
{
	static const struct {
		uint32_t words[2];
		unsigned int named, pages; /* one that is named besides; how many the segment has */
	} segments[] = {
		{ { 3 * 4096, 0 }, 9, 3 },    { { 3 * 4096, 512 }, 9, 4 },
		{ { 512, 3 * 4096 }, 9, 4 },  { { 4096, 0 }, 9, 1 },
		{ { 3 * 4096, 0 }, 2, 1 },    { { 32u << 20, 0 }, 9, 1 },
		{ { 3 * 4096, 5000 }, 9, 1 }, { { 9 * 4096, 0 }, 9, 1 },
	};
	const uint32_t object = 1, pages = 2;

	for (size_t i = 0; i < ARRAY_SIZE(segments); i++) {
		uint32_t memory[] = { 0, 0, segments[i].words[0], segments[i].words[1] };
		const struct stub_memory parts[] = { { OBJECTS, memory, sizeof(memory) }, { 0 } };
		uint8_t marks[1] = { 0 };

		STUB_OPEN(stub, .memory = parts);
		graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
		graph_add(&g, NODE_STATIC, 0xffffffff81000000, 256, 1, 0);
		graph_add(&g, NODE_OBJECT, OBJECTS, 64, 1, 0);
		graph_add(&g, NODE_DIRECT, OBJECTS + 0x10000, 4096, 8, 0);
		CHECK(graph_seal(&g));
		arcs = (struct arcs){ .g = &g, .nodes = g.nodes, .marks = marks };
		chunks_init(&arcs.arcs, g.arena, &g.budget, sizeof(struct arc));
		put_edge(&g, (struct edge){ object, pages, 0, PLACE_PAGE });
		arc(object, pages);
		if (segments[i].named < 8)
			arc(KERNEL, pages + segments[i].named);
		CHECK(arcs_add_neighbours(&arcs));
		CHECK(arcs.arcs.n - (segments[i].named < 8) == segments[i].pages);
	}
}

/* Few buffers have handles, by which they are nearer; all are in the tree, which is what is told of them. */
static void test_typical(void)
{
	enum { CLIENT = 1, HANDLES, TREE, LEAF, BUFFER };
	static struct holder_part part;
	const struct holder row = { .kind = HOLDER_VARIABLE, .largest = &part };

	for (uint32_t handles = 3; handles <= 12; handles += 9) {
		static struct holders h;
		uint32_t n, node;

		STUB_OPEN(stub);
		graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
		graph_add(&g, NODE_STATIC, 0xffffffff81000000, 256, 1, 0);
		graph_add(&g, NODE_OBJECT, OBJECTS, 64, 1, 0);
		graph_add(&g, NODE_OBJECT, OBJECTS + 0x1000, 64, 1, 1);
		graph_add(&g, NODE_OBJECT, OBJECTS + 0x2000, 64, 2, 2);
		graph_add(&g, NODE_OBJECT, OBJECTS + 0x3000, 64, 16, 3);
		CHECK(graph_seal(&g));
		arcs = (struct arcs){ .g = &g, .nodes = g.nodes };
		chunks_init(&arcs.arcs, g.arena, &g.budget, sizeof(struct arc));
		arc(KERNEL, CLIENT);
		arc(CLIENT, HANDLES);
		arc(CLIENT, TREE);
		arc(TREE, LEAF);
		part.objects = HOLDER_NODES;
		for (uint32_t i = 0; i < HOLDER_NODES; i++) {
			part.nodes[i] = BUFFER + i;
			arc(LEAF, BUFFER + i);
			if (i < handles)
				arc(HANDLES, BUFFER + i);
		}
		h = (struct holders){ .graph = g };
		CHECK(flow_open(&arcs, &h.flow) == ST_OK);
		CHECK(h.flow.parent[BUFFER] == HANDLES);
		node = holder_typical(&h, &row, NULL, &n);
		CHECK(n && h.flow.parent[node] == LEAF);
	}
}

/* The name of a cache into which others were merged is that of another structure; of kmalloc() all know. */
static void test_typed_cache(void)
{
	static const struct slab_cache caches[] = {
		{ .name = "vmap_area", .has_aliases = true, .aliases = 6 },
		{ .name = "kmalloc-64", .has_aliases = true, .aliases = 2 },
		{ .name = "iobuf", .has_aliases = true },
	};
	static const struct slab_cache *all[] = { &caches[0], &caches[1], &caches[2] };
	static const char *const names[] = { "cache vmap_area and 6 merged", "kmalloc-64", "iobuf",
					     "direct pages" };
	static struct holders h;

	STUB_OPEN(stub);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
	g.caches = all;
	g.ncaches = ARRAY_SIZE(caches);
	for (uint16_t i = 0; i < ARRAY_SIZE(caches); i++)
		graph_add(&g, NODE_OBJECT, OBJECTS + 64 * i, 64, 1, i);
	graph_add(&g, NODE_DIRECT, OBJECTS + 0x10000, 4096, 1, 0);
	CHECK(graph_seal(&g));
	h = (struct holders){ .graph = g };
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++)
		CHECK_TEXT(holder_typed_cache(&h, i), names[i]);
}

TESTS({ "pages of a segment", test_segments }, { "the cache of a structure", test_typed_cache },
      { "where roots meet", test_meets }, { "a variable that points there", test_pointed },
      { "as without each node in turn", test_meets_of_any },
      { "a list of any length", test_meets_of_a_list }, { "private data", test_private },
      { "a file of debugfs", test_debugfs }, { "what names the file that keeps it", test_circles },
      { "one variable leads there", test_variable }, { "one of vmlinux does", test_before },
      { "no root does", test_none }, { "several do, or none", test_unsure },
      { "a table of functions does as well", test_registered }, { "few others", test_few },
      { "steps, stacks", test_far }, { "to one of the objects alone", test_part },
      { "two ways, one to all", test_typical })
