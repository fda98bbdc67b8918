// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of zones and nodes where CPUs have not added all: what they hold must be known. */
#include <string.h>

#include "zones/vmstat.h"
#include "stub.h"
#include "test.h"

#define NODE 0x10000ULL
#define OFFSETS 0x20000ULL
#define MASK 0x30000ULL
#define DIFFS 0x40000ULL

#define MEMBERS                                                                 \
	{ "struct pglist_data", "node_zones", KINDED(KIND_ARRAY, 0, 24) },      \
		{ "struct pglist_data", "vm_stat", KINDED(KIND_ARRAY, 24, 8) }, \
		{ "struct pglist_data", "per_cpu_nodestats", FIELD(32, 8) },    \
		{ "struct zone", "present_pages", FIELD(0, 8) },                \
		{ "struct zone", "vm_stat", KINDED(KIND_ARRAY, 8, 8) },         \
	{                                                                       \
		"struct zone", "per_cpu_zonestats", FIELD(16, 8)                \
	}

static const struct stub_member members[] = { MEMBERS, { 0 } };
static const struct stub_number sizes[] = { { "struct zone", 24 }, { 0 } };

/* One node, of one zone: as many CPUs as the mask has, and no vm_stat_diff. */
static enum status sums_of(uint64_t mask, struct counters *ret)
{
	static const uint64_t node[] = { 100, 70, 0, 50, 0 }, offsets[2] = { 0 };
	const struct stub_memory memory[] = {
		{ NODE, node, sizeof(node) },
		{ OFFSETS, offsets, sizeof(offsets) },
		{ MASK, &mask, sizeof(mask) },
		{ 0 },
	};
	static const struct stub_symbol symbols[] = {
		{ "contig_page_data", NODE, FIELD(0, 40) },
		{ "__per_cpu_offset", OFFSETS, KINDED(KIND_ARRAY, 0, 16) },
		{ "__cpu_possible_mask", MASK, FIELD(0, 8) },
		{ 0 },
	};
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);

	return counters_open(&s.dump, ret);
}

static void what_cpus_hold(void)
{
	struct counters c = { 0 };

	/* Of one CPU there is nothing to be added: a kernel without SMP has no such member. */
	CHECK(sums_of(1, &c) == ST_OK && c.zone.sum[0] == 70 && c.node.sum[0] == 50);
	c.zone.sum[0] = 0;
	CHECK(sums_of(3, &c) == ST_UNKNOWN && c.zone.sum[0] == 0);
}

static bool enumerates(void *priv NOT_USED, const char *type, const char *name)
{
	return !strcmp(type, "enum zone_stat_item") && !strcmp(name, "NR_FREE_PAGES");
}

/* One CPU, and what it holds of a zone. */
static const struct stub_symbol one_cpu[] = {
	{ "contig_page_data", NODE, FIELD(0, 40) },
	{ "__per_cpu_offset", OFFSETS, KINDED(KIND_ARRAY, 0, 8) },
	{ "__cpu_possible_mask", MASK, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_member with_cpus[] = {
	{ "struct per_cpu_zonestat", "vm_stat_diff", KINDED(KIND_ARRAY, 0, 1) },
	MEMBERS,
	{ 0 },
};

/* A zone Device has no present pages: it has counters, and no CPU holds any of them (boot_zonestats). */
static void no_present_pages(void)
{
	static const uint64_t node[] = { 0, 3, 0, 50, 0 }, offsets[1] = { 0 }, mask = 1;
	static const struct stub_memory memory[] = {
		{ NODE, node, sizeof(node) },
		{ OFFSETS, offsets, sizeof(offsets) },
		{ MASK, &mask, sizeof(mask) },
		{ 0 },
	};
	static const struct stub_number enumerators[] = { { "NR_FREE_PAGES", 0 }, { 0 } };
	STUB(s, .memory = memory, .symbols = one_cpu, .members = with_cpus, .sizes = sizes,
	     .enumerators = enumerators, .ops = { .enumerates = enumerates });
	struct counter_reader *r;
	struct counters c = { 0 };
	int64_t n = -1;

	CHECK(counter_reader_open(&s.dump, &r) == ST_OK);
	CHECK(counters_of_zone(r, NODE, false, &c) == ST_OK);
	CHECK(counter_read(&c, "nr_free_pages", &n) == ST_OK && n == 3);
	CHECK(counters_open(&s.dump, &c) == ST_OK && c.zone.sum[0] == 3);
}

/*
 * A zone whose counters begin a page: of ones, or of zeros where the zone has pages, it is one that was lost. diffs, if not 0:
 * it was not, and what CPUs hold is in a page of these.
 */
static enum status of_page(uint8_t filled, uint64_t present, uint8_t diffs)
{
	static uint64_t node[1024], offsets[1], mask = 1, held[512];
	static const struct stub_memory memory[] = {
		{ NODE, node, sizeof(node) },
		{ OFFSETS, offsets, sizeof(offsets) },
		{ MASK, &mask, sizeof(mask) },
		{ DIFFS, held, sizeof(held) },
		{ 0 },
	};
	STUB(s, .memory = memory, .symbols = one_cpu, .members = with_cpus, .sizes = sizes);
	struct counter_reader *r;
	struct counters c = { 0 };

	memset(&node[512], filled, sizeof(node) / 2);
	node[511] = present;
	memset(held, diffs, sizeof(held));
	if (diffs) {
		node[512] = 70;
		node[513] = DIFFS;
	}
	CHECK(counter_reader_open(&s.dump, &r) == ST_OK);
	return counters_of_zone(r, NODE + 4096 - 8, false, &c);
}

static void a_page_that_was_lost(void)
{
	CHECK(of_page(0xff, 100, 0) == ST_CORRUPT);
	CHECK(of_page(0xff, 0, 0) == ST_CORRUPT);
	CHECK(of_page(0, 100, 0) == ST_CORRUPT);
	CHECK(of_page(0, 0, 0) == ST_OK);
	CHECK(of_page(0, 100, 0xff) == ST_CORRUPT);
	CHECK(of_page(0, 100, 1) == ST_OK);
}

TESTS({ "counters in a page that was lost", a_page_that_was_lost },
      { "without what each CPU holds the sums of several are unknown", what_cpus_hold },
      { "a zone without present pages has counters", no_present_pages })
