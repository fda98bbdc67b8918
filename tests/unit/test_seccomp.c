// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of seccomp: their chain, the program of each, and the instructions that it was made of. */
#include "stub.h"
#include "tasks/seccomp.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)

static uint64_t task[1] = { AT(1) };
static uint64_t filters[2][2] = { { AT(2), AT(3) }, { 0, AT(4) } };
static struct {
	uint16_t pages, pad;
	uint32_t jited;
	uint64_t original;
} progs[2] = { { 10, 0, 20000, AT(5) }, { 1, 0, 300, 0 } };
static uint16_t original[1] = { 4090 };

static const struct stub_memory memory[] = {
	{ AT(0), task, 8 },
	{ AT(1), filters[0], 16 },
	{ AT(2), filters[1], 16 },
	{ AT(3), progs, 16 },
	{ AT(4), progs + 1, 16 },
	{ AT(5), original, 2 },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "get_seccomp_filter", AT(90), { 0 } }, { 0 } };
static const struct stub_member members[] = {
	{ "struct task_struct", "seccomp.filter", KINDED(KIND_POINTER, 0, 8) },
	{ "struct seccomp_filter", "prev", KINDED(KIND_POINTER, 0, 8) },
	{ "struct seccomp_filter", "prog", KINDED(KIND_POINTER, 8, 8) },
	{ "struct bpf_prog", "pages", FIELD(0, 2) },
	{ "struct bpf_prog", "jited_len", FIELD(4, 4) },
	{ "struct bpf_prog", "orig_prog", KINDED(KIND_POINTER, 8, 8) },
	{ "struct sock_fprog_kern", "len", FIELD(0, 2) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct seccomp_filter", 96 }, { 0 } };

static void a_chain_has_programs(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct seccomp_filters f;
	struct seccomp_filter filter;
	uint64_t first = 0;

	CHECK(seccomp_filters_open(&s.dump, &f) == ST_OK && f.bytes == 96);
	CHECK(seccomp_of_task(&f, AT(0), &first) == ST_OK && first == AT(1));
	CHECK(seccomp_filter_read(&f, first, &filter) == ST_OK && filter.prev == AT(2) &&
	      filter.pages == 10 && filter.jited == 20000 && filter.original == 4090 * 8);
	CHECK(seccomp_filter_read(&f, filter.prev, &filter) == ST_OK && !filter.prev &&
	      filter.pages == 1 && filter.jited == 300 && !filter.original);
	CHECK(seccomp_filter_read(&f, AT(80), &filter) == ST_UNREADABLE);
}

static void a_kernel_without_them_says_so(void)
{
	STUB(s, .symbols = NULL);
	struct seccomp_filters f;

	CHECK(seccomp_filters_open(&s.dump, &f) == ST_ABSENT);
}

TESTS({ "a chain has programs", a_chain_has_programs },
      { "a kernel without them says so", a_kernel_without_them_says_so })
