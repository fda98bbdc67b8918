// SPDX-License-Identifier: GPL-2.0-or-later
/* The lock that a task sleeps on, by its waiter on the stack: lists of both forms, and hostile ones. */
#include "tasks/lock_waiter.h"
#include "collect/places.h"
#include "collect/stuck_words.h"
#include "collect/waits.h"
#include "stub.h"
#include "test.h"

#define SIZE 0x4000ULL /* THREAD_SIZE */
#define STACK(i) (0xffffc90000000000ULL + (uint64_t)(i)*0x10000)
#define TASK(i) (0xffff888000010000ULL + (uint64_t)(i)*0x1000)
#define LOCK 0xffff888000200000ULL
#define OTHER_LOCK 0xffff888000210000ULL
#define TASKS 4
#define WAITER 0x3000ULL /* of each stack */
#define FROM (WAITER - 0x40)
#define TO (WAITER + 0x80)

struct a_lock {
	uint64_t count, owner, first, last;
};
struct a_waiter {
	uint64_t next, prev, task;
	uint32_t type, more; /* type: of struct rwsem_waiter, 1 to read */
};

static uint8_t stacks[TASKS][SIZE];
static struct a_lock lock, other_lock;
static uint64_t tasks[TASKS];

static const struct stub_memory memory[] = {
	{ STACK(0), stacks[0], SIZE },
	{ STACK(1), stacks[1], SIZE },
	{ STACK(2), stacks[2], SIZE },
	{ STACK(3), stacks[3], SIZE },
	{ LOCK, &lock, sizeof(lock) },
	{ OTHER_LOCK, &other_lock, sizeof(other_lock) },
	{ TASK(0), &tasks[0], 8 },
	{ TASK(1), &tasks[1], 8 },
	{ 0 },
};

#define WAITERS                                                  \
	{ "struct mutex_waiter", "list", FIELD(0, 16) },         \
		{ "struct mutex_waiter", "task", FIELD(16, 8) }, \
		{ "struct rwsem_waiter", "list", FIELD(0, 16) }, \
		{ "struct rwsem_waiter", "task", FIELD(16, 8) }, \
		{ "struct rwsem_waiter", "type", FIELD(24, 4) }, \
		{ "struct mutex", "owner", FIELD(8, 8) },        \
		{ "struct rw_semaphore", "count", FIELD(0, 8) }, \
	{                                                        \
		"struct rw_semaphore", "owner", FIELD(8, 8)      \
	}

static const struct stub_member with_head[] = {
	WAITERS,
	{ "struct mutex", "wait_list", FIELD(16, 16) },
	{ "struct rw_semaphore", "wait_list", FIELD(16, 16) },
	{ 0 },
};

#define SEMAPHORES                                                   \
	{ "struct semaphore", "wait_list", FIELD(16, 16) },          \
		{ "struct semaphore_waiter", "list", FIELD(0, 16) }, \
	{                                                            \
		"struct semaphore_waiter", "task", FIELD(16, 8)      \
	}

static const struct stub_member semaphores[] = { WAITERS, SEMAPHORES, { 0 } };
static const struct stub_member noted[] = {
	WAITERS,
	SEMAPHORES,
	{ "struct semaphore", "last_holder", FIELD(8, 8) },
	{ 0 },
};

/* 7.1: the list has waiters only. */
static const struct stub_member headless[] = {
	WAITERS,
	{ "struct mutex", "first_waiter", FIELD(16, 8) },
	{ "struct rw_semaphore", "first_waiter", FIELD(16, 8) },
	{ 0 },
};

static const struct stub_member rt[] = {
	{ "struct rw_semaphore", "rwbase.readers", FIELD(0, 4) },
	{ "struct rw_semaphore", "rwbase.rtmutex.owner", FIELD(16, 8) },
	{ "struct task_struct", "pi_blocked_on", FIELD(0, 8) },
	{ "struct rt_mutex_waiter", "task", FIELD(0, 8) },
	{ "struct rt_mutex_waiter", "lock", FIELD(8, 8) },
	{ "struct rt_mutex_base", "owner", FIELD(8, 8) },
	{ 0 },
};

