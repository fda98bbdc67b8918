// SPDX-License-Identifier: GPL-2.0-or-later
/* What pages are where no name of debug information tells: pages of hugetlb before 6.10, page tables. */
#include <string.h>

#include "classes/page_class.h"
#include "stub.h"
#include "test.h"

#define PAGES 192
#define MAP 0xffffea0000000000ULL
#define POOLS 0x200000ULL
#define COUNT 0x300000ULL
#define GUARDS 0x310000ULL
#define BLOCKS 0x320000ULL
#define PG_head 6
#define PG_active 5

struct upage {
	uint64_t flags, compound_head, prev, mapping;
	uint64_t private;
	uint8_t dtor, pad[7];
	uint32_t type, refcount;
	uint64_t memcg;
};

/* lru stands at compound_head; of the second page dtor is at byte 16. */
static struct upage pages[PAGES];
static struct {
	uint64_t order, total, free, reserved, surplus;
	uint32_t nodes[2], free_nodes[2];
	uint64_t active[2], lists[2][2];
} pools[2];
static uint32_t npools;
static uint64_t guards;

#define PAGE_MEMBERS                                                                     \
	{ "struct page", "flags", FIELD(0, 8) }, { "struct page", "lru", FIELD(8, 16) }, \
		{ "struct page", "compound_head", FIELD(8, 8) },                         \
		{ "struct page", "mapping", FIELD(24, 8) },                              \
		{ "struct page", "private", FIELD(32, 8) },                              \
		{ "struct page", "page_type", FIELD(48, 4) },                            \
		{ "struct hstate", "order", FIELD(0, 4) },                               \
		{ "struct hstate", "nr_huge_pages", FIELD(8, 8) },                       \
		{ "struct hstate", "free_huge_pages", FIELD(16, 8) },                    \
		{ "struct hstate", "resv_huge_pages", FIELD(24, 8) },                    \
		{ "struct hstate", "surplus_huge_pages", FIELD(32, 8) },                 \
		{ "struct hstate", "nr_huge_pages_node", FIELD(40, 8) },                 \
		{ "struct hstate", "free_huge_pages_node", FIELD(48, 8) },               \
		{ "struct hstate", "hugepage_activelist", FIELD(56, 16) },               \
	{                                                                                \
		"struct hstate", "hugepage_freelists", FIELD(72, 32)                     \
	}
#define MEMCG_MEMBER                                      \
	{                                                 \
		"struct page", "memcg_data", FIELD(56, 8) \
	}

static const struct stub_member page_dtor[] = {
	PAGE_MEMBERS, MEMCG_MEMBER, { "struct page", "compound_dtor", FIELD(40, 1) }, { 0 }
};
static const struct stub_member folio_dtor[] = {
	PAGE_MEMBERS, MEMCG_MEMBER, { "struct folio", "_folio_dtor", FIELD(64 + 40, 1) }, { 0 }
};
static const struct stub_member no_dtor[] = { PAGE_MEMBERS, MEMCG_MEMBER, { 0 } };
static const struct stub_member no_memcg[] = { PAGE_MEMBERS, { 0 } };
static const struct stub_member old_memcg[] = { PAGE_MEMBERS,
						{ "struct page", "mem_cgroup", FIELD(56, 8) },
						{ 0 } };

static const struct stub_number sizes[] = { { "struct page", sizeof(struct upage) },
					    { "struct hstate", sizeof(pools[0]) },
					    { 0 } };
static const struct stub_number named[] = {
	{ "PG_head", PG_head }, { "PG_slab", 9 }, { "HUGETLB_PAGE_DTOR", 2 }, { 0 }
};
static const struct stub_number flagged[] = {
	{ "PG_head", PG_head }, { "PG_slab", 9 }, { "PG_hugetlb", PG_active }, { 0 }
};
static const struct stub_number unnamed[] = { { "PG_head", PG_head }, { "PG_slab", 9 }, { 0 } };
static const struct stub_memory memory[] = { { MAP, pages, sizeof(pages) },
					     { POOLS, pools, sizeof(pools) },
					     { COUNT, &npools, 4 },
					     { GUARDS, &guards, 8 },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "hstates", POOLS, FIELD(0, 208) },
					      { "hugetlb_max_hstate", COUNT, FIELD(0, 4) },
					      { 0 } };

static bool enumerates(void *priv, const char *type, const char *name)
{
	const struct stub *s = priv;

	if (strcmp(type, "enum pageflags"))
		return false;
	for (const struct stub_number *n = s->enumerators; n->name; n++)
		if (!strcmp(n->name, name))
			return true;
	return false;
}

#define AT(pfn) (MAP + (pfn) * sizeof(struct upage))
#define LRU(pfn) (AT(pfn) + 8)
#define LIST(pool, n) (POOLS + (pool) * sizeof(pools[0]) + 56 + (n)*16ULL)

