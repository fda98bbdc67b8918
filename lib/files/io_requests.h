/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of io_uring (struct io_kiocb, io_uring/io_uring.c): those of a task that are in flight, those that a
 * ring keeps for its next ones, and completions that did not fit into its queue.
 */
#pragma once

#include "kernel/percpu_counter.h"

struct io_requests {
	struct dump *dump;
	struct structure ctx, task;
	struct field tctx, inflight; /* of struct task_struct, of struct io_uring_task */
	struct field node;	     /* of a request: its place in a list of those that are free */
	struct percpu_counters counters;
	bool has_free;		 /* rings keep requests that are free, in lists that are known */
	uint64_t request_bytes;	 /* of its cache */
	uint64_t overflow_bytes; /* of a completion as it was asked for; 0: not known */
};

/* ST_ABSENT: built without CONFIG_IO_URING; ST_UNKNOWN. */
enum status io_requests_find(struct dump *d, struct io_requests *ret);

/* Those of a task_struct that are in flight: as the kernel's own counter, without what it takes in advance. */
enum status io_requests_in_flight(const struct io_requests *r, uint64_t task, uint64_t *ret);

/* What an io_ring_ctx has. */
struct io_ring_lists {
	uint64_t free;	     /* requests that it keeps for its next ones */
	uint64_t overflow;   /* completions that wait for room in its queue */
	uint64_t completion; /* the address of one of them */
};

/* ST_UNREADABLE, ST_CORRUPT: there are more. */
enum status io_requests_of_ring(const struct io_requests *r, uint64_t ctx,
				struct io_ring_lists *ret);
