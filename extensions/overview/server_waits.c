// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that wait for a server other than one of FUSE, or for whoever is asked: the first of them, and for whom the others do. */
#include "collect/stuck_words.h"
#include "memory/stuck_chains.h"
#include "memowner/memory_waits.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* What who has that lock waits for is told with the lock. */
static bool is_told_holder(const struct stuck_task *of, const struct stuck_task *t)
{
	return of && of->holder == t;
}

static bool waits(const struct summary *s, const struct stuck_told *told,
		  const struct stuck_task *t)
{
	return t->is_on_server && !t->fuse.conn && (!t->is_deadlocked || deadlock_is_alone(t)) &&
	       summary_waits_long(s, t) && !is_told_holder(told->most, t) &&
	       !is_told_holder(told->of_file, t) &&
	       !ANY_OF(i, told->ring->n, t->server && told->ring->of[i]->server == t->server);
}

/* Who waits longest is nearest to the cause: of others it is not known whether they would wait without that. */
static bool is_before(const struct stuck_task *t, const struct stuck_task *first)
{
	return !first || (t->has_since && (!first->has_since || t->since_ns < first->since_ns));
}

/* A thread of the only process that would answer it: others of that may be stuck behind it, or not. */
static bool waits_for_itself(const struct stuck_task *t)
{
	return t->server && t->holder && t->holder != t && t->holder->task.tgid == t->task.tgid;
}

/* "epscand (301)": of the process of one. */
static const char *process_of(const struct summary *s, const struct stuck_task *t)
{
	const struct task *of = &t->task;

	return (of->pid == of->tgid ? NULL : summary_process_name(s, of->tgid))
		       ?: dump_text(s->dump, "%s (%d)", of->comm, of->pid);
}

static void add_first(const struct summary *s, const struct stuck_task *t, struct strbuf *b)
{
	const char *process = waits_for_itself(t) ? process_of(s, t->holder) : NULL;
	uint64_t age;

	if (process)
		strbuf_add(b, "%s waits for itself: its thread ", process);
	stuck_task_words(t, b);
	if (process && t->has_since && age_at_panic(&s->report->info, t->since_ns, &age))
		strbuf_add(b, ", for %s%s", age_bound(&s->report->info, false), TIME_TEXT(age));
}

/* "11 more threads wait for epscand (301)": of the same process, or else of a server. */
static void add_others(const struct summary *s, const struct stuck *all,
		       const struct stuck_task *first, size_t same, size_t other, struct strbuf *b)
{
	const char *least = stuck_is_part(all) ? "at least " : "";

	if (same)
		strbuf_add(b, ", and %s%s for %s", least,
			   PLURAL_TEXT(same, "more thread waits", "more threads wait"),
			   process_of(s, first->holder));
	if (other)
		strbuf_add(b, ", %s%s for a server", least,
			   PLURAL_TEXT(other, "more thread waits", "more threads wait"));
}

void summary_add_server_waits(struct summary *s, const struct stuck *all,
			      const struct stuck_told *told, struct strbuf *b)
{
	const struct stuck_task *first = NULL;
	size_t same = 0, n = 0;

	for (const struct stuck_task *t = all->first; t; t = t->next)
		if (waits(s, told, t)) {
			n++;
			first = is_before(t, first) ? t : first;
		}
	if (!first)
		return;
	for (const struct stuck_task *t = all->first; t; t = t->next)
		same += t != first && waits(s, told, t) && t->holder && first->holder &&
			t->holder->task.tgid == first->holder->task.tgid;
	strbuf_add(b, "%s", strbuf_between(b, "; "));
	add_first(s, first, b);
	add_others(s, all, first, same, n - 1 - same, b);
}