/* Up to 5.14. */
static const struct stub_member old_rt[] = {
	{ "struct task_struct", "pi_blocked_on", FIELD(0, 8) },
	{ "struct rt_mutex_waiter", "task", FIELD(0, 8) },
	{ "struct rt_mutex_waiter", "lock", FIELD(8, 8) },
	{ "struct rt_mutex", "owner", FIELD(8, 8) },
	{ 0 },
};

/* The same with both kinds of rw locks: a semaphore begins with its readers, a rwlock_t with its rt_mutex. */
static const struct stub_member old_rt_locks[] = {
	{ "struct rw_semaphore", "readers", FIELD(0, 4) },
	{ "struct rw_semaphore", "rtmutex.owner", FIELD(16, 8) },
	{ "struct rt_rw_lock", "rtmutex.owner", FIELD(8, 8) },
	{ "struct rt_rw_lock", "readers", FIELD(16, 4) },
	{ "struct task_struct", "pi_blocked_on", FIELD(0, 8) },
	{ "struct rt_mutex_waiter", "task", FIELD(0, 8) },
	{ "struct rt_mutex_waiter", "lock", FIELD(8, 8) },
	{ "struct rt_mutex", "owner", FIELD(8, 8) },
	{ 0 },
};

static struct a_waiter *waiter(unsigned int i)
{
	return (struct a_waiter *)(stacks[i] + WAITER);
}

static void link_nodes(uint64_t *next, uint64_t to, uint64_t *prev, uint64_t from)
{
	*next = to;
	*prev = from;
}

/* Tasks 0 and 1 wait for the lock that task 2 has. */
static void fill(bool has_head)
{
	memset(stacks, 0, sizeof(stacks));
	lock = (struct a_lock){ .count = 1, .owner = TASK(2) | 1 };
	other_lock = (struct a_lock){ 0 };
	memset(tasks, 0, sizeof(tasks));
	for (unsigned int i = 0; i < 2; i++)
		waiter(i)->task = TASK(i);
	if (!has_head) {
		lock.first = STACK(0) + WAITER;
		link_nodes(&waiter(0)->next, STACK(1) + WAITER, &waiter(1)->prev,
			   STACK(0) + WAITER);
		link_nodes(&waiter(1)->next, STACK(0) + WAITER, &waiter(0)->prev,
			   STACK(1) + WAITER);
		return;
	}
	link_nodes(&lock.first, STACK(0) + WAITER, &waiter(0)->prev, LOCK + 16);
	link_nodes(&waiter(0)->next, STACK(1) + WAITER, &waiter(1)->prev, STACK(0) + WAITER);
	link_nodes(&waiter(1)->next, LOCK + 16, &lock.last, STACK(1) + WAITER);
}

static void open_waiters(struct stub *s, struct hash_u64 *live, struct lock_waiters *w)
{
	bool is_new;

	stub_open(s);
	hash_u64_init(live, s->dump.arena, sizeof(uint64_t));
	for (unsigned int i = 0; i < TASKS; i++)
		*(uint64_t *)hash_u64_get(live, TASK(i), &is_new) = STACK(i);
	CHECK(lock_waiters_open(&s->dump, live, w) == ST_OK);
}

static const struct stub_number sizes[] = { { "union thread_union", SIZE }, { 0 } };
static const struct stub_number types[] = { { "RWSEM_WAITING_FOR_WRITE", 0 }, { 0 } };
static const struct stub_number *enumerators = types;

/* Of task i. */
static enum status find(const struct stub_member *members, unsigned int i, enum lock_kind kind,
			struct lock_wait *ret)
{
	struct stub s = {
		.memory = memory, .members = members, .sizes = sizes, .enumerators = enumerators
	};
	const struct task_stack stack = { .base = STACK(i), .size = SIZE, .bytes = stacks[i] };
	struct lock_waiters w;
	struct hash_u64 live;
	enum status st;

