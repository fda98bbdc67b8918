// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has a lock: the one that waits for it itself, swapoff() by its stack. */
#include "collect/places.h"
#include "collect/stuck_circle.h"
#include "collect/stuck_holders.h"
#include "collect/stuck_words.h"
#include "collect/unuse_lock.h"
#include "stub.h"
#include "test.h"

#define TASK(i) (0x7000 + 0x100 * (uint64_t)(i))
#define LOCK 0x9000

static struct stuck_task all[3];

/* Tasks 0 and 1 wait for a mutex whose owner is a task. */
static void set_up(unsigned int owner)
{
	for (unsigned int i = 0; i < 3; i++) {
		all[i] = (struct stuck_task){ .task = { .pid = (int32_t)i + 1, .state = 'D' } };
		all[i].task.address = TASK(i);
		all[i].next = i < 2 ? &all[i + 1] : NULL;
		snprintf(all[i].task.comm, sizeof(all[i].task.comm), "t%u", i + 1);
	}
	for (unsigned int i = 0; i < 2; i++) {
		all[i].is_on_lock = all[i].has_lock = true;
		all[i].lock = (struct lock_wait){ .kind = LOCK_MUTEX,
						  .lock = LOCK,
						  .by = LOCK_OWNER_HAS_IT,
						  .owner = TASK(owner) };
		all[i].lock_name = "m";
	}
}

static void find_all(void)
{
	struct hash_u64 tasks, readers;
	STUB(stub);
	struct stuck_holders x = { .tasks = &tasks, .readers = &readers };

	hash_u64_init(&tasks, stub.dump.arena, sizeof(struct stuck_task *));
	hash_u64_init(&readers, stub.dump.arena, sizeof(struct stuck_task *));
	for (unsigned int i = 0; i < 3; i++)
		*(struct stuck_task **)hash_u64_get(&tasks, TASK(i), NULL) = &all[i];
	for (unsigned int i = 0; i < 3; i++)
		stuck_find_holder(&x, &all[i]);
	for (unsigned int i = 0; i < 3; i++)
		stuck_find_circle(&all[i]);
}

/* Who waits for the same lock, by the process. */
static void those_that_wait_as_well(void)
{
	struct strbuf b = STRBUF_OF(256), other = STRBUF_OF(256), none = STRBUF_OF(256);

	set_up(2);
	all[1].task.tgid = 3;
	all[2].task.tgid = 3;
	stuck_add_alike(&(struct stuck){ .first = all }, &all[0], &b);
	CHECK_TEXT(b.buf, ", and so does 1 more thread, of t3 (3)");
	all[2].is_on_lock = all[2].has_lock = true;
	all[2].lock = all[0].lock;
	all[1].task.tgid = 2;
	stuck_add_alike(&(struct stuck){ .first = all, .unreadable = 1 }, &all[0], &other);
	CHECK_TEXT(other.buf, ", and so do at least 2 more threads, of which one is of t2 (2)");
	all[1].has_lock = all[2].has_lock = false;
	stuck_add_alike(&(struct stuck){ .first = all }, &all[0], &none);
	CHECK_TEXT(none.buf, "");
}

/* A deadlock of one: it took the lock twice, or a task that exited with it had its task_struct. */
static void by_who_waits_itself(void)
{
	struct strbuf b = STRBUF_OF(512), many = STRBUF_OF(512);

	set_up(0);
	find_all();
	CHECK(all[0].holder == &all[0] && all[0].holds == HOLDS_ITSELF && all[0].is_deadlocked);
	CHECK(all[1].holder == &all[0] && all[1].holds == HOLDS_LOCK && !all[1].is_deadlocked);
	CHECK(stuck_deadlock_words(&all[0], &b));
	CHECK_TEXT(
		b.buf,
		"perhaps a deadlock: t1 (1) waits for m, whose owner it is itself: it took it before, or "
		"a task that exited with it had the task_struct that is its own now");
	stuck_lock_words(&(struct stuck){ 0 }, &all[0], &all[1], 2, &many);
	CHECK_TEXT(many.buf, "t1 (1) and t2 (2) wait for m, whose owner is one of them, t1 (1)");
	/* It was given the lock, was woken, or runs: it is about to take it. */
	set_up(0);
	all[0].lock.is_handed = true;
	find_all();
	CHECK(!all[0].holder && !all[0].is_deadlocked);
	set_up(0);
	all[0].task.state = 'R';
	find_all();
	CHECK(!all[0].holder);
	set_up(0);
	all[0].on_cpu = true;
	find_all();
	CHECK(!all[0].holder);
	/* Of another task nothing changes. */
	set_up(2);
	find_all();
	CHECK(all[0].holder == &all[2] && all[0].holds == HOLDS_LOCK && !all[0].is_deadlocked);
}

