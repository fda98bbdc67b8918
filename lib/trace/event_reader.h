/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of some events out of all buffers, oldest first, with the names of their tasks. */
#pragma once

#include "tasks/task_index.h"
#include "trace/trace_event.h"
#include "trace/trace_stream.h"

/*
 * Names of tasks by pid, as the trace file has them: the last name that the scheduler saw while
 * an event was on (saved_cmdlines, kernel/trace/trace_sched_switch.c, trace.c before 6.9).
 */

#define SAVED_COMM 16 /* TASK_COMM_LEN */

struct saved_cmdlines {
	uint32_t *index; /* of a name, by pid modulo nindex - 1 */
	uint64_t nindex; /* PID_MAX_DEFAULT + 1 */
	uint32_t *pids;	 /* by index */
	uint8_t *names;
	uint64_t n;
};

/* ST_ABSENT: nothing was ever saved. */
enum status saved_cmdlines_open(struct dump *d, struct saved_cmdlines *ret);

/* The name of a pid in buf, of SAVED_COMM bytes; NULL: it is not saved. */
const char *saved_cmdlines_find(const struct saved_cmdlines *s, int32_t pid, char *buf);

#define READER_EVENTS 2

struct event_reader {
	struct dump *dump;
	struct trace_arrays arrays;
	struct trace_events formats;
	struct trace_event events[READER_EVENTS];
	size_t nevents;
	struct trace_stream stream;
	/* Names of tasks. */
	struct saved_cmdlines saved;
	bool has_saved;
	const char *saved_problem; /* NULL, or why there are none */
	struct hash_u64 names;	   /* const char * by pid, of those saved */
	struct task_index tasks;
	bool has_tasks;
	/* Records so far. */
	uint64_t records; /* of any event */
	uint64_t found;	  /* of the wanted ones */
	uint64_t misfits; /* of a wanted number, and another length: not counted as found */
};

struct event_record {
	const struct trace_ring *ring;
	const struct trace_event *event;
	size_t which; /* index of the event */
	enum ring_doubt doubt;
	uint64_t ts; /* of the clock of the instance */
	int32_t pid;
	const char *comm;    /* as the trace file has it, else of the live task; NULL: unknown */
	const uint8_t *data; /* valid until the next record */
	uint32_t len;	     /* at least event->size */
};

/*
 * Finds "system:names[i]". all: consumed and uncommitted records as well. In place.
 * ST_ABSENT: this kernel has no tracing, or none of the events; dump->error says which.
 */
enum status event_reader_open(struct dump *d, const char *system, const char *const *names,
			      size_t n, bool all, struct event_reader *ret);

/* False: there is none any more, or the user stopped it. */
bool event_reader_next(struct event_reader *r, struct event_record *ret);

/* A number in a record, by its size; signed ones are extended. */
uint64_t event_number(const struct event_record *rec, const struct trace_field *f);

/*
 * Text of an array of char, as long as the command; bytes of another array in hexadecimal, the
 * first of them if there are many. NULL: it is not inside the record.
 */
const char *event_text(struct event_reader *r, const struct event_record *rec,
		       const struct trace_field *f);
