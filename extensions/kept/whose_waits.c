// SPDX-License-Identifier: GPL-2.0-or-later
/* Why those do not get on whose work piles up, or who feed a watchdog: who does not read its sockets, who is a client of what grows, for whom they wait. */
#include "collect/held.h"
#include "collect/unread.h"
#include "memory/stuck_chains.h"
#include "memowner/dying.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "tasks/audit_daemon.h"

#define TEXT 640
#define CLIENTS 4u /* of a process: of more each does its share */

/* The process of a row: of sockets the only user; 0: none is known, or several. */
static int32_t tgid_of(const struct statement *row)
{
	return row->pid.known ? (int32_t)row->pid.n : summary_only_user(row->used_by);
}

/* Whether packets in sockets of a process are much of memory. */
static int32_t of_sockets(const struct summary *s, const struct statement *row)
{
	const int32_t tgid = tgid_of(row);
	const struct held_process *held = s->held && tgid > 0 ? held_by(s->held, tgid) : NULL;

	return held && (!strcmp(row->by, "sockets") || !strcmp(row->by, "held")) &&
			       summary_reaches(s, LIMIT_HOLDER,
					       held->bytes[HELD_SOCKETS] >> s->dump->page_shift)
		       ? tgid
		       : 0;
}

/* Who has the other ends of what a process sent, and does not read; else the process itself, which does not. */
static int32_t reader_of(const struct summary *s, int32_t tgid)
{
	const struct unread *u = s->held ? hash_u64_find(&s->held->unread, (uint64_t)tgid) : NULL;

	return u ? u->reader->tgid : tgid;
}

static bool is_large(const struct summary *s, const struct statement *row)
{
	return row->clients && row->pages.known &&
	       summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, row->cgroup);
}

static void add(int32_t tgid, int32_t *all, unsigned int *n, unsigned int room)
{
	if (tgid > 0 && *n < room && !ANY_OF(i, *n, all[i] == tgid))
		all[(*n)++] = tgid;
}

/* Processes that have the other ends of connections of one; none where there are many. */
static unsigned int clients_of(struct summary *s, const struct statement *row, int32_t *ret)
{
	const int32_t tgid = row->most_pid.known ? (int32_t)row->most_pid.n : tgid_of(row);
	const struct sockets *x;
	unsigned int n = 0;

	if (summary_sockets_once(s, &x) != ST_OK)
		return 0;
	for (size_t i = 0; i < x->n && n <= CLIENTS; i++) {
		const struct socket *of = x->all[i];

		if (of->users && ANY_OF(k, of->users->kept, of->users->all[k]->tgid == tgid))
			add(summary_only_user(of->peer_used_by), ret, &n, CLIENTS + 1);
	}
	return n <= CLIENTS ? n : 0;
}

/* What has records of the audit that the daemon has not taken (kernel/audit.c). */
static bool is_of_audit(const struct statement *row)
{
	return row->remark && (!strncmp(row->remark, "audit_hold_queue ", 17) ||
			       !strncmp(row->remark, "audit_retry_queue ", 18) ||
			       !strncmp(row->remark, "audit_queue ", 12));
}

/* Of watchdogs that a process feeds: drivers/watchdog/softdog.c, and pretimeout_panic.c of those of hardware. */
static bool is_unfed(const struct statement *panic)
{
	return panic && panic->name &&
	       (!strncmp(panic->name, "Software Watchdog Timer expired", 31) ||
		!strncmp(panic->name, "watchdog pretimeout event", 25));
}

#define FEEDER "who feeds the watchdog" /* a part */

/* The driver lets one at a time open it (watchdog_open()): several have it by fork(). 0: several, none, or unknown. */
static int32_t find_feeder(struct summary *s)
{
	struct statement *panic = s->first[SECTION_PANIC];
	const struct file_user *feeder;
	struct watchdog_feeders f;

	if (!is_unfed(panic) || !s->panic_cause)
		return 0;
	if (summary_watchdog_feeders(s->dump, &f) != ST_OK) {
		summary_unknown(s, FEEDER, NOT_IN_DUMP, "%s", dump_why(s->dump));
		return 0;
	}
	if (!f.users.n && f.problem)
		summary_unknown(s, FEEDER, NOT_IN_DUMP, "%s", f.problem);
	feeder = f.users.n == 1 ? f.users.all[0] : NULL;
	if (feeder) {
		panic->user_pid = (struct maybe_u64){ (uint64_t)feeder->tgid, true };
		s->panic_cause = dump_text(
			s->dump, "%s; %s has the watchdog open, and did not feed it in time",
			s->panic_cause, SUMMARY_TASK(panic->user_pid, feeder->comm));
	} else if (!f.users.n && !f.problem) {
		s->panic_cause = dump_text(s->dump, "%s; no process has the watchdog open",
					   s->panic_cause);
	}
	return feeder ? feeder->tgid : 0;
}

