/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks by pid: their names where nothing else was recorded, and since when they exist. */
#pragma once

#include "tasks/task.h"

struct task_index {
	struct hash_u64 tasks; /* of struct task_name by pid */
	const char *problem;   /* NULL, or for one warning: why some may be missing */
	size_t processes;      /* leaders among them, who are there as long as their process is */
	const char *process_problem; /* NULL, or why some of these may be missing */
};

struct task_name {
	int32_t tgid;
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	char comm[TASKS_COMM + 1];
};

/*
 * Reads the list of tasks once.  Where it breaks off, those that were found are
 * there.  ST_UNKNOWN: a layout that is not known.
 */
enum status task_index_open(struct dump *d, struct task_index *ret);

/* The live task that has a pid; NULL: none is known. */
const struct task_name *task_index_get(const struct task_index *x, int32_t pid);

/* The live task that has a pid and existed at ts_ns already; NULL: none that surely did. */
const struct task_name *task_index_find(const struct task_index *x, int32_t pid, uint64_t ts_ns);

/* Whether the process that allocated a page still exists at the panic. */

enum task_liveness { TASK_LIVENESS_UNKNOWN, TASK_LIVE, TASK_DEAD };

struct task_owners {
	struct task_index tasks;
	bool complete;	     /* all processes are in it: who is not does not exist */
	const char *problem; /* NULL, or for one warning: why some processes are missing */
};

/*
 * Where the list of processes breaks off, those that were not found are unknown.
 * ST_UNKNOWN: a layout that is not known.
 */
enum status task_owners_open(struct dump *d, struct task_owners *ret);

/*
 * Dead: no process has this tgid, or the one that has it started later than ts_ns, which is of
 * local_clock(); 0 if this kernel does not record it.  The idle tasks, 0, are always there.
 */
enum task_liveness task_owners_find(const struct task_owners *o, int32_t tgid, uint64_t ts_ns);

/* "live", "dead", or NULL. */
const char *task_liveness_name(enum task_liveness life);
