// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the machine did not recover: who waits for whom is told by memowner stuck. */
#include "collect/stuck_circle.h"
#include "collect/stuck_holders.h"
#include "collect/stuck_peers.h"
#include "collect/stuck_reused.h"
#include "collect/stuck_words.h"
#include "dying.h"
#include "groups.h"
#include "memory/stuck_asleep.h"
#include "memory/stuck_chains.h"
#include "memory_waits.h"
#include "summary.h"
#include "verdict_words.h"

/* Whoever has what it waits for; what it is since is not always noted. */
static bool may_wait_long(const struct summary *s, const struct stuck_task *t)
{
	uint64_t age;

	if (!t->is_on_lock && !t->is_on_server && !t->frozen && t->task.state != 'D')
		return false;
	return !t->has_since || !age_at_panic(&s->report->info, t->since_ns, &age) ||
	       age >= limit(LIMIT_STUCK) * 1000000;
}

static bool keeps_memory(const struct stuck_task *t)
{
	enum oom_standing is = t->has_victim_mm ? oom_victim_standing(&t->victim_mm)
						: OOM_STANDING_UNKNOWN;

	return t->is_victim && (is == OOM_VICTIM || is == OOM_GIVEN_UP);
}

/* That no deadlock is named is no statement: where tasks or stacks are missing it is unknown. */
static void put_unknown(struct summary *s, enum status st, const struct gaps *gaps)
{
	struct strbuf b = STRBUF_OF(DUMP_ERROR);

	if (st != ST_OK && st != ST_STOPPED)
		strbuf_add(&b, "%s", dump_why(s->dump));
	for (size_t i = 0; st == ST_OK && i < gaps->n; i++)
		/* What runs on a CPU is asleep for no lock. */
		if (!gaps->rows[i].is_note && !gaps->rows[i].is_of_running)
			strbuf_add(&b, "%s%s", strbuf_between(&b, "; "),
				   gap_text(s->dump, &gaps->rows[i]));
	if (*b.buf)
		summary_unknown(s, "deadlocks", availability_of(st == ST_OK ? ST_UNREADABLE : st),
				"%s", b.buf);
}

/* Of a lock that waiting threads wait for: another one than this. */
static const struct stuck_task *other_waiter(const struct stuck *all, const struct stuck_task *of)
{
	const struct stuck_task *t = all->first;

	while (t && (t == of || !stuck_same_lock(t, of)))
		t = t->next;
	return t;
}

/* Where memory ran out, waits for swap and files are what it is about. */
static bool waits_for_io(const struct summary *s, const struct stuck_task *t, uint64_t *age)
{
	return !s->last_report && t->task.state == 'D' && stuck_is_on_io(t) && t->has_since &&
	       age_at_panic(&s->report->info, t->since_ns, age) &&
	       *age >= limit(LIMIT_STUCK) * 1000000;
}

#define IO_SHOWN 4

/* ", on /srv/mail (ext4) of dm-3, /srv/docs (ext4) of dm-4": where that is known of disks that no line tells. */
static void add_mounts(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	unsigned int n = 0;
	uint64_t age;

	for (const struct stuck_disk *k = all->disks; k && n < IO_SHOWN; k = k->next)
		if (k->mount && !stuck_disk_is_kept(k) &&
		    ANY_NEXT(t, all->first, t->disk == k && waits_for_io(s, t, &age)))
			strbuf_add(b, "%s%s of %s", n++ ? ", " : ", on ", k->mount, k->disk->name);
}

/* "4 threads have waited for io for up to 43.9s: mysqld (145), rsync (141), ...": the hung one is the first. */
static void add_io(struct summary *s, const struct stuck *all, const char *between,
		   struct strbuf *b)
{
	const struct stuck_task *hung = summary_hung_task(s, all);
	uint64_t age, longest = 0;
	struct strbuf names = STRBUF_OF(512);
	size_t n = 0;

