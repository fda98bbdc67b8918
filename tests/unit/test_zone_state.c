// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes and watermarks of a zone, and those that no zone has; MemTotal by both its names. */
#include "kernel/dump_info.h"
#include "zones/zones.h"
#include "stub.h"
#include "test.h"

#define ZONE 0x10000ULL

/* managed, spanned, present, three watermarks, reserve */
static enum status state_of(const uint64_t *figures)
{
	static const struct stub_member state_members[] = {
		{ "struct zone", "managed_pages", FIELD(0, 8) },
		{ "struct zone", "spanned_pages", FIELD(8, 8) },
		{ "struct zone", "present_pages", FIELD(16, 8) },
		{ "struct zone", "_watermark", KINDED(KIND_ARRAY, 24, 24) },
		{ "struct zone", "lowmem_reserve", KINDED(KIND_ARRAY, 48, 8) },
		{ 0 },
	};
	const struct stub_memory memory[] = { { ZONE, figures, 56 }, { 0 } };
	static const struct zone zone = { .address = ZONE };
	STUB(s, .memory = memory, .members = state_members);
	struct zone_states states;
	struct zone_state state;
	enum status st;

	st = zone_states_open(&s.dump, &states);
	CHECK(st == ST_OK);
	if (st == ST_OK)
		st = zone_state_read(&states, &zone, &state);
	CHECK(st != ST_OK || (state.managed == figures[0] && state.marks[MARK_HIGH] == figures[5]));
	return st;
}

static void figures_that_no_zone_has(void)
{
	CHECK(state_of((const uint64_t[]){ 30, 40, 32, 4, 5, 6, 0 }) == ST_OK);
	CHECK(state_of((const uint64_t[]){ 0, 40, 32, 0, 0, 0, 0 }) == ST_OK);
	CHECK(state_of((const uint64_t[]){ 33, 40, 32, 4, 5, 6, 0 }) == ST_CORRUPT);
	CHECK(state_of((const uint64_t[]){ 30, 40, 41, 4, 5, 6, 0 }) == ST_CORRUPT);
	CHECK(state_of((const uint64_t[]){ 30, 40, 32, 1ULL << 48, 5, 6, 0 }) == ST_CORRUPT);
	CHECK(state_of((const uint64_t[]){ 30, 40, 32, 4, 7, 6, 0 }) == ST_CORRUPT);
}

/* Up to 4.20 a plain variable, then an atomic one with an underscore. */
static enum status total_of(const char *name, uint64_t pages, uint64_t *ret)
{
	const struct stub_memory memory[] = { { ZONE, &pages, 8 }, { 0 } };
	const struct stub_symbol symbols[] = { { name, ZONE, FIELD(0, 8) }, { 0 } };
	STUB(s, .memory = memory, .symbols = symbols);

	return mem_total_read(&s.dump, ret);
}

static enum status total_by(const char *name, uint64_t *ret)
{
	return total_of(name, 90000, ret);
}

/* A kernel that runs has some, and no more than there are addresses. */
static void total_that_no_machine_has(void)
{
	uint64_t pages = 1;

	CHECK(total_of("_totalram_pages", 0, &pages) == ST_CORRUPT && pages == 1);
	CHECK(total_of("_totalram_pages", 1ULL << 63, &pages) == ST_CORRUPT && pages == 1);
	CHECK(total_of("_totalram_pages", (uint64_t)-4096, &pages) == ST_CORRUPT);
}

/* More than there are page frames. */
static void total_above_the_end_of_ram(void)
{
	uint64_t pages = 90001, end = 90000, ret = 1;
	const struct stub_memory memory[] = { { ZONE, &pages, 8 }, { ZONE + 8, &end, 8 }, { 0 } };
	const struct stub_symbol symbols[] = { { "_totalram_pages", ZONE, FIELD(0, 8) },
					       { "max_pfn", ZONE + 8, FIELD(0, 8) },
					       { 0 } };
	STUB(s, .memory = memory, .symbols = symbols);

	CHECK(mem_total_read(&s.dump, &ret) == ST_CORRUPT && ret == 1);
	end = pages;
	CHECK(mem_total_read(&s.dump, &ret) == ST_OK && ret == 90001);
}

static void total_by_both_names(void)
{
	uint64_t pages = 0;

	CHECK(total_by("_totalram_pages", &pages) == ST_OK && pages == 90000);
	pages = 0;
	CHECK(total_by("totalram_pages", &pages) == ST_OK && pages == 90000);
	pages = 1;
	CHECK(total_by("max_pfn", &pages) != ST_OK && pages == 1);
}

TESTS({ "figures that no zone has", figures_that_no_zone_has },
      { "MemTotal that no machine has", total_that_no_machine_has },
      { "MemTotal above the end of RAM", total_above_the_end_of_ram },
      { "MemTotal by the name of either release, or unknown", total_by_both_names })
