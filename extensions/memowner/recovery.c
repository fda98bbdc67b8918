// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether the machine did not recover: who waits for whom is told by memowner stuck. */
#include "collect/stuck.h"
#include "limits.h"
#include "oom/oom_score.h"
#include "summary.h"
#include "util/strbuf.h"

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
	char text[DUMP_ERROR];
	struct strbuf b = STRBUF(text);

	if (st != ST_OK && st != ST_STOPPED)
		strbuf_add(&b, "%s", dump_why(s->dump));
	for (size_t i = 0; st == ST_OK && i < gaps->n; i++)
		if (!gaps->rows[i].is_note)
			strbuf_add(&b, "%s%s", strbuf_between(&b, "; "),
				   gap_text(s->dump, &gaps->rows[i]));
	if (*text)
		summary_unknown(s, "deadlocks", availability_of(st == ST_OK ? ST_UNREADABLE : st),
				"%s", text);
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
	}
}
