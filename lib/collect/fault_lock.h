/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock that a thread inside a page fault has for reading, which no lock says of a reader: handle_mm_fault() is
 * called with mmap_lock, or since 6.4 with the lock of the VMA, and only a fault that may be tried again gives
 * it back before it waits (fault_flag_allow_retry_first()).
 */
#pragma once

#include "collect/in_fault.h"

struct fault_locks {
	struct dump *dump;
	struct field mmap_lock;
	struct field vma_lock, vma_rwsem;   /* of vm_area_struct and vma_lock: 6.4 to 6.14 */
	struct field vma_count, vma_writer; /* of vm_area_struct and mm_struct: 6.15 */
	bool only_mmap_lock;		    /* no VMA has a lock */
};

struct fault_lock {
	/*
	 * The rw_semaphore that it has; 0: none is known. Of a VMA: it has that if another one waits for it, who
	 * has mmap_lock then. Since 6.15 a VMA counts its readers, and vma_writer_wait stands for the lock of the
	 * one that is waited for.
	 */
	uint64_t lock;
	uint64_t vma_start; /* of the VMA whose lock it is; 0: it is mmap_lock */
	uint64_t
		mmap_lock; /* of the memory that it is of, which it has or has not; 0: that is not known */
};

/* mmap_lock: as mmap_locks_open() found it. */
enum status fault_locks_open(struct dump *d, const struct field *mmap_lock,
			     struct fault_locks *ret);

/* The task_struct that waits for the readers of a VMA of mm, since 6.15; 0: none does. */
enum status fault_lock_writer(const struct fault_locks *l, uint64_t mm, uint64_t *ret);

/* at has the frames of the fault. ST_ABSENT: what the fault has is not known. */
enum status fault_lock_find(struct fault_locks *l, struct task_frames *at,
			    const struct in_fault *fault, struct fault_lock *ret);
