// SPDX-License-Identifier: GPL-2.0-or-later
/* The order in which a zonelist has its zones. */
#include <string.h>

#include "zones/zones.h"
#include "stub.h"
#include "test.h"

#define NODE 0x20000ULL

/* A list of at most four zones at offset 8 of a struct pglist_data; the last entry has no zone. */
static enum status read_with(const uint64_t refs[4], enum gfp_state thisnode, struct zonelist *ret)
{
	struct zone all[2] = { { .address = 0x5000 }, { .address = 0x6000 } };
	const struct zones zones = { all, 2 };
	const struct memory_node node = { 3, NODE };
	const struct stub_member with[] = {
		{ "struct pglist_data", "node_id", FIELD(0, 4) },
		{ "struct pglist_data", "node_zonelists", KINDED(KIND_ARRAY, 8, 32) },
		{ "struct zonelist", "_zonerefs", KINDED(KIND_ARRAY, 0, 32) },
		{ "struct zoneref", "zone", FIELD(0, 8) },
		{ 0 },
	};
	const struct stub_number bytes[] = { { "struct zonelist", 32 },
					     { "struct zoneref", 8 },
					     { 0 } };
	const struct stub_memory memory[] = { { NODE + 8, refs, 32 }, { 0 } };
	const struct stub_number own[] = { { "ZONELIST_NOFALLBACK", 1 }, { 0 } };
	STUB(s, .memory = memory, .members = with, .sizes = bytes, .enumerators = own);
	enum status st;

	st = zonelist_read(&s.dump, &zones, &node, thisnode, ret);
	if (st == ST_OK)
		CHECK(ret->node == 3 && zonelist_find(ret, &all[1]) == (ret->n == 2 ? 0 : ret->n));
	return st;
}

static enum status read_list(const uint64_t refs[4], struct zonelist *ret)
{
	return read_with(refs, GFP_CLEAR, ret);
}

static void order_of_zones(void)
{
	static const uint64_t both[] = { 0x6000, 0x5000 }, twice[] = { 0x5000, 0x5000 },
			      endless[] = { 0x5000, 0x6000, 0x5000, 0x6000 },
			      foreign[] = { 0x7000 }, one[] = { 0x5000 };
	uint64_t refs[4] = { 0 };
	struct zonelist list = { .n = 99 };

	CHECK(read_list(refs, &list) == ST_OK && !list.n);
	memcpy(refs, both, sizeof(both));
	CHECK(read_list(refs, &list) == ST_OK && list.n == 2);
	memcpy(refs, one, sizeof(one));
	refs[1] = 0;
	CHECK(read_list(refs, &list) == ST_OK && list.n == 1);
	/* The node has one list, and __GFP_THISNODE asks for the second. */
	CHECK(read_with(refs, GFP_SET, &list) == ST_UNKNOWN && list.n == 1);
	CHECK(read_with(refs, GFP_UNKNOWN, &list) == ST_UNKNOWN && list.n == 1);
	/* What is wrong leaves the list as it was; a zone that is there twice is no order. */
	memcpy(refs, twice, sizeof(twice));
	CHECK(read_list(refs, &list) == ST_CORRUPT && list.n == 1);
	memcpy(refs, endless, sizeof(endless));
	CHECK(read_list(refs, &list) == ST_CORRUPT && list.n == 1);
	memcpy(refs, foreign, sizeof(foreign));
	CHECK(read_list(refs, &list) == ST_CORRUPT && list.n == 1);
}

TESTS({ "zonelist: each zone once", order_of_zones })
