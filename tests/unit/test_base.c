// SPDX-License-Identifier: GPL-2.0-or-later
/* arena, map, units, sink, window. */
#include <stdlib.h>

#include "util/utf8.h"
#include "util/arena.h"
#include "util/hash_u64.h"
#include "stub.h"
#include "test.h"
#include "dump/gap.h"
#include "util/units.h"
#include "dump/read_window.h"

static void arena_gives_zeroed_aligned_memory(void)
{
	struct arena a = { 0 };
	char *small[100], *big;

	for (int i = 0; i < 100; i++) {
		small[i] = arena_alloc(&a, 1 + i);
		CHECK(small[i] && !((uintptr_t)small[i] & 15));
		for (int k = 0; k <= i; k++)
			CHECK(!small[i][k]);
		memset(small[i], i, 1 + i);
	}
	big = arena_alloc(&a, 1 << 20);
	CHECK(big && !big[0] && !big[(1 << 20) - 1]);
	memset(big, 0xff, 1 << 20);
	for (int i = 0; i < 100; i++)
		CHECK(small[i][i] == i);
	arena_reset(&a);
	CHECK(!a.bytes && !a.chunks);
	arena_reset(&a);
}

static unsigned int steps;

static void reset_all(void *arg)
{
	arena_reset(arg);
}

static void ask_too_much(void *arg)
{
	steps++;
	arena_alloc(arg, SIZE_MAX - 8);
	steps += 100;
}

static void ask_within(void *arg)
{
	size_t bytes = 0;

	CHECK(!arena_try(ask_too_much, arg, &bytes) && bytes == SIZE_MAX - 8);
	steps += 10;
	arena_fail(0);
}

static void memory_that_cannot_be_had_ends_what_asks(void)
{
	struct arena a = { 0 };
	size_t bytes = 1;

	steps = 0;
	CHECK(!arena_try(ask_within, &a, &bytes) && !bytes && steps == 11);
	CHECK(arena_try(reset_all, &a, &bytes));
	/* What it has so far is whole. */
	arena_alloc(&a, 8);
	CHECK(a.chunks && a.used == 16);
	arena_reset(&a);
}

static enum status ask_for(struct dump *d, void *arg)
{
	dump_alloc(d, *(size_t *)arg);
	return dump_fail(d, ST_CORRUPT, "corrupt");
}

static void a_command_ends_with_the_bytes_it_lacks(void)
{
	struct stub s;
	size_t little = 8, much = SIZE_MAX / 2 + 1;

	stub_open(&s);
	CHECK(dump_guard(&s.dump, ask_for, &little) == ST_CORRUPT);
	CHECK_TEXT(s.dump.error, "corrupt");
	CHECK(dump_guard(&s.dump, ask_for, &much) == ST_NOMEM);
	CHECK_TEXT(s.dump.error, "out of memory (9223372036854775808 bytes more)");
	stub_close(&s);
}

/* What there is no room for, or more of than a limit, has a layout that is known. */
static void a_limit_is_no_layout(void)
{
	CHECK_TEXT(availability_name(availability_of(ST_NOMEM)), "over_limit");
	CHECK(availability_hides(availability_of(ST_NOMEM)));
	CHECK_TEXT(availability_name(availability_of(ST_UNKNOWN)), "unknown_layout");
}

static void count_up(void *arg)
{
	++*(unsigned int *)arg;
}

static void an_arena_within_ends_with_the_outer(void)
{
	struct arena a = { 0 }, *inner = arena_within(&a);
	unsigned int ended = 0;

	arena_at_reset(inner, count_up, &ended);
	arena_alloc(inner, 1 << 20);
	arena_reset(inner);
	CHECK(ended == 1 && !inner->bytes);
	arena_at_reset(inner, count_up, &ended);
	arena_reset(&a);
	CHECK(ended == 2 && !a.bytes);
}

