// SPDX-License-Identifier: GPL-2.0-or-later
/* Mappings of a page, of large folios in three forms; PSS of page tables. */
#include <string.h>

#include "vm/pss.h"
#include "collect/anon_sum.h"
#include "pageowner/class_counters.h"
#include "pageowner/view.h"
#include "stub.h"
#include "test.h"

#define PAGES 64
#define MAP 0x100000ULL
#define TABLES 0x10000ULL /* physical */

/* As in 6.12; of the second page of a folio the members of struct folio. */
struct upage {
	uint64_t flags, compound_head;
	union {
		struct {
			uint64_t lru, mapping;
		};
		struct {
			int32_t large, entire;
		};
	};
	uint32_t nr_pages, pad;
	uint64_t private;
	int32_t mapcount, refcount;
	uint64_t last;
};

#define PG_head 6
#define PG_double_map 7
#define PG_swapcache 10

static struct upage pages[PAGES];
static uint64_t tables[5][512];

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
/* As of 6.1: the whole is counted in the second page. */
static const struct stub_member old_members[] = {
	{ "struct page", "flags", FIELD(0, 8) },
	{ "struct page", "compound_head", FIELD(8, 8) },
	{ "struct page", "mapping", FIELD(24, 8) },
	{ "struct page", "private", FIELD(40, 8) },
	{ "struct page", "page_type", FIELD(48, 4) },
	{ "struct page", "_mapcount", FIELD(48, 4) },
	{ "struct page", "_refcount", FIELD(52, 4) },
	{ "struct page", "compound_mapcount", FIELD(20, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct page", sizeof(struct upage) }, { 0 } };
static const struct stub_number enumerators[] = {
	{ "PGTY_buddy", 0xf0 }, { "PGTY_table", 0xf2 }, { "PGTY_hugetlb", 0xf4 },
	{ "PGTY_slab", 0xf5 },	{ "PG_head", PG_head }, { 0 },
};
static const struct stub_number old_enumerators[] = {
	{ "PG_slab", 9 },
	{ "PG_head", PG_head },
	{ "PG_double_map", PG_double_map },
	{ 0 },
};
static const struct stub_memory memory[] = { { MAP, pages, sizeof(pages) }, { 0 } };

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

static enum status read_phys(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	if (addr < TABLES || addr + len > TABLES + sizeof(tables))
		return ST_UNREADABLE;
	memcpy(buf, (char *)tables + (addr - TABLES), len);
	return ST_OK;
}

static enum status virt_to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	*ret = addr & 0xffffff;
	return ST_OK;
}

static struct stub stub;
static struct pss_reader reader;

static void open_form(bool old)
{
	STUB_OPEN(stub, .memory = memory, .members = old ? old_members : members, .sizes = sizes,
		  .enumerators = old ? old_enumerators : enumerators, .ops.enumerates = enumerates,
		  .ops.read_phys = read_phys, .ops.virt_to_phys = virt_to_phys);
	stub.dump.arch = "x86_64";
	memset(&reader, 0, sizeof(reader));
	reader.memmap.is_flat = true;
	reader.memmap.flat =
		(struct flatmem){ .dump = &stub.dump,
				  .nodes = { { .start = 0, .end = PAGES, .mem_map = MAP } },
				  .n = 1,
				  .page_bytes = sizeof(struct upage) };
	CHECK(page_types_open(&stub.dump, &reader.memmap, &reader.types) == ST_OK);
	CHECK(page_mapcounts_open(&reader.types, &reader.counts) == ST_OK);
	CHECK(page_tables_set(&stub.dump, &reader.tables, 48) == ST_OK);
}

/* All pages are free of mappings; pages 4 to 7 are a folio. */
static void set_up(uint64_t mapping)
{
	memset(pages, 0, sizeof(pages));
	for (unsigned int i = 0; i < PAGES; i++)
		pages[i].mapcount = -1;
	for (unsigned int i = 5; i < 8; i++)
		pages[i].compound_head = MAP + 4 * sizeof(pages[0]) + 1;
	pages[4].flags = 1ULL << PG_head;
	pages[4].mapping = mapping;
	pages[5].large = pages[5].entire = -1;
	pages[5].nr_pages = 4;
}

static int64_t count(uint64_t pfn)
{
	struct page_info info;
	uint32_t n = 0;

	CHECK(page_type_at(&reader.types, pfn, &info) == ST_OK);
	return page_mapcount(&reader.counts, pfn, &info, &n) == ST_OK ? (int64_t)n : -1;
}

static void single_pages(void)
{
	set_up(1);
	pages[1].mapcount = 2;
	pages[2].mapcount = (int32_t)0xf0000000;
	open_form(false);
	CHECK(count(0) == 0 && count(1) == 3 && count(2) == 0);
}

static void large_folios(void)
{
	set_up(1);
	pages[5].entire = 1;
	pages[5].large = 2;
	pages[6].mapcount = 0;
	open_form(false);
	CHECK(count(4) == 2 && count(5) == 2 && count(6) == 3 && count(7) == 2);
}

/* CONFIG_NO_PAGE_MAPCOUNT: nine mappings, one of the whole, of four pages. */
static void an_average(void)
{
	set_up(1);
	pages[5].entire = 0;
	pages[5].large = 8;
	open_form(false);
	CHECK(count(4) == 3 && count(7) == 3);
	/* One page table has one page: at least 1. */
	pages[5].entire = -1;
	pages[5].large = 0;
	open_form(false);
	CHECK(count(4) == 1 && count(6) == 1);
	/* The whole alone: there is no difference. */
	pages[5].entire = pages[5].large = 6;
	open_form(false);
	CHECK(count(4) == 7);
	pages[5].nr_pages = 3;
	pages[5].large = 8;
	open_form(false);
	CHECK(count(4) == -1);
}

static void up_to_6_1(void)
{
	set_up(1);
	pages[5].entire = 0;
	pages[6].mapcount = 1;
	open_form(true);
	CHECK(count(4) == 1 && count(6) == 3);
	/* Pages of 4 KiB map it as well: each page counts the whole once more. */
	pages[5].flags = 1ULL << PG_double_map;
	open_form(true);
	CHECK(count(4) == 0 && count(6) == 2);
	/* A page of a file has counted the whole. */
	pages[4].mapping = 0x1000;
	pages[5].flags = 0;
	open_form(true);
	CHECK(count(4) == 0 && count(6) == 2);
}

#define ENTRY(pfn) ((uint64_t)(pfn) << 12 | 0x67)

/* An entry of the level above maps its page, and others that no memory is. */
static void anonymous_huge_page(void)
{
	struct pss pss;

	set_up(1);
	pages[1].mapcount = 0;
	pages[1].refcount = 1;
	pages[1].mapping = 0x1001;
	memset(tables, 0, sizeof(tables));
	tables[0][255] = TABLES + 0x1067;
	tables[1][510] = TABLES + 0x2067;
	tables[2][3] = 0xe7;
	open_form(false);
	CHECK(pss_read(&reader, TABLES, &pss) == ST_OK);
	CHECK(pss.pages == 1 && pss.anon_bytes == 4096 && pss.anon_huge == 1);
	/* Mapped by an entry of its own it is in none. */
	tables[2][3] = TABLES + 0x3067;
	tables[3][0] = ENTRY(1);
	open_form(false);
	CHECK(pss_read(&reader, TABLES, &pss) == ST_OK);
	CHECK(pss.pages == 1 && pss.anon_bytes == 4096 && !pss.anon_huge);
}

static void pss_of_page_tables(void)
{
	struct pss pss;

	set_up(1);
	pages[1].mapcount = 0;
	pages[1].refcount = 1;
	pages[2].mapcount = 2;
	pages[8].mapcount = (int32_t)0xf4000000;
	pages[8].flags = 1ULL << PG_head;
	pages[9].compound_head = MAP + 8 * sizeof(pages[0]) + 1;
	pages[9].nr_pages = 2;
	memset(tables, 0, sizeof(tables));
	tables[0][255] = TABLES + 0x1067;
	tables[1][510] = TABLES + 0x2067;
	tables[2][3] = TABLES + 0x3067;
	tables[3][511] = ENTRY(1);
	tables[3][100] = ENTRY(2);
	tables[3][7] = ENTRY(0);      /* the zero page */
	tables[3][8] = ENTRY(8);      /* of hugetlb */
	tables[3][9] = ENTRY(PAGES);  /* no memory */
	tables[3][10] = 0x1234 << 12; /* in swap */
	open_form(false);
	CHECK(pss_read(&reader, TABLES, &pss) == ST_OK);
	CHECK(pss.pages == 2 && pss.bytes == 4096 + 4096 / 3);
	CHECK(pss.alone == 1 && !pss.anon_alone && !pss.anon_bytes);
	pages[1].mapping = 0x1001; /* PAGE_MAPPING_ANON */
	CHECK(pss_read(&reader, TABLES, &pss) == ST_OK && pss.alone == 1 && pss.anon_alone == 1);
	CHECK(pss.anon_bytes == 4096);
	/* A table that is not in the dump. */
	tables[1][0] = 0x999067;
	CHECK(pss_read(&reader, TABLES, &pss) == ST_UNREADABLE);
}

/* Two processes have page 1 alike: each counts it, and it is there once. */
static void anon_of_processes(void)
{
	struct task first = { .rss = 2, .rss_anon = 2 }, second = { .rss = 1, .rss_anon = 1 };
	struct anon_sums sums;
	struct anon_sum sum = { 0 };
	struct anon_found found;

	set_up(1);
	pages[1].mapping = pages[2].mapping = 1;
	pages[1].mapcount = 1;
	pages[2].mapcount = 0;
	memset(tables, 0, sizeof(tables));
	tables[0][255] = TABLES + 0x1067;
	tables[1][510] = TABLES + 0x2067;
	tables[2][3] = TABLES + 0x3067;
	tables[3][1] = ENTRY(1);
	tables[3][2] = ENTRY(2);
	open_form(false);
	sums = (struct anon_sums){ .reader = &reader };
	anon_sum_add(&stub.dump, &sum, &first, TABLES);
	CHECK(sum.counted == 2 && sum.largest == 2);
	/* The other half of page 1 is another process'. */
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && found.pages == 1 &&
	      sums.read == 2);
	/* Tables that have less than the counters, one that is unknown, and more than is looked up. */
	anon_sum_add(&stub.dump, &sum, &second, 0);
	CHECK(sum.counted == 3 && sum.largest == 2);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_UNREADABLE);
	sum = (struct anon_sum){ 0 };
	first.rss = 3;
	anon_sum_add(&stub.dump, &sum, &first, TABLES);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_UNKNOWN);
	first.rss = 2;
	/* One of two, all of whose table is zeros: what there is is a lower bound. */
	second = (struct task){ .tgid = 7, .rss = 300, .rss_anon = 300 };
	sum = (struct anon_sum){ 0 };
	anon_sum_add(&stub.dump, &sum, &first, TABLES);
	anon_sum_add(&stub.dump, &sum, &second, TABLES + 0x4000);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && found.pages == 1);
	CHECK_TEXT(found.why_least, "page tables of 7 have 0 pages, the counters 300");
	/* Counters are exact: one of its tables may be lost though it has many, and the difference is a small part. */
	for (unsigned int i = 0; i < 512; i++)
		tables[3][i] = ENTRY(1);
	for (unsigned int i = 0; i < 10; i++)
		tables[2][i] = TABLES + 0x3067;
	first.rss = first.rss_anon = 10 * 512;
	second = (struct task){ .tgid = 7, .rss = 10 * 512 + 300, .rss_anon = 10 * 512 + 300 };
	sum = (struct anon_sum){ 0 };
	anon_sum_add(&stub.dump, &sum, &first, TABLES);
	anon_sum_add(&stub.dump, &sum, &second, TABLES);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK);
	CHECK_TEXT(found.why_least, "page tables of 7 have 5,120 pages, the counters 5,420");
	sum = (struct anon_sum){ 0 };
	anon_sum_add(&stub.dump, &sum, &first, TABLES);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && !found.why_least);
	sums.read = (1 << 22) - 1;
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_UNKNOWN);
}

