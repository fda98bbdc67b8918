// SPDX-License-Identifier: GPL-2.0-or-later
/* What an object of kmalloc() takes: in a slab, in pages with a type of their own and without. */
#include <string.h>

#include "slab/kmalloc.h"
#include "stub.h"
#include "test.h"

#define DIRECT 0xffff888000000000ULL
#define MAP 0xffffea0000000000ULL
#define CACHE 0xffff888000900000ULL
#define PAGES 64 /* a page of them */
#define PG_head 6
#define SIZE 1024

/* A struct page, and the struct slab in its place. */
static struct page {
	uint64_t flags, compound_head, cache, freelist;
	uint16_t inuse, objects;
	uint32_t pad[3];
	uint32_t type, refcount;
	uint64_t private;
} pages[PAGES];
static uint64_t cache[16], boot = CACHE;

static const struct stub_member members[] = {
	{ "struct page", "flags", FIELD(0, 8) },
	{ "struct page", "compound_head", FIELD(8, 8) },
	{ "struct page", "mapping", FIELD(40, 8) },
	{ "struct page", "page_type", FIELD(48, 4) },
	{ "struct page", "private", FIELD(56, 8) },
	{ "struct slab", "slab_cache", KINDED(KIND_POINTER, 16, 8) },
	{ "struct slab", "freelist", KINDED(KIND_POINTER, 24, 8) },
	{ "struct slab", "inuse", BITS(32, 4, 0, 16) },
	{ "struct slab", "objects", BITS(32, 4, 16, 15) },
	{ "struct kmem_cache", "flags", FIELD(8, 4) },
	{ "struct kmem_cache", "size", FIELD(24, 4) },
	{ "struct kmem_cache", "object_size", FIELD(28, 4) },
	{ "struct kmem_cache", "offset", FIELD(40, 4) },
	{ "struct kmem_cache", "inuse", FIELD(80, 4) },
	{ "struct kmem_cache", "name", KINDED(KIND_POINTER, 96, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct page", sizeof(struct page) },
					    { "struct kmem_cache", sizeof(cache) },
					    { 0 } };
static const struct stub_number types_of_6_15[] = {
	{ "PG_head", PG_head }, { "PGTY_buddy", 0xf0 },		{ "PGTY_table", 0xf2 },
	{ "PGTY_slab", 0xf5 },	{ "PGTY_large_kmalloc", 0xf8 }, { 0 }
};
static const struct stub_symbol symbols[] = { { "kmem_cache", DIRECT, KINDED(KIND_POINTER, 0, 8) },
					      { 0 } };
static const struct stub_memory memory[] = {
	{ MAP, pages, sizeof(pages) }, { CACHE, cache, sizeof(cache) }, { DIRECT, &boot, 8 }, { 0 }
};

static enum status to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	if (addr < DIRECT || addr >= DIRECT + (16ULL << 20))
		return ST_ABSENT;
	*ret = addr - DIRECT;
	return ST_OK;
}

static bool enumerates(void *priv NOT_USED, const char *type, const char *name)
{
	return !strcmp(type, "enum pageflags") && !strcmp(name, "PG_head");
}

static void compound(unsigned int pfn, unsigned int n, uint32_t type)
{
	pages[pfn].flags = 1ULL << PG_head;
	pages[pfn].type = type;
	for (unsigned int i = 1; i < n; i++)
		pages[pfn + i].compound_head = MAP + pfn * sizeof(struct page) + 1;
}

/* Pages 4 to 7 are a slab, 8 to 11 a large kmalloc(), 12 and 13 a block without a type, 14 is alone, 15 free. */
static void set_up(void)
{
	memset(pages, 0, sizeof(pages));
	memset(cache, 0, sizeof(cache));
	for (unsigned int i = 0; i < PAGES; i++) {
		pages[i].type = UINT32_MAX;
		pages[i].refcount = 1;
	}
	compound(4, 4, 0xf5000000);
	pages[4].cache = CACHE;
	pages[4].inuse = 3;
	pages[4].objects = 16;
	compound(8, 4, 0xf8000000);
	compound(12, 2, UINT32_MAX);
	pages[15].type = 0xf0000000;
	cache[3] = SIZE | 1000ULL << 32;
	cache[10] = SIZE;
}

static enum status bytes_at(uint64_t address, uint64_t *ret)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = types_of_6_15);
	struct memmap map = { .is_flat = true };
	struct page_types types;
	struct slabs slabs;

	*ret = 0;
	s.ops.virt_to_phys = to_phys;
	s.ops.enumerates = enumerates;
	map.flat = (struct flatmem){ .dump = &s.dump,
				     .page_bytes = sizeof(struct page),
				     .n = 1,
				     .nodes = { { .start = 0, .end = PAGES, .mem_map = MAP } } };
	CHECK(page_types_open(&s.dump, &map, &types) == ST_OK);
	CHECK(slabs_open(&s.dump, &map, &slabs) == ST_OK);
	return kmalloc_bytes(&slabs, &types, address, ret);
}

#define AT(pfn) (DIRECT + (pfn)*4096ULL)

static void in_a_slab(void)
{
	uint64_t n;

	set_up();
	/* What is free with it is its slot, not what was asked for. */
	CHECK(bytes_at(AT(4), &n) == ST_OK && n == SIZE);
	CHECK(bytes_at(AT(7) + 3 * SIZE, &n) == ST_OK && n == SIZE);
	CHECK(bytes_at(AT(5) + 8, &n) == ST_CORRUPT && !n);
	pages[4].objects = 0;
	CHECK(bytes_at(AT(4), &n) == ST_CORRUPT && !n);
}

static void in_pages(void)
{
	uint64_t n;

	set_up();
	CHECK(bytes_at(AT(8), &n) == ST_OK && n == 4 * 4096);
	CHECK(bytes_at(AT(12), &n) == ST_OK && n == 2 * 4096);
	CHECK(bytes_at(AT(14), &n) == ST_OK && n == 4096);
	/* It begins where its block does. */
	CHECK(bytes_at(AT(8) + 64, &n) == ST_CORRUPT && !n);
	CHECK(bytes_at(AT(9), &n) == ST_CORRUPT && !n);
	/* Free; of no memory; without a struct page. */
	CHECK(bytes_at(AT(15), &n) == ST_CORRUPT && !n);
	CHECK(bytes_at(0x1000, &n) == ST_CORRUPT && !n);
	CHECK(bytes_at(AT(PAGES), &n) == ST_CORRUPT && !n);
}

TESTS({ "an object in a slab", in_a_slab }, { "a large one, in pages", in_pages })
