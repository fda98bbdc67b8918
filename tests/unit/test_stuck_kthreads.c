// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that wait for what kswapd or a worker of a workqueue does, which waits itself. */
#include "collect/stuck_circle.h"
#include "collect/stuck_kthreads.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"

#define NODE 0x8000
#define HEAD (NODE + 24)
#define TASK(i) (0x7000 + 0x100 * (uint64_t)(i))
#define ENTRY(i) (0x9000 + 0x100 * (uint64_t)(i))

enum { EATER, SLEEPER, KSWAPD, HOLDER, N };

static struct {
	uint32_t id, pad;
	uint64_t kswapd, lock, next, prev;
} node;
static struct {
	uint64_t flags, private, func, next, prev;
} entries[2];

static const struct stub_member members[] = {
	{ "struct pglist_data", "node_id", FIELD(0, 4) },
	{ "struct pglist_data", "kswapd", FIELD(8, 8) },
	{ "struct pglist_data", "pfmemalloc_wait", FIELD(16, 24) },
	{ "struct wait_queue_head", "head", FIELD(8, 16) },
	{ "struct wait_queue_entry", "private", FIELD(8, 8) },
	{ "struct wait_queue_entry", "entry", FIELD(24, 16) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct pglist_data", 40 }, { 0 } };
static const struct stub_symbol symbols[] = { { "contig_page_data", NODE, FIELD(0, 40) }, { 0 } };
static const struct stub_memory memory[] = { { NODE, &node, sizeof(node) },
					     { ENTRY(0), &entries[0], sizeof(entries[0]) },
					     { ENTRY(1), &entries[1], sizeof(entries[1]) },
					     { 0 } };

static struct stuck_task all[N];
static struct hash_u64 tasks;

static void wait_for_lock(struct stuck_task *s, const char *name, struct stuck_task *holder)
{
	s->is_on_lock = s->has_lock = true;
	s->waits_for = "mutex";
	s->lock_name = name;
	s->holder = holder;
}

static void set_up(struct stub *stub)
{
	static const char *const names[N] = { "eater", "sleeper", "kswapd0", "holder" };

	STUB_OPEN(*stub, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes);
	hash_u64_init(&tasks, stub->dump.arena, sizeof(struct stuck_task *));
	for (unsigned int i = 0; i < N; i++) {
		all[i] = (struct stuck_task){
			.task = { .pid = (int32_t)i + 1, .address = TASK(i), .state = 'D' }
		};
		all[i].next = i + 1 < N ? &all[i + 1] : NULL;
		snprintf(all[i].task.comm, sizeof(all[i].task.comm), "%s", names[i]);
		*(struct stuck_task **)hash_u64_get(&tasks, TASK(i), NULL) = &all[i];
	}
	node.kswapd = TASK(KSWAPD);
	node.next = ENTRY(0) + 24;
	node.prev = ENTRY(1) + 24;
	for (unsigned int i = 0; i < 2; i++) {
		entries[i].private = TASK(i);
		entries[i].next = i ? HEAD : ENTRY(1) + 24;
		entries[i].prev = i ? ENTRY(0) + 24 : HEAD;
		all[i].waits_for = "reclaim";
	}
	/* Without __GFP_FS it wakes by itself. */
	all[SLEEPER].task.state = 'S';
}

static void a_circle(void)
{
	struct strbuf b = STRBUF_OF(512);
	struct stub stub;

	set_up(&stub);
	wait_for_lock(&all[KSWAPD], "m", &all[HOLDER]);
	wait_for_lock(&all[HOLDER], "n", &all[EATER]);
	CHECK(!stuck_find_kswapd(&stub.dump, all, &tasks));
	CHECK(all[EATER].holder == &all[KSWAPD] && all[EATER].holds == HOLDS_KSWAPD);
	CHECK(!all[SLEEPER].holder && all[KSWAPD].is_holder);
	for (unsigned int i = 0; i < N; i++)
		stuck_find_circle(&all[i]);
	CHECK(stuck_deadlock_words(&all[EATER], &b));
	CHECK_TEXT(
		b.buf,
		"deadlock: eater (1) waits for free pages of node 0, which kswapd0 (3) frees, "
		"which waits for m, which holder (4) has, which waits for n, which eater (1) has");
	stub_close(&stub);
}

/* It may free some, or has freed them: nobody is in the way. */
static void kswapd_that_works(void)
{
	struct stub stub;

	set_up(&stub);
	CHECK(!stuck_find_kswapd(&stub.dump, all, &tasks));
	CHECK(!all[EATER].holder && !all[KSWAPD].is_holder);
	/* A list that cannot be followed. */
	wait_for_lock(&all[KSWAPD], "m", &all[HOLDER]);
	node.next = 0xdead000;
	node.prev = 0xdead000;
	CHECK(stuck_find_kswapd(&stub.dump, all, &tasks));
	CHECK(!all[EATER].holder);
	stub_close(&stub);
}

#define STACK 0xffffc90000100000ULL
#define KTHREAD 0xffff888000100000ULL
#define WORKER 0xffff888000101000ULL

static uint64_t kthread[1] = { WORKER };
static struct {
	uint64_t next, prev, work, function, pool;
} worker;
static struct {
	uint64_t next, prev;
} barrier;

/* Of a kernel that notes since when a thread waits for its CPU the first two. */
static const struct stub_member of_starved[] = {
	{ "struct task_struct", "sched_info.last_queued", FIELD(0, 8) },
	{ "struct task_struct", "cpu", FIELD(8, 4) },
	{ "struct kthread", "data", KINDED(KIND_POINTER, 0, 8) },
	{ "struct worker", "scheduled", FIELD(0, 16) },
	{ "struct worker", "current_work", KINDED(KIND_POINTER, 16, 8) },
	{ "struct worker", "current_func", KINDED(KIND_POINTER, 24, 8) },
	{ "struct worker", "pool", KINDED(KIND_POINTER, 32, 8) },
	{ "struct worker_pool", "cpu", FIELD(0, 4) },
	{ "struct worker_pool", "worklist", FIELD(8, 16) },
	{ "struct work_struct", "entry", FIELD(8, 16) },
	{ "struct work_struct", "func", KINDED(KIND_POINTER, 24, 8) },
	{ 0 },
};
static const struct stub_member *const of_works = of_starved + 2;

/* What flushes a work waits for the worker that has its barrier. */
static void a_work(void)
{
	static const struct stub_number bytes[] = { { "union thread_union", 16384 }, { 0 } };
	static const struct stub_memory at[] = { { KTHREAD, kthread, sizeof(kthread) },
						 { WORKER, &worker, sizeof(worker) },
						 { STACK + 100, &barrier, sizeof(barrier) },
						 { 0 } };
	const struct frame flush = { .symbol = "__flush_work.isra.0" };

	for (int i = 0; i < 4; i++) {
		STUB(s, .memory = at, .members = of_works, .sizes = bytes);
		struct stuck_task flusher = {
			.task = { .pid = 1, .stack = i == 2 ? 0 : STACK, .comm = "agent" },
			.state = "D",
			.caller = &flush
		};
		struct stuck_task kworker = { .task = { .pid = 2,
							.stack = STACK + 16384,
							.flags = PF_WQ_WORKER,
							.kthread = KTHREAD,
							.comm = "kworker" },
					      .state = "D",
					      .next = &flusher };
		struct strbuf b = STRBUF_OF(128);

		worker.work = i == 1 ? 0 : WORKER + 200;
		worker.next = worker.prev = STACK + 100;
		barrier.next = barrier.prev = WORKER;
		if (i == 3)
			worker.next = worker.prev = 0xdead000;
		CHECK(!stuck_find_workers(&s.dump, &kworker) == (i < 3));
		CHECK(flusher.holder == (i ? NULL : &kworker) && kworker.is_holder == !i);
		if (i)
			continue;
		stuck_task_words(&flusher, &b);
		CHECK_TEXT(b.buf, "agent (1) waits for a work, which kworker (2) runs");
		CHECK_TEXT(flusher.waits_for, "flush_work");
	}
}

#define POOL 0xffff888000102000ULL
#define WORK(i) (0xffff888000103000ULL + 0x100 * (uint64_t)(i))
#define FLUSHER(i) (STACK + 16384 * (uint64_t)(i))
#define BARRIER(i) (FLUSHER(i) + 96)

static struct {
	int32_t cpu, pad;
	uint64_t next, prev;
} pool;

/* A work, or the first member of a barrier. */
static struct work {
	uint64_t data, next, prev, function;
} works[2], barriers[2];

/* Each work with a barrier behind it, which no worker has begun. */
static void link_pool(void)
{
	const uint64_t order[] = { WORK(0), BARRIER(0), WORK(1), BARRIER(1) };
	struct work *const of[] = { &works[0], &barriers[0], &works[1], &barriers[1] };

	for (unsigned int i = 0; i < 4; i++) {
		of[i]->prev = i ? order[i - 1] + 8 : POOL + 8;
		of[i]->next = i < 3 ? order[i + 1] + 8 : POOL + 8;
	}
	pool.next = order[0] + 8;
	pool.prev = order[3] + 8;
	works[0].function = 0x5000;
	works[1].function = 0x6000;
}

/* Nobody runs it: who waits for it has no holder. */
static void a_pending_work(void)
{
	static const struct stub_number bytes[] = { { "union thread_union", 16384 }, { 0 } };
	static const struct stub_memory at[] = {
		{ KTHREAD, kthread, sizeof(kthread) },
		{ WORKER, &worker, sizeof(worker) },
		{ POOL, &pool, sizeof(pool) },
		{ WORK(0), &works[0], sizeof(works[0]) },
		{ WORK(1), &works[1], sizeof(works[1]) },
		{ BARRIER(0), &barriers[0], sizeof(barriers[0]) },
		{ BARRIER(1), &barriers[1], sizeof(barriers[1]) },
		{ 0 },
	};
	static const struct stub_symbol functions[] = { { "refresh", 0x5000, FIELD(0, 16) },
							{ "drain", 0x6000, FIELD(0, 16) },
							{ 0 } };
	const struct frame flush = { .symbol = "__flush_work" };

	for (int i = 0; i < 4; i++) {
		STUB(s, .memory = at, .members = of_works, .sizes = bytes, .symbols = functions);
		struct stuck_task flushers[2], kworker = { .task = { .pid = 3,
								     .stack = FLUSHER(2),
								     .flags = PF_WQ_WORKER,
								     .kthread = KTHREAD },
							   .state = "R",
							   .next = flushers };
		struct strbuf b = STRBUF_OF(128);

		for (int n = 0; n < 2; n++)
			flushers[n] = (struct stuck_task){
				.task = { .pid = n + 1, .stack = FLUSHER(n), .comm = "stats" },
				.state = "D",
				.caller = &flush,
				.next = n ? NULL : &flushers[1],
			};
		worker.work = 0;
		worker.next = worker.prev = WORKER;
		worker.pool = POOL;
		pool.cpu = i == 1 ? -1 : 1;
		link_pool();
		if (i == 2)
			works[1].next = works[1].prev = barriers[0].next = 0xdead000;
		/* What the last barrier is behind is not in the dump: it is none that was read before. */
		if (i == 3)
			barriers[0].next = barriers[1].prev = 0xdead000;
		CHECK(!stuck_find_workers(&s.dump, &kworker) == (i < 2));
		CHECK(!flushers[0].holder && !kworker.is_holder && flushers[0].is_on_work);
		CHECK_TEXT(flushers[0].waits_for, "flush_work");
		stuck_task_words(&flushers[1], &b);
		if (i < 2)
			CHECK_TEXT(b.buf, i ? "stats (2) waits for work drain, not begun"
					    : "stats (2) waits for work drain, not begun on CPU 1");
		if (i == 3)
			CHECK_TEXT(b.buf, "stats (2) waits for a work, not begun on CPU 1");
	}
}

#define QUEUED 0xffff888000104000ULL

/* The worker that would begin it could run: who has its CPU is who is waited for. */
static void a_starved_worker(void)
{
	static struct {
		uint64_t queued;
		uint32_t cpu, pad;
	} task;
	static const struct stub_number bytes[] = { { "union thread_union", 16384 },
						    { "struct sched_info", 32 },
						    { 0 } };
	static const struct stub_memory at[] = {
		{ KTHREAD, kthread, sizeof(kthread) },
		{ WORKER, &worker, sizeof(worker) },
		{ POOL, &pool, sizeof(pool) },
		{ WORK(0), &works[0], sizeof(works[0]) },
		{ WORK(1), &works[1], sizeof(works[1]) },
		{ BARRIER(0), &barriers[0], sizeof(barriers[0]) },
		{ BARRIER(1), &barriers[1], sizeof(barriers[1]) },
		{ QUEUED, &task, sizeof(task) },
		{ 0 },
	};
	static const struct stub_symbol functions[] = { { "drain", 0x6000, FIELD(0, 16) }, { 0 } };
	const struct frame flush = { .symbol = "__flush_work" };

	for (int i = 0; i < 4; i++) {
		STUB(s, .memory = at, .members = of_starved, .sizes = bytes, .symbols = functions);
		struct stuck_task flusher = {
			.task = { .pid = 2, .stack = FLUSHER(1), .comm = "stats" },
			.state = "D",
			.caller = &flush
		};
		struct stuck_task kworker = { .task = { .pid = 3,
							.address = QUEUED,
							.stack = FLUSHER(2),
							.flags = PF_WQ_WORKER,
							.kthread = KTHREAD,
							.comm = "kworker/1:2",
							.state = i == 2 ? 'S' : 'R' },
					      .state = { i == 2 ? 'S' : 'R' },
					      .on_cpu = i == 3,
					      .next = &flusher };
		struct strbuf b = STRBUF_OF(128);

		task.queued = i == 1 ? 0 : 5;
		task.cpu = 1;
		worker.work = 0;
		worker.next = worker.prev = WORKER;
		worker.pool = POOL;
		pool.cpu = 1;
		link_pool();
		CHECK(!stuck_find_workers(&s.dump, &kworker));
		CHECK(flusher.holder == (i ? NULL : &kworker) && kworker.is_holder == !i);
		if (i)
			continue;
		CHECK_TEXT(stuck_holder_mode(&flusher), "free_worker");
		stuck_task_words(&flusher, &b);
		CHECK_TEXT(b.buf, "stats (2) waits for work drain, not begun on CPU 1, which "
				  "kworker/1:2 (3) is to begin");
		/* What ran there is not in this dump. */
		CHECK_TEXT(kworker.lock_name, "CPU 1");
		CHECK_TEXT(kworker.waits_for, "cpu");
		CHECK(!kworker.holder);
	}
}

#define DONE (NODE + 0x4000)

/* rmmod waits for the end of a thread of its driver: the completion in the struct kthread has an entry on its stack. */
static void a_thread_that_is_stopped(void)
{
	static const struct stub_member of_kthreads[] = {
		{ "struct task_struct", "vfork_done", FIELD(0, 8) },
		{ "struct completion", "wait.task_list", FIELD(8, 16) },
		{ 0 },
	};
	static const struct stub_number thread_size[] = { { "union thread_union", 0x4000 }, { 0 } };
	static struct {
		uint64_t done[2], other[2], completion[3];
	} at;
	static const struct stub_memory memories[] = {
		{ NODE, at.done, sizeof(at.done) },
		{ NODE + 0x1000, at.other, sizeof(at.other) },
		{ DONE, at.completion, sizeof(at.completion) },
		{ 0 }
	};
	static const struct frame stop = { .symbol = "kthread_stop" };
	STUB(s, .memory = memories, .members = of_kthreads, .sizes = thread_size);
	struct stuck_task of[3] = {
		{ .next = &of[1],
		  .caller = &stop,
		  .waits_for = "other",
		  .task = { .pid = 335,
			    .comm = "rmmod",
			    .mm = 1,
			    .state = 'D',
			    .stack = 0xa0000 } },
		{ .next = &of[2],
		  .waits_for = "other",
		  .task = { .pid = 293, .comm = "dimscan/0", .address = NODE } },
		{ .task = { .pid = 2, .comm = "other", .address = NODE + 0x1000 } },
	};
	struct strbuf b = STRBUF_OF(256);

	at.done[0] = DONE;
	/* Nothing waits for it. */
	at.completion[1] = DONE + 8;
	CHECK(!stuck_find_stopping(&s.dump, of) && !of[0].holder);
	/* An entry on another stack. */
	at.completion[1] = 0xa0000 + 0x10000;
	CHECK(!stuck_find_stopping(&s.dump, of) && !of[0].holder);
	at.completion[1] = 0xa0000 + 0x3e00;
	CHECK(!stuck_find_stopping(&s.dump, of));
	CHECK(of[0].holder == &of[1] && of[1].is_holder);
	CHECK_TEXT(stuck_holder_mode(&of[0]), "stopped");
	stuck_task_words(&of[0], &b);
	CHECK_TEXT(b.buf,
		   "rmmod (335) waits for the end of the thread that it stops, dimscan/0 (293)");
	/* One that cannot be read may be it. */
	of[0].holder = NULL;
	of[1].task.address = 0x123000;
	CHECK(stuck_find_stopping(&s.dump, of) && !of[0].holder);
	stub_close(&s);
}

static void a_thread_that_is_to_start(void)
{
	static const struct frame create = { .symbol = "__kthread_create_on_node" },
				  loop = { .symbol = "kthreadd" },
				  reclaim = { .symbol = "rq_qos_wait" };
	struct stuck_task of[2] = {
		{ .next = &of[1],
		  .caller = &create,
		  .waits_for = "other",
		  .task = { .pid = 23, .comm = "kworker/1:0H", .state = 'D' } },
		{ .caller = &loop, .task = { .pid = 2, .comm = "kthreadd", .state = 'D' } },
	};
	struct strbuf b = STRBUF_OF(256);

	/* It sleeps until there is something to do, or runs. */
	stuck_find_starting(of);
	CHECK(!of[0].holder);
	of[1].caller = &reclaim;
	of[1].task.state = 'R';
	stuck_find_starting(of);
	CHECK(!of[0].holder);
	of[1].task.state = 'D';
	stuck_find_starting(of);
	CHECK(of[0].holder == &of[1] && of[1].is_holder);
	CHECK_TEXT(stuck_holder_mode(&of[0]), "starts");
	stuck_task_words(&of[0], &b);
	CHECK_TEXT(b.buf,
		   "kworker/1:0H (23) waits for a new thread of the kernel, which kthreadd (2) "
		   "is to start");
	/* The user's own process of that name is none. */
	of[0].holder = NULL;
	of[1].task.mm = 1;
	stuck_find_starting(of);
	CHECK(!of[0].holder);
}

TESTS({ "a thread that is to start", a_thread_that_is_to_start },
      { "a thread that is stopped", a_thread_that_is_stopped }, { "a work", a_work },
      { "a pending work", a_pending_work }, { "a starved worker", a_starved_worker },
      { "a circle", a_circle }, { "kswapd that works", kswapd_that_works })
