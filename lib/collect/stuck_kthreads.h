/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that sleep until a thread of the kernel has done what it is for, where it does not get on itself: kswapd of a node,
 * the worker of a workqueue, the thread of a journal.
 */
#pragma once

#include "collect/stuck.h"

/* Sets the holder of such threads; tasks: of struct stuck_task * by task_struct. NULL, or why one may be missing. */
const char *stuck_find_kswapd(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks);

/* The same of those that wait until a work has run (flush_work(), cancel_work_sync()). Behind the holders of locks. */
const char *stuck_find_workers(struct dump *d, struct stuck_task *all);

/* The same of those that wait until a thread that they stop has ended (kthread_stop()). */
const char *stuck_find_stopping(struct dump *d, struct stuck_task *all);

/* The same of those that wait until kthreadd has started a thread, where that does not get on itself. */
void stuck_find_starting(struct stuck_task *all);

/*
 * The same of those that wait for a transaction of a journal (fsync()); where its thread waits for a disk, they count as
 * waiting for that. Behind the disks.
 */
const char *stuck_find_journals(const struct task_stacks *stacks, struct stuck_task *all,
				const struct hash_u64 *tasks, struct stuck_disk *disks);
