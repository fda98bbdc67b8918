// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_reclaim.h"

#include "collect/waits.h"
#include "symbols/allocators.h"
#include "symbols/symbolize.h"

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
	s->reclaims_in = symbolize(&at->symbols, at->frames.f[in].ip);
	s->reclaims_for = symbolize(&at->symbols, at->frames.f[i].ip);
}

void stuck_reclaim_words(const struct stuck_task *s, struct strbuf *b)
{
	char in[256], of[256];

	if (s->reclaims_in && s->reclaims_for)
		strbuf_add(b, " in %s, in reclaim for an allocation of %s",
			   function_text(s->reclaims_in, in, sizeof(in)),
			   function_text(s->reclaims_for, of, sizeof(of)));
}
