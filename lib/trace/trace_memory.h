/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of ftrace: buffers of all instances, and the records of functions that can be traced. */
#pragma once

#include "dump/memory_parts.h"

/*
 * A holder is a buffer of an instance, by the name of the instance, " (snapshot)" behind it for its second
 * buffer.  It counts for each CPU the sub-buffers of the ring, the one of the reader, and a spare one
 * (buffer_size_kb of tracefs has the ring alone).  ST_ABSENT: built without tracing; ST_UNREADABLE, ST_CORRUPT:
 * some buffers, or parts of them, are missing.
 */
enum status trace_buffers_walk(struct dump *d, const struct memory_parts *v);

/*
 * One holder, counted by ftrace_number_of_pages (dyn_ftrace_total_info of tracefs).  ST_ABSENT: built without
 * CONFIG_DYNAMIC_FTRACE.
 */
enum status ftrace_records_walk(struct dump *d, const struct memory_parts *v);

/* One holder: names of tasks by pid (saved_cmdlines), which since 6.9 are in a block of the page allocator. */
enum status saved_names_walk(struct dump *d, const struct memory_parts *v);
