// SPDX-License-Identifier: GPL-2.0-or-later
/* What those wait for behind one that waits. */
#include "collect/stuck_words.h"
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
