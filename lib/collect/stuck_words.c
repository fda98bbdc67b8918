// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_words.h"

#include "collect/stuck_circle.h"
#include "collect/stuck_peers.h"
#include "collect/stuck_reused.h"

#define SERVERS_SHOWN 4

/*
 * "which b (2) and 1 more process have (1 more lock conflicts)": who has a lock of a file, how many others conflict
 * with one request, or with all of flock(), which want the same.
 */
static void add_file_holder(const struct stuck_task *s, size_t waiting, struct strbuf *b)
{
	const struct stuck_file_lock *l = s->file_lock;
	bool is_of_all = waiting < 2 || l->lock->kind == FILE_LOCK_FLOCK;
	uint64_t bars = is_of_all ? file_wait_bars(s->file_wait) : 0;

	strbuf_add(b, "which %s (%d)", s->holder->task.comm, s->holder->task.pid);
	if (l->processes > 1)
		strbuf_add(b, " and %s%s have", l->complete ? "" : "at least ",
			   PLURAL_TEXT(l->processes - 1, "more process", "more processes"));
	else
		strbuf_add(b, "%s", l->complete ? " has" : " and maybe others have");
	if (bars > 1)
		strbuf_add(b, " (%s)",
			   PLURAL_TEXT(bars - 1, "more lock conflicts", "more locks conflict"));
}

/* ", running work evt_work [evt_bridge],": of a worker. */
static const char *running_text(const struct stuck_task *s)
{
	return s->work && s->work->running ? s->work->running : "";
}

/* "which b (2) has"; in no circle one that may have nothing to do with the lock has no name, as in a row. */
static void add_holder(const struct stuck_task *s, size_t waiting, bool in_circle, struct strbuf *b)
{
	static const char *const has[HOLDS_KINDS] = {
		[HOLDS_LOCK] = "has",
		[HOLDS_READER] = "has for reading, as its stack shows",
		[HOLDS_NOTED] = "took last for reading",
		[HOLDS_AGAIN] = "took last for reading and may still have",
		[HOLDS_KSWAPD] = "frees",
		[HOLDS_LAST] = "took last, and may have given back",
		[HOLDS_READS] = "reads",
		[HOLDS_WRITES] = "writes to",
		[HOLDS_FUTEX] = "has by its words in user memory (inferred)",
		[HOLDS_UNDO] = "took, which its end would undo",
		[HOLDS_WORK] = "runs",
		[HOLDS_JOURNAL] = "writes",
		[HOLDS_BEGINS] = "is to begin",
		[HOLDS_CPU] = "ran on at the end",
		[HOLDS_STARTS] = "is to start",
	};

	if (stuck_owner_is_doubted(s) && !in_circle)
		strbuf_add(b, "whose owner is doubtful: the task that it names ");
	else if (s->file_lock)
		add_file_holder(s, waiting, b);
	else if (s->asked)
		strbuf_add(b, "whose file %s%s (%d) has open",
			   s->holder->task.tgid == s->task.tgid ? "only " : "",
			   s->holder->task.comm, s->holder->task.pid);
	else if (s->holds == HOLDS_SERVER && s->holder == s)
		strbuf_add(b, "whose other end it alone has open itself");
	else if (s->holds == HOLDS_QUEUED)
		strbuf_add(b, "to read it, behind the writer %s (%d)", s->holder->task.comm,
			   s->holder->task.pid);
	else if (s->holds == HOLDS_CHILD || s->holds == HOLDS_STOPPED)
		strbuf_add(b, "%s (%d)", s->holder->task.comm, s->holder->task.pid);
	else if (s->is_on_pipe && s->holder == s)
		strbuf_add(b, "both ends of which it alone has open");
	else if (s->holds == HOLDS_SERVER)
		/* One that only inherited the descriptor may never answer. */
		strbuf_add(b, "whose other end %s (%d) has open", s->holder->task.comm,
			   s->holder->task.pid);
	else if (s->holds == HOLDS_ITSELF && waiting > 1)
		strbuf_add(b, "whose owner is one of them, %s (%d)", s->task.comm, s->task.pid);
	else if (s->holds == HOLDS_ITSELF)
		strbuf_add(
			b,
			"whose owner it is itself: it took it before, or a task that exited with "
			"it had the task_struct that is its own now");
	else
		strbuf_add(b, "which %s (%d)%s %s%s", s->holder->task.comm, s->holder->task.pid,
			   s->holds == HOLDS_WORK ? "" : running_text(s->holder),
			   stuck_owner_is_likely(s) ? "likely " : "",
			   s->holds == HOLDS_LAST && stuck_owner_doubt(s) ? "took last"
									  : has[s->holds]);
	if (s->holds == HOLDS_READER && s->holder->readers > 1)
		strbuf_add(b, ", beside %s", COUNT_OF(s->holder->readers - 1, "more reader"));
	stuck_add_doubt(s, in_circle, b);
}