/* What KSM merged is of no one process: two other processes have page 1, and it is there once. */
static void merged_by_ksm(void)
{
	struct task t = { .rss = 3, .rss_anon = 3 };
	struct anon_sums sums;
	struct anon_sum sum = { 0 };
	struct anon_found found;
	struct page_info info;
	struct pss pss;

	set_up(1);
	pages[1].mapping = 0xffff888000001000 | 3; /* PAGE_MAPPING_KSM */
	pages[2].mapping = pages[3].mapping = 1;
	pages[1].mapcount = 2;
	pages[2].mapcount = 0;
	pages[3].mapcount = 1;
	memset(tables, 0, sizeof(tables));
	tables[0][255] = TABLES + 0x1067;
	tables[1][510] = TABLES + 0x2067;
	tables[2][3] = TABLES + 0x3067;
	for (unsigned int i = 1; i < 4; i++)
		tables[3][i] = ENTRY(i);
	open_form(false);
	CHECK(page_type_at(&reader.types, 1, &info) == ST_OK && info.is_merged &&
	      info.state == PAGE_TYPE_ANON);
	CHECK(page_type_at(&reader.types, 2, &info) == ST_OK && !info.is_merged);
	CHECK(pss_read(&reader, TABLES, &pss) == ST_OK && pss.merged == 1 &&
	      pss.merged_bytes == 4096 / 3 && pss.anon_bytes == 4096 / 3 + 4096 + 2048);
	sums = (struct anon_sums){ .reader = &reader };
	anon_sum_add(&stub.dump, &sum, &t, TABLES);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && found.pages == 1 &&
	      sum.first->merged == 1 && sum.first->shared == 1);
	/* Of pages of its own that were alike. */
	pages[1].mapcount = 0;
	open_form(false);
	sum = (struct anon_sum){ 0 };
	anon_sum_add(&stub.dump, &sum, &t, TABLES);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && found.merged == 1);
}

