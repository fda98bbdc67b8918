/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a task that is on no CPU gave it up: the newest time that the scheduler noted of it.
 *
 * block_start	 when it went to sleep without being interruptible (schedstats)
 * sleep_start	 when it went to sleep otherwise (schedstats)
 * exec_start	 when its running time was accounted last: as it left the CPU, in every kernel;
 *		 time in interrupts is not in that clock, so it may be somewhat early
 * last_arrival	 when it came to its CPU (sched_info)
 * last_queued	 of one that could run: since when it waits for a CPU, as it was woken or put off it (sched_info, which has 0
 *		 of all others)
 */
#pragma once

#include "tasks/task.h"

enum last_ran_field {
	RAN_BLOCK_START,
	RAN_SLEEP_START,
	RAN_EXEC_START,
	RAN_LAST_ARRIVAL,
	RAN_LAST_QUEUED,
	LAST_RAN_FIELDS
};

struct last_ran {
	struct dump *dump;
	struct field f[LAST_RAN_FIELDS];
};

/* Names of enum last_ran_field, NULL behind them. */
extern const char *const last_ran_names[];

enum status last_ran_open(struct dump *d, struct last_ran *ret);

/* Nanoseconds of sched_clock(), the clock of the log; ST_ABSENT: the kernel noted none. */
enum status last_ran_get(const struct last_ran *l, uint64_t task, uint64_t *ns,
			 enum last_ran_field *source);

/* The task that a CPU ran at the end, and how it was scheduled. */

struct cpu_task {
	int32_t pid, tgid;
	char comm[TASKS_COMM + 1];
	uint64_t policy;      /* SCHED_* of include/uapi/linux/sched.h */
	uint64_t rt_priority; /* 0: of no real-time policy */
	uint64_t mm;	      /* 0: a thread of the kernel */
	uint64_t cpu;
};

/* By rq.curr of the CPU. ST_ABSENT: the dump has no such CPU. */
enum status cpu_task_read(struct dump *d, uint64_t cpu, struct cpu_task *ret);

#define NO_CPU UINT64_MAX

/* Those of the other CPUs that were not idle; of all: NO_CPU. ST_UNKNOWN: more than room; another: one CPU's is not known. */
enum status cpu_tasks_beside(struct dump *d, uint64_t cpu, struct cpu_task *ret, unsigned int room,
			     unsigned int *n);

/* Since when a task that could run has waited for its CPU (CONFIG_SCHED_INFO: sched_info_enqueue()). */

struct cpu_waits {
	struct structure task;
};

struct cpu_wait {
	uint64_t queued_ns; /* sched_clock(); 0: it does not wait */
	uint64_t cpu;
};

enum status cpu_waits_open(struct dump *d, struct cpu_waits *ret);
enum status cpu_wait_read(const struct cpu_waits *w, uint64_t task, struct cpu_wait *ret);

/* How long a thread has run since it started (update_curr()): that of a running one may lack its last tick. */

struct cpu_times {
	struct structure task;
};

struct cpu_time {
	uint64_t ns;
};

enum status cpu_times_open(struct dump *d, struct cpu_times *ret);
enum status cpu_time_read(const struct cpu_times *t, uint64_t task, struct cpu_time *ret);

/* "SCHED_FIFO"; NULL: unknown. */
const char *sched_policy_name(uint64_t policy);
/* All of them, NULL behind the last. */
extern const char *const sched_policies[];
