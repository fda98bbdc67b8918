// SPDX-License-Identifier: GPL-2.0-or-later
/* What `faults` decodes without a dump: error codes of processors. */
#include "kernel/fault_code.h"

#include "test.h"

struct code {
	const char *arch;
	uint64_t code;
	const char *text;
};

static void check_codes(const struct code *c, size_t n)
{
	char buf[FAULT_TEXT];

	for (size_t i = 0; i < n; i++)
		CHECK_TEXT(fault_code_text(c[i].arch, c[i].code, buf, sizeof(buf)), c[i].text);
}

static void test_x86_codes(void)
{
	static const struct code codes[] = {
		{ "x86_64", 0, "supervisor read, page not present" },
		{ "x86_64", 1, "supervisor read, protection violation" },
		{ "x86_64", 2, "supervisor write, page not present" },
		{ "x86_64", 3, "supervisor write, protection violation" },
		{ "x86_64", 4, "user read, page not present" },
		{ "x86_64", 6, "user write, page not present" },
		{ "x86_64", 7, "user write, protection violation" },
		{ "x86_64", 9,
		  "supervisor read, protection violation, reserved bit set in a page table" },
		{ "x86_64", 0x10, "supervisor instruction fetch, page not present" },
		{ "x86_64", 0x11, "supervisor instruction fetch, protection violation" },
		{ "x86_64", 0x15, "user instruction fetch, protection violation" },
		{ "x86_64", 0x25, "user read, protection violation, protection key" },
		{ "x86_64", 0x47, "user write, protection violation, shadow stack" },
		{ "x86_64", 0x8007, "user write, protection violation, SGX" },
		{ "x86_64", 0x80000006, "user write, page not present, SEV-SNP RMP" },
		{ "i686", 0x186, "user write, page not present, unknown bits 0x180" },
		{ "x86_64", 0x100000000006,
		  "user write, page not present, unknown bits 0x100000000000" },
		/* orig_ax behind the entry code, should a caller ever take it for a code */
		{ "x86_64", ~0ULL,
		  "user instruction fetch, protection violation, reserved bit set in a page table, "
		  "protection key, shadow stack, SGX, SEV-SNP RMP, unknown bits 0xffffffff7fff7f80" },
	};

	check_codes(codes, sizeof(codes) / sizeof(codes[0]));
}

static void test_arm64_codes(void)
{
	static const struct code codes[] = {
		{ "aarch64", 0x96000004, "supervisor read, translation fault, level 0" },
		{ "aarch64", 0x96000006, "supervisor read, translation fault, level 2" },
		{ "aarch64", 0x96000044, "supervisor write, translation fault, level 0" },
		{ "aarch64", 0x9600004f, "supervisor write, permission fault, level 3" },
		{ "aarch64", 0x92000046, "user write, translation fault, level 2" },
		{ "aarch64", 0x8600000f,
		  "supervisor instruction fetch, permission fault, level 3" },
		{ "aarch64", 0x82000007, "user instruction fetch, translation fault, level 3" },
		{ "aarch64", 0x96000021, "supervisor read, alignment fault" },
		{ "aarch64", 0x9600002b, "supervisor read, translation fault, level -1" },
		{ "aarch64", 0x96000013,
		  "supervisor read, external abort on a page table walk, level -1" },
		{ "aarch64", 0x92000147,
		  "user read, translation fault, level 3, cache maintenance" },
		{ "aarch64", 0x96000086,
		  "supervisor read, translation fault, level 2, stage 2 fault on a stage 1 walk" },
		{ "aarch64", 0x96000410,
		  "supervisor read, synchronous external abort, "
		  "address not valid" },
		{ "aarch64", 0x96000011, "supervisor read, memory tag check fault" },
		{ "aarch64", 0x2096000007,
		  "supervisor read, translation fault, level 3, dirty bit" },
		{ "aarch64", 0x93820006, "user read, translation fault, level 2" }, /* with ISV */
		{ "aarch64", 0x92820006,
		  "user read, translation fault, level 2, unknown bits 0x820000" },
		{ "aarch64", 0x9600003f,
		  "supervisor read, unknown fault status, unknown bits 0x3f" },
		{ "aarch64", 0xbf000002, "SError, unknown bits 0x1000002" },
		{ "aarch64", 0xf2000800, "BRK instruction, unknown bits 0x800" },
		{ "aarch64", 0x0a000000, "unknown exception class, unknown bits 0x8000000" },
	};

	check_codes(codes, sizeof(codes) / sizeof(codes[0]));
}

static void test_riscv_codes(void)
{
	static const struct code codes[] = {
		{ "riscv64", 12, "instruction fetch, page fault" },
		{ "riscv64", 13, "read, page fault" },
		{ "riscv64", 15, "write, page fault" },
		{ "riscv64", 2, "illegal instruction" },
		{ "riscv64", 14, "unknown cause, unknown bits 0xe" },
		{ "riscv64", 1ULL << 63 | 5, "unknown cause, unknown bits 0x8000000000000005" },
		{ "s390x", 0x11, "0x11" },
		{ NULL, 6, "0x6" },
	};

	check_codes(codes, sizeof(codes) / sizeof(codes[0]));
}

static void test_code_parts(void)
{
	struct fault_code f;
	char small[12];

	CHECK(fault_code_decode("x86_64", 6, &f));
	CHECK(f.mode == FAULT_USER && f.access == FAULT_WRITE && !f.unknown && !f.nnotes);
	CHECK(f.level == FAULT_NO_LEVEL);
	CHECK(fault_code_decode("aarch64", 0x9600004f, &f));
	CHECK(f.mode == FAULT_SUPERVISOR && f.access == FAULT_WRITE && f.level == 3);
	CHECK(fault_code_decode("riscv64", 13, &f));
	CHECK(f.mode == FAULT_MODE_UNKNOWN && f.access == FAULT_READ);
	f.level = 77;
	CHECK(!fault_code_decode("s390x", 6, &f) && f.level == 77);
	CHECK_TEXT(fault_code_text("x86_64", 6, small, sizeof(small)), "user write,");
	CHECK(!fault_mode_name(FAULT_MODE_UNKNOWN) && !fault_access_name(FAULT_ACCESS_UNKNOWN));
}

TESTS({ "the error code of x86 in words", test_x86_codes },
      { "ESR of arm64 in words", test_arm64_codes },
      { "scause of riscv in words, and no guess for others", test_riscv_codes },
      { "the parts of a code", test_code_parts })
