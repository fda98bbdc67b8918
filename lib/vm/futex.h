/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The futex that a task sleeps on: struct futex_q on its stack, in the queue of its hash bucket
 * (kernel/futex/futex.h), and the words in user memory at its address, which say who has it: by the ABI of the kernel
 * (FUTEX_WAITERS and a thread ID, of PI and robust futexes), or as glibc lays out its locks, which is inferred.
 */
#pragma once

#include "pages/pgtable.h"
#include "tasks/task_stack.h"
#include "tasks/task.h"

struct futexes {
	struct dump *dump;
	struct field node, task, ptr, word, offset; /* of struct futex_q */
	struct field pgd;			    /* of struct mm_struct */
	struct field thread_pid, level, numbers;    /* of struct task_struct, struct pid */
	uint64_t number_size;			    /* bytes of struct upid */
	struct page_tables tables;		    /* of any process, but for the top table */
	enum status tables_status;
	const char *why_no_tables;
};

enum status futexes_open(struct dump *d, struct futexes *ret);

/* Of a futex that processes share, of a file or of shared memory. */
struct futex_key {
	uint64_t object; /* of the inode: i_sequence, or its address */
	uint64_t page;	 /* of the file */
	uint32_t offset; /* in the page */
};

/*
 * The address of the word that a task waits for, of its own memory. ST_ABSENT: it is in no queue; ST_UNKNOWN: the futex
 * is of a file, or of shared memory, with *key.
 */
enum status futex_find(const struct futexes *x, uint64_t task, uint64_t mm,
		       const struct task_stack *s, uint64_t *ret, struct futex_key *key);

enum futex_form {
	FUTEX_UNKNOWN,
	FUTEX_OWNED,  /* FUTEX_WAITERS and a thread ID */
	FUTEX_MUTEX,  /* pthread_mutex_t of glibc */
	FUTEX_RWLOCK, /* pthread_rwlock_t of glibc, that a writer has */
	FUTEX_FORMS
};

#define FUTEX_WORDS 16 /* from FUTEX_BEFORE bytes before the futex on */
#define FUTEX_BEFORE 12

/*
 * What the words around a futex say: the thread ID that its owner has for itself. FUTEX_UNKNOWN: none, as where threads
 * wait for work. has: which words are in this dump.
 */
enum futex_form futex_owner(const uint32_t word[FUTEX_WORDS], uint32_t has, int32_t *tid);

/* Of the form FUTEX_MUTEX: that processes share it, which its kind says, too. */
bool futex_is_pshared(const uint32_t word[FUTEX_WORDS]);

/* Reads these words; ST_ABSENT: no page is there, as in swap; ST_UNREADABLE. The futex itself is in *has then. */
enum status futex_words(const struct futexes *x, uint64_t mm, uint64_t futex,
			uint32_t word[FUTEX_WORDS], uint32_t *has);

/* The ID that a thread has in its own PID namespace. */
enum status futex_tid(const struct futexes *x, uint64_t task, int32_t *ret);
