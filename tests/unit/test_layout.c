// SPDX-License-Identifier: GPL-2.0-or-later
/* What is read of a structure is as long as its type says. */
#include "dump/structure.h"
#include "kernel/percpu.h"
#include "kernel/static_key.h"
#include "stub.h"
#include "test.h"
#include "trace/ring_cpu.h"
#include "trace/trace_array.h"

/* Far beyond the 8,112 bytes that 7.3 with PREEMPT_RT needs. */
#define BUFFER_AT 20000
#define GLOBAL 0xffff888000100000
#define HEAD 0xffff888000200000

static uint8_t global[BUFFER_AT + 64];
static uint64_t head[2] = { GLOBAL, GLOBAL };

static void put64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

static void a_long_structure_is_read(void)
{
	const struct stub_memory memory[] = { { GLOBAL, global, sizeof(global) },
					      { HEAD, head, sizeof(head) },
					      { 0 } };
	const struct stub_symbol symbols[] = { { "ftrace_trace_arrays", HEAD },
					       { "global_trace", GLOBAL },
					       { 0 } };
	const struct stub_member members[] = {
		{ "struct trace_array", "list", KINDED(KIND_STRUCT, 0, 16) },
		{ "struct trace_array", "name", FIELD(16, 8) },
		{ "struct trace_array", "clock_id", FIELD(24, 4) },
		{ "struct trace_array", "events", KINDED(KIND_STRUCT, 32, 16) },
		{ "struct trace_array", "array_buffer.buffer", FIELD(BUFFER_AT, 8) },
		{ 0 }
	};
	STUB(s, .memory = memory, .symbols = symbols, .members = members);
	struct trace_arrays all;

	put64(global, HEAD);
	put64(global + BUFFER_AT, 0x1234);
	CHECK(trace_arrays_open(&s.dump, &all) == ST_OK && all.n == 1 &&
	      all.at[0].buffer == 0x1234);
}

static void what_no_structure_has_is_refused(void)
{
	STUB(s);
	struct layout_buffer b = { 0 };

	CHECK(layout_buffer(&s.dump, "struct zone", 0, &b) == ST_UNKNOWN && !b.raw);
	CHECK(layout_buffer(&s.dump, "struct zone", LAYOUT_MAX + 1, &b) == ST_UNKNOWN && !b.raw);
	CHECK_TEXT(s.dump.error, "unknown layout: struct zone, of which 1048577 bytes are read");
	CHECK(layout_buffer(&s.dump, "struct zone", LAYOUT_MAX, &b) == ST_OK &&
	      b.bytes == LAYOUT_MAX && !b.raw[LAYOUT_MAX - 1]);
}

/* A hostile offset: the sum does not fit 32 bits. */
static void a_span_does_not_wrap(void)
{
	const struct field f = { .present = true, .offset = UINT32_MAX, .size = 8 };

	CHECK(layout_span(&f, 1) == (size_t)UINT32_MAX + 8);
}

/* CONFIG_FORCE_NR_CPUS: nr_cpu_ids is a macro, and the buffers of all CPUs are there all the same. */
static void nr_cpu_ids_may_be_a_macro(void)
{
	static const uint8_t buffer[64] = { 0 };
	const struct stub_memory memory[] = { { GLOBAL, buffer, sizeof(buffer) }, { 0 } };
	const struct stub_symbol macro[] = {
		{ "__per_cpu_offset", HEAD, KINDED(KIND_ARRAY, 0, 24 * 8) }, { 0 }
	};
	const struct stub_symbol single[] = { { 0 } };
	struct ring_layout layout = { .buffers = FIELD(8, 8), .record_disabled = FIELD(0, 4) };
	STUB(s, .memory = memory, .symbols = macro);
	struct ring_buffer b;

	CHECK(layout_buffer(&s.dump, "struct trace_buffer", 16, &layout.buffer) == ST_OK);
	CHECK(ring_buffer_open(&s.dump, &layout, GLOBAL, &b) == ST_OK && b.ncpus == 24);
	s.symbols = single;
	CHECK(ring_buffer_open(&s.dump, &layout, GLOBAL, &b) == ST_OK && b.ncpus == 1);
}