static void big_chunks_do_not_end_the_small_one(void)
{
	struct arena a = { 0 };
	size_t bytes;

	arena_alloc(&a, 8);
	arena_alloc(&a, 1 << 20);
	bytes = a.bytes;
	arena_alloc(&a, 8);
	CHECK(a.bytes == bytes);
	arena_reset(&a);
}

static void a_map_that_was_moved_leaves_its_old_place_alone(void)
{
	struct arena a = { 0 };
	struct hash_u64 m[2];
	bool is_new;

	hash_u64_init(&m[0], &a, 0);
	m[1] = m[0];
	memset(&m[0], 0, sizeof(m[0]));
	hash_u64_get(&m[1], 5, &is_new);
	CHECK(m[1].first && m[1].first->key == 5 && !m[0].first);
	arena_reset(&a);
}

static void map_finds_what_was_put(void)
{
	struct arena a = { 0 };
	struct hash_u64 m;
	bool is_new;
	uint64_t n = 0;

	hash_u64_init(&m, &a, sizeof(uint64_t));
	CHECK(!hash_u64_has(&m, 0));
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t *v = hash_u64_get(&m, i << 32, &is_new);

		CHECK(v && is_new && !*v);
		*v = i;
	}
	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t *v = hash_u64_get(&m, i << 32, &is_new);

		CHECK(v && !is_new && *v == i);
	}
	CHECK(m.n == 5000 && hash_u64_has(&m, 7ULL << 32) && !hash_u64_has(&m, 7));
	for (struct hash_u64_entry *e = m.first; e; e = e->next)
		CHECK(e->key == n++ << 32);
	arena_reset(&a);
}

static void sizes_for_people(void)
{
	static const struct {
		int64_t v;
		const char *text;
	} cases[] = {
		{ 0, "0B" },
		{ 1023, "1023B" },
		{ 1024, "1.0K" },
		{ 1536, "1.5K" },
		{ 1048575, "1.0M" },
		{ -4096, "-4.0K" },
		{ 5LL << 40, "5.000T" },
		{ INT64_MAX, "8.000E" },
		{ INT64_MIN, "-8.000E" },
		/* As many digits as of 455.8M beside it. */
		{ 1432000000LL, "1.334G" },
		{ -(12LL << 30), "-12.00G" },
		{ 1LL << 37, "128.0G" },
		{ (1LL << 30) - 1, "1.000G" },
		{ 10736344498LL, "9.999G" },
		{ 10737000000LL, "10.00G" },
	};
	char buf[UNITS_BYTES];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		units_size(buf, cases[i].v);
		CHECK_TEXT(buf, cases[i].text);
	}
	CHECK_TEXT(LEAST_TEXT(1627 << 12), "6.3M");
	CHECK_TEXT(LEAST_TEXT(1048575), "1023.9K");
	CHECK_TEXT(LEAST_TEXT((1LL << 31) - 1), "1.999G");
	CHECK_TEXT(LEAST_TEXT(1432LL << 20), "1.398G");
	CHECK_TEXT(LEAST_TEXT(1023), "1023B");
}

