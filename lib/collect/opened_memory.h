/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the kernel that is found by the files that have it open, each kind with an f_op of its own. */
#pragma once

#include "files/file_locks.h"
#include "files/io_uring.h"
#include "files/pipe.h"
#include "trace/perf_buffer.h"

enum opened_kind { OPENED_PERF, OPENED_PIPE, OPENED_IO_URING, OPENED_KINDS };

struct opened_memory {
	struct dump *dump;
	struct open_files open;
	struct perf_buffers perf;
	struct pipes pipes;
	struct io_rings rings;
	uint64_t operations[OPENED_KINDS]; /* f_op; 0: the kernel has none, or it is not known */
	struct hash_u64 all[OPENED_KINDS]; /* of struct file_users by what they have open */
	struct first_problem problems[OPENED_KINDS];
	struct file_locks locks; /* of all files */
	bool has_locks;
	struct first_problem locks_problem;
	bool is_complete; /* users are known in full */
};

/* ST_STOPPED, or ST_OK: what is missing is in the problems. */
enum status opened_memory_read(struct dump *d, struct opened_memory *ret);

/* The parts of one of them; of io_uring the rings, see io_ring_buffers(). */
enum status opened_memory_walk(const struct opened_memory *m, enum opened_kind kind,
			       uint64_t address, const struct memory_parts *v);
