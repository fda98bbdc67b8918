/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has a struct rw_semaphore: a writer leaves its task_struct in the owner, a reader too, but
 * other readers may have come and it may have gone (kernel/locking/rwsem.c). With CONFIG_PREEMPT_RT
 * readers are counted only (kernel/locking/rwbase_rt.c).
 */
#pragma once

#include "dump/dump.h"

struct rwsems {
	struct dump *dump;
	struct field owner, count;
	bool is_rt;
};

enum rwsem_state {
	RWSEM_FREE,
	RWSEM_WRITER,
	RWSEM_READER, /* task is the reader that came last, if it is still there */
};

/* ST_UNKNOWN: the semaphores of this kernel have no owner. */
enum status rwsems_open(struct dump *d, struct rwsems *ret);

/* Of CONFIG_PREEMPT_RT: how a rwlock_t has its readers and its writer; since 5.15 it is as a semaphore is. */
enum status rwlocks_find(const struct rwsems *s, struct rwsems *ret);

/*
 * *task is the address of a task_struct that need not exist any more, 0: none is noted. what names the
 * semaphore in messages.
 */
enum status rwsem_read(const struct rwsems *s, uint64_t address, const char *what,
		       enum rwsem_state *state, uint64_t *task);

/* With CONFIG_PREEMPT_RT: whether the lock is read and a writer waits, which has the rt_mutex, until those are gone. */
bool rwsem_is_barred(const struct rwsems *s, uint64_t address);
