// SPDX-License-Identifier: GPL-2.0-or-later
/* Free pages of a zone by its counter and by its blocks. */
#include "stub.h"
#include "test.h"
#include "zones/free_witness.h"

#define ZONE 0x1000
#define ORDERS 11

/* As in 6.12, of two migrate types. */
static struct {
	struct {
		uint64_t lists[4], nr_free;
	} area[ORDERS];
	uint64_t isolated;
} zone;

static const struct stub_member members[] = {
	{ "struct zone", "free_area", KINDED(KIND_ARRAY, 0, sizeof(zone.area)) },
	{ "struct zone", "nr_isolate_pageblock", FIELD(sizeof(zone.area), 8) },
	{ "struct free_area", "nr_free", FIELD(32, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct free_area", sizeof(zone.area[0]) }, { 0 } };
static const struct stub_memory memory[] = { { ZONE, &zone, sizeof(zone) }, { 0 } };

static void two_witnesses(void)
{
	STUB(s, .memory = memory, .members = members, .sizes = sizes);
	STUB(untyped, .memory = memory);
	struct free_witness f;

	zone.area[0].nr_free = 100;
	zone.area[10].nr_free = 20;
	free_witness_open(&s.dump, 2, &f);
	CHECK(f.orders == ORDERS && f.slack == 2 * 128 + 2 * 1024);
	/* 100 + 20 * 1024 pages, of a zone of 256 MiB. */
	CHECK(!free_witness_damage(&f, ZONE, 65536, 20580, 0));
	CHECK(!free_witness_damage(&f, ZONE, 65536, 20580 + 3328, 0));
	CHECK_TEXT(free_witness_damage(&f, ZONE, 65536, 20580 + 3329, 0),
		   "struct zone at 0x1000 counts 23909 free pages, and 20580 are in its blocks");
	CHECK_TEXT(free_witness_damage(&f, ZONE, 65536, 0, 0),
		   "struct zone at 0x1000 counts 0 free pages, and 20580 are in its blocks");
	CHECK_TEXT(free_witness_damage(&f, ZONE, 65536, 70000, 0),
		   "struct zone at 0x1000 counts 70000 free pages, and has 65536");
	/* Unaccepted memory is in no block. */
	CHECK(!free_witness_damage(&f, ZONE, 65536, 60580, 40000));
	/* Blocks that are isolated are not counted. */
	zone.isolated = 3;
	CHECK(!free_witness_damage(&f, ZONE, 65536, 0, 0));
	zone.isolated = 0;
	/* Blocks that cannot be are no witness, and so are those that are not in the dump. */
	zone.area[10].nr_free = 65;
	CHECK(!free_witness_damage(&f, ZONE, 65536, 0, 0));
	CHECK(!free_witness_damage(&f, 0x9000, 65536, 0, 0) && !*s.dump.error);
	free_witness_open(&untyped.dump, 2, &f);
	CHECK(!f.orders && !free_witness_damage(&f, ZONE, 65536, 0, 0) && !*untyped.dump.error);
}

TESTS({ "free pages of a zone: its counter and its blocks", two_witnesses })