	if (hung && waits_for_io(s, hung, &age))
		strbuf_add(&names, ": %s (%d)", hung->task.comm, hung->task.pid);
	else
		hung = NULL;
	n = hung != NULL;
	longest = hung ? age : 0;
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		if (t == hung || !waits_for_io(s, t, &age))
			continue;
		longest = age > longest ? age : longest;
		if (n++ < IO_SHOWN)
			strbuf_add(&names, "%s%s (%d)", names.len ? ", " : ": ", t->task.comm,
				   t->task.pid);
	}
	if (!n)
		return;
	/* Of a disk some of them were counted, or all. */
	if (n > IO_SHOWN)
		strbuf_add(&names, " and %zu more", n - IO_SHOWN);
	strbuf_add(b, "%s%s%s%s waited for I/O for %s%s%s", between,
		   !*between			? ""
		   : summary_is_of_disk(all, n) ? "these "
						: "in all ",
		   stuck_is_part(all) ? "at least " : "",
		   PLURAL_TEXT(n, "thread has", "threads have"), age_bound(&s->report->info, true),
		   TIME_TEXT(longest), names.buf);
	add_mounts(s, all, b);
	for (const struct stuck_task *t = all->first; t; t = t->next)
		if (waits_for_io(s, t, &age) && summary_add_idle_disk(s, t, b))
			break;
	if (s->full_pool)
		strbuf_add(
			b,
			"; the log has \"%s\": the pool below is full, whatever the file systems on it have free",
			s->full_pool);
}

/* Frozen file systems that a thread waits for that has done so for long, has a lock, or is the hung one. */
static void add_frozen(const struct summary *s, const struct stuck *all,
		       const struct stuck_task *hung, struct strbuf *b)
{
	for (const struct frozen_super *f = all->frozen ? all->frozen->first : NULL; f;
	     f = f->next) {
		const struct stuck_task *t = all->first;

		while (t && (t->frozen != f ||
			     (t != hung && !t->is_holder && !summary_waits_long(s, t))))
			t = t->next;
		if (!t)
			continue;
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		stuck_frozen_words(all, f, b);
	}
}

/* What comes first is for the verdict. */
static void take_cause(struct summary *s, const struct strbuf *b)
{
	if (!s->stuck_cause && b->len)
		s->stuck_cause = arena_strdup(s->dump->arena, b->buf);
}

static void take_deadlocked(struct summary *s, const struct stuck *all)
{
	struct strbuf b = STRBUF_OF(512);

	if (s->deadlocked)
		deadlock_add_words(s, all, &b);
	take_cause(s, &b);
}

/* How long the first of those has waited that want the same lock, in ns; 0: unknown. */
static uint64_t longest_for(const struct summary *s, const struct stuck *all,
			    const struct stuck_task *of)
{
	uint64_t age, longest = 0;

	for (const struct stuck_task *t = all->first; t; t = t->next)
		if ((t == of || stuck_same_lock(t, of)) && t->has_since &&
		    age_at_panic(&s->report->info, t->since_ns, &age) && age > longest)
			longest = age;
	return longest;
}

/* The lock on which most threads wait, and what its holder does, where others do not tell that. */
static void add_most(struct summary *s, const struct stuck *all, const struct stuck_task *most,
		     size_t waiting, struct strbuf *b)
{
	uint64_t age;

	strbuf_add(b, "%s", strbuf_between(b, "; "));
	stuck_lock_words(all, most, other_waiter(all, most), waiting, b);
	if (s->last_report) /* the verdict is about memory */
		take_cause(s, b);
	if (!stuck_owner_is_doubted(most) && !most->holder->frozen &&
	    !most->holder->is_deadlocked && !waits_for_io(s, most->holder, &age)) {
		strbuf_add(b, "; ");
		stuck_holder_words(most, b);
		if (!most->holder->holder && !most->holder->is_on_lock &&
		    !most->holder->is_on_server)
			summary_add_whose(s, most->holder, longest_for(s, all, most), b);
		stuck_add_chain(all, most->holder, 1, b);
	}
	take_cause(s, b);
}

/* Of locks of files, or of others: the first one that is known, of those in reclaim before others, and how many there are. */
static size_t add_deadlock(const struct summary *s, const struct stuck *all, bool of_files,
			   bool *maybe, struct strbuf *b)
{
	char buf[1024];
	struct strbuf first = STRBUF(buf);
	bool is_of_memory = false;
	size_t n = 0;

	for (const struct stuck_task *t = all->first; t; t = t->next) {
		struct strbuf words = STRBUF_OF(1024);

		if (!t->is_deadlocked || deadlock_is_alone(t) || !summary_waits_long(s, t) ||
		    (t->file_lock != NULL) != of_files || !stuck_deadlock_words(t, &words))
			continue;
		*maybe |= !strncmp(words.buf, "perhaps ", strlen("perhaps "));
		if (!n++ || (!is_of_memory && summary_is_circle_of_memory(t))) {
			is_of_memory = summary_is_circle_of_memory(t);
			first = STRBUF(buf);
			strbuf_add(&first, "%s", words.buf);
		}
	}
	if (n)
		strbuf_add(b, "%s%s", strbuf_between(b, "; "), first.buf);
	return n;
}

