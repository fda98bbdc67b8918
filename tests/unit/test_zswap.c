// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of zswap, of zpool's allocators and of zsmalloc alone; pages of zbud. */
#include "pools/zbud.h"
#include "pools/zswap.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
#define MAPPED 0x200000ULL /* virtual addresses of the stub's direct map, see to_phys() */

/* Two pools: one of zbud, which zswap fills, one of zsmalloc, which it empties. */
struct pool {
	uint64_t store, next, prev;
	char compressor[128];
	uint64_t stores[3];
};
static struct {
	uint64_t list[2];
	struct pool pools[2];
	uint64_t zpools[2][2]; /* driver, pool */
	uint64_t drivers[2];   /* type */
	char types[2][16];
	uint32_t stored;
	uint64_t total;
	uint64_t zsmalloc[1];	/* pages_allocated */
	uint64_t zbud[7];	/* pages_nr, lru, unbuddied[0] (buddied), unbuddied[1] */
	uint64_t headers[4][4]; /* buddy, lru */
	uint64_t second_zpool[2], second_zbud[7];
} z;

static const struct stub_symbol symbols[] = {
	{ "zswap_pools", AT(0), FIELD(0, 16) },
	{ "zswap_stored_pages", AT(8), KINDED(KIND_STRUCT, 0, 4) },
	{ "zswap_pool_total_size", AT(9), FIELD(0, 8) },
	{ 0 },
};
static const struct stub_memory memory[] = {
	{ AT(0), z.list, sizeof(z.list) },
	{ AT(1), &z.pools[0], sizeof(z.pools[0]) },
	{ AT(2), &z.pools[1], sizeof(z.pools[1]) },
	{ AT(3), z.zpools[0], 16 },
	{ AT(4), z.zpools[1], 16 },
	{ AT(5), z.drivers, sizeof(z.drivers) },
	{ AT(6), z.types[0], 16 },
	{ AT(7), z.types[1], 16 },
	{ AT(8), &z.stored, 4 },
	{ AT(9), &z.total, 8 },
	{ AT(10), z.zsmalloc, 8 },
	{ AT(11), z.zbud, sizeof(z.zbud) },
	{ MAPPED, z.headers[0], 32 },
	{ MAPPED + 0x1000, z.headers[1], 32 },
	{ MAPPED + 0x2000, z.headers[2], 32 },
	{ MAPPED + 0x4000, z.headers[3], 32 },
	{ AT(12), z.second_zpool, 16 },
	{ AT(13), z.second_zbud, sizeof(z.second_zbud) },
	{ 0 },
};

#define POOL_MEMBERS                                            \
	{ "struct zswap_pool", "list", FIELD(8, 16) },          \
	{                                                       \
		"struct zswap_pool", "tfm_name", FIELD(24, 128) \
	}
#define ZPOOL_MEMBERS                                                                             \
	{ "struct zswap_pool", "zpool", FIELD(0, 8) }, { "struct zpool", "driver", FIELD(0, 8) }, \
		{ "struct zpool", "pool", FIELD(8, 8) },                                          \
	{                                                                                         \
		"struct zpool_driver", "type", FIELD(0, 8)                                        \
	}
#define ZBUD_MEMBERS                                                \
	{ "struct zbud_pool", "pages_nr", FIELD(0, 8) },            \
		{ "struct zbud_pool", "unbuddied", FIELD(24, 32) }, \
	{                                                           \
		"struct zbud_header", "buddy", FIELD(0, 16)         \
	}
#define ZSMALLOC_MEMBER                                          \
	{                                                        \
		"struct zs_pool", "pages_allocated", FIELD(0, 8) \
	}

/* 6.6 to 6.8: a pool of zswap has several of its allocator. */
#define ZPOOLS_MEMBERS                                                  \
	{ "struct zswap_pool", "zpools", KINDED(KIND_ARRAY, 152, 24) }, \
		{ "struct zpool", "driver", FIELD(0, 8) },              \
		{ "struct zpool", "pool", FIELD(8, 8) },                \
	{                                                               \
		"struct zpool_driver", "type", FIELD(0, 8)              \
	}

