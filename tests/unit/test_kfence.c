// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pool of KFENCE: its objects in each state, its guard pages, how many there are where only the
 * records tell; its pages are of no slab.
 */
#include "pages/kfence.h"
#include "cgroup/memcg_charges.h"
#include "graph/nodes.h"
#include "pages/page_type.h"
#include "stub.h"
#include "test.h"

#define DIRECT 0xffff888000000000ULL
#define POOL (DIRECT + 0x100000)
#define POOL_PFN 0x100
#define OBJECT_PAGE(i) (POOL + 0x2000ULL * ((i) + 1))
#define RECORDS 0xffff888000400000ULL
#define CACHE 0xffff888000500000ULL
#define POINTERS 0xffffffff82000000ULL
#define MAP 0xffffea0000000000ULL
#define OBJECTS 3

struct track {
	int32_t pid, cpu;
	uint64_t ts;
	int32_t n, pad;
	uint64_t entries[64];
};

static struct record {
	uint64_t list[2];
	uint32_t lock, state;
	uint64_t addr, size, cache;
	struct track alloc, free;
	uint64_t objcg;
} records[OBJECTS + 1];
static uint64_t pool, metadata;
static struct page {
	uint64_t flags, lru[2], mapping, index, private;
	uint32_t type, refcount;
	uint64_t memcg;
} pages[4096 / sizeof(struct page)];

