// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages in transparent huge pages, by counters of pages and of huge pages. */
#include "pageowner/class_huge.h"
#include "stub.h"
#include "test.h"

static bool enumerates(void *priv NOT_USED, const char *type NOT_USED, const char *name)
{
	return !strcmp(name, "NR_ANON_THPS");
}

/* UINT64_MAX: unknown */
static uint64_t huge_of(uint64_t counter, uint64_t page_bytes, uint64_t pages)
{
	static const struct stub_number enumerators[] = { { "NR_ANON_THPS", 0 }, { 0 } };
	STUB(s, .enumerators = enumerators, .ops = { .enumerates = enumerates });
	struct counters c = { .dump = &s.dump,
			      .zone = { .items = "enum zone_stat_item" },
			      .node = { .items = "enum node_stat_item", .n = 1 } };
	uint64_t ret = 0;

	c.node.sum[0] = counter;
	return class_huge_pages(&c, page_bytes, CLASS_ANON, pages, &ret) ? ret : UINT64_MAX;
}

static void both_units(void)
{
	CHECK(huge_of(0, 4096, 1000) == 0);
	CHECK(huge_of(3, 4096, 2000) == 1536);
	CHECK(huge_of(1536, 4096, 2000) == 1536);
	/* 512 of either fit. */
	CHECK(huge_of(512, 4096, 1 << 20) == UINT64_MAX);
	CHECK(huge_of(513, 4096, 2000) == UINT64_MAX);
}

/* 2^51 + 1 huge pages of 2^13 pages are 2^64 + 2^13. */
static void no_product_wraps(void)
{
	CHECK(huge_of((1ULL << 51) + 1, 65536, 1 << 20) == UINT64_MAX);
}

TESTS({ "counters of pages, and of huge pages", both_units },
      { "no product wraps", no_product_wraps })
