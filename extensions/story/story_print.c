// SPDX-License-Identifier: GPL-2.0-or-later
/* The page: a sentence for each event behind its times, at most LINES lines on a terminal of WIDTH columns. */
#include "memowner/log_source.h"
#include "memowner/case.h"
#include "dump/lack_words.h"
#include "log/log_file.h"
#include "memowner/screen.h"
#include "story.h"

#define LINES 60
#define PAGE_LINES 90 /* of -H: its reader cannot ask for the others */
#define SERIES 6      /* events of a kind that tell more than their number */
#define WIDTH 80
#define LABEL 10     /* columns of words before the lines that are no events */
#define MAX_LABEL 64 /* a number of 20 digits, a time of day */
#define TEXT 4096
#define UNKNOWN 800 /* bytes of what is not known: ten lines of the page */
#define NS_PER_S 1000000000ULL
#define DATE strlen("11-20 ")

struct page {
	const struct story *st;
	struct screen screen;
	unsigned int stamp; /* columns of a time since boot, and of all that is before a sentence */
	unsigned int indent;
	bool has_day;	 /* of an event the time of day is known */
	bool has_dates;	 /* not all are of one day */
	bool is_in_page; /* of -H: its summary stands above, and its reader has no command to type */
	bool *folded;	 /* by the place of an event */
};

/* What goes first where there is no room: the higher, the sooner; 0: it stays. */
static const struct {
	unsigned int rank;
	bool is_series; /* the first and the last say most; of others those with most memory */
	const char *one, *many;
} folds[EVENT_KINDS] = {
	[EVENT_MEM_INFO] = { 9, true, "list of memory", "lists of memory" },
	[EVENT_OOM] = { 8, true, "report of the OOM killer", "reports of the OOM killer" },
	[EVENT_ALLOCATION] = { 8, true, "failed allocation", "failed allocations" },
	[EVENT_USER] = { 7, false, "user of memory", "users of memory" },
	[EVENT_WRITTEN] = { 6, false, "file", "files" },
	[EVENT_WAIT] = { 5, false, "place where threads wait", "places where threads wait" },
	[EVENT_START] = { 4, false, "start of processes", "starts of processes" },
	[EVENT_DEADLOCK] = { 3, false, "deadlock", "deadlocks" },
	[EVENT_LIMIT] = { 1, false, "limit", "limits" },
	[EVENT_GROWTH] = { 2, false, "owner of pages", "owners of pages" },
	[EVENT_VICTIM] = { 1, false, "victim of the OOM killer", "victims of the OOM killer" },
	[EVENT_PRESSURE] = { 1, false, "line of PSI", "lines of PSI" },
	[EVENT_RECLAIM] = { 1, false, "state of reclaim", "states of reclaim" },
};

/* "337.614278": only the clock of the log is that exact. */
static const char *stamp_of(const struct story_event *e, bool of_log, char buf[UNITS_BYTES])
{
	if (story_is_first(e))
		return "";
	if (story_is_state(e))
		return of_log ? "at the report" : "at the end";
	if (!e->ts.known)
		return e->log_date ? "" : "-";
	if (e->clock == CLOCK_OF_LOG)
		return units_stamp(buf, e->ts.n);
	snprintf(buf, UNITS_BYTES, "about %lu", (uint64_t)(e->ts.n / NS_PER_S));
	return buf;
}

/* NULL: it is not told. */
static const char *in_brackets(const struct page *p, const char *command)
{
	return p->is_in_page ? NULL : dump_text(p->st->s->dump, "[%s]", command);
}

/* In a page the verdict, the holder, users and classes stand above the story, in the summary. */
static bool is_above(const struct page *p, const struct story_event *e)
{
	return story_is_first(e) || (p->is_in_page && (e->kind == EVENT_USER || e->is_above));
}

/* Of the end each event after the first has no label of its own. */
static bool is_behind_end(const struct page *p, size_t i)
{
	struct story_event *const *events = p->st->events;

	if (!story_is_state(events[i]))
		return false;
	while (i && is_above(p, events[i - 1]))
		i--;
	return i && story_is_state(events[i - 1]);
}

