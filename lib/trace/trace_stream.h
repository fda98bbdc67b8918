/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of all CPUs of all buffers of all instances, in the order of their time. Only one
 * sub-buffer per CPU and buffer is kept.
 */
#pragma once

#include "trace/ring_cursor.h"
#include "trace/trace_array.h"

/* One of the two buffers of an instance. */
struct trace_buffer_of {
	const struct trace_array *array;
	bool is_snapshot;
	bool open; /* false: problem says why not */
	const char *problem;
	struct ring_buffer ring;
	size_t clock; /* the same number: the same clock */
};

/* One CPU of it. */
struct trace_ring {
	const struct trace_buffer_of *buffer;
	unsigned int cpu;
	bool open; /* false: problem says why not */
	const char *problem;
	struct ring_cpu ring;
	struct ring_cursor cursor;
	struct ring_record record; /* the next one */
	enum ring_doubt doubt;
};

struct trace_stream {
	struct dump *dump;
	struct ring_layout layout;
	struct trace_buffer_of *buffers;
	size_t nbuffers;
	struct trace_ring **rings;
	size_t nrings;
	struct trace_ring **heap; /* those that have a record, the oldest first */
	size_t nheap;
	struct trace_ring *last; /* that the last record came from */
};

/*
 * all: consumed and uncommitted records as well. A buffer or CPU that cannot be read spoils only
 * itself. ST_UNKNOWN: a layout that is not known. In place; arrays stays the caller's.
 */
enum status trace_stream_open(struct dump *d, const struct trace_arrays *arrays, bool all,
			      struct trace_stream *ret);

/*
 * The ring with the next record, which is valid until the next call; NULL: there is none.
 * Between instances of different clocks there is no order: one after the other.
 */
struct trace_ring *trace_stream_next(struct trace_stream *s);
