/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks by pid: their names where nothing else was recorded, and since when they exist. */
#ifndef MEMOWNER_TASKINDEX_H
#define MEMOWNER_TASKINDEX_H

#include "map.h"
#include "tasks.h"

struct task_index {
	struct map tasks;    /* of struct task_name by pid */
	const char *problem; /* NULL, or for one warning: why some may be missing */
	size_t processes;    /* leaders among them, who are there as long as their process is */
	const char *process_problem; /* NULL, or why some of these may be missing */
};

struct task_name {
	int32_t tgid;
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	char comm[TASKS_COMM + 1];
};

/*
 * Reads the list of tasks once, in place.  Where it breaks off, those that were found are
 * there.  DUMP_UNKNOWN: a layout that is not known; DUMP_NOMEM.
 */
enum status task_index_open(struct dump *d, struct task_index *ret);

/* The live task that has a pid; NULL: none is known. */
const struct task_name *task_index_get(const struct task_index *x, int32_t pid);

/* The live task that has a pid and existed at ts_ns already; NULL: none that surely did. */
const struct task_name *task_index_find(const struct task_index *x, int32_t pid, uint64_t ts_ns);

#endif