/* 6.1 and before: a list of all pages of zbud. */
static const struct stub_member members_6_1[] = {
	POOL_MEMBERS,
	ZPOOL_MEMBERS,
	ZBUD_MEMBERS,
	ZSMALLOC_MEMBER,
	{ "struct zbud_pool", "lru", FIELD(8, 16) },
	{ "struct zbud_header", "lru", FIELD(16, 16) },
	{ 0 },
};
static const struct stub_member members_6_12[] = {
	POOL_MEMBERS, ZPOOL_MEMBERS, ZBUD_MEMBERS, ZSMALLOC_MEMBER, { 0 }
};
static const struct stub_member members_6_8[] = {
	POOL_MEMBERS, ZPOOLS_MEMBERS, ZBUD_MEMBERS, ZSMALLOC_MEMBER, { 0 }
};
static const struct stub_member members_6_8_two[] = {
	POOL_MEMBERS,
	{ "struct zswap_pool", "zpools", KINDED(KIND_ARRAY, 152, 16) },
	{ "struct zpool", "driver", FIELD(0, 8) },
	{ "struct zpool", "pool", FIELD(8, 8) },
	{ "struct zpool_driver", "type", FIELD(0, 8) },
	ZBUD_MEMBERS,
	{ 0 }
};
/* The allocators are modules. */
static const struct stub_member members_modules[] = { POOL_MEMBERS, ZPOOL_MEMBERS, { 0 } };
static const struct stub_member members_7_3[] = {
	POOL_MEMBERS, ZSMALLOC_MEMBER, { "struct zswap_pool", "zs_pool", FIELD(0, 8) }, { 0 }
};
static const struct stub_member members_vendor[] = { POOL_MEMBERS, ZSMALLOC_MEMBER, { 0 } };

static void make(void)
{
	memset(&z, 0, sizeof(z));
	z.list[0] = z.pools[0].prev = z.pools[1].next = AT(0);
	z.list[0] = AT(1) + 8;
	z.list[1] = AT(2) + 8;
	z.pools[0] = (struct pool){ AT(3), AT(2) + 8, AT(0), "lzo" };
	z.pools[1] = (struct pool){ AT(4), AT(0), AT(1) + 8, "zstd" };
	z.zpools[0][0] = AT(5);
	z.zpools[0][1] = AT(11);
	z.zpools[1][0] = AT(5) + 8;
	z.zpools[1][1] = AT(10);
	z.drivers[0] = AT(6);
	z.drivers[1] = AT(7);
	strcpy(z.types[0], "zbud");
	strcpy(z.types[1], "zsmalloc");
	z.stored = 40;
	z.total = 0x7000;
	z.zsmalloc[0] = 9;
	z.zbud[0] = 3;
	/* lru: pages 0, 1, 2; buddied: 0; unbuddied[1]: 1 and 2. */
	z.zbud[1] = MAPPED + 16;
	z.headers[0][2] = MAPPED + 0x1000 + 16;
	z.headers[1][2] = MAPPED + 0x2000 + 16;
	z.headers[2][2] = AT(11) + 8;
	z.zbud[3] = MAPPED;
	z.headers[0][0] = AT(11) + 24;
	z.zbud[5] = MAPPED + 0x1000;
	z.headers[1][0] = MAPPED + 0x2000;
	z.headers[2][0] = AT(11) + 40;
}

struct seen {
	unsigned int n;
	struct zswap_pool pools[3];
};

static enum status see(void *arg, const struct zswap_pool *pool)
{
	struct seen *s = arg;

	s->pools[s->n++ % 3] = *pool;
	return ST_OK;
}

static enum status walk(const struct stub_member *members, struct seen *seen)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members);

	seen->n = 0;
	return zswap_walk(&s.dump, see, seen);
}

static void one_pool(void)
{
	z.list[0] = z.list[1] = AT(1) + 8;
	z.pools[0].next = AT(0);
}

