/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose answer a thread waits for whose system call a filter of seccomp hands to a supervisor: a struct seccomp_knotif on
 * its stack is in the list of the filter, whose file the supervisor has open (kernel/seccomp.c).
 */
#pragma once

#include "tasks/seccomp.h"
#include "tasks/task_stack.h"

struct seccomp_waits {
	struct dump *dump;
	struct seccomp_filters filters;
	struct structure filter;
	struct field requests, node; /* of struct notification, seccomp_knotif */
};

/* ST_ABSENT: a kernel without user notification. */
enum status seccomp_waits_open(struct dump *d, struct seccomp_waits *ret);

/* The filter, which is the private_data of its file. ST_ABSENT: none of the task has a request on this stack. */
enum status seccomp_wait_find(const struct seccomp_waits *w, uint64_t task,
			      const struct task_stack *s, uint64_t *filter);
