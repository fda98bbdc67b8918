/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users of whom fork() refuses more: copy_process() fails with EAGAIN where a user has as many processes and threads as
 * the RLIMIT_NPROC of who asks, unless it is root or has CAP_SYS_RESOURCE or CAP_SYS_ADMIN.
 */
#pragma once

#include "tasks/rlimits.h"
#include "tasks/user_counter.h"

struct user_forks {
	struct dump *dump;
	const struct rlimits *rlimits;
	struct user_counter counter;
	struct field task_cred, uid, capabilities;
	struct hash_u64 all; /* of struct user_fork, by the address of its counter */
};

/* A user, by the process of the lowest limit. */
struct user_fork {
	uint32_t uid; /* in the first user namespace */
	uint64_t used, limit;
	int32_t tgid;
	char comm[TASKS_COMM + 1];
};

/* ST_UNKNOWN. */
enum status user_forks_open(struct dump *d, const struct rlimits *limits, struct user_forks *ret);

/* Of a process, not of a kernel thread. Those that nothing limits are left out. */
enum status user_forks_add(struct user_forks *u, const struct task *t);