static void pools(void)
{
	struct seen seen;

	make();
	CHECK(walk(members_6_1, &seen) == ST_OK && seen.n == 2);
	CHECK_TEXT(seen.pools[0].allocator, "zbud");
	CHECK_TEXT(seen.pools[0].compressor, "lzo");
	CHECK(seen.pools[0].has_pages && seen.pools[0].pages == 3);
	CHECK_TEXT(seen.pools[1].allocator, "zsmalloc");
	CHECK_TEXT(seen.pools[1].compressor, "zstd");
	CHECK(seen.pools[1].has_pages && seen.pools[1].pages == 9);
	/* What zswap counts is of both. */
	CHECK(!seen.pools[0].has_stored && !seen.pools[1].has_stored);
	one_pool();
	CHECK(walk(members_6_1, &seen) == ST_OK && seen.n == 1 && seen.pools[0].has_stored &&
	      seen.pools[0].stored == 40 && seen.pools[0].pages == 3);
	/* The size of all is that of the only one. */
	CHECK(walk(members_modules, &seen) == ST_OK && seen.pools[0].has_pages &&
	      seen.pools[0].pages == 7);
	make();
	CHECK(walk(members_modules, &seen) == ST_OK && seen.n == 2 && !seen.pools[0].has_pages &&
	      !seen.pools[1].has_pages);
	one_pool();
	z.pools[0].store = AT(10);
	CHECK(walk(members_7_3, &seen) == ST_OK && seen.n == 1 && seen.pools[0].pages == 9 &&
	      seen.pools[0].stored == 40);
	CHECK_TEXT(seen.pools[0].allocator, "zsmalloc");
	/* Enabled, and no page was stored yet. */
	z.list[0] = z.list[1] = AT(0);
	CHECK(walk(members_7_3, &seen) == ST_OK && !seen.n);
}

/* Whose pages no list has. */
static void only_counted(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members_6_1);
	struct seen seen;
	uint64_t pages = 0;

	make();
	one_pool();
	CHECK(walk(members_6_1, &seen) == ST_OK &&
	      zswap_only_counted(&s.dump, &seen.pools[0], &pages) == ST_ABSENT && !pages);
	strcpy(z.types[0], "z3fold");
	CHECK(walk(members_modules, &seen) == ST_OK &&
	      zswap_only_counted(&s.dump, &seen.pools[0], &pages) == ST_OK && pages == 7);
	z.list[1] = AT(2) + 8;
	z.pools[0].next = AT(2) + 8;
	pages = 0;
	CHECK(walk(members_modules, &seen) == ST_OK && seen.n == 2 &&
	      zswap_only_counted(&s.dump, &seen.pools[0], &pages) == ST_UNKNOWN && !pages);
	z.drivers[0] = AT(20);
	CHECK(walk(members_6_1, &seen) == ST_OK &&
	      zswap_only_counted(&s.dump, &seen.pools[0], &pages) == ST_UNKNOWN && !pages);
}

static void several(void)
{
	struct seen seen;

	make();
	one_pool();
	z.pools[0].stores[0] = z.pools[0].stores[1] = z.pools[0].stores[2] = AT(4);
	CHECK(walk(members_6_8, &seen) == ST_OK && seen.n == 1 && seen.pools[0].has_pages &&
	      seen.pools[0].pages == 27 && seen.pools[0].stored == 40);
	CHECK_TEXT(seen.pools[0].allocator, "zsmalloc");
	/* All are of one allocator. */
	z.pools[0].stores[1] = AT(3);
	CHECK(walk(members_6_8, &seen) == ST_CORRUPT && !seen.pools[0].has_pages);
	z.pools[0].stores[1] = AT(20);
	CHECK(walk(members_6_8, &seen) == ST_UNREADABLE && !seen.pools[0].has_pages);
	CHECK_TEXT(seen.pools[0].allocator, "zsmalloc");
}

/* What has no pool has nothing that is unknown. */
static void never_enabled(void)
{
	struct seen seen;

	make();
	z.list[0] = z.list[1] = AT(0);
	CHECK(walk(members_vendor, &seen) == ST_OK && !seen.n);
	z.list[0] = AT(20);
	CHECK(walk(members_vendor, &seen) == ST_UNKNOWN);
}

