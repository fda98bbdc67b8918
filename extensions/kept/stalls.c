// SPDX-License-Identifier: GPL-2.0-or-later
/* CPUs that did not get on, by the log, of which the machine did not panic. */
#include "log/standstill.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define TOLD 2 /* CPUs and tasks: that of which the log told last, and the first one */

/* Who was stuck first may be what the others waited for. */
static const struct standstill *oldest(const struct standstills *all)
{
	const struct standstill *least = NULL;

	for (unsigned int i = 0; i < all->n; i++)
		if (all->all[i].kind && (!least || all->all[i].first->ts_ns < least->first->ts_ns))
			least = &all->all[i];
	return least;
}

void summary_add_stalls(struct summary *s, const struct kernel_log *log)
{
	struct standstills all;
	const struct standstill *of, *first;
	const struct kernel_record *last = NULL;
	bool is_told[STANDSTILLS] = { 0 };
	char age[AGE_TEXT];
	struct strbuf b = STRBUF_OF(1024), rest = STRBUF_OF(64);
	unsigned int n = 0;

	if (s->is_stalled)
		return;
	standstills_read(log, &all);
	first = oldest(&all);
	while (n < TOLD && (of = standstills_newest(&all, is_told))) {
		if (n && !is_told[first - all.all])
			of = first;
		is_told[of - all.all] = true;
		/* Of a log with a gap it is the first that is known. */
		strbuf_add(&b, "%s",
			   !n				 ? "by the log "
			   : of == first && !log->is_cut ? "; first "
							 : "; ");
		n++;
		standstill_text(of, &b);
		standstill_times(of, &b);
		/* One that is long ago is not what ended the machine. */
		if (summary_time_of(s, of->last->ts_ns).known &&
		    age_text(&s->report->info, of->last->ts_ns, age))
			strbuf_add(&b, ", %s", age);
		last = last ?: of->last;
	}
	if (!last)
		return;
	standstills_rest(&all, is_told, log->is_cut, &rest);
	if (rest.len)
		strbuf_add(&b, "; and %s", rest.buf);
	summary_add_logged(s, last, b.buf);
}
