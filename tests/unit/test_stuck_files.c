// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has a lock of a file: by the struct file or the table of descriptors that owns it; circles, and what is said. */
#include "collect/stuck_circle.h"
#include "collect/stuck_owners.h"
#include "collect/stuck_words.h"
#include "collect/waits.h"
#include "stub.h"
#include "task_stub.h"
#include "test.h"

#define TASK(i) (0x10000ULL + (uint64_t)(i)*0x1000)
#define SIGNAL(i) (0x20000ULL + (uint64_t)(i)*0x1000)
#define TABLE(i) (0x40000ULL + (uint64_t)(i)*0x1000) /* a files_struct */
#define FILE_AT(i) (0x50000ULL + (uint64_t)(i)*0x100)
#define NOWHERE 0x999000ULL
#define PROCESSES 5 /* tgids 10, 20, ...; the first has a thread 11, the last two have one table */
#define THREADS (PROCESSES + 1)

static struct utask tasks[PROCESSES + 1]; /* of init, and the processes */
static struct utask second;		  /* thread of the first */
static struct usignal signals[PROCESSES + 1];
static struct table {
	uint64_t fdt, max, fd, fds[2];
} tables[4];
static const uint64_t files[4][2] = { { 0x1000 }, { 0x2000 }, { 0x3000 }, { 0x4000 } };

static const struct stub_memory memory[] = {
	{ TASK(0), &tasks[0], sizeof(tasks[0]) },
	{ TASK(1), &tasks[1], sizeof(tasks[1]) },
	{ TASK(2), &tasks[2], sizeof(tasks[2]) },
	{ TASK(3), &tasks[3], sizeof(tasks[3]) },
	{ TASK(4), &tasks[4], sizeof(tasks[4]) },
	{ TASK(5), &tasks[5], sizeof(tasks[5]) },
	{ TASK(6), &second, sizeof(second) },
	{ SIGNAL(0), &signals[0], sizeof(signals[0]) },
	{ SIGNAL(1), &signals[1], sizeof(signals[1]) },
	{ SIGNAL(2), &signals[2], sizeof(signals[2]) },
	{ SIGNAL(3), &signals[3], sizeof(signals[3]) },
	{ SIGNAL(4), &signals[4], sizeof(signals[4]) },
	{ SIGNAL(5), &signals[5], sizeof(signals[5]) },
	{ TABLE(0), &tables[0], sizeof(tables[0]) },
	{ TABLE(1), &tables[1], sizeof(tables[1]) },
	{ TABLE(2), &tables[2], sizeof(tables[2]) },
	{ TABLE(3), &tables[3], sizeof(tables[3]) },
	{ FILE_AT(0), files[0], 16 },
	{ FILE_AT(1), files[1], 16 },
	{ FILE_AT(2), files[2], 16 },
	{ FILE_AT(3), files[3], 16 },
	{ 0 },
};
static const struct stub_member members[] = { TASK_MEMBERS, { 0 } };
static const struct stub_number counters[] = { TASK_COUNTERS, { 0 } };
static const struct stub_symbol symbols[] = { { "init_task", TASK(0), { 0 } }, { 0 } };

static struct stub stub;
static struct stuck_task all[THREADS];
static struct file_lock locks[6];
static struct stuck_file_lock of[6];

static void set_table(unsigned int i, uint64_t first, uint64_t other)
{
	tables[i] = (struct table){
		TABLE(i) + 8, 2, TABLE(i) + offsetof(struct table, fds), { first, other }
	};
}

static void set_thread(unsigned int i, unsigned int task, int32_t pid, int32_t tgid)
{
	all[i] = (struct stuck_task){ .task = { .address = TASK(task),
						.pid = pid,
						.tgid = tgid,
						.mm = 0x7000 + (uint64_t)tgid } };
	snprintf(all[i].task.comm, sizeof(all[i].task.comm), "p%d", pid);
	all[i].next = i + 1 < THREADS ? &all[i + 1] : NULL;
}

static void set_lock(unsigned int i, enum file_lock_kind kind, uint64_t owner, int32_t pid)
{
	locks[i] = (struct file_lock){ .kind = kind, .owner = owner, .file = owner, .pid = pid };
	of[i] = (struct stuck_file_lock){ .next = i + 1 < ARRAY_SIZE(of) ? &of[i + 1] : NULL,
					  .lock = &locks[i],
					  .name = "lock" };
}