static void times_and_counts_for_people(void)
{
	char buf[UNITS_BYTES], plural[UNITS_PLURAL];

	units_time(buf, 0);
	CHECK_TEXT(buf, "0ns");
	units_time(buf, 12345678);
	CHECK_TEXT(buf, "12ms");
	units_time(buf, 12345678901);
	CHECK_TEXT(buf, "12.3s");
	units_time(buf, 7200000000000);
	CHECK_TEXT(buf, "2.0h");
	/* What would be rounded to as much as the next unit is of that. */
	units_time(buf, 999499);
	CHECK_TEXT(buf, "999us");
	units_time(buf, 999500);
	CHECK_TEXT(buf, "1ms");
	units_time(buf, 59949999999);
	CHECK_TEXT(buf, "59.9s");
	units_time(buf, 59960000000);
	CHECK_TEXT(buf, "1.0min");
	CHECK_TEXT(units_milli(buf, 0), "0.0");
	CHECK_TEXT(units_milli(buf, 49), "0.0");
	CHECK_TEXT(units_milli(buf, 50), "0.1");
	CHECK_TEXT(units_milli(buf, 9038477), "9038.5");
	CHECK_TEXT(units_milli(buf, 999950), "1000.0");
	CHECK_TEXT(units_milli(buf, UINT64_MAX), "18446744073709551.6");
	units_count(buf, 999);
	CHECK_TEXT(buf, "999");
	units_count(buf, 1234567);
	CHECK_TEXT(buf, "1,234,567");
	units_count(buf, UINT64_MAX);
	CHECK_TEXT(buf, "18,446,744,073,709,551,615");
	CHECK_TEXT(units_plural(plural, 0, "page is", "pages are"), "0 pages are");
	CHECK_TEXT(units_plural(plural, 1, "page is", "pages are"), "1 page is");
	CHECK_TEXT(units_plural(plural, 1234, "page is", "pages are"), "1,234 pages are");
	units_percent(buf, 1, 3);
	CHECK_TEXT(buf, "33.3");
	units_percent(buf, 1, 0);
	CHECK_TEXT(buf, "0.0");
}

static void numbers_from_people(void)
{
	static const char *const bad[] = { "",	 "x",  "-1", "+1",   " 1",
					   "1 ", "0x", "1k", "0x1g", "18446744073709551616",
					   "1.5" };
	uint64_t v;

	CHECK(units_parse("0", &v) && v == 0);
	CHECK(units_parse("42", &v) && v == 42);
	CHECK(units_parse("0x2a", &v) && v == 42);
	CHECK(units_parse("010", &v) && v == 10);
	CHECK(units_parse("18446744073709551615", &v) && v == UINT64_MAX);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		v = 77;
		CHECK(!units_parse(bad[i], &v) && v == 77);
	}
}

static bool refuse(void *priv, const char *s NOT_USED, size_t n NOT_USED)
{
	++*(int *)priv;
	return false;
}

static void sink_buffers_and_stops_when_nobody_reads(void)
{
	static struct text t;
	static struct sink closed;
	int calls = 0;

	text_open(&t);
	sink_text(&t.sink, "one");
	CHECK(!t.n);
	sink_printf(&t.sink, " %d", 2);
	CHECK_TEXT(text_get(&t), "one 2");
	sink_init(&closed, refuse, &calls);
	for (int i = 0; i < 3 * SINK_BYTES; i++)
		sink_write(&closed, "x", 1);
	CHECK(calls == 1 && closed.closed);
}