/* As x86_64 has them: type, inverted place, and low bits that fork() may change. */
#define SWAPPED(type, place, low) \
	((uint64_t)(type) << 59 | (~(uint64_t)(place) << 9 & ((1ULL << 59) - 1)) | (low))

/* Two processes have two pages in swap alike, and one each; a page migrates (type 2 of two areas). */
static void swap_of_processes(void)
{
	static const struct stub_symbol areas[] = { { "nr_swapfiles", 0x50000, { 0 } }, { 0 } };
	struct task both = { .swap = 4 };
	struct anon_sums sums;
	struct anon_sum sum = { 0 };
	struct anon_found found;

	set_up(1);
	memset(tables, 0, sizeof(tables));
	tables[0][0] = tables[0][255] = TABLES + 0x1067;
	tables[1][0] = TABLES + 0x2067;
	tables[2][3] = TABLES + 0x3067;
	tables[3][1] = SWAPPED(0, 77, 0);
	tables[3][2] = SWAPPED(1, 77, 0);
	tables[3][3] = SWAPPED(1, 0, 0);
	tables[3][4] = SWAPPED(0, 77, 2); /* as the first, soft-dirty */
	tables[3][5] = SWAPPED(2, 1, 0);
	open_form(false);
	sums = (struct anon_sums){ .reader = &reader };
	anon_sum_add(&stub.dump, &sum, &both, TABLES);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && found.swap.known &&
	      !found.swap.n);
	stub.symbols = areas;
	sums = (struct anon_sums){ .reader = &reader };
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && !found.swap.known &&
	      found.why_no_swap);
	sums = (struct anon_sums){ .reader = &reader };
	reader.areas = 2;
	reader.in_swap = dump_alloc(&stub.dump, sizeof(*reader.in_swap));
	pfnset_init(reader.in_swap, stub.dump.arena, 2ULL << 50);
	/* 0 and 255 of the top table are the same tables. */
	sum = (struct anon_sum){ 0 };
	both.swap = 8;
	anon_sum_add(&stub.dump, &sum, &both, TABLES);
	CHECK(sum.swap_counted == 8 && sum.swap_largest == 8);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK);
	CHECK(found.swap.known && found.swap.n == 3 && !found.why_no_swap);
	/* A process that ran on. */
	both.swap = 2;
	anon_sum_add(&stub.dump, &sum, &both, TABLES);
	CHECK(sum.swap_counted == 10 && sum.swap_largest == 8);
	CHECK(anon_sum_read(&stub.dump, &sums, &sum, &found) == ST_OK && !found.swap.known &&
	      found.why_no_swap);
}

