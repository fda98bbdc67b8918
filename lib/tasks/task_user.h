/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which user a task is of. */
#pragma once

#include "dump/layout.h"

struct task_users {
	struct dump *dump;
	struct field cred, uid;
};

enum status task_users_open(struct dump *d, struct task_users *ret);

/* Its real user ID in the first user namespace: "Uid:" of /proc/PID/status has it first. */
enum status task_user(const struct task_users *u, uint64_t task, uint32_t *ret);
