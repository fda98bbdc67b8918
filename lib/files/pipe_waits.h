/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that sleep until a pipe has room, or data: by its queues. */
#pragma once

#include "files/pipe.h"
#include "kernel/wait_queue.h"

#define PIPE_END_READS 1U /* FMODE_READ and FMODE_WRITE of a struct file (include/linux/fs.h) */
#define PIPE_END_WRITES 2U

struct pipe_waits {
	struct dump *dump;
	struct pipes pipes;
	struct field mode, readers, writers;
	struct wait_queues queues;
};

enum status pipe_waits_open(struct dump *d, struct pipe_waits *ret);

/* Of an open file of a pipe: PIPE_END_READS, PIPE_END_WRITES, of a FIFO both. */
enum status pipe_ends_of_file(const struct pipe_waits *w, uint64_t file, uint32_t *ends);

/* Calls visit for each task in a queue of a pipe; to 5.4 there is one queue for both. */
enum status pipe_waits_walk(const struct pipe_waits *w, uint64_t pipe, bool of_writers,
			    enum status (*visit)(void *arg, uint64_t task), void *arg);