static const struct stub_memory memory[] = {
	{ RECORDS, records, sizeof(records) },
	{ POINTERS, &pool, 8 },
	{ POINTERS + 8, &metadata, 8 },
	{ MAP, pages, sizeof(pages) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct kfence_metadata", "state", FIELD(20, 4) },
	{ "struct kfence_metadata", "addr", FIELD(24, 8) },
	{ "struct kfence_metadata", "size", FIELD(32, 8) },
	{ "struct kfence_metadata", "cache", FIELD(40, 8) },
	{ "struct kfence_metadata", "alloc_track", FIELD(48, sizeof(struct track)) },
	{ "struct kfence_metadata", "free_track",
	  FIELD(48 + sizeof(struct track), sizeof(struct track)) },
	{ "struct kfence_track", "pid", FIELD(0, 4) },
	{ "struct kfence_track", "cpu", FIELD(4, 4) },
	{ "struct kfence_track", "ts_nsec", FIELD(8, 8) },
	{ "struct kfence_track", "num_stack_entries", FIELD(16, 4) },
	{ "struct kfence_track", "stack_entries", FIELD(24, 512) },
	{ "struct page", "flags", FIELD(0, 8) },
	{ "struct page", "mapping", FIELD(24, 8) },
	{ "struct page", "compound_head", FIELD(8, 8) },
	{ "struct page", "page_type", FIELD(48, 4) },
	{ "struct page", "memcg_data", FIELD(56, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct kfence_metadata", sizeof(struct record) },
					    { "struct kfence_track", sizeof(struct track) },
					    { "struct page", sizeof(struct page) },
					    { 0 } };
/* With the state that RHEL 10 has: what is freed has another number there. */
static const struct stub_number with_rcu[] = { { "KFENCE_OBJECT_UNUSED", 0 },
					       { "KFENCE_OBJECT_ALLOCATED", 1 },
					       { "KFENCE_OBJECT_RCU_FREEING", 2 },
					       { "KFENCE_OBJECT_FREED", 3 },
					       { "PG_slab", 9 },
					       { "PG_reserved", 12 },
					       { 0 } };
static const struct stub_number without[] = {
	{ "KFENCE_OBJECT_UNUSED", 0 }, { "KFENCE_OBJECT_ALLOCATED", 1 },
	{ "KFENCE_OBJECT_FREED", 2 },  { "PG_slab", 9 },
	{ "PG_reserved", 12 },	       { 0 }
};

static struct stub stub;

static enum status virt_to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	*ret = addr - DIRECT;
	return ST_OK;
}

static bool enumerates(void *priv NOT_USED, const char *type, const char *name)
{
	return !strcmp(type, "enum pageflags") && !strncmp(name, "PG_", 3);
}

static void open_stub(const struct stub_symbol *symbols, const struct stub_number *states)
{
	STUB_OPEN(stub, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
		  .enumerators = states, .ops.virt_to_phys = virt_to_phys,
		  .ops.enumerates = enumerates);
}

static const struct stub_symbol as_pointer[] = {
	{ "__kfence_pool", POINTERS, KINDED(KIND_POINTER, 0, 8) },
	{ "kfence_metadata", POINTERS + 8, KINDED(KIND_POINTER, 0, 8) },
	{ 0 },
};
static const struct stub_symbol as_array[] = {
	{ "__kfence_pool", POINTERS, KINDED(KIND_POINTER, 0, 8) },
	{ "kfence_metadata", RECORDS, KINDED(KIND_ARRAY, 0, OBJECTS * sizeof(struct record)) },
	{ 0 },
};

/* By the distance to the next symbol, where types of variables are missing. */
static const struct stub_symbol by_distance[] = {
	{ "__kfence_pool", POINTERS, KINDED(KIND_POINTER, 0, 8) },
	{ "kfence_metadata", RECORDS,
	  KINDED(KIND_ARRAY, 0, (OBJECTS + 1) * sizeof(struct record)) },
	{ 0 },
};

/* Object 0 is in use, 1 freed, 2 unused; behind them is what is no record. */
static void make_pool(uint32_t freed)
{
	memset(records, 0, sizeof(records));
	pool = POOL;
	metadata = RECORDS;
	records[0] = (struct record){ .state = 1,
				      .addr = OBJECT_PAGE(0) + 4096 - 56,
				      .size = 56,
				      .cache = CACHE,
				      .alloc = { 42, 3, 5000, 2, 0, { 0xffffffff81000010, 1 } } };
	records[1] = (struct record){ .state = freed,
				      .addr = OBJECT_PAGE(1),
				      .size = 4096,
				      .cache = CACHE,
				      .alloc = { 1, 0, 100, 100, 0, { 2 } },
				      .free = { 7, 1, 200, 1, 0, { 0xffffffff81000020 } } };
	records[2] = (struct record){ .addr = OBJECT_PAGE(2) };
}

static void objects(void)
{
	const struct stub_symbol *const forms[] = { as_pointer, as_array, by_distance };
	const struct stub_number *const states[] = { with_rcu, without, without };

	for (unsigned int i = 0; i < 3; i++) {
		struct kfence_object o;
		struct kfence k;

		make_pool(states[i] == with_rcu ? 3 : 2);
		open_stub(forms[i], states[i]);
		CHECK(kfence_open(&stub.dump, &k) == ST_OK);
		CHECK(k.objects == OBJECTS && k.pages == 8 && k.pfn == POOL_PFN);
		CHECK(kfence_object_at(&k, 0, &o) == ST_OK && o.state == KFENCE_IN_USE);
		CHECK(o.address == OBJECT_PAGE(0) + 4096 - 56 && o.size == 56 && o.cache == CACHE);
		CHECK(o.allocated.pid == 42 && o.allocated.has_time && o.allocated.cpu == 3 &&
		      o.allocated.ts_ns == 5000 && o.allocated.n == 2 && !o.freed.n);
		CHECK(o.allocated.frames[0] == 0xffffffff81000010);
		CHECK(kfence_object_at(&k, 1, &o) == ST_OK && o.state == KFENCE_FREED);
		CHECK(o.allocated.n == 64 && o.freed.pid == 7 && o.freed.n == 1);
		CHECK(kfence_object_at(&k, 2, &o) == ST_OK && o.state == KFENCE_UNUSED &&
		      !o.allocated.n);
		CHECK(kfence_object_at(&k, 3, &o) == ST_ABSENT);
	}
}

static void damaged_records(void)
{
	struct kfence_object o;
	struct kfence k;

	make_pool(2);
	open_stub(as_array, without);
	CHECK(kfence_open(&stub.dump, &k) == ST_OK);
	records[0].size = 57; /* beyond its page */
	CHECK(kfence_object_at(&k, 0, &o) == ST_CORRUPT);
	records[1].addr += 0x2000; /* of another page */
	CHECK(kfence_object_at(&k, 1, &o) == ST_CORRUPT);
	records[2].state = 9;
	CHECK(kfence_object_at(&k, 2, &o) == ST_CORRUPT);
	pool = 0;
	open_stub(as_array, without);
	CHECK(kfence_open(&stub.dump, &k) == ST_ABSENT);
	open_stub(NULL, without);
	CHECK(kfence_open(&stub.dump, &k) == ST_ABSENT);
}

static void places(void)
{
	struct kfence k = { .pfn = POOL_PFN, .pages = 8, .objects = 3 };
	bool guard;
	uint32_t i;

	CHECK(kfence_index(&k, POOL_PFN + 1, &i, &guard) == ST_ABSENT);
	CHECK(kfence_index(&k, POOL_PFN + 2, &i, &guard) == ST_OK && i == 0 && !guard);
	CHECK(kfence_index(&k, POOL_PFN + 7, &i, &guard) == ST_OK && i == 2 && guard);
	CHECK(kfence_index(&k, POOL_PFN + 8, &i, &guard) == ST_ABSENT);
	CHECK(kfence_index(&k, POOL_PFN - 1, &i, &guard) == ST_ABSENT);
}

#define SLAB (1 << 9)
#define RESERVED (1 << 12)

/* Guards too; a slab that is not of the pool stays one; without records a reserved slab is of it. */
static struct memmap make_pages(void)
{
	struct memmap map = { .is_flat = true };

	map.flat = (struct flatmem){
		.dump = &stub.dump,
		.page_bytes = sizeof(struct page),
		.n = 1,
		.nodes = { { .start = POOL_PFN - 1, .end = POOL_PFN + 10, .mem_map = MAP } }
	};
	memset(pages, 0, sizeof(pages));
	for (unsigned int i = 0; i < 11; i++)
		pages[i].type = -1;
	for (unsigned int i = 1; i < 9; i++)
		pages[i].flags = RESERVED | (i == 3 || i == 5 || i == 7 ? SLAB : 0);
	pages[9].flags = SLAB;
	return map;
}

static void pages_are_no_slabs(void)
{
	struct memmap map = make_pages();
	struct page_types types;
	struct page_info info;

	make_pool(2);
	open_stub(as_pointer, without);
	CHECK(page_types_open(&stub.dump, &map, &types) == ST_OK);
	for (unsigned int i = 0; i < 8; i++)
		CHECK(page_type_at(&types, POOL_PFN + i, &info) == ST_OK &&
		      info.state == PAGE_TYPE_KFENCE);
	CHECK(page_type_at(&types, POOL_PFN + 8, &info) == ST_OK && info.state == PAGE_TYPE_SLAB);
	CHECK(page_type_at(&types, POOL_PFN - 1, &info) == ST_OK && info.state == PAGE_TYPE_OTHER);
	metadata = 0xffff888000900000; /* not in the dump */
	open_stub(as_pointer, without);
	CHECK(page_types_open(&stub.dump, &map, &types) == ST_OK);
	CHECK(page_type_at(&types, POOL_PFN + 2, &info) == ST_OK && info.state == PAGE_TYPE_KFENCE);
	CHECK(page_type_at(&types, POOL_PFN + 8, &info) == ST_OK && info.state == PAGE_TYPE_SLAB);
}

/* What is in use is an object of its cache; what is free, and guards, are no memory of boot, which is a root. */
static void nodes_of_a_graph(void)
{
	struct memmap map = make_pages();
	struct ram_range range = { POOL_PFN, POOL_PFN + 8 };
	struct ram ram = { .ranges = &range, .n = 1 };
	struct page_types types;
	struct page_classes classes = { .reserved = RESERVED, .free.blocks.states.memmap = &map };
	struct slabs slabs = { .dump = &stub.dump };
	struct graph_sources s = { .dump = &stub.dump,
				   .ram = &ram,
				   .memmap = &map,
				   .types = &types,
				   .classes = &classes,
				   .slabs = &slabs };
	struct graph g;
	bool is_new;

	make_pool(2);
	open_stub(as_pointer, without);
	CHECK(page_types_open(&stub.dump, &map, &types) == ST_OK);
	hash_u64_init(&slabs.caches, stub.dump.arena, sizeof(struct slab_cache));
	*(struct slab_cache *)hash_u64_get(&slabs.caches, CACHE, &is_new) =
		(struct slab_cache){ .address = CACHE, .size = 64, .name = "plain" };
	graph_init(&stub.dump, stub.dump.arena, 16 << 20, 0, &g);
	g.linear = DIRECT;
	g.end = range.end;
	g.page_spans = arena_alloc(g.arena, g.end * sizeof(*g.page_spans));
	CHECK(graph_add_pages(&g, &s) == ST_OK && !s.bad_slabs);
	CHECK(g.nodes == 1 && graph_last(&g)->kind == NODE_OBJECT);
	CHECK(graph_last(&g)->start == OBJECT_PAGE(0) + 4096 - 56 && graph_last(&g)->stride == 56);
	CHECK(g.caches[graph_last(&g)->group]->address == CACHE);
	for (uint64_t pfn = POOL_PFN; pfn < range.end; pfn++)
		CHECK((g.page_spans[pfn] != 0) == (pfn == POOL_PFN + 2));
}

TESTS({ "objects and who had them", objects }, { "damaged records", damaged_records },
      { "which object a page is of", places }, { "its pages are no slabs", pages_are_no_slabs },
      { "its objects are those of the graph of pointers", nodes_of_a_graph })
