// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/unread.h"

/* Bytes: what is under way on loopback is less than what a socket takes by default (net.ipv4.tcp_wmem, tcp_rmem). */
#define UNSENT (256 << 10)
#define UNREAD (64 << 10)

static bool is_sole(const struct socket *s)
{
	return s->users && s->users->n == 1 && !s->not_accepted && !s->users->all[0]->is_device &&
	       !s->users->all[0]->in_flight;
}

static bool is_end_of(const struct socket *a, const struct socket *b)
{
	return b->sock.kind == SOCK_TCP && b->sock.net == a->sock.net && a->sock.port &&
	       b->sock.port == a->sock.peer_port && b->sock.peer_port == a->sock.port &&
	       b->used_by && b->used_by == a->peer_used_by;
}

static void add(struct hash_u64 *ret, const struct socket *from, const struct socket *to)
{
	struct unread *u = hash_u64_get(ret, (uint64_t)from->users->all[0]->tgid, NULL);

	if ((uint64_t)from->sock.tx_queue <= u->unsent)
		return;
	u->unsent = (uint64_t)from->sock.tx_queue;
	u->unread = (uint64_t)to->sock.rx_queue;
	u->reader = to->users->all[0];
}

void unread_find(const struct sockets *s, struct hash_u64 *ret)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct socket *a = s->all[i];

		if (a->sock.kind != SOCK_TCP || !a->sock.has_queues || a->sock.tx_queue < UNSENT ||
		    !a->peer_used_by || !is_sole(a))
			continue;
		for (size_t k = 0; k < s->n; k++) {
			const struct socket *b = s->all[k];

			if (b != a && is_end_of(a, b) && b->sock.has_queues &&
			    b->sock.rx_queue >= UNREAD && is_sole(b) &&
			    b->users->all[0]->tgid != a->users->all[0]->tgid)
				add(ret, a, b);
		}
	}
}
