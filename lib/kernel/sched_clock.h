/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_clock(), which some code takes times from, beside local_clock(), which the log has (kernel/sched/clock.c):
 * the same plus an offset where it is stable; else corrected by each tick of a CPU, and both of the last tick
 * are kept.
 */
#pragma once

#include "dump/dump.h"

/* What sched_clock() was at a time of the log, near the end.  ST_UNKNOWN, ST_UNREADABLE */
enum status sched_clock_at(struct dump *d, uint64_t log_ns, uint64_t *ret);
