// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_circle.h"

#define MAX_STEPS \
	4096 /* from one thread: through servers of many threads there are more ways than threads */

/* Where the ways from a thread lead: one of them to a thread that may go on; none, but into a circle; none, and one to the target. */
enum reach { FREE, INTO_CIRCLE, TO_TARGET };

struct way {
	const struct stuck_task *target;
	const struct stuck_task *path[STUCK_MAX_CIRCLE];
	unsigned int n, steps;
};

/*
 * The one that waits for what the last one has; a reader that may have gone, one of several that can
 * give a lock back, and a lease, which ends by itself, close no circle.
 */
static const struct stuck_task *next_of(const struct stuck_task *s)
{
	bool is_lease = s->file_lock && s->file_lock->lock->kind == FILE_LOCK_LEASE;

	return (s->holds <= HOLDS_READER || s->holds >= HOLDS_KSWAPD) && !is_lease ? s->holder
										   : NULL;
}

static enum reach follow(struct way *w, const struct stuck_task *s);

static enum reach arrive(struct way *w, const struct stuck_task *s)
{
	if (s == w->target)
		return TO_TARGET;
	return ANY_OF(i, w->n, w->path[i] == s) ? INTO_CIRCLE : follow(w, s);
}

/* Any of its threads may answer: each must lead there. */
static enum reach follow_server(struct way *w, const struct stuck_server *server)
{
	enum reach most = FREE;

	for (size_t i = 0; server->complete && i < server->n; i++) {
		enum reach one = arrive(w, server->threads[i]);

		if (one == FREE)
			return FREE;
		most = one > most ? one : most;
	}
	return most;
}

static enum reach follow(struct way *w, const struct stuck_task *s)
{
	const struct stuck_task *next = next_of(s);
	enum reach ret = FREE;

	if (w->n == STUCK_MAX_CIRCLE || ++w->steps > MAX_STEPS)
		return FREE;
	w->path[w->n++] = s;
	if (s->server)
		ret = follow_server(w, s->server);
	else if (next)
		ret = arrive(w, next);
	w->n--;
	return ret;
}

static bool leads_to(const struct stuck_task *from, const struct stuck_task *to)
{
	struct way w = { .target = to };

	return arrive(&w, from) == TO_TARGET;
}

/* What leads into a circle is not in it. */
void stuck_find_circle(struct stuck_task *s)
{
	struct way w = { .target = s };
	struct stuck_task *holder = NULL;

	s->is_deadlocked = follow(&w, s) == TO_TARGET;
	if (!s->is_deadlocked || !s->server)
		return;
	/* Of the threads of a server one that is in the circle is told. */
	for (size_t i = 0; i < s->server->n && !holder; i++)
		if (leads_to(s->server->threads[i], s) && s->server->threads[i] != s)
			holder = s->server->threads[i];
	holder = holder ?: s;
	holder->is_holder = true;
	s->holder = holder;
	s->holds = HOLDS_SERVER;
}