/* What a terminal obeys is no text of a dump: also where a character has several bytes, or is none. */
static void sink_shows_what_a_terminal_obeys(void)
{
	static const struct {
		const char *text, *shown, *name;
	} all[] = {
		{ "a\033[1mb\tc", "a?[1mb\tc", "a?[1mb?c" },
		{ "\xc2\x9b"
		  "31mEV",
		  "?31mEV", "?31mEV" },
		{ "\xe2\x80\xae\xd7\x90"
		  "ab",
		  "?\xd7\x90"
		  "ab",
		  "?\xd7\x90"
		  "ab" },
		{ "\xe2\x81\xa6x\xd8\x9c", "?x?", "?x?" },
		{ "\xff\x9bX\xe2\x82", "??X??", "??X??" },
		{ "caf\xc3\xa9 \xf0\x9f\x98\x80", "caf\xc3\xa9 \xf0\x9f\x98\x80",
		  "caf\xc3\xa9 \xf0\x9f\x98\x80" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		static struct text t;
		char name[32];

		text_open(&t);
		t.sink.columns = 80;
		/* A character may come in parts. */
		for (const char *c = all[i].text; *c; c++)
			sink_write(&t.sink, c, 1);
		sink_flush(&t.sink);
		CHECK_TEXT(text_get(&t), all[i].shown);
		strcpy(name, all[i].text);
		printable(name);
		CHECK_TEXT(name, all[i].name);
	}
}

#define TABLE_AT 0x100000ULL

static unsigned char table[300000];

static void window_reads_each_byte_once(void)
{
	static const struct stub_memory memory[] = { { TABLE_AT, table, 294912 }, { 0 } };
	STUB(s, .memory = memory);
	struct read_window w;

	for (size_t i = 0; i < sizeof(table); i++)
		table[i] = (i * 7 >> 3) + i / 4096 * 13; /* no two pages are alike */
	read_window_init(&w, &s.dump);
	read_window_table(&w, TABLE_AT + 294912);
	/* Entries of 80 bytes lie across pages and chunks. */
	for (size_t at = 0; at + 80 <= 294912; at += 80) {
		const unsigned char *p = read_window_at(&w, TABLE_AT + at, 80);

		CHECK(p && !memcmp(p, table + at, 80));
	}
	CHECK(s.reads == 8); /* 72 pages: 1, 2, 4, 8, then in chunks of 16 */
	/* Who goes back and forth does not read more than it asks for. */
	for (size_t i = 0; i < 8; i++)
		CHECK(read_window_at(&w, TABLE_AT + (i % 2 ? 200000 : 20480), 80));
	CHECK(s.reads == 16 && w.end - w.base == 4096);
	/* What begins on one page and ends on the next has both. */
	for (size_t i = 0; i < 8; i++) {
		const size_t at = (i % 2 ? 204800 : 20480) - 40;
		const unsigned char *p = read_window_at(&w, TABLE_AT + at, 80);

		CHECK(p && !memcmp(p, table + at, 80));
	}
}

static void window_loses_only_what_touches_a_hole(void)
{
	/* The third page is missing. */
	static const struct stub_memory memory[] = { { TABLE_AT, table, 8192 },
						     { TABLE_AT + 12288, table + 12288, 8192 },
						     { 0 } };
	STUB(s, .memory = memory);
	unsigned int lost = 0;
	struct read_window w;

	read_window_init(&w, &s.dump);
	read_window_table(&w, TABLE_AT + 20480);
	for (size_t at = 0; at + 80 <= 20480; at += 80) {
		const unsigned char *p = read_window_at(&w, TABLE_AT + at, 80);
		bool touches = at + 80 > 8192 && at < 12288;

		CHECK(touches == !p);
		CHECK(!p || !memcmp(p, table + at, 80));
		lost += !p;
	}
	CHECK(lost == 52);
	CHECK(!read_window_at(&w, UINT64_MAX - 8, 16));
	CHECK(!read_window_at(&w, TABLE_AT, 0));
	CHECK(!read_window_at(&w, TABLE_AT, 5000));
}

TESTS({ "arena: zeroed, aligned, all freed at once", arena_gives_zeroed_aligned_memory },
      { "arena: big chunks do not end the small one", big_chunks_do_not_end_the_small_one },
      { "arena: memory that cannot be had ends what asks for it, and no more",
	memory_that_cannot_be_had_ends_what_asks },
      { "arena: a command ends with the bytes it lacks", a_command_ends_with_the_bytes_it_lacks },
      { "status: a limit is no layout that is unknown", a_limit_is_no_layout },
      { "arena: one within another ends with it", an_arena_within_ends_with_the_outer },
      { "map: finds what was put, in order", map_finds_what_was_put },
      { "map: one that was moved leaves its old place alone",
	a_map_that_was_moved_leaves_its_old_place_alone },
      { "units: sizes", sizes_for_people },
      { "units: times, counts, percents", times_and_counts_for_people },
      { "units: parsing", numbers_from_people },
      { "sink: what a terminal obeys", sink_shows_what_a_terminal_obeys },
      { "sink: buffers, stops when nobody reads", sink_buffers_and_stops_when_nobody_reads },
      { "window: each byte once", window_reads_each_byte_once },
      { "window: holes", window_loses_only_what_touches_a_hole })
