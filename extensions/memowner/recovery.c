// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the machine did not recover: who waits for whom is told by memowner stuck. */
#include "collect/stuck_words.h"
#include "summary.h"

/* Locks are waited for on every machine: not for long. */
static bool waits_long(const struct summary *s, const struct stuck_task *t)
{
	uint64_t age;

	return (t->holder || t->is_on_server) && t->has_since &&
	       age_at_panic(&s->report->info, t->since_ns, &age) &&
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
		if (!gaps->rows[i].is_note)
			strbuf_add(&b, "%s%s", strbuf_between(&b, "; "),
				   gap_text(s->dump, &gaps->rows[i]));
	if (*b.buf)
		summary_unknown(s, "deadlocks", availability_of(st == ST_OK ? ST_UNREADABLE : st),
				"%s", b.buf);
}

const struct stuck_task *summary_most_waited(const struct summary *s, const struct stuck *all,
					     size_t *waiting)
{
	const struct stuck_task *most = NULL;

	*waiting = 0;
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		size_t n = 0;

		if (!waits_long(s, t) || t->is_on_server)
			continue;
		for (const struct stuck_task *of = all->first; of; of = of->next)
			n += of->has_lock && of->lock.lock == t->lock.lock;
		if (n > *waiting) {
			*waiting = n;
			most = t;
		}
	}
	return most;
}

/* The deadlock, or the lock on which most threads wait, whose holder is known. */
static void put_stuck(struct summary *s, const struct stuck *all)
{
	size_t waiting;
	struct strbuf b = STRBUF_OF(1024);
	const struct stuck_task *most = summary_most_waited(s, all, &waiting);
	const char *name = most ? most->lock_name : NULL;

	for (const struct stuck_task *t = all->first; t && !b.len; t = t->next)
		if (t->is_deadlocked && waits_long(s, t) && !t->is_on_server &&
		    stuck_deadlock_words(t, &b))
			name = NULL;
	if (!b.len && most)
		stuck_lock_words(most, waiting, &b);
	if (b.len)
		SUMMARY_ADD(s, .section = SECTION_STUCK, .name = name,
			    .remark = arena_strdup(s->dump->arena, b.buf));
}

void summary_recovery(struct summary *s)
{
	struct stuck all;
	enum status st;

	/* What the summary has seen already says that there is nothing to look for. */
	if (!s->on_lock && !s->waits_hidden &&
	    (!s->last_report || s->last_report->outcome == OOM_PANICKED))
		return;
	if (s->dump->log_file)
		return;
	st = stuck_collect(s->dump, false, &all);
	put_unknown(s, st, &all.gaps);
	for (const struct stuck_task *t = all.first; t; t = t->next) {
		s->is_stuck |= waits_long(s, t) || keeps_memory(t);
		s->deadlocked += waits_long(s, t) && t->is_deadlocked;
		s->reclaiming += waits_long(s, t) && t->where == PLACE_RECLAIM;
	}
	put_stuck(s, &all);
}
