/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Buffers of perf events (kernel/events/ring_buffer.c): what mmap() of a perf_event_open() file gave it, the
 * page of its state, pages for records, and those of AUX.  Events whose output was redirected share one.
 */
#pragma once

#include "dump/memory_parts.h"
#include "dump/structure.h"

struct perf_buffers {
	struct dump *dump;
	uint64_t operations;	 /* f_op of files of perf events */
	struct structure buffer; /* perf_buffer, 5.7 and later; ring_buffer */
	struct field file_event, event_buffer, data_pages;
};

/* ST_ABSENT: built without CONFIG_PERF_EVENTS; ST_UNKNOWN. */
enum status perf_buffers_find(struct dump *d, struct perf_buffers *ret);

/* Of an open file with that f_op; 0: its event has none. */
enum status perf_buffer_of_file(const struct perf_buffers *b, uint64_t file, uint64_t *ret);

/* One holder, counted by the numbers of pages of its structure. */
enum status perf_buffer_walk(const struct perf_buffers *b, uint64_t buffer,
			     const struct memory_parts *v);
