/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits that last, and of these the ones that keep memory from coming free. */
#pragma once

#include "limits.h"

#include <stdbool.h>
#include <stddef.h>

struct strbuf;
struct stuck;
struct stuck_task;
struct summary;

/* s->on_pages: "22 threads of 4 processes have waited in page faults for locks of pages, for 1.6min to 6.3min". */
void summary_tell_page_waits(struct summary *s, const struct stuck *all);
/* Whether it has waited for a limit of milliseconds; false where that is unknown, too. (overview/memory_waits.c) */
bool summary_has_lasted(const struct summary *s, const struct stuck_task *t, enum limit least);
/* The task that its lock names has exited. (the same) */
bool summary_is_of_exited(const struct stuck_task *t);
/* Locks are waited for on every machine: not for long. (the same) */
bool summary_waits_long(const struct summary *s, const struct stuck_task *t);

/* Whether it, or one of those that it waits for in a circle, is in reclaim or wants memory. (the same) */
bool summary_is_circle_of_memory(const struct stuck_task *t);

/*
 * "kswapd0 (55) waits for mutex 0xffffffffc006e358, which eater (3578) has; eater (3578), in reclaim itself, waits for io; vict
 * (3215), a victim of the OOM killer, waits for ...": reclaim behind one that wants memory, a victim behind a lock, a lock
 * of one that its cgroup stops. Nothing: there is none. (the same)
 */
void summary_add_memory_waits(struct summary *s, const struct stuck *all, struct strbuf *b);
/*
 * "; 150 threads have waited long for lock_n [drv], who has it is doubtful; 3 more waits (memowner stuck)": threads that are for long
 * behind a holder, neither of which is named, or behind one that is unknown or doubted, which are not. (the same)
 */
void summary_add_untold_waits(const struct summary *s, const struct stuck *all, struct strbuf *b);
struct stuck_ring;

/* What other lines tell: locks, with what who has them does, and a circle over answers; NULL of either lock: none. */
struct stuck_told {
	const struct stuck_task *most, *of_file;
	const struct stuck_ring *ring;
};

/*
 * "epscand (301) waits for itself: its thread sig-update (307) waits for the answer to an event of fanotify, whose file only
 * epscand (301) has open, for 1.1min, 11 more threads wait for epscand (301)": who waits longest first. (overview/server_waits.c)
 */
void summary_add_server_waits(struct summary *s, const struct stuck *all,
			      const struct stuck_told *told, struct strbuf *b);
/* Whether the words have who has the lock that one waits for. (the same) */
bool summary_tells_holder(const char *words, const struct stuck_task *t);

/*
 * Of the lock that most wait for, and is told beside a deadlock, the first that waits: more wait for it than are in that,
 * which is not why, and who has it is not doubted. most: NULL, or of the lock of all; that stands if it is one of nearly a
 * whole process, and waiting stays. NULL: there is none. (the same)
 */
const struct stuck_task *summary_most_beside(const struct summary *s, const struct stuck *all,
					     const struct stuck_task *most, size_t *waiting);
