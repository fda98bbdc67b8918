// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses of a kernel of x86_64 with 4 levels: the image at 16 MiB, the direct map from PAGE_OFFSET on, of which
 * a page is taken out, a large page of vmemmap, small ones of modules.
 */
#include "translation.h"

#include "dump/pointer.h"
#include "stub.h"
#include "test.h"

#define TEXT 0xffffffff81000000ULL
#define MODULES 0xffffffffa0000000ULL /* without KASLR they are within the first GiB */
#define DIRECT 0xffff888000000000ULL
#define VMEMMAP 0xffffea0000000000ULL
#define TOP (TEXT + 0x10000)
#define PFNS 0x40000ULL

static uint64_t tables[16]
		      [512]; /* the table at physical 0x1010000 + n * 4096; the first is the top */
static unsigned int used, reads;
static struct stub stub;
static struct translation *t;

static enum status read_phys(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	reads++;
	if (addr < 0x1010000 || addr + len > 0x1010000 + sizeof(tables))
		return ST_UNREADABLE;
	memcpy(buf, (char *)tables + (addr - 0x1010000), len);
	return ST_OK;
}

static enum status to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	uint64_t bytes;

	return translation_phys(t, addr, ret, &bytes);
}

/* level 1: a page; 2: 2 MiB. */
static void map(uint64_t addr, uint64_t phys, unsigned int level)
{
	uint64_t *table = tables[0];

	for (unsigned int l = 4; l > level; l--) {
		uint64_t *e = &table[addr >> (12 + 9 * (l - 1)) & 511];

		if (!*e)
			*e = (0x1010000 + 4096ULL * ++used) | 0x63;
		table = tables[((*e & ~0xfffULL) - 0x1010000) / 4096];
	}
	table[addr >> (12 + 9 * (level - 1)) & 511] = phys | (level == 1 ? 0x63 : 0xe3);
}

static void open_machine(void)
{
	static const uint64_t pfns = PFNS, base = DIRECT;
	static const struct stub_symbol symbols[] = {
		{ .name = "init_top_pgt", .addr = TOP },
		{ .name = "_text", .addr = TEXT },
		{ .name = "_end", .addr = TEXT + 0x400000 },
		{ .name = "max_pfn", .addr = 0x1000, .type = FIELD(0, 8) },
		{ .name = "page_offset_base", .addr = 0x2000, .type = FIELD(0, 8) },
		{ 0 },
	};
	static const struct stub_memory values[] = { { 0x1000, &pfns, 8 },
						     { 0x2000, &base, 8 },
						     { 0 } };
	const struct image image = { 0xffffffff80000000, 1ULL << 30, -0xffffffff80000000 };

	memset(tables, 0, sizeof(tables));
	used = 0;
	map(TEXT, 0x1000000, 2);
	map(MODULES, 0x5000000, 1);
	map(MODULES + 0x1000, 0x5007000, 1);
	map(VMEMMAP, 0x8000000, 2);
	map(DIRECT + 0x1000000, 0x1000000, 2); /* and not its start */
	STUB_OPEN(stub, .symbols = symbols, .memory = values, .ops.read_phys = read_phys,
		  .ops.virt_to_phys = to_phys);
	stub.dump.arch = "x86_64";
	t = translation_new(&stub.dump, &image);
}

static uint64_t phys(uint64_t addr, uint64_t *bytes)
{
	uint64_t ret;

	return translation_phys(t, addr, &ret, bytes) == ST_OK ? ret : UINT64_MAX;
}

static void step_by_step(void)
{
	uint64_t bytes;

	open_machine();
	CHECK(phys(TEXT + 0x123, &bytes) == 0x1000123);
	CHECK(phys(VMEMMAP, &bytes) == UINT64_MAX);
	/* It would be right for an image of that size. */
	CHECK(phys(MODULES, &bytes) == 0x20000000);
	CHECK(translation_find_tables(t, &stub.dump) == ST_OK);
	CHECK(phys(MODULES + 0x1008, &bytes) == 0x5007008 && bytes == 0xff8);
	CHECK(phys(MODULES + 0x2000, &bytes) == UINT64_MAX);
	CHECK(phys(TEXT + 0x3ffff8, &bytes) == 0x13ffff8 && bytes == 8);
	CHECK(phys(DIRECT, &bytes) == UINT64_MAX && !translation_map(t));
	CHECK(translation_find_direct_map(t, &stub.dump) == ST_OK && translation_map(t));
	/* A page of KFENCE. */
	CHECK(phys(DIRECT + 0x2000000, &bytes) == 0x2000000);
	CHECK(phys(DIRECT + PFNS * 4096 - 1, &bytes) == PFNS * 4096 - 1 && bytes == 1);
	CHECK(phys(DIRECT + PFNS * 4096, &bytes) == UINT64_MAX);
	CHECK(phys(0x8000000000000000, &bytes) == UINT64_MAX);
	CHECK(phys(UINT64_MAX, &bytes) == UINT64_MAX);
	CHECK(phys(0, &bytes) == UINT64_MAX);
}

/* Of a table that is not there nothing tells whether an address is mapped. */
static void table_that_is_not_there(void)
{
	uint64_t ret;

	open_machine();
	CHECK(dump_pointer_phys(&stub.dump, VMEMMAP, "kmem_cache", &ret) == ST_UNREADABLE);
	CHECK(translation_find_tables(t, &stub.dump) == ST_OK);
	CHECK(dump_pointer_phys(&stub.dump, VMEMMAP, "kmem_cache", &ret) == ST_OK &&
	      ret == 0x8000000);
	CHECK(dump_pointer_phys(&stub.dump, VMEMMAP + 0x200000, "kmem_cache", &ret) == ST_CORRUPT);
	CHECK_TEXT(stub.dump.error, "kmem_cache at 0xffffea0000200000 is not mapped");
	/* Its table is where the dump has nothing. */
	tables[0][(VMEMMAP >> 39) & 511] = 0x9000000 | 0x63;
	CHECK(dump_pointer_phys(&stub.dump, VMEMMAP + 0x200000, "kmem_cache", &ret) ==
	      ST_UNREADABLE);
	CHECK(strstr(stub.dump.error, "is not in this dump") &&
	      !strstr(stub.dump.error, "is not mapped"));
}

/* What was walked once is kept, a large page as one; what shares its place is not taken for it. */
static void kept(void)
{
	uint64_t bytes;

	open_machine();
	CHECK(translation_find_tables(t, &stub.dump) == ST_OK);
	CHECK(phys(VMEMMAP + 0x1234, &bytes) == 0x8001234 && bytes == 0x200000 - 0x1234);
	reads = 0;
	for (uint64_t at = 0; at < 0x200000; at += 4096)
		CHECK(phys(VMEMMAP + at, &bytes) == 0x8000000 + at);
	CHECK(reads == 0);
	CHECK(phys(MODULES, &bytes) == 0x5000000);
	reads = 0;
	CHECK(phys(MODULES + 8, &bytes) == 0x5000008 && reads == 0);
	CHECK(phys(MODULES + (1024 << 12), &bytes) == UINT64_MAX);
	CHECK(phys(VMEMMAP + (1024ULL << 21), &bytes) == UINT64_MAX);
	CHECK(phys(VMEMMAP, &bytes) == 0x8000000);
}

TESTS({ "image, modules, direct map, each when it is known", step_by_step },
      { "a page table that is not there", table_that_is_not_there },
      { "what page tables said is kept", kept })
