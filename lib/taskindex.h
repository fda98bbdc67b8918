/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of tasks by pid alone, where nothing else was recorded. */
#ifndef MEMOWNER_TASKINDEX_H
#define MEMOWNER_TASKINDEX_H

#include "map.h"
#include "tasks.h"

struct task_index {
	struct map tasks;    /* of struct task_name by pid */
	const char *problem; /* NULL, or for one warning: why some may be missing */
};

struct task_name {
	int32_t tgid;
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	char comm[TASKS_COMM + 1];
};

/* Reads all tasks.  DUMP_UNKNOWN: a layout that is not known; DUMP_NOMEM. */
enum status task_index_open(struct dump *d, struct task_index *ret);

/* The live task that has a pid and existed at ts_ns already; NULL: none that surely did. */
const struct task_name *task_index_find(const struct task_index *x, int32_t pid, uint64_t ts_ns);

#endif