static void add_frozen(const struct frozen_super *f, struct strbuf *b)
{
	strbuf_add(b, "%s, which is %sfrozen (%s)", f->name, f->is_complete ? "" : "being ",
		   f->state);
}

const char *stuck_unread_text(const struct stuck_task *s, uint64_t unread, char buf[UNITS_PLURAL])
{
	return !strcmp(s->peer_by, "TCP connection") && unread >= 1024
		       ? units_size(buf, (int64_t)unread)
	       : !strcmp(s->peer_by, "TCP connection")
		       ? units_plural(buf, unread, "byte", "bytes")
		       : units_plural(buf, unread, "packet", "packets");
}

void stuck_add_unread(const struct stuck_task *s, struct strbuf *b)
{
	char text[UNITS_PLURAL];

	if (s->unread && !s->is_not_accepted)
		strbuf_add(b,
			   s->is_sender ? ", which has not read the %s in its queue"
					: ", which has not read %s of it",
			   stuck_unread_text(s, s->unread, text));
}

/* Of a thread that no tracer has stopped. */
static void add_own_wait(const struct stuck_task *s, struct strbuf *b)
{
	const struct frame *at = s->caller ?: s->function;
	char text[256];

	if (s->frozen) {
		strbuf_add(b, "waits to write to ");
		add_frozen(s->frozen, b);
	} else if (s->peer) {
		strbuf_add(b, "waits on a %s for %s (%d)%s", s->peer_by, s->peer->comm,
			   s->peer->tgid, stuck_peer_words(s));
		stuck_add_unread(s, b);
	} else if (s->remote) {
		strbuf_add(b, "waits on a TCP connection for %s%s, which %s", s->remote,
			   s->is_server_end ? ", its client" : "",
			   s->is_connecting ? "has not answered (SYN_SENT)"
					    : "no process here has");
	} else if (s->is_on_lock || s->is_on_server || s->is_on_pipe || stuck_is_on_kthread(s)) {
		strbuf_add(b, "waits for %s",
			   s->lock_name
				   ?: s->is_on_lock ? "a lock"
						    : "a server");
		if (s->fuse.conn && s->fuse.conn->path)
			strbuf_add(b, " (%s)", s->fuse.conn->path);
		stuck_reclaim_words(s, b);
		if (s->holder) {
			strbuf_add(b, ", ");
			add_holder(s, 1, false, b);
		} else if (s->futex && s->futex->is_lost) {
			strbuf_add(b, ": its words name thread %d, which none that maps it has",
				   s->futex->tid);
		} else if (s->lock.by == LOCK_OWNER_LOST) {
			strbuf_add(b, ": its owner is no task that was found, as where that has "
				      "ended");
		} else if (s->lock.by == LOCK_OWNER_REUSED) {
			strbuf_add(b, ": the task that had it has exited, its task_struct is of a "
				      "later task");
		} else if (s->lock.by == LOCK_OWNER_GONE) {
			strbuf_add(b, ": the task that it names has exited, and so may have one "
				      "before it that had the same task_struct");
		}
	} else if (s->task.state == 'T') {
		strbuf_add(b, "is stopped%s", s->stopped_by ?: "");
	} else if (s->task.state == 'Z') {
		strbuf_add(b, "has exited, and its parent has not waited for it");
	} else if (stuck_is_frozen(s)) {
		strbuf_add(b, "is frozen");
	} else if (s->peer_is_own) {
		strbuf_add(b, "waits on a %s, both ends of which it alone has open", s->peer_by);
	} else if (s->datagram) {
		strbuf_add(b, "waits for a datagram %s", s->datagram);
	} else if (s->drain) {
		stuck_drain_words(s->drain, b);
	} else if (s->call && stuck_is_on_other(s)) {
		strbuf_add(b, "%s", s->call);
	} else if (stuck_is_on_other(s) && frame_place(at, text, sizeof(text))) {
		strbuf_add(b, "%s%s%s",
			   s->is_on_completion && at->module ? "waits for a completion in "
							     : "is asleep in ",
			   text, s->fault && at->module ? ", in a page fault" : "");
	} else if (s->panics) {
		strbuf_add(b, "called panic()");
	} else if (!strcmp(s->waits_for ?: "", "cpu") &&
		   frame_place(s->function, text, sizeof(text))) {
		strbuf_add(b, "waits for a CPU, in %s", text);
	} else if (s->waits_for && !stuck_is_on_other(s)) {
		strbuf_add(b, "%s %s",
			   !strcmp(s->waits_for, "running") ? "is"
			   : s->on_cpu			    ? "runs"
							    : "waits for",
			   s->waits_for);
		if (s->disk && !s->disk_is_inferred)
			strbuf_add(b, " of %s", s->disk->disk->name);
	} else {
		strbuf_add(b, "is at a place that is unknown");
	}
}

