// SPDX-License-Identifier: GPL-2.0-or-later
/* To whom the processes of a name that pile up are connected: who has the other ends of their sockets. */
#include "memowner/groups.h"

#include <stdlib.h>

#include "collect/sockets.h"
#include "memowner/summary.h"

struct peer {
	uint64_t sockets;
	const struct text_list *users;
};

static const struct process_group *group_of(const struct summary *s, const struct statement *row)
{
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		if (!strcmp(g->comm, row->comm) && !strcmp(g->cgroup ?: "", row->cgroup ?: ""))
			return g;
	return NULL;
}

/* Other ends that processes of one name and cgroup have. */
struct peers {
	const struct process_group *of;
	uint64_t sockets, processes;
};

static const struct process_group *group_with(const struct summary *s, uint64_t tgid)
{
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		if (ANY_OF(i, g->processes, (uint64_t)g->members[i][0] == tgid))
			return g;
	return NULL;
}

/* Where no one process has most of them, those of one name may: "6 of their sockets lead to 6 psql of refresh.service". */
static void tell_peers(struct summary *s, struct statement *row, const struct hash_u64 *peers,
		       bool is_part)
{
	struct hash_u64 sums;
	const struct peers *most = NULL;

	hash_u64_init(&sums, s->dump->arena, sizeof(struct peers));
	hash_u64_for_each(const struct peer, peer, peers) {
		const struct process_group *g = group_with(s, hash_u64_key(peer));
		struct peers *sum;

		if (!g)
			continue;
		sum = hash_u64_get(&sums, (uintptr_t)g, NULL);
		sum->of = g;
		sum->processes++;
		sum->sockets += peer->sockets;
		most = !most || sum->sockets > most->sockets ? sum : most;
	}
	if (!most || most->processes < 2 || most->sockets * 2 < row->processes.n)
		return;
	row->sleeps = dump_text(
		s->dump, "%s%s%s%s of their sockets lead to %s %s%s%s", row->sleeps ?: "",
		row->sleeps ? "; " : "", is_part ? "at least " : "", COUNT_TEXT(most->sockets),
		COUNT_TEXT(most->processes), most->of->comm, most->of->cgroup ? " of " : "",
		most->of->cgroup ? summary_last_of(most->of->cgroup) : "");
}

/* The one process that has most of the other ends. */
static void tell_peer(struct summary *s, struct statement *row, const struct sockets *x)
{
	const struct process_group *g = group_of(s, row);
	struct hash_u64 members, peers;
	const struct peer *most = NULL;
	uint64_t most_of = 0;
	struct strbuf name = STRBUF_OF(128);

	hash_u64_init(&members, s->dump->arena, 0);
	hash_u64_init(&peers, s->dump->arena, sizeof(struct peer));
	for (uint64_t i = 0; g && i < g->processes; i++)
		hash_u64_add(&members, (uint64_t)g->members[i][0]);
	for (size_t i = 0; i < x->n; i++) {
		const uint64_t tgid = (uint64_t)summary_only_user(x->all[i]->used_by),
			       of = (uint64_t)summary_only_user(x->all[i]->peer_used_by);
		struct peer *peer;

		if (!tgid || !of || !hash_u64_has(&members, tgid) || hash_u64_has(&members, of))
			continue;
		peer = hash_u64_get(&peers, of, NULL);
		peer->users = x->all[i]->peer_used_by;
		peer->sockets++;
		if (most && peer->sockets <= most->sockets)
			continue;
		most = peer;
		most_of = of;
	}
	/* Whose children they are is told; what these have with it says no more. */
	if (!most || most->sockets * 2 < row->processes.n) {
		tell_peers(s, row, &peers, x->problem);
		return;
	}
	if ((int32_t)most_of == g->parent)
		return;
	summary_user_names(most->users, &name);
	row->sleeps = dump_text(s->dump, "%s%s%s%s of their sockets lead to %s", row->sleeps ?: "",
				row->sleeps ? "; " : "", x->problem ? "at least " : "",
				COUNT_TEXT(most->sockets), name.buf);
	row->peer_of = dump_text(s->dump, "%lu", most_of);
}

static bool is_crowd(const struct summary *s, const struct statement *row)
{
	return row->comm && row->processes.known && row->processes.n >= MANY_PROCESSES &&
	       row->pages.known && summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, row->cgroup);
}

enum status summary_group_peers(struct summary *s)
{
	return groups_ask_sockets(s, is_crowd, tell_peer);
}