static void damaged(void)
{
	struct seen seen;

	make();
	CHECK(walk(members_vendor, &seen) == ST_UNKNOWN && !seen.n);
	/* One that cannot be read costs its own figures, and what the counters of all are of. */
	z.pools[1].store = AT(20);
	CHECK(walk(members_6_1, &seen) == ST_UNREADABLE && seen.n == 2 && seen.pools[0].has_pages &&
	      !seen.pools[1].has_pages && !seen.pools[1].allocator[0]);
	make();
	z.list[0] = AT(20);
	/* The list is followed from its other end. */
	CHECK(walk(members_6_1, &seen) == ST_UNREADABLE && seen.n == 2);
	make();
	z.pools[1].next = AT(20);
	CHECK(walk(members_6_1, &seen) == ST_UNREADABLE && !seen.pools[0].has_stored);
	make();
	z.pools[1].next = AT(1) + 8;
	CHECK(walk(members_6_1, &seen) == ST_CORRUPT && seen.n == 2);
	make();
	z.zbud[0] = 1ULL << 60;
	CHECK(walk(members_6_1, &seen) == ST_CORRUPT && !seen.pools[0].has_pages &&
	      seen.pools[1].has_pages);
}

static enum status to_phys(void *priv NOT_USED, uint64_t addr, uint64_t *ret)
{
	if (addr < MAPPED || addr >= MAPPED + 0x10000)
		return ST_ABSENT;
	*ret = addr - MAPPED + 0x8000;
	return ST_OK;
}

static enum status zbud(const struct stub_member *members, struct pfnset *pages, struct stub *s)
{
	STUB_OPEN(*s, .memory = memory, .symbols = symbols, .members = members,
		  .ops.virt_to_phys = to_phys);
	pfnset_init(pages, s->dump.arena, 100);
	return zbud_pages(&s->dump, pages);
}

static void pages(void)
{
	struct pfnset found;
	struct stub s;

	make();
	CHECK(zbud(members_6_1, &found, &s) == ST_OK && found.n == 3);
	CHECK(pfnset_has(&found, 8) && pfnset_has(&found, 9) && pfnset_has(&found, 10));
	stub_close(&s);
	CHECK(zbud(members_6_12, &found, &s) == ST_OK && found.n == 3);
	CHECK(pfnset_has(&found, 8) && pfnset_has(&found, 9) && pfnset_has(&found, 10));
	stub_close(&s);
	/* Neither loops nor pages outside of memory. */
	z.headers[2][2] = MAPPED + 16;
	CHECK(zbud(members_6_1, &found, &s) == ST_CORRUPT);
	stub_close(&s);
	z.headers[2][2] = MAPPED + 0x20000;
	CHECK(zbud(members_6_1, &found, &s) == ST_CORRUPT);
	stub_close(&s);
	z.headers[2][0] = MAPPED + 0x5008;
	CHECK(zbud(members_6_12, &found, &s) == ST_CORRUPT);
	stub_close(&s);
	make();
	z.headers[1][2] = MAPPED + 0x3000 + 16;
	CHECK(zbud(members_6_1, &found, &s) == ST_UNREADABLE);
	stub_close(&s);
	make();
	/* Two pools of zbud in one of zswap: the second has one page, which is full. */
	one_pool();
	z.pools[0].stores[0] = AT(3);
	z.pools[0].stores[1] = z.pools[0].stores[2] = AT(12);
	z.second_zpool[0] = AT(5);
	z.second_zpool[1] = AT(13);
	z.second_zbud[3] = MAPPED + 0x4000;
	z.headers[3][0] = AT(13) + 24;
	z.second_zbud[5] = AT(13) + 40;
	CHECK(zbud(members_6_8, &found, &s) == ST_CORRUPT && found.n == 4);
	stub_close(&s);
	CHECK(zbud(members_6_8_two, &found, &s) == ST_OK && found.n == 4 &&
	      pfnset_has(&found, 10) && pfnset_has(&found, 12));
	stub_close(&s);
	/* One that is not in the dump costs its own pages. */
	z.pools[0].stores[0] = AT(20);
	CHECK(zbud(members_6_8_two, &found, &s) == ST_UNREADABLE && found.n == 1);
	stub_close(&s);
	make();
	strcpy(z.types[0], "z3fold");
	CHECK(zbud(members_6_1, &found, &s) == ST_ABSENT && !found.n);
	stub_close(&s);
}

TESTS({ "pools of zswap", pools }, { "pools whose pages are counted alone", only_counted },
      { "pools of zswap that cannot be read", damaged },
      { "zswap: a pool with several of its allocator", several },
      { "zswap: never enabled", never_enabled }, { "pages of zbud", pages })
