// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is charged to a memory cgroup beside its pages: the stocks of two CPUs in the forms of struct
 * memcg_stock_pcp, and pages of hugetlb.
 */
#include "cgroup/memcg_charges.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
#define SUBSYSTEM AT(0)
#define WEB AT(1)
#define DB AT(2)
#define WEB_OBJCG AT(3)
#define DB_OBJCG AT(4)
#define STOCK AT(8) /* of CPU 0; of CPU 1 a page further on */

/* struct mem_cgroup: css.ss, css.cgroup, css.flags; struct obj_cgroup: memcg, nr_charged_bytes */
static const uint64_t web[3] = { SUBSYSTEM, AT(12), 1 }, db[3] = { SUBSYSTEM, AT(13) };
static const uint64_t web_objcg[2] = { WEB, 100 }, db_objcg[2] = { DB, 200 };
static const uint64_t offsets[2] = { 0, 0x1000 }, possible = 3;
static uint64_t stocks[2][16], obj_stocks[2][16];

/* Both have one path: struct cgroup with its struct kernfs_node, below that of the root. */
static const uint64_t cgroups[2] = { AT(14), AT(15) }, root_node[2] = { 0, 0 };
static const char web_name[256] = "web";
static const uint64_t nodes[2][2] = { { AT(16), AT(18) }, { AT(16), AT(18) } };

static const struct stub_memory memory[] = {
	{ AT(12), &cgroups[0], 8 },
	{ AT(13), &cgroups[1], 8 },
	{ AT(14), nodes[0], sizeof(nodes[0]) },
	{ AT(15), nodes[1], sizeof(nodes[1]) },
	{ AT(16), root_node, sizeof(root_node) },
	{ AT(17), "", 1 },
	{ AT(18), web_name, sizeof(web_name) },
	{ WEB, web, sizeof(web) },
	{ DB, db, sizeof(db) },
	{ WEB_OBJCG, web_objcg, sizeof(web_objcg) },
	{ DB_OBJCG, db_objcg, sizeof(db_objcg) },
	{ AT(5), offsets, sizeof(offsets) },
	{ AT(6), &possible, sizeof(possible) },
	{ STOCK, stocks[0], sizeof(stocks[0]) },
	{ STOCK + 0x1000, stocks[1], sizeof(stocks[1]) },
	{ AT(10), obj_stocks[0], sizeof(obj_stocks[0]) },
	{ AT(11), obj_stocks[1], sizeof(obj_stocks[1]) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "memory_cgrp_subsys", SUBSYSTEM, FIELD(0, 8) },
	{ "__per_cpu_offset", AT(5), KINDED(KIND_ARRAY, 0, 16) },
	{ "__cpu_possible_mask", AT(6), FIELD(0, 8) },
	{ "memcg_stock", STOCK, FIELD(0, 128) },
	{ "obj_stock", AT(10), FIELD(0, 128) },
	{ 0 },
};

#define COMMON                                                       \
	{ "struct mem_cgroup", "css.ss", FIELD(0, 8) },              \
		{ "struct mem_cgroup", "css.cgroup", FIELD(8, 8) },  \
		{ "struct mem_cgroup", "css.flags", FIELD(16, 4) },  \
		{ "struct cgroup", "kn", FIELD(0, 8) },              \
		{ "struct kernfs_node", "parent", FIELD(0, 8) },     \
		{ "struct kernfs_node", "name", FIELD(8, 8) },       \
		{ "struct obj_cgroup", "memcg", FIELD(0, 8) },       \
	{                                                            \
		"struct obj_cgroup", "nr_charged_bytes", FIELD(8, 4) \
	}
#define STOCK_OF(member, at, size)                                \
	{                                                         \
		"struct memcg_stock_pcp", member, FIELD(at, size) \
	}

