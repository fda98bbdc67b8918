// SPDX-License-Identifier: GPL-2.0-or-later
/* A lock whose owner has exited, and whose task_struct another task has by now. */
#include "collect/stuck_circle.h"
#include "collect/stuck_reused.h"
#include "collect/stuck_words.h"
#include "memory/stuck_rows.h"
#include "stub.h"
#include "test.h"

#define MS 1000000ULL
#define OWNER 0x7000
#define LOCK 0x9000

static struct {
	uint64_t clock, clock_task;
} rq;
static struct {
	uint64_t base, shifted_ns, shift;
} keeper;
static const uint64_t offsets[] = { 0x10000 };
static const uint64_t possible[] = { 1 };
static const uint32_t cpus[] = { 1 };

static const struct stub_member members[] = {
	{ "struct rq", "clock", FIELD(0, 8) },
	{ "struct rq", "clock_task", FIELD(8, 8) },
	{ "struct timekeeper", "tkr_mono.base", FIELD(0, 8) },
	{ "struct timekeeper", "tkr_mono.xtime_nsec", FIELD(8, 8) },
	{ "struct timekeeper", "tkr_mono.shift", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct timekeeper", 24 }, { 0 } };
static const struct stub_symbol symbols[] = {
	{ "nr_cpu_ids", 0x1000, FIELD(0, 4) },
	{ "__per_cpu_offset", 0x1100, KINDED(KIND_ARRAY, 0, 8) },
	{ "__cpu_possible_mask", 0x1200, FIELD(0, 8) },
	{ "runqueues", 0x100, FIELD(0, 16) },
	{ "shadow_timekeeper", 0x2000, FIELD(0, 24) },
	{ 0 },
};
static const struct stub_memory memory[] = {
	{ 0x1000, cpus, sizeof(cpus) },		{ 0x1100, offsets, sizeof(offsets) },
	{ 0x1200, possible, sizeof(possible) }, { 0x10100, &rq, sizeof(rq) },
	{ 0x2000, &keeper, sizeof(keeper) },	{ 0 },
};

static struct stuck_task all[3];
static bool is_gap; /* what it could not ask is told */

/* Two waiters, and the task whose task_struct the lock names; CLOCK_MONOTONIC is 30 ms ahead. */
static void set_up(void)
{
	rq.clock = rq.clock_task = 25000 * MS;
	keeper.base = 25000 * MS;
	keeper.shift = 8;
	keeper.shifted_ns = 30 * MS << 8;
	for (unsigned int i = 0; i < 3; i++) {
		all[i] = (struct stuck_task){ .task = { .pid = (int32_t)i + 1, .state = 'D' } };
		all[i].next = i < 2 ? &all[i + 1] : NULL;
	}
	for (unsigned int i = 0; i < 2; i++) {
		all[i].is_on_lock = all[i].has_lock = all[i].has_since = true;
		all[i].lock = (struct lock_wait){ .kind = LOCK_MUTEX,
						  .lock = LOCK,
						  .waiters = 2,
						  .by = LOCK_OWNER_HAS_IT,
						  .owner = OWNER };
		all[i].since_ns = (17000 + 440 * i) * MS;
		snprintf(all[i].task.comm, sizeof(all[i].task.comm), "waiter");
	}
	all[2].task.address = OWNER;
	all[2].task.start_ns = 17580 * MS;
}

static bool is_reused(void)
{
	STUB(stub, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes);
	struct hash_u64 tasks;

	hash_u64_init(&tasks, stub.dump.arena, sizeof(struct stuck_task *));
	*(struct stuck_task **)hash_u64_get(&tasks, OWNER, NULL) = &all[2];
	stuck_find_reused(&stub.dump, all, &tasks);
	is_gap = stub.dump.gaps != NULL;
	return all[0].lock.by == LOCK_OWNER_REUSED;
}

static void born_behind_its_waiters(void)
{
	struct strbuf b = STRBUF_OF(256);

	set_up();
	CHECK(is_reused());
	stuck_task_words(&all[0], &b);
	CHECK_TEXT(b.buf, "waiter (1) waits for a lock: the task that had it has exited, its "
			  "task_struct is of a later task");
	/* It may be the one that had it, or a later one; where nothing tells that it lives. */
	set_up();
	all[2].task.state = 'Z';
	CHECK(!is_reused() && all[0].lock.by == LOCK_OWNER_GONE &&
	      all[1].lock.by == LOCK_OWNER_GONE);
	b.len = 0;
	stuck_task_words(&all[0], &b);
	CHECK_TEXT(b.buf,
		   "waiter (1) waits for a lock: the task that it names has exited, and so may "
		   "have one before it that had the same task_struct");
	/* The other waiter may have been woken, and this one have taken the lock from it. */
	set_up();
	all[1].since_ns = 17600 * MS;
	CHECK(!is_reused());
	set_up();
	all[1].task.state = 'R';
	CHECK(!is_reused());
	set_up();
	all[1].has_lock = false;
	CHECK(!is_reused());
	set_up();
	all[1].has_since = false;
	CHECK(!is_reused());
	/* It is older than their wait. */
	set_up();
	all[2].task.start_ns = 16000 * MS;
	CHECK(!is_reused());
	set_up();
	all[2].task.start_ns = 0;
	CHECK(!is_reused());
}

/* Not all waiters are known to be older: it may have come before the one that was woken. */
static void younger_than_a_waiter(void)
{
	struct strbuf b = STRBUF_OF(512);

	set_up();
	all[1].since_ns = 17600 * MS;
	CHECK(!is_reused() && all[0].owner_is_younger && all[1].owner_is_younger);
	all[0].holder = all[1].holder = &all[2];
	all[0].holds = all[1].holds = HOLDS_LOCK;
	CHECK(stuck_owner_is_doubted(&all[0]) && stuck_owner_is_doubted(&all[1]));
	stuck_task_words(&all[0], &b);
	CHECK_TEXT(
		b.buf,
		"waiter (1) waits for a lock, whose owner is doubtful: the task that it names was born "
		"after a waiter of it stopped: it took it before the one that was woken for it, or "
		"has the task_struct of one that exited with it");
	/* A waiter that was not found, or of which it is unknown when it stopped. */
	set_up();
	all[1].has_lock = false;
	CHECK(!is_reused() && all[0].owner_is_younger);
	set_up();
	all[1].has_since = false;
	CHECK(!is_reused() && all[0].owner_is_younger && all[1].owner_is_younger);
	/* One was woken: the lock was given back meanwhile. */
	set_up();
	all[1].task.state = 'R';
	CHECK(!is_reused() && !all[0].owner_is_younger);
	/* It is older than their wait. */
	set_up();
	all[1].since_ns = 17600 * MS;
	all[2].task.start_ns = 16000 * MS;
	CHECK(!is_reused() && !all[0].owner_is_younger);
}

/* Readers come and go: one that was born later may be the last that came by, and has it no more. */
static void a_reader_that_is_younger(void)
{
	set_up();
	all[0].lock.by = all[1].lock.by = LOCK_OWNER_READ;
	CHECK(!is_reused() && all[0].lock.by == LOCK_OWNER_READ && all[0].owner_is_younger);
	set_up();
	all[0].lock.by = all[1].lock.by = LOCK_OWNER_READ;
	all[2].task.state = 'Z';
	CHECK(!is_reused() && all[0].lock.by == LOCK_OWNER_READ);
	set_up();
	all[0].lock.by = all[1].lock.by = LOCK_OWNER_READ;
	all[2].task.start_ns = 16000 * MS;
	CHECK(!is_reused() && !all[0].owner_is_younger);
}

/* The one that the lock names waits for it, too. */
static void waits_for_it_itself(void)
{
	struct strbuf b = STRBUF_OF(512);

	set_up();
	all[2].has_lock = all[2].is_on_lock = true;
	all[2].lock = all[0].lock;
	all[0].holder = &all[2];
	all[0].holds = HOLDS_LOCK;
	stuck_task_words(&all[0], &b);
	CHECK(stuck_owner_doubt(&all[0]) == DOUBT_WAITS);
	CHECK_TEXT(b.buf,
		   "waiter (1) waits for a lock, whose owner is doubtful: the task that it names "
		   "waits for it itself: it took it before, or has the task_struct of one that "
		   "exited with it");
	all[2].lock.lock++;
	CHECK(!stuck_owner_is_doubted(&all[0]));
}

/* When it was born is of another clock than when they stopped. */
static void by_two_clocks(void)
{
	/* 17.480 s are 17.450 s of the clock of the scheduler, 10 ms behind the newest: within a tick. */
	set_up();
	all[2].task.start_ns = 17480 * MS;
	CHECK(!is_reused());
	/* CLOCK_MONOTONIC is ahead by more. */
	set_up();
	keeper.shifted_ns = 160 * MS << 8;
	CHECK(!is_reused());
	/* exec_start leaves out the time of interrupts. */
	set_up();
	rq.clock_task = 24900 * MS;
	CHECK(!is_reused());
	/* Without the timekeeper a second may lie between both. */
	set_up();
	keeper.shift = 64;
	CHECK(!is_reused());
	set_up();
	keeper.shift = 64;
	all[2].task.start_ns = 19000 * MS;
	CHECK(is_reused());
	CHECK(!is_gap);
	/* Damaged: where a lock has an owner, it is unknown whether that is the one who took it. */
	set_up();
	rq.clock = 0;
	CHECK(!is_reused() && is_gap);
	set_up();
	rq.clock = 0;
	all[0].has_lock = all[1].has_lock = false;
	CHECK(!is_reused() && !is_gap);
}

/* Who sleeps by a call of its own, is stopped or returns to user mode has the lock by its name alone. */
static void asleep_at_will(void)
{
	static const struct frame sleep = { .symbol = "do_nanosleep" },
				  driver = { .symbol = "jam_hold", .module = "jam" },
				  event = { .symbol = "eventfd_read" },
				  other = { .symbol = "n_tty_read" },
				  helper = { .symbol = "schedule_hrtimeout_range_clock" },
				  futex = { .symbol = "futex_do_wait" },
				  user = { .symbol = "exit_to_user_mode_prepare" };
	static const struct {
		const struct frame *function, *caller;
		char state;
		const char *words; /* NULL: it is not doubted */
	} owners[] = {
		{ &driver, &driver, 'D', NULL },
		{ &sleep, &sleep, 'S', "the task that it names is asleep in do_nanosleep" },
		{ &helper, &event, 'S', "the task that it names is asleep in eventfd_read" },
		{ &helper, &helper, 'S', "asleep in schedule_hrtimeout_range_clock" },
		{ &futex, &futex, 'S', "asleep in futex_do_wait" },
		/* A driver that waits between two tries. */
		{ &helper, &driver, 'D', NULL },
		{ &helper, &helper, 'D', NULL },
		{ &event, NULL, 'S', "asleep in eventfd_read" },
		{ NULL, NULL, 'T', "the task that it names is stopped" },
		{ &user, &user, 'R',
		  "the task that it names is running in exit_to_user_mode_prepare" },
		/* It has the lock of the terminal meanwhile. */
		{ &other, &other, 'S', NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
		struct strbuf b = STRBUF_OF(512);

		set_up();
		all[0].holder = &all[2];
		all[0].holds = HOLDS_LOCK;
		all[2].task.mm = 1;
		all[2].task.state = owners[i].state;
		all[2].function = owners[i].function;
		all[2].caller = owners[i].caller;
		CHECK(stuck_owner_is_doubted(&all[0]) == (owners[i].words != NULL));
		stuck_task_words(&all[0], &b);
		CHECK(!strstr(b.buf, owners[i].words ?: "doubtful") == !owners[i].words);
		/* The same of who took a semaphore last, and of the last reader. */
		all[0].holds = HOLDS_NOTED;
		CHECK(stuck_owner_is_doubted(&all[0]) == (owners[i].words != NULL));
		all[0].holds = HOLDS_LAST;
		CHECK(stuck_owner_is_doubted(&all[0]) == (owners[i].words != NULL));
		b.len = 0;
		stuck_task_words(&all[0], &b);
		CHECK(strstr(b.buf, owners[i].words
					    ? "whose owner is doubtful: the task that it names is "
					    : "took last, and may have given back"));
		/* One of the kernel's own threads has no system calls. */
		all[2].task.mm = 0;
		CHECK(!stuck_owner_is_doubted(&all[0]));
	}
}

#define STACK 0xffffc90000010000ULL
#define TEXT 0xffffffff81001000ULL
#define CALLEE 0xffffffff81002000ULL
#define VARIABLE 0xffffffff82003000ULL
#define OBJECT 0xffff888000005000ULL
#define HOLDER 0xffff888000007000ULL
#define OBJECT_LOCK (OBJECT + 0x40)

static struct {
	uint64_t stack[8], object[8], task[8], variable[8];
	uint8_t text[32], callee[32];
} own;
static const struct stub_memory own_memory[] = {
	{ OBJECT + 0x8000, own.object, sizeof(own.object) },
	{ HOLDER, own.task, sizeof(own.task) },
	{ VARIABLE, own.variable, sizeof(own.variable) },
	{ TEXT, own.text, sizeof(own.text) },
	{ CALLEE, own.callee, sizeof(own.callee) },
	{ STACK, own.stack, sizeof(own.stack) },
	{ 0 },
};
static const struct stub_number own_sizes[] = { { "struct task_struct", 64 }, { 0 } };
static bool is_arm64, is_static, is_of_module;
static uint64_t own_lock;

static enum stuck_trail trail(void)
{
	STUB(stub, .memory = own_memory, .sizes = own_sizes);
	static struct task_frames at;
	const struct frame *by;
	const struct frame frames[] = {
		{ .addr = TEXT + 8,
		  .symbol = "hold",
		  .module = is_of_module ? "jam" : NULL,
		  .offset = 8,
		  .size = sizeof(own.text) },
		{ .addr = CALLEE, .symbol = "help", .size = sizeof(own.callee) },
		{ .addr = OBJECT_LOCK, .symbol = is_static ? "table" : NULL, .offset = 0x40 },
	};

	memset(&at, 0, sizeof(at));
	at.dump = at.symbols.dump = &stub.dump;
	hash_u64_init(&at.symbols.cache, stub.dump.arena, sizeof(struct frame));
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
		*(struct frame *)hash_u64_get(&at.symbols.cache, frames[i].addr, NULL) = frames[i];
	at.stacks.is_arm64 = is_arm64;
	at.stack = (struct task_stack){ .base = STACK,
					.sp = STACK + 16,
					.size = sizeof(own.stack),
					.bytes = (const uint8_t *)own.stack };
	at.frames.n = 1;
	at.frames.f[0].ip = TEXT + 8;
	return stuck_trail_of(&at, HOLDER, own_lock, OBJECT_LOCK, &by);
}

static bool has_trail(void)
{
	return trail() != TRAIL_NONE;
}

static void put32(uint8_t *at, uint64_t value)
{
	uint32_t low = (uint32_t)value;

	memcpy(at, &low, 4);
}

/* Who will give a lock back has a way to it. */
static void by_a_way_to_the_lock(void)
{
	memset(&own, 0, sizeof(own));
	CHECK(!has_trail());
	/* An object that the lock is in, on the stack; not where that is of an earlier call. */
	own.stack[0] = OBJECT;
	CHECK(!has_trail());
	own.stack[4] = OBJECT;
	CHECK(has_trail());
	/* Behind the lock, or a page of it before. */
	own.stack[4] = OBJECT_LOCK + 8;
	CHECK(!has_trail());
	own.stack[4] = OBJECT - 0x10000;
	CHECK(!has_trail());
	/* An object with a pointer to it. */
	own.stack[4] = OBJECT + 0x8000;
	CHECK(!has_trail());
	own.object[3] = OBJECT;
	CHECK(has_trail());
	/* Behind the lock that it waits for itself lie variables of others. */
	own_lock = OBJECT + 0x8000;
	CHECK(!has_trail());
	own_lock = 0;
	own.stack[4] = 0;
	CHECK(!has_trail());
	own.task[2] = OBJECT;
	CHECK(has_trail());
	/* A table has bounds. */
	is_static = true;
	own.task[2] = OBJECT - 8;
	CHECK(!has_trail());
	own.task[2] = OBJECT;
	CHECK(has_trail());
	is_static = false;
	own.task[2] = 0;
	/* A variable that the function names, by its address or from where it is; a pointer to the object. */
	own.variable[0] = OBJECT;
	put32(own.text + 3, VARIABLE);
	CHECK(has_trail());
	put32(own.text + 3, VARIABLE - (TEXT + 7));
	CHECK(has_trail());
	put32(own.text + 3, 0);
	CHECK(!has_trail());
	/* The same of a function that it calls; of another machine no text is known. */
	put32(own.callee + 12, VARIABLE);
	CHECK(!has_trail());
	own.text[9] = 0xe8;
	put32(own.text + 10, CALLEE - (TEXT + 14));
	CHECK(has_trail());
	/* Behind the place where it sleeps, and before it. */
	CHECK(trail() == TRAIL_BEHIND);
	own.text[9] = 0;
	put32(own.text + 20, VARIABLE);
	CHECK(trail() == TRAIL_BEHIND);
	put32(own.text + 3, VARIABLE);
	CHECK(trail() == TRAIL_LEADS);
	/* A driver's own, and nothing else. */
	is_of_module = true;
	CHECK(trail() == TRAIL_FUNCTION);
	own.stack[4] = OBJECT;
	CHECK(trail() == TRAIL_LEADS);
	/* Of an object with the lock that it waits for it has what leads to that: in a driver's function both may be taken. */
	put32(own.text + 3, 0);
	own_lock = OBJECT_LOCK + 0x20;
	CHECK(trail() == TRAIL_FUNCTION);
	own.stack[4] = OBJECT_LOCK;
	CHECK(trail() == TRAIL_FUNCTION);
	is_of_module = false;
	CHECK(trail() == TRAIL_LEADS);
	is_of_module = true;
	own_lock = OBJECT_LOCK - 0x20;
	CHECK(trail() == TRAIL_LEADS);
	own.stack[4] = own_lock + 8;
	CHECK(trail() == TRAIL_FUNCTION);
	own_lock = 0;
	own.stack[4] = 0;
	is_of_module = false;
	put32(own.text + 20, 0);
	is_arm64 = true;
	CHECK(has_trail());
	is_arm64 = false;
	CHECK(!has_trail());
}

/* "holder, who is told, doubtful": "-" where there is no number. */
static const char *cells(void)
{
	static char ret[64];
	STUB(stub, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes);
	struct owner_view v = { .dump = &stub.dump };
	struct cell pid = stuck_holder_cell(&all[0], &v), by = stuck_held_by_cell(&all[0], &v),
		    doubt = stuck_doubtful_cell(&all[0], &v);

	snprintf(ret, sizeof(ret), "%s %s %d", pid.kind == CELL_INT ? "3" : "-", by.text,
		 doubt.u != 0);
	return ret;
}

/* A driver's one function takes this lock behind another, for which the one that the lock names waits. */
static void before_its_function_comes_to_it(void)
{
	static const struct frame driver = { .symbol = "take_all", .module = "onefn" };
	struct strbuf b = STRBUF_OF(512);

	set_up();
	all[0].holder = &all[2];
	all[0].holds = HOLDS_LOCK;
	all[0].trail_is_behind = true;
	all[2].function = all[2].caller = &driver;
	all[2].task.state = 'D';
	snprintf(all[2].task.comm, sizeof(all[2].task.comm), "owner");
	CHECK(stuck_owner_doubt(&all[0]) == DOUBT_BEHIND);
	stuck_task_words(&all[0], &b);
	CHECK_TEXT(
		b.buf,
		"waiter (1) waits for a lock, whose owner is doubtful: the task that it names comes to "
		"it in take_all only behind where it waits: it kept it of an earlier call, or has "
		"the task_struct of one that exited with it");
	/* It has come to it, if it was not another one that did: both locks are taken there. */
	all[0].trail_is_behind = false;
	all[0].shared_in = &driver;
	/* Chance names one of few rarely: it likely takes them one after another. */
	CHECK(stuck_owner_is_likely(&all[0]) && !stuck_owner_is_doubted(&all[0]));
	b.len = 0;
	stuck_task_words(&all[0], &b);
	CHECK_TEXT(
		b.buf,
		"waiter (1) waits for a lock, which owner (3) likely has by its name in it: it waits for "
		"another lock in take_all, in which both wait, unless it has the task_struct of one "
		"that exited with it");
	CHECK_TEXT(cells(), "3 owner (likely) 1");
	/* Who took a semaphore last. */
	all[0].holds = HOLDS_LAST;
	b.len = 0;
	stuck_task_words(&all[0], &b);
	CHECK(stuck_owner_is_likely(&all[0]) &&
	      strstr(b.buf,
		     "which owner (3) likely took last by its name in it: it waits for another "));
	all[0].holds = HOLDS_LOCK;
	all[0].holder_is_of_crowd = true;
	CHECK(stuck_owner_doubt(&all[0]) == DOUBT_SHARED);
	CHECK_TEXT(cells(), "- unknown 1");
	b.len = 0;
	stuck_task_words(&all[0], &b);
	CHECK_TEXT(
		b.buf,
		"waiter (1) waits for a lock, whose owner is doubtful: the task that it names waits for "
		"another lock in take_all, in which both wait: it took it first, or has the "
		"task_struct of one that exited with it");
	/* That one waits for the first in turn, or for another one that waits for this lock: no chance. */
	all[0].holder_is_of_crowd = false;
	all[0].trail_is_behind = true;
	all[2].has_lock = true;
	all[2].lock.lock = all[0].lock.lock + 64;
	all[2].holder = &all[0];
	CHECK(!stuck_owner_is_doubted(&all[0]));
	all[2].holder = &all[1];
	all[1].lock.lock = all[0].lock.lock;
	CHECK(all[1].has_lock && !stuck_owner_is_doubted(&all[0]));
	/* Of many that wait there any one may have got the task_struct of who exited. */
	all[0].holder_is_of_crowd = true;
	CHECK(stuck_owner_doubt(&all[0]) == DOUBT_BEHIND);
	all[2].holder = &all[0];
	CHECK(!stuck_circle_is_sure(&all[0]) && !stuck_circle_is_sure(&all[2]));
	all[0].holder_is_of_crowd = false;
	CHECK(stuck_circle_is_sure(&all[0]) && stuck_circle_is_sure(&all[2]));
}

TESTS({ "an owner that sleeps by a call of its own", asleep_at_will },
      { "a task that was born behind the waiters", born_behind_its_waiters },
      { "a task that was born behind some of the waiters", younger_than_a_waiter },
      { "an owner without a way to its lock", by_a_way_to_the_lock },
      { "an owner whose function comes to its lock further on", before_its_function_comes_to_it },
      { "an owner that waits for its lock", waits_for_it_itself },
      { "a reader that was born behind the waiters", a_reader_that_is_younger },
      { "times of two clocks", by_two_clocks })