void stuck_add_wait(const struct stuck_task *s, struct strbuf *b)
{
	if (!s->is_traced) {
		add_own_wait(s, b);
		return;
	}
	strbuf_add(b, "stands in a ptrace stop");
	if (!s->tracer) {
		strbuf_add(b, ", its tracer is unknown");
		return;
	}
	strbuf_add(b, " of %s (%d), which ", s->tracer->task.comm, s->tracer->task.pid);
	if (s->tracer->is_traced)
		strbuf_add(b, "stands in one itself");
	else
		add_own_wait(s->tracer, b);
}

/* Whether the holders come back to the first one, and that has the lowest pid of them. */
static bool is_told_by(const struct stuck_task *first)
{
	const struct stuck_task *s = first->holder;

	for (unsigned int i = 0; s && s != first && i < STUCK_MAX_CIRCLE; i++) {
		if (s->task.pid < first->task.pid)
			return false;
		s = s->holder;
	}
	return s == first;
}

bool stuck_deadlock_words(const struct stuck_task *first, struct strbuf *b)
{
	const struct stuck_task *s = first;

	if (!is_told_by(first))
		return false;
	strbuf_add(b, "%sdeadlock: %s (%d)", stuck_circle_is_sure(s) ? "" : "perhaps a ",
		   s->task.comm, s->task.pid);
	do {
		strbuf_add(b, " waits for %s", s->lock_name ?: "a lock");
		stuck_reclaim_words(s, b);
		strbuf_add(b, ", ");
		add_holder(s, 1, true, b);
		strbuf_add(b, "%s", s->holder == first ? "" : ", which");
		s = s->holder;
	} while (s != first);
	return true;
}

void stuck_task_words(const struct stuck_task *s, struct strbuf *b)
{
	strbuf_add(b, "%s (%d)%s ", s->task.comm, s->task.pid, s->is_root ? "" : running_text(s));
	stuck_add_wait(s, b);
}

void stuck_holder_words(const struct stuck_task *s, struct strbuf *b)
{
	stuck_task_words(s->holder, b);
	if (s->holds == HOLDS_PROCESS || (s->holds == HOLDS_SHARED && s->file_lock->threads > 1))
		strbuf_add(b, " with one of its %lu threads", s->file_lock->threads);
}

/* "97 of 101 threads of keysvc (173), which has 12.5M resident, have waited up to 4.3min" */
static void add_service(const struct stuck_service *v, struct strbuf *b)
{
	strbuf_add(b, "%zu of %zu threads of %s (%d)", v->waiting, v->threads,
		   v->comm ?: "a process", v->tgid);
	if (v->has_memory)
		strbuf_add(b, ", which has %s resident%s%s%s", SIZE_TEXT(v->rss_bytes),
			   v->swap_bytes ? " and " : "",
			   v->swap_bytes ? SIZE_TEXT(v->swap_bytes) : "",
			   v->swap_bytes ? " in swap," : ",");
	if (v->has_age)
		strbuf_add(b, " have waited up to %s", TIME_TEXT(v->age_ns));
	else
		strbuf_add(b, " wait");
}

