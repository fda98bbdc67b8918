// SPDX-License-Identifier: GPL-2.0-or-later
/* What may have begun it: programs that died of themselves, services that were started again. */
#include "log/log_file.h"
#include "log/log_told.h"
#include "memowner/case.h"
#include "story.h"

static void add_crash(struct story *st, const struct user_crash *c, const struct kernel_record *rec,
		      const char *text)
{
	STORY_ADD(st, .kind = EVENT_WARNING, .ts = { rec->ts_ns, !st->has_no_times },
		  .log_date = log_file_date_text(st->s->dump, rec->date_s), .what = c->comm,
		  .text = text, .command = "memowner", .basis = "recorded");
}

/* What the summary says of those that it tells of, in its words: the rows are of the same log. */
static const char *summary_words(const struct story *st, const struct user_crash *c)
{
	const char *start = dump_text(st->s->dump, "%s ended by an exception of its own", c->comm);

	for (const struct statement *row = st->s->first[SECTION_STUCK]; row; row = row->next)
		if (row->remark && !strncmp(row->remark, start, strlen(start)))
			return row->remark;
	return NULL;
}

void story_add_crashes(struct story *st)
{
	const struct user_crashes *all = &st->s->told->crashes;
	struct dump *d = st->s->dump;

	for (const struct user_crash *c = all->all; c < all->all + all->n; c++) {
		const char *words = summary_words(st, c);

		if (!words)
			continue;
		if (c->n == 1 || c->first == c->last) {
			add_crash(st, c, c->last, words);
			continue;
		}
		add_crash(st, c, c->first,
			  dump_text(d, "%s ended by an exception of its own, the first of %u times",
				    c->comm, c->n));
		add_crash(st, c, c->last,
			  dump_text(d, "%s did so the last of these times: %.*s", c->comm,
				    SIGN_TEXT, c->last->text));
	}
}

void story_add_restarts(struct story *st)
{
	const struct summary *s = st->s;

	for (const struct statement *row = s->first[SECTION_RESTART]; row && s->of_case;
	     row = row->next)
		STORY_ADD(st, .kind = EVENT_WARNING, .clock = CLOCK_OF_TASKS,
			  .ts = story_before_end(s, s->of_case->machine.clocks.agree
							    ? row->oldest
							    : (struct maybe_u64){ 0 }),
			  .what = row->name, .text = row->remark, .command = "memowner");
}