/* A compound page. */
static void compound(uint64_t pfn, unsigned int n)
{
	pages[pfn].flags = 1ULL << PG_head;
	for (unsigned int i = 1; i < n; i++)
		pages[pfn + i].compound_head = AT(pfn) + 1;
	pages[pfn + 1].dtor = 1;
}

/*
 * Pages of hugetlb: 8 is free, on the list of node 1; 16 is in use, anonymous; 24 belongs to a file, and is on no
 * list. 32 is a huge page that is none of hugetlb, 40 a page of a driver, 48 a slab.
 */
static void set_up(void)
{
	memset(pages, 0, sizeof(pages));
	memset(pools, 0, sizeof(pools));
	guards = 0;
	for (unsigned int i = 0; i < PAGES; i++)
		pages[i].type = UINT32_MAX;
	for (unsigned int i = 8; i <= 48; i += 8)
		compound(i, 8);
	/* The struct pages of the second half of its pages are those of the first, mapped again. */
	compound(64, 64);
	memcpy(pages + 128, pages + 64, 64 * sizeof(*pages));
	npools = 2;
	for (unsigned int i = 0; i < 2; i++) {
		pools[i].active[0] = pools[i].active[1] = LIST(i, 0);
		for (unsigned int n = 0; n < 2; n++)
			pools[i].lists[n][0] = pools[i].lists[n][1] = LIST(i, 1 + n);
	}
	pools[0].order = 3;
	pools[0].total = pools[0].nodes[1] = 3;
	pools[0].free = pools[0].free_nodes[1] = 1;
	pools[0].active[0] = pools[0].active[1] = LRU(16);
	pages[16].compound_head = pages[16].prev = LIST(0, 0);
	pools[0].lists[1][0] = pools[0].lists[1][1] = LRU(8);
	pages[8].compound_head = pages[8].prev = LIST(0, 2);
	pages[16].mapping = 0x1001;
	pages[24].mapping = 0x2000;
	pages[32].mapping = 0x1001;
	pages[48].flags |= 1 << 9;
}

static struct stub stub;
static struct memmap memmap;
static struct page_types types;

static enum status open_form(const struct stub_member *members, const struct stub_number *numbers,
			     const struct stub_symbol *syms)
{
	STUB_OPEN(stub, .memory = memory, .symbols = syms, .members = members, .sizes = sizes,
		  .enumerators = numbers, .ops.enumerates = enumerates);
	memmap.is_flat = true;
	memmap.flat = (struct flatmem){ .dump = &stub.dump,
					.nodes = { { .start = 0, .end = PAGES, .mem_map = MAP } },
					.n = 1,
					.page_bytes = sizeof(struct upage) };
	return page_types_open(&stub.dump, &memmap, &types);
}

static enum page_type type(uint64_t pfn)
{
	struct page_info info = { .state = PAGE_TYPES };

	CHECK(page_type_at(&types, pfn, &info) == ST_OK);
	return info.state;
}

/* All are told from the others, tails as well. */
static void check_huge(const struct stub_member *members, const struct stub_number *numbers)
{
	CHECK(open_form(members, numbers, symbols) == ST_OK);
	CHECK(!types.marks.hugetlb.problem);
	CHECK(type(8) == PAGE_TYPE_HUGETLB && type(9) == PAGE_TYPE_HUGETLB);
	CHECK(type(16) == PAGE_TYPE_HUGETLB && type(23) == PAGE_TYPE_HUGETLB);
	CHECK(type(24) == PAGE_TYPE_HUGETLB && type(0) == PAGE_TYPE_OTHER);
	CHECK(type(32) == PAGE_TYPE_ANON && type(33) == PAGE_TYPE_ANON);
	CHECK(type(40) == PAGE_TYPE_OTHER && type(48) == PAGE_TYPE_SLAB);
}

static void by_destructor(void)
{
	set_up();
	for (unsigned int i = 8; i <= 24; i += 8)
		pages[i + 1].dtor = 2;
	check_huge(page_dtor, named);
	check_huge(folio_dtor, named);
	/* Debug information without the enumeration: the pools have pages of that kind. */
	check_huge(page_dtor, unnamed);
}

static void by_flag(void)
{
	set_up();
	for (unsigned int i = 8; i <= 24; i += 8)
		pages[i + 1].flags = 1 << PG_active;
	check_huge(no_dtor, flagged);
}

static void by_type(void)
{
	set_up();
	for (unsigned int i = 8; i <= 24; i += 8)
		pages[i].type = ~0x800U;
	pages[3].type = ~0x200U;
	check_huge(no_dtor, unnamed);
	CHECK(open_form(no_dtor, unnamed, symbols) == ST_OK && type(3) == PAGE_TYPE_PGTABLE);
}