/* 5.9 to 5.13, and 5.19 to 6.15. */
static const struct stub_member members_flat[] = {
	COMMON,
	STOCK_OF("cached", 0, 8),
	STOCK_OF("nr_pages", 8, 4),
	STOCK_OF("cached_objcg", 16, 8),
	STOCK_OF("nr_bytes", 24, 4),
	{ 0 },
};
/* 5.14 to 5.18: one for tasks, one for interrupts. */
static const struct stub_member members_5_14[] = {
	COMMON,
	STOCK_OF("cached", 0, 8),
	STOCK_OF("nr_pages", 8, 4),
	STOCK_OF("task_obj.cached_objcg", 16, 8),
	STOCK_OF("task_obj.nr_bytes", 32, 4),
	STOCK_OF("irq_obj.cached_objcg", 48, 8),
	STOCK_OF("irq_obj.nr_bytes", 64, 4),
	{ 0 },
};
/* 6.16: arrays of cgroups, obj_stock apart. */
static const struct stub_member members_6_16[] = {
	COMMON,
	STOCK_OF("cached", 8, 56),
	STOCK_OF("nr_pages", 1, 7),
	{ "struct obj_stock_pcp", "cached_objcg", FIELD(16, 8) },
	{ "struct obj_stock_pcp", "nr_bytes", FIELD(4, 4) },
	{ 0 },
};
/* 7.3: five obj_cgroups, 16 bits each. */
static const struct stub_member members_7_3[] = {
	COMMON,
	STOCK_OF("cached", 8, 56),
	STOCK_OF("nr_pages", 1, 7),
	{ "struct obj_stock_pcp", "cached", FIELD(24, 40) },
	{ "struct obj_stock_pcp", "nr_bytes", FIELD(10, 10) },
	{ 0 },
};

static struct memcg_charged charged_web, charged_db;

static const struct stub_number flags[] = {
	{ "PG_lru", 4 }, { "PG_swapbacked", 17 }, { "PG_swapcache", 18 }, { 0 }
};

static bool enumerates(void *priv NOT_USED, const char *type, const char *name)
{
	return !strcmp(type, "enum pageflags") && name;
}

/* With n pages that info says who is charged for; stocks' problem or NULL. */
static const char *charge_pages(const struct stub_member *members, const struct page_info *info,
				unsigned int n)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .enumerators = flags);
	static char problem[DUMP_ERROR];
	struct memcg_charges c;
	struct memcgs memcgs;
	bool has_problem;

	s.ops.enumerates = enumerates;
	CHECK(memcgs_open(&s.dump, &memcgs) == ST_OK);
	CHECK(memcg_charges_open(&s.dump, &memcgs, NULL, &c) == ST_OK);
	for (unsigned int i = 0; i < n; i++)
		CHECK(memcg_charges_add(&c, 512 + i, info) == ST_OK);
	CHECK(c.uncharged == (info->memcg ? 0 : n));
	CHECK(memcg_charges_end(&c) == ST_OK);
	charged_web = memcg_charges_of(&c, WEB);
	charged_db = memcg_charges_of(&c, DB);
	has_problem = c.stock_problem;
	snprintf(problem, sizeof(problem), "%s", has_problem ? c.stock_problem : "");
	return has_problem ? problem : NULL;
}

/* Pages of hugetlb. */
static const char *charge(const struct stub_member *members, uint64_t data, unsigned int n)
{
	const struct page_info info = { .state = PAGE_TYPE_HUGETLB, .memcg = data, .head = 512 };

	return charge_pages(members, &info, n);
}

static void clear(void)
{
	memset(stocks, 0, sizeof(stocks));
	memset(obj_stocks, 0, sizeof(obj_stocks));
}

static void flat(void)
{
	clear();
	stocks[0][0] = WEB;
	stocks[0][1] = 31;
	stocks[0][2] = WEB_OBJCG;
	stocks[0][3] = 1000;
	stocks[1][0] = DB;
	stocks[1][1] = 7;
	CHECK(!charge(members_flat, 0, 0));
	CHECK(charged_web.stock_pages == 31 && charged_web.stocks == 1);
	/* What the obj_cgroup has left over is added once. */
	CHECK(charged_web.spare_bytes == 1100);
	CHECK(charged_db.stock_pages == 7 && !charged_db.spare_bytes);
}