	open_waiters(&s, &live, &w);
	st = lock_wait_find(&w, TASK(i), &stack, kind, STACK(i) + FROM, STACK(i) + TO,
			    STACK(i) + 0x2000, ret);
	stub_close(&s);
	return st;
}

static void a_mutex(void)
{
	struct lock_wait l;

	fill(true);
	for (unsigned int i = 0; i < 2; i++)
		CHECK(find(with_head, i, LOCK_MUTEX, &l) == ST_OK && l.lock == LOCK &&
		      l.waiters == 2 && l.by == LOCK_OWNER_HAS_IT && l.owner == TASK(2));
	/* Task 3 waits for nothing. */
	CHECK(find(with_head, 3, LOCK_MUTEX, &l) == ST_ABSENT);
	/* An owner that is no live task is missing; without one there is none. */
	lock.owner = TASK(9) | 1;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_OK && l.by == LOCK_OWNER_LOST && !l.owner);
	lock.owner = 0;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_OK && l.by == LOCK_OWNER_UNKNOWN);
	/* The waiter has to be in the frame of the function that waits. */
	fill(true);
	memmove(stacks[0] + 0x100, stacks[0] + WAITER, sizeof(struct a_waiter));
	memset(stacks[0] + WAITER, 0, sizeof(struct a_waiter));
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_ABSENT);
}

static void a_semaphore(void)
{
	struct lock_wait l;

	fill(true);
	lock.owner = TASK(2);
	CHECK(find(with_head, 1, LOCK_RWSEM, &l) == ST_OK && l.kind == LOCK_RWSEM &&
	      l.by == LOCK_OWNER_HAS_IT && l.owner == TASK(2));
	/* The last of the readers: it may have gone. */
	lock.count = 0x100;
	lock.owner = TASK(2) | 1;
	CHECK(find(with_head, 1, LOCK_RWSEM, &l) == ST_OK && l.by == LOCK_OWNER_READ &&
	      l.owner == TASK(2));
	/* And is no live task then: it has gone. */
	lock.owner = TASK(9) | 1;
	CHECK(find(with_head, 1, LOCK_RWSEM, &l) == ST_OK && l.by == LOCK_OWNER_UNKNOWN);
	lock.owner = TASK(2) | 1;
	lock.count = 0;
	CHECK(find(with_head, 1, LOCK_RWSEM, &l) == ST_OK && l.by == LOCK_OWNER_UNKNOWN);
}

/* A writer that waits first is why a reader waits, though readers have it. */
static void a_queued_writer(void)
{
	struct lock_wait l;

	for (int i = 0; i < 2; i++) {
		fill(!i);
		memcpy(stacks[1] + 0x2008, &(uint64_t){ LOCK }, 8);
		lock.count = 0x100;
		waiter(1)->type = 1;
		CHECK(find(i ? headless : with_head, 1, LOCK_RWSEM, &l) == ST_OK && l.reads &&
		      l.writer == TASK(0) && l.by == LOCK_OWNER_READ);
	}
	fill(true);
	lock.count = 0x100;
	waiter(1)->type = 1;
	CHECK(find(with_head, 0, LOCK_RWSEM, &l) == ST_OK && !l.reads && !l.writer);
	/* A reader that was woken, and what a writer has. */
	waiter(0)->type = 1;
	CHECK(find(with_head, 1, LOCK_RWSEM, &l) == ST_OK && l.reads && !l.writer);
	waiter(0)->type = 0;
	lock.owner = TASK(2);
	CHECK(find(with_head, 1, LOCK_RWSEM, &l) == ST_OK && !l.reads && !l.writer);
	lock.owner = TASK(2) | 1;
	enumerators = NULL;
	CHECK(find(with_head, 1, LOCK_RWSEM, &l) == ST_OK && !l.reads && !l.writer);
	enumerators = types;
}

