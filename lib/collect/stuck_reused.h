/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks that name a task_struct which another task has by now: it was born after every waiter of the lock stopped,
 * and who gives a lock back wakes a waiter.
 */
#pragma once

#include "collect/stuck.h"

/* tasks: struct stuck_task *, by task_struct. Sets lock.by of those that wait to LOCK_OWNER_REUSED. */
void stuck_find_reused(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks);