/* The one that took a semaphore last may have it no more: no deadlock follows. */
static void of_a_semaphore(void)
{
	struct strbuf b = STRBUF_OF(256);

	set_up(2);
	all[0].lock.by = all[1].lock.by = LOCK_OWNER_LAST;
	all[2].lock = all[0].lock;
	all[2].lock.owner = TASK(0);
	all[2].lock.lock += 64;
	all[2].is_on_lock = all[2].has_lock = true;
	find_all();
	CHECK(all[0].holder == &all[2] && all[0].holds == HOLDS_LAST && !all[0].is_deadlocked);
	stuck_task_words(&all[0], &b);
	CHECK_TEXT(b.buf, "t1 (1) waits for m, which t3 (3) took last, and may have given back");
	/* That a task took it last is no holder where it is the one that waits: others may have had its task_struct. */
	set_up(0);
	all[0].lock.by = all[1].lock.by = LOCK_OWNER_LAST;
	find_all();
	CHECK(all[0].unheld == UNHELD_SELF_LAST && !all[1].unheld);
	CHECK(!all[0].holder && all[1].holder == &all[0]);
	set_up(2);
	all[0].lock.by = all[1].lock.by = LOCK_OWNER_NOT_KEPT;
	find_all();
	CHECK(!all[0].holder && all[0].unheld == UNHELD_NOT_KEPT &&
	      all[1].unheld == UNHELD_NOT_KEPT);
}

/* The other end of what it sleeps on: of a process here, or of none. */
static void of_connections(void)
{
	struct file_user git = { .tgid = 9, .comm = "git" };

	set_up(2);
	all[0].lock = all[1].lock = (struct lock_wait){ 0 };
	all[0].is_on_lock = all[1].is_on_lock = false;
	all[0].peer = &git;
	all[0].peer_by = "TCP connection";
	all[1].remote = "192.0.2.7:443";
	for (unsigned int i = 0; i < 2; i++) {
		struct strbuf b = STRBUF_OF(256);

		stuck_task_words(&all[i], &b);
		CHECK_TEXT(b.buf, i ? "t2 (2) waits on a TCP connection for 192.0.2.7:443, which "
				      "no process here has"
				    : "t1 (1) waits on a TCP connection for git (9)");
	}
	/* A server waits for the next request of its client all the time. */
	all[0].is_server_end = all[1].is_server_end = true;
	for (unsigned int i = 0; i < 2; i++) {
		struct strbuf b = STRBUF_OF(256);

		stuck_task_words(&all[i], &b);
		CHECK_TEXT(b.buf, i ? "t2 (2) waits on a TCP connection for 192.0.2.7:443, its "
				      "client, which no process here has"
				    : "t1 (1) waits on a TCP connection for git (9), its client");
	}
}

/* A reader that waits for the lock again need not have it any more. */
static void of_readers(void)
{
	set_up(1);
	for (unsigned int i = 0; i < 2; i++) {
		all[i].lock.kind = LOCK_RWSEM;
		all[i].lock.by = LOCK_OWNER_READ;
	}
	find_all();
	CHECK(!all[0].holder && !all[1].holder && all[0].unheld == UNHELD_UNTOLD &&
	      all[1].unheld == UNHELD_UNTOLD);
}

/* A reader that waits behind a writer, which waits for it, by the lock: it may have given it back. */
static void a_reader_again(void)
{
	struct strbuf b = STRBUF_OF(512);

	set_up(0);
	for (unsigned int i = 0; i < 2; i++)
		all[i].lock = (struct lock_wait){ .kind = LOCK_RWSEM,
						  .lock = LOCK,
						  .by = LOCK_OWNER_READ,
						  .owner = TASK(0),
						  .reads = !i,
						  .writer = i ? 0 : TASK(1) };
	all[2] = all[0];
	all[2].next = NULL;
	all[2].task.pid = 3;
	all[2].task.address = TASK(2);
	find_all();
	CHECK(all[0].holder == &all[1] && all[0].holds == HOLDS_QUEUED && all[0].is_deadlocked);
	CHECK(all[1].holder == &all[0] && all[1].holds == HOLDS_AGAIN && all[1].is_deadlocked);
	CHECK(all[2].holder == &all[1] && !all[2].is_deadlocked && !stuck_circle_is_sure(&all[0]));
	CHECK(stuck_deadlock_words(&all[0], &b));
	CHECK_TEXT(
		b.buf,
		"perhaps a deadlock: t1 (1) waits for m, to read it, behind the writer t2 (2), which "
		"waits for m, which t1 (1) took last for reading and may still have");
	CHECK(!stuck_deadlock_words(&all[1], &b));
	/* A reader that does not wait for it is no such one. */
	all[0].has_lock = false;
	all[0].lock = (struct lock_wait){ 0 };
	all[0].holder = all[1].holder = NULL;
	CHECK(stuck_circle_is_sure(&all[0]));
}

