/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind the events of faults -e: each trace buffer, and why there may be no events. */
#pragma once

#include "trace/event_reader.h"
#include "view.h"

/* The columns of its records "buffer", of either list; rankings have none. */
extern const struct view event_buffer_view, event_records_buffer_view;

/*
 * A row per buffer, the warnings and the end of the report. Where no event was found, why: that
 * is the answer then. All records must have been read; kept: events that passed the filters.
 */
enum status event_buffers_end(struct fault_view *v, struct event_reader *r, uint64_t kept);