/* struct semaphore: the task that took it last is noted since 6.16, by an option. */
static void a_counting_semaphore(void)
{
	struct lock_wait l;

	fill(true);
	lock.owner = TASK(2);
	CHECK(find(noted, 0, LOCK_SEMAPHORE, &l) == ST_OK && l.kind == LOCK_SEMAPHORE &&
	      l.lock == LOCK && l.waiters == 2 && l.by == LOCK_OWNER_LAST && l.owner == TASK(2));
	/* It has given it back, or is gone. */
	lock.owner = 0;
	CHECK(find(noted, 0, LOCK_SEMAPHORE, &l) == ST_OK && l.by == LOCK_OWNER_UNKNOWN);
	lock.owner = TASK(9);
	CHECK(find(noted, 0, LOCK_SEMAPHORE, &l) == ST_OK && l.by == LOCK_OWNER_UNKNOWN);
	CHECK(find(semaphores, 1, LOCK_SEMAPHORE, &l) == ST_OK && l.lock == LOCK &&
	      l.by == LOCK_OWNER_NOT_KEPT);
	CHECK(find(with_head, 0, LOCK_SEMAPHORE, &l) == ST_UNKNOWN);
}

/* An owner that was given a mutex and is about to take it. */
static void a_handed_mutex(void)
{
	struct lock_wait l;

	fill(true);
	lock.owner = TASK(0) | 1;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_OK && l.owner == TASK(0) && !l.is_handed);
	lock.owner = TASK(0) | 5;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_OK && l.owner == TASK(0) && l.is_handed);
}

static void without_a_head(void)
{
	struct lock_wait l;

	/* Somewhere on the stack of the waiter is the address of its lock. */
	fill(false);
	CHECK(find(headless, 0, LOCK_MUTEX, &l) == ST_ABSENT);
	memcpy(stacks[1] + 0x2008, &(uint64_t){ LOCK }, 8);
	CHECK(find(headless, 1, LOCK_MUTEX, &l) == ST_OK && l.lock == LOCK && l.waiters == 2 &&
	      l.owner == TASK(2));
	/* What else is there: a word that leads to a waiter by chance, from a stack or to one of another list. */
	memcpy(stacks[1] + 0x2010, &(uint64_t){ STACK(0) + WAITER - 0x10 }, 8);
	memcpy(stacks[1] + 0x2018, &(uint64_t){ OTHER_LOCK }, 8);
	CHECK(find(headless, 1, LOCK_MUTEX, &l) == ST_OK && l.lock == LOCK);
	/* Two locks have it: one is too many. */
	other_lock.first = STACK(1) + WAITER;
	CHECK(find(headless, 1, LOCK_MUTEX, &l) == ST_CORRUPT);
	/* A list with a head is none of this kernel. */
	fill(true);
	memcpy(stacks[1] + 0x2008, &(uint64_t){ LOCK }, 8);
	CHECK(find(headless, 1, LOCK_MUTEX, &l) == ST_CORRUPT);
}

