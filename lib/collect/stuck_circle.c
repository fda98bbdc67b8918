// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_circle.h"

#include "collect/stuck_reused.h"
#include "symbols/allocators.h"

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
 * give a lock back, and a lease, which ends by itself, close no circle. A reader that may have gone, but waits to read
 * again, closes one that is told as doubtful.
 */
static const struct stuck_task *next_of(const struct stuck_task *s)
{
	bool is_lease = s->file_lock && s->file_lock->lock->kind == FILE_LOCK_LEASE;

	return (s->holds <= HOLDS_READER || s->holds == HOLDS_AGAIN || s->holds >= HOLDS_KSWAPD) &&
			       !is_lease
		       ? s->holder
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

bool stuck_circle_is_sure(const struct stuck_task *s)
{
	const struct stuck_task *at = s;

	for (unsigned int i = 0; at && i < STUCK_MAX_CIRCLE; i++) {
		if (at->holds == HOLDS_ITSELF || at->holds == HOLDS_AGAIN ||
		    stuck_owner_is_doubted(at))
			return !at->holder;
		at = at->holder;
		if (at == s)
			break;
	}
	return true;
}

static bool is_wait(const char *name)
{
	return wait_is_scheduler(name) || wait_of(name) == WAIT_LOCK;
}

static bool is_in_reclaim(const char *name)
{
	return place_of(name) == PLACE_RECLAIM;
}

/* The next frame of which that is so, or is not; their number: there is none. */
static unsigned int next_frame(struct task_frames *at, unsigned int i, bool (*of)(const char *name),
			       bool is_so)
{
	while (i < at->frames.n && of(task_frames_name(at, i)) != is_so)
		i++;
	return i;
}

void stuck_read_reclaim(struct task_frames *at, struct stuck_task *s)
{
	unsigned int in = next_frame(at, 0, is_wait, false);
	unsigned int i = next_frame(at, in, is_in_reclaim, true);

	/* kswapd has no allocation, a page fault no function that could have done otherwise. */
	i = next_frame(at, next_frame(at, i, allocators_has, true), allocators_has, false);
	if (s->fault || i >= at->frames.n)
		return;
	s->reclaims_in = task_frames_at(at, in);
	s->reclaims_for = task_frames_at(at, i);
}

void stuck_reclaim_words(const struct stuck_task *s, struct strbuf *b)
{
	char in[256], of[256];

	if (frame_place(s->reclaims_in, in, sizeof(in)) &&
	    frame_place(s->reclaims_for, of, sizeof(of)))
		strbuf_add(b, " in %s, in reclaim for an allocation of %s", in, of);
}
