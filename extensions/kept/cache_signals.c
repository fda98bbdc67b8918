// SPDX-License-Identifier: GPL-2.0-or-later
/* Signals that were sent to processes which have not taken them, each an object of slab cache sigqueue. */
#include "cache_owners.h"

/* "signals sent by job-notify (170)", of the process that has most */
static const char *signals_text(struct dump *d, const struct signal_user *most)
{
	const char *sender = signal_sender_text(d, most);

	return *sender && most->of_sender >= most->n / 2
		       ? dump_text(d, "signals sent by %s", sender)
		       : "signals";
}

void cache_ask_signals(struct asked_cache *a)
{
	const struct signal_users *all = a->held->signals;
	const struct signal_user *most = NULL;
	struct cache_owners o = { 0 };

	if (!all)
		return cache_owners_unknown(a, a->held->problems[HELD_SIGNALS]);
	o.problem = all->problem;
	hash_u64_for_each(const struct signal_user, u, &all->all) {
		if (!u->n)
			continue;
		most = !most || u->n > most->n ? u : most;
		cache_owners_add_user(a, &o, u->n, u->user);
	}
	if (!most)
		return;
	o.what = signals_text(a->s->dump, most);
	o.place = most->blocks ? "that wait for and are blocked by " : "that wait for ";
	o.command =
		"memowner processes -s queued_signals -n 5 -o pid,comm,queued_signals,signal_senders";
	cache_owners_put(a, &o);
}