/* File 1 is open in 20 and 30, file 2 in 30, file 3 in 40 and 50, whose table is one. */
static void set_up(void)
{
	for (unsigned int i = 0; i <= PROCESSES; i++) {
		unsigned int next = (i + 1) % (PROCESSES + 1), prev = i ? i - 1 : PROCESSES;

		tasks[i] = (struct utask){ .pid = 10 * (int)i,
					   .tgid = 10 * (int)i,
					   .signal = SIGNAL(i),
					   .mm = i ? 0x7000 : 0,
					   .files = i ? TABLE(i > 4 ? 3 : i - 1) : 0 };
		tasks[i].tasks = (struct link){ TASK(next), TASK(prev) };
		tasks[i].node = (struct link){ SIGNAL(i), SIGNAL(i) };
		signals[i].head = (struct link){ TASK(i) + 16, TASK(i) + 16 };
	}
	second = tasks[1];
	set_table(0, FILE_AT(0), 0);
	set_table(1, FILE_AT(1), 0);
	set_table(2, FILE_AT(1), FILE_AT(2));
	set_table(3, FILE_AT(3), 0);
	set_thread(0, 1, 10, 10);
	set_thread(1, 6, 11, 10);
	for (unsigned int i = 2; i <= PROCESSES; i++)
		set_thread(i, i, 10 * (int)i, 10 * (int)i);
	set_lock(0, FILE_LOCK_POSIX, TABLE(0), 10);
	set_lock(1, FILE_LOCK_FLOCK, FILE_AT(1), 30);
	set_lock(2, FILE_LOCK_OFD, FILE_AT(2), -1);
	set_lock(3, FILE_LOCK_FLOCK, FILE_AT(3), 7);
	set_lock(4, FILE_LOCK_POSIX, TABLE(3), 50);
	set_lock(5, FILE_LOCK_LEASE, NOWHERE, 10);
}

static const char *find(bool is_whole)
{
	const char *why = NULL;

	STUB_OPEN(stub, .memory = memory, .members = members, .symbols = symbols,
		  .enumerators = counters);
	CHECK(stuck_owners_find(&stub.dump, of, all, is_whole, &why) == ST_OK);
	return why;
}

static int32_t holder(unsigned int i)
{
	return of[i].holder ? of[i].holder->task.pid : 0;
}

static void each_lock_has_its_owner(void)
{
	set_up();
	CHECK(!find(true));
	CHECK(holder(0) == 10 && of[0].processes == 1 && of[0].threads == 2);
	CHECK(holder(1) == 30 && of[1].processes == 2); /* it took the lock */
	CHECK(holder(2) == 30 && of[2].processes == 1 && of[2].threads == 1);
	CHECK(holder(3) == 40 && of[3].processes == 2); /* who took it is gone */
	CHECK(holder(4) == 50 && of[4].processes == 2);
	CHECK(!holder(5)); /* the one that took it has not the file */
	for (unsigned int i = 0; i < 5; i++)
		CHECK(of[i].complete);
}

static void its_first_thread_has_exited(void)
{
	set_up();
	all[0].task.mm = 0;
	tasks[1].files = 0;
	CHECK(!find(true));
	CHECK(holder(0) == 11 && of[0].threads == 1);
	/* It exits, and closes its files yet. */
	set_up();
	all[0].task.mm = 0;
	CHECK(!find(true));
	CHECK(holder(0) == 10 && of[0].threads == 2);
}

/* These sleep for a lock only where they give up the CPU themselves. */
static void by_their_functions(void)
{
	CHECK(wait_of_sleeper("fcntl_setlk") == WAIT_LOCK && wait_of("fcntl_setlk") == WAIT_NONE);
	CHECK(wait_lock_kind("locks_lock_inode_wait.part.0") == LOCK_FILE);
	CHECK(wait_of_sleeper("nlmclnt_lock") == WAIT_LOCK);
	CHECK(wait_lock_kind("nlmclnt_lock") == LOCK_REMOTE);
}

/* Whether there are more is unknown: of files where a table cannot be read, of tables where tasks are missing. */
static void what_is_missing(void)
{
	set_up();
	tables[1].fd = NOWHERE;
	CHECK(find(true));
	CHECK(holder(1) == 30 && of[1].processes == 1 && !of[1].complete && !of[2].complete);
	CHECK(holder(0) == 10 && of[0].complete && of[4].complete);
	set_up();
	find(false);
	CHECK(holder(0) == 10 && !of[0].complete && !of[2].complete);
}

