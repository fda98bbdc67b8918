/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every thread of every process, from the kernel's own lists: processes hang
 * on init_task.tasks, their threads on signal->thread_head
 * (include/linux/sched/signal.h).
 */
#pragma once

#include "tasks/mm_struct.h"
#include "util/hash_u64.h"

#define TASKS_COMM 16

struct task {
	uint64_t address;  /* of task_struct */
	int32_t pid, tgid; /* of the first pid namespace */
	bool has_ppid;
	int32_t ppid;
	char comm[TASKS_COMM + 1];
	uint64_t min_flt, maj_flt;		 /* of this thread */
	uint64_t cmin_flt, cmaj_flt;		 /* of children that were waited for, per process */
	uint64_t exited_min_flt, exited_maj_flt; /* of exited threads of the process */
	char state;				 /* as in /proc/PID/stat; 0: unknown */
	bool is_kthread;			 /* PF_KTHREAD */
	uint64_t flags;				 /* PF_* */
	uint64_t start_ns;			 /* CLOCK_MONOTONIC */
	uint64_t kthread; /* address of struct kthread where is_kthread, else 0 */
	uint64_t css_set; /* address */
	uint64_t stack;	  /* lowest address of its kernel stack; 0: unknown */
	uint64_t mm;	  /* address of mm_struct, or 0 */
	bool has_memory; /* it stands for the memory of its process: its first thread that has not exited */
	bool has_mm;	    /* false: a kernel thread, or it has exited */
	bool mm_unreadable; /* it has one, and its counters are unknown */
	bool mm_corrupt;    /* they are damaged, which dump_lacks() tells; else not in this dump */
	uint64_t total_vm;  /* pages */
	int64_t rss, swap;  /* pages; exact sums over the CPUs, or the threads */
	int64_t rss_anon, rss_file, rss_shmem; /* what rss consists of */
	struct mm_counts read; /* as get_mm_counter() has them; the former are exact */
	uint64_t signal;       /* address of signal_struct */
};

struct tasks {
	struct dump *dump;
	struct structure task, signal_struct, mm;
	struct field tasks, thread_head; /* list_heads: the processes, the threads of one */
	bool identity_only; /* for the caller to set: no parent and no memory are looked up */
	bool has_count;
	uint64_t count;	     /* threads that the kernel says there are (nr_threads) */
	uint64_t visited;    /* those that the last walk found */
	struct hash_u64 cut; /* of the last walk: signal_structs of whose list it saw no end */
	struct mm_counters counters;
	struct most_pages most;
	/* Before 6.2 each thread keeps what it has not added yet: task_struct.rss_stat. */
	struct field cached;
};

enum status tasks_open(struct dump *d, struct tasks *ret);

/*
 * Calls visit for each thread, processes in the order of the list.  Where it
 * breaks off, those that can be reached from its end follow; ST_UNREADABLE or
 * ST_CORRUPT then comes after what could be read was visited.
 */
enum status tasks_walk(struct tasks *t, enum status (*visit)(void *arg, const struct task *task),
		       void *arg);

/* All of them as texts, NULL behind the last. */
extern const char *const task_state_letters[];

#define TASK_DEAD_LETTERS "ZX" /* of EXIT_ZOMBIE and EXIT_DEAD */

/* Finds a thread by its pid; ST_ABSENT: there is none in the list. */
enum status tasks_find(struct tasks *t, int32_t pid, struct task *ret);

/*
 * Names of kernel threads as /proc/PID/stat has them: task_struct.comm holds 15 characters, the
 * rest is in struct kthread (full_name, 5.17) and, of a worker of a workqueue, in struct worker.
 */

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

/* Which user a task is of. */

struct task_users {
	struct dump *dump;
	struct field cred, uid;
};

enum status task_users_open(struct dump *d, struct task_users *ret);

/* Its real user ID in the first user namespace: "Uid:" of /proc/PID/status has it first. */
enum status task_user(const struct task_users *u, uint64_t task, uint32_t *ret);
