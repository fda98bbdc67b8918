// SPDX-License-Identifier: GPL-2.0-or-later
#include "accept_queues.h"

#include "collect/used_limits.h"

/* The one of a process that has the socket, or could accept it. */
static struct accept_queue *find(struct accept_queue *first, const struct socket *s)
{
	for (struct accept_queue *q = first; q; q = q->next)
		if (q->port == s->sock.port && q->net == s->sock.net &&
		    ANY_OF(i, s->users->kept, file_users_has(q->servers, s->users->all[i]->tgid)))
			return q;
	return NULL;
}

static void add_listener(struct dump *d, struct accept_queue **first, const struct socket *s)
{
	struct accept_queue *q;

	if (s->sock.rx_queue < 0)
		return;
	q = find(*first, s);
	if (!q) {
		q = dump_alloc(d, sizeof(*q));
		*q = (struct accept_queue){ .servers = s->users,
					    .used_by = s->used_by,
					    .local = s->local,
					    .net = s->sock.net,
					    .port = s->sock.port,
					    .most = { 0, true },
					    .next = *first };
		*first = q;
	}
	q->listens++;
	q->waiting += (uint64_t)s->sock.rx_queue;
	q->most.known = q->most.known && s->sock.has_most_waiting;
	q->most.n += s->sock.most_waiting;
}

static void add_connection(struct accept_queue *first, const struct socket *s)
{
	struct accept_queue *q = find(first, s);

	if (q && s->not_accepted)
		q->left++;
	else if (q)
		q->closed++;
}

static bool is_of(const struct socket *s, unsigned int state)
{
	return s->sock.kind == SOCK_TCP && s->sock.state == state && s->users && s->users->kept;
}

struct accept_queue *accept_queues_find(struct dump *d, const struct sockets *s)
{
	struct accept_queue *first = NULL;

	for (size_t i = 0; i < s->n; i++)
		if (is_of(s->all[i], STATE_LISTEN) && s->all[i]->used_by)
			add_listener(d, &first, s->all[i]);
	for (size_t i = 0; i < s->n; i++)
		if (is_of(s->all[i], STATE_CLOSE_WAIT))
			add_connection(first, s->all[i]);
	return first;
}

const char *accept_limit_text(struct dump *d, const struct used_limits *used, int32_t tgid)
{
	for (unsigned int i = 0; i < used->n; i++) {
		const struct used_limit *l = &used->all[i];

		if (l->used < l->limit)
			continue;
		if (l->counts == LIMIT_COUNTS_FILES)
			return dump_text(
				d, "; while %s is used up accept() fails without CAP_SYS_ADMIN",
				l->setting);
		if (l->tgid == tgid && l->noun && !strcmp(l->noun, "descriptors"))
			return "; accept() fails: no descriptor is left to it";
	}
	return "";
}
