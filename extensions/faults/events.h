/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the views of faults -e share: the page-fault events of the trace buffers, one by one. */
#pragma once

#include "symbols/symbolize.h"
#include "trace/event_reader.h"
#include "view.h"
#include "vm/vma.h"

/* What events can be filtered by, and grouped by where it says so. */
enum event_key {
	EVENT_PID,
	EVENT_COMM,
	EVENT_CPU,
	EVENT_INSTANCE,
	EVENT_BUFFER,
	EVENT_AGE,
	EVENT_TS,
	EVENT_MARK,
	/* Those above are of every event, those below of page faults. */
	EVENT_MODE,
	EVENT_COMMON = EVENT_MODE,
	EVENT_ADDRESS,
	EVENT_IP,
	EVENT_IP_SYMBOL,
	EVENT_INSTRUCTION,
	EVENT_ERROR_CODE,
	EVENT_ERROR,
	EVENT_VMA,
	EVENT_KEYS
};

extern const struct key event_keys[EVENT_KEYS];

struct fault_events {
	struct fault_view *view;
	struct event_reader reader;
	const struct trace_field *address[READER_EVENTS], *ip[READER_EVENTS], *code[READER_EVENTS];
	bool is_user[READER_EVENTS];
	struct symbolizer symbols;
	struct hash_u64 ips;	/* const char * by address */
	struct hash_u64 errors; /* const char * by error code */
	struct hash_bytes texts;
	/* Memory of the tasks that live at the panic, opened when a file is asked for. */
	bool vmas_tried, has_vmas;
	struct vmas vmas;
	struct hash_u64 spaces; /* struct task_space by pid */
	const char *vma_problem;
	uint64_t kept; /* events that passed the filters */
};

struct fault_event {
	struct event_record record; /* the first: a row of it is one of any event */
	struct fault_events *events;
	bool is_user;
	uint64_t address, ip, code;
};

/* For struct fault_view_ops: leaves struct fault_events in v->data. */
enum status fault_events_open(struct fault_view *v);

/* The next event that the filters keep; false: there is none, or the user stopped it. */
bool fault_events_next(struct fault_events *e, struct fault_event *ret);

/* Values of columns. */
extern const char *const event_modes[], *const event_buffer_names[], *const event_marks[];

/* Cells of a struct event_record, with the struct fault_view. */
struct cell event_to_panic_cell(const void *record, void *view);
struct cell event_ts_cell(const void *record, void *view);
struct cell event_cpu_cell(const void *record, void *view);
struct cell event_instance_cell(const void *record, void *view);
struct cell event_buffer_cell(const void *record, void *view);
struct cell event_mark_cell(const void *record, void *view);

/* The columns that each event has before those of its own. */
#define EVENT_COLUMNS                                                               \
	{ COLUMN_to_panic, IN_TEXT, CELL_IF_NEEDED(event_to_panic_cell) },          \
		{ COLUMN_ts_ns, IN_JSON,                                            \
		  "of an event that of its instance; one not in nanoseconds: null", \
		  CELL_BY(event_ts_cell) },                                         \
		{ COLUMN_cpu, IN_BOTH | KNOWN, CELL_BY(event_cpu_cell) },           \
		{ COLUMN_instance, IN_JSON | KNOWN, CELL_BY(event_instance_cell) }, \
		{ COLUMN_buffer, IN_JSON | KNOWN, .choices = event_buffer_names,    \
		  CELL_BY(event_buffer_cell) },                                     \
		{ COLUMN_pid, IN_BOTH | KNOWN, INT_OF(struct event_record, pid) },  \
	{                                                                           \
		COLUMN_comm, IN_BOTH, TEXT_OF(struct event_record, comm)            \
	}
#define EVENT_MARK_COLUMN                                                                \
	{                                                                                \
		COLUMN_mark, IN_JSON, "-a shows the first two", .choices = event_marks,  \
								CELL_BY(event_mark_cell) \
	}

/* The same of a struct fault_event; all texts live as long as the command. */
struct cell fault_mode_cell(const void *record, void *view);
struct cell fault_symbol_cell(const void *record, void *view);	    /* of ip, in the kernel */
struct cell fault_instruction_cell(const void *record, void *view); /* the same, or ip */
struct cell fault_error_cell(const void *record, void *view);
/* Name of the mapping that has the address, of the task as it is at the panic. */
struct cell fault_vma_cell(const void *record, void *view);

/* The columns of the keys. */
extern const struct view_column event_key_columns[EVENT_KEYS];

/* Views that stand for that of -e: with -g, and with "SYSTEM:EVENT". */
extern const struct view fault_event_ranking;
enum status fault_event_ranking_show(struct fault_view *v);

/* Whether filters keep an event: a struct event_record, or of page faults a struct fault_event. */
bool event_kept(const struct fault_view *v, const void *record);

/* Whether the times of both can be compared. */
bool event_clocks_same(const struct trace_buffer_of *a, const struct trace_buffer_of *b);
/* "global", "local, which is not that of the log". */
const char *event_clock_text(const struct fault_view *v, const struct trace_array *a);

/* Clocks of the events in a table. */
struct event_clocks {
	const struct trace_buffer_of *of; /* of the first event; NULL: there was none yet */
	bool mixed;			  /* another event has another clock */
	uint64_t unknown;		  /* events whose time to the panic is unknown */
};

/* Before the first row: those that are sorted by their time have the time to the panic. */
void event_clocks_init(struct fault_view *v, struct event_clocks *c);
void event_clocks_add(const struct fault_view *v, struct event_clocks *c,
		      const struct event_record *rec);

/*
 * Sorts the rows by -s and shows them.  Times of several clocks are compared by the time to the
 * panic; a warning says so.
 */
void events_show(struct fault_view *v, const struct event_clocks *c);

/* What stands behind the events of faults -e: each trace buffer, and why there may be no events. */

/* The columns of its records "buffer", of either list; rankings have none. */
extern const struct view event_buffer_view, event_records_buffer_view;

/*
 * A row per buffer, the warnings and the end of the report. Where no event was found, why: that
 * is the answer then. All records must have been read; kept: events that passed the filters.
 */
enum status event_buffers_end(struct fault_view *v, struct event_reader *r, uint64_t kept);
