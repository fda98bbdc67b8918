/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for a lock in user memory (a futex), where its words name a thread of the process, or of one that maps
 * the same file or shared memory, and that thread rests in no wait for work: what waits for a condition, as idle workers
 * do, has no owner. And services of which nearly all threads wait for one lock, of the kernel too.
 */
#pragma once

#include "collect/in_fault.h"
#include "tasks/user_call.h"
#include "util/strbuf.h"
#include "vm/futex_shared.h"

struct stuck_task;
struct stuck_mm_user;

/* A word that threads wait for. */
struct stuck_futex {
	struct stuck_futex *next;
	uint64_t mm, address; /* of the first that waits */
	uint64_t inode,
		place; /* of what processes share, and bytes into it; inode 0: it is of one process */
	const char *of; /* then: "/dev/shm/jobs", "shared memory of 89" */
	size_t waiting;
	bool is_pi;	      /* the kernel has its owner */
	enum futex_form form; /* of its owner: */
	int32_t tid;	      /* that its words name, unless the form is unknown */
	bool is_lost;	      /* no thread that maps it has this ID */
	bool is_unread,
		is_of_crowd;	  /* its words are unknown; nearly all of a process wait for it */
	size_t locking;		  /* of those that wait: whose system call is that of a lock */
	struct stuck_task *owner; /* NULL: unknown, or it has none, or rests */
};

/* Zero before the first of them. */
struct stuck_futexes {
	bool is_open, has_futexes;
	struct futexes futexes;
	struct stuck_futex *first, **last;
	struct hash_u64
		by_place; /* of struct stuck_futex *, by address and mm, or what is shared */
	struct shared_futexes *of_files; /* NULL: no thread waits for one */
	bool has_files;
	const char *why; /* NULL, or why some may be missing */
	bool has_tids;
	struct hash_u64 tids; /* of struct stuck_task *, by thread ID in its namespace, and mm */
	size_t unread; /* threads, nearly all of a process, whose futex is in no page of this dump */
	size_t shared; /* threads that wait for a futex of a file or of shared memory, not found */
	const char *why_shared;
	size_t lost; /* threads that wait for one which names a thread ID that no thread has */
	size_t unread_few;	/* the same of other threads */
	const char *why_unread; /* of both, with whose threads they are: */
	const char *unread_of, *unread_few_of;
	size_t ownerless; /* threads that wait for a lock by their calls, of which the words are unknown */
	const struct stuck_user_locks *locks; /* whose those are */
	const char *why_no_sems; /* NULL, or why one that waits for a semaphore may be missing */
};

/* A process of which nearly all threads wait for one lock. */
struct stuck_service {
	int32_t tgid;
	const char *comm; /* of the thread that stands for it; NULL: it was not found */
	size_t waiting, threads;
	bool has_memory;
	uint64_t rss_bytes, swap_bytes;
	bool has_age;
	uint64_t age_ns;		  /* of the wait that is longest */
	const struct stuck_task *told_by; /* one of those that wait */
};

/*
 * Threads of one process that wait for locks in user memory by their system calls (user_call_locks()), as their words are
 * not in this dump: who has them is unknown.
 */
struct stuck_user_locks {
	const struct stuck_user_locks *next;
	int32_t tgid;
	const char *comm; /* of its first thread, or of another where that is unknown */
	size_t waiting, threads, locks;
	/* Of a lock that processes share: how many they are that wait; comm is NULL where they have other names. */
	size_t processes;
	bool is_shared, is_mixed;
	bool has_age; /* of the one that waits longest and of the one that came last: */
	uint64_t since_ns, last_ns;
};

/*
 * "15 of 17 threads of orderd (159) wait for 2 locks in user memory, by their system calls, the last one for 21s; who has
 * them is unknown"; false: one of them came within the last second, so that they may get on.
 */
bool stuck_user_lock_words(const struct stuck_user_locks *l, const struct dump_info *info,
			   uint64_t least_ns, struct strbuf *b);

/* Whether that many threads of a process are nearly all of it, which are told as one. */
bool stuck_is_crowd(size_t waiting, size_t threads);

/* Whether a thread gave up the CPU there for a futex. */
bool stuck_is_futex_wait(const char *function);

/* Of a thread that did, with these frames. */
void stuck_futex_note(struct stuck_futexes *x, struct dump *d, const struct user_calls *calls,
		      struct task_frames *at, struct stuck_task *s);

/* Whose threads those are whose futex is unknown, "the page is missing (5 of redis-server (245), 1 of rsyslogd (246))". */
void stuck_futexes_name_unread(struct stuck_futexes *x, struct dump *d,
			       const struct stuck_task *all);

/* Who has them, once all threads were looked at. at: what frames are read with; users: as below. */
void stuck_futexes_find(struct stuck_futexes *x, struct dump *d, struct task_frames *at,
			struct stuck_task *all, const struct hash_u64 *users);

/*
 * Threads that wait for a semaphore of System V which one living process took, by its undo values, and does not rest. One
 * without such values has no owner, and many that wait for these only wait for work. tasks: of struct stuck_task *.
 */
void stuck_find_semaphores(struct stuck_futexes *x, struct dump *d, struct task_frames *at,
			   struct stuck_task *all, const struct hash_u64 *tasks);

/* Once holders are known. users: struct stuck_mm_user by mm_struct. */
void stuck_find_services(struct dump *d, const struct hash_u64 *users, struct stuck_task *all);

/* False: of a lock in user memory that is its process's own affair: not nearly all of it waits, and it is in no deadlock. */
bool stuck_is_of_machine(const struct stuck_task *s);

/* Whether two threads wait for the same lock: an address of user memory is one of its process. */
bool stuck_same_lock(const struct stuck_task *a, const struct stuck_task *b);

/* Of one that has_lock: that of all others of the same lock. */
uint64_t stuck_lock_key(const struct stuck_task *s);
