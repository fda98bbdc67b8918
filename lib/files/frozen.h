/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * File systems that are frozen, as by fsfreeze or a snapshot of LVM, and the tasks that wait to write to one: they are
 * in the queue of a percpu_rw_semaphore of its super_block, s_writers.rw_sem[] (fs/super.c,
 * kernel/locking/percpu-rwsem.c). Who froze it is not recorded.
 */
#pragma once

#include "files/open_files.h"
#include "files/super_list.h"
#include "kernel/wait_queue.h"

#define FREEZE_STATES 4 /* that have a name */

struct frozen_super {
	struct frozen_super *next;
	uint64_t address;  /* of struct super_block */
	const char *state; /* "SB_FREEZE_COMPLETE" */
	bool is_complete;  /* else it is being frozen */
	const char *name; /* "/srv (vda)", "[ext4, not mounted] (vda)", or "super_block at 0x..." */
	uint64_t root;	  /* inode of its directory; 0: unknown */
	/*
	 * Who has that directory open, as who froze it needs to (FIFREEZE, fs/ioctl.c) and may have closed again; NULL:
	 * no process, or unknown. frozen_read() leaves it so.
	 */
	const struct file_users *users;
};

struct frozen_wait {
	const struct frozen_super *super;
	uint64_t lock;	  /* address of the percpu_rw_semaphore */
	uint64_t entry;	  /* address of the struct wait_queue_entry in its queue */
	uint64_t waiters; /* in that queue */
};

struct frozen {
	struct dump *dump;
	struct structure super;
	struct super_list list;
	struct field sems, waiters;
	struct wait_queues queues;
	uint64_t sem_bytes;
	int64_t states[FREEZE_STATES];
	struct frozen_super *first;
	size_t n;
	const char *problem;   /* NULL, or why file systems or waits may be missing */
	struct hash_u64 waits; /* of struct frozen_wait by task_struct */
};

/* *ret must stay where it is. ST_UNKNOWN: a layout that this build does not know, as before 5.7. */
enum status frozen_open(struct dump *d, struct frozen *ret);

/* Fills first, n, waits and problem; ST_STOPPED. */
enum status frozen_read(struct frozen *f);
