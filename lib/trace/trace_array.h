/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracing instances: the top one, global_trace, and those below tracefs' instances/, each
 * with a buffer and, where a tracer or "snapshot" asked for it, a second one (kernel/trace/trace.h,
 * struct trace_array).
 */
#pragma once

#include "dump/dump.h"

#define TRACE_NAME 64 /* bytes kept of a name */

/* What the clock of an instance counts; trace_clocks[] of kernel/trace/trace.c. */
struct trace_clock {
	const char *name; /* "local"; NULL: unknown */
	bool known;	  /* whether it counts nanoseconds */
	bool in_ns;
	bool is_sched;	    /* with log_offset it is the clock of the kernel log, local_clock() */
	int64_t log_offset; /* ns to add for that; 0 unless is_sched */
};

/* A time stamp on the clock of the log; only of a clock that is_sched. */
static inline uint64_t trace_clock_log(const struct trace_clock *c, uint64_t ts)
{
	return ts + (uint64_t)c->log_offset;
}

/* Whether its time stamps are on the clock of the log as they are. */
static inline bool trace_clock_is_log(const struct trace_clock *c)
{
	return c->is_sched && !c->log_offset;
}

struct trace_array {
	uint64_t address;
	bool is_global;
	char name[TRACE_NAME]; /* "global" for the top one, whose name is NULL */
	uint64_t buffer;       /* struct trace_buffer; 0: none */
	uint64_t snapshot;     /* of the second buffer; 0: none */
	bool snapshot_unused;  /* it is there, but nothing was allocated for it to be used */
	struct trace_clock clock;
	uint64_t events; /* list_head of struct trace_event_file */
	uint32_t buffer_disabled, stop_count;
	/* Its buffer was filled before this boot: addresses differ by that much. */
	bool other_boot;
};

struct trace_arrays {
	struct trace_array *at;
	size_t n;
	const char *problem; /* NULL, or why there may be more */
};

/* ST_ABSENT: built without tracing. A list that breaks off leaves what was found, the top first. */
enum status trace_arrays_open(struct dump *d, struct trace_arrays *ret);