/* Whether what one does that has a lock says it of a server. */
static bool tells_server(const struct stuck_task *of, const struct fuse_conn *c)
{
	return of && of->holder->fuse.conn == c;
}

/* Of FUSE: for which threads wait for long, and what the server does; of others: the first such thread. */
static void add_servers(struct summary *s, const struct stuck *all, const struct stuck_told *told,
			struct strbuf *b)
{
	for (const struct fuse_conn *c = all->fuse ? all->fuse->first : NULL; c; c = c->next) {
		const struct stuck_task *t = all->first;

		while (t && (t->fuse.conn != c || !summary_waits_long(s, t)))
			t = t->next;
		if (!t || tells_server(told->most, c) || tells_server(told->of_file, c))
			continue;
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		stuck_fuse_words(all, c, b);
	}
	summary_add_server_waits(s, all, told, b);
}

/* A lock that is never given back. */
static void add_exited(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		if (!summary_is_of_exited(t) || !summary_waits_long(s, t))
			continue;
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		stuck_task_words(t, b);
		return;
	}
}

/* What of some clauses is not told yet. */
static void add_new(const char *words, struct strbuf *b)
{
	while (*words) {
		const char *end = strstr(words, "; ");
		const size_t n = end ? (size_t)(end - words) : strlen(words);
		char clause[1024];

		snprintf(clause, sizeof(clause), "%.*s", (int)n, words);
		if (!strstr(b->buf, clause))
			strbuf_add(b, "%s%s", strbuf_between(b, "; "), clause);
		words += end ? n + 2 : n;
	}
}

/* Whether many wait for the answer of its process: who does is told, and with that what it waits for itself. */
static bool keeps_crowd(const struct summary *s, const struct stuck *all,
			const struct stuck_task *of)
{
	stuck_for_each(t, all)
		if (t->peer && t->peer->tgid == of->task.tgid &&
		    summary_has_lasted(s, t, LIMIT_STUCK) && stuck_crowd(all, t) >= STUCK_CROWD)
			return true;
	return false;
}

static void add_pipe(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		struct strbuf words = STRBUF_OF(1024);

		if (!summary_waits_long(s, t) || keeps_crowd(s, all, t) ||
		    !stuck_pipe_words(all, t, &words))
			continue;
		/* The holder of a lock is told with what it waits for. */
		add_new(words.buf, b);
		return;
	}
}

/* No thread on a pipe is told where the other end may be another one's. */
static bool hangs_on_pipe(struct summary *s, const struct stuck *all)
{
	if (all->why_no_pipes && s->on_pipe[PIPE_WRITES])
		summary_unknown(s, "threads that wait for pipes", NOT_IN_DUMP, "%s",
				all->why_no_pipes);
	return ANY_NEXT(t, all->first, t->is_on_pipe && summary_waits_long(s, t));
}

/* Whether as many wait for its lock as for any root that is told without one. */
static bool leads(const struct summary *s, const struct stuck *all, const struct stuck_task *lock,
		  size_t waiting)
{
	return lock && lock->holder->is_root && !lock->is_deadlocked &&
	       !ANY_NEXT(t, all->first,
			 summary_is_root(s, t) && t != lock->holder &&
				 t->direct + t->behind > waiting);
}

/* Where no rule knows for what; else clients of a process that does not answer. */
static void add_asleep(struct summary *s, const struct stuck *all, struct strbuf *b)
{
	s->is_stuck |= stuck_asleep_words(all, &s->report->info, limit(LIMIT_ASLEEP) * 1000000, b);
	for (const struct stuck_task *t = all->first; t && !b->len; t = t->next)
		if (t->peer && summary_has_lasted(s, t, LIMIT_ASLEEP) &&
		    stuck_begins_chain(all, t) && stuck_peer_is_kept(all, t->peer->tgid))
			stuck_add_chain(all, t, 0, b);
	summary_add_ended(s, all, b);
	take_cause(s, b);
}

