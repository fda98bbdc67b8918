/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events by name: their number in records of this boot, their fields, and whether an instance
 * records them. All from the dump's own lists (ftrace_events, ftrace_common_fields and
 * trace_array.events), since numbers and offsets differ from boot to boot and by configuration.
 */
#pragma once

#include "dump/structure.h"
#include "trace/trace_array.h"

enum trace_field_kind {
	TRACE_UINT,
	TRACE_INT,
	TRACE_POINTER,	/* or an array of what is not text */
	TRACE_TEXT,	/* an array of char */
	TRACE_DYNAMIC,	/* __data_loc: length << 16 | offset in the record */
	TRACE_RELATIVE, /* __rel_loc: the same, offset from behind the field */
	TRACE_BYTES,	/* any other array or structure */
};

struct trace_field {
	const char *name;
	const char *type;
	enum trace_field_kind kind;
	bool is_text; /* of dynamic ones: an array of char */
	uint32_t offset, size;
};

struct trace_event {
	const char *system, *name;
	uint64_t call;		    /* struct trace_event_call */
	uint32_t id;		    /* type in the records */
	struct trace_field *fields; /* in the order of the format file, without the common ones */
	size_t nfields;
	uint32_t size; /* bytes of a record, without what dynamic fields add */
};

/* Members that all records start with: struct trace_entry. */
struct trace_common {
	struct trace_field type, flags, preempt_count, pid;
	uint32_t size;
};

enum trace_file_bit {
	TRACE_FILE_ENABLED,
	TRACE_FILE_WAS_ENABLED,
	TRACE_FILE_SOFT_DISABLED,
	TRACE_FILE_FILTERED,
	TRACE_FILE_PID_FILTER,
	TRACE_FILE_BITS
};

struct trace_events {
	struct dump *dump;
	struct structure call, class, member, file;
	struct field class_fields, member_link, tracepoint_name;
	uint64_t tracepoint, custom; /* bits of trace_event_call.flags; 0: this kernel has none */
	uint64_t file_bits[TRACE_FILE_BITS]; /* of trace_event_file.flags, once looked up */
	struct trace_common common;
};

/* ST_ABSENT: built without CONFIG_EVENT_TRACING. */
enum status trace_events_open(struct dump *d, struct trace_events *ret);

/* ST_ABSENT: this kernel has no such event; the whole list was read. */
enum status trace_events_find(struct trace_events *e, const char *system, const char *name,
			      struct trace_event *ret);

/* The field of an event; NULL: it has none of that name. */
const struct trace_field *trace_event_field(const struct trace_event *e, const char *name);

/* What an instance does with an event; tri-state: what is not known is no "off". */
struct trace_event_state {
	bool known;
	bool enabled;
	bool was_enabled_known, was_enabled; /* at some time since the instance exists */
	bool soft_disabled, filtered, pid_filtered;
};

/* ST_ABSENT: the instance has no such event. */
enum status trace_event_state(struct trace_events *e, const struct trace_array *a,
			      const struct trace_event *event, struct trace_event_state *ret);
