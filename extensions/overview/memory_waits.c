// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What keeps memory from coming free, before other waits: reclaim behind a lock of one that wants memory itself, a victim
 * of the OOM killer behind a lock, a lock of one that its cgroup stops.
 */
#include "memowner/memory_waits.h"

#include "collect/stuck_circle.h"
#include "collect/stuck_holders.h"
#include "collect/stuck_peers.h"
#include "collect/stuck_reused.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_words.h"
#include "memory/stuck_chains.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define OF_A_KIND 2u /* that are told: others are counted */

bool summary_is_of_exited(const struct stuck_task *t)
{
	return t->lock.by == LOCK_OWNER_REUSED || t->lock.by == LOCK_OWNER_GONE;
}

bool summary_has_lasted(const struct summary *s, const struct stuck_task *t, enum limit least)
{
	uint64_t age;

	return t->has_since && age_at_panic(&s->report->info, t->since_ns, &age) &&
	       age >= limit(least) * 1000000;
}

bool summary_waits_long(const struct summary *s, const struct stuck_task *t)
{
	return (t->holder || t->is_on_server || t->frozen || summary_is_of_exited(t)) &&
	       stuck_is_of_machine(t) && summary_has_lasted(s, t, LIMIT_STUCK);
}

static bool wants_memory(const struct stuck_task *t)
{
	return t->where >= PLACE_ALLOCATOR && t->where <= PLACE_OOM_LOCK;
}

bool summary_is_circle_of_memory(const struct stuck_task *t)
{
	const struct stuck_task *of = t;

	for (unsigned int i = 0; of && i < STUCK_MAX_CIRCLE; i++) {
		if (wants_memory(of))
			return true;
		of = of->holder == t ? NULL : of->holder;
	}
	return false;
}

/* In reclaim, or a victim; then any thread, behind one that its cgroup stops, or that wants memory. */
enum memory_wait { RECLAIM, VICTIM, CGROUP, OTHER, KINDS };

/* Of one that waits for a lock that another one has, who is known; KINDS: it is none. */
static enum memory_wait kind_of(const struct summary *s, const struct stuck_task *t)
{
	const struct stuck_task *of = t->holder;

	if (!of || of == t || !(t->is_on_lock || t->file_lock || t->futex) || t->is_deadlocked ||
	    stuck_is_on_io(t) || !summary_waits_long(s, t))
		return KINDS;
	/* What a doubted one does has perhaps no part in it. */
	if (stuck_owner_is_doubted(t))
		return t->is_victim ? VICTIM : KINDS;
	if (t->where == PLACE_RECLAIM && wants_memory(of))
		return RECLAIM;
	if (t->is_victim)
		return VICTIM;
	if (of->where == PLACE_CHARGE)
		return CGROUP;
	return wants_memory(of) && summary_has_lasted(s, of, LIMIT_STUCK) ? OTHER : KINDS;
}

/* kswapd, which stands for all that want memory, is before others of its kind. */
static bool is_told_by_another(const struct summary *s, const struct stuck *all,
			       const struct stuck_task *t, enum memory_wait kind)
{
	for (const struct stuck_task *of = all->first; of; of = of->next) {
		if (of == t || !stuck_same_lock(of, t) || kind_of(s, of) != kind)
			continue;
		if (of->thread == THREAD_KSWAPD && t->thread != THREAD_KSWAPD)
			return true;
		if (of->task.pid < t->task.pid &&
		    (t->thread != THREAD_KSWAPD || of->thread == THREAD_KSWAPD))
			return true;
	}
	return false;
}

/* The deadlock that one is in, in the words of its line; false: it is in none. */
static bool add_circle(const struct stuck_task *of, struct strbuf *b)
{
	const struct stuck_task *lowest = of, *t = of->holder;

	for (unsigned int i = 0; t && t != of && i < STUCK_MAX_CIRCLE; i++) {
		lowest = t->task.pid < lowest->task.pid ? t : lowest;
		t = t->holder;
	}
	return of->is_deadlocked && stuck_deadlock_words(lowest, b);
}