static void tasks_and_interrupts(void)
{
	clear();
	stocks[0][0] = WEB;
	stocks[0][1] = 31;
	stocks[0][2] = WEB_OBJCG;
	stocks[0][4] = 1000;
	stocks[0][6] = DB_OBJCG;
	stocks[0][8] = 3000;
	stocks[1][2] = DB_OBJCG;
	stocks[1][4] = 40;
	stocks[1][6] = WEB_OBJCG;
	stocks[1][8] = 5;
	CHECK(!charge(members_5_14, 0, 0));
	CHECK(charged_web.stock_pages == 31 && charged_web.stocks == 1);
	CHECK(charged_web.spare_bytes == 100 + 1000 + 5);
	CHECK(!charged_db.stock_pages && charged_db.spare_bytes == 200 + 3000 + 40);
	/* The stock of a CPU without a cgroup has bytes of none. */
	stocks[0][6] = 0;
	CHECK(!charge(members_5_14, 0, 0) && charged_db.spare_bytes == 200 + 40);
	stocks[0][6] = AT(30);
	CHECK(charge(members_5_14, 0, 0));
}

static void arrays(void)
{
	uint8_t *pages = (uint8_t *)stocks[0], *bytes = (uint8_t *)obj_stocks[1];

	clear();
	pages[1] = 20;
	pages[7] = 44;
	stocks[0][1] = WEB;
	stocks[0][7] = DB;
	obj_stocks[1][2] = DB_OBJCG;
	bytes[5] = 1; /* 256 */
	CHECK(!charge(members_6_16, 0, 0));
	CHECK(charged_web.stock_pages == 20 && charged_db.stock_pages == 44);
	CHECK(!charged_web.spare_bytes && charged_db.spare_bytes == 200 + 256);
	memset(obj_stocks, 0, sizeof(obj_stocks));
	obj_stocks[1][3] = WEB_OBJCG;
	obj_stocks[1][7] = DB_OBJCG;
	bytes[10] = 9;
	bytes[19] = 2; /* 512 */
	CHECK(!charge(members_7_3, 0, 0));
	CHECK(charged_web.spare_bytes == 100 + 9 && charged_db.spare_bytes == 200 + 512);
}

/* With the mount option memory_hugetlb_accounting (6.6); without it, no cgroup is charged. */
static void huge_pages(void)
{
	clear();
	CHECK(!charge(members_flat, WEB, 512));
	CHECK(charged_web.pages[MEMCG_PAGES_KERNEL] == 512 && charged_web.direct == 1);
	CHECK(!charged_web.pages[MEMCG_PAGES_ANON] && !charged_db.pages[MEMCG_PAGES_KERNEL]);
	/* 7.1 and later: through an obj_cgroup. */
	CHECK(!charge(members_flat, DB_OBJCG, 512));
	CHECK(charged_db.pages[MEMCG_PAGES_KERNEL] == 512 && !charged_db.direct);
	CHECK(!charge(members_flat, 0, 512));
	CHECK(!charged_web.pages[MEMCG_PAGES_KERNEL] && !charged_db.pages[MEMCG_PAGES_KERNEL]);
}

/* Pages that have left their file, and one that moves to swap: none is a page of the kernel. */
static void without_mapping(void)
{
	struct page_info info = { .state = PAGE_TYPE_OTHER, .memcg = WEB, .head = 512 };

	clear();
	CHECK(!charge_pages(members_flat, &info, 1) && charged_web.pages[MEMCG_PAGES_KERNEL] == 1);
	info.head_flags = 1 << 4;
	CHECK(!charge_pages(members_flat, &info, 3) && charged_web.pages[MEMCG_PAGES_FILE] == 3);
	info.head_flags = 1 << 4 | 1 << 17;
	CHECK(!charge_pages(members_flat, &info, 5) && charged_web.pages[MEMCG_PAGES_SHMEM] == 5);
	info.head_flags = 1 << 17 | 1 << 18;
	CHECK(!charge_pages(members_flat, &info, 7) && charged_web.pages[MEMCG_PAGES_ANON] == 7);
}

