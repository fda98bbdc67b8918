// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_kswapd.h"

#include "zones/pfmemalloc.h"

struct waits {
	struct dump *dump;
	const struct hash_u64 *tasks;
};

/* In state S a thread without __GFP_FS sleeps there for a second at most. */
static bool waits_for_reclaim(const struct stuck_task *s)
{
	return s->task.state == 'D' && s->waits_for && !strcmp(s->waits_for, "reclaim");
}

static void add_wait(void *arg, const struct pfmemalloc_node *node, uint64_t task)
{
	const struct waits *w = arg;
	struct stuck_task *const *found = hash_u64_find(w->tasks, task),
				 *const *kswapd = hash_u64_find(w->tasks, node->kswapd);
	struct stuck_task *s = found ? *found : NULL;

	if (!s || !kswapd || !waits_for_reclaim(s) ||
	    !((*kswapd)->is_on_lock || (*kswapd)->is_on_server))
		return;
	s->lock_name = arena_text(w->dump->arena, "free pages of node %u", node->node);
	s->holder = *kswapd;
	s->holds = HOLDS_KSWAPD;
	(*kswapd)->is_holder = true;
}

const char *stuck_find_kswapd(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks)
{
	struct waits w = { d, tasks };
	const struct stuck_task *s = all;
	enum status st;

	while (s && !waits_for_reclaim(s))
		s = s->next;
	if (!s)
		return NULL;
	st = pfmemalloc_walk(d, add_wait, &w);
	return st == ST_OK || st == ST_ABSENT || st == ST_STOPPED ? NULL : dump_why(d);
}
