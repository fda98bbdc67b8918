// SPDX-License-Identifier: GPL-2.0-or-later
#include "memowner/user_killed.h"

#include "log/log_file.h"
#include "memowner/verdict_words.h"
#include "util/strbuf.h"

void user_kill_words(const struct log_file *f, const struct user_kill *kill, const char *date,
		     struct strbuf *b)
{
	strbuf_add(b, "%s%s", USER_KILL_WORDS, kill->text);
	if (date)
		strbuf_add(b, ", %s", date);
	if (f->boots > 1)
		strbuf_add(b, ", in whatever %s", log_file_part(f));
	if (kill->n > 1)
		strbuf_add(b, ", and %s before it", COUNT_OF(kill->n - 1, "such line"));
}

/* What the kernel did not log is no ground of a verdict; of which boot it is no line of a program tells. */
void summary_add_user_kills(struct summary *s)
{
	const struct log_file *f = s->dump->log_file;

	for (int kind = 0; f && kind < USER_KILL_KINDS; kind++) {
		const struct user_kill *kill = &f->kills.of[kind];
		const char *date = log_file_date_text(s->dump, kill->date_s);
		struct strbuf b = STRBUF_OF(512);

		if (!kill->n)
			continue;
		user_kill_words(f, kill, date, &b);
		SUMMARY_ADD(s, .section = SECTION_STUCK, .by = STUCK_BY_LOG, .log_date = date,
			    .remark = dump_strdup(s->dump, b.buf));
	}
}
