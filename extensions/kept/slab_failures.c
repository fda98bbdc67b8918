// SPDX-License-Identifier: GPL-2.0-or-later
/* Slab caches that got no memory, by the log. */
#include "log/log_file.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define TOLD 2 /* caches */

void summary_add_slab_failures(struct summary *s, const struct kernel_log *log)
{
	const struct kernel_record *last;
	struct strbuf b = STRBUF_OF(1024);

	slab_failures_read(log, &s->slab_failures);
	if (!s->slab_failures.n)
		return;
	last = s->slab_failures.all[0].last;
	strbuf_add(&b, "slab got no memory, by the log: ");
	slab_failures_text(&s->slab_failures, TOLD, &b);
	SUMMARY_ADD(s, .section = SECTION_STUCK,
		    .ts = { last->ts_ns, !s->dump->log_file || !s->dump->log_file->has_no_times },
		    .log_date = log_file_date(s->dump, last->ts_ns),
		    .remark = arena_strdup(s->dump->arena, b.buf));
}
