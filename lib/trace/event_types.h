/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of events by debug information, where the kernel's own list of them (struct
 * ftrace_event_field) is not in the dump: TRACE_EVENT() and DECLARE_EVENT_CLASS() declare
 * struct trace_event_raw_CLASS, whose members are the fields, and the variable event_class_CLASS
 * (include/trace/stages/, include/trace/trace_events.h to 5.17).
 */
#pragma once

#include "trace/trace_event.h"

/* Members of struct trace_entry, with their names in ftrace_common_fields. ST_UNKNOWN: no such type. */
enum status event_types_common(struct dump *d, struct trace_field **ret, size_t *n);

/*
 * The fields of page faults of the event class at the address class_at. ST_ABSENT: it is none of those
 * classes, or the kernel was built without its type.
 */
enum status event_types_fields(struct dump *d, uint64_t class_at, struct trace_field **ret,
			       size_t *n);
