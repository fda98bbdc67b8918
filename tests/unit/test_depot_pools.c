// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools of the stack depot that were looked up are remembered: each under its own number. */
#include <string.h>

#include "stackdepot/stackdepot.h"
#include "stub.h"
#include "test.h"

#define TABLE 0xffffffff82000000ULL
#define USED 0xffffffff82100000ULL
#define POOL(i) (0xffff888000100000ULL + (i)*0x4000ULL)
#define POOLS 600
#define OFFSET 2 /* of the record, in units of 16 bytes */

static uint64_t table[POOLS];
static int32_t used = POOLS;
static struct record {
	uint32_t size, handle, count, unused;
	uint64_t entries[2];
} records[2];

static const struct stub_symbol symbols[] = { { "stack_pools", TABLE,
						KINDED(KIND_ARRAY, 0, sizeof(table)) },
					      { "pools_num", USED, FIELD(0, 4) },
					      { 0 } };
static const struct stub_member members[] = {
	{ "union handle_parts", "pool_index_plus_1", BITS(0, 4, 0, 17) },
	{ "union handle_parts", "offset", BITS(0, 4, 17, 10) },
	{ "union handle_parts", "extra", BITS(0, 4, 27, 5) },
	{ "struct stack_record", "size", FIELD(0, 4) },
	{ "struct stack_record", "handle", FIELD(4, 4) },
	{ "struct stack_record", "count", FIELD(8, 4) },
	{ "struct stack_record", "entries", FIELD(16, 16) },
	{ 0 },
};
static const struct stub_memory memory[] = {
	{ TABLE, table, sizeof(table) },
	{ USED, &used, sizeof(used) },
	{ POOL(3) + OFFSET * 16, &records[0], sizeof(records[0]) },
	{ POOL(3 + DEPOT_KNOWN) + OFFSET * 16, &records[1], sizeof(records[1]) },
	{ 0 },
};

static uint32_t handle_of(unsigned int pool)
{
	return (pool + 1) | OFFSET << 17;
}

static void each_under_its_number(void)
{
	static const unsigned int numbers[2] = { 3, 3 + DEPOT_KNOWN };
	STUB(s, memory, symbols, members);
	uint64_t frames[DEPOT_MAX_FRAMES];
	struct depot depot;
	unsigned int n, before, same;

	for (unsigned int i = 0; i < POOLS; i++)
		table[i] = i == 5 ? 0 : POOL(i);
	for (unsigned int i = 0; i < 2; i++)
		records[i] = (struct record){ 2, handle_of(numbers[i]), 1, 0, { 0x1000 + i, 7 } };
	CHECK(depot_open(&s.dump, &depot) == ST_OK);
	for (unsigned int i = 0; i < 6; i++) {
		n = 0;
		CHECK(depot_fetch_into(&depot, handle_of(numbers[i % 2]), frames, &n) == ST_OK);
		CHECK(n == 2 && frames[0] == 0x1000 + i % 2);
	}
	/* The same pool again: its record is read, and no pointer. */
	CHECK(depot_fetch_into(&depot, handle_of(3), frames, &n) == ST_OK);
	before = s.reads;
	CHECK(depot_fetch_into(&depot, handle_of(3), frames, &n) == ST_OK);
	same = s.reads - before;
	before = s.reads;
	CHECK(depot_fetch_into(&depot, handle_of(3 + DEPOT_KNOWN), frames, &n) == ST_OK);
	CHECK(s.reads - before == same + 1);
	/* One that is not there, and one without an address, stay so. */
	for (unsigned int i = 0; i < 2; i++) {
		CHECK(depot_fetch_into(&depot, handle_of(POOLS), frames, &n) == ST_CORRUPT);
		CHECK(depot_fetch_into(&depot, handle_of(5), frames, &n) == ST_CORRUPT);
	}
}

TESTS({ "pools of the depot: each under its number", each_under_its_number })
