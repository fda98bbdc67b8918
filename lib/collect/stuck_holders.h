/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has what a thread waits for: by the lock itself, by stacks of readers, by who has the other end of a server. */
#pragma once

#include "collect/stuck.h"

struct stuck_holders {
	const struct hash_u64 *tasks;	/* of struct stuck_task *, by task_struct */
	const struct hash_u64 *readers; /* of struct stuck_task *, by a lock it has for reading */
	struct task_stacks *stacks;
	const struct field *mmap_lock; /* of mm_struct; NULL: unknown */
	struct arena *arena;
};

/* Sets holder and holds, or unheld; not of a lock of a file, nor of a frozen file system. */
void stuck_find_holder(struct stuck_holders *x, struct stuck_task *s);

/* ", and so do 4 more threads, of rtupoll (250)": those that wait for the lock of one; nothing: none does. */
void stuck_add_alike(const struct stuck *x, const struct stuck_task *of, struct strbuf *b);

/* A driver's own handler of page faults, in which the thread sleeps, has the lock with which it was called. */
bool stuck_keeps_lock_in_fault(const struct stuck_task *noted);

#define STUCK_LOCKS_TOLD \
	4u /* of each reason, those with most waiters; how many more there are is one warning */

/*
 * Of locks of which it is not known, or doubted, who has them, a warning for each with those that wait for it alone: "3
 * threads wait for lock_m [drv], who has it is unknown: of a semaphore this kernel does not note it"; all of them but of a
 * lost owner are notes: the answer is complete.
 */
struct gaps stuck_doubt_gaps(struct dump *d, const struct stuck *x);
