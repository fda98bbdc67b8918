/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has mm_struct.mmap_lock (mmap_sem up to 5.7), a struct rw_semaphore: a writer leaves its
 * task_struct in the owner, a reader too, but other readers may have come and it may
 * have gone (kernel/locking/rwsem.c). With CONFIG_PREEMPT_RT readers are counted only
 * (kernel/locking/rwbase_rt.c).
 */
#pragma once

#include "dump/dump.h"

struct mmap_locks {
	struct dump *dump;
	struct field lock, owner, count;
	bool is_rt;
};

enum mmap_lock_state {
	MMAP_LOCK_FREE,
	MMAP_LOCK_WRITER,
	MMAP_LOCK_READER, /* task is the reader that came last, if it is still there */
};

/* ST_UNKNOWN: the lock of this kernel has no owner. */
enum status mmap_locks_open(struct dump *d, struct mmap_locks *ret);

/* *task is the address of a task_struct that need not exist any more, 0: none is noted. */
enum status mmap_lock_read(const struct mmap_locks *l, uint64_t mm, enum mmap_lock_state *state,
			   uint64_t *task);
