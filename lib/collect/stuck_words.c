// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_words.h"

#include <string.h>

#include "util/array.h"
#include "util/units.h"

enum oom_standing stuck_victim_state(const struct stuck_task *s)
{
	return s->is_victim && s->has_victim_mm ? oom_victim_standing(&s->victim_mm)
						: OOM_STANDING_UNKNOWN;
}

static void add_wait(const struct stuck_task *s, struct strbuf *b)
{
	if (s->is_on_lock) {
		strbuf_add(b, "waits for %s", s->lock_name ?: "a lock");
		if (s->holder)
			strbuf_add(b, ", which %s (%d) has", s->holder->task.comm,
				   s->holder->task.pid);
	} else if (s->waits_for) {
		strbuf_add(b, "%s %s", strcmp(s->waits_for, "running") ? "waits for" : "is",
			   s->waits_for);
	} else {
		strbuf_add(b, "where it is is unknown");
	}
}

void stuck_victim_words(const struct stuck_task *s, unsigned int page_shift, struct strbuf *b)
{
	const struct mm_struct *mm = &s->victim_mm;
	static const char *const states[OOM_STANDINGS] = {
		[OOM_STANDING_UNKNOWN] = "whether it is reaped is unknown",
		[OOM_VICTIM] = "not reaped",
		[OOM_REAPED] = "reaped",
		[OOM_GIVEN_UP] = "not reaped, and not waited for",
	};
	char size[UNITS_BYTES], swap[UNITS_BYTES];

	strbuf_add(b, "OOM victim %s (%d): ", s->task.comm, s->task.tgid);
	strbuf_add(b, "%s", states[stuck_victim_state(s)]);
	if (s->has_victim_mm && mm->has_exact)
		strbuf_add(b, ", %s resident, %s in swap",
			   units_size(size,
				      (int64_t)((uint64_t)mm_counts_rss(&mm->exact) << page_shift)),
			   units_size(swap, (int64_t)((uint64_t)mm->exact.swap << page_shift)));
	if (s->has_victim_mm)
		strbuf_add(b, "; %s, of them %s", PLURAL_TEXT(mm->users, "user", "users"),
			   PLURAL_TEXT(s->victim_tasks, "thread", "threads"));
	strbuf_add(b, "; ");
	add_wait(s, b);
}

bool stuck_deadlock_words(const struct stuck_task *first, struct strbuf *b)
{
	const struct stuck_task *s = first;

	do {
		if (s->task.pid < first->task.pid)
			return false;
		s = s->holder;
	} while (s != first);
	strbuf_add(b, "deadlock: %s (%d)", s->task.comm, s->task.pid);
	do {
		strbuf_add(b, " waits for %s, which %s (%d) has%s", s->lock_name ?: "a lock",
			   s->holder->task.comm, s->holder->task.pid,
			   s->holder == first ? "" : ", which");
		s = s->holder;
	} while (s != first);
	return true;
}
