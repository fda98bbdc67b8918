/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which child a thread in wait4() or waitid() waits for (do_wait() in kernel/exit.c). */
#pragma once

#include "dump/structure.h"
#include "kernel/wait_queue.h"

struct child_waits {
	struct dump *dump;
	struct structure options; /* struct wait_opts, on its stack */
	struct field queue, pid;
	struct wait_queues queues;
};

enum status child_waits_open(struct dump *d, struct child_waits *ret);

/*
 * Of a task and its signal_struct.  *pid: the child; 0: any of them, or of a group.  ST_ABSENT: it is not in the queue
 * of those that wait.
 */
enum status child_wait_find(const struct child_waits *w, uint64_t signal, uint64_t task,
			    int32_t *pid);
