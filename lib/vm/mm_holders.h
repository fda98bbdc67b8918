/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * References to mm_structs (mm_count) of others than the threads that use the memory, each found at
 * its pointer to the mm_struct:
 *
 * - task_struct.active_mm of a task without memory of its own that runs: its CPU keeps the page
 *   tables loaded (mmgrab_lazy_tlb() in kernel/sched/core.c); idle tasks are among them
 * - kernel threads between kthread_use_mm() and kthread_unuse_mm()
 * - signal_struct.oom_mm of a process that the OOM killer chose (mark_oom_victim() in mm/oom_kill.c)
 * - open files of /proc/PID (proc_mem_open() in fs/proc/base.c), of userfaultfd and of io_uring
 * - the lists of khugepaged and ksmd
 *
 * Drivers, KVM, mmu_notifiers and files that are in no table of descriptors are not looked at: what
 * mm_count has more than these was not found, which does not say that nothing holds it.
 */
#pragma once

#include "files/open_files.h"
#include "tasks/rw_semaphore.h"

enum mm_holder_field {
	HOLDER_TASK_MM,
	HOLDER_ACTIVE_MM,
	HOLDER_OOM_MM,
	HOLDER_RQ_IDLE,
	HOLDER_FILE_DATA,
	HOLDER_SEQ_PRIVATE,
	HOLDER_MAPS_MM,
	HOLDER_UFFD_MM,
	HOLDER_RING_MM,
	HOLDER_SLOT_NODE,
	HOLDER_SLOT_MM,
	HOLDER_SCAN_LIST,
	HOLDER_KSM_SLOT,
	HOLDER_HUGE_NODE,
	HOLDER_HUGE_MM,
	HOLDER_KSM_NODE,
	HOLDER_KSM_MM,
	HOLDER_FIELDS
};

/* One reference. */
struct mm_holder {
	struct mm_holder *next;	 /* of the same mm_struct */
	const char *what;	 /* "active_mm of", "/proc/PID/mem open in", "khugepaged" */
	struct file_users users; /* the task, or the processes with the file; n is 0: neither */
};

struct mm_holders {
	struct dump *dump;
	struct field f[HOLDER_FIELDS];
	struct open_files files;
	struct hash_u64 by_mm;	   /* of struct mm_holder *, the last found first */
	struct hash_u64 by_file;   /* of struct mm_holder * by struct file */
	struct hash_u64 signals;   /* that were seen */
	struct hash_u64 file_uses; /* of struct file_use * by f_op */
	const char *problem;	   /* NULL, or what was missing first: there may be more holders */
};

/* Finds all, once.  *ret stays where it is.  ST_STOPPED; ST_UNKNOWN: unknown layout. */
enum status mm_holders_read(struct dump *d, struct mm_holders *ret);

/* References to an mm_struct that were found. */
uint64_t mm_holders_count(const struct mm_holders *h, uint64_t mm);

/*
 * "active_mm of 0(swapper/1), khugepaged"; empty: none was found.  With a problem "khugepaged, others
 * unknown".
 */
const struct text_list *mm_holders_list(const struct mm_holders *h, uint64_t mm,
					struct text_lists *lists);

/* Who has mm_struct.mmap_lock (mmap_sem up to 5.7), a struct rw_semaphore. */

struct mmap_locks {
	struct field lock; /* of struct mm_struct */
	struct rwsems rwsems;
};

/* ST_UNKNOWN: the lock of this kernel has no owner. */
enum status mmap_locks_open(struct dump *d, struct mmap_locks *ret);
