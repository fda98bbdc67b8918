/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_clock(), which some code takes times from, beside local_clock(), which the log has (kernel/sched/clock.c):
 * the same plus an offset where it is stable; else corrected by each tick of a CPU, and both of the last tick
 * are kept.  Of a CPU whose frequency was measured wrong at boot the one runs faster than the other for good.
 */
#pragma once

#include "dump/dump.h"

struct sched_clock {
	uint64_t end; /* sched_clock() at the end */
	uint64_t ran,
		passed; /* what it ran while so much passed on the clock of the log, since boot */
};

/* By the time of the end on the clock of the log.  ST_UNKNOWN, ST_UNREADABLE */
enum status sched_clock_at(struct dump *d, uint64_t log_ns, struct sched_clock *ret);

/* How long before the end, on the clock of the log, it was ns; false: no such time since boot. */
bool sched_clock_age(const struct sched_clock *c, uint64_t ns, uint64_t *ret);
