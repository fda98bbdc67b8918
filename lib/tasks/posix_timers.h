/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers that processes made by timer_create() (kernel/time/posix-timers.c), each a struct k_itimer. */
#pragma once

#include "dump/structure.h"

struct posix_timers {
	struct dump *dump;
	struct field heads, sigqueue; /* of struct signal_struct and k_itimer */
	uint64_t bytes;		      /* of a timer, with the signal that it sends */
};

/* ST_ABSENT: built without CONFIG_POSIX_TIMERS; ST_UNKNOWN. */
enum status posix_timers_find(struct dump *d, struct posix_timers *ret);

/* How many the process of a signal_struct has; *ret, always set: those that were found. */
enum status posix_timers_count(const struct posix_timers *t, uint64_t signal, uint64_t *ret);
