// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of seccomp: their chain, the program of each, and the instructions that it was made of. */
#include "stub.h"
#include "tasks/seccomp_wait.h"
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

#define STACK 0xffffc90000000000ULL

/* The second filter of the chain has a supervisor, which has not answered two tasks. */
static struct {
	uint64_t prev, prog, notif;
} asking[2] = { { AT(12), AT(3), 0 }, { 0, AT(4), AT(13) } };
static uint64_t notification[2] = { AT(14), STACK + 0x800 }, other[2] = { STACK + 0x800, AT(13) },
		own_stack[0x200];

static void whose_answer_a_task_waits_for(void)
{
	static const uint64_t with_filters[1] = { AT(11) };
	const struct stub_memory asked[] = {
		{ AT(0), with_filters, 8 },
		{ AT(11), &asking[0], 24 },
		{ AT(12), &asking[1], 24 },
		{ AT(13), notification, 16 },
		{ AT(14), other, 16 },
		{ STACK, own_stack, sizeof(own_stack) },
		{ 0 },
	};
	static const struct stub_symbol notified[] = { { "get_seccomp_filter", AT(90), { 0 } },
						       { "seccomp_notify_ops", AT(91), { 0 } },
						       { 0 } };
	static const struct stub_member with_notif[] = {
		{ "struct task_struct", "seccomp.filter", KINDED(KIND_POINTER, 0, 8) },
		{ "struct seccomp_filter", "prev", KINDED(KIND_POINTER, 0, 8) },
		{ "struct seccomp_filter", "prog", KINDED(KIND_POINTER, 8, 8) },
		{ "struct seccomp_filter", "notif", KINDED(KIND_POINTER, 16, 8) },
		{ "struct bpf_prog", "pages", FIELD(0, 2) },
		{ "struct notification", "notifications", FIELD(0, 16) },
		{ "struct seccomp_knotif", "list", FIELD(0, 16) },
		{ 0 },
	};
	STUB(s, .memory = asked, .symbols = notified, .members = with_notif, .sizes = sizes);
	struct task_stack of = {
		.base = STACK, .size = sizeof(own_stack), .bytes = (void *)own_stack, .sp = STACK
	};
	struct seccomp_waits w;
	uint64_t filter = 0;

	own_stack[0x100] = AT(13);
	own_stack[0x101] = AT(14);
	CHECK(seccomp_waits_open(&s.dump, &w) == ST_OK);
	CHECK(seccomp_wait_find(&w, AT(0), &of, &filter) == ST_OK && filter == AT(12));
	/* A request of a call that is over is below the stack. */
	of.sp = STACK + 0x900;
	CHECK(seccomp_wait_find(&w, AT(0), &of, &filter) == ST_ABSENT);
	of.sp = STACK;
	asking[1].notif = 0;
	CHECK(seccomp_wait_find(&w, AT(0), &of, &filter) == ST_ABSENT);
}

TESTS({ "a chain has programs", a_chain_has_programs },
      { "a kernel without them says so", a_kernel_without_them_says_so },
      { "whose answer a task waits for", whose_answer_a_task_waits_for })