static void put_event(const struct page *p, size_t i)
{
	const struct story_event *e = p->st->events[i];
	char label[MAX_LABEL], text[TEXT], stamp[UNITS_BYTES];
	bool has_day = e->day && !story_is_state(e);
	bool of_log = p->st->s->dump->log_file != NULL;

	snprintf(label, sizeof(label), "%*s  %s", (int)p->stamp,
		 is_behind_end(p, i) ? "" : stamp_of(e, of_log, stamp),
		 has_day ? e->day + (p->has_dates ? 0 : DATE) : "");
	snprintf(text, sizeof(text), "%s.", e->text);
	screen_put_whole(&p->screen, p->indent, label, text, in_brackets(p, e->command));
}

#define MAYBE "perhaps "

/* A run of events that are folded, in one sentence: how many of each kind, from when to when. */
static size_t put_folded(const struct page *p, size_t from)
{
	struct story_event *const *events = p->st->events;
	uint64_t n[EVENT_KINDS] = { 0 };
	bool is_maybe[EVENT_KINDS] = { false };
	char label[MAX_LABEL];
	struct strbuf b = STRBUF_OF(TEXT);
	size_t i = from;

	for (; i < p->st->n && p->folded[i]; i++) {
		n[events[i]->kind]++;
		is_maybe[events[i]->kind] |= !strncmp(events[i]->text, MAYBE, strlen(MAYBE));
	}
	for (unsigned int k = 0; k < EVENT_KINDS; k++)
		if (n[k])
			strbuf_add(&b, "%s%s%s", strbuf_between(&b, ", "), is_maybe[k] ? MAYBE : "",
				   PLURAL_TEXT(n[k], folds[k].one, folds[k].many));
	strbuf_add(&b, " more");
	if (i - from > 1 && events[from]->ts.known && events[i - 1]->ts.n == events[from]->ts.n)
		strbuf_add(&b, ", at %s s", STAMP_TEXT(events[from]->ts.n));
	else if (i - from > 1 && events[from]->ts.known && events[i - 1]->ts.known)
		strbuf_add(&b, ", between %s and %s s", STAMP_TEXT(events[from]->ts.n),
			   STAMP_TEXT(events[i - 1]->ts.n));
	strbuf_add(&b, ".");
	snprintf(label, sizeof(label), "%*s", (int)p->stamp, "...");
	screen_put_whole(&p->screen, p->indent, label, b.buf, in_brackets(p, "memowner story -j"));
	return i;
}

/* Its order is by the dates, or by its lines. */
static bool has_dates_alone(const struct story *st)
{
	return st->has_no_times && st->s->dump->log_file->has_dates;
}

/* The verdict and the holder, as the summary has them. */
static void put_first(const struct page *p)
{
	for (size_t i = 0; i < p->st->n && story_is_first(p->st->events[i]); i++) {
		const struct story_event *e = p->st->events[i];

		screen_put_whole(&p->screen, LABEL, event_names[e->kind],
				 dump_text(p->st->s->dump, "%s.", e->text),
				 in_brackets(p, e->command));
	}
}

static void put_head(const struct page *p)
{
	const struct summary *s = p->st->s;
	const char *behind = s->dump->typed_behind;
	char line[CASE_LINE];
	struct strbuf b = STRBUF_OF(TEXT);

	if (s->of_case && !p->is_in_page) {
		case_machine_text(s->of_case, line);
		screen_put(&p->screen, "case", line);
		case_end_text(s->of_case, line);
		screen_put(&p->screen, "", line);
	}
	if (!p->is_in_page)
		put_first(p);
	if (!s->of_case)
		return;
	strbuf_add(&b, "%s%s%s%s", has_dates_alone(p->st) ? "" : "seconds since boot",
		   p->has_day && !has_dates_alone(p->st) ? " and " : "",
		   !p->has_day	       ? ""
		   : s->dump->log_file ? "time of day as in the log"
				       : "time of day (UTC)",
		   p->is_in_page ? "" : "; in brackets the command that has the figures");
	if (s->dump->log_file)
		strbuf_add(&b, ", with -L %s", s->in->opts.log);
	else if (behind)
		strbuf_add(&b, ": %s COMMAND", behind);
	screen_put(&p->screen, "times", b.buf);
	sink_text(p->screen.out, "\n");
}