#define STACK 0xffffc90000000000ULL
#define MM 0xffff888000001000ULL
#define OTHER_MM 0xffff888000002000ULL
#define MMAP_LOCK 0x68

static uint64_t words[64];

static uint64_t find_mm(void)
{
	const struct task_stack s = { .base = STACK,
				      .size = sizeof(words),
				      .bytes = (const uint8_t *)words };
	STUB(stub);
	struct hash_u64 mms;

	hash_u64_init(&mms, stub.dump.arena, 8);
	hash_u64_get(&mms, MM, NULL);
	hash_u64_get(&mms, OTHER_MM, NULL);
	return unuse_find_mm(&s, STACK + 0x80, STACK + 0x100, &mms, MMAP_LOCK);
}

static void of_swapoff(void)
{
	static const char *const names[] = { "unuse_pte_range", "unuse_pmd_range.isra.0",
					     "unuse_vma", "unuse_pte" };
	static const char *const others[] = { "unuse_mm", "kthread_unuse_mm", "shmem_unuse",
					      "do_swap_page", "" };

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		CHECK(unuse_has_lock(names[i]) && place_of(names[i]) == PLACE_SWAP_IN);
	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++)
		CHECK(!unuse_has_lock(others[i]));
	memset(words, 0, sizeof(words));
	CHECK(!find_mm());
	words[0x88 / 8] = MM;
	words[0x98 / 8] = MM + MMAP_LOCK;
	CHECK(find_mm() == MM);
	/* Not that of frames that are further out; of two it is not known which. */
	words[0x100 / 8] = OTHER_MM;
	CHECK(find_mm() == MM);
	words[0xf8 / 8] = OTHER_MM + MMAP_LOCK;
	CHECK(!find_mm());
}

/* By words, that a later release has new functions of. */
static void swap_in_by_words(void)
{
	static const char *const names[] = {
		"do_swap_page",	     "swapin_readahead",      "shmem_swapin_folio",
		"swapin_sync",	     "swap_readpage",	      "swap_read_folio_bdev_sync",
		"shmem_unuse_inode", "try_to_unuse",	      "__collapse_huge_page_swapin",
		"unuse_pte_range",   "swap_cluster_readahead"
	};
	static const char *const others[] = { "iommu_device_unuse_default_domain",
					      "unuse_temporary_mm",
					      "put_unused_fd",
					      "kthread_unuse_mm",
					      "swap_writepage",
					      "" };

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		CHECK(place_of(names[i]) == PLACE_SWAP_IN && wait_of(names[i]) == WAIT_SWAP_IN);
	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++)
		CHECK(!wait_is_swap_in(others[i]));
	CHECK(place_of("mem_cgroup_swapin_charge_folio") == PLACE_CHARGE);
}

/* The kernel's handlers give the lock back before they wait for a page, those of drivers do not. */
static void in_a_fault(void)
{
	static const struct frame driver = { .symbol = "cap_fault", .module = "cap" };
	static const struct frame kernel = { .symbol = "filemap_fault" };
	static const struct in_fault fault;

	for (unsigned int i = 0; i < 5; i++) {
		struct stuck_task t = { .fault = i == 1 ? NULL : &fault,
					.module_frame = i == 2 ? NULL : &driver,
					.caller = i == 3 ? &kernel : &driver,
					.waits_for = i == 4 ? "page_lock" : "other" };

		CHECK(stuck_keeps_lock_in_fault(&t) == !i);
	}
}

TESTS({ "those that wait as well", those_that_wait_as_well },
      { "the owner of a lock is who waits for it", by_who_waits_itself },
      { "the last reader waits again", of_readers },
      { "a reader that waits behind a writer", a_reader_again },
      { "who took a semaphore last", of_a_semaphore }, { "mmap_lock of swapoff()", of_swapoff },
      { "of connections", of_connections }, { "in a page fault", in_a_fault },
      { "swap-in by words", swap_in_by_words })