/*
 * Up to 5.8 a slab is charged as a whole to the cgroup of its cache; its first cache, of all who are
 * in none, has a list where the others have their cgroup.  Up to 5.2 the page tells it too.
 */
static const struct stub_member members_4_19[] = {
	COMMON,
	STOCK_OF("cached", 0, 8),
	STOCK_OF("nr_pages", 8, 4),
	{ "struct kmem_cache", "memcg_params.root_cache", FIELD(0, 8) },
	{ "struct kmem_cache", "memcg_params.memcg", FIELD(8, 8) },
	{ "struct page", "slab_cache", FIELD(0, 8) },
	{ 0 },
};
#define CACHE(i) AT(20 + (i))
#define PAGE(i) (AT(32) + (i)*64)

static const struct layout_row slab_rows[] = {
	STRUCTURE(struct slabs, slab, "struct page"),
	READS(struct slab_header, cache, REQUIRED, "all", "slab_cache"),
};

static void slabs_of_caches(void)
{
	static uint64_t first[2] = { 0, WEB }, of_web[2] = { CACHE(0), WEB },
			of_gone[2] = { CACHE(0), AT(40) };
	static uint64_t pages[8][8];
	const struct stub_memory parts[] = { { WEB, web, sizeof(web) },
					     { DB, db, sizeof(db) },
					     { AT(5), offsets, sizeof(offsets) },
					     { AT(6), &possible, sizeof(possible) },
					     { STOCK, stocks[0], sizeof(stocks[0]) },
					     { STOCK + 0x1000, stocks[1], sizeof(stocks[1]) },
					     { CACHE(0), first, sizeof(first) },
					     { CACHE(1), of_web, sizeof(of_web) },
					     { CACHE(2), of_gone, sizeof(of_gone) },
					     { PAGE(0), pages, sizeof(pages) },
					     { 0 } };
	STUB(s, .memory = parts, .symbols = symbols, .members = members_4_19, .enumerators = flags);
	struct page_info info = { .state = PAGE_TYPE_SLAB };
	struct slabs slabs = { 0 };
	struct memmap map = { .is_flat = true };
	struct memcg_charges c;
	struct memcgs memcgs;
	bool is_new;

	clear();
	map.flat = (struct flatmem){ .dump = &s.dump,
				     .nodes = { { .end = 8, .mem_map = PAGE(0) } },
				     .n = 1,
				     .page_bytes = 64 };
	slabs.dump = &s.dump;
	slabs.memmap = &map;
	CHECK(STRUCTS_OPEN(&s.dump, slab_rows, &slabs) == ST_OK);
	hash_u64_init(&slabs.caches, &s.arena, sizeof(struct slab_cache));
	for (unsigned int i = 0; i < 3; i++)
		((struct slab_cache *)hash_u64_get(&slabs.caches, CACHE(i), &is_new))->address =
			CACHE(i);
	/* Slabs of two pages, of the three caches. */
	pages[0][0] = CACHE(0);
	pages[2][0] = CACHE(1);
	pages[4][0] = CACHE(2);

	CHECK(memcgs_open(&s.dump, &memcgs) == ST_OK);
	CHECK(memcg_charges_open(&s.dump, &memcgs, &slabs, &c) == ST_OK && c.by_cache);
	for (unsigned int i = 0; i < 4; i++) {
		info.head = i & ~1U;
		CHECK(memcg_charges_add(&c, i, &info) == ST_OK);
	}
	charged_web = memcg_charges_of(&c, WEB);
	CHECK(charged_web.pages[MEMCG_PAGES_KERNEL] == 2 && c.uncharged == 2 && !c.unknown_slabs);
	/* The page itself is right, whatever its cache says. */
	info.memcg = DB;
	CHECK(memcg_charges_add(&c, 3, &info) == ST_OK);
	CHECK(memcg_charges_of(&c, DB).pages[MEMCG_PAGES_KERNEL] == 1 && !c.unknown);
	info.memcg = 0;
	info.head = 4;
	CHECK(memcg_charges_add(&c, 4, &info) == ST_OK && c.unknown == 1);
	/* Without a cache it is unknown, not charged to none. */
	info.head = 6;
	CHECK(memcg_charges_add(&c, 6, &info) == ST_OK && memcg_charges_add(&c, 7, &info) == ST_OK);
	CHECK(c.unknown_slabs == 1 && c.uncharged == 2);
	CHECK(memcg_charges_open(&s.dump, &memcgs, NULL, &c) == ST_OK);
	info.head = 2;
	CHECK(memcg_charges_add(&c, 2, &info) == ST_OK && c.unknown_slabs == 1 && !c.uncharged);
}

