// SPDX-License-Identifier: GPL-2.0-or-later
/* Slab caches that got no memory, by the log. */
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
	summary_add_logged(s, last, b.buf);
}
