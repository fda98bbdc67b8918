// SPDX-License-Identifier: GPL-2.0-or-later
/* A server whose clients wait until it accepts them, or have gone meanwhile, and what it waits for itself. */
#include "accept_queues.h"
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "net/sock_wait.h"
#include "memowner/groups.h"

/* A server that gets on accepts within milliseconds: before that few clients give up. */
#define LEFT 3
/* Closes of clients that a server has not answered: it has forgotten them. */
#define CLOSED 64

static bool is_told(const struct accept_queue *q)
{
	return q->left >= LEFT || q->closed >= CLOSED || accept_queue_is_full(q);
}

static uint64_t weight(const struct accept_queue *q)
{
	return q->left + q->closed + (accept_queue_is_full(q) ? q->waiting : 0);
}

struct waited {
	struct dump *dump;
	int32_t tgid;
	const struct sockets *sockets;
	struct sock_waits waits;
	uint64_t stack_bytes;
	const struct socket *on; /* that a thread of it sleeps on, whose other end is known */
	const char *problem;
};

static bool is_of(const struct socket *s, int32_t tgid)
{
	return s->users && !s->not_accepted && s->peer_used_by && s->peer_used_by->n &&
	       s->sock.kind == SOCK_TCP && s->sock.state != STATE_LISTEN &&
	       file_users_has(s->users, tgid);
}

static enum status visit(void *arg, const struct task *t)
{
	struct waited *w = arg;
	const struct sockets *x = w->sockets;

	if (dump_stopped(w->dump))
		return ST_STOPPED;
	for (size_t i = 0; t->tgid == w->tgid && t->stack && !w->on && i < x->n; i++) {
		enum status st = !is_of(x->all[i], w->tgid)
					 ? ST_ABSENT
					 : sock_wait_find(&w->waits, x->all[i]->sock.address,
							  t->address, t->stack, w->stack_bytes);

		if (st == ST_OK)
			w->on = x->all[i];
		else if (st != ST_ABSENT && !w->problem)
			w->problem = dump_why(w->dump);
	}
	return ST_OK;
}

/* "; it waits for an answer of card-hsm (95) on the TCP connection 127.0.0.1:54230 to 127.0.0.1:9004" */
static void add_wait(struct summary *s, const struct sockets *x, const struct accept_queue *q,
		     struct strbuf *b)
{
	struct waited w = { .dump = s->dump, .tgid = q->servers->all[0]->tgid, .sockets = x };
	struct tasks tasks;
	enum status st;

	/* Of several each may wait for something else. */
	if (q->servers->n > 1)
		return;
	st = sock_waits_open(s->dump, &w.waits) ?: tasks_open(s->dump, &tasks);
	w.stack_bytes = thread_size(s->dump);
	if (st == ST_OK && w.stack_bytes)
		st = tasks_walk(&tasks, visit, &w);
	if (w.on) {
		strbuf_add(b, "; it waits for data of ");
		summary_user_names(w.on->peer_used_by, b);
		strbuf_add(b, " on the TCP connection from %s to %s", w.on->local ?: "unknown",
			   w.on->remote ?: "unknown");
	} else if (st != ST_OK || w.problem) {
		summary_unknown(s, "what a server waits for that does not accept connections",
				NOT_IN_DUMP, "%s", w.problem ?: dump_why(s->dump));
	}
	s->dump->error[0] = '\0';
}

static void put(struct summary *s, const struct sockets *x, const struct accept_queue *q)
{
	const char *at_least = x->problem ? "at least " : "";
	struct strbuf b = STRBUF_OF(1024);

	summary_user_names(q->used_by, &b);
	if (q->waiting)
		strbuf_add(&b, ": %s to %s wait%s to be accepted",
			   COUNT_OF(q->waiting, "connection"), q->local ?: "a port",
			   q->waiting == 1 ? "s" : "");
	if (q->waiting && accept_queue_is_full(q))
		strbuf_add(
			&b,
			", and no more have room (net.core.somaxconn or the backlog of listen(2) is %s)",
			COUNT_TEXT(q->most.n));
	if (q->left)
		strbuf_add(&b, "%s%s%s of them %s in CLOSE_WAIT: the client has closed",
			   q->waiting ? ", " : ": ", at_least, COUNT_TEXT(q->left),
			   q->left == 1 ? "is" : "are");
	if (q->closed)
		strbuf_add(&b, "%s%s%s that it accepted %s in CLOSE_WAIT",
			   q->waiting || q->left ? "; " : ": ", at_least,
			   COUNT_OF(q->closed, "connection"), q->closed == 1 ? "is" : "are");
	if (q->waiting && s->of_case && q->servers->n)
		strbuf_add(&b, "%s",
			   accept_limit_text(s->dump, &s->of_case->used, q->servers->all[0]->tgid));
	add_wait(s, x, q, &b);
	SUMMARY_ADD(s, .section = SECTION_STUCK, .remark = dump_strdup(s->dump, b.buf),
		    .user_pid = { (uint64_t)q->servers->all[0]->tgid, q->servers->n != 0 });
	s->has_unaccepted = true;
}

void summary_add_unaccepted(struct summary *s)
{
	const struct accept_queue *most = NULL;
	const struct sockets *x;
	enum status st = summary_sockets_once(s, &x);

	if (st == ST_OK)
		for (const struct accept_queue *q = accept_queues_find(s->dump, x); q; q = q->next)
			if (is_told(q) && (!most || weight(q) > weight(most)))
				most = q;
	if (most)
		put(s, x, most);
	else if (st != ST_ABSENT && (st != ST_OK || x->problem))
		summary_unknown(s, "servers that do not accept connections", NOT_IN_DUMP, "%s",
				st == ST_OK ? x->problem : dump_why(s->dump));
	s->dump->error[0] = '\0';
}
