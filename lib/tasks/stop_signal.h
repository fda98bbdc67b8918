/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which signal stopped a thread, and who sent that: task_struct.jobctl has the number (JOBCTL_STOP_SIGMASK, 3.0); the
 * siginfo is in the struct ksignal on the stack of the thread that took it from the queue (get_signal(), kernel/signal.c).
 */
#pragma once

#include "tasks/task_stack.h"

struct stop_signals {
	struct dump *dump;
	struct structure task, pid;
	/* Of struct sigqueue, whose info is such a siginfo. */
	struct field info, number, code, sender;
};

enum stop_sender {
	STOP_SENDER_UNKNOWN,
	STOP_SENDER_KERNEL, /* as of a terminal */
	STOP_SENDER_PROCESS,
};

struct stop_signal {
	int32_t number; /* 0: unknown */
	enum stop_sender by;
	int32_t sender; /* the PID of that process, as the signal says */
};

/* What this kernel lacks stays unknown. */
enum status stop_signals_open(struct dump *d, struct stop_signals *ret);

/* Of a thread in state T; s: its stack, NULL: that cannot be read. */
enum status stop_signal_of(const struct stop_signals *x, uint64_t task, const struct task_stack *s,
			   struct stop_signal *ret);

/* "SIGSTOP" of one that stops; NULL: it is none of these. */
const char *stop_signal_name(int32_t number);

/*
 * Whether a process that began then may have sent the signal that another one was stopped by then: the first is of
 * CLOCK_MONOTONIC, the second of the clock of a CPU. Later ones have a PID that was used before.
 */
bool stop_signal_may_be_of(uint64_t start_ns, uint64_t stopped_ns);