static void count_anon(struct owner_view *v, struct class_pages *found, uint64_t pfn)
{
	struct page_info info;

	CHECK(page_type_at(&v->states, pfn, &info) == ST_OK && info.state == PAGE_TYPE_ANON);
	class_add_page(v, found, CLASS_ANON, pfn, &info);
}

/* What AnonPages does not count: of pages 4 to 7 one is mapped; 8 and 9 are in the swap cache. */
static void pages_that_nothing_maps(void)
{
	static struct page_classes classes;
	static struct owner_view v;
	static struct class_pages found;
	struct page_info info;

	set_up(1);
	for (unsigned int i = 0; i < 4; i++)
		pages[i].mapping = 1;
	pages[0].mapcount = 0;
	pages[1].refcount = 1;
	pages[2].refcount = 3;
	pages[3].flags = 1ULL << PG_swapcache;
	pages[6].mapcount = 0;
	pages[8].flags = 1ULL << PG_head | 1ULL << PG_swapcache;
	pages[8].mapping = 1;
	pages[9].compound_head = MAP + 8 * sizeof(pages[0]) + 1;
	pages[9].large = pages[9].entire = -1;
	pages[9].nr_pages = 2;
	pages[10].flags = 1ULL << PG_swapcache;
	open_form(false);
	classes.head = 1ULL << PG_head;
	classes.lru.swapcache = 1ULL << PG_swapcache;
	memset(&found, 0, sizeof(found));
	v = (struct owner_view){ .dump = &stub.dump, .states = reader.types, .classes = &classes };
	for (uint64_t pfn = 0; pfn < 10; pfn++)
		count_anon(&v, &found, pfn);
	CHECK(found.pages[CLASS_ANON] == 10 && found.anon.last_reference == 1 &&
	      found.anon.referenced == 1 && found.anon.swap_cache == 1 && found.anon.partly == 3);
	/* A page of tmpfs has left its file, and may be in the swap cache. */
	CHECK(page_type_at(&v.states, 10, &info) == ST_OK && info.state == PAGE_TYPE_OTHER);
	class_add_page(&v, &found, CLASS_ANON, 10, &info);
	CHECK(found.anon.swap_alone == 1 && found.anon.swap_cache == 1);
	/* The last compound page is added when the next one begins, or at the end. */
	CHECK(found.compound.unmapped == 2 && !found.compound.mapped &&
	      found.compound.flags & classes.lru.swapcache);
}

TESTS({ "anonymous pages that nothing maps, of compound pages too", pages_that_nothing_maps },
      { "mappings of single pages, and types in their place", single_pages },
      { "mappings of a part and of the whole of a folio", large_folios },
      { "an average where pages have no counts", an_average },
      { "up to 6.1: two kinds of mappings of a page", up_to_6_1 },
      { "PSS of page tables", pss_of_page_tables },
      { "anonymous memory that a huge entry maps", anonymous_huge_page },
      { "anonymous memory of processes that share it", anon_of_processes },
      { "pages that KSM merged", merged_by_ksm },
      { "memory in swap of processes that share it", swap_of_processes })
