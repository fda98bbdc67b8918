// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of the screen on what did not get on. */
#include "memowner/screen.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define TEXT 2048
#define BY_LOG "by the log " /* the label says it */

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

/* What the verdict or the holder tells: a log may have a hung task, and a limit of each kind. */
static bool is_told(const struct screen *sc, const struct statement *row)
{
	const bool is_alone = !row->next && row == sc->s->first[SECTION_STUCK];

	return ((!row->ts.known || is_alone) && screen_is_in_verdict(sc, row->remark)) ||
	       (is_alone && holder_tells(sc, row));
}

/* The shortest says least; of two the later one. */
static bool is_given_up(const struct screen *sc, const struct statement *of)
{
	const size_t len = strlen(behind_cause(sc, of->remark));
	unsigned int shorter = 0;
	bool is_later = false;

	for (const struct statement *row = sc->s->first[SECTION_STUCK]; row; row = row->next) {
		if (row != of && !is_told(sc, row))
			shorter += strlen(behind_cause(sc, row->remark)) < len + is_later;
		is_later |= row == of;
	}
	return shorter + 1 < sc->extent.given_up;
}

void screen_put_stuck(const struct screen *sc)
{
	const char *before = "", *label, *text;

	for (const struct statement *row = sc->s->first[SECTION_STUCK]; row; row = row->next) {
		if (is_told(sc, row) || is_given_up(sc, row))
			continue;
		label = stuck_label(sc, row);
		text = behind_cause(sc, row->remark);
		if (!strcmp(label, STUCK_BY_LOG) && !strncmp(text, BY_LOG, strlen(BY_LOG)))
			text += strlen(BY_LOG);
		screen_put(sc, strcmp(label, before) ? label : "", text);
		before = label;
	}
}

static bool has_pid(const struct statement *first, uint64_t pid)
{
	return ANY_NEXT(row, first, row->pid.known && row->pid.n == pid);
}

/* Of many processes that are the holder one says nothing: their parent forks, and copies what it writes. */
static bool is_of_one(const struct statement *most, const struct statement *row)
{
	return most->pid.known && (most->pid.n == row->pid.n ||
				   (most->comm && row->comm && !strcmp(most->comm, row->comm)));
}

/* Whoever faulted most since it started may be anybody: it is told of the holder, or of who asked last where none is known. */
static const struct statement *fastest(const struct summary *s)
{
	const struct statement *row = s->first[SECTION_FAULTS], *most = s->first[SECTION_MOST];

	if (!row || !(most ? ANY_NEXT(m, most, is_of_one(m, row))
			   : has_pid(s->first[SECTION_OOM], row->pid.n)))
		return NULL;
	return row;
}

/* "mutator-8 (106) of queryvm (96)", the process where it has not been named. */
static void add_thread(const struct statement *row, struct strbuf *b)
{
	strbuf_add(b, "%s", SUMMARY_TASK(row->pid, row->comm));
	if (row->process && !strstr(b->buf, row->process))
		strbuf_add(b, " of %s", row->process);
}

static void add_faults(const struct screen *sc, struct strbuf *b)
{
	const struct statement *row = fastest(sc->s);
	const bool has_long = sc->s->verdict == VERDICT_NOT_SHORT &&
			      ANY_NEXT(of, sc->s->first[SECTION_IN_FAULT], !of->is_brief);
	size_t named = 0, told = 0;

	/* Of a machine that had memory a moment in a page fault is nothing, nor is who had most of them. */
	if (sc->s->verdict == VERDICT_NOT_SHORT && !has_long)
		return;
	/* Who has stood there for long tells more than who is named by chance. */
	if (sc->s->on_pages)
		strbuf_add(b, "%s", sc->s->on_pages);
	if (row) {
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		strbuf_add(b, "highest %srate since its start: ",
			   sc->s->tasks_missing ? "known " : "");
		add_thread(row, b);
		strbuf_add(b, ", %s per second", MILLI_TEXT(row->rate_milli.n));
	}
	for (row = sc->s->first[SECTION_IN_FAULT]; row && b->len < TEXT / 2; row = row->next) {
		/* One that is in it for long tells more. */
		if (row->is_brief && has_long)
			continue;
		/* That of the exception is told as what it is. */
		if (row->pid.known && has_pid(sc->s->first[SECTION_EXCEPTION], row->pid.n)) {
			told++;
			continue;
		}
		strbuf_add(b, "%s%s", strbuf_between(b, named ? ", " : "; "),
			   named ? "" : "in a page fault: ");
		add_thread(row, b);
		strbuf_add(b, " [%s]", row->waits_for ?: "wait unknown");
		named++;
	}
	if (named && sc->s->in_fault > named + told)
		strbuf_add(b, ", %zu more", sc->s->in_fault - named - told);
}

void screen_put_faults(const struct screen *sc)
{
	struct strbuf b = STRBUF_OF(TEXT);

	add_faults(sc, &b);
	if (b.len && !sc->extent.given_up)
		screen_put(sc, "faults", b.buf);
}

bool screen_can_give_up(const struct screen *sc)
{
	return !sc->extent.given_up || ANY_NEXT(row, sc->s->first[SECTION_STUCK],
						!is_told(sc, row) && !is_given_up(sc, row));
}

void screen_add_given_up(const struct screen *sc, struct strbuf *b)
{
	struct strbuf faults = STRBUF_OF(TEXT);
	size_t n = 0;

	if (!sc->extent.given_up)
		return;
	add_faults(sc, &faults);
	if (faults.len)
		strbuf_add(b, "%sa line on page faults", strbuf_between(b, ", "));
	for (const struct statement *row = sc->s->first[SECTION_STUCK]; row; row = row->next)
		n += !is_told(sc, row) && is_given_up(sc, row);
	if (n)
		strbuf_add(b, "%s%s", strbuf_between(b, ", "),
			   PLURAL_TEXT(n, "statement on what was stuck",
				       "statements on what was stuck"));
}
