// SPDX-License-Identifier: GPL-2.0-or-later
/* Who sends to the service that is charged for most files in memory: by what waits in its sockets. */
#include "memowner/groups.h"

#include "collect/sockets.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "net/scm.h"

#define LEAST 8u /* packets: of fewer the next may be of another */

/* Whether one of those that have it open is in a cgroup. */
static bool is_of(const struct summary *s, const struct socket *of, const char *cgroup)
{
	hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
		for (uint64_t i = 0;
		     g->cgroup && !strcmp(g->cgroup, cgroup) && g->members && i < g->processes; i++)
			if (ANY_OF(k, of->users->kept, of->users->all[k]->tgid == g->members[i][0]))
				return true;
	return false;
}

/* A unix socket of the cgroup, with most packets; NULL: none has many. */
static const struct socket *socket_of(const struct summary *s, const struct sockets *x,
				      const char *cgroup)
{
	const struct socket *most = NULL;

	for (size_t i = 0; i < x->n; i++) {
		const struct socket *of = x->all[i];

		if (of->sock.kind == SOCK_UNIX && of->walked && of->users && of->packets >= LEAST &&
		    (!most || of->packets > most->packets) && is_of(s, of, cgroup))
			most = of;
	}
	return most;
}

struct senders {
	struct scm scm;
	struct hash_u64 counts; /* packets, by the inode of the socket that sent them */
	uint64_t all, inode;	/* inode: of most of them */
	uint64_t most;
};

static enum status add_packet(void *arg, const struct skb *skb)
{
	struct senders *x = arg;
	const uint64_t inode = scm_sender(&x->scm, skb->address);
	uint64_t *n;

	x->all++;
	if (!inode)
		return ST_OK;
	n = hash_u64_get(&x->counts, inode, NULL);
	if (++*n > x->most) {
		x->most = *n;
		x->inode = inode;
	}
	return ST_OK;
}

/* "all 12 packets that wait in UNIX /run/systemd/journal/socket are of meterd (321)" */
void summary_tell_sender(struct summary *s, struct statement *row, const struct sockets *x)
{
	const struct socket *of = socket_of(s, x, row->charged);
	struct senders *senders = dump_alloc(s->dump, sizeof(*senders));
	struct strbuf b = STRBUF_OF(320);

	hash_u64_init(&senders->counts, s->dump->arena, sizeof(uint64_t));
	if (!of || scm_open(s->dump, &senders->scm) != ST_OK ||
	    sock_queue_walk(&senders->scm.socks, &of->sock, SOCK_QUEUE_RECEIVE, add_packet,
			    senders) != ST_OK ||
	    senders->most <= senders->all / 2)
		return;
	for (size_t i = 0; i < x->n; i++) {
		const struct file_users *users = x->all[i]->users;

		if (x->all[i]->inode != senders->inode || !users || users->n != 1)
			continue;
		if (senders->most < senders->all)
			strbuf_add(&b, "%s of %s packets", COUNT_TEXT(senders->most),
				   COUNT_TEXT(senders->all));
		else
			strbuf_add(&b, "all %s packets", COUNT_TEXT(senders->all));
		strbuf_add(&b, " that wait in ");
		summary_socket_name(of, &b);
		strbuf_add(&b, " are of %s (%d)", users->all[0]->comm, users->all[0]->tgid);
		row->wait = dump_strdup(s->dump, b.buf);
		return;
	}
}

enum status summary_senders(struct summary *s)
{
	for (struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next) {
		const struct sockets *x;
		enum status st;

		if (!s->groups || strcmp(row->by, "tmpfs") != 0 || !row->charged || row->wait ||
		    !summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, row->charged))
			continue;
		st = summary_sockets_once(s, &x);
		if (st != ST_OK)
			return st == ST_ABSENT ? ST_OK : st;
		summary_tell_sender(s, row, x);
	}
	s->dump->error[0] = '\0';
	return ST_OK;
}
