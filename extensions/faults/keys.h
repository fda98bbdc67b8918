/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What threads are filtered and grouped by. */
#pragma once

#include "cgroup/cfs_throttle.h"
#include "cli/cmdline.h"
#include "cgroup/cgroup.h"
#include "tasks/task.h"

enum fault_key {
	KEY_PID,
	KEY_TGID,
	KEY_PPID,
	KEY_COMM,
	KEY_STATE,
	KEY_MEMCG,
	KEY_CGROUP,
	KEY_KTHREAD,
	KEY_MAJ,
	KEY_MIN,
	KEY_RSS,
	KEY_SWAP,
	FAULT_KEYS
};

extern const struct key fault_keys[FAULT_KEYS];
/* Terms of the help texts, for "-g help". */
extern const struct term fault_terms[];

/* A thread with what is looked up for it. */
struct thread {
	struct task task;
	const char *name;	    /* with all of a kernel thread's name */
	struct named_text named;    /* of a kernel thread: it, and in brackets as text has it */
	struct css_set_paths paths; /* of its cgroups */
	const char *state;	    /* as in /proc/PID/stat; NULL: unknown */
	unsigned int threads;	    /* 1 */
	/* Of one that could run what keeps it from that. */
	struct cfs_limit limit;
	bool is_throttled, limit_is_unknown;
};

/* The columns of the keys, of a struct thread. */
extern const struct view_column thread_columns[FAULT_KEYS];