/* A compiler may rename what is static, and a vendor anything: the type is the second witness. */
static void a_missing_name_is_no_absence(void)
{
	const struct stub_symbol symbols[] = { { "swap_info", HEAD }, { 0 } };
	const struct stub_number sizes[] = { { "struct swap_info_struct", 512 }, { 0 } };
	STUB(s, .symbols = symbols, .sizes = sizes);
	uint64_t value;

	CHECK(dump_has_both(&s.dump, "swap_info", "struct swap_info_struct") == ST_OK);
	CHECK(dump_has_both(&s.dump, "swap_info.7", "struct swap_info_struct") == ST_UNKNOWN);
	CHECK_TEXT(
		s.dump.error,
		"unknown layout: this kernel has struct swap_info_struct, and no symbol swap_info.7");
	CHECK(dump_has_both(&s.dump, "modules", "struct module") == ST_ABSENT);
	CHECK_TEXT(s.dump.error, "this kernel has no modules");
	/* What is asked for its value was found to be there before, by something else. */
	CHECK(dump_symbol(&s.dump, "modules", &value) == ST_UNKNOWN);
	CHECK(dump_value(&s.dump, "nr_swapfiles", &value) == ST_UNKNOWN);
}

/* Every member that a copy of 16 bytes may have, and none that is not all in it. */
static void a_quick_field_is_the_field(void)
{
	uint8_t copy[16];
	struct quick_field q;

	for (size_t i = 0; i < sizeof(copy); i++)
		copy[i] = 0x9d + 37 * i;
	for (uint32_t offset = 0; offset < 20; offset++)
		for (uint32_t size = 0; size <= 9; size++)
			for (uint32_t bits = 0; bits <= 8 * size && bits < 60; bits += 3) {
				struct field f = {
					true, KIND_INT, offset, size, bits ? 1 : 0, bits
				};
				bool fits = size <= 8 && offset + size <= sizeof(copy);

				if (bits + 1 > 8 * size)
					f.bit_size = f.bit_offset = 0;
				CHECK(field_quick(&f, sizeof(copy), &q) == fits);
				CHECK(!fits || quick_get(&q, copy) == field_get(&f, copy));
				f.present = false;
				CHECK(field_quick(&f, sizeof(copy), &q) && !quick_get(&q, copy));
				CHECK(!field_quick(&f, 7, &q));
			}
}

/* A kernel structure, and a record of it. */
#define THING 0xffff888000300000

static struct {
	uint32_t small;
	uint16_t word, bits;
	uint64_t number, link;
	char name[8];
	uint64_t longs[3];
	uint8_t gap[4096];
	int32_t last;
} thing;

struct record {
	uint32_t small, field;
	int64_t last;
	uint64_t number, link, place, none, longs[2];
	char name[9];
	bool has_none, is_word;
};

struct thing_reader {
	struct structure thing;
	struct field found;
};

static const struct layout_row thing_rows[] = {
	STRUCTURE(struct thing_reader, thing, "struct thing"),
	READS_TO(struct record, small, 7, REQUIRED, "all", "small"),
	READS(struct record, field, REQUIRED_BITS, "all", "bits"),
	READS(struct record, is_word, REQUIRED, "all", "word"),
	READS(struct record, number, REQUIRED, "2, 1", "newer", "number"),
	READS_IF(struct record, none, has_none, OPTIONAL, "3", "none"),
	FINDS(struct thing_reader, found, "struct other", OPTIONAL, "all", "found"),
	LINKS(struct record, link, REQUIRED, "all", "link"),
	PLACES(struct record, place, REQUIRED, "all", "last"),
	READS(struct record, name, REQUIRED, "all", "name"),
	READS(struct record, longs, REQUIRED, "all", "longs"),
	READS(struct record, last, REQUIRED, "all", "last"),
};

#define THING_AT(member) FIELD(offsetof(__typeof__(thing), member), sizeof(thing.member))
static struct stub_member things[] = {
	{ "struct thing", "small", THING_AT(small) },
	{ "struct thing", "bits", BITS(6, 2, 4, 3) },
	{ "struct thing", "word", THING_AT(word) },
	{ "struct thing", "number", THING_AT(number) },
	{ "struct thing", "link", KINDED(KIND_STRUCT, 16, 16) },
	{ "struct thing", "name", THING_AT(name) },
	{ "struct thing", "longs", THING_AT(longs) },
	{ "struct thing", "last", THING_AT(last) },
	{ "struct other", "found", FIELD(24, 8) },
	{ "struct thing", "none", FIELD(40, 16) }, /* wider than a number */
	{ 0 },
};

struct pair {
	uint64_t number, none;
};

struct pair_reader {
	struct structure pair;
	struct field found;
};