/* A circle over the answers of processes, which locks alone do not close. */
static void add_ring(struct summary *s, const struct stuck *all, struct stuck_ring *ring,
		     struct strbuf *b)
{
	if (!stuck_ring_find(all, ring) || !summary_has_lasted(s, ring->of[0], LIMIT_STUCK))
		ring->n = 0;
	if (!ring->n)
		return;
	strbuf_add(b, "%s", strbuf_between(b, "; "));
	stuck_ring_words(all, ring, b);
	take_cause(s, b);
}

/* The deadlock, or the lock of most waiters whose holder is known, a file's by itself; who waits for I/O; the hung task. */
static void put_stuck(struct summary *s, const struct stuck *all)
{
	size_t waiting, on_file, deadlocks;
	uint64_t age;
	struct strbuf b = STRBUF_OF(2048), unsaid = STRBUF_OF(1024), words = STRBUF_OF(1024);
	struct strbuf memory = STRBUF_OF(4096);
	struct stuck_ring ring = { 0 };
	const struct stuck_task *most = summary_most_waited(s, all, false, &waiting);
	const struct stuck_task *of_file = summary_most_waited(s, all, true, &on_file);
	const struct stuck_task *hung = summary_hung_task(s, all), *told, *lock;
	size_t before;
	bool of_first, has_io, maybe = false;
	const char *name = most ? most->lock_name : of_file ? of_file->lock_name : NULL;

	summary_tell_hung(s, all, hung);
	summary_add_memory_waits(s, all, &memory);
	if (memory.len)
		take_deadlocked(s, all);
	take_cause(s, &memory);
	if (leads(s, all, of_file, on_file))
		add_most(s, all, of_file, on_file, &b);
	of_first = b.len > 0;
	add_ring(s, all, &ring, &b);
	summary_add_roots(s, all, most, of_file, true, &b);
	take_cause(s, &b);
	take_deadlocked(s, all);
	deadlocks = add_deadlock(s, all, false, &maybe, &b);
	told = deadlocks ? summary_most_beside(s, all, most, &waiting) : most;
	if (told && (summary_tells_holder(memory.buf, told) ||
		     (deadlocks && summary_tells_holder(b.buf, told))))
		told = NULL;
	lock = deadlocks ? NULL : told;
	summary_add_disks(s, all, lock, true, &b);
	if (told)
		add_most(s, all, told, waiting, &b);
	deadlocks += add_deadlock(s, all, true, &maybe, deadlocks ? &unsaid : &b);
	if (deadlocks > 1)
		strbuf_add(&b, "; and %s%s (memowner stuck)", maybe ? "perhaps " : "",
			   PLURAL_TEXT(deadlocks - 1, "more deadlock", "more deadlocks"));
	name = deadlocks ? NULL : name;
	if (of_file && !of_file->is_deadlocked && !of_first &&
	    !summary_tells_holder(memory.buf, of_file))
		add_most(s, all, of_file, on_file, &b);
	if (summary_add_user_locks(s, all, &b))
		take_cause(s, &b);
	add_exited(s, all, &b);
	add_pipe(s, all, &b);
	add_servers(s, all, &(struct stuck_told){ told, of_file, &ring }, &b);
	add_frozen(s, all, hung, &b);
	summary_add_disks(s, all, lock, false, &b);
	before = b.len;
	add_io(s, all, b.len ? "; " : "", &b);
	has_io = b.len > before;
	take_cause(s, &b);
	summary_add_crowd(s, all, &b);
	take_cause(s, &b);
	if (!hung)
		summary_add_roots(s, all, most, of_file, false, &b);
	take_cause(s, &b);
	if (hung && hung != most && hung != of_file && !hung->frozen && !hung->fuse.conn &&
	    !(told && stuck_same_lock(hung, told)) && !waits_for_io(s, hung, &age) &&
	    !(most && hung == most->holder))
		stuck_task_words(hung, &words);
	if (words.len && !strstr(b.buf, words.buf)) {
		strbuf_add(&b, "%s%s%s", b.len ? "; " : "",
			   has_io ? "beside those who wait for I/O " : "", words.buf);
		stuck_add_alike(all, hung, &b);
		if (hung->holds == HOLDS_STOPPED)
			stuck_add_chain(all, hung, 1, &b);
		take_cause(s, &b);
	}
	if (!b.len && !s->last_report)
		add_asleep(s, all, &b);
	s->has_backlog = summary_add_backlog(s, all, &b);
	if (memory.len || deadlocks) {
		add_new(b.buf, &memory);
		summary_add_untold_waits(s, all, &memory);
		b = memory;
	}
	if (b.len)
		SUMMARY_ADD(s, .section = SECTION_STUCK, .name = name,
			    .remark = arena_strdup(s->dump->arena, b.buf));
}

