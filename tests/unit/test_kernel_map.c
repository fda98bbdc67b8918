// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which words are pointers of the kernel: with page tables of 4 and 5 levels, on arm64 with 39, 48 and
 * 52 bits, and where tables are not known; pages that are told by such a pointer.
 */
#include "pages/kernel_map.h"
#include "pages/page_type.h"
#include "pools/zsmalloc.h"
#include "stub.h"
#include "test.h"

#define PHYS 0x40200000ULL /* where the image is */

/* A machine whose tables map the image, at index of each level from the top, and nothing else. */
struct machine {
	const char *arch, *top;
	unsigned int page_shift, va_bits;
	uint64_t image, half;
};

static struct stub stub;
static const struct machine *machine;
static uint64_t low; /* not 0: mapped as well, to 0 */

static uint64_t index_at(unsigned int level, uint64_t addr)
{
	unsigned int per_level = machine->page_shift - 3;
	uint64_t bits = addr & (~0ULL >> (64 - machine->va_bits));

	return bits >> (machine->page_shift + (level - 1) * per_level) & ((1ULL << per_level) - 1);
}

/* The table of a level is at as many times 64 KiB; that of the top is the last. */
static enum status read_phys(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	unsigned int per_level = machine->page_shift - 3, level = addr >> 16;
	unsigned int levels = (machine->va_bits - machine->page_shift + per_level - 1) / per_level;
	uint64_t bits = machine->page_shift == 12 && machine->arch[0] == 'x' ? 0x63 : 0xc03;
	uint64_t entry = level == 1 ? PHYS | bits : (uint64_t)(level - 1) << 16 | (bits & 0x63);

	memset(buf, 0, len);
	if (len != 8 || level < 1 || level > levels)
		return ST_OK;
	if ((addr & 0xffff) == index_at(level, machine->image) * 8)
		memcpy(buf, &entry, 8);
	else if (low && (addr & 0xffff) == index_at(level, low) * 8)
		memcpy(buf, level == 1 ? &bits : &entry, 8);
	return ST_OK;
}

static enum status virt_to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	unsigned int per_level = machine->page_shift - 3;

	*ret = addr == machine->image
		       ? PHYS
		       : (uint64_t)((machine->va_bits - machine->page_shift + per_level - 1) /
				    per_level)
				 << 16;
	return ST_OK;
}

static const struct machine machines[] = {
	{ "x86_64", "init_top_pgt", 12, 48, 0xffffffff81000000, 0xffff800000000000 },
	{ "x86_64", "init_top_pgt", 12, 57, 0xffffffff81000000, 0xff00000000000000 },
	{ "aarch64", "swapper_pg_dir", 12, 39, 0xffffffc008000000, 0xffffff8000000000 },
	{ "aarch64", "swapper_pg_dir", 12, 48, 0xffff800080000000, 0xffff000000000000 },
	{ "aarch64", "swapper_pg_dir", 16, 52, 0xffff800080000000, 0xfff0000000000000 },
	{ "aarch64", "swapper_pg_dir", 12, 52, 0xffff800080000000, 0xfff0000000000000 },
};

static void halves(void)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		struct stub_symbol symbols[] = { { .name = machines[i].top, .addr = 1 },
						 { .name = "_text", .addr = machines[i].image },
						 { 0 } };
		uint64_t half;

		machine = &machines[i];
		STUB_OPEN(stub, .symbols = symbols, .ops.read_phys = read_phys,
			  .ops.virt_to_phys = virt_to_phys);
		stub.dump.arch = machine->arch;
		stub.dump.page_shift = machine->page_shift;
		half = kernel_half(&stub.dump);
		CHECK(half == machine->half);
		CHECK(is_kernel_pointer(half, machine->half));
		CHECK(is_kernel_pointer(half, machine->image + 8));
		CHECK(!is_kernel_pointer(half, machine->image + 4));
		CHECK(!is_kernel_pointer(half, machine->half - 8));
		CHECK(!is_kernel_pointer(half, 0x7ffff000));
	}
}

/* A direct map of 16 GiB; RAM of arm64 starts at 1 GiB. */
#define RAM_PAGES 0x440000ULL
#define RAM 0x40000000ULL

static uint64_t direct_start, direct_phys;

static enum status direct_to_phys(void *priv, uint64_t addr, uint64_t *ret)
{
	if (addr - direct_start < RAM_PAGES << machine->page_shift) {
		*ret = addr - direct_start + direct_phys;
		return ST_OK;
	}
	return virt_to_phys(priv, addr, ret);
}

static void open_machine(const struct stub_symbol *symbols, const struct stub_memory *values)
{
	STUB_OPEN(stub, .symbols = symbols, .memory = values, .ops.read_phys = read_phys,
		  .ops.virt_to_phys = direct_to_phys);
	stub.dump.arch = machine->arch;
	stub.dump.page_shift = machine->page_shift;
}

