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

/* False: of a deadlock a lock names one that may have exited, or gone. */
bool stuck_circle_is_sure(const struct stuck_task *s);

/*
 * A circle of one thread: what it holds as it allocates, no reclaim that this begins can wait for. A shrinker that takes the
 * lock under which its driver allocates is one. Of a thread on a lock in reclaim: the function in which it waits, and
 * the one whose allocation that is for.
 */
void stuck_read_reclaim(struct task_frames *at, struct stuck_task *s);

/* " in thin_scan [thinstore], in reclaim for an allocation of thin_insert [thinstore]"; nothing where it is in none. */
void stuck_reclaim_words(const struct stuck_task *s, struct strbuf *b);