static void hostile_lists(void)
{
	struct lock_wait l = { .lock = 1 };

	/* A circle without a head. */
	fill(false);
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_CORRUPT);
	/* A circle that does not come back to where it began. */
	fill(true);
	waiter(1)->next = STACK(1) + WAITER;
	waiter(1)->prev = STACK(1) + WAITER;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_CORRUPT);
	/* Links that are odd, empty or lead nowhere. */
	fill(true);
	waiter(1)->next = LOCK + 17;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_CORRUPT);
	waiter(1)->next = 0;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_CORRUPT);
	waiter(1)->next = 0xffff888000900000ULL;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_UNREADABLE);
	waiter(1)->next = UINT64_MAX - 7;
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_UNREADABLE);
	/* Two heads: the other waiter is of a task that is not there. */
	fill(true);
	waiter(1)->task = TASK(9);
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_CORRUPT);
	/* Of a task whose stack is elsewhere. */
	waiter(1)->task = TASK(3);
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_CORRUPT);
	CHECK(l.lock == 1);
	/* A word that is the task, and no waiter around it, is passed over. */
	fill(true);
	memcpy(stacks[0] + WAITER - 0x10, &(uint64_t){ TASK(0) }, 8);
	CHECK(find(with_head, 0, LOCK_MUTEX, &l) == ST_OK && l.lock == LOCK);
	/* Kinds without a list of theirs; that of a percpu_rw_semaphore is walked by files/frozen. */
	CHECK(find(with_head, 0, LOCK_UNKNOWN, &l) == ST_UNKNOWN);
	CHECK(find(with_head, 0, LOCK_RT_MUTEX, &l) == ST_UNKNOWN);
	CHECK(find(with_head, 0, LOCK_PERCPU, &l) == ST_UNKNOWN);
}

static enum status find_rt(const struct stub_member *members, enum rt_user user,
			   struct lock_wait *ret)
{
	struct stub s = { .memory = memory, .members = members, .sizes = sizes };
	const struct task_stack stack = { .base = STACK(0), .size = SIZE, .bytes = stacks[0] };
	struct lock_waiters w;
	struct hash_u64 live;
	enum status st;

	open_waiters(&s, &live, &w);
	st = lock_wait_rt(&w, TASK(0), user, &stack, STACK(0) + 0x2000, STACK(0) + TO, ret);
	stub_close(&s);
	return st;
}

static void an_rt_mutex(void)
{
	struct lock_wait l;

	fill(true);
	CHECK(find_rt(with_head, RT_ITSELF, &l) == ST_ABSENT);
	CHECK(find_rt(rt, RT_ITSELF, &l) == ST_ABSENT);
	tasks[0] = STACK(0) + WAITER;
	waiter(0)->next = TASK(0);
	waiter(0)->prev = LOCK;
	CHECK(find_rt(rt, RT_ITSELF, &l) == ST_OK && l.kind == LOCK_RT_MUTEX && l.lock == LOCK &&
	      l.owner == TASK(2) && !l.waiters);
	CHECK(find_rt(old_rt, RT_ITSELF, &l) == ST_OK && l.lock == LOCK && l.owner == TASK(2));
	/* A waiter of another task, or on another stack. */
	waiter(0)->next = TASK(1);
	CHECK(find_rt(rt, RT_ITSELF, &l) == ST_CORRUPT);
	tasks[0] = STACK(1) + WAITER;
	CHECK(find_rt(rt, RT_ITSELF, &l) == ST_CORRUPT);
}

/* With PREEMPT_RT a semaphore, and a rwlock_t, begin with the readers; their rt_mutex is 8 bytes behind. */
static void an_rt_semaphore(void)
{
	struct lock_wait l;

	fill(true);
	tasks[0] = STACK(0) + WAITER;
	waiter(0)->next = TASK(0);
	waiter(0)->prev = LOCK + 8;
	lock = (struct a_lock){ .count = 0x40000000, .first = TASK(2) | 1 };
	/* A writer has it. */
	CHECK(find_rt(rt, RT_READS_RWSEM, &l) == ST_OK && l.kind == LOCK_RWSEM && l.lock == LOCK &&
	      l.by == LOCK_OWNER_HAS_IT && l.owner == TASK(2) && !l.reads);
	CHECK(find_rt(rt, RT_WRITES_RWLOCK, &l) == ST_OK && l.kind == LOCK_RT_MUTEX &&
	      l.lock == LOCK && l.owner == TASK(2));
	lock.first = TASK(9);
	CHECK(find_rt(rt, RT_READS_RWSEM, &l) == ST_OK && l.by == LOCK_OWNER_LOST);
	/* Two readers have it, which leave no name; a writer waits for them to go, and bars it. */
	lock = (struct a_lock){ .count = 2, .first = TASK(2) | 1 };
	CHECK(find_rt(rt, RT_READS_RWSEM, &l) == ST_OK && l.lock == LOCK && l.reads &&
	      l.writer == TASK(2) && l.by == LOCK_OWNER_UNKNOWN && !l.owner);
	CHECK(find_rt(rt, RT_WRITES_RWSEM, &l) == ST_OK && l.lock == LOCK && !l.reads &&
	      !l.writer && l.by == LOCK_OWNER_UNKNOWN);
	/* Where readers may come in, who has the rt_mutex is about to give it back. */
	lock.count = 0x80000002;
	CHECK(find_rt(rt, RT_READS_RWSEM, &l) == ST_OK && !l.reads && !l.writer && !l.owner);
	/* No layout of it: where the lock begins is unknown. */
	CHECK(find_rt(old_rt, RT_READS_RWSEM, &l) == ST_UNKNOWN);
}