/*
 * What is left over in obj_cgroups that no object was met of: that of the cgroup, and of one that was
 * removed.  struct obj_cgroup: memcg, nr_charged_bytes, list; struct mem_cgroup: objcg, objcg_list
 */
static void obj_cgroups(void)
{
	enum { LIST = 16, OBJCG = 24, OBJCGS = 32 };
	static uint64_t top[6] = { SUBSYSTEM, 0, 0, AT(21), AT(22) + LIST, AT(22) + LIST };
	static uint64_t own[4] = { AT(20), 100 };
	static uint64_t moved[4] = { AT(20), 7, AT(20) + OBJCGS, AT(20) + OBJCGS };
	static const struct stub_member members[] = {
		COMMON,
		STOCK_OF("cached", 0, 8),
		STOCK_OF("nr_pages", 8, 4),
		{ "struct mem_cgroup", "objcg", FIELD(OBJCG, 8) },
		{ "struct mem_cgroup", "objcg_list", KINDED(KIND_STRUCT, OBJCGS, 16) },
		{ "struct obj_cgroup", "list", KINDED(KIND_STRUCT, LIST, 16) },
		{ 0 },
	};
	static const struct stub_memory parts[] = { { AT(20), top, sizeof(top) },
						    { AT(21), own, sizeof(own) },
						    { AT(22), moved, sizeof(moved) },
						    { 0 } };
	STUB(s, .memory = parts, .symbols = symbols, .members = members, .enumerators = flags);
	struct memcg_charges c;
	struct memcgs memcgs;

	CHECK(memcgs_open(&s.dump, &memcgs) == ST_OK);
	CHECK(memcg_charges_open(&s.dump, &memcgs, NULL, &c) == ST_OK);
	CHECK(memcg_charges_add_memcg(&c, AT(20)) == ST_OK && !c.bytes_problem);
	CHECK(memcg_charges_of(&c, AT(20)).spare_bytes == 107);
	/* Once, whoever leads there. */
	CHECK(memcg_charges_add_memcg(&c, AT(20)) == ST_OK);
	CHECK(memcg_charges_of(&c, AT(20)).spare_bytes == 107);
	/* A list that breaks off leaves them unknown. */
	moved[2] = AT(40);
	CHECK(memcg_charges_add_memcg(&c, AT(20)) == ST_OK && c.bytes_problem);
}