static bool has_problem(const struct stub_member *members, const struct stub_number *numbers)
{
	bool ret = open_form(members, numbers, symbols) == ST_OK && types.marks.hugetlb.problem &&
		   type(8) != PAGE_TYPE_HUGETLB;

	return ret;
}

static void without_a_witness(void)
{
	/* No page has the mark of page tables, of several, or none. */
	set_up();
	CHECK(has_problem(no_dtor, unnamed));
	pages[8].type = pages[16].type = ~0x200U;
	CHECK(has_problem(no_dtor, unnamed));
	pages[8].type = pages[16].type = ~0x1800U;
	CHECK(has_problem(no_dtor, unnamed));
	/* The destructor of others. */
	set_up();
	CHECK(has_problem(page_dtor, named) && has_problem(page_dtor, unnamed));
	/* Lists that lead astray are no witness; a value that has a name needs none. */
	set_up();
	for (unsigned int i = 8; i <= 24; i += 8)
		pages[i + 1].dtor = 2;
	pages[8].prev = pages[16].prev = 0;
	CHECK(has_problem(page_dtor, unnamed));
	check_huge(page_dtor, named);
	/* No pool has a page: there is nothing to tell. */
	set_up();
	memset(pools[0].nodes, 0, 16);
	pools[0].total = pools[0].free = 0;
	pools[0].active[0] = LIST(0, 0);
	pools[0].lists[1][0] = LIST(0, 2);
	CHECK(open_form(no_dtor, unnamed, symbols) == ST_OK && !types.marks.hugetlb.problem);
	/* Nor in a kernel without hugetlb. */
	set_up();
	CHECK(open_form(no_dtor, unnamed, NULL) == ST_OK && !types.marks.hugetlb.problem);
	npools = 100;
	CHECK(has_problem(no_dtor, unnamed));
}

static const struct stub_symbol guarded[] = { { "_debug_guardpage_minorder", GUARDS, FIELD(0, 4) },
					      { 0 } };

/* Of pages that have the first, the second and the third bit of these. */
static bool table_bits(const struct stub_member *members, const struct stub_symbol *syms,
		       enum page_type first, enum page_type second, enum page_type third)
{
	bool ret = open_form(members, unnamed, syms) == ST_OK && type(1) == first &&
		   type(2) == second && type(3) == third;

	return ret;
}

static void page_tables(void)
{
	set_up();
	pages[1].type = ~0x200U;
	pages[2].type = ~0x400U;
	pages[3].type = ~0x800U;
	CHECK(table_bits(no_dtor, NULL, PAGE_TYPE_PGTABLE, PAGE_TYPE_OTHER, PAGE_TYPE_OTHER));
	CHECK(table_bits(old_memcg, NULL, PAGE_TYPE_OTHER, PAGE_TYPE_PGTABLE, PAGE_TYPE_OTHER));
	/* Without CONFIG_MEMCG. */
	CHECK(table_bits(no_memcg, guarded, PAGE_TYPE_PGTABLE, PAGE_TYPE_PGTABLE, PAGE_TYPE_OTHER));
	guards = 1;
	CHECK(table_bits(no_dtor, guarded, PAGE_TYPE_PGTABLE, PAGE_TYPE_GUARD, PAGE_TYPE_OTHER));
	CHECK(table_bits(old_memcg, guarded, PAGE_TYPE_OTHER, PAGE_TYPE_PGTABLE, PAGE_TYPE_GUARD));
	CHECK(table_bits(no_memcg, guarded, PAGE_TYPE_PGTABLE, PAGE_TYPE_UNSURE, PAGE_TYPE_OTHER));
}

/* What no kernel writes: zeros, as if one mapping were counted and no user; ones, PagePoisoned(). */
static void a_blank_one_is_corrupt(void)
{
	struct page_info info;

	set_up();
	CHECK(open_form(no_dtor, unnamed, NULL) == ST_OK);
	pages[1].type = 0;
	CHECK(page_type_at(&types, 1, &info) == ST_CORRUPT);
	CHECK_TEXT(stub.dump.error, "struct page of pfn 0x1: each byte is 0");
	pages[1].refcount = 1;
	memset(&pages[2], 0xff, sizeof(pages[2]));
	CHECK(open_form(no_dtor, unnamed, NULL) == ST_OK);
	CHECK(page_type_at(&types, 1, &info) == ST_OK);
	CHECK(page_type_at(&types, 2, &info) == ST_CORRUPT);
}

