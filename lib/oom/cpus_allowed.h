/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that could run, of processes, and share a few CPUs though others are idle: those that their affinity
 * (task_struct.cpus_mask) keeps from these, and the cpuset of a cgroup that set it.
 */
#pragma once

#include "tasks/last_ran.h"
#include "util/strbuf.h"

#define CPU_BOUND_CPUS 8192 /* CONFIG_NR_CPUS goes no higher */
#define CPU_BOUND_WORDS (CPU_BOUND_CPUS / 64)
#define CPU_BOUND_NAMES 8 /* of threads of one affinity, which are one service or a few */

/* Of one affinity those that could run at the end. */
struct cpu_bound {
	uint64_t mask[CPU_BOUND_WORDS];
	unsigned int cpus; /* in it */
	size_t threads;	   /* of them, those that run, too */
	struct {
		char comm[TASKS_COMM + 1];
		int32_t pid; /* of the first that was found */
		size_t threads;
	} names[CPU_BOUND_NAMES]; /* the first ones that differ */
	unsigned int nnames;
	uint64_t css_set;  /* of it */
	unsigned int idle; /* CPUs that are online, idle and not in the mask */
	unsigned int first_idle;
	const char *cgroup; /* the uppermost whose cpuset has these CPUs; NULL: affinity */
	bool is_unknown;    /* whose it is */
};

struct cpusets {
	struct dump *dump;
	struct field mask;	/* of task_struct */
	struct field effective; /* of struct cpuset */
	struct structure css;
};

enum status cpusets_open(struct dump *d, struct cpusets *ret);

struct cpu_bounds {
	struct dump *dump;
	struct cpusets sets;
	enum status status; /* of what adding needs */
	const char *why;    /* it failed; NULL: it did not */
	bool is_open;
	struct cpu_bound_list *first; /* one of each affinity */
	unsigned int n;
};

/* A thread of the walk over all tasks, into a zeroed struct. */
void cpu_bound_add(struct cpu_bounds *b, struct dump *d, const struct task *t);

/*
 * Those of one affinity of which at least three wait, where none of its CPUs is idle and others are; of several the one
 * that most wait for. ST_ABSENT: there is none.
 */
enum status cpu_bound_find(struct cpu_bounds *b, struct cpu_bound *ret);

/*
 * "12 threads that could run share CPU 0 (price-calc (119) and 10 of its name, 1 other); CPU 1 is idle, where the cpuset of
 * cgroup /prod does not let them run (cpuset.cpus 0)"
 */
void cpu_bound_text(const struct cpu_bound *b, struct strbuf *to);
