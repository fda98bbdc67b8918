/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who waits until a work has run, as in flush_work() and cancel_work_sync(): a struct wq_barrier on the stack of the one
 * that waits is queued behind the work, in the list of the worker that runs it (kernel/workqueue.c).
 */
#pragma once

#include "tasks/task.h"

struct work_waits {
	struct dump *dump;
	struct structure kthread, worker, pool, work;
	struct structure queue; /* struct pool_workqueue */
	struct field scheduled; /* of struct worker */
	struct field worklist;	/* of struct worker_pool */
	struct field entry;	/* of struct work_struct */
	struct field inactive;	/* of struct pool_workqueue */
	struct kthread_names names;
};

/* ST_UNKNOWN: a layout that this build does not know. */
enum status work_waits_open(struct dump *d, struct work_waits *ret);

/* Of the struct kthread of a worker. ST_ABSENT: it runs no work; pool is set then, too, where it is known. */
struct running_work {
	uint64_t worker;   /* address of its struct worker */
	uint64_t function; /* that it runs */
	uint64_t pool;	   /* of the worker */
	uint64_t pwq;	   /* the struct pool_workqueue that the work is of; 0: unknown */
};
enum status work_running(const struct work_waits *w, uint64_t kthread, struct running_work *ret);

/* The workqueue that a worker runs a work of, and how many works wait until fewer of it run (max_active). */
struct work_queue {
	char name[KTHREAD_NAME]; /* "": unknown */
	uint64_t inactive;
	bool is_whole; /* these are all */
};
/* ST_ABSENT: the worker runs none, or this kernel does not tell of which queue. */
enum status work_queue_read(struct work_waits *w, const struct running_work *of,
			    struct work_queue *ret);

/* Calls visit with the place of each work that is to run behind it: of a barrier, on the stack of who waits. */
enum status work_behind_walk(const struct work_waits *w, const struct running_work *of,
			     void (*visit)(void *arg, uint64_t entry), void *arg);

/*
 * A work of a pool that no worker has begun, or a barrier among these: then function is of the work that it is queued
 * behind, the last one before it that is no barrier. 0: unknown.
 */
struct pending_works {
	uint64_t entry, function;
	int32_t cpu; /* of the pool; -1: of none */
};

/* visit tells whether it is a barrier. */
enum status work_pending_walk(const struct work_waits *w, uint64_t pool,
			      bool (*visit)(void *arg, const struct pending_works *at), void *arg);

/* Whether a function waits so. */
bool work_is_waited(const char *function);
