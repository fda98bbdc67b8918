/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who waits for a journal of jbd2, as of ext4: until its thread has written a transaction (fsync(), jbd2_log_wait_commit()),
 * or until a new one begins (wait_transaction_locked()). The entry in the queue of struct journal_s is on the stack.
 */
#pragma once

#include "kernel/wait_queue.h"
#include "tasks/task_stack.h"

#define JOURNAL_QUEUES 2

struct journals {
	struct dump *dump;
	struct wait_queues queues;
	struct field thread, wait[JOURNAL_QUEUES]; /* of struct journal_s */
};

/* ST_ABSENT: no such module is loaded; ST_UNKNOWN: a layout that this build does not know. */
enum status journals_open(struct dump *d, struct journals *ret);

/* Whether a word that may be a task_struct is that of a thread of jbd2. */
struct journal_threads {
	bool (*is)(void *arg, uint64_t task);
	void *arg;
};

/* The thread of the journal that the task waits for. ST_ABSENT: it is in no such queue. */
enum status journal_wait_find(const struct journals *x, uint64_t task, const struct task_stack *s,
			      const struct journal_threads *threads, uint64_t *ret);
