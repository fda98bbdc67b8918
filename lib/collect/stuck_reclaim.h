/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who sleeps on a lock inside of reclaim, that its own allocation began: what it holds there no reclaim can wait for. A
 * shrinker that takes the lock under which its driver allocates is such a deadlock.
 */
#pragma once

#include "collect/places.h"
#include "collect/stuck.h"

/* Of a thread on a lock in reclaim: the function in which it waits, and the one whose allocation that is for. */
void stuck_read_reclaim(struct task_frames *at, struct stuck_task *s);

/* " in thin_scan [thinstore], in reclaim for an allocation of thin_insert [thinstore]"; nothing where it is in none. */
void stuck_reclaim_words(const struct stuck_task *s, struct strbuf *b);