void stuck_lock_words(const struct stuck *x, const struct stuck_task *of,
		      const struct stuck_task *other, size_t waiting, struct strbuf *b)
{
	/* The writer, behind whom readers wait, is told with them. */
	waiting -= of->holds == HOLDS_QUEUED && waiting > 1;
	other = other == of->holder ? NULL : other;
	if (waiting > 2 && stuck_is_part(x))
		strbuf_add(b, "at least ");
	if (of->service && of->service->waiting == waiting)
		add_service(of->service, b);
	else if (waiting > 2 || (waiting == 2 && !other))
		strbuf_add(b, "%zu threads wait", waiting);
	else
		strbuf_add(b, "%s (%d)", of->task.comm, of->task.pid);
	if (waiting == 2 && other)
		strbuf_add(b, " and %s (%d) wait", other->task.comm, other->task.pid);
	else if (waiting < 2)
		strbuf_add(b, " waits");
	strbuf_add(b, " for %s, ", of->lock_name ?: "a lock");
	add_holder(of, waiting, false, b);
}

/* The threads of a server that have not exited: all of them are stopped, or what the first one does. */
static void add_process(const struct stuck *x, const struct file_user *user, unsigned int depth,
			struct strbuf *b)
{
	const struct stuck_task *shown = NULL;
	size_t threads = 0, stopped = 0, frozen = 0;
	char text[UNITS_PLURAL];

	stuck_for_each(s, x)
		if (s->task.tgid == user->tgid && s->task.mm) {
			threads++;
			stopped += s->task.state == 'T';
			frozen += stuck_is_frozen(s);
			if (!shown || s->task.pid == user->tgid)
				shown = s;
		}
	strbuf_add(b, "%s (%d)", user->comm, user->tgid);
	if (threads && (stopped == threads || frozen == threads) && !x->ends_early)
		strbuf_add(b, ", which is %s", stopped == threads ? "stopped" : "frozen");
	else if (shown && (shown->is_on_lock || shown->is_on_server)) {
		strbuf_add(b, ", which ");
		stuck_add_wait(shown, b);
	} else if (shown && shown->peer && depth) {
		strbuf_add(b, ", which waits on a %s", shown->peer_by);
		if (shown->unread && !shown->is_not_accepted)
			strbuf_add(b, " (%s not read)",
				   stuck_unread_text(shown, shown->unread, text));
		strbuf_add(b, " for ");
		add_process(x, shown->peer, depth - 1, b);
	} else if (shown && shown->call) {
		strbuf_add(b, ", which %s", shown->call);
	} else if (shown && stuck_place(shown)) {
		strbuf_add(b, ", which is in %s", stuck_place(shown));
	}
	if (threads > 1 && stopped != threads && frozen != threads)
		strbuf_add(b, " with one of its %zu threads", threads);
}

#define PEERS 2u /* one behind the other: more say no more of who answers first */

bool stuck_fuse_words(const struct stuck *x, const struct fuse_conn *c, struct strbuf *b)
{
	size_t waiting = 0;

	for (const struct stuck_task *s = x->first; s; s = s->next)
		waiting += s->fuse.conn == c;
	if (!waiting)
		return false;
	strbuf_add(b, "FUSE connection %u", c->dev);
	if (c->path)
		strbuf_add(b, " (%s)", c->path);
	strbuf_add(b, "%s: %s%s for it", c->is_untyped ? ", by its pointers alone" : "",
		   stuck_is_part(x) ? "at least " : "",
		   PLURAL_TEXT(waiting, "thread waits", "threads wait"));
	if (!c->is_untyped)
		strbuf_add(b, ", %s open", PLURAL_TEXT(c->waiting, "request is", "requests are"));
	strbuf_add(b, "; ");
	if (!c->connected)
		strbuf_add(b, "it is aborted; ");
	if (c->type && !strcmp(c->type, "virtiofs")) {
		strbuf_add(b, "its server is outside of this machine");
		return true;
	}
	strbuf_add(b, "/dev/fuse of it is open in ");
	for (unsigned int i = 0; i < c->users.kept && i < SERVERS_SHOWN; i++) {
		strbuf_add(b, "%s", i ? "; " : "");
		add_process(x, c->users.all[i], PEERS, b);
	}
	if (c->users.n > SERVERS_SHOWN)
		strbuf_add(
			b, "; and %s",
			PLURAL_TEXT(c->users.n - SERVERS_SHOWN, "more process", "more processes"));
	if (!x->fuse->users_complete)
		strbuf_add(b, "%s", c->users.n ? "; others are unknown" : "unknown processes");
	else if (!c->users.n)
		strbuf_add(b, "no process");
	return true;
}

