// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of pointers to pages of processes: which words are, which pages no process maps, and whose the lists are. */
#include <string.h>

#include "graph/edges.h"
#include "graph/page_words.h"
#include "holders/page_lists.h"
#include "holders/references.h"
#include "stub.h"
#include "test.h"

#define LINEAR 0xffff888000000000ULL
#define MEMMAP 0xffffea0000000000ULL
#define OBJECTS (LINEAR + 0x10000)
#define AREA 0xffffc90000000000ULL
#define VARIABLE 0xffffffffa0000000ULL
#define PAGES 64
#define ANON 1ULL /* of page.mapping */
#define PG_head 6
#define PG_swapcache 10

struct upage {
	uint64_t flags, compound_head, lru, mapping, index, private;
	int32_t mapcount, refcount;
	uint64_t last;
};

static struct upage pages[PAGES];
static uint64_t objects[512], area[1024], variable[512];
static const struct stub_memory memory[] = {
	{ OBJECTS, objects, sizeof(objects) },
	{ AREA, area, sizeof(area) },
	{ VARIABLE, variable, sizeof(variable) },
	{ MEMMAP, pages, sizeof(pages) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct page", "flags", FIELD(0, 8) },
	{ "struct page", "compound_head", FIELD(8, 8) },
	{ "struct page", "mapping", FIELD(24, 8) },
	{ "struct page", "private", FIELD(40, 8) },
	{ "struct page", "page_type", FIELD(48, 4) },
	{ "struct page", "_mapcount", FIELD(48, 4) },
	{ "struct page", "_refcount", FIELD(52, 4) },
	{ "struct folio", "_large_mapcount", FIELD(80, 4) },
	{ "struct folio", "_entire_mapcount", FIELD(84, 4) },
	{ "struct folio", "_folio_nr_pages", FIELD(96, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct page", sizeof(struct upage) }, { 0 } };
static const struct stub_number enumerators[] = {
	{ "PGTY_buddy", 0xf0 }, { "PGTY_table", 0xf2 },	 { "PGTY_hugetlb", 0xf4 },
	{ "PGTY_slab", 0xf5 },	{ "PG_head", PG_head },	 { "PG_swapcache", PG_swapcache },
	{ "PG_lru", 5 },	{ "PG_swapbacked", 17 }, { 0 },
};

static bool enumerates(void *priv, const char *type, const char *name)
{
	const struct stub *s = priv;

	if (!strcmp(type, "enum pagetype") != !strncmp(name, "PGTY_", 5))
		return false;
	for (const struct stub_number *n = s->enumerators; n->name; n++)
		if (!strcmp(n->name, name))
			return true;
	return false;
}
static const struct slab_cache cache = { .name = "kmalloc-64", .kind = "kmalloc-64", .bytes = 64 };
static const struct slab_cache *caches[] = { &cache };
static const struct ram_range ranges[] = { { 0, PAGES } };
static const struct ram ram = { .ranges = (struct ram_range *)ranges, .n = 1, .pages = PAGES };

enum { VAR, OBJECT, OBJECT_PAGES = 64, STACK = OBJECT + OBJECT_PAGES, VAREA, NODES };

static struct stub stub;
static struct memmap memmap;
static struct page_types types;
static struct holders h;
static struct walk_end ends[NODES];
static uint16_t owners[NODES];
static uint32_t roots[NODES];
static uint8_t bits[NODES / 8 + 1];

static uint64_t page_of(uint64_t pfn)
{
	return MEMMAP + pfn * sizeof(struct upage);
}

static void open_all(void)
{
	struct graph *g = &h.graph;

	STUB_OPEN(stub, .memory = memory, .members = members, .sizes = sizes,
		  .enumerators = enumerators, .ops.enumerates = enumerates);
	stub.dump.arch = "x86_64";
	stub.dump.page_shift = 12;
	memset(&h, 0, sizeof(h));
	memset(objects, 0, sizeof(objects));
	memset(area, 0, sizeof(area));
	memset(variable, 0, sizeof(variable));
	memset(pages, 0, sizeof(pages));
	memmap = (struct memmap){ .is_flat = true };
	memmap.flat =
		(struct flatmem){ .dump = &stub.dump,
				  .nodes = { { .start = 0, .end = PAGES, .mem_map = MEMMAP } },
				  .n = 1,
				  .page_bytes = sizeof(struct upage) };
	CHECK(page_types_open(&stub.dump, &memmap, &types) == ST_OK);
	for (unsigned int i = 0; i < PAGES; i++)
		pages[i] = (struct upage){ .mapcount = -1, .refcount = 1 };
	/* Pages 32 and up are of processes that have ended. */
	for (unsigned int i = 32; i < PAGES; i++)
		pages[i].mapping = LINEAR + 0x2000 + ANON;
	graph_init(&stub.dump, stub.dump.arena, 16 << 20, 0, g);
	g->linear = LINEAR;
	g->end = PAGES;
	g->pages = MEMMAP;
	g->page_bytes = sizeof(struct upage);
	g->page_link = 16;
	g->page_spans = arena_alloc(g->arena, PAGES * sizeof(*g->page_spans));
	g->caches = caches;
	g->ncaches = 1;
	graph_add(g, NODE_STATIC, VARIABLE, 4096, 1, 1);
	graph_add(g, NODE_OBJECT, OBJECTS, 64, OBJECT_PAGES, 0);
	g->page_spans[(OBJECTS - LINEAR) >> 12] = g->spans.n;
	g->first_stack = g->spans.n;
	graph_add(g, NODE_STACK, LINEAR + 0x8000, 4096, 1, 0);
	graph_add(g, NODE_AREA, AREA, 8192, 1, 0);
	CHECK(g->nodes == NODES && graph_seal(g));
	h.sources.types = &types;
	h.sources.ram = &ram;
	h.ends = ends;
	h.retained.owners = owners;
	h.retained.roots = roots;
	h.retained.reached = h.led_to = bits;
	memset(bits, 0xff, sizeof(bits));
	hash_u64_init(&h.rows, stub.dump.arena, sizeof(struct holder));
	hash_u64_init(&h.behind, stub.dump.arena, 8);
	hash_u64_init(&h.files, stub.dump.arena, 8);
	for (unsigned int i = 0; i < NODES; i++) {
		owners[i] = OWNER_NOBODY;
		roots[i] = ROOT_NONE;
		ends[i] = (struct walk_end){ 0 };
	}
}

/* The variable of the module keeps a node. */
static void keep(uint32_t node)
{
	owners[node] = 1;
	roots[node] = VAR;
	ends[node].names[0] = 1;
	ends[node].parts[0] = WALK_WHOLE;
	*(struct holder *)hash_u64_get(&h.rows, (uint64_t)HOLDER_VARIABLE << 56 | VAR,
				       NULL) = (struct holder){ .owner = 1, .root = VAR };
}

static void words(void)
{
	uint64_t pfn;

	open_all();
	CHECK(page_words_name(&h.graph, page_of(40), &pfn) && pfn == 40);
	CHECK(page_words_name(&h.graph, page_of(40) + 7, &pfn) && pfn == 40);
	CHECK(!page_words_name(&h.graph, page_of(40) + 8, &pfn));
	CHECK(!page_words_name(&h.graph, page_of(PAGES), &pfn));
	CHECK(!page_words_name(&h.graph, MEMMAP - 64, &pfn));
	/* That of a slab. */
	CHECK(!page_words_name(&h.graph, page_of((OBJECTS - LINEAR) >> 12), &pfn));
	objects[0] = page_of(40);
	objects[8] = page_of(41);
	objects[9] = page_of(42);
	area[1000] = page_of(43);
	CHECK(graph_edges(&h.graph) == ST_OK && h.graph.page_words.n == 3);
	CHECK(((struct page_words *)chunks_at(&h.graph.page_words, 1))->node == OBJECT + 1);
	CHECK(((struct page_words *)chunks_at(&h.graph.page_words, 1))->n == 2);
}

static void lists(void)
{
	struct page_lists found;

	open_all();
	/* 20 of the module's area, one of them twice, 3 more of an object of it, 2 of one whose holder is unknown. */
	for (unsigned int i = 0; i < 20; i++)
		area[500 + i] = page_of(32 + i);
	area[600] = page_of(32);
	objects[0] = page_of(52);
	objects[1] = page_of(53);
	objects[2] = page_of(54);
	objects[16] = page_of(54);
	objects[17] = page_of(55);
	keep(VAREA);
	keep(OBJECT);
	/* One that a process maps, one in the swap cache, one of no process. */
	pages[56].mapcount = 0;
	pages[57].flags = 1ULL << PG_swapcache;
	area[601] = page_of(56);
	area[602] = page_of(57);
	area[603] = page_of(3);
	CHECK(graph_edges(&h.graph) == ST_OK);
	CHECK(page_lists_find(&h, &found) == ST_OK && !found.unread);
	CHECK(found.unmapped == 30 && found.n == 2);
	CHECK(found.largest[0].lists == 2 && found.largest[0].pages == 23);
	CHECK(found.largest[0].of.owner == 1 && found.largest[0].node == VAREA);
	CHECK(page_list_share(&found, &found.largest[0]) == 23 * 1000 / 30);
	CHECK(found.largest[1].lists == 1 && found.largest[1].pages == 2);
	CHECK(found.largest[1].of.owner == OWNER_NOBODY);
	CHECK_TEXT(page_list_name(&h, &found.largest[1]),
		   "1 list of page pointers in kmalloc-64, of which no holder is known");
}

/* The array is the variable itself. */
static void a_variable(void)
{
	struct page_lists found;

	open_all();
	for (unsigned int i = 0; i < 8; i++)
		variable[8 + i] = page_of(32 + i);
	CHECK(graph_edges(&h.graph) == ST_OK && page_lists_find(&h, &found) == ST_OK);
	CHECK(found.n == 1 && found.largest[0].pages == 8 && found.largest[0].node == VAR);
}

static void none(void)
{
	struct page_lists found;

	open_all();
	for (unsigned int i = 32; i < PAGES; i++)
		pages[i].mapping = 0;
	area[0] = page_of(40);
	CHECK(graph_edges(&h.graph) == ST_OK && page_lists_find(&h, &found) == ST_OK);
	CHECK(!found.unmapped && !found.n);
}

static void of_one_page(void)
{
	struct reference found[2];
	uint64_t total;

	open_all();
	area[511] = page_of(40) + 2;
	area[512] = page_of(40);
	objects[9] = page_of(40);
	CHECK(graph_edges(&h.graph) == ST_OK);
	CHECK(references_to_page(&h.graph, 40, found, 2, &total) == 2 && total == 3);
	CHECK(found[0].node == OBJECT + 1 && found[0].from == 8 && found[0].to == PLACE_PAGE);
	CHECK(found[1].node == VAREA && found[1].address == AREA + 511 * 8);
	CHECK(!references_to_page(&h.graph, 41, found, 2, &total) && !total);
}

TESTS({ "words that name pages", words }, { "whose the lists are", lists },
      { "a variable", a_variable }, { "no such page", none }, { "one page", of_one_page })
