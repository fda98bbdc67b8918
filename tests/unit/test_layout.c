// SPDX-License-Identifier: GPL-2.0-or-later
/* What is read of a structure is as long as its type says. */
#include "dump/layout.h"
#include "stub.h"
#include "test.h"
#include "trace/ring_buffer.h"
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
	struct stub s = { .memory = memory, .symbols = symbols, .members = members };
	struct trace_arrays all;

	put64(global, HEAD);
	put64(global + BUFFER_AT, 0x1234);
	stub_open(&s);
	CHECK(trace_arrays_open(&s.dump, &all) == ST_OK && all.n == 1 &&
	      all.at[0].buffer == 0x1234);
	stub_close(&s);
}

static void what_no_structure_has_is_refused(void)
{
	struct stub s = { 0 };
	struct layout_buffer b = { 0 };

	stub_open(&s);
	CHECK(layout_buffer(&s.dump, "struct zone", 0, &b) == ST_UNKNOWN && !b.raw);
	CHECK(layout_buffer(&s.dump, "struct zone", LAYOUT_MAX + 1, &b) == ST_UNKNOWN && !b.raw);
	CHECK_TEXT(s.dump.error, "unknown layout: struct zone, of which 1048577 bytes are read");
	CHECK(layout_buffer(&s.dump, "struct zone", LAYOUT_MAX, &b) == ST_OK &&
	      b.bytes == LAYOUT_MAX && !b.raw[LAYOUT_MAX - 1]);
	stub_close(&s);
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
	struct ring_layout layout = { .f[RING_BUFFERS] = FIELD(8, 8),
				      .f[RING_RECORD_DISABLED] = FIELD(0, 4) };
	struct stub s = { .memory = memory, .symbols = macro };
	struct ring_buffer b;

	stub_open(&s);
	CHECK(layout_buffer(&s.dump, "struct trace_buffer", 16, &layout.buffer) == ST_OK);
	CHECK(ring_buffer_open(&s.dump, &layout, GLOBAL, &b) == ST_OK && b.ncpus == 24);
	s.symbols = single;
	CHECK(ring_buffer_open(&s.dump, &layout, GLOBAL, &b) == ST_OK && b.ncpus == 1);
	stub_close(&s);
}

/* A compiler may rename what is static, and a vendor anything: the type is the second witness. */
static void a_missing_name_is_no_absence(void)
{
	const struct stub_symbol symbols[] = { { "swap_info", HEAD }, { 0 } };
	const struct stub_number sizes[] = { { "struct swap_info_struct", 512 }, { 0 } };
	struct stub s = { .symbols = symbols, .sizes = sizes };
	uint64_t value;

	stub_open(&s);
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
	stub_close(&s);
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

TESTS({ "a structure of 20,000 bytes is read", a_long_structure_is_read },
      { "a size that no structure has is refused", what_no_structure_has_is_refused },
      { "where nr_cpu_ids is a macro, every CPU has a buffer", nr_cpu_ids_may_be_a_macro },
      { "a span does not wrap", a_span_does_not_wrap },
      { "a symbol that is missing where its type is there is unknown",
	a_missing_name_is_no_absence },
      { "a member that is read of each page is the same as any", a_quick_field_is_the_field })