/* Whoever asks has a reason to tell, whatever failed before. */
static void what_is_not_in_the_dump_has_a_reason(void)
{
	struct page_info info;

	set_up();
	CHECK(open_form(no_dtor, unnamed, NULL) == ST_OK);
	memmap.flat.nodes[0].end = PAGES + 64;
	for (unsigned int i = 0; i < 2; i++) {
		dump_fail(&stub.dump, ST_CORRUPT, "of another page");
		CHECK(page_type_at(&types, PAGES + i, &info) == ST_UNREADABLE);
		CHECK(strstr(stub.dump.error, "struct page of pfn 0xc"));
		CHECK(strstr(stub.dump.error, " is not in this dump"));
	}
}

static void heads_that_are_none(void)
{
	struct page_info info;

	set_up();
	CHECK(open_form(page_dtor, named, symbols) == ST_OK);
	for (uint64_t pfn = 64; pfn < PAGES; pfn++) {
		CHECK(page_type_at(&types, pfn, &info) == ST_OK && info.head == 64);
		CHECK(!(info.flags & 1 << PG_head) == (pfn != 64));
	}
	/* Behind a page of its own stands no tail, or one of its own. */
	pages[129].compound_head = 0;
	CHECK(open_form(page_dtor, named, symbols) == ST_OK);
	CHECK(page_type_at(&types, 128, &info) == ST_OK && info.head == 128);
	pages[129].compound_head = AT(128) + 1;
	CHECK(open_form(page_dtor, named, symbols) == ST_OK);
	CHECK(page_type_at(&types, 128, &info) == ST_OK && info.head == 128);
}

/*
 * Sections of 64 pages: the first was there at boot, the second was added and is online, the third was added and
 * is offline.
 */
static void of_blocks(void)
{
	static const uint64_t maps[] = { MAP | 15, MAP | 7, MAP | 3 };
	struct stub_memory blocks[ARRAY_SIZE(memory) + 1];
	struct page_classes classes = { .self_hosted = 1 << 10 };
	struct page_info info = { .state = PAGE_TYPES };
	struct ram_range ranges[] = { { 1, 20 }, { 100, 170 } };
	struct ram ram = { .ranges = ranges, .n = 2, .pages = 89 };

	set_up();
	memset(pages + 64, 0xff, 128 * sizeof(*pages));
	pages[1].flags = pages[65].flags = 1 << 10;
	pages[65].compound_head = pages[65].mapping = pages[65].private = 0;
	CHECK(open_form(page_dtor, named, symbols) == ST_OK);
	memcpy(blocks, memory, sizeof(memory));
	blocks[ARRAY_SIZE(memory) - 1] = (struct stub_memory){ BLOCKS, maps, sizeof(maps) };
	blocks[ARRAY_SIZE(memory)] = (struct stub_memory){ 0 };
	stub.memory = blocks;
	memmap = (struct memmap){ .sections = { .dump = &stub.dump,
						.shift = 6,
						.table = BLOCKS,
						.per_root = 1,
						.entry_size = 8,
						.mem_map = FIELD(0, 8),
						.page_bytes = sizeof(struct upage) } };
	types.memmap = &memmap;
	types.start = types.end = 0;
	/* Its struct pages were never written: nothing is corrupt, and no zone has it. */
	CHECK(page_type_at(&types, 130, &info) == ST_OK && info.state == PAGE_TYPE_OTHER);
	CHECK(info.head == 130 && !info.flags && memmap_is_removed(&memmap, 130));
	CHECK(page_type_at(&types, 70, &info) == ST_CORRUPT && !memmap_is_removed(&memmap, 70));
	/* Struct pages of a block that are in the block itself, which the allocator never had. */
	classes.free.blocks.states = types;
	CHECK(page_type_at(&types, 65, &info) == ST_OK);
	CHECK(page_class_at(&classes, &info, 65, RECORD_NONE, 0) == CLASS_RESERVED);
	CHECK(memmap_is_added(&memmap, 130) && !memmap_is_added(&memmap, 1));
	/* Shares are of what is online. */
	memmap_find_offline(&memmap, &ram);
	CHECK(ram.offline == 170 - 128 && ram_base(&ram) == 89 - 42);
	ram = (struct ram){ .ranges = ranges + 1, .n = 1, .pages = 42 };
	ranges[1].start = 128;
	memmap_find_offline(&memmap, &ram);
	CHECK(ram_base(&ram) == 42);
}

TESTS({ "memory blocks that were added, and are offline", of_blocks },
      { "heads that are none", heads_that_are_none },
      { "a struct page that is not in the dump is the reason",
	what_is_not_in_the_dump_has_a_reason },
      { "a struct page of zeros, or of ones, is corrupt", a_blank_one_is_corrupt },
      { "page tables and guard pages by macros", page_tables },
      { "hugetlb by its destructor", by_destructor }, { "hugetlb by a flag", by_flag },
      { "hugetlb by a type without a name", by_type },
      { "hugetlb: the pools disagree, are empty or unreadable", without_a_witness })
