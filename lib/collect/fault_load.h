/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that spend their time in page faults: several threads of one are in a fault at the end. */
#pragma once

#include "kernel/dump_info.h"
#include "tasks/task.h"

struct fault_load {
	const struct dump_info *info;
	unsigned int least; /* threads in a fault that are several */
	struct fault_process {
		int32_t tgid;
		char comm[TASKS_COMM + 1]; /* of the first thread that was visited */
		unsigned int threads, in_fault;
		uint64_t min, maj; /* of those that have exited, too */
		uint64_t start_ns; /* of that first thread */
		uint64_t rate;	   /* faults in 1,000 seconds */
		int64_t rss;	   /* pages */
		bool has_rss;
	} now, most; /* most: with the highest rate; tgid 0: none */
};

/* Each thread as it is visited, those of a process one behind the other. */
void fault_load_add(struct fault_load *l, const struct task *t);
/* It is in a page fault. */
void fault_load_in_fault(struct fault_load *l);
/* Behind the last. */
void fault_load_end(struct fault_load *l);

/* Faults per 1,000 seconds of a life up to the end; false: the start or the end is not known. */
bool faults_of_life(const struct dump_info *info, uint64_t faults, uint64_t start_ns,
		    uint64_t *ret);
