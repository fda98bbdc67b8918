/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The task that a CPU ran at the end, and how it was scheduled. */
#pragma once

#include "tasks/task.h"

struct cpu_task {
	int32_t pid;
	char comm[TASKS_COMM + 1];
	uint64_t policy;      /* SCHED_* of include/uapi/linux/sched.h */
	uint64_t rt_priority; /* 0: of no real-time policy */
};

/* By rq.curr of the CPU. ST_ABSENT: the dump has no such CPU. */
enum status cpu_task_read(struct dump *d, uint64_t cpu, struct cpu_task *ret);

/* "SCHED_FIFO"; NULL: unknown. */
const char *sched_policy_name(uint64_t policy);
/* All of them, NULL behind the last. */
extern const char *const sched_policies[];