/* Whoever ended it, or took the dump, found that it hung: who waits for the answer of another process is then asked. */
static bool is_called_hung(const struct summary *s)
{
	const struct statement *panic = s->first[SECTION_PANIC];

	return !s->last_report && (!s->has_panic || s->is_hung ||
				   (panic && panic->name && !strncmp(panic->name, "sysrq ", 6)));
}

/* Nothing may have gone wrong but that: a process that was killed is still there. */
static bool may_be_stuck(const struct summary *s)
{
	return s->on_lock || s->on_root || s->waits_hidden || summary_has_crowd(s) || s->is_hung ||
	       s->has_futex_crowd || ((s->on_socket || s->on_futex) && is_called_hung(s)) ||
	       (s->last_report && s->last_report->outcome != OOM_PANICKED);
}

/* Threads in a page fault were found before: what each waits for is said as memowner stuck says it. */
static void tell_faults(struct summary *s, const struct stuck *all)
{
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		struct statement *row = t->fault ? s->first[SECTION_IN_FAULT] : NULL;

		s->waiting += t->fault && (!t->waits_for || strcmp(t->waits_for, "oom_killer"));
		while (row && row->pid.n != (uint64_t)(int64_t)t->task.pid)
			row = row->next;
		if (row) {
			row->waits_for = t->waits_for;
			row->is_brief = t->has_since && !summary_has_lasted(s, t, LIMIT_STUCK);
		}
	}
	summary_tell_page_waits(s, all);
}

/* Its own frames are the circle: they are what to look at. */
static void tell_self(struct summary *s, const struct stuck *all)
{
	const struct stuck_task *t = stuck_drains_itself(all->first);
	uint64_t age;

	if (t && t->has_since && age_at_panic(&s->report->info, t->since_ns, &age) &&
	    age >= limit(LIMIT_STUCK) * 1000000)
		s->self_waiter = arena_text(s->dump->arena, "%d", t->task.pid);
}

void summary_recovery(struct summary *s)
{
	int32_t tgids[ASKED_MOST];
	unsigned int asked;
	struct stuck all;
	enum status st;
	uint64_t age;

	summary_dying(s);
	if (!s->dump->log_file)
		summary_tell_frozen(s);
	if (!s->dump->log_file && !s->is_stalled)
		summary_tell_starved(s);
	/* What the summary has seen already says that there is nothing to look for. */
	asked = s->dump->log_file ? 0 : summary_ask_waits(s, tgids, ASKED_MOST);
	if (!may_be_stuck(s) && !s->has_dying && !s->in_fault && !pipes_may_hang(s->on_pipe) &&
	    !asked && !summary_has_waiting(s))
		return;
	if (s->dump->log_file)
		return;
	st = stuck_collect(s->dump,
			   &(struct stuck_wish){ .stacks = s->beside[0],
						 .tgids = tgids,
						 .ntgids = asked,
						 .peers = is_called_hung(s) },
			   &all);
	tell_faults(s, &all);
	if (asked)
		summary_tell_waits(s, &all);
	for (const struct stuck_task *t = all.first; t; t = t->next)
		if (t->stands_for_victim)
			summary_tell_victim(s, t);
	summary_tell_waiting(s, &all);
	if (!hangs_on_pipe(s, &all) && !may_be_stuck(s)) {
		if (s->has_dying)
			summary_failed(s, "why victims of the OOM killer have not exited", st);
		summary_waits_unknown(s, st, &all);
		summary_put_waits(s);
		return;
	}
	if (may_be_stuck(s))
		put_unknown(s, st, &all.gaps);
	s->is_waited = st != ST_OK || stuck_is_part(&all);
	for (const struct stuck_task *t = all.first; t; t = t->next) {
		s->is_waited |= may_wait_long(s, t);
		s->is_stuck |= summary_waits_long(s, t) || keeps_memory(t) ||
			       waits_for_io(s, t, &age) || summary_is_root(s, t);
		s->deadlocked += summary_waits_long(s, t) && deadlock_has(t);
		s->reclaiming += summary_waits_long(s, t) && t->where == PLACE_RECLAIM;
	}
	tell_self(s, &all);
	put_stuck(s, &all);
	summary_add_firmware(s);
	summary_put_waits(s);
}
