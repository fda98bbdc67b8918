// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests of io_uring: those in flight, free ones in chains (5.16 and later) and in lists (5.15), completions. */
#include "files/io_requests.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define TASK AT(0)
#define TCTX AT(1)
#define CTX AT(2)
#define NODE(i) AT(10 + (i))
#define NODES 3
#define OFFSETS AT(5)
#define COUNTERS 0x100

struct links {
	uint64_t next, prev;
};
static uint64_t task[1] = { TCTX };
static struct {
	int32_t cached, unused;
	int64_t count;
	uint64_t counters;
} tctx;
static struct {
	struct links free, locked, overflow;
	uint32_t nfree;
} ctx;
static struct links nodes[NODES];
static const uint64_t offsets[2] = { AT(6) - COUNTERS, AT(7) - COUNTERS };
static int32_t counts[2];
static const uint32_t ids = 2;

static const struct stub_memory memory[] = {
	{ TASK, task, sizeof(task) },
	{ TCTX, &tctx, sizeof(tctx) },
	{ CTX, &ctx, sizeof(ctx) },
	{ OFFSETS, offsets, sizeof(offsets) },
	{ AT(6), &counts[0], sizeof(counts[0]) },
	{ AT(7), &counts[1], sizeof(counts[1]) },
	{ AT(8), &ids, sizeof(ids) },
	{ NODE(0), &nodes[0], sizeof(nodes[0]) },
	{ NODE(1), &nodes[1], sizeof(nodes[1]) },
	{ NODE(2), &nodes[2], sizeof(nodes[2]) },
	{ AT(9), (const uint64_t[]){ 3 }, 8 },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "io_uring_fops", AT(90), { 0 } },
	{ "__per_cpu_offset", OFFSETS, KINDED(KIND_ARRAY, 0, 16) },
	{ "nr_cpu_ids", AT(8), FIELD(0, 4) },
	{ "__cpu_possible_mask", AT(9), FIELD(0, 8) },
	{ 0 },
};
#define COMMON                                                                        \
	{ "struct task_struct", "io_uring", KINDED(KIND_POINTER, 0, 8) },             \
		{ "struct io_uring_task", "cached_refs", FIELD(0, 4) },               \
		{ "struct io_uring_task", "inflight", KINDED(KIND_STRUCT, 8, 16) },   \
		{ "struct percpu_counter", "count", FIELD(0, 8) },                    \
		{ "struct percpu_counter", "counters", KINDED(KIND_POINTER, 8, 8) },  \
	{                                                                             \
		"struct io_ring_ctx", "cq_overflow_list", KINDED(KIND_STRUCT, 32, 16) \
	}
static const struct stub_member of_6_12[] = {
	COMMON,
	{ "struct io_kiocb", "comp_list", KINDED(KIND_STRUCT, 0, 8) },
	{ "struct io_ring_ctx", "submit_state.free_list", KINDED(KIND_STRUCT, 0, 8) },
	{ "struct io_ring_ctx", "locked_free_list", KINDED(KIND_STRUCT, 16, 16) },
	{ 0 },
};
static const struct stub_member of_5_15[] = {
	COMMON,
	{ "struct io_kiocb", "inflight_entry", KINDED(KIND_STRUCT, 0, 16) },
	{ "struct io_ring_ctx", "submit_state.free_list", KINDED(KIND_STRUCT, 0, 16) },
	{ "struct io_ring_ctx", "locked_free_list", KINDED(KIND_STRUCT, 16, 16) },
	{ "struct io_ring_ctx", "submit_state.free_reqs", FIELD(48, 4) },
	{ 0 },
};
static const struct stub_member of_5_10[] = { COMMON, { 0 } };
static const struct stub_number sizes[] = { { "struct io_kiocb", 256 },
					    { "struct io_mapped_ubuf", 16 },
					    { 0 } };

static enum status ask(const struct stub_member *members, uint64_t *flying, uint64_t *free,
		       uint64_t *overflow)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct io_ring_lists lists;
	struct io_requests r;
	enum status st, ring;

	st = io_requests_find(&s.dump, &r);
	CHECK(st == ST_OK && r.request_bytes == 256);
	st = st ?: io_requests_in_flight(&r, TASK, flying);
	ring = io_requests_of_ring(&r, CTX, &lists);
	*free = lists.free;
	*overflow = lists.overflow;
	CHECK(!lists.overflow || lists.completion == NODE(NODES - 1));
	return st ?: ring;
}

static void fill(bool is_chain)
{
	const struct links none = { CTX + 32, CTX + 32 };

	memset(&ctx, 0, sizeof(ctx));
	tctx.cached = 40;
	tctx.count = 1000;
	tctx.counters = COUNTERS;
	counts[0] = 50;
	counts[1] = -10;
	ctx.overflow = none;
	for (unsigned int i = 0; i < NODES; i++)
		nodes[i] = (struct links){ i + 1 < NODES ? NODE(i + 1)
					   : is_chain	 ? 0
							 : CTX,
					   i ? NODE(i - 1) : CTX };
	ctx.free = (struct links){ NODE(0), NODE(NODES - 1) };
	ctx.locked = is_chain ? (struct links){ 0 } : (struct links){ CTX + 16, CTX + 16 };
	ctx.nfree = 5;
}

static void those_in_flight(void)
{
	uint64_t flying = 0, free = 0, overflow = 0;

	fill(true);
	CHECK(ask(of_6_12, &flying, &free, &overflow) == ST_OK);
	CHECK(flying == 1000 && free == NODES && !overflow); /* 1000 + 50 - 10 - 40 */
	tctx.cached = 2000; /* taken on another CPU meanwhile: none is in flight */
	CHECK(ask(of_6_12, &flying, &free, &overflow) == ST_OK && !flying);
	tctx.cached = -1;
	CHECK(ask(of_6_12, &flying, &free, &overflow) == ST_CORRUPT);
	task[0] = 0;
	CHECK(ask(of_6_12, &flying, &free, &overflow) == ST_OK && !flying);
	task[0] = TCTX;
}

static void free_ones(void)
{
	uint64_t flying, free = 0, overflow = 0;

	fill(true);
	ctx.locked.next = NODE(1);
	CHECK(ask(of_6_12, &flying, &free, &overflow) == ST_OK && free == NODES + 2);
	fill(false);
	CHECK(ask(of_5_15, &flying, &free, &overflow) == ST_OK && free == NODES + 5);
	CHECK(ask(of_5_10, &flying, &free, &overflow) == ST_OK && !free);
	ctx.nfree = 0x7fffffff;
	CHECK(ask(of_5_15, &flying, &free, &overflow) == ST_CORRUPT);
	fill(true);
	nodes[0].next = AT(80); /* in no dump */
	CHECK(ask(of_6_12, &flying, &free, &overflow) == ST_UNREADABLE);
}

static void completions_without_room(void)
{
	uint64_t flying, free = 0, overflow = 0;

	fill(true);
	ctx.free.next = 0;
	ctx.overflow = (struct links){ NODE(0), NODE(NODES - 1) };
	nodes[0].prev = nodes[NODES - 1].next = CTX + 32;
	CHECK(ask(of_6_12, &flying, &free, &overflow) == ST_OK && !free && overflow == NODES);
}

static void a_kernel_without_them_says_so(void)
{
	STUB(s, .members = of_6_12);
	struct io_requests r;

	CHECK(io_requests_find(&s.dump, &r) == ST_ABSENT);
}

TESTS({ "those in flight", those_in_flight }, { "free ones", free_ones },
      { "completions without room", completions_without_room },
      { "a kernel without them says so", a_kernel_without_them_says_so })
