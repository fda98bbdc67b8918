/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes that a text names: "hactl (303) waits on a unix socket for dbproxy (298)". */
#pragma once

#include "tasks/task.h"

#define TASK_NAMES 4u /* of more a text says how many they are */

struct task_names {
	size_t n;
	struct {
		int32_t tgid;
		char comm[TASKS_COMM + 1];
		uint64_t start_ns; /* CLOCK_MONOTONIC; 0: a thread of the kernel, or unknown */
	} all[TASK_NAMES];	   /* in the order of the text, each process once */
};

/*
 * The first ones, by whole names with the ID of any of their threads. Who " wrote to /proc/sysrq-trigger" is none of
 * them: it ended the machine for what others did. Without a task list there are none.
 */
void task_names_find(struct dump *d, const char *text, struct task_names *ret);