/* "; eater (3578), in reclaim itself, waits for io" */
static void add_holder(struct summary *s, const struct stuck_task *of, enum memory_wait kind,
		       struct strbuf *b)
{
	const char *cgroup = s->throttled.path ? summary_cgroup_of(s, &of->task) : NULL;
	bool is_throttled = cgroup && !strcmp(cgroup, s->throttled.path);

	strbuf_add(b, "; ");
	if (add_circle(of, b))
		return;
	strbuf_add(b, "%s (%d)", of->task.comm, of->task.pid);
	if (is_throttled && of->waits_for && !strcmp(of->waits_for, "memory_high")) {
		strbuf_add(b, " is throttled in %s", cgroup);
		return;
	}
	if (is_throttled)
		strbuf_add(b, " of %s, which is throttled", cgroup);
	if (wants_memory(of))
		strbuf_add(b, ", in %s%s", place_name(of->where), kind == RECLAIM ? " itself" : "");
	strbuf_add(b, "%s ", is_throttled || wants_memory(of) ? "," : "");
	stuck_add_wait(of, b);
}

static void add_wait(struct summary *s, const struct stuck *all, const struct stuck_task *t,
		     enum memory_wait kind, struct strbuf *b)
{
	strbuf_add(b, "%s%s (%d)%s ", strbuf_between(b, "; "), t->task.comm, t->task.pid,
		   kind == VICTIM ? ", a victim of the OOM killer," : "");
	stuck_add_wait(t, b);
	stuck_add_alike(all, t, b);
	if (!stuck_owner_is_doubted(t) &&
	    !strstr(b->buf,
		    dump_text(s->dump, "; %s (%d)", t->holder->task.comm, t->holder->task.pid)))
		add_holder(s, t->holder, kind, b);
}

/* "; mmap-holder (93) waits for ...": another thread waits for it. */
static bool is_told_as_holder(const struct summary *s, const struct stuck_task *t,
			      const struct strbuf *b)
{
	return strstr(b->buf, dump_text(s->dump, "; %s (%d) ", t->task.comm, t->task.pid));
}

void summary_add_memory_waits(struct summary *s, const struct stuck *all, struct strbuf *b)
{
	for (enum memory_wait kind = 0; kind < KINDS; kind++) {
		unsigned int n = 0;

		for (const struct stuck_task *t = all->first; t && n < OF_A_KIND; t = t->next)
			if (kind_of(s, t) == kind && !is_told_by_another(s, all, t, kind) &&
			    !is_told_as_holder(s, t, b)) {
				add_wait(s, all, t, kind, b);
				n++;
			}
	}
}

static bool has_name(const char *words, const struct stuck_task *t)
{
	char name[TASKS_COMM + 32];

	snprintf(name, sizeof(name), "%s (%d)", t->task.comm, t->task.pid);
	return strstr(words, name);
}

bool summary_tells_holder(const char *words, const struct stuck_task *t)
{
	return t->holder && has_name(words, t->holder);
}

/* Whether the deadlock is not why it waits, nor its owner doubted, for whose lock as many wait. */
static bool stands_beside(const struct summary *s, const struct stuck *all,
			  const struct stuck_task *of, size_t waiting)
{
	return waiting > s->deadlocked && !of->holder->is_deadlocked &&
	       !stuck_owner_is_doubted(of) &&
	       !ANY_NEXT(t, all->first, t->is_deadlocked && stuck_same_lock(t, of));
}

