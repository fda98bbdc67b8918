// SPDX-License-Identifier: GPL-2.0-or-later
#include "stuck_chains.h"

#include "collect/stuck_peers.h"
#include "collect/stuck_reused.h"
#include "collect/stuck_words.h"

const struct stuck_task *stuck_thread(const struct stuck *all, int32_t tgid, int32_t pid)
{
	const struct stuck_task *ret = NULL;

	stuck_for_each(t, all) {
		if (pid ? t->task.pid != pid : t->task.tgid != tgid || !t->task.mm)
			continue;
		if (ret)
			return NULL;
		ret = t;
	}
	return ret;
}

static const struct stuck_task *next_of(const struct stuck *all, const struct stuck_task *of)
{
	if (of->is_deadlocked)
		return NULL;
	if (of->holder)
		return stuck_owner_is_doubted(of) ? NULL : of->holder;
	return of->peer && !of->peer_is_stopped && !of->peer_is_frozen && !all->ends_early
		       ? stuck_thread(all, of->peer->tgid, 0)
		       : NULL;
}

void stuck_chain(const struct stuck *all, const struct stuck_task *of, struct stuck_chain *ret)
{
	*ret = (struct stuck_chain){ 0 };
	for (; of && ret->n < STUCK_CHAIN && !ANY_OF(i, ret->n, ret->of[i] == of);
	     of = next_of(all, of))
		ret->of[ret->n++] = of;
}

/* Two that wait for what the other sends, on what is one connection. */
static bool is_answered_by(const struct stuck_task *of, const struct stuck_task *before)
{
	return of->peer && before->peer && !of->holder && !before->holder && !of->is_sender &&
	       !before->is_sender && of->peer->tgid == before->task.tgid &&
	       before->peer->tgid == of->task.tgid && !strcmp(of->peer_by, before->peer_by);
}

void stuck_add_chain(const struct stuck *all, const struct stuck_task *of, unsigned int from,
		     struct strbuf *b)
{
	struct stuck_chain c;

	stuck_chain(all, of, &c);
	for (unsigned int i = from; i < c.n; i++) {
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		if (i && is_answered_by(c.of[i], c.of[i - 1]))
			strbuf_add(b, "%s (%d) waits to receive on it, too", c.of[i]->task.comm,
				   c.of[i]->task.pid);
		else
			stuck_task_words(c.of[i], b);
	}
}

/* A thread of a process: a root, else its first one; NULL: there is none. */
static const struct stuck_task *thread_of(const struct stuck *x, int32_t tgid)
{
	const struct stuck_task *ret = NULL;

	stuck_for_each(s, x)
		if (s->task.tgid == tgid && s->task.mm &&
		    (s->is_root || (s->task.pid == tgid && !(ret && ret->is_root))))
			ret = s;
	return ret;
}

/* Threads of a process that may answer. */
static size_t count_threads(const struct stuck *x, int32_t tgid)
{
	size_t n = 0;

	stuck_for_each(s, x)
		n += s->task.tgid == tgid && s->task.mm;
	return n;
}

/* Whether two threads wait for the same process or task. */
static bool wait_alike(const struct stuck_task *a, const struct stuck_task *b)
{
	if (a == b)
		return true;
	if (a->holder || b->holder)
		return a->holder == b->holder && stuck_same_lock(a, b);
	if (a->peer || b->peer)
		return a->peer && b->peer && a->peer->tgid == b->peer->tgid &&
		       !strcmp(a->peer_by, b->peer_by);
	return a->remote && b->remote && !strcmp(a->remote, b->remote);
}

static bool waits_for_another(const struct stuck_task *s)
{
	if (s->on_cpu || s->task.state == 'R')
		return false;
	return s->holder ? s->holder->task.tgid != s->task.tgid
	       : s->peer ? s->peer->tgid != s->task.tgid
			 : s->remote != NULL;
}

#define WAYS 8u /* that threads of one process wait: of more the rest is not counted */

/* Of its threads those that wait for another process: of what most wait for the first one. */
static const struct stuck_task *most_wait(const struct stuck *x, int32_t tgid, size_t *ret)
{
	const struct stuck_task *first[WAYS] = { NULL };
	size_t n[WAYS] = { 0 }, ways = 0, most = 0;

	stuck_for_each(s, x) {
		size_t i = 0;

		if (s->task.tgid != tgid || !s->task.mm || !waits_for_another(s))
			continue;
		while (i < ways && !wait_alike(first[i], s))
			i++;
		if (i == WAYS)
			continue;
		if (i == ways)
			first[ways++] = s;
		if (++n[i] > n[most])
			most = i;
	}
	*ret = n[most];
	return first[most];
}