static void put_clocks(const struct page *p)
{
	const struct summary *s = p->st->s;
	const struct log_file *f = s->dump->log_file;
	bool about = false, unknown = false;

	if (f && f->boots > 1)
		screen_put(&p->screen, "boots",
			   dump_text(s->dump, "The file has %u %s; this is number %u. -L %s.",
				     f->boots,
				     f->has_clock_boots
					     ? dump_text(s->dump, "parts, %s, %s", log_file_jump(f),
							 log_file_kind(f))
					     : "boots",
				     f->boots - f->later_boots, log_source_others(s->dump)));
	for (size_t i = 0; i < p->st->n; i++) {
		about |= p->st->events[i]->clock != CLOCK_OF_LOG && p->st->events[i]->ts.known;
		unknown |= !p->st->events[i]->ts.known && !story_is_first(p->st->events[i]) &&
			   !story_is_state(p->st->events[i]);
	}
	if (has_dates_alone(p->st))
		screen_put(&p->screen, "clocks",
			   "Times of day are those of the log; those since boot are unknown.");
	else if (p->st->has_no_times)
		screen_put(
			&p->screen, "clocks",
			"The log has no times since boot: events are in the order of its lines.");
	else if (unknown)
		screen_put(&p->screen, "clocks",
			   "When events without a time were is unknown, and so is which came "
			   "first.");
	if (about)
		screen_put(
			&p->screen, "clocks",
			dump_text(s->dump,
				  "Times with \"about\" are of other clocks (starts of processes, "
				  "files): within %lu seconds their order among the others is "
				  "unknown.",
				  s->of_case->machine.clocks.apart_s + 2));
}

/* What is missing for reasons of one word; returns how many have no room. */
static unsigned int add_missing(const struct summary *s, const char *word, struct strbuf *b)
{
	unsigned int more = 0;

	for (const struct statement *row = s->first[SECTION_MISSING]; row; row = row->next) {
		if (summary_is_joined(s, row) || strcmp(summary_missing_word(row), word) != 0)
			continue;
		if (b->len >= UNKNOWN) {
			more++;
			continue;
		}
		strbuf_add(b, "%s", strbuf_between(b, "; "));
		summary_missing_names(row, b);
		strbuf_add(b, " (");
		summary_missing_reason(row, b);
		strbuf_add(b, ")");
	}
	return more;
}

static void put_word(const struct page *p, const char *label, struct strbuf *b)
{
	if (!b->len)
		return;
	strbuf_add(b, ".");
	screen_put_behind(&p->screen, (unsigned int)strlen(label), label, b->buf);
}

/* What this kernel has not, or did not record. */
static void put_missing(const struct page *p, const char *word, const char *label)
{
	struct strbuf b = STRBUF_OF(TEXT);

	add_missing(p->st->s, word, &b);
	put_word(p, label, &b);
}

/* One sentence on all that is not known. */
static void put_unknown(const struct page *p)
{
	const struct summary *s = p->st->s;
	const struct report *r = s->report;
	const struct dump *d = s->dump;
	const char *cut = d->ops->incomplete ? d->ops->incomplete(d->priv) : NULL;
	struct strbuf b = STRBUF_OF(TEXT);
	unsigned int more;

	/* All else may come of it. */
	strbuf_add(&b, "%s", cut ?: "");
	more = add_missing(s, WORD_UNKNOWN, &b);

	put_missing(p, WORD_NOT_THERE, "Not there: ");
	put_missing(p, WORD_NOT_RECORDED, "Not recorded: ");
	for (unsigned int i = 0; i < r->nwarnings; i++) {
		if (b.len >= UNKNOWN)
			more++;
		/* A part of the summary may have said it. */
		else if (!strstr(b.buf, r->warnings[i]))
			strbuf_add(&b, "%s%s", strbuf_between(&b, "; "), r->warnings[i]);
	}
	if (more)
		strbuf_add(&b, "; %s%s", COUNT_OF(more, "more reason"),
			   p->is_in_page ? "" : " [memowner story -j]");
	if (p->st->is_partial || s->dump->interrupted)
		strbuf_add(&b, "%sINTERRUPTED, partial", strbuf_between(&b, "; "));
	put_word(p, "Unknown: ", &b);
}

