// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of a sub-buffer of ftrace: every form, and every length that cannot be. */
#include "test.h"
#include "trace/ring_page.h"

#define PADDING 29
#define TIME_EXTEND 30
#define TIME_STAMP 31
#define PAGE_TS 1000000

static uint8_t page[256];
static uint32_t used;

static void start(void)
{
	memset(page, 0xee, sizeof(page));
	used = 0;
}

static void word(uint32_t v)
{
	memcpy(page + used, &v, sizeof(v));
	used += sizeof(v);
}

static void header(uint32_t type_len, uint32_t delta)
{
	word(type_len | delta << 5);
}

/* A record of so many words, the first of which is value. */
static void data(uint32_t words, uint32_t delta, uint32_t value)
{
	header(words, delta);
	for (uint32_t i = 0; i < words; i++)
		word(value + i);
}

static struct ring_page p;

static bool next(struct ring_record *r)
{
	return ring_page_next(&p, r);
}

static void open_page(void)
{
	ring_page_start(&p, page, used, PAGE_TS);
}

static void small_records_and_their_times(void)
{
	struct ring_record r;

	start();
	data(2, 0, 7);
	data(28, 5, 9);
	open_page();
	CHECK(next(&r) && r.offset == 0 && r.end == 12 && r.len == 8 && r.ts == PAGE_TS);
	CHECK(r.data == page + 4);
	CHECK(next(&r) && r.offset == 12 && r.len == 112 && r.ts == PAGE_TS + 5);
	CHECK(!next(&r) && !p.problem);
	CHECK(!next(&r) && !p.problem);
}

static void long_records_have_their_length_in_the_array(void)
{
	struct ring_record r;

	start();
	header(0, 3);
	word(4 + 120);
	for (int i = 0; i < 30; i++)
		word(i);
	data(1, 1, 0);
	open_page();
	CHECK(next(&r) && r.len == 120 && r.data == page + 8 && r.ts == PAGE_TS + 3);
	CHECK(next(&r) && r.offset == 128 && r.ts == PAGE_TS + 4);
	CHECK(!next(&r) && !p.problem);
}

static void time_extends_add_to_the_time(void)
{
	struct ring_record r;

	start();
	header(TIME_EXTEND, 17);
	word(2);
	data(1, 0, 0);
	data(1, 1, 0);
	open_page();
	CHECK(next(&r) && r.offset == 8 && r.ts == PAGE_TS + 17 + (2ULL << 27));
	CHECK(next(&r) && r.ts == PAGE_TS + 18 + (2ULL << 27));
}

static void absolute_stamps_replace_the_time(void)
{
	struct ring_record r;

	start();
	header(TIME_STAMP, 3);
	word(100);
	data(1, 0, 0);
	open_page();
	CHECK(next(&r) && r.ts == 3 + (100ULL << 27));
	/* The five bits above are of the stamp before. */
	ring_page_start(&p, page, used, 3ULL << 59);
	CHECK(next(&r) && r.ts == (3ULL << 59 | (3 + (100ULL << 27))));
	/* They have moved on where the time would go back. */
	ring_page_start(&p, page, used, 3ULL << 59 | 200ULL << 27);
	CHECK(next(&r) && r.ts == (4ULL << 59 | (3 + (100ULL << 27))));
}

static void padding_is_passed_and_ends_a_page(void)
{
	struct ring_record r;

	start();
	data(1, 2, 0);
	header(PADDING, 9);
	word(12);
	word(0);
	word(0);
	data(1, 4, 0);
	header(PADDING, 0);
	word(0xffffffff);
	open_page();
	CHECK(next(&r) && r.ts == PAGE_TS + 2);
	/* A discarded record's delta counts for nothing. */
	CHECK(next(&r) && r.offset == 24 && r.ts == PAGE_TS + 6 && p.discarded == 1);
	CHECK(!next(&r) && !p.problem);
	/* The last four bytes of a page that nothing fits into. */
	start();
	data(1, 2, 0);
	header(PADDING, 0);
	open_page();
	CHECK(next(&r) && !next(&r) && !p.problem);
}

static void ends_wrong(uint32_t size, const char *problem)
{
	struct ring_record r;
	uint32_t n = 0;

	ring_page_start(&p, page, size, PAGE_TS);
	while (next(&r) && ++n < 100)
		CHECK(r.end > r.offset && r.end <= size && r.data + r.len <= page + size);
	CHECK(n == 1);
	CHECK_TEXT(p.problem, problem);
	CHECK(!next(&r));
}

static void impossible_lengths_end_a_page(void)
{
	static const uint32_t lengths[] = { 0, 1, 3, 5, 0xfffffff8, 0xfffffffc, 0xffffffff, 1000 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		for (int type = 0; type <= PADDING; type += PADDING) {
			start();
			data(1, 0, 0);
			header(type, 1);
			word(lengths[i]);
			word(0);
			ends_wrong(used, "a record has an impossible length");
		}
	}
	start();
	data(1, 0, 0);
	header(28, 0);
	word(0);
	ends_wrong(used, "a record does not fit into its sub-buffer");
	start();
	data(1, 0, 0);
	header(TIME_EXTEND, 0);
	ends_wrong(used, "a record does not fit into its sub-buffer");
	start();
	data(1, 0, 0);
	word(0);
	ends_wrong(used - 2, "bytes are left behind the last record");
}

static void any_bytes_end(void)
{
	uint32_t seed = 1;

	for (int round = 0; round < 20000; round++) {
		struct ring_record r;
		uint32_t last = 0;

		for (size_t i = 0; i < sizeof(page); i++) {
			seed = seed * 1664525 + 1013904223;
			page[i] = seed >> 24 & (round & 1 ? 0xff : 0x1f);
		}
		ring_page_start(&p, page, round % sizeof(page), round);
		while (next(&r)) {
			CHECK(r.offset >= last && r.end > r.offset && r.end <= p.size);
			CHECK(r.data > page + r.offset && r.data + r.len == page + r.end);
			last = r.end;
		}
	}
}

TESTS({ "records of up to 28 words, with deltas", small_records_and_their_times },
      { "longer ones", long_records_have_their_length_in_the_array },
      { "time extends", time_extends_add_to_the_time },
      { "absolute time stamps", absolute_stamps_replace_the_time },
      { "padding: discarded records, the end", padding_is_passed_and_ends_a_page },
      { "lengths that cannot be", impossible_lengths_end_a_page },
      { "any bytes: rising offsets, nothing outside", any_bytes_end })