unsigned int summary_ask_waits(struct summary *s, int32_t *ret, unsigned int room)
{
	int32_t clients[CLIENTS + 1], daemon;
	unsigned int n = 0, told = 0;

	for (struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next)
		if (is_of_audit(row)) {
			const enum status st = audit_daemon_pid(s->dump, &daemon);

			if (st == ST_OK)
				add(daemon, ret, &n, room);
			else if (st == ST_ABSENT)
				row->kept_by = "no audit daemon is connected";
			else if (!told++)
				summary_unknown(s, "the audit daemon", NOT_IN_DUMP, "%s",
						dump_why(s->dump));
		}

	add(find_feeder(s), ret, &n, room);
	for (const struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next)
		if (of_sockets(s, row))
			add(reader_of(s, tgid_of(row)), ret, &n, room);
	for (const struct statement *row = s->first[SECTION_GROUP]; row; row = row->next) {
		const unsigned int of = is_large(s, row) ? clients_of(s, row, clients) : 0;

		for (unsigned int i = 0; i < of; i++)
			add(clients[i], ret, &n, room);
	}
	s->dump->error[0] = '\0';
	return n + summary_ask_threads(s, ret + n, room - n);
}

/* Whether it is told whom it waits for, and not only in which function it is. */
static bool has_end(const struct stuck_task *t)
{
	return t->holder || t->peer || t->remote || t->datagram || t->peer_is_own ||
	       t->is_on_server || t->is_traced || t->task.state == 'T';
}

/* "edge-relay (107) waits on a unix socket for radio-gw (104); radio-gw (104) is asleep in ..." */
static const char *words_of(struct summary *s, const struct stuck *all, int32_t tgid,
			    bool is_client)
{
	const struct stuck_task *t = stuck_thread(all, tgid, 0);
	struct strbuf b = STRBUF_OF(TEXT);

	if (!t || t->task.state == 'R' || (is_client && !has_end(t)))
		return NULL;
	stuck_add_chain(all, t, 0, &b);
	return dump_strdup(s->dump, b.buf);
}

/* A client that waits for the process itself does what clients do. */
static void tell_clients(struct summary *s, struct statement *row, const struct stuck *all)
{
	int32_t clients[CLIENTS + 1];
	const int32_t tgid = row->most_pid.known ? (int32_t)row->most_pid.n : tgid_of(row);
	const unsigned int n = clients_of(s, row, clients);

	for (unsigned int i = 0; i < n; i++) {
		const struct stuck_task *t = stuck_thread(all, clients[i], 0);
		const char *words = t && !(t->peer && t->peer->tgid == tgid)
					    ? words_of(s, all, clients[i], true)
					    : NULL;

		if (words)
			row->clients = dump_text(s->dump, "%s; %s", row->clients, words);
	}
}

/* "the audit daemon is auditd (298); auditd (298) waits on a TCP connection for relay (295)" */
static void tell_daemon(struct summary *s, struct statement *row, const struct stuck *all)
{
	int32_t pid;
	const struct stuck_task *t = audit_daemon_pid(s->dump, &pid) == ST_OK
					     ? stuck_thread(all, pid, pid)
					     : NULL;
	const char *words = t ? words_of(s, all, pid, false) : NULL;

	if (!t)
		return;
	row->kept_by =
		dump_text(s->dump, "the audit daemon is %s%s%s",
			  SUMMARY_TASK(((struct maybe_u64){ (uint64_t)pid, true }), t->task.comm),
			  words ? "; " : "", words ?: "");
	/* It has them from a socket, and sends them on by others. */
	row->command = SOCKETS_BY_PEER;
}

/* What those do who are named: "memowner stuck -a -o +does -f tgid=303,298". */
static const char *threads_command(struct dump *d, const struct stuck *all, int32_t tgid)
{
	const struct stuck_task *t = stuck_thread(all, tgid, 0);
	int32_t of[STUCK_CHAIN + 1];
	struct strbuf b = STRBUF_OF(96);
	struct stuck_chain c;
	unsigned int n = 0;

	add(tgid, of, &n, ARRAY_SIZE(of));
	stuck_chain(all, t, &c);
	for (unsigned int i = 0; i < c.n; i++)
		add(c.of[i]->task.tgid, of, &n, ARRAY_SIZE(of));
	for (unsigned int i = 0; i < n; i++)
		strbuf_add(&b, "%s%d", i ? "," : "memowner stuck -a -o +does -f tgid=", of[i]);
	return dump_strdup(d, b.buf);
}

static void tell_feeder(struct summary *s, const struct stuck *all)
{
	struct statement *panic = s->first[SECTION_PANIC];
	const char *words = is_unfed(panic) && panic->user_pid.known
				    ? words_of(s, all, (int32_t)panic->user_pid.n, false)
				    : NULL;

	if (words)
		s->panic_cause = dump_text(s->dump, "%s: %s", s->panic_cause, words);
	if (is_unfed(panic) && panic->user_pid.known)
		panic->command = threads_command(s->dump, all, (int32_t)panic->user_pid.n);
}