#define PROCESSES 4u /* one behind the other */

/*
 * "8 of its 9 threads wait on a TCP connection for stockd (286)", and what those of that one do; "of its 5 threads
 * index-2 (227) waits for lease of /srv/a, which smbd (267) has". Which thread would answer is not known: where all of
 * each wait for the other, none is left. false: none of its threads waits for another process.
 */
static bool add_threads(const struct stuck *x, int32_t tgid, struct strbuf *b)
{
	int32_t seen[PROCESSES];
	bool are_kept = true;

	for (unsigned int i = 0; i < PROCESSES; i++) {
		const size_t threads = count_threads(x, tgid);
		size_t n;
		const struct stuck_task *s = threads > 1 ? most_wait(x, tgid, &n) : NULL;

		if (!s)
			return i > 0;
		seen[i] = tgid;
		are_kept &= stuck_peer_is_kept(x, tgid);
		if (n > 1)
			strbuf_add(b, "%s%zu of its %zu threads wait ", i ? "; " : "", n, threads);
		else
			strbuf_add(b, "%sof its %zu threads ", i ? "; " : "", threads);
		if (!s->peer || s->holder) {
			strbuf_add(b, "%s", n > 1 ? "as " : "");
			stuck_task_words(s, b);
			stuck_add_chain(x, s, 1, b);
			return true;
		}
		if (n > 1)
			strbuf_add(b, "on a %s for %s (%d)", s->peer_by, s->peer->comm,
				   s->peer->tgid);
		else
			stuck_task_words(s, b);
		tgid = s->peer->tgid;
		if (count_threads(x, tgid) == 1)
			stuck_add_chain(x, stuck_thread(x, tgid, 0), 0, b);
		if (!ANY_OF(k, i + 1, seen[k] == tgid))
			continue;
		if (are_kept)
			strbuf_add(b, ": each waits for the other, and none of their threads is "
				      "free to answer (inferred)");
		return true;
	}
	return true;
}

static bool is_kept(const struct stuck_task *s)
{
	const char *in = s->function ? s->function->symbol : NULL;
	const char *caller = s->caller ? s->caller->symbol : NULL;

	if (s->holder || s->peer || s->remote || s->is_on_lock || s->is_on_server)
		return true;
	return !s->on_cpu && s->task.state != 'R' && in && caller && !wait_is_for_work(in) &&
	       !wait_is_for_work(caller) && !stuck_is_socket_wait(caller);
}

bool stuck_peer_is_kept(const struct stuck *x, int32_t tgid)
{
	size_t n = 0, kept = 0;

	stuck_for_each(s, x) {
		n += s->task.tgid == tgid && s->task.mm;
		kept += s->task.tgid == tgid && s->task.mm && is_kept(s);
	}
	return n && n == kept;
}

/* The first one that waits for the same peer. */
static const struct stuck_task *first_of_crowd(const struct stuck *x, const struct stuck_task *s)
{
	stuck_for_each(t, x)
		if (t->peer && t->peer->tgid == s->peer->tgid)
			return t;
	return s;
}

/* Whether those that wait as the first one does are processes of one name. */
static size_t count(const struct stuck *x, const struct stuck_task *first, bool *alike)
{
	size_t n = 0;

	*alike = true;
	stuck_for_each(s, x) {
		if (!s->peer || s->peer->tgid != first->peer->tgid)
			continue;
		n++;
		*alike &= s->task.pid == s->task.tgid && !strcmp(s->task.comm, first->task.comm);
	}
	return n;
}

/* Of thousands that wait for one process the threads are looked through for the first of them alone. */
size_t stuck_crowd(const struct stuck *x, const struct stuck_task *first)
{
	const struct stuck_task *peer;
	bool alike;

	if (!first->peer || first_of_crowd(x, first) != first)
		return 0;
	peer = thread_of(x, first->peer->tgid);
	return peer && peer->is_root ? 0 : count(x, first, &alike);
}

/* The same of any of them. */
static size_t crowd_of(const struct stuck *x, const struct stuck_task *s)
{
	return s->peer ? stuck_crowd(x, first_of_crowd(x, s)) : 0;
}

/* "; 12 of its 13 threads could run": what the others are asleep in says nothing of why it does not answer. */
static bool add_runnable(const struct stuck *x, int32_t tgid, struct strbuf *b)
{
	size_t n = 0, all = 0;

	stuck_for_each(s, x)
		if (s->task.tgid == tgid && s->task.mm) {
			all++;
			n += s->task.state == 'R' && !s->on_cpu;
		}
	if (n)
		strbuf_add(b, "; %zu of its %s could run", n, COUNT_OF(all, "thread"));
	return n;
}

