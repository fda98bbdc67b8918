/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every thread of every process, from the kernel's own lists: processes hang
 * on init_task.tasks, their threads on signal->thread_head
 * (include/linux/sched/signal.h).
 */
#pragma once

#include "dump/structure.h"
#include "tasks/mm_counters.h"
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
	uint64_t kthread;   /* address of struct kthread where is_kthread, else 0 */
	uint64_t css_set;   /* address */
	uint64_t stack;	    /* lowest address of its kernel stack; 0: unknown */
	uint64_t mm;	    /* address of mm_struct, or 0 */
	bool has_mm;	    /* false: a kernel thread, or it has exited */
	bool mm_unreadable; /* it has one that is not in this dump, or its counters are not */
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
	uint64_t count;	  /* threads that the kernel says there are (nr_threads) */
	uint64_t visited; /* those that the last walk found */
	struct hash_u64
		cut; /* of the last walk: signal_structs whose list it did not see the end of */
	struct mm_counters counters;
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

/*
 * 'R', 'S', 'D' and so on, as /proc/PID/stat has it: task_state_index() in
 * include/linux/sched.h, with bits as they are since 4.14.
 */
char task_state_letter(uint64_t state, uint64_t exit_state);
/* All of them as texts, NULL behind the last. */
extern const char *const task_state_letters[];

/* Finds a thread by its pid; ST_ABSENT: there is none in the list. */
enum status tasks_find(struct tasks *t, int32_t pid, struct task *ret);
