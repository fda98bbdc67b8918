/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which process dumps core: its memory is needed until that is done (fs/coredump.c). The dump is written by one
 * thread, to a file, or to a pipe whose reader the kernel has started.
 */
#pragma once

#include "tasks/task.h"

struct core_dumps {
	struct dump *dump;
	struct structure signal, mm, state;
};

struct core_dump {
	uint64_t task; /* that dumps */
	int signal;    /* of which the process dies */
};

/* ST_UNKNOWN: a layout that this build does not know. */
enum status core_dumps_open(struct dump *d, struct core_dumps *ret);

/* Of a task that has an mm; ST_ABSENT: its process dumps no core. */
enum status core_dump_read(const struct core_dumps *c, const struct task *task,
			   struct core_dump *ret);

/* "SIGSEGV", or "signal 42". */
const char *core_dump_signal(int signal, char *buf, size_t size);
