// SPDX-License-Identifier: GPL-2.0-or-later
/* Which words of memory become edges of the graph of pointers. */
#include <string.h>

#include "graph/edges.h"
#include "stub.h"
#include "test.h"

#include "graph_edge.h"

#define LINEAR 0xffff888000000000ULL
#define ROOM (16 << 20)

static struct stub stub;
static struct graph g;

/* A scan of memory: a page of each kind. */
#define MEMORY (LINEAR + 0x10000)
#define MEMMAP 0xffffea0000000000ULL
enum { VAR, TEXT, PLAIN, CACHES, VMAPS, VMS, DIRECT, PARTS };
static uint64_t memory[PARTS + 3][512];
static const struct stub_memory parts[] = {
	{ MEMORY, memory, sizeof(memory) },
	{ 0xffffffff81000000, memory[VAR], sizeof(memory[VAR]) },
	{ 0xffffffffa2000000, memory[PARTS + 2], sizeof(memory[VAR]) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct slab_sheaf", "cache", FIELD(16, 8) },
	{ "struct task_struct", "stack", FIELD(0, 8) },
	{ "struct task_struct", "on_cpu", FIELD(8, 8) },
	{ "struct task_struct", "thread.sp", FIELD(16, 8) },
	{ "struct inactive_task_frame", "bp", FIELD(0, 8) },
	{ "struct inactive_task_frame", "ret_addr", FIELD(8, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct inactive_task_frame", 16 },
					    { "union thread_union", sizeof(memory[0]) },
					    { 0 } };
static const struct slab_cache caches[] = {
	{ .name = "kmalloc-64", .kind = "kmalloc-64", .bytes = 64 },
	{ .name = "kmem_cache", .bytes = 64 },
	{ .name = "vmap_area", .bytes = 64 },
};
static const struct slab_cache *all_caches[] = { &caches[0], &caches[1], &caches[2] };

static uint64_t page_at(unsigned int i)
{
	return MEMORY + i * 4096;
}

static void lead(unsigned int i)
{
	g.page_spans[(page_at(i) - LINEAR) >> 12] = g.spans.n;
}

static void open_memory(void)
{
	memset(memory, 0, sizeof(memory));
	STUB_OPEN(stub, .memory = parts, .members = members, .sizes = sizes);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
	g.linear = LINEAR;
	g.end = 0x2000;
	g.pages = MEMMAP;
	g.page_bytes = 64;
	g.page_link = 8;
	g.page_spans = arena_alloc(g.arena, g.end * sizeof(*g.page_spans));
	g.caches = all_caches;
	g.ncaches = 3;
	graph_add(&g, NODE_STATIC, 0xffffffff81000000, 4096, 1, 0);
	graph_map(&g, 0xffffffff81000000, 0xffffffff81001000, 0, 1);
	graph_add(&g, NODE_TEXT, 0xffffffffa0000000, 4096, 1, 1);
	graph_map(&g, 0xffffffffa0000000, 0xffffffffa0001000, 1, 1);
	/* Text of a module, and data of one. */
	graph_add(&g, NODE_TEXT, 0xffffffffa1000000, 4096, 1, 2);
	graph_map(&g, 0xffffffffa1000000, 0xffffffffa1001000, 2, 1);
	graph_add(&g, NODE_STATIC, 0xffffffffa2000000, 4096, 1, 3);
	graph_map(&g, 0xffffffffa2000000, 0xffffffffa2001000, 3, 1);
	for (unsigned int i = PLAIN; i < DIRECT; i++) {
		graph_add(&g, NODE_OBJECT, page_at(i), 64, 64,
			  i == CACHES  ? 1
			  : i == VMAPS ? 2
				       : 0);
		lead(i);
	}
	graph_add(&g, NODE_DIRECT, page_at(DIRECT), 4096, 1, 0);
	lead(DIRECT);
	g.first_stack = g.spans.n;
	graph_add(&g, NODE_STACK, page_at(PARTS + 1), 4096, 1, 0);
	*(struct graph_task *)chunks_add(&g.tasks) = (struct graph_task){ page_at(PARTS),
									  page_at(PLAIN) };
	graph_add(&g, NODE_AREA, 0xffffc90000000000, 4096, 1, 0);
	graph_map(&g, 0xffffc90000000000, 0xffffc90000001000, g.spans.n - 1, 1);
	g.page_spans[(page_at(PARTS) - LINEAR) >> 12] = PAGE_FREE;
	g.free_pages = 1;
	CHECK(graph_seal(&g));
}

static bool leads(uint32_t src, uint32_t from, uint32_t dst, uint32_t to)
{
	struct edge e;
	uint32_t i;

	return graph_word_at(&g, src, from, &e, &i) && e.dst == dst && e.to == to &&
	       graph_edge(&g, i).src == src;
}

static void test_scan(void)
{
	const uint64_t direct = page_at(DIRECT), pfn = (direct - LINEAR) >> 12;
	const struct span *span;
	uint32_t plain = 4, area, node, place;
	bool is_new;

	open_memory();
	area = g.nodes - 1;
	memory[PLAIN][0] = direct + 0x18;
	memory[PLAIN][1] = MEMMAP + pfn * 64 + 2;
	memory[PLAIN][2] = MEMMAP + pfn * 64 + 8;
	memory[PLAIN][3] = MEMMAP + pfn * 64 + 16; /* no member that is followed */
	memory[PLAIN][4] = 0xffffc90000000010;
	memory[PLAIN][5] = page_at(PARTS);
	memory[PLAIN][6] = page_at(PLAIN) + 8; /* itself */
	memory[PLAIN][7] = 0x12345678;
	/* Its neighbour: the text of a module, a slab's struct page, a free object. */
	memory[PLAIN][8] = 0xffffffffa0000040;
	memory[PLAIN][9] = MEMMAP + ((page_at(VMS) - LINEAR) >> 12) * 64;
	memory[PLAIN][10] = page_at(PLAIN) + 3 * 64;
	graph_kill(&g, plain + 3);
	memory[PLAIN][3 * 8] = direct; /* a free object says nothing */
	memory[CACHES][0] = direct;
	memory[VMAPS][0] = 0xffffc90000000000;
	memory[VMAPS][1] = direct;
	hash_u64_get(&g.vms, page_at(VMS), &is_new);
	memory[VMS][0] = 0xffffc90000000000;
	/* A vector of slabobj_ext names what module's sites allocated, a vmap_area where a module begins. */
	hash_u64_get(&g.vectors, page_at(VMS) + 4 * 64, &is_new);
	memory[VMS][4 * 8] = 0xffffffffa0000040;
	memory[VMS][4 * 8 + 1] = direct;
	memory[VMAPS][2] = 0xffffffffa0000040;
	/* A sheaf names its cache. */
	memory[VMS][8] = direct;
	memory[VMS][10] = page_at(CACHES);
	/* A vmap_area of a kmalloc cache, as up to 5.1. */
	hash_u64_get(&g.vmaps, page_at(VMS) + 5 * 64, &is_new);
	memory[VMS][5 * 8] = 0xffffc90000000000;
	memory[VMS][5 * 8 + 1] = direct;
	memory[VMS][5 * 8 + 2] = 0xffffffffa0000040;
	/* A variable is led to where it has a word itself. */
	memory[VAR][2] = page_at(PLAIN) + 64;
	memory[VMS][16] = 0xffffffff81000010;
	memory[VMS][17] = 0xffffffff81000020;
	/* Flags in all of the low bits, and what begins behind them. */
	memory[VMS][18] = MEMMAP + pfn * 64 + 7;
	memory[VMS][19] = MEMMAP + pfn * 64 + 9;
	CHECK(graph_edges(&g) == ST_OK);
	CHECK(leads(plain, 0, plain + 256, 0x18));
	CHECK(leads(plain, 8, plain + 256, PLACE_PAGE));
	CHECK(leads(plain, 16, plain + 256, PLACE_PAGE | 8));
	CHECK(leads(plain, 32, area, 16));
	CHECK(g.first[plain + 1] - g.first[plain] == 4);
	CHECK(g.seen_pages == 1);
	/* What is asked for then is no word. */
	g.page_spans[(page_at(PARTS) - LINEAR) >> 12] = PAGE_FREE;
	CHECK(!graph_find(&g, page_at(PARTS), &span, &node, &place) && g.seen_pages == 1);
	CHECK(g.first[plain + 2] == g.first[plain + 1] && g.tags[plain + 1] == 1);
	CHECK(g.tags[plain] == OWNER_NOBODY);
	CHECK(g.first[plain + 4] == g.first[plain + 3]);
	/* kmem_cache; vmap_area: not the area; vm_struct; a sheaf. */
	CHECK(g.first[plain + 65] == g.first[plain + 64]);
	CHECK(g.first[plain + 129] - g.first[plain + 128] == 1);
	CHECK(leads(plain + 128, 8, plain + 256, 0));
	CHECK(g.first[plain + 193] == g.first[plain + 192]);
	CHECK(g.first[plain + 194] == g.first[plain + 193]);
	CHECK(leads(0, 16, plain + 1, 0) && leads(plain + 194, 0, 0, 16));
	CHECK(leads(plain + 194, 16, plain + 256, PLACE_PAGE));
	CHECK(g.first[plain + 195] - g.first[plain + 194] == 2);
	CHECK(g.tags[plain + 196] == 0 && g.first[plain + 197] == g.first[plain + 196]);
	CHECK(g.tags[plain + 128] == OWNER_NOBODY);
	CHECK(leads(plain + 197, 8, plain + 256, 0) && g.tags[plain + 197] == OWNER_NOBODY);
	CHECK(g.first[plain + 198] - g.first[plain + 197] == 1);
}

/* Of a screen that is to be there at once: it ends with the first word more, and says so. */
static void test_most(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		open_memory();
		memory[PLAIN][0] = page_at(DIRECT);
		memory[PLAIN][1] = page_at(DIRECT) + 8;
		g.most_edges = 2 - i;
		CHECK(graph_edges(&g) == (i ? ST_NOMEM : ST_OK));
		CHECK(g.has_more == i && g.edges.n == 2 - i);
	}
}

/* A driver keeps what it has for an open file behind the file, whose operations are the driver's. */
static void test_owners(void)
{
	static const char *const names[] = { "filp", "kmalloc-64", "ext4_inode_cache" };

	for (unsigned int i = 0; i < 3; i++) {
		const struct slab_cache cache = { .kind = names[i], .bytes = 64 };
		const struct slab_cache *all[] = { &cache, &caches[1], &caches[2] };

		open_memory();
		g.caches = all;
		memory[PLAIN][0] = 0xffffffffa0000040;
		CHECK(graph_edges(&g) == ST_OK);
		CHECK(g.tags[4] == (i == 2 ? OWNER_NOBODY : 1));
	}
}

/* The calls of a thread that sleeps say whose it is, not what it has and what returned; where it runs none do. */
static void test_threads(void)
{
	for (unsigned int runs = 0; runs < 2; runs++) {
		open_memory();
		memory[PARTS][0] = page_at(PARTS + 1);
		memory[PARTS][1] = runs;
		memory[PARTS][2] = page_at(PARTS + 1) + 128;
		memory[PARTS + 1][0] = 0xffffffffa1000000;
		memory[PARTS + 1][32] = 0xffffffffa0000040;
		memory[PARTS + 1][33] = 0xffffffffa2000000;
		memory[PARTS + 1][34] = page_at(DIRECT);
		CHECK(graph_edges(&g) == ST_OK);
		CHECK(leads(g.nodes - 2, 34 * 8, g.nodes - 3, 0));
		CHECK(g.tags[g.nodes - 2] == (runs ? OWNER_NOBODY : 1));
	}
}

/* Places that have no room in a word as it is kept, and those beside them; of each edge its node is found. */
static void test_places(void)
{
	static const uint32_t places[] = { 0,
					   8,
					   0x17fff,
					   0x18000,
					   0x1fffe,
					   PLACE_MAX - 1,
					   PLACE_MAX,
					   PLACE_PAGE,
					   PLACE_PAGE | 8,
					   PLACE_PAGE | 0x7ffd,
					   PLACE_PAGE | 0x7ffe };
	const uint32_t n = ARRAY_SIZE(places);

	open_memory();
	for (uint32_t src = 0; src < g.nodes; src += 7)
		for (uint32_t i = 0; i < n; i++)
			put_edge(&g, (struct edge){ src, (src + i) % g.nodes, places[i],
						    places[n - 1 - i] });
	for (unsigned int is_indexed = 0; is_indexed < 2; is_indexed++) {
		for (uint32_t k = 0; k < g.edges.n; k++) {
			const uint32_t src = k / n * 7, i = k % n;
			struct edge e = graph_edge(&g, k);
			uint32_t number;

			CHECK(e.src == src && e.dst == (src + i) % g.nodes && e.from == places[i] &&
			      e.to == places[n - 1 - i]);
			CHECK(graph_word_at(&g, src, places[i], &e, &number) && number == k &&
			      e.to == places[n - 1 - i]);
			CHECK(!graph_word_at(&g, src, places[i] + 3, &e, &number));
		}
		CHECK(graph_index_edges(&g) && g.node_at);
	}
	CHECK(g.edges.n > EDGE_STEP && g.far.n);
}

/* A cache that a variable of module 3 names; what vmlinux names as well, and what others were merged into, is of anybody. */
static uint16_t owner_of_cache(uint32_t also, uint32_t aliases, bool by_object)
{
	struct slab_cache own = { .name = "session", .bytes = 64, .address = page_at(CACHES) };
	const struct slab_cache *with_own[] = { &caches[0], &caches[1], &own };
	struct module modules[] = { { .next = &modules[1] }, { .next = &modules[2] }, { 0 } };
	const uint32_t plain = 4, cache = plain + 64, session = cache + 64;
	uint16_t ret;

	open_memory();
	own.aliases = aliases;
	g.caches = with_own;
	g.modules.first = modules;
	put_edge(&g, (struct edge){ also, cache, 0, 0 });
	/* Or one of its objects does, to which the variable points. */
	put_edge(&g, (struct edge){ 3, by_object ? plain : cache, 0, 0 });
	if (by_object)
		put_edge(&g, (struct edge){ plain, cache, 8, 0 });
	graph_tag_own_caches(&g);
	CHECK(g.tags[plain] == OWNER_NOBODY && g.tags[session] == g.tags[session + 1]);
	ret = g.tags[session];
	return ret;
}

/* The function of a kernel thread that runs, or sleeps in functions of several modules. */
static void test_kthread(void)
{
	struct module modules[] = { { .next = &modules[1] }, { 0 } };

	for (uint16_t of_stack = 1; of_stack <= 3; of_stack++) {
		uint32_t stack;

		open_memory();
		stack = g.nodes - 2;
		g.modules.first = modules;
		CHECK(graph_span_of(&g, g.nodes - 2)->kind == NODE_STACK);
		g.tags[4] = 2;
		g.tags[stack] = of_stack == 3 ? OWNER_SHARED : of_stack;
		graph_tag_threads(&g);
		CHECK(g.tags[stack] == (of_stack == 1 ? 1 : 2));
		g.tags[4] = g.tags[stack] = OWNER_NOBODY;
		graph_tag_threads(&g);
		CHECK(g.tags[stack] == OWNER_NOBODY);
	}
}

/* An entry of proc that a function of module 2 shows, an open file whose operations are of module 3, and their data. */
static void test_private(void)
{
	static const struct stub_member proc[] = {
		{ "struct proc_dir_entry", "data", FIELD(8, 8) },
		{ "struct proc_dir_entry", "single_show", FIELD(0, 8) },
		{ "struct proc_dir_entry", "proc_ops", FIELD(16, 8) },
		{ 0 },
	};
	const struct slab_cache entry = { .name = "proc_dir_entry", .bytes = 64 };
	const struct slab_cache *all[] = { &caches[0], &entry, &caches[2] };
	struct module modules[] = { { .next = &modules[1] }, { .next = &modules[2] }, { 0 } };
	const uint32_t plain = 4;

	for (unsigned int way = 0; way < 5; way++) {
		const uint16_t *of;

		open_memory();
		stub.members = proc;
		g.caches = all;
		g.modules.first = modules;
		memory[CACHES][1] = page_at(PLAIN) + 64;
		/* No module; one; two; two entries; data that is a module's by itself. */
		memory[CACHES][0] = way ? 0xffffffffa1000040 : 0xffffffff81000010;
		memory[CACHES][2] = way == 2 ? 0xffffffffa2000040 : 0;
		memory[CACHES][8] = way == 3 ? 0xffffffffa2000040 : 0;
		memory[CACHES][9] = page_at(PLAIN) + 64;
		memory[PLAIN][8] = way == 4 ? 0xffffffffa2000040 : 0;
		CHECK(graph_edges(&g) == ST_OK);
		of = hash_u64_find(&g.privates, plain + 1);
		CHECK(way == 1 || way == 3 ? of && *of == (way == 1 ? 2 : OWNER_SHARED) : !of);
	}
}

static void test_own_cache(void)
{
	CHECK(owner_of_cache(3, 0, false) == 3);
	CHECK(owner_of_cache(0, 0, false) == OWNER_NOBODY);
	CHECK(owner_of_cache(3, 1, false) == OWNER_NOBODY);
	CHECK(owner_of_cache(3, 0, true) == 3);
	CHECK(owner_of_cache(0, 0, true) == OWNER_NOBODY);
}

#define FIRST_CHUNK 0x39040

static struct first_chunk *first_chunk(uint64_t addr, uint32_t node)
{
	struct first_chunk *f = hash_u64_get(&g.first_chunk, addr, NULL);

	*f = (struct first_chunk){ .node = node, .owner = OWNER_NOBODY };
	return f;
}

/*
 * Per-CPU memory of boot whose number a variable of module 3 has, or an object, by place: what else there is, and
 * who has it.  TEXT2 is of module 2.
 */
#define TEXT2 0xffffffffa1000040
static const struct {
	uint64_t of_variable, of_object, names, beside, of_page;
	uint16_t owner;
	uint64_t variable;
} has_number[] = {
	{ FIRST_CHUNK, 0, 0, 0, 0, 3, 0xffffffffa2000000 },
	{ FIRST_CHUNK, FIRST_CHUNK, TEXT2, 0, 0, 0, 0 },
	{ FIRST_CHUNK - 8, 0, 0, 0, 0, 0, 0 },
	/* What a page has counts for nothing. */
	{ FIRST_CHUNK, 0, 0, 0, FIRST_CHUNK, 3, 0xffffffffa2000000 },
	{ 0, 0, 0, 0, FIRST_CHUNK, 0, 0 },
	/* An object that the variable leads to, one that names a module, both; one that nobody has. */
	{ MEMORY + PLAIN * 4096, FIRST_CHUNK, 0, 0, FIRST_CHUNK, 3, 0xffffffffa2000000 },
	{ 0, FIRST_CHUNK, TEXT2, 0, 0, 2, 0 },
	{ MEMORY + PLAIN * 4096, FIRST_CHUNK, TEXT2, 0, 0, 2, 0 },
	{ 0, FIRST_CHUNK, 0, 0, 0, 0, 0 },
	/* Another object has it, or a number beside it: these count something. */
	{ MEMORY + PLAIN * 4096, FIRST_CHUNK, 0, FIRST_CHUNK, 0, 0, 0 },
	{ MEMORY + PLAIN * 4096, FIRST_CHUNK, 0, FIRST_CHUNK - 8, 0, 0, 0 },
};

static void test_first_chunk(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(has_number); i++) {
		const struct first_chunk *f;
		uint32_t copy;

		open_memory();
		copy = graph_span_of(&g, g.nodes - 1)->first;
		g.cpus.n = 1;
		g.boot = FIRST_CHUNK - 64;
		g.boot_bytes = 65;
		f = first_chunk(FIRST_CHUNK, copy);
		memory[PARTS + 2][4] = has_number[i].of_variable;
		memory[PLAIN][3] = has_number[i].of_object;
		memory[PLAIN][4] = has_number[i].names;
		memory[PLAIN][8 + 3] = has_number[i].beside;
		memory[DIRECT][9] = has_number[i].of_page;
		CHECK(graph_edges(&g) == ST_OK);
		CHECK(graph_span_of(&g, copy)->group == has_number[i].owner);
		CHECK(f->variable == has_number[i].variable);
		CHECK(!f->variable || f->place == (has_number[i].of_object ? 24 : 32));
	}
}

/* In one object twice: it is not known by which. */
static void test_two_places(void)
{
	open_memory();
	g.cpus.n = 1;
	g.boot = FIRST_CHUNK;
	g.boot_bytes = 1;
	first_chunk(FIRST_CHUNK, graph_span_of(&g, g.nodes - 1)->first);
	memory[PLAIN][3] = memory[PLAIN][4] = FIRST_CHUNK;
	CHECK(graph_edges(&g) == ST_OK);
	CHECK(((const struct first_chunk *)hash_u64_find(&g.first_chunk, FIRST_CHUNK))->place ==
	      UINT32_MAX);
}

/* Its addresses are those of variables as well. */
static void test_alias(void)
{
	const uint32_t plain = 4, other = plain + 9;

	open_memory();
	first_chunk(0xffffffff81000040, other);
	first_chunk(0xffffffff81000000, other);
	memory[PLAIN][0] = 0xffffffff81000040;
	memory[PLAIN][1] = 0xffffffff81000000;
	memory[PLAIN][2] = 0xffffffff81000048;
	CHECK(graph_edges(&g) == ST_OK);
	CHECK(leads(plain, 0, other, 0) && g.first[plain + 1] - g.first[plain] == 1);
}

TESTS({ "private data", test_private }, { "per-CPU memory of boot", test_first_chunk },
      { "per-CPU memory of two words of one", test_two_places },
      { "per-CPU memory at the address of a variable", test_alias },
      { "a thread of a module", test_kthread }, { "a cache of a module", test_own_cache },
      { "which words are edges", test_scan }, { "places of edges", test_places },
      { "threads that are in a module", test_threads },
      { "objects that name a module", test_owners },
      { "no more words than were asked for", test_most })
