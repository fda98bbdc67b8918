// SPDX-License-Identifier: GPL-2.0-or-later
/* For whom a process with much memory works: who has the other ends of connections that it accepted. */
#include "memowner/groups.h"

#include <stdlib.h>

#include "collect/sockets.h"
#include "memowner/summary.h"

#define CLIENT_SHARE 80 /* percent of what a group has: that process is told for it */
#define NAMES_TOLD 3
#define KEY 256 /* of a service: a path of a unix socket has 108 bytes */

/* Clients of one name. */
struct client {
	char comm[TASKS_COMM + 1];
	uint64_t processes;
	int32_t tgid; /* of the first */
};

struct clients {
	struct hash_bytes names; /* of struct client */
	struct hash_u64 seen;	 /* their tgids */
	bool is_open;		 /* of some connections the other end is unknown */
};

/* The process of a row of which it is told; 0: none has nearly all. */
static int32_t told_of(const struct statement *row)
{
	const uint64_t all = row->pages.n + (row->swapped.known ? row->swapped.n : 0);

	if (row->most_pid.known &&
	    (row->most_pages + row->most_swapped) * 100 >= all * CLIENT_SHARE)
		return (int32_t)row->most_pid.n;
	return row->pid.known ? (int32_t)row->pid.n : 0;
}

static bool is_state(const struct socket *s, const char *state)
{
	return s->state && !strcmp(s->state, state);
}

/* Of an address its port, of a path all of it. */
static const char *service_of(const struct socket *s)
{
	const char *port = s->sock.kind == SOCK_TCP ? strrchr(s->local, ':') : NULL;

	return port ?: s->local;
}

/* The bytes of the key. */
static size_t key_of(const struct socket *s, char buf[KEY])
{
	snprintf(buf, KEY, "%d %s", (int)s->sock.kind, service_of(s));
	return strlen(buf);
}

/* Where sockets listen. */
static void find_listening(const struct sockets *x, struct hash_bytes *services)
{
	for (size_t i = 0; i < x->n; i++)
		if (is_state(x->all[i], "listen") && x->all[i]->local) {
			char key[KEY];
			const size_t n = key_of(x->all[i], key);

			hash_bytes_get(services, key, n, NULL);
		}
}

/* Whether a socket listens where this one is bound: that it is none that the process made to somebody else. */
static bool is_accepted(const struct hash_bytes *services, const struct socket *s)
{
	char key[KEY];
	size_t n;

	if (!is_state(s, "established") || !s->local || !*s->local)
		return false;
	n = key_of(s, key);
	return hash_bytes_find(services, key, n);
}

/* "331(psql)"; a socket in flight, or one that was not accepted, is of no process yet. */
static void add_client(struct clients *c, const char *user, unsigned int len)
{
	char name[TASKS_COMM + 1] = "", *comm;
	const int32_t tgid = (int32_t)strtol(user, &comm, 10);
	struct client *of;
	bool is_new;

	if (tgid <= 0 || *comm != '(' || user[len - 1] != ')') {
		c->is_open = true;
		return;
	}
	if (!hash_u64_add(&c->seen, (uint64_t)tgid))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(user + len - 1 - comm - 1), comm + 1);
	of = hash_bytes_get(&c->names, name, strlen(name), &is_new)->value;
	if (is_new) {
		memcpy(of->comm, name, sizeof(name));
		of->tgid = tgid;
	}
	of->processes++;
}

static void find_clients(struct arena *a, const struct sockets *x, int32_t tgid, struct clients *c)
{
	struct hash_bytes services;

	hash_bytes_init(&services, a, 1);
	find_listening(x, &services);
	for (size_t i = 0; i < x->n; i++) {
		const struct socket *s = x->all[i];
		const struct text_list *peers = s->peer_used_by;

		if (!file_users_has(s->users, tgid) || !is_accepted(&services, s))
			continue;
		c->is_open |= !peers || !peers->n || text_list_is_cut(peers);
		for (unsigned int k = 0; peers && k < peers->n; k++)
			add_client(c, peers->text + peers->starts[k], text_list_bytes(peers, k));
	}
}

/* " of crm-merge.service": where that says more than its name. */
static const char *service_text(const struct summary *s, const struct client *of)
{
	const char *service = NULL;

	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		if (g->members && ANY_OF(i, g->processes, g->members[i][0] == of->tgid))
			service = summary_service(g->cgroup, of->comm);
	return service ? dump_text(s->dump, " of %.100s", service) : "";
}

/* "its client is psql (331) of crm-merge.service", "its clients are 38 processes psql, 2 php-fpm and others" */
static const char *clients_text(const struct summary *s, const struct clients *c)
{
	struct largest largest = { .room = NAMES_TOLD };
	struct strbuf b = STRBUF_OF(256);

	hash_bytes_for_each(const struct client, of, &c->names)
		largest_add(&largest, of->processes, of);
	strbuf_add(&b, c->seen.n > 1 ? "its clients are " : "its client is ");
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct client *of = largest.of[i].item;

		strbuf_add(&b, "%s", !i ? "" : i + 1 == c->names.n ? " and " : ", ");
		if (of->processes == 1)
			strbuf_add(&b, "%s (%d)%s", of->comm, of->tgid, service_text(s, of));
		else
			strbuf_add(&b, "%s processes %s%s", COUNT_TEXT(of->processes), of->comm,
				   service_text(s, of));
	}
	if (c->names.n > largest.n)
		strbuf_add(&b, " and others of %s", COUNT_OF(c->names.n - largest.n, "more name"));
	if (c->is_open)
		strbuf_add(&b, ", as far as the other ends are known");
	return dump_strdup(s->dump, b.buf);
}

static bool is_large(const struct summary *s, const struct statement *row)
{
	return row->pages.known && told_of(row) &&
	       summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, row->cgroup);
}

/* What it would hand on stays where who is to take it does not answer. */
static void add_not_answered(const struct sockets *x, int32_t tgid, struct strbuf *b)
{
	const char *first = NULL;
	bool has_others = false;

	for (size_t i = 0; i < x->n; i++) {
		const struct socket *s = x->all[i];

		if (s->sock.kind != SOCK_TCP || !is_state(s, "syn_sent") || !s->remote ||
		    !file_users_has(s->users, tgid))
			continue;
		has_others |= first && strcmp(first, s->remote) != 0;
		first = first ?: s->remote;
	}
	if (first)
		strbuf_add(b, "%s%s%s not answered its connect() (SYN_SENT)",
			   strbuf_between(b, "; "), first,
			   has_others ? " and others have" : " has");
}

const char *summary_clients_text(const struct summary *s, const struct sockets *x, int32_t tgid)
{
	struct clients c = { .is_open = x->problem };
	struct strbuf b = STRBUF_OF(512);

	hash_bytes_init(&c.names, s->dump->arena, sizeof(struct client));
	hash_u64_init(&c.seen, s->dump->arena, 0);
	find_clients(s->dump->arena, x, tgid, &c);
	if (c.names.n)
		strbuf_add(&b, "%s", clients_text(s, &c));
	add_not_answered(x, tgid, &b);
	return b.len ? dump_strdup(s->dump, b.buf) : NULL;
}

static void tell_clients(struct summary *s, struct statement *row, const struct sockets *x)
{
	row->clients = summary_clients_text(s, x, told_of(row));
}

enum status summary_clients(struct summary *s)
{
	return groups_ask_sockets(s, is_large, tell_clients);
}
