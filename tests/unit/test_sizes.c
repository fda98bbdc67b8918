// SPDX-License-Identifier: GPL-2.0-or-later
/* Structures that are larger than those of any kernel that was seen: the dump's types say how large they are. */
#include <string.h>

#include "kernel/flag_names.h"
#include "kgtp/frame.h"
#include "pages/page_flags.h"
#include "stackdepot/stackdepot.h"
#include "stub.h"
#include "tasks/fault_code.h"
#include "test.h"
#include "vm/vm_fault.h"

#define TABLE 0xffffffff82000000ULL
#define USED 0xffffffff82100000ULL
#define POOL 0xffff888000100000ULL
#define HEADER 80

static void names_of_flags(void)
{
	static struct {
		uint64_t mask, more[4], name;
	} flags[] = { { 1, { 0 }, 0x2000 }, { 0, { 0 }, 0 } };
	static const char text[64] = "locked";
	static const struct stub_memory memory[] = { { 0x1000, flags, sizeof(flags) },
						     { 0x2000, text, sizeof(text) },
						     { 0 } };
	static const struct stub_symbol symbols[] = { { .name = "pageflag_names", .addr = 0x1000 },
						      { 0 } };
	static const struct stub_member members[] = {
		{ "struct trace_print_flags", "mask", FIELD(0, 8) },
		{ "struct trace_print_flags", "name", FIELD(40, 8) },
		{ 0 },
	};
	static const struct stub_number sizes[] = { { "struct trace_print_flags", 48 }, { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct flag_names names;

	CHECK(flag_names_open(&s.dump, "pageflag_names", &names) == ST_OK && names.n == 1);
	CHECK_TEXT(names.flags[0].name, "locked");
}

static void fields_of_page_flags(void)
{
	static struct {
		uint64_t mask, name;
	} flags[] = { { 1, 0x2000 }, { 0, 0 } };
	static struct {
		int32_t width, shift, mask, unused;
		uint64_t spec, name, more[6];
	} pff[1] = { { 10, 54, 0x3ff, 0, 0x4000, 0x2010, { 0 } } };
	static const char text[64] = "locked\0         node";
	static const struct stub_memory memory[] = { { 0x1000, flags, sizeof(flags) },
						     { 0x2000, text, sizeof(text) },
						     { 0x3000, pff, sizeof(pff) },
						     { 0 } };
	static const struct stub_symbol symbols[] = {
		{ .name = "pageflag_names", .addr = 0x1000 },
		{ "pff", 0x3000, KINDED(KIND_ARRAY, 0, sizeof(pff)) },
		{ .name = "default_dec_spec", .addr = 0x4000 },
		{ .name = "default_flag_spec", .addr = 0x4010 },
		{ 0 }
	};
	static const struct stub_member members[] = {
		{ "struct trace_print_flags", "mask", FIELD(0, 8) },
		{ "struct trace_print_flags", "name", FIELD(8, 8) },
		{ "struct page_flags_fields", "width", FIELD(0, 4) },
		{ "struct page_flags_fields", "shift", FIELD(4, 4) },
		{ "struct page_flags_fields", "mask", FIELD(8, 4) },
		{ "struct page_flags_fields", "spec", FIELD(16, 8) },
		{ "struct page_flags_fields", "name", FIELD(24, 8) },
		{ 0 },
	};
	static const struct stub_number sizes[] = { { "struct trace_print_flags", 16 },
						    { "struct page_flags_fields", sizeof(pff[0]) },
						    { 0 } };
	static const struct stub_number enumerators[] = { { "__NR_PAGEFLAGS", 24 }, { 0 } };
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
	     .enumerators = enumerators);
	struct pageflags flags_of;

	CHECK(pageflags_open(&s.dump, &flags_of) == ST_OK && flags_of.nfields == 1);
	CHECK_TEXT(flags_of.fields[0].name, "node");
}

static void records_of_the_depot(void)
{
	static uint64_t table[1] = { POOL };
	static int32_t used = 1;
	static struct {
		uint32_t size, handle, count, more[17];
		uint64_t entries[2];
	} record = { 2, 1, 1, { 0 }, { 0x1000, 7 } };
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
		{ "struct stack_record", "entries", FIELD(HEADER, 16) },
		{ 0 },
	};
	static const struct stub_memory memory[] = { { TABLE, table, sizeof(table) },
						     { USED, &used, sizeof(used) },
						     { POOL, &record, sizeof(record) },
						     { 0 } };
	STUB(s, memory, symbols, members);
	uint64_t frames[DEPOT_MAX_FRAMES];
	struct depot depot;
	unsigned int n = 0;

	CHECK(depot_open(&s.dump, &depot) == ST_OK);
	CHECK(depot_fetch_into(&depot, 1, frames, &n) == ST_OK && n == 2 && frames[0] == 0x1000);
}

static void registers_and_faults(void)
{
	static const struct stub_member members[] = {
		{ "struct pt_regs", "regs", FIELD(0, 248) },
		{ "struct pt_regs", "ip", FIELD(256, 8) },
		{ "struct pt_regs", "sp", FIELD(248, 8) },
		{ "struct pt_regs", "pc", FIELD(256, 8) },
		{ "struct pt_regs", "pstate", FIELD(264, 8) },
		{ "struct vm_fault", "vma", FIELD(0, 8) },
		{ "struct vm_fault", "pgoff", FIELD(16, 8) },
		{ "struct vm_fault", "address", FIELD(24, 8) },
		{ "struct vm_fault", "flags", FIELD(600, 4) },
		{ 0 },
	};
	static const struct stub_number sizes[] = { { "struct pt_regs", 1200 }, { 0 } };
	STUB(s, .members = members, .sizes = sizes);
	struct exception_frames frames;
	struct kgtp_registers regs;
	struct vm_faults faults;
	struct vmas vmas = { 0 };

	s.dump.arch = "aarch64";
	CHECK(exception_frames_open(&s.dump, &frames) == ST_OK && frames.size == 1200);
	CHECK(kgtp_registers_open(&s.dump, &regs) == ST_OK && regs.size == 1200);
	CHECK(vm_faults_open(&s.dump, &vmas, &faults) == ST_OK);
}

TESTS({ "names of flags", names_of_flags }, { "fields of page flags", fields_of_page_flags },
      { "records of the depot", records_of_the_depot },
      { "registers and faults", registers_and_faults })
