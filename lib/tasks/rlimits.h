/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resource limits of a process, the soft ones: those of getrlimit() (signal_struct.rlim). */
#pragma once

#include "tasks/task.h"

enum task_limit {
	TASK_LIMIT_AS,
	TASK_LIMIT_DATA,
	TASK_LIMIT_NOFILE,
	TASK_LIMIT_MEMLOCK,
	TASK_LIMIT_NPROC,
	TASK_LIMITS
};

struct rlimits {
	struct dump *dump;
	struct field rlim; /* of struct signal_struct */
	unsigned int numbers[TASK_LIMITS];
};

/* ST_ABSENT: this kernel has none; ST_UNKNOWN: which number is which limit is not known. */
enum status rlimits_open(struct dump *d, struct rlimits *ret);

/* UINT64_MAX: RLIM_INFINITY. */
enum status rlimit_read(const struct rlimits *r, const struct task *t, enum task_limit which,
			uint64_t *ret);