/* A page of the direct map is found there although its entry is not present. */
static void test_direct_map(const struct machine *m, uint64_t start, uint64_t memstart)
{
	uint64_t pages = RAM_PAGES, phys = 0;
	const struct stub_memory values[] = { { 0x1000, &pages, 8 },
					      { 0x2000, &memstart, 8 },
					      { 0 } };
	bool arm64 = m->arch[0] == 'a';
	const struct stub_symbol symbols[] = {
		{ .name = m->top, .addr = 1 },
		{ .name = "_text", .addr = m->image },
		{ .name = "_end", .addr = m->image + 0x100000 },
		{ .name = "max_pfn", .addr = 0x1000, .type = FIELD(0, 8) },
		{ .name = arm64 ? "memstart_addr" : "-", .addr = 0x2000, .type = FIELD(0, 8) },
		{ 0 }
	};

	machine = m;
	direct_start = start;
	direct_phys = arm64 ? RAM : 0;
	open_machine(symbols, values);
	CHECK(direct_map_phys(&stub.dump, start + 0x12345678, &phys) == ST_OK);
	CHECK(phys == direct_phys + 0x12345678);
	CHECK(direct_map_phys(&stub.dump, start - 8, &phys) == ST_ABSENT);
	CHECK(direct_map_phys(&stub.dump, start + (RAM_PAGES << m->page_shift), &phys) ==
	      ST_ABSENT);
}

static void direct_maps(void)
{
	test_direct_map(&machines[0], 0xffff888000000000, 0);
	test_direct_map(&machines[1], 0xff11000000000000, 0);
	test_direct_map(&machines[2], 0xffffff8000000000, RAM);
	test_direct_map(&machines[3], 0xffff000000000000, RAM);
	/* Built for 52 bits, on a CPU that has 48. */
	test_direct_map(&machines[3], 0xffff000000000000, RAM - 0x000f000000000000);
	test_direct_map(&machines[5], 0xfff0000000000000, RAM);
}

/* RANDOMIZE_MEMORY off, and a door that knows where kernels before 4.20 had the direct map: the tables know better. */
static void door_that_errs(void)
{
	uint64_t pages = RAM_PAGES, phys = 1;
	const struct stub_memory values[] = { { 0x1000, &pages, 8 }, { 0 } };
	const struct machine mapped = { "x86_64", "init_top_pgt", 12, 48, 0xffffffff81001000, 0 };
	const struct stub_symbol symbols[] = {
		{ .name = "init_top_pgt", .addr = 1 },
		{ .name = "_text", .addr = mapped.image },
		{ .name = "_end", .addr = mapped.image + 0x100000 },
		{ .name = "max_pfn", .addr = 0x1000, .type = FIELD(0, 8) },
		{ 0 }
	};

	machine = &mapped;
	direct_start = 0xffff880000000000;
	direct_phys = 0;
	low = 0xffff888000000000;
	open_machine(symbols, values);
	CHECK(direct_map_phys(&stub.dump, low + 0x5000, &phys) == ST_OK && phys == 0x5000);
	low = 0;
}

/* No tables at all: what no machine can have is none. */
static void unknown_tables(void)
{
	uint64_t half;

	STUB_OPEN(stub);
	half = kernel_half(&stub.dump);
	CHECK(is_kernel_pointer(half, 0xff11000000000000));
	CHECK(is_kernel_pointer(half, 0xffff888000000000));
	CHECK(!is_kernel_pointer(half, 0x00ff888000000000));
	CHECK(!is_kernel_pointer(half, 0xdead000000000040));
}

/* arm64 of 5.11 to 6.8: what is before _stext is in no table. */
static void unmapped_head(void)
{
	const struct stub_symbol symbols[] = { { .name = machines[3].top, .addr = 1 },
					       { .name = "_text",
						 .addr = machines[3].image - 0x10000 },
					       { .name = "_stext", .addr = machines[3].image },
					       { 0 } };
	struct page_tables t;

	machine = &machines[3];
	open_machine(symbols, (const struct stub_memory[]){ { 0 } });
	CHECK(page_tables_open(&stub.dump, &t) == ST_OK && t.va_bits == 48);
}

#define MAP 0xffd4000000000000ULL /* the map of pages with 5 levels, as above */
#define POOL 0xff11000001234500ULL
#define ZSPAGE 0xff11000002345640ULL

static struct page {
	uint64_t flags, magic, pool, private, mapping, head;
	int32_t type, refcount;
	uint64_t count;
} pages[4096 / sizeof(struct page)];
static uint64_t zspage[2];

