// SPDX-License-Identifier: GPL-2.0-or-later
/* What those wait for behind one that waits. */
#include "collect/held.h"
#include "collect/stuck_words.h"
#include "collect/unread.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

const struct stuck_task *summary_stuck_thread(const struct stuck *all, int32_t tgid, int32_t pid)
{
	const struct stuck_task *const lists[] = { all->first, all->others }, *ret = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		for (const struct stuck_task *t = lists[i]; t; t = t->next) {
			if (pid ? t->task.pid != pid : t->task.tgid != tgid || !t->task.mm)
				continue;
			if (ret)
				return NULL;
			ret = t;
		}
	return ret;
}

/* Who has what the holder waits for, and what that one does: the end of the chain is what the others hang on. */
void summary_add_chain(const struct stuck *all, const struct stuck_task *of, struct strbuf *b)
{
	const struct stuck_task *told[CHAIN_TOLD + 1] = { of };

	for (unsigned int i = 0; i < CHAIN_TOLD && !of->is_deadlocked; i++) {
		const bool has_peer = of->peer && !of->peer_is_stopped && !of->peer_is_frozen &&
				      !all->ends_early;

		of = of->holder ?: has_peer ? summary_stuck_thread(all, of->peer->tgid, 0) : NULL;
		if (!of || ANY_OF(k, i + 1, told[k] == of))
			return;
		told[i + 1] = of;
		strbuf_add(b, "; ");
		stuck_task_words(of, b);
	}
}

/* Who has the buffers of what is not read: one process of a name that has much. */
const struct unread *summary_unread_of(const struct summary *s, const struct statement *row)
{
	return s->held && row->pid.known && row->processes.n <= 1 && row->pages.known &&
			       summary_reaches_of(s, LIMIT_HOLDER, row->pages.n, row->cgroup)
		       ? hash_u64_find(&s->held->unread, row->pid.n)
		       : NULL;
}

/* "auditor (177) does not read what redis-server sends to it: 2.4M wait in the socket of redis-server, 110.1K in its own; auditor (177) is asleep in fifo_open" */
void summary_tell_unread(struct summary *s, struct statement *row, const struct stuck *all)
{
	const struct unread *u = summary_unread_of(s, row);
	const struct stuck_task *reader = u ? summary_stuck_thread(all, 0, u->reader->tgid) : NULL;
	struct strbuf b = STRBUF_OF(512);

	if (!u)
		return;
	strbuf_add(&b,
		   "%s (%d) does not read what %s sends to it: %s wait in the socket of %s, %s in "
		   "its own",
		   u->reader->comm, u->reader->tgid, row->comm, SIZE_TEXT((int64_t)u->unsent),
		   row->comm, SIZE_TEXT((int64_t)u->unread));
	if (reader) {
		strbuf_add(&b, "; ");
		stuck_task_words(reader, &b);
		summary_add_chain(all, reader, &b);
	}
	row->unread = arena_strdup(s->dump->arena, b.buf);
}