static void add_requests(const struct stuck_disk *k, bool complete, struct strbuf *b)
{
	static const char *const one[DISK_OPERATIONS] = { "read", "write", "flush",
							  "other request" };
	static const char *const more[DISK_OPERATIONS] = { "reads", "writes", "flushes",
							   "other requests" };
	unsigned int n = 0;

	strbuf_add(b, ": %s", complete ? "" : "at least ");
	for (unsigned int i = 0; i < DISK_OPERATIONS; i++)
		if (k->requests.old[i])
			strbuf_add(b, "%s%s", n++ ? ", " : "",
				   PLURAL_TEXT(k->requests.old[i], one[i], more[i]));
	strbuf_add(b, " not completed, the oldest started %s ago",
		   TIME_TEXT(k->requests.oldest_ns));
	if (k->idle_ns)
		strbuf_add(b, ", and for the last %s no read or write was started or completed",
			   TIME_TEXT(k->idle_ns));
}

/* Who suspended it no structure says. */
static void add_suspended(const struct mapped_device *m, struct strbuf *b)
{
	if (m->has_flags && m->bios)
		strbuf_add(b, " is suspended, by whom is not recorded: %s%s wait%s for it",
			   m->bios_complete ? "" : "at least ", COUNT_OF(m->bios, "bio"),
			   m->bios == 1 ? "s" : "");
	else if (m->has_flags)
		strbuf_add(b, " may be suspended: its flags say so, though no bio waits for it");
	else
		strbuf_add(
			b,
			": %s%s wait%s as for a disk that is suspended, which its flags do not say",
			m->bios_complete ? "" : "at least ", COUNT_OF(m->bios, "bio"),
			m->bios == 1 ? "s" : "");
}

/* "; 2 threads wait for it, and maybe 1 more" */
static void add_waiting(const struct stuck *x, const struct stuck_disk *k, struct strbuf *b)
{
	const char *more = stuck_is_part(x) || x->lacks_disks ? "at least " : "";

	if (k->waiting)
		strbuf_add(b, "; %s%s for it", more,
			   PLURAL_TEXT(k->waiting, "thread waits", "threads wait"));
	if (k->inferred)
		strbuf_add(b, "%s %s, as %s stack%s suggest%s",
			   k->waiting ? ", and maybe" : "; maybe",
			   COUNT_OF(k->inferred, "more thread"), k->inferred == 1 ? "its" : "their",
			   k->inferred == 1 ? "" : "s", k->inferred == 1 ? "s" : "");
}

bool stuck_disk_words(const struct stuck *x, const struct stuck_disk *k, struct strbuf *b)
{
	if (!stuck_disk_is_kept(k))
		return false;
	stuck_disk_name(k, b);
	if (k->has_mapped && (k->mapped.bios || k->mapped.has_flags))
		add_suspended(&k->mapped, b);
	if (k->requests.all_old)
		add_requests(k, x->has_requests, b);
	add_waiting(x, k, b);
	for (const struct stuck_disk *m = x->disks; m; m = m->next)
		if (m != k && m->waiting && !stuck_disk_is_kept(m) &&
		    ANY_OF(i, m->mapped.nbelow, m->mapped.below[i] == k->disk)) {
			strbuf_add(b, "; on it lies ");
			stuck_disk_name(m, b);
			strbuf_add(b, ", which %s%s for",
				   stuck_is_part(x) || x->lacks_disks ? "at least " : "",
				   PLURAL_TEXT(m->waiting, "thread waits", "threads wait"));
		}
	for (unsigned int i = 0; i < k->servers.kept && i < SERVERS_SHOWN; i++) {
		strbuf_add(b, "%s", i ? "; and " : "; its server ");
		add_process(x, k->servers.all[i], PEERS, b);
	}
	if (k->remote)
		strbuf_add(b, "; its server is at %s", k->remote);
	else if (k->is_nbd && !k->servers.n)
		strbuf_add(b, "; its server is unknown");
	return true;
}

#define DISKS_SHOWN 2

void stuck_disks_words(const struct stuck *x, struct strbuf *b)
{
	const struct stuck_disk *told[DISKS_SHOWN];
	size_t kept = 0, n = 0;

	for (const struct stuck_disk *k = x->disks; k; k = k->next)
		kept += stuck_disk_is_kept(k);
	while (n < DISKS_SHOWN && n < kept) {
		const struct stuck_disk *most = NULL;

		for (const struct stuck_disk *k = x->disks; k; k = k->next)
			if (stuck_disk_is_kept(k) && !ANY_OF(i, n, told[i] == k) &&
			    (!most || k->waiting > most->waiting))
				most = k;
		if (!most)
			break;
		told[n++] = most;
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		stuck_disk_words(x, most, b);
	}
	if (kept > n)
		strbuf_add(b, "; and %s like that (memowner stuck)",
			   COUNT_OF(kept - n, "more disk"));
}

