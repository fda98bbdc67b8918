/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who reads what a thread writes: the pipe that a process has as standard input, in whose queue the thread waits to write. */
#pragma once

#include "files/pipe.h"
#include "kernel/wait_queue.h"

struct pipe_writers {
	struct dump *dump;
	struct pipes pipes;
	struct field files, fdt, fd, operations, queue;
	struct wait_queues queues;
};

enum status pipe_writers_open(struct dump *d, struct pipe_writers *ret);

/* ST_OK: the writer is asleep in the queue of the pipe that the task has as file 0; ST_ABSENT: it is not. */
enum status pipe_writer_waits(const struct pipe_writers *p, uint64_t task, uint64_t writer);

/* ST_OK: the writer has a file of that pipe on its stack, asleep or not; ST_ABSENT: it has not. */
enum status pipe_writer_has(const struct pipe_writers *p, uint64_t task, uint64_t writer);
