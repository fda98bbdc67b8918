/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of kernel threads as /proc/PID/stat has them: task_struct.comm holds 15 characters, the
 * rest is in struct kthread (full_name, 5.17) and, of a worker of a workqueue, in struct worker.
 */
#pragma once

#include "dump/structure.h"

#define KTHREAD_NAME 64 /* bytes: proc_task_name() in fs/proc/array.c prints no more than 63 */

/* Bits of task_struct.flags (include/linux/sched.h), the same from 4.19 to 7.3. */
#define PF_WQ_WORKER 0x00000020
#define PF_KTHREAD 0x00200000

struct kthread_names {
	struct dump *dump;
	struct structure kthread, worker;
	struct field wq_name; /* of struct workqueue_struct: an array, or a pointer */
	bool unreadable;      /* a part of the name that was asked for last is not in this dump */
	uint64_t partial;     /* names so far of which a part is not in this dump */
};

/* Never fails: what this kernel has not costs a part of a name. */
void kthread_names_open(struct dump *d, struct kthread_names *ret);

/*
 * The name of a kernel thread; kthread is the address of its struct kthread.  comm is the start
 * of the name, and all of it where the rest is not in this dump.  Writes into buf, returns it.
 */
const char *kthread_name(struct kthread_names *k, uint64_t flags, uint64_t kthread,
			 const char *comm, char buf[KTHREAD_NAME]);

/* The name of a struct workqueue_struct; false: it has none, or it is not in this dump. */
bool kthread_workqueue(struct kthread_names *k, uint64_t workqueue, char buf[KTHREAD_NAME]);
