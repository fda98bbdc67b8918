// SPDX-License-Identifier: GPL-2.0-or-later
/* Transparent huge pages, and the thread that makes them (lib/tasks/khugepaged.c). */
#include "tasks/khugepaged.h"
#include "stub.h"
#include "test.h"

#define FLAGS 0xffffffff82000000ULL
#define COUNTS 0xffffffff82000100ULL
#define THREAD 0xffffffff82000200ULL
#define TASK 0xffff888000100000ULL

static uint64_t flags, thread;
static uint32_t counts[2], state[2];
static const struct stub_memory memory[] = { { FLAGS, &flags, 8 },
					     { COUNTS, counts, 8 },
					     { THREAD, &thread, 8 },
					     { TASK, state, 8 },
					     { 0 } };
static const struct stub_symbol symbols[] = {
	{ "transparent_hugepage_flags", FLAGS, FIELD(0, 8) },
	{ "khugepaged_pages_collapsed", COUNTS, FIELD(0, 4) },
	{ "khugepaged_full_scans", COUNTS + 4, FIELD(0, 4) },
	{ "khugepaged_thread", THREAD, KINDED(KIND_POINTER, 0, 8) },
	{ 0 },
};
/* As numbered in 5.10, where the first is of no anonymous memory, and in 6.12. */
static const struct stub_number old[] = { { "TRANSPARENT_HUGEPAGE_FLAG", 1 },
					  { "TRANSPARENT_HUGEPAGE_REQ_MADV_FLAG", 2 },
					  { 0 } };
static const struct stub_number new[] = { { "TRANSPARENT_HUGEPAGE_FLAG", 2 },
					  { "TRANSPARENT_HUGEPAGE_REQ_MADV_FLAG", 3 },
					  { 0 } };
static const struct stub_member members[] = { { "struct task_struct", "__state", FIELD(4, 4) },
					      { 0 } };

static struct khugepaged told(const struct stub_number *enumerators)
{
	struct khugepaged k = { 0 };
	STUB(s, .memory = memory, .symbols = symbols, .members = members,
	     .enumerators = enumerators);

	CHECK(khugepaged_read(&s.dump, &k) == ST_OK);
	return k;
}

static void enabled_by_the_kernels_own_bits(void)
{
	flags = 1 << 2;
	CHECK_TEXT(told(old).enabled, "madvise");
	CHECK_TEXT(told(new).enabled, "always");
	flags = 1 << 4;
	CHECK_TEXT(told(new).enabled, "never");
	/* Debug information without the enum. */
	CHECK(!told(NULL).enabled);
}

static void what_the_thread_does(void)
{
	thread = 0;
	counts[0] = 3;
	counts[1] = 12;
	CHECK_TEXT(told(new).state, "none");
	CHECK(told(new).collapsed.known && told(new).collapsed.n == 3);
	CHECK(told(new).scans.known && told(new).scans.n == 12);
	thread = TASK;
	state[1] = 1;
	CHECK_TEXT(told(new).state, "asleep");
	state[1] = 0;
	CHECK_TEXT(told(new).state, "runs");
	/* Its task_struct is not in this dump. */
	thread = TASK + 4096;
	CHECK(!told(new).state);
}

static void not_built_in(void)
{
	struct khugepaged k;
	STUB(s, .memory = memory);

	CHECK(khugepaged_read(&s.dump, &k) == ST_ABSENT);
}

TESTS({ "enabled, by the kernel's own bits", enabled_by_the_kernels_own_bits },
      { "what the thread does, and did", what_the_thread_does },
      { "a kernel without", not_built_in })
