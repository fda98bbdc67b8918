// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_victims.h"

#include "collect/stuck_words.h"

struct process {
	struct stuck_task *leader; /* NULL: it was not found */
	struct stuck_task *stands;
};

static bool stands_before(const struct stuck_task *s, const struct stuck_task *other)
{
	if (s->task.has_memory != other->task.has_memory)
		return s->task.has_memory;
	return !s->task.has_memory && s->task.pid == s->task.tgid;
}

/* A zombie whose memory is freed: nothing waits for it but its parent. */
static bool has_nothing_left(const struct stuck_task *s)
{
	const struct mm_struct *mm = &s->victim_mm;

	return s->task.state == 'Z' && s->has_victim_mm && !mm->users && mm->has_exact &&
	       !stuck_pages_left(mm_counts_rss(&mm->exact)) && !stuck_pages_left(mm->exact.swap);
}

void stuck_choose_victims(struct dump *d, struct stuck_task *first)
{
	struct hash_u64 processes; /* by signal_struct */

	hash_u64_init(&processes, d->arena, sizeof(struct process));
	for (struct stuck_task *s = first; s; s = s->next) {
		struct process *p;

		if (!s->is_victim || has_nothing_left(s))
			continue;
		p = hash_u64_get(&processes, s->task.signal, NULL);
		if (s->task.pid == s->task.tgid)
			p->leader = s;
		if (!p->stands || stands_before(s, p->stands))
			p->stands = s;
	}
	hash_u64_for_each(const struct process, p, &processes) {
		p->stands->stands_for_victim = true;
		p->stands->victim_leader = p->leader;
	}
}

enum oom_standing stuck_victim_state(const struct stuck_task *s)
{
	return s->is_victim && s->has_victim_mm ? oom_victim_standing(&s->victim_mm)
						: OOM_STANDING_UNKNOWN;
}

const char *stuck_victim_name(const struct stuck_task *s)
{
	return s->victim_leader ? s->victim_leader->task.comm : s->task.comm;
}

void stuck_victim_words(const struct stuck_task *s, unsigned int page_shift, struct strbuf *b)
{
	const struct stuck_task *leader = s->victim_leader;
	const struct mm_struct *mm = &s->victim_mm;
	static const char *const states[OOM_STANDINGS] = {
		[OOM_STANDING_UNKNOWN] = "whether it is reaped is unknown",
		[OOM_VICTIM] = "not reaped",
		[OOM_REAPED] = "reaped",
		[OOM_GIVEN_UP] = "not reaped, and not waited for",
	};

	strbuf_add(b, "OOM victim %s (%d): ", stuck_victim_name(s), s->task.tgid);
	strbuf_add(b, "%s", states[stuck_victim_state(s)]);
	if (s->has_victim_mm && mm->has_exact)
		strbuf_add(b, ", %s resident, %s in swap",
			   SIZE_TEXT(stuck_pages_left(mm_counts_rss(&mm->exact)) << page_shift),
			   SIZE_TEXT(stuck_pages_left(mm->exact.swap) << page_shift));
	if (s->has_victim_mm)
		strbuf_add(b, "; %s, of them %s", COUNT_OF(mm->users, "user"),
			   COUNT_OF(s->victim_tasks, "thread"));
	strbuf_add(b, "; ");
	if (leader != s)
		strbuf_add(b, "%s%s (%d) ",
			   leader ? "its first thread has no mm_struct any more; "
				  : "its first thread was not found; ",
			   s->task.comm, s->task.pid);
	stuck_add_wait(s, b);
}