static const struct stub_memory memory[] = { { MAP, pages, sizeof(pages) },
					     { ZSPAGE, zspage, sizeof(zspage) },
					     { 0 } };
static const struct stub_member members[] = {
	{ "struct page", "flags", FIELD(0, 8) },
	{ "struct page", "pp_magic", FIELD(8, 8) },
	{ "struct page", "pp", FIELD(16, 8) },
	{ "struct page", "private", FIELD(24, 8) },
	{ "struct page", "mapping", FIELD(32, 8) },
	{ "struct page", "compound_head", FIELD(40, 8) },
	{ "struct page", "page_type", FIELD(48, 4) },
	{ "struct zspage", "magic", BITS(0, 4, 0, 8) },
	{ "struct zspage", "first_page", FIELD(8, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct page", sizeof(struct page) }, { 0 } };
static const struct stub_number numbers[] = {
	{ "PGTY_buddy", 0xf0 }, { "PGTY_table", 0xf2 }, { "PGTY_slab", 0xf5 }, { 0 }
};

static void pages_told_by_a_pointer(void)
{
	struct memmap map = { .is_flat = true };
	struct page_types types;
	struct zspages z = { 0 };
	struct page_info info;

	STUB_OPEN(stub, .memory = memory, .members = members, .sizes = sizes,
		  .enumerators = numbers);
	map.flat =
		(struct flatmem){ .dump = &stub.dump,
				  .page_bytes = sizeof(struct page),
				  .n = 1,
				  .nodes = { { .start = 0x100, .end = 0x102, .mem_map = MAP } } };
	pages[0] = (struct page){ .magic = 0xdead000000000040, .pool = POOL, .type = -1 };
	pages[1] = (struct page){ .private = ZSPAGE, .type = -1 };
	zspage[0] = 0x58;
	zspage[1] = MAP + sizeof(struct page);
	CHECK(page_types_open(&stub.dump, &map, &types) == ST_OK);
	zspages_open(&types, &z);
	CHECK(page_type_at(&types, 0x100, &info) == ST_OK && info.pool == POOL);
	CHECK(page_type_at(&types, 0x101, &info) == ST_OK && !info.pool);
	CHECK(zspages_find(&z, &info) == ST_OK);
	info.private = 0x1234;
	CHECK(zspages_find(&z, &info) == ST_ABSENT);
}

/* A module without types: 5.10 has the magic number at bit 14, 6.1 at 15, 6.3 at 17, 6.8 at 19. */
static void zspages_without_types(void)
{
	static uint64_t untyped[3];
	static const struct stub_memory with[] = { { MAP, pages, sizeof(pages) },
						   { ZSPAGE, untyped, sizeof(untyped) },
						   { 0 } };
	static const struct stub_member of_page[] = { { "struct page", "private", FIELD(24, 8) },
						      { 0 } };
	const struct page_info info = { .private = ZSPAGE }, none = { .private = POOL };
	struct page_types types;

	STUB_OPEN(stub, .memory = with, .members = of_page);
	memset(&types, 0, sizeof(types));
	types.dump = &stub.dump;
	for (unsigned int bit = 12; bit < 21; bit++) {
		struct zspages z = { 0 };
		bool is_known = bit == 14 || bit == 15 || bit == 17 || bit == 19;

		pages[1] = (struct page){ .private = ZSPAGE };
		untyped[0] = 0x58ULL << bit | 7ULL << 32;
		untyped[1] = 3;
		untyped[2] = MAP + sizeof(struct page);
		zspages_open(&types, &z);
		CHECK(z.unknown && zspages_find(&z, &info) == ST_ABSENT);
		CHECK(!zspages_learn(&z, &none));
		CHECK(zspages_learn(&z, &info) == is_known);
		CHECK(z.unknown != is_known);
		CHECK(zspages_find(&z, &info) == (is_known ? ST_OK : ST_ABSENT));
		CHECK(!is_known || zspages_find(&z, &none) != ST_OK);
	}
	/* A buffer_head leads back to its page as well; it has a pointer there. */
	untyped[0] = 0x58ULL << 14;
	untyped[1] = ZSPAGE;
	struct zspages z = { 0 };

	zspages_open(&types, &z);
	CHECK(!zspages_learn(&z, &info) && z.unknown);
	/* Its page has another one. */
	untyped[1] = 3;
	pages[1].private = POOL;
	CHECK(!zspages_learn(&z, &info) && z.unknown);
}

TESTS({ "the kernel's half of addresses", halves }, { "the direct map", direct_maps },
      { "the direct map of a door that errs", door_that_errs },
      { "tables that are not known", unknown_tables },
      { "an image of which the head is not mapped", unmapped_head },
      { "page pools and zsmalloc with 5 levels", pages_told_by_a_pointer },
      { "struct zspage without types", zspages_without_types })
