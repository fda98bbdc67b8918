/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locks that name a task_struct which another task has by now: it was born after every waiter of the lock stopped,
 * and who gives a lock back wakes a waiter.
 */
#pragma once

#include "collect/in_fault.h"
#include "collect/stuck.h"

/* tasks: struct stuck_task *, by task_struct. Sets lock.by of those that wait to LOCK_OWNER_REUSED or
 * LOCK_OWNER_GONE, or owner_is_younger: of a lock that readers have that alone. */
void stuck_find_reused(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks);

/*
 * Whether a process sleeps for its own sake, by a system call that begins there: what it has of the kernel it kept
 * beyond another one.
 */
bool stuck_sleeps_at_will(const struct stuck_task *t);

/*
 * Why the one that a lock names may not have it, but the task_struct of a task that exited with it: it sleeps by a system
 * call of its own, where it has no lock of the kernel unless it kept it beyond another call; nothing that it has leads to
 * the lock, or only text behind the place where it sleeps, as of a function that takes this lock after another; it was born after a waiter of it stopped; it waits for the lock itself.
 * Where it waits for another lock in the function of a module in which this one is waited for, it has likely taken this
 * first; of many that wait there any may have got the task_struct, as of one that waits in a function which that calls.
 */
enum stuck_doubt {
	DOUBT_NONE,
	DOUBT_LIKELY,
	DOUBT_ASLEEP,
	DOUBT_NO_TRAIL,
	/* These not of one that waits in a circle for who waits for this lock. */
	DOUBT_BEHIND,
	DOUBT_SHARED, /* many wait with it in that function */
	DOUBT_YOUNGER,
	DOUBT_WAITS
};

/*
 * Whether anything of a task, of which at has the frames, leads to a lock: who will give it back finds it by a word of its
 * stack or what that points to, by its task_struct, or by a variable that the functions that it is in name, or those that
 * they call. TRAIL_BEHIND: only text of these behind the place where it is in them, which it has not come to, unless a
 * loop led back. TRAIL_FUNCTION: the text of functions of a module before that place, *by the innermost, and nothing of its own,
 * or only what leads to the lock that it waits for as well, as to an object with both, and *by is the innermost of a module.
 * TRAIL_LEADS where that is unknown. own: the lock that it waits for itself, 0: none.
 */
enum stuck_trail { TRAIL_NONE, TRAIL_BEHIND, TRAIL_FUNCTION, TRAIL_LEADS };
enum stuck_trail stuck_trail_of(struct task_frames *at, uint64_t task, uint64_t own, uint64_t lock,
				const struct frame **by);

/* Sets has_no_trail, trail_is_behind and shared_in of those whose holder a lock names. */
void stuck_find_trails(struct task_frames *at, struct stuck_task *all);

enum stuck_doubt stuck_owner_doubt(const struct stuck_task *s);

/* Of such a one no name is told but with why it is doubted. */
static inline bool stuck_owner_is_doubted(const struct stuck_task *s)
{
	return stuck_owner_doubt(s) > DOUBT_LIKELY;
}

/* It is told as likely: nothing is counted by it. */
static inline bool stuck_owner_is_likely(const struct stuck_task *s)
{
	return stuck_owner_doubt(s) == DOUBT_LIKELY;
}

/*
 * The same in words, behind those of who has the lock: " by its name in it, and which waits for it itself: ...", or, where
 * is_named is false, behind others that do not name it: "waits for it itself: ..."; nothing where it is not doubted.
 */
void stuck_add_doubt(const struct stuck_task *s, bool is_named, struct strbuf *b);