/* A member of another type that is looked up behind a structure is none of its own. */
static void all_of_its_own_members(void)
{
	static const struct layout_row rows[] = {
		STRUCTURE(struct pair_reader, pair, "struct thing"),
		READS(struct pair, number, REQUIRED, "all", "number"),
		FINDS(struct pair_reader, found, "struct other", OPTIONAL, "all", "gone"),
	};
	static const struct layout_row own[] = {
		STRUCTURE(struct pair_reader, pair, "struct thing"),
		READS(struct pair, number, REQUIRED, "all", "number"),
		FINDS(struct pair_reader, found, "struct thing", OPTIONAL, "all", "gone"),
	};
	STUB(s, .members = things);
	struct pair_reader r;

	CHECK(STRUCTS_OPEN(&s.dump, rows, &r) == ST_OK && !r.found.present);
	CHECK(struct_has_all(&r.pair));
	CHECK(STRUCTS_OPEN(&s.dump, own, &r) == ST_OK && !struct_has_all(&r.pair));
}

static void a_structure_is_read_into_a_record(void)
{
	/* The page between its first members and the last one is not in the dump. */
	const struct stub_memory memory[] = { { THING, &thing, 64 },
					      { THING + offsetof(__typeof__(thing), last),
						&thing.last, sizeof(thing.last) },
					      { 0 } };
	STUB(s, .memory = memory, .members = things);
	struct thing_reader r;
	struct record record = { .has_none = true }, before;

	thing.small = 7;
	thing.bits = 0xff50;
	thing.word = 0x100;
	thing.number = 1ULL << 63;
	thing.link = THING;
	memcpy(thing.name, "ab\033d5678", 8);
	for (unsigned int i = 0; i < 3; i++)
		thing.longs[i] = i + 1;
	thing.last = -5;
	CHECK(STRUCTS_OPEN(&s.dump, thing_rows, &r) == ST_OK && r.found.offset == 24);
	CHECK(struct_read(&r.thing, THING, &record) == ST_OK);
	CHECK(record.small == 7 && record.field == 5 && record.is_word &&
	      record.number == 1ULL << 63 && record.link == THING && record.last == -5);
	CHECK(record.place == THING + offsetof(__typeof__(thing), last));
	CHECK(record.longs[0] == 1 && record.longs[1] == 2 && !record.none && !record.has_none);
	CHECK_TEXT(record.name, "ab?d5678");
	CHECK(STRUCT_HAS(&r.thing, struct record, number) &&
	      !STRUCT_HAS(&r.thing, struct record, none) && !struct_has_all(&r.thing));
	/* A record is filled whole, or not at all. */
	before = record;
	thing.small = 8;
	thing.last = 1;
	CHECK(struct_read(&r.thing, THING, &record) == ST_CORRUPT &&
	      !memcmp(&record, &before, sizeof(record)));
	CHECK_TEXT(s.dump.error, "thing at 0xffff888000300000: small is 8");
	CHECK(struct_read(&r.thing, THING + 8, &record) == ST_UNREADABLE &&
	      !memcmp(&record, &before, sizeof(record)));
	CHECK_TEXT(s.dump.error, "thing at 0xffff888000300008 is not in this dump");
	/* What is kept for another decoder must be there as well. */
	CHECK(struct_keep(&r.thing, &(struct field)FIELD(100, 8)) == ST_OK);
	CHECK(struct_read(&r.thing, THING, &record) == ST_UNREADABLE);
}

static void what_does_not_fit_its_record_is_refused(void)
{
	STUB(s, .members = things);
	struct thing_reader r;

	things[0].field.size = 8;
	CHECK(STRUCTS_OPEN(&s.dump, thing_rows, &r) == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error,
		   "unknown layout: struct thing.small has 8 bytes, its record has room for 4");
	/* Of a type that damaged debug information gives no size. */
	things[0].field.size = 0;
	CHECK(STRUCTS_OPEN(&s.dump, thing_rows, &r) == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error,
		   "unknown layout: struct thing.small has 0 bytes, its record has room for 4");
	things[0].field.size = 4;
	things[5].field.size = 9;
	CHECK(STRUCTS_OPEN(&s.dump, thing_rows, &r) == ST_UNKNOWN);
	things[5].field.size = 8;
	things[0].field.offset = UINT32_MAX;
	CHECK(STRUCTS_OPEN(&s.dump, thing_rows, &r) == ST_UNKNOWN);
	things[0].field.offset = 0;
	things[0].name = "other";
	CHECK(STRUCTS_OPEN(&s.dump, thing_rows, &r) == ST_UNKNOWN);
	CHECK_TEXT(s.dump.error, "unknown layout: struct thing has no member small");
	things[0].name = "small";
	CHECK(STRUCTS_OPEN(&s.dump, thing_rows, &r) == ST_OK);
}