static void put_page(const struct page *p)
{
	const struct story *st = p->st;

	put_head(p);
	for (size_t i = 0; i < st->n;) {
		if (is_above(p, st->events[i])) {
			i++;
			continue;
		}
		if (p->folded[i]) {
			i = put_folded(p, i);
			continue;
		}
		put_event(p, i++);
	}
	sink_text(p->screen.out, "\n");
	put_clocks(p);
	put_unknown(p);
}

static unsigned int lines_of(const struct page *p)
{
	struct sink *counter = dump_alloc(p->st->s->dump, sizeof(*counter));
	struct page counted = *p;
	unsigned int lines = 0;

	sink_init(counter, screen_count_lines, &lines);
	counter->columns = WIDTH;
	counted.screen.out = counter;
	put_page(&counted);
	sink_flush(counter);
	return lines;
}

/* How soon an event goes, where count of its kind stand and it is one of them; 0: it stays. */
static uint64_t rank_of(const struct page *p, size_t i, size_t at, size_t count)
{
	const struct story_event *e = p->st->events[i];
	size_t from_end = at < count - 1 - at ? at : count - 1 - at;

	if (!folds[e->kind].rank || e->stays)
		return 0;
	if (folds[e->kind].is_series && from_end)
		return ((uint64_t)1 << 32) + from_end;
	return e->kind == EVENT_OOM || count == 1 ? 0 : folds[e->kind].rank;
}

static bool has_less(const struct story_event *a, const struct story_event *b)
{
	return (a->bytes.known ? a->bytes.n : 0) <= (b->bytes.known ? b->bytes.n : 0);
}

/* The event that tells least of those that stand, or of long series; n: there is none that may go. */
static size_t least(const struct page *p, bool of_series)
{
	const struct story *st = p->st;
	size_t count[EVENT_KINDS] = { 0 }, seen[EVENT_KINDS] = { 0 }, ret = st->n;
	uint64_t most = 0;

	for (size_t i = 0; i < st->n; i++)
		count[st->events[i]->kind] += !p->folded[i];
	for (size_t i = 0; i < st->n; i++) {
		enum event_kind kind = st->events[i]->kind;
		uint64_t rank;

		if (p->folded[i])
			continue;
		rank = rank_of(p, i, seen[kind]++, count[kind]);
		if (of_series && (!folds[kind].is_series || count[kind] <= SERIES))
			continue;
		if (rank && (rank > most || (rank == most && !folds[kind].is_series &&
					     has_less(st->events[i], st->events[ret])))) {
			most = rank;
			ret = i;
		}
	}
	return ret;
}

static void measure(struct page *p)
{
	char stamp[UNITS_BYTES];
	const char *first = NULL;

	for (size_t i = 0; i < p->st->n; i++) {
		unsigned int len = (unsigned int)strlen(
			stamp_of(p->st->events[i], p->st->s->dump->log_file != NULL, stamp));

		const char *day = p->st->events[i]->day;

		p->stamp = len > p->stamp ? len : p->stamp;
		if (!day)
			continue;
		p->has_dates |= first && strncmp(day, first, DATE) != 0;
		first = day;
		p->has_day = true;
	}
	p->indent = p->stamp + (p->has_dates ? strlen("  11-20 04:42:26  ")
				: p->has_day ? strlen("  04:42:26  ")
					     : strlen("  "));
}

void story_print(const struct story *st)
{
	struct page p = { .st = st,
			  .screen = { .s = st->s, .out = st->s->out },
			  .is_in_page = st->s->out->page != NULL };
	size_t i;

	p.folded = dump_alloc(st->s->dump, (st->n + 1) * sizeof(*p.folded));
	measure(&p);
	while (((i = least(&p, true)) < st->n) ||
	       (lines_of(&p) > (p.is_in_page ? PAGE_LINES : LINES) &&
		(i = least(&p, false)) < st->n))
		p.folded[i] = true;
	put_page(&p);
}
