/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why nobody is known who has a lock, or who has it is doubted: a warning for each lock, with those that wait for it alone. */
#pragma once

#include "collect/stuck.h"

#define STUCK_LOCKS_TOLD 4u /* of each reason, those with most waiters; how many more there are is one warning */

/*
 * "3 threads wait for lock_m [drv], who has it is unknown: this kernel does not note it of a semaphore"; all of them but what
 * a lost owner means are notes: the answer is complete.
 */
struct gaps stuck_doubt_gaps(struct dump *d, const struct stuck *x);
