// SPDX-License-Identifier: GPL-2.0-or-later
/* The hung tasks that khungtaskd reported: the panic has the last one. */
#include "log/log_file.h"
#include "story.h"

static bool is_hung(const struct standstill *of)
{
	return of->kind == STALL_NONE && *of->comm && of->pid.known;
}

/* "khungtaskd reported postgres (292), and last postgres (364)": when they had waited for long, not since when. */
void story_add_hung(struct story *st, const struct standstills *all)
{
	const struct standstill *first = NULL, *last = NULL;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	unsigned int n = 0;

	for (unsigned int i = 0; i < all->n; i++) {
		if (!is_hung(&all->all[i]))
			continue;
		first = first ?: &all->all[i];
		last = &all->all[i];
		n++;
	}
	if (!first)
		return;
	strbuf_add(&b, "khungtaskd reported %s (%lu)", first->comm, first->pid.value);
	if (n > 1)
		strbuf_add(&b, "%s %s (%lu)%s", n > 2 || all->more ? ", others, and last" : " and",
			   last->comm, last->pid.value,
			   all->more ? ", of those that are kept" : "");
	strbuf_add(&b, " as hung");
	STORY_ADD(st, .kind = EVENT_WARNING, .ts = { first->first->ts_ns, !st->has_no_times },
		  .log_date = log_file_date_text(st->s->dump, first->first->date_s),
		  .what = first->comm, .text = b.buf, .command = "memowner log",
		  .basis = "recorded");
}