/* ", which has not read 13.5K in 15 connections that it has accepted" */
static void add_unread_of_all(const struct stuck *x, const struct stuck_task *first,
			      struct strbuf *b)
{
	size_t n = 0;
	uint64_t unread = 0;

	/* What they send to is one queue. */
	if (first->is_sender) {
		stuck_add_unread(first, b);
		return;
	}
	stuck_for_each(s, x)
		if (s->unread && s->peer && s->peer->tgid == first->peer->tgid &&
		    !s->is_not_accepted && !strcmp(s->peer_by, first->peer_by)) {
			n++;
			unread += s->unread;
		}
	if (n)
		strbuf_add(b, ", which has not read %s in %s that it has accepted",
			   stuck_unread_text(first, unread, (char[UNITS_PLURAL]){ "" }),
			   COUNT_OF(n, "connection"));
}

/* The first thread of a process, whose name it has. */
static const struct stuck_task *leader_of(const struct stuck *x, int32_t tgid)
{
	stuck_for_each(s, x)
		if (s->task.pid == tgid)
			return s;
	return NULL;
}

static bool is_of_crowd(const struct stuck_task *s, const struct stuck_task *first)
{
	return s->peer && s->peer->tgid == first->peer->tgid;
}

/* "32 threads of shopfront (302) and 6 of stockd (286)"; false: they are of one process, or of more than two. */
static bool add_crowd_of(const struct stuck *x, const struct stuck_task *first, size_t n,
			 struct strbuf *b)
{
	const struct stuck_task *a = NULL, *c = NULL;
	size_t of_a = 0, of_c = 0;

	stuck_for_each(s, x) {
		if (!is_of_crowd(s, first))
			continue;
		if (!a || s->task.tgid == a->task.tgid) {
			a = a ?: s;
			of_a++;
		} else if (!c || s->task.tgid == c->task.tgid) {
			c = c ?: s;
			of_c++;
		}
	}
	a = c && of_a + of_c == n ? leader_of(x, a->task.tgid) : NULL;
	c = a ? leader_of(x, c->task.tgid) : NULL;
	if (!c)
		return false;
	if (of_a < of_c) {
		const struct stuck_task *swapped = a;
		const size_t of = of_a;

		a = c, c = swapped;
		of_a = of_c, of_c = of;
	}
	strbuf_add(b, "%s of %s (%d) and %zu of %s (%d)", COUNT_OF(of_a, "thread"), a->task.comm,
		   a->task.pid, of_c, c->task.comm, c->task.pid);
	return true;
}

bool stuck_crowd_words(const struct stuck *x, const struct stuck_task *first, struct strbuf *b)
{
	const size_t n = stuck_crowd(x, first);
	const struct stuck_task *peer;
	bool alike;

	if (n < STUCK_CROWD)
		return false;
	count(x, first, &alike);
	strbuf_add(b, "%s", x->why_no_peers || stuck_is_part(x) ? "at least " : "");
	if (alike)
		strbuf_add(b, "%zu processes %s", n, first->task.comm);
	else if (!add_crowd_of(x, first, n, b))
		strbuf_add(b, "%s (%d) and %s", first->task.comm, first->task.pid,
			   COUNT_OF(n - 1, "more thread"));
	strbuf_add(b, " wait on a %s for %s (%d)", first->peer_by, first->peer->comm,
		   first->peer->tgid);
	add_unread_of_all(x, first, b);
	peer = thread_of(x, first->peer->tgid);
	if (!peer || peer->on_cpu || add_runnable(x, first->peer->tgid, b))
		return true;
	strbuf_add(b, "; ");
	if (count_threads(x, first->peer->tgid) < 2) {
		stuck_task_words(peer, b);
		stuck_add_chain(x, peer, 1, b);
	} else if (peer->is_root || !add_threads(x, first->peer->tgid, b)) {
		stuck_task_words(peer, b);
		strbuf_add(b, " with its first thread");
	}
	return true;
}

/* Whether another one waits for it, and tells it. */
static bool is_waited_for(const struct stuck *x, const struct stuck_task *of)
{
	stuck_for_each(s, x)
		if (s != of && (s->holder == of || (s->peer && s->peer->tgid == of->task.tgid)))
			return true;
	return false;
}

bool stuck_begins_chain(const struct stuck *x, const struct stuck_task *s)
{
	const size_t n = crowd_of(x, s);

	return n >= STUCK_CROWD ? stuck_crowd(x, s) > 0 : !is_waited_for(x, s);
}

bool stuck_chain_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	struct stuck_chain c;

	if (!s->peer || s->holder)
		return false;
	stuck_chain(x, s, &c);
	/* What many wait for, and what is a root, have lines of their own. */
	if (c.n < 2 || c.of[1]->is_root || crowd_of(x, s) >= STUCK_CROWD || is_waited_for(x, s))
		return false;
	stuck_add_chain(x, s, 0, b);
	return true;
}

