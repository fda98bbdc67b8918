// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of the screen on what did not get on. */
#include "memowner/screen.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

bool screen_is_in_verdict(const struct screen *sc, const char *text)
{
	const struct statement *row = sc->s->first[SECTION_VERDICT];

	return row && strstr(row->remark, text);
}

/* "fsrv (3209) waits for it": what stands before it says for what. */
static bool needs_subject(const char *text)
{
	const char *end = strstr(text, "; ") ?: text + strlen(text);
	static const char *const words[] = { " waits for it", " wait for it" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *at = strstr(text, words[i]);

		if (at && at < end)
			return true;
	}
	return false;
}

/* What stands behind the clauses that the verdict has; the last of these where the next one needs it. */
static const char *behind_cause(const struct screen *sc, const char *text)
{
	const char *cause = sc->s->stuck_cause, *told = text, *clause = text;

	if (!cause || screen_is_in_verdict(sc, text))
		return text;
	for (const char *end = text; (end = strstr(end, "; ")) != NULL; end += 2) {
		if (screen_is_in_verdict(sc,
					 dump_text(sc->s->dump, "%.*s", (int)(end - text), text))) {
			clause = told;
			told = end + 2;
		}
	}
	return needs_subject(told) ? clause : told;
}

/* The holder has much for those who wait, and says what for. */
static bool holder_tells(const struct screen *sc, const struct statement *row)
{
	return row->wait && ANY_NEXT(of, sc->s->first[SECTION_MOST],
				     of->fate_why == row->wait || strstr(of->remark, row->wait));
}

/* What the log of a dump has of long before the end is no reason that the machine does not go on. */
static const char *stuck_label(const struct screen *sc, const struct statement *row)
{
	uint64_t age;

	return !sc->s->dump->log_file && row->ts.known &&
			       age_at_panic(&sc->s->report->info, row->ts.n, &age) &&
			       age > limit(LIMIT_END) * 1000000000ULL
		       ? "earlier"
	       : row->by && !strcmp(row->by, STUCK_BY_LOG) ? "log"
							   : "stuck";
}

void screen_put_stuck(const struct screen *sc)
{
	const struct statement *first = sc->s->first[SECTION_STUCK];
	const char *before = "", *label;

	/* A log may have a hung task, and a limit of each kind. */
	for (const struct statement *row = first; row; row = row->next) {
		if (((!row->ts.known || (!row->next && row == first)) &&
		     screen_is_in_verdict(sc, row->remark)) ||
		    (!row->next && row == first && holder_tells(sc, row)))
			continue;
		label = stuck_label(sc, row);
		screen_put(sc, strcmp(label, before) ? label : "", behind_cause(sc, row->remark));
		before = label;
	}
}
