// SPDX-License-Identifier: GPL-2.0-or-later
/* Words of the verdict that are of a log alone. */
#include "log/log_file.h"
#include "summary.h"
#include "verdict_words.h"

void verdict_add_rest_of_log(const struct summary *s, struct strbuf *b)
{
	const struct oom_report *r = s->last_report;
	uint64_t age;

	if (s->has_panic)
		return;
	if (r && age_at_panic(&s->report->info, r->ts_ns, &age) &&
	    age > limit(LIMIT_END) * 1000000000ULL)
		strbuf_add(b, "; the log goes on for %s%s", TIME_TEXT(age),
			   s->dump->log_file->is_respelled || s->log_cut ? ""
									 : ", without a panic");
	else if (!s->dump->log_file->is_respelled)
		strbuf_add(b, "; %s has no panic",
			   s->dump->log_file->has_clock_boots ? "this part of the log"
			   : s->log_cut			      ? "what is there of the log"
							      : "the log");
}

static bool is_limit_damaged(const struct summary *s)
{
	return s->reports.has_damaged || (s->last_report && s->last_report->has_damaged);
}

const char *verdict_lacking(const struct summary *s)
{
	if (!s->dump->log_file)
		return "this dump does not have";
	return s->dump->log_file->is_respelled ? "is not read"
	       : s->reports.has_mixed	       ? "is unknown: lines may be of another report"
	       : s->log_cut		       ? "is unknown: a part of the log is missing"
	       : is_limit_damaged(s)	       ? "is unknown: a line of the report is damaged"
					       : "this log does not have";
}