bool stuck_pipe_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	struct stuck_chain c;

	if (s->holds != HOLDS_STOPPED && (!s->is_on_pipe || s->holds != HOLDS_READS))
		return false;
	stuck_chain(x, s, &c);
	if (c.of[c.n - 1]->is_deadlocked)
		return false;
	stuck_add_chain(x, s, 0, b);
	return true;
}

#define MAX_STEPS 4096u /* in all: each looks at the threads of a process */

struct search {
	const struct stuck *all;
	struct stuck_ring *ring;
	unsigned int steps;
};

/* Of these it has it, or waits as long as it does not come by. */
static bool is_kept_by_holder(const struct stuck_task *s)
{
	return s->holder && s->holder != s && s->holds != HOLDS_NOTED && s->holds != HOLDS_LAST &&
	       s->holds != HOLDS_CPU && s->holds != HOLDS_BEGINS && !stuck_owner_doubt(s);
}

static bool waits(const struct stuck_task *s)
{
	return s->task.state != 'R' && !s->on_cpu && (s->server || is_kept_by_holder(s) || s->peer);
}

static bool follow(struct search *x, const struct stuck_task *s);

static bool arrive(struct search *x, const struct stuck_task *s)
{
	return s == x->ring->of[0] || (waits(s) && !stuck_ring_has(x->ring, s) && follow(x, s));
}

/* What waits for a lock tells more of why the server does not answer than what has the lock. */
static bool follow_server(struct search *x, const struct stuck_server *server)
{
	for (unsigned int socket = 0; socket < 2; socket++)
		for (size_t i = 0; i < server->n; i++) {
			const struct stuck_task *t = server->threads[i];

			if ((is_kept_by_holder(t) || t->server) == !socket &&
			    stuck_peer_is_kept(x->all, t->task.tgid) && arrive(x, t))
				return true;
		}
	return false;
}

static bool follow(struct search *x, const struct stuck_task *s)
{
	const struct stuck_task *peer;
	bool found = false;

	if (x->ring->n == STUCK_RING || ++x->steps > MAX_STEPS)
		return false;
	x->ring->of[x->ring->n++] = s;
	if (s->server) {
		found = follow_server(x, s->server);
	} else if (is_kept_by_holder(s)) {
		found = arrive(x, s->holder);
	} else if (s->peer && !s->peer_is_stopped && !s->peer_is_frozen) {
		/* Whose answer comes from one of several threads is unknown. */
		peer = stuck_thread(x->all, s->peer->tgid, 0);
		found = peer && arrive(x, peer);
	}
	x->ring->n -= !found;
	return found;
}

/*
 * Two ends of a connection that both read it are as those that have nothing to do: of answers alone no circle is known,
 * one must wait for a lock or a server of the kernel.
 */
static bool is_evident(const struct stuck_ring *r)
{
	return r->n > 1 && ANY_OF(i, r->n, r->of[i]->server || is_kept_by_holder(r->of[i]));
}

bool stuck_ring_find(const struct stuck *x, struct stuck_ring *ret)
{
	struct search search = { .all = x, .ring = ret };

	stuck_for_each(s, x) {
		if ((!s->server && !s->peer) || s->is_deadlocked || !waits(s))
			continue;
		*ret = (struct stuck_ring){ 0 };
		if (follow(&search, s) && is_evident(ret))
			return true;
	}
	ret->n = 0;
	return false;
}

bool stuck_ring_has(const struct stuck_ring *r, const struct stuck_task *s)
{
	return ANY_OF(i, r->n, r->of[i] == s);
}

/* Others that wait for the same. */
static size_t count_alike(const struct stuck *x, const struct stuck_ring *r,
			  const struct stuck_task *of)
{
	size_t n = 0;

	stuck_for_each(s, x)
		n += !stuck_ring_has(r, s) &&
		     (of->server ? s->server == of->server
				 : of->holder && s->holder == of->holder && stuck_same_lock(s, of));
	return n;
}

void stuck_ring_words(const struct stuck *x, const struct stuck_ring *r, struct strbuf *b)
{
	for (unsigned int i = 0; i < r->n; i++) {
		const size_t n = count_alike(x, r, r->of[i]);

		strbuf_add(b, "%s", i ? "; " : "perhaps a deadlock: ");
		stuck_task_words(r->of[i], b);
		if (n)
			strbuf_add(b, ", and so %s %s%s", n == 1 ? "does" : "do",
				   stuck_is_part(x) ? "at least " : "", COUNT_OF(n, "more thread"));
	}
}