static void wait_for(unsigned int i, unsigned int lock, unsigned int by, enum stuck_holds holds)
{
	static struct file_locks_of list;
	static struct file_wait waits[THREADS];

	list = (struct file_locks_of){ .complete = true };
	locks[lock].of = &list;
	of[lock].complete = true;
	waits[i] = (struct file_wait){ .lock = &locks[lock] };
	all[i].is_on_lock = all[i].has_lock = true;
	all[i].lock_name = of[lock].name;
	all[i].file_lock = &of[lock];
	all[i].file_wait = &waits[i];
	all[i].holder = &all[by];
	all[i].holds = holds;
	of[lock].holder = &all[by];
}

static bool is_circle(unsigned int i)
{
	stuck_find_circle(&all[i]);
	return all[i].is_deadlocked;
}

static void circles(void)
{
	set_up();
	wait_for(2, 1, 3, HOLDS_LOCK);
	wait_for(3, 2, 2, HOLDS_LOCK);
	CHECK(is_circle(2) && is_circle(3));
	/* Who waits for itself, by another struct file. */
	wait_for(4, 3, 4, HOLDS_LOCK);
	CHECK(is_circle(4));
	/* One of several, another thread, or the end of a lease may end it. */
	wait_for(3, 2, 2, HOLDS_SHARED);
	CHECK(!is_circle(2) && !is_circle(3));
	wait_for(3, 2, 2, HOLDS_PROCESS);
	CHECK(!is_circle(2) && !is_circle(3));
	locks[2].kind = FILE_LOCK_LEASE;
	wait_for(3, 2, 2, HOLDS_LOCK);
	CHECK(!is_circle(2) && !is_circle(3));
}

static void check_words(const char *expected)
{
	const struct stuck x = { .first = all };
	struct strbuf b = STRBUF_OF(512);
	bool said = stuck_file_words(&x, &of[1], &b);

	CHECK(said == (expected != NULL));
	CHECK_TEXT(b.buf, expected ?: "");
}

static void in_words(void)
{
	set_up();
	for (unsigned int i = 2; i < 5; i++)
		wait_for(i, 1, 0, HOLDS_LOCK);
	of[1].name = "flock of /run/x";
	all[0].waits_for = "io";
	for (unsigned int i = 2; i < 5; i++)
		all[i].lock_name = of[1].name;
	check_words(
		"3 threads wait for flock of /run/x, which p10 (10) has; p10 (10) waits for io");
	of[1].processes = 3;
	all[4].file_lock = NULL;
	check_words("p20 (20) and p30 (30) wait for flock of /run/x, which p10 (10) and 2 more "
		    "processes have; p10 (10) waits for io");
	of[1].complete = false;
	all[3].file_lock = NULL;
	check_words("p20 (20) waits for flock of /run/x, which p10 (10) and at least 2 more "
		    "processes have; p10 (10) waits for io");
	of[1].processes = 1;
	check_words("p20 (20) waits for flock of /run/x, which p10 (10) and maybe others have; "
		    "p10 (10) waits for io");
	of[1].complete = true;
	of[1].threads = 2;
	all[2].holds = HOLDS_PROCESS;
	check_words("p20 (20) waits for flock of /run/x, which p10 (10) has; p10 (10) waits for io "
		    "with one of its 2 threads");
	/* A deadlock has a sentence of its own; of an unknown holder nothing is said. */
	all[2].is_deadlocked = true;
	check_words(NULL);
	all[2].is_deadlocked = false;
	of[1].holder = NULL;
	check_words(NULL);
}

static void locks_of_others_are_counted(void)
{
	struct file_lock others[2] = { { .kind = FILE_LOCK_FLOCK, .file = 1, .is_shared = true },
				       { .kind = FILE_LOCK_FLOCK, .file = 2, .is_shared = true } };
	struct file_locks_of list = { .first = &others[0], .complete = true };
	struct file_wait wait = { .lock = &others[0], .file = 3 };

	others[0].next = &others[1];
	others[0].of = others[1].of = &list;
	set_up();
	wait_for(2, 1, 0, HOLDS_LOCK);
	all[0].waits_for = "io";
	all[2].file_wait = &wait;
	check_words("p20 (20) waits for lock, which p10 (10) has (1 more lock conflicts); p10 (10) "
		    "waits for io");
}

TESTS({ "each lock has its owner", each_lock_has_its_owner },
      { "the first thread of the owner has exited", its_first_thread_has_exited },
      { "locks of files by the functions that sleep", by_their_functions },
      { "who else has it is unknown", what_is_missing }, { "circles", circles },
      { "locks of files in words", in_words },
      { "locks of others are counted", locks_of_others_are_counted })
