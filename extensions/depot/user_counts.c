// SPDX-License-Identifier: GPL-2.0-or-later
#include "user_counts.h"

void user_counts_init(struct user_counts *u, struct dump *d, uint32_t extra_mask)
{
	*u = (struct user_counts){ .dump = d, .extra_mask = extra_mask };
	u->last_leak = &u->leaks;
	hash_u64_init(&u->handles, d->arena, sizeof(struct user_handles));
}

void user_counts_add(struct user_counts *u, enum user user, uint32_t handle)
{
	struct user_handles *h;

	handle &= ~u->extra_mask;
	if (!handle)
		return;
	h = hash_u64_get(&u->handles, handle, NULL);
	u->distinct.n[user] += !h->n[user];
	h->n[user]++;
	u->total.n[user]++;
}

const struct user_handles *user_counts_of(const struct user_counts *u, uint32_t handle)
{
	static const struct user_handles none;

	return hash_u64_find(&u->handles, handle & ~u->extra_mask) ?: &none;
}

enum status user_counts_refuse(struct user_counts *u, enum user first, enum user last,
			       enum status st)
{
	const char *reason;

	if (st == ST_OK || st == ST_STOPPED)
		return st;
	reason = dump_why(u->dump);
	for (enum user i = first; i <= last; i++) {
		u->state[i] = st == ST_ABSENT ? NOT_BUILT_IN : NOT_COUNTED;
		u->reason[i] = st == ST_ABSENT ? NULL : reason;
	}
	return ST_OK;
}