/* Two directories of two pages each; one whose second page is of another use shows that none has two. */
static void directories(void)
{
	const struct page_info of_web = { .memcg = WEB_OBJCG, .head = 4 }, none = { .head = 7 },
			       of_db = { .memcg = DB_OBJCG, .head = 6 }, next = { .head = 5 },
			       cache = { .state = PAGE_TYPE_FILE, .head = 7 };
	STUB(s, .memory = memory, .symbols = symbols, .members = members_flat,
	     .enumerators = flags);
	struct memcg_charges c;
	struct memcgs memcgs;

	clear();
	CHECK(memcgs_open(&s.dump, &memcgs) == ST_OK);
	CHECK(memcg_charges_open(&s.dump, &memcgs, NULL, &c) == ST_OK);
	CHECK(memcg_charges_add_directory(&c, 4, &of_web, &next) == ST_OK);
	CHECK(memcg_charges_add_directory(&c, 6, &of_db, &none) == ST_OK);
	CHECK(memcg_charges_of(&c, WEB).second_pages == 1 &&
	      memcg_charges_of(&c, DB).second_pages == 1);
	/* Made before there were cgroups. */
	CHECK(memcg_charges_add_directory(&c, 6, &none, &cache) == ST_OK);
	CHECK(memcg_charges_of(&c, DB).second_pages == 1);
	CHECK(memcg_charges_add_directory(&c, 6, &of_db, &cache) == ST_OK);
	CHECK(!memcg_charges_of(&c, WEB).second_pages && !memcg_charges_of(&c, DB).second_pages);
}

static void owners(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members_flat);
	struct memcg_owner owner;
	struct memcgs memcgs;

	clear();
	stocks[0][0] = AT(5);
	CHECK(memcgs_open(&s.dump, &memcgs) == ST_OK);
	CHECK(memcgs_owner(&memcgs, WEB, &owner) == ST_OK && owner.memcg == WEB && !owner.objcg);
	CHECK(memcgs_owner(&memcgs, DB_OBJCG | 2, &owner) == ST_OK && owner.memcg == DB &&
	      owner.objcg == DB_OBJCG);
	/* A vector of references, a mark alone, what leads to no cgroup, what is not there. */
	CHECK(memcgs_owner(&memcgs, WEB | 1, &owner) == ST_ABSENT);
	CHECK(memcgs_owner(&memcgs, 2, &owner) == ST_ABSENT);
	CHECK(memcgs_owner(&memcgs, STOCK | 2, &owner) == ST_CORRUPT);
	CHECK(memcgs_owner(&memcgs, AT(30), &owner) == ST_UNREADABLE);
}

static void one_path(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members_flat);
	const struct memcg_path *path;
	struct hash_bytes met;
	struct memcgs memcgs;

	clear();
	CHECK(memcgs_open(&s.dump, &memcgs) == ST_OK);
	hash_bytes_init(&met, s.dump.arena, sizeof(struct memcg_path));
	memcgs_met(&memcgs, &met);
	CHECK(!met.n);
	CHECK_TEXT(memcgs_path(&memcgs, WEB), "/web");
	/* Kernel memory of the same cgroup is of no second one. */
	CHECK_TEXT(memcgs_path(&memcgs, WEB_OBJCG | 2), "/web");
	memcgs_met(&memcgs, &met);
	path = hash_bytes_find(&met, "/web", 4);
	CHECK(path && path->cgroups == 1 && !path->removed);
	CHECK_TEXT(memcgs_path(&memcgs, DB), "/web");
	hash_bytes_init(&met, s.dump.arena, sizeof(struct memcg_path));
	memcgs_met(&memcgs, &met);
	path = hash_bytes_find(&met, "/web", 4);
	CHECK(met.n == 1 && path && path->cgroups == 2 && !path->removed);
	memcgs.states.online = 1;
	hash_bytes_init(&met, s.dump.arena, sizeof(struct memcg_path));
	memcgs_met(&memcgs, &met);
	path = hash_bytes_find(&met, "/web", 4);
	CHECK(path && path->cgroups == 2 && path->removed == 1);
}

TESTS({ "whom a page is charged to", owners },
      { "cgroups that had one path, one after another", one_path },
      { "a stock of pages and one of bytes", flat },
      { "5.14 to 5.18: stocks of bytes for tasks and for interrupts", tasks_and_interrupts },
      { "6.16 and later: stocks of several cgroups", arrays }, { "pages of hugetlb", huge_pages },
      { "pages without a mapping", without_mapping },
      { "slabs of caches of a cgroup", slabs_of_caches },
      { "page directories of two pages", directories },
      { "bytes of obj_cgroups without objects", obj_cgroups })
