// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that did not get on, by the log, of which the machine did not panic. */
#include "log/log_file.h"
#include "log/standstill.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define TOLD 2 /* CPUs and tasks */

void summary_add_stalls(struct summary *s, const struct kernel_log *log)
{
	struct standstills all;
	const struct kernel_record *last = NULL;
	char age[AGE_TEXT];
	struct strbuf b = STRBUF_OF(1024);
	unsigned int n = 0;

	if (s->is_stalled)
		return;
	standstills_read(log, &all);
	for (unsigned int i = 0; i < all.n; i++) {
		const struct standstill *of = &all.all[i];

		if (!of->kind || n++ >= TOLD)
			continue;
		strbuf_add(&b, "%s", n > 1 ? "; " : "by the log ");
		standstill_text(of, &b);
		if (of->lines > 1)
			strbuf_add(&b, ", told %u times", of->lines);
		/* One that is long ago is not what ended the machine. */
		if (!(s->dump->log_file && s->dump->log_file->has_no_times) &&
		    age_text(&s->report->info, of->last->ts_ns, age))
			strbuf_add(&b, ", %s", age);
		if (!last || of->last->ts_ns > last->ts_ns)
			last = of->last;
	}
	if (!last)
		return;
	if (n > TOLD)
		strbuf_add(&b, "; and %u more (memowner log)", n - TOLD);
	SUMMARY_ADD(s, .section = SECTION_STUCK,
		    .ts = { last->ts_ns, !s->dump->log_file || !s->dump->log_file->has_no_times },
		    .log_date = log_file_date(s->dump, last->ts_ns),
		    .remark = arena_strdup(s->dump->arena, b.buf));
}
