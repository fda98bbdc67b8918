/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has mm_struct.mmap_lock (mmap_sem up to 5.7), a struct rw_semaphore. */
#pragma once

#include "tasks/rw_semaphore.h"

struct mmap_locks {
	struct field lock; /* of struct mm_struct */
	struct rwsems rwsems;
};

/* ST_UNKNOWN: the lock of this kernel has no owner. */
enum status mmap_locks_open(struct dump *d, struct mmap_locks *ret);

/* As rwsem_read(). */
enum status mmap_lock_read(const struct mmap_locks *l, uint64_t mm, enum rwsem_state *state,
			   uint64_t *task);