static const struct stuck_task *most_waited(const struct summary *s, const struct stuck *all,
					    bool of_files, bool beside, size_t *waiting)
{
	const struct stuck_task *most = NULL;

	*waiting = 0;
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		size_t n = 0;

		if (!summary_waits_long(s, t) || t->is_on_server || !t->holder ||
		    stuck_is_on_io(t) || (t->file_lock != NULL) != of_files ||
		    (most && stuck_same_lock(t, most)))
			continue;
		for (const struct stuck_task *of = all->first; of; of = of->next)
			n += stuck_same_lock(of, t);
		if (n > *waiting && (!beside || stands_beside(s, all, t, n))) {
			*waiting = n;
			most = t;
		}
	}
	return most;
}

const struct stuck_task *summary_most_waited(const struct summary *s, const struct stuck *all,
					     bool of_files, size_t *waiting)
{
	return most_waited(s, all, of_files, false, waiting);
}

const struct stuck_task *summary_most_beside(const struct summary *s, const struct stuck *all,
					     const struct stuck_task *most, size_t *waiting)
{
	return most && most->service ? most : most_waited(s, all, false, true, waiting);
}

/* A wait that has lasted, whoever is known to have the lock: in state S a thread of the kernel waits so for work. */
static bool is_of_lock(const struct summary *s, const struct stuck_task *t)
{
	return t->has_lock && t->is_on_lock && t->task.state == 'D' && stuck_is_of_machine(t) &&
	       summary_has_lasted(s, t, LIMIT_STUCK);
}

/* Who has its lock is unknown, or doubted: that one is told somewhere says nothing of this lock. */
static bool is_of_unknown(const struct summary *s, const struct stuck_task *t)
{
	return is_of_lock(s, t) && (!t->holder || stuck_owner_is_doubted(t));
}

static bool is_told(const struct stuck_task *t, const struct strbuf *b)
{
	return has_name(b->buf, t) ||
	       (!stuck_owner_is_doubted(t) && summary_tells_holder(b->buf, t));
}

struct crowd {
	const struct stuck_task *first;
	size_t n;
	bool is_told; /* one of its threads is */
};

/* Those of the lock for which most wait, of which none is told; n 0: no crowd does. */
static struct crowd crowd_of_unknown(const struct summary *s, const struct stuck *all,
				     const struct strbuf *b)
{
	struct crowd most = { .n = 0 };
	struct hash_u64 locks; /* of struct crowd */

	hash_u64_init(&locks, s->dump->arena, sizeof(struct crowd));
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		struct crowd *of = t->has_lock ? hash_u64_get(&locks, stuck_lock_key(t), NULL)
					       : NULL;

		if (!of)
			continue;
		of->is_told |= has_name(b->buf, t);
		if (!is_of_unknown(s, t))
			continue;
		of->first = of->first ?: t;
		of->n++;
	}
	hash_u64_for_each(const struct crowd, of, &locks)
		if (of->first && !of->is_told && of->n >= STUCK_CROWD && of->n > most.n)
			most = *of;
	return most;
}

static const char *owner_of(const struct stuck_task *t)
{
	return t->holder		 ? "who has it is doubtful"
	       : summary_is_of_exited(t) ? "its owner has exited"
					 : "who has it is unknown";
}

void summary_add_untold_waits(const struct summary *s, const struct stuck *all, struct strbuf *b)
{
	const struct crowd crowd = crowd_of_unknown(s, all, b);
	size_t n = 0;

	if (crowd.n)
		strbuf_add(b, "; %s%zu threads have waited long for %s, %s",
			   stuck_is_part(all) ? "at least " : "", crowd.n,
			   crowd.first->lock_name ?: "a lock", owner_of(crowd.first));
	for (const struct stuck_task *t = all->first; t; t = t->next)
		n += ((summary_waits_long(s, t) && t->holder && !stuck_is_on_io(t)) ||
		      is_of_unknown(s, t)) &&
		     !is_told(t, b) && !(crowd.n && stuck_same_lock(t, crowd.first));
	if (n)
		strbuf_add(b, "; %s (memowner stuck)", PLURAL_TEXT(n, "more wait", "more waits"));
}
