/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who waits until a work has run, as in flush_work() and cancel_work_sync(): a struct wq_barrier on the stack of the one
 * that waits is queued behind the work, in the list of the worker that runs it (kernel/workqueue.c).
 */
#pragma once

#include "dump/structure.h"

struct work_waits {
	struct dump *dump;
	struct structure kthread, worker;
	struct field scheduled; /* of struct worker */
};

/* ST_UNKNOWN: a layout that this build does not know. */
enum status work_waits_open(struct dump *d, struct work_waits *ret);

/* Of the struct kthread of a worker. ST_ABSENT: it runs no work. */
struct running_work {
	uint64_t worker;   /* address of its struct worker */
	uint64_t function; /* that it runs */
};
enum status work_running(const struct work_waits *w, uint64_t kthread, struct running_work *ret);

/* Calls visit with the place of each work that is to run behind it: of a barrier, on the stack of who waits. */
enum status work_behind_walk(const struct work_waits *w, const struct running_work *of,
			     void (*visit)(void *arg, uint64_t entry), void *arg);

/* Whether a function waits so. */
bool work_is_waited(const char *function);
