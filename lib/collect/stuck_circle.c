// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_circle.h"

/*
 * The one that waits for what the last one has; a reader that may have gone, a server of many, one of several that can
 * give a lock back, and a lease, which ends by itself, close no circle.
 */
static const struct stuck_task *next_of(const struct stuck_task *s)
{
	bool is_lease = s->file_lock && s->file_lock->lock->kind == FILE_LOCK_LEASE;

	return s->holds <= HOLDS_READER && !is_lease ? s->holder : NULL;
}

#define MAX_CIRCLE 64 /* threads of a deadlock: lockdep knows 48 locks of one (MAX_LOCK_DEPTH) */

/* What leads into a circle is not in it. */
void stuck_find_circle(struct stuck_task *s)
{
	const struct stuck_task *at = next_of(s);

	for (unsigned int i = 0; at && at != s && i < MAX_CIRCLE; i++)
		at = next_of(at);
	s->is_deadlocked = at == s;
}
