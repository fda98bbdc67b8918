// SPDX-License-Identifier: GPL-2.0-or-later
/* What did not get on, in the words of the verdict. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define TOO ", too" /* of stuck_add_chain() */

const char *verdict_cause(const struct summary *s, unsigned int clauses)
{
	const char *end = s->stuck_cause;

	while (end && clauses-- && (end = strstr(end, "; ")))
		end += clauses ? 2 : 0;
	/* "b waits to receive on it, too" says what the clause before it leaves open. */
	if (end) {
		const char *next = strstr(end + 2, "; ") ?: end + strlen(end);

		if (!strncmp(next - strlen(TOO), TOO, strlen(TOO)))
			end = *next ? next : NULL;
	}
	return end ? arena_text(s->dump->arena, "%.*s", (int)(end - s->stuck_cause), s->stuck_cause)
		   : s->stuck_cause;
}

/*
 * "18 threads have waited for a CPU for up to 1.4min": who had the CPU where memory was short is anybody, but one of a
 * real-time policy.
 */
static void add_busy(const char *busy, struct strbuf *b)
{
	const char *end = strstr(busy, "; "), *names = strstr(busy, ": ");

	if (!names || strstr(busy, "policy") || (end && end < names))
		strbuf_add(b, "; %s", busy);
	else
		strbuf_add(b, "; %.*s%s", (int)(names - busy), busy, end ?: "");
}

/* A server that waits for the next request is at rest. */
static bool is_at_rest(const char *cause)
{
	static const char of_server[] = ", its client";
	const size_t n = strlen(cause);

	return n >= strlen(of_server) && !strcmp(cause + n - strlen(of_server), of_server);
}

void verdict_add_hang(const struct summary *s, enum verdict verdict, struct strbuf *b)
{
	const bool has_why = ANY_NEXT(row, s->first[SECTION_MOST], row->fate_why);

	if (verdict == VERDICT_NOT_SHORT)
		return;
	/* Of a machine that no report ended, what did not get on is what was seen of it. */
	if (s->busy_cpu && !s->last_report)
		add_busy(s->busy_cpu, b);
	/* Where memory was short the verdict is about that. */
	if (s->stuck_cause && !(verdict_is_out(verdict) && has_why) &&
	    !is_at_rest(verdict_cause(s, 1)))
		strbuf_add(b, "; %s", verdict_cause(s, 1));
}