/* Two pages: what is in one that is blank was not written by the kernel; zeros beside something are zeros. */
static void what_a_blank_page_has_is_corrupt(void)
{
	static uint8_t memory[2 << 12];
	const struct stub_memory all[] = { { THING, memory, sizeof(memory) }, { 0 } };
	const struct stub_symbol symbols[] = {
		{ "count", THING + 8, FIELD(0, 8) },
		{ "key", THING + 16 },
		{ "__per_cpu_offset", THING + 24, KINDED(KIND_ARRAY, 0, 16) },
		{ "__cpu_possible_mask", THING + 4096 + 8, FIELD(0, 8) },
		{ 0 }
	};
	const struct stub_member members[] = { { "struct static_key", "enabled.counter",
						 FIELD(0, 4) },
					       { "struct wide", "first", FIELD(0, 8) },
					       { "struct wide", "last", FIELD(4096, 8) },
					       { 0 } };
	struct wide {
		uint64_t first, last;
	} wide;
	struct wide_reader {
		struct structure wide;
	} r;
	static const struct layout_row rows[] = {
		STRUCTURE(struct wide_reader, wide, "struct wide"),
		READS(struct wide, first, REQUIRED, "all", "first"),
		READS(struct wide, last, REQUIRED, "all", "last"),
	};
	STUB(s, .memory = all, .symbols = symbols, .members = members);
	struct percpu cpus;
	uint64_t value;
	char name[8];
	bool on;

	CHECK(STRUCTS_OPEN(&s.dump, rows, &r) == ST_OK);
	memory[4095] = memory[8191] = 1;
	CHECK(dump_value(&s.dump, "count", &value) == ST_OK && !value);
	CHECK(static_key_read(&s.dump, "key", &on) == ST_OK && !on);
	CHECK(dump_string(&s.dump, THING, name, sizeof(name), "name") == ST_OK && !*name);
	CHECK(struct_read(&r.wide, THING, &wide) == ST_OK);
	memory[4096 + 8] = 1;
	CHECK(percpu_open(&s.dump, &cpus) == ST_OK && cpus.n == 1);
	memory[4095] = 0;
	CHECK(percpu_open(&s.dump, &cpus) == ST_CORRUPT);
	CHECK_TEXT(s.dump.error,
		   "__per_cpu_offset at 0xffff888000300018: each byte of its page is 0");
	memory[4095] = 1;
	memset(memory + 4096, 0xff, 4096);
	CHECK(percpu_open(&s.dump, &cpus) == ST_CORRUPT);
	memset(memory + 4096, 0, 4096);
	CHECK(struct_read(&r.wide, THING, &wide) == ST_CORRUPT);
	CHECK_TEXT(s.dump.error, "wide at 0xffff888000301000: each byte of its page is 0");
	r.wide.may_be_blank = true;
	CHECK(struct_read(&r.wide, THING, &wide) == ST_OK && !wide.last);
	memory[4095] = 0;
	CHECK(dump_value(&s.dump, "count", &value) == ST_CORRUPT);
	CHECK(static_key_read(&s.dump, "key", &on) == ST_CORRUPT);
	CHECK(dump_string(&s.dump, THING, name, sizeof(name), "name") == ST_CORRUPT);
	memset(memory, 0xff, 4096);
	CHECK(dump_value(&s.dump, "count", &value) == ST_CORRUPT);
	CHECK_TEXT(s.dump.error, "count at 0xffff888000300008: each byte of its page is 0xff");
}

TESTS({ "a structure that has all of its own members", all_of_its_own_members },
      { "what a blank page has is corrupt", what_a_blank_page_has_is_corrupt },
      { "a structure is read into a record", a_structure_is_read_into_a_record },
      { "what does not fit its record is refused", what_does_not_fit_its_record_is_refused },
      { "a structure of 20,000 bytes is read", a_long_structure_is_read },
      { "a size that no structure has is refused", what_no_structure_has_is_refused },
      { "where nr_cpu_ids is a macro, every CPU has a buffer", nr_cpu_ids_may_be_a_macro },
      { "a span does not wrap", a_span_does_not_wrap },
      { "a symbol that is missing where its type is there is unknown",
	a_missing_name_is_no_absence },
      { "a member that is read of each page is the same as any", a_quick_field_is_the_field })
