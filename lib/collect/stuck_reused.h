/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks that name a task_struct which another task has by now: it was born after every waiter of the lock stopped,
 * and who gives a lock back wakes a waiter.
 */
#pragma once

#include "collect/stuck.h"

/* tasks: struct stuck_task *, by task_struct. Sets lock.by of those that wait to LOCK_OWNER_REUSED or
 * LOCK_OWNER_GONE. */
void stuck_find_reused(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks);

/*
 * Whether a process sleeps for its own sake, by a system call that begins there: what it has of the kernel it kept
 * beyond another one.
 */
bool stuck_sleeps_at_will(const struct stuck_task *t);

/*
 * Whether the one that a lock names sleeps by a system call of its own, where it has no lock of the kernel unless it
 * kept it beyond another call: its task_struct may have been that of a task that exited with the lock.
 */
bool stuck_owner_is_doubted(const struct stuck_task *s);

/* The same in words, behind those of who has the lock; nothing where it is not doubted. */
void stuck_add_doubt(const struct stuck_task *s, struct strbuf *b);