void summary_tell_waits(struct summary *s, const struct stuck *all)
{
	tell_feeder(s, all);
	summary_tell_threads(s, all);
	for (struct statement *row = s->first[SECTION_CANDIDATE]; row; row = row->next)
		if (is_of_audit(row))
			tell_daemon(s, row, all);
	for (struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next)
		if (of_sockets(s, row))
			row->wait = words_of(s, all, reader_of(s, tgid_of(row)), false);
	for (struct statement *row = s->first[SECTION_GROUP]; row; row = row->next)
		if (is_large(s, row))
			tell_clients(s, row, all);
	s->dump->error[0] = '\0';
}

/* Processes that pile up: one may wait for what all wait for. */
static bool is_crowd(const struct summary *s, const struct statement *row)
{
	return row->processes.known && row->processes.n >= MANY_PROCESSES && row->pages.known &&
	       row->comm && summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, row->cgroup);
}

/* A server that waits for the next request of a client that could send one is at rest. */
static bool is_at_rest(const struct stuck_task *t)
{
	return t->is_server_end && !t->unread && !t->peer_is_stopped && !t->peer_is_frozen;
}

/* The first thread of the first process of that name that waits for the answer of another one. */
static const struct stuck_task *first_waiting(const struct stuck *all, const char *comm)
{
	stuck_for_each(t, all)
		if (t->task.pid == t->task.tgid && t->peer && !is_at_rest(t) &&
		    !strcmp(t->task.comm, comm))
			return t;
	return NULL;
}

/* "formrender-wk (266) waits on a unix socket for priced (261), which ...; priced (261) is asleep in wait_for_partner" */
static void tell_wait(struct summary *s, struct statement *row, const struct stuck *all)
{
	const struct stuck_task *t = first_waiting(all, row->core_reader ?: row->comm);
	struct strbuf b = STRBUF_OF(1024);
	const char *words;

	if (!t)
		return;
	if (!stuck_crowd_words(all, t, &b))
		stuck_add_chain(all, t, 0, &b);
	words = dump_strdup(s->dump, b.buf);
	if (row->core_reader) {
		/* "piped to 15 processes crashpost: these wait on ..." */
		const char *all_of = strstr(words,
					    dump_text(s->dump, " processes %s ", row->core_reader));

		row->fate_why = all_of ? dump_text(s->dump, "these %s",
						   all_of + strlen(" processes  ") +
							   strlen(row->core_reader))
				       : words;
	} else {
		row->wait = words;
	}
}

/* Who has the buffers of what is not read: one process of a name that has much. */
static const struct unread *unread_of(const struct summary *s, const struct statement *row)
{
	return s->held && row->pid.known && row->processes.n <= 1 && row->pages.known &&
			       summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, row->cgroup)
		       ? hash_u64_find(&s->held->unread, row->pid.n)
		       : NULL;
}

/* "auditor (177) does not read what it sends: 2.4M wait in its socket, 110.1K in that of auditor; auditor (177) is asleep in fifo_open" */
static void tell_unread(struct summary *s, struct statement *row, const struct unread *u,
			const struct stuck *all)
{
	struct strbuf b = STRBUF_OF(1024);

	strbuf_add(&b,
		   "%s (%d) does not read what %s sends to it: %s wait in the socket of %s, %s in "
		   "its own",
		   u->reader->comm, u->reader->tgid, row->comm, SIZE_TEXT((int64_t)u->unsent),
		   row->comm, SIZE_TEXT((int64_t)u->unread));
	stuck_add_chain(all, stuck_thread(all, u->reader->tgid, 0), 0, &b);
	row->unread = dump_strdup(s->dump, b.buf);
}

void summary_waits_unknown(struct summary *s, enum status st, const struct stuck *all)
{
	static const char name[] = "what many processes of a name wait for";

	if (!ANY_NEXT(row, s->first[SECTION_GROUP],
		      is_crowd(s, row) && !row->wait && !row->fate_why))
		return;
	summary_failed(s, name, st);
	if (st == ST_OK && all->why_no_peers)
		summary_unknown(s, name, NOT_IN_DUMP, "%s", all->why_no_peers);
}

void summary_put_waits(struct summary *s)
{
	const char *words = s->victim_words, *wait = NULL;

	for (const struct statement *row = s->first[SECTION_GROUP]; row && !words;
	     row = row->next) {
		words = row->wait ? dump_text(s->dump, "%s; %s processes have its name", row->wait,
					      COUNT_TEXT(row->processes.n))
				  : summary_reader_words(s, row);
		wait = row->wait ?: row->fate_why;
	}
	if (!s->first[SECTION_STUCK] && words)
		SUMMARY_ADD(s, .section = SECTION_STUCK, .remark = words,
			    .wait = words != s->victim_words ? wait : NULL);
}

bool summary_has_waiting(const struct summary *s)
{
	return ANY_NEXT(row, s->first[SECTION_GROUP], is_crowd(s, row) || unread_of(s, row));
}

void summary_tell_waiting(struct summary *s, const struct stuck *all)
{
	for (struct statement *row = s->first[SECTION_GROUP]; row; row = row->next)
		if (is_crowd(s, row))
			tell_wait(s, row, all);
		else if (unread_of(s, row))
			tell_unread(s, row, unread_of(s, row), all);
}
