// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that have stood in page faults for long: whoever has the lock of their pages does not get on. */
#include "memory/stuck_chains.h"
#include "memowner/memory_waits.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

static bool is_on_page(const struct stuck_task *t)
{
	return t->fault && t->waits_for && !strcmp(t->waits_for, "page_lock");
}

void summary_tell_page_waits(struct summary *s, const struct stuck *all)
{
	const struct stuck_task *one = NULL;
	uint64_t n = 0, least = UINT64_MAX, most = 0, age;
	struct hash_u64 processes;
	struct strbuf b = STRBUF_OF(256);

	hash_u64_init(&processes, s->dump->arena, 0);
	for (const struct stuck_task *t = all->first; t; t = t->next) {
		if (!is_on_page(t) || !summary_has_lasted(s, t, LIMIT_CPU) ||
		    !age_at_panic(&s->report->info, t->since_ns, &age))
			continue;
		n++;
		one = t;
		least = age < least ? age : least;
		most = age > most ? age : most;
		hash_u64_add(&processes, (uint64_t)(int64_t)t->task.tgid);
	}
	if (!n)
		return;
	if (n == 1)
		strbuf_add(&b, "%s has waited",
			   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)one->task.pid, true }),
					one->task.comm));
	else
		strbuf_add(&b, "%s threads of %s have waited", COUNT_TEXT(n),
			   PLURAL_TEXT(processes.n, "process", "processes"));
	strbuf_add(&b, " in page faults for locks of pages, for %s%s",
		   n > 1 ? TIME_TEXT(least) : "", n > 1 ? " to " : "");
	strbuf_add(&b, "%s", TIME_TEXT(most));
	s->on_pages = dump_strdup(s->dump, b.buf);
}
