// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_circle.h"

/* The one that waits for what the last one has; a reader that may have gone, and a server of many, close no circle. */
static const struct stuck_task *next_of(const struct stuck_task *s)
{
	return s->holder && s->holds != HOLDS_NOTED && s->holds != HOLDS_SERVER ? s->holder : NULL;
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