/* A thread of a process that waits for a child; NULL: none does, or it is not known. */
static const struct stuck_task *waits_for_child(const struct stuck *x, const struct file_user *user)
{
	stuck_for_each(s, x)
		if (s->task.tgid == user->tgid && s->task.mm && s->function &&
		    s->function->symbol && pipe_function_of(s->function->symbol) == PIPE_CHILD)
			return s;
	return NULL;
}

/* The child of a process that waits to write to what is frozen; NULL: none. */
static const struct stuck_task *frozen_child(const struct stuck *x, const struct frozen_super *f,
					     const struct file_user *user)
{
	for (const struct stuck_task *s = x->first; s; s = s->next)
		if (s->frozen == f && s->task.has_ppid && s->task.ppid == user->tgid &&
		    s->task.tgid != user->tgid)
			return s;
	return NULL;
}

static bool is_frozen(const struct stuck *x, const struct frozen_super *f, int32_t tgid)
{
	return ANY_NEXT(s, x->first, s->frozen == f && s->task.tgid == tgid);
}

/* "snapagent (116), which waits for a child: its child snap-catalog (118) waits to write to it"; NULL: of no child. */
static const struct stuck_task *add_frozen_user(const struct stuck *x, const struct frozen_super *f,
						const struct file_user *user, struct strbuf *b)
{
	const struct stuck_task *child = waits_for_child(x, user) ? frozen_child(x, f, user) : NULL;

	if (child)
		strbuf_add(b,
			   "%s (%d), which waits for a child: its child %s (%d) waits to write to "
			   "it",
			   user->comm, user->tgid, child->task.comm, child->task.pid);
	else if (is_frozen(x, f, user->tgid))
		strbuf_add(b, "%s (%d), which waits to write to it", user->comm, user->tgid);
	else
		add_process(x, user, PEERS, b);
	return child;
}

bool stuck_frozen_words(const struct stuck *x, const struct frozen_super *f, struct strbuf *b)
{
	const struct stuck_task *first = NULL, *child = NULL;
	size_t waiting = 0;

	for (const struct stuck_task *s = x->first; s; s = s->next)
		if (s->frozen == f) {
			first = first ?: s;
			waiting++;
		}
	if (waiting == 1)
		stuck_task_words(first, b);
	if (!waiting)
		return false;
	if (waiting > 1) {
		strbuf_add(b, "%s%zu threads wait to write to ",
			   stuck_is_part(x) ? "at least " : "", waiting);
		add_frozen(f, b);
	}
	/* struct super_block has its state, and how often it was frozen (freeze_ucount since 6.6), not by whom. */
	strbuf_add(b, ", by which process is not recorded");
	for (unsigned int i = 0; f->users && i < f->users->kept && i < SERVERS_SHOWN; i++) {
		/* It is told already. */
		if (child && child->task.tgid == f->users->all[i]->tgid)
			continue;
		strbuf_add(b, "%s", i ? ", and " : "; its directory is open in ");
		child = add_frozen_user(x, f, f->users->all[i], b) ?: child;
	}
	return true;
}

bool stuck_file_words(const struct stuck *x, const struct stuck_file_lock *l, struct strbuf *b)
{
	const struct stuck_task *first = NULL, *other = NULL;
	size_t waiting = 0, deadlocked = 0;

	for (const struct stuck_task *s = l->holder ? x->first : NULL; s; s = s->next)
		if (s->file_lock == l) {
			other = other ?: first ? s : NULL;
			first = first ?: s;
			waiting++;
			deadlocked += s->is_deadlocked;
		}
	if (waiting == deadlocked)
		return false;
	stuck_lock_words(x, first, other, waiting, b);
	/* What a root does is told of it. */
	if (l->holder->is_root)
		return true;
	strbuf_add(b, "; ");
	stuck_holder_words(first, b);
	return true;
}

bool stuck_service_words(const struct stuck *x, const struct stuck_task *s, struct strbuf *b)
{
	if (!s->service || s->service->told_by != s)
		return false;
	stuck_lock_words(x, s, NULL, s->service->waiting, b);
	if (!s->holder->is_deadlocked) {
		strbuf_add(b, "; ");
		stuck_holder_words(s, b);
	}
	return true;
}
