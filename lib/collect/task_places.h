/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a process that the summary names belongs: its cgroup, and what it executes. */
#pragma once

#include "cgroup/cgroup.h"
#include "files/dentry_path.h"
#include "tasks/task.h"

struct task_places {
	struct cgroups cgroups;
	struct file_paths files;
	struct field exe_file; /* of struct mm_struct */
	bool has_cgroups, has_files, is_v1;
};

/* In place.  What cannot be opened is unknown of each process. */
void task_places_open(struct dump *d, struct task_places *ret);
/* For task_executable() alone. */
enum status task_places_open_files(struct dump *d, struct task_places *ret);

/* Each NULL: not known, or it has none. */
const char *task_cgroup(struct task_places *p, const struct task *t);
const char *task_executable(struct task_places *p, const struct task *t);