/* The writer that waits for readers has no waiter: its stack has the lock. */
static void an_rt_writer(void)
{
	struct lock_wait l;

	fill(true);
	lock = (struct a_lock){ .count = 2, .first = TASK(0) | 1 };
	CHECK(find_rt(rt, RT_WRITES_RWSEM, &l) == ST_ABSENT);
	memcpy(stacks[0] + 0x2008, &(uint64_t){ LOCK + 8 }, 8);
	memcpy(stacks[0] + 0x2010, &(uint64_t){ LOCK }, 8);
	CHECK(find_rt(rt, RT_WRITES_RWSEM, &l) == ST_OK && l.lock == LOCK && l.kind == LOCK_RWSEM &&
	      l.by == LOCK_OWNER_UNKNOWN && !l.owner);
	/* One that it has, and one that another task waits for. */
	lock.count = 0x40000000;
	CHECK(find_rt(rt, RT_WRITES_RWSEM, &l) == ST_ABSENT);
	lock = (struct a_lock){ .count = 2, .first = TASK(1) };
	CHECK(find_rt(rt, RT_WRITES_RWSEM, &l) == ST_ABSENT);
}

/* The writer of a rwlock_t of 5.10-rt that waits for readers, and who waits behind it. */
static void an_old_rwlock(void)
{
	struct lock_wait l;

	fill(true);
	lock = (struct a_lock){ .owner = TASK(0), .first = 2 };
	CHECK(find_rt(old_rt_locks, RT_WRITES_RWLOCK, &l) == ST_ABSENT);
	memcpy(stacks[0] + 0x2008, &(uint64_t){ LOCK }, 8);
	CHECK(find_rt(old_rt_locks, RT_WRITES_RWLOCK, &l) == ST_OK && l.lock == LOCK &&
	      l.kind == LOCK_RT_MUTEX && l.by == LOCK_OWNER_UNKNOWN && !l.owner);
	/* Without its type: unknown, where it was none. */
	CHECK(find_rt(old_rt, RT_WRITES_RWLOCK, &l) == ST_UNKNOWN);
	tasks[0] = STACK(0) + WAITER;
	waiter(0)->next = TASK(0);
	waiter(0)->prev = LOCK;
	lock = (struct a_lock){ .owner = TASK(2) | 1, .first = 2 };
	CHECK(find_rt(old_rt_locks, RT_WRITES_RWLOCK, &l) == ST_OK && l.lock == LOCK && !l.owner);
	lock.first = 0x40000000;
	CHECK(find_rt(old_rt_locks, RT_READS_RWLOCK, &l) == ST_OK && l.lock == LOCK &&
	      l.by == LOCK_OWNER_HAS_IT && l.owner == TASK(2));
}

