/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that wait for each other. */
#pragma once

#include "collect/stuck.h"

#define STUCK_MAX_CIRCLE \
	64 /* threads of a deadlock: lockdep knows 48 locks of one (MAX_LOCK_DEPTH) */

/*
 * By the holders and servers of all threads: whether this one waits for one that waits for it, or for a server all of
 * whose threads do.
 */
void stuck_find_circle(struct stuck_task *s);
