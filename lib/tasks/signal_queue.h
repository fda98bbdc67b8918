/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that wait for a thread or its process: struct sigqueue in task_struct.pending and signal_struct.shared_pending
 * (kernel/signal.c). Of a signal below SIGRTMIN one waits at most, of a real-time signal as many as RLIMIT_SIGPENDING lets.
 */
#pragma once

#include "dump/structure.h"
#include "tasks/user_counter.h"
#include "util/maybe.h"

struct signal_queues {
	struct dump *dump;
	struct structure queued, task, pid;
	struct field own, shared; /* list_heads of struct task_struct and signal_struct */
	struct field link;	  /* of struct sigqueue */
	bool has_counter;
	struct user_counter counter; /* SigQ of /proc/PID/status */
	uint64_t bytes;		     /* of one in its cache */
};

struct queued_signal {
	uint32_t flags;
	int32_t number, code, sender; /* sender: a PID if it has one */
	bool is_timers;		      /* a POSIX timer has it, whether it is queued or not */
	bool has_sender; /* kill() and its like: what is said to have sent it, in its PID namespace */
};

struct signal_task {
	uint64_t blocked; /* the bit of signal n is n - 1 */
	uint64_t pid, cred;
	bool is_nested;		  /* in a PID namespace of its own */
	struct maybe_u64 of_user; /* signals that wait for its user, by the kernel's counter */
	uint64_t user;		  /* the address of that counter */
};

/* ST_UNKNOWN. */
enum status signal_queues_open(struct dump *d, struct signal_queues *ret);

/* What of a task the queues depend on. ST_UNREADABLE, ST_CORRUPT: all of it is unknown. */
enum status signal_task_read(const struct signal_queues *q, uint64_t task, struct signal_task *ret);

/* Visits each of a list by the address of its list_head. ST_UNREADABLE, ST_CORRUPT: some are missing. */
enum status signal_queue_walk(const struct signal_queues *q, uint64_t head,
			      void (*visit)(void *arg, const struct queued_signal *signal),
			      void *arg);