static void rt_functions(void)
{
	CHECK(wait_rt_user("__rwbase_read_lock", false) == RT_READS_RWSEM);
	CHECK(wait_rt_user("rwbase_write_lock.constprop.0", false) == RT_WRITES_RWSEM);
	CHECK(wait_rt_user("__rt_mutex_slowlock_locked", false) == RT_ITSELF);
	CHECK(wait_is_rtlock("rtlock_slowlock_locked") && !wait_is_rtlock("rt_mutex_schedule"));
	CHECK(wait_rt_user("__rwbase_read_lock", true) == RT_READS_RWLOCK);
	CHECK(wait_rt_user("rt_write_lock", true) == RT_WRITES_RWLOCK);
	CHECK(wait_rt_user("rt_spin_lock", true) == RT_ITSELF);
	CHECK(wait_rt_user("__down_write_common", false) == RT_WRITES_RWSEM &&
	      wait_of("__down_write_common") == WAIT_NONE &&
	      wait_of_sleeper("__down_write_common") == WAIT_LOCK);
}

static void in_words(void)
{
	const struct frame caller = { .symbol = "qsafe_write", .module = "qsafe" };
	const struct stuck_task holder = { .task = { .pid = 147, .comm = "dd" },
					   .waits_for = "other",
					   .caller = &caller };
	const struct stuck_task other = { .task = { .pid = 8, .comm = "b" } };
	const struct stuck_task of = { .task = { .pid = 7, .comm = "a" },
				       .lock_name = "qsafe_lock [qsafe]",
				       .holder = &holder };
	struct stuck x = { 0 };
	char text[128];
	struct strbuf b = STRBUF(text);

	stuck_lock_words(&x, &of, &other, 2, &b);
	strbuf_add(&b, "; ");
	stuck_task_words(&holder, &b);
	CHECK_TEXT(text, "a (7) and b (8) wait for qsafe_lock [qsafe], which dd (147) has; "
			 "dd (147) is asleep in qsafe_write [qsafe]");
	b = STRBUF(text);
	stuck_lock_words(&x, &of, NULL, 1, &b);
	CHECK_TEXT(text, "a (7) waits for qsafe_lock [qsafe], which dd (147) has");
	b = STRBUF(text);
	stuck_lock_words(&x, &of, &other, 3, &b);
	CHECK_TEXT(text, "3 threads wait for qsafe_lock [qsafe], which dd (147) has");
	/* Stacks of other threads could not be read. */
	x.unreadable = 1;
	b = STRBUF(text);
	stuck_lock_words(&x, &of, &other, 3, &b);
	CHECK_TEXT(text, "at least 3 threads wait for qsafe_lock [qsafe], which dd (147) has");
	b = STRBUF(text);
	stuck_lock_words(&x, &of, NULL, 1, &b);
	CHECK_TEXT(text, "a (7) waits for qsafe_lock [qsafe], which dd (147) has");
}

/* Whether exit_mm() is inlined is up to the compiler: what the thread is asleep on says more. */
static void place_of_a_lock(void)
{
	CHECK(place_of("exit_mm") == PLACE_EXIT && PLACE_EXIT < PLACE_MMAP_LOCK);
	CHECK_TEXT(place_name(PLACE_EXIT), "exit");
	CHECK_TEXT(place_name(PLACE_MMAP_LOCK), "mmap_lock");
}

TESTS({ "the list of a mutex", a_mutex },
      { "the list of a semaphore, and who has it", a_semaphore },
      { "a writer that waits before a reader", a_queued_writer },
      { "a semaphore that counts", a_counting_semaphore },
      { "a mutex that was handed on", a_handed_mutex },
      { "a list without a head leads to the lock by the stack", without_a_head },
      { "hostile lists of waiters", hostile_lists },
      { "an rt_mutex by the waiter that a task names", an_rt_mutex },
      { "the rt_mutex of a semaphore", an_rt_semaphore },
      { "a writer that waits for readers, with PREEMPT_RT", an_rt_writer },
      { "a rwlock_t up to 5.14", an_old_rwlock },
      { "functions that wait with PREEMPT_RT", rt_functions },
      { "an mmap_lock, in exit", place_of_a_lock }, { "who waits for whom, in words", in_words })
