// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trace buffers before 5.6: struct ring_buffer is what struct trace_buffer is now, and that is
 * what struct array_buffer is. is_signed is an int, names of tasks stand elsewhere. CASE_perf: another
 * structure has the name of the buffer.
 */
#define RELEASE "5.4.0-ring"
#define HAS_CPUS
#define OLD_NAMES
#define NAMES_POINTER
#define TRACEPOINT_BIT 4
#include "rings.h"
