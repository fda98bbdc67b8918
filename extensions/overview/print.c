// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen: the rows in words, at most LINES lines on a terminal of WIDTH columns. */

#include <string.h>

#include "memowner/log_source.h"
#include "memowner/case.h"
#include "log/log_file.h"
#include "memowner/screen.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define LINES 40
#define HEAD 22 /* lines with verdict, classes and users of memory */
#define CLASSES 8
#define CULPRITS 8
#define BESIDE 3 /* of these, where memory is no question */
#define WIDTH 80
#define CLASS_WORDS 27 /* columns in front of the words of a class */
#define TEXT 2048
#define OWN "memowner "

static const char *size_of(struct maybe_u64 bytes, char *buf)
{
	return bytes.known ? units_size(buf, bytes.n) : "-";
}

/* "76.1%" of System RAM */
static const char *share_of(const struct screen *sc, const struct statement *row, char *buf)
{
	int64_t bytes = (int64_t)row->bytes.n;

	if (!sc->s->ram_pages || (!row->bytes.known && !row->pages.known))
		return "-";
	if (row->section == SECTION_CLASS && row->name && !summary_has_share(sc->s, row->name))
		return "-";
	/* A log may not tell how large a page is. */
	if (!row->bytes.known && row->pages.known)
		units_percent(buf, row->pages.n, sc->s->ram_pages);
	else
		units_percent(buf, bytes > 0 ? bytes : 0,
			      sc->s->ram_pages << sc->s->dump->page_shift);
	return strcat(buf, "%");
}

/* A list in one paragraph, if there is any; is_part: of some nothing is known. */
static void put_list(struct screen *sc, const char *label, struct strbuf *b, bool is_part)
{
	if (!b->len)
		return;
	if (is_part)
		strbuf_add(b, "; others unknown");
	screen_put(sc, label, b->buf);
}

/* The remark of the first row has the others too. */
static void put_first(struct screen *sc, enum section section, const char *label)
{
	const struct statement *row = sc->s->first[section];

	if (row)
		screen_put(sc, label, row->remark);
}

/* Where two share the place of the holder each is named. */
static void put_release(struct screen *sc)
{
	const struct statement *first = sc->s->first[SECTION_MOST];
	struct strbuf b = STRBUF_OF(TEXT);

	for (const struct statement *row = first; row; row = row->next) {
		const bool is_named = first->next && row->name;

		if (row->release)
			strbuf_add(&b, "%s%s%s%s%s", strbuf_between(&b, "; "),
				   is_named ? "of " : "", is_named ? row->name : "",
				   is_named ? ": " : "", row->release);
	}
	put_list(sc, "frees it", &b, false);
}

static void put_verdict(struct screen *sc)
{
	screen_put_verdict(sc);
	put_first(sc, SECTION_MOST, "holder");
	put_release(sc);
	put_first(sc, SECTION_TRIGGER, "trigger");
}

static void put_limits(struct screen *sc)
{
	unsigned int n = 0;

	for (const struct statement *row = sc->s->first[SECTION_LIMIT]; row && n < LIMITS_SHOWN;
	     row = row->next, n++) {
		struct strbuf b = STRBUF_OF(TEXT);

		summary_limit(row, &b);
		screen_put(sc, n ? "" : "limit", b.buf);
	}
}

void summary_panic(const struct statement *row, struct strbuf *b)
{
	strbuf_add(b, "%s", row->name ?: "");
	if (row->remark)
		strbuf_add(b, ": %s%s%s",
			   !row->pid.known ? ""
			   : row->pid.n	   ? SUMMARY_TASK(row->pid, row->comm)
					   : "the idle task",
			   row->pid.known ? " " : "", row->remark);
}

static void put_panic(struct screen *sc)
{
	const struct statement *row = sc->s->first[SECTION_PANIC];
	struct strbuf b = STRBUF_OF(TEXT);

	if (!row)
		return;
	summary_panic(row, &b);
	screen_put(sc, "panic", b.buf);
}

static void put_exception(struct screen *sc)
{
	const struct statement *row = sc->s->first[SECTION_EXCEPTION];
	struct strbuf b = STRBUF_OF(TEXT);

	if (!row)
		return;
	summary_exception(row, &b);
	/* What the verdict says whole is not said again; it has what is brief of the remark. */
	if (screen_is_in_verdict(sc, b.buf))
		b.len = 0;
	if (row->remark)
		strbuf_add(&b, "%s%s", strbuf_between(&b, "; "), row->remark);
	if (b.len)
		screen_put(sc, "exception", b.buf);
}

/* The line on the trigger has the size of the victim, if there is one. */
static void put_oom(struct screen *sc)
{
	const struct statement *row = sc->s->first[SECTION_OOM];
	struct strbuf b = STRBUF_OF(TEXT);
	bool is_oom;

	if (!row)
		return;
	is_oom = summary_oom(row, &sc->s->report->info, &b);
	if (row->victim_anon.known && sc->s->verdict == VERDICT_NOT_SHORT)
		strbuf_add(&b, "; the victim had %s of anonymous memory",
			   SIZE_TEXT(row->victim_anon.n));
	screen_put(sc, is_oom ? "OOM" : "failure", b.buf);
}

static void put_ram(struct screen *sc)
{
	const char *between = sc->s->is_derived ? "; " : ", ";
	char size[UNITS_BYTES];
	struct strbuf b = STRBUF_OF(TEXT);

	for (const struct statement *row = sc->s->first[SECTION_RAM]; row; row = row->next) {
		strbuf_add(&b, "%s%s %s", strbuf_between(&b, between), row->name,
			   size_of(row->bytes, size));
		if (row->remark)
			strbuf_add(&b, ", %s", row->remark);
	}
	if (b.len && sc->s->swap.known && sc->s->swap.pages)
		strbuf_add(&b, "; swap %s, %s used",
			   units_size(size, sc->s->swap.pages << sc->s->dump->page_shift),
			   summary_size(sc->s, sc->s->swap.used));
	if (b.len && summary_capture(sc->s))
		strbuf_add(&b, "; shares are of %s, outside the capture kernel's %s",
			   summary_size(sc->s, sc->s->ram_pages),
			   summary_size(sc->s, summary_capture(sc->s)));
	/* A cgroup is charged for its place in swap, a process has it in RAM. */
	if (b.len && sc->s->swap.known && sc->s->swap_cached > sc->s->swap.used / 2)
		strbuf_add(&b, ", %s of it in RAM, too (swap cache)",
			   summary_size(sc->s, sc->s->swap_cached));
	if (b.len)
		screen_put(sc, "RAM", b.buf);
}

/* A class with a remark is shown however small it is, in place of another. */
static unsigned int classes_without_remark(const struct screen *sc)
{
	unsigned int remarks = 0;

	for (const struct statement *row = sc->s->first[SECTION_CLASS]; row; row = row->next)
		remarks += row->remark != NULL;
	return sc->extent.classes > remarks ? sc->extent.classes - remarks : 0;
}

/* Names of the page allocator and of the tool that a reader may not know. */
static const char *class_words(const struct statement *row)
{
	static const struct {
		enum page_class class;
		const char *words;
	} all[] = { { CLASS_BUDDY, "free" },
		    { CLASS_PCP, "free, in the lists of CPUs" },
		    { CLASS_DIRECT, "straight from the page allocator" },
		    { CLASS_RESERVED, "never given to the page allocator" } };

	if (row->called)
		return row->called;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(row->name, page_class_name(all[i].class)))
			return all[i].words;
	return "";
}

/* "low: no zone gives a page": "low", where there is no room for all. */
static int words_that_fit(const struct screen *sc, const char *words)
{
	const size_t all = strlen(words);

	return (int)(!sc->extent.is_brief || screen_fits(sc, CLASS_WORDS + all)
			     ? all
			     : strcspn(words, ":"));
}

static void put_classes(struct screen *sc)
{
	const char *words;
	char size[UNITS_BYTES], share[UNITS_BYTES];
	unsigned int left = classes_without_remark(sc), more = 0;
	struct maybe_u64 bytes = { 0, true };

	for (const struct statement *row = sc->s->first[SECTION_CLASS]; row; row = row->next) {
		if (!row->remark && !left) {
			more++;
			bytes.n += row->bytes.n;
			bytes.known &= row->bytes.known;
			continue;
		}
		left -= !row->remark;
		words = row->remark ? summary_class_remark(sc->s, row) : class_words(row);
		sink_printf(sc->out, "  %-8s %7s %6s%s%.*s\n", row->name, size_of(row->bytes, size),
			    share_of(sc, row, share), *words ? "  " : "", words_that_fit(sc, words),
			    words);
	}
	if (!more)
		return;
	snprintf(share, sizeof(share), "%u more", more);
	sink_printf(sc->out, "  %-8s %7s\n", share, size_of(bytes, size));
}

static void put_sites(struct screen *sc)
{
	const struct statement *first = sc->s->first[SECTION_SITE];
	char size[UNITS_BYTES], share[UNITS_BYTES];

	unsigned int shown = 0;

	for (const struct statement *row = first; row && shown < sc->extent.sites;
	     row = row->next, shown++) {
		bool is_below = !screen_fits(sc, strlen(row->name) + 27);

		sink_printf(sc->out, "%-10s %7s %6s%s%s\n", row == first ? "sites" : "",
			    size_of(row->bytes, size), share_of(sc, row, share),
			    is_below ? "" : "  ", is_below ? "" : row->name);
		if (is_below)
			screen_put(sc, "", row->name);
	}
}

/* What a screen has no room for: a process of which no part is much, a cache that is as large as the next. */
static bool is_worth(const struct summary *s, const struct statement *row)
{
	if (row->section == SECTION_PROCESS)
		return summary_is_worth(s, row);
	return row->section != SECTION_CACHE || !s->ram_pages || !row->pages.known ||
	       summary_reaches(s, LIMIT_SHOWN, row->pages.n);
}

static void put_caches(struct screen *sc)
{
	char size[UNITS_BYTES];
	unsigned int shown = 0;
	struct strbuf b = STRBUF_OF(TEXT);

	for (const struct statement *row = sc->s->first[SECTION_CACHE];
	     row && b.len < TEXT / 2 && shown < sc->extent.caches && is_worth(sc->s, row);
	     row = row->next, shown++)
		strbuf_add(&b, "%s%s%s%s %s", strbuf_between(&b, ", "), row->name ?: "unknown",
			   row->remark ? " " : "", row->remark ?: "", size_of(row->bytes, size));
	put_list(sc, "caches", &b, sc->s->pages_missing);
}

static void put_restarts(struct screen *sc)
{
	struct strbuf b = STRBUF_OF(TEXT);

	for (const struct statement *row = sc->s->first[SECTION_RESTART]; row; row = row->next)
		strbuf_add(&b, "%s%s", strbuf_between(&b, "; "), row->remark);
	put_list(sc, "restarts", &b, false);
}

static void put_reclaim(struct screen *sc)
{
	const struct statement *row = sc->s->first[SECTION_RECLAIM];
	struct strbuf b = STRBUF_OF(TEXT);

	for (unsigned int n = 0; row && n < sc->extent.reclaim; row = row->next, n++)
		strbuf_add(&b, "%s%s", strbuf_between(&b, "; "), row->remark);
	put_list(sc, "reclaim", &b, false);
}

/* "page_owner=on takes 4.0M and tells who allocates direct pages" */
static void put_boot(struct screen *sc)
{
	const struct statement *row = sc->s->first[SECTION_BOOT];
	struct strbuf b = STRBUF_OF(TEXT);

	if (!row)
		return;
	if (row->name && row->bytes.known)
		strbuf_add(&b, "%s takes at least %s and ", row->name, LEAST_TEXT(row->bytes.n));
	else if (row->name)
		strbuf_add(&b, "%s ", row->name);
	strbuf_add(&b, "%s", row->remark);
	screen_put(sc, "next boot", b.buf);
}

/* "more      3 sites, 5 caches" */
static void put_more(struct screen *sc)
{
	const struct {
		enum section section;
		unsigned int shown;
		const char *one, *many;
	} parts[] = {
		{ SECTION_SITE, sc->extent.sites, "site", "sites" },
		{ SECTION_CACHE, sc->extent.caches, "cache", "caches" },
		{ SECTION_PROCESS, sc->extent.processes, "process", "processes" },
		{ SECTION_RECLAIM, sc->extent.reclaim, "statement on reclaim",
		  "statements on reclaim" },
	};
	const unsigned int users = summary_large_users(sc->s);
	struct strbuf b = STRBUF_OF(TEXT);

	if (users > sc->extent.culprits) {
		strbuf_add(&b, "%s", COUNT_OF(users - sc->extent.culprits, "row"));
		strbuf_add(&b, " of users");
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct statement *row = sc->s->first[parts[i].section];
		size_t n = 0;

		for (; row; row = row->next)
			n += is_worth(sc->s, row);
		if (n > parts[i].shown)
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "),
				   PLURAL_TEXT(n - parts[i].shown, parts[i].one, parts[i].many));
	}
	screen_add_given_up(sc, &b);
	/* Who reads a page has the sections below, and no command to type. */
	if (!b.len || sc->out->page)
		return;
	strbuf_add(&b, " (all rows: -j)");
	screen_put(sc, "not shown", b.buf);
}

static void put_next(struct screen *sc)
{
	const struct statement *first = sc->s->first[SECTION_NEXT];
	const char *behind = sc->s->dump->typed_behind;
	const struct sink_page *p = sc->out->page;

	for (const struct statement *row = first; row && p && p->proposed; row = row->next)
		p->proposed(p->screen, row->command, row->remark);
	if (!first || (p && p->proposed))
		return;
	sink_printf(sc->out, "next:\n");
	/* As it is typed: "memowner zones" of a session is "memowner VMCORE zones" in a shell. */
	for (const struct statement *row = first; row; row = row->next) {
		const char *command = row->command;
		size_t len;

		command += behind && !strncmp(command, OWN, strlen(OWN)) ? strlen(OWN) : 0;
		len = strlen(command) + (behind ? strlen(behind) + 1 : 0);
		sink_printf(sc->out, "  %s%s%s", behind ?: "", behind ? " " : "", command);
		if (row->remark && screen_fits(sc, 2 + len + 4 + strlen(row->remark)))
			sink_printf(sc->out, "  # %s", row->remark);
		sink_text(sc->out, "\n");
	}
}

/* "; the newest of at least 2 reports of the OOM killer, and 214 that the kernel left out, as it limits their rate" */
static void add_reports(const struct summary *s, struct strbuf *b)
{
	const uint64_t left_out = s->reports.suppressed.n;

	if (s->log_reports > 1)
		strbuf_add(b, "; the newest of %s%s of the OOM killer",
			   summary_misses_reports(s) ? "at least " : "",
			   COUNT_OF(s->log_reports, "report"));
	if (left_out)
		strbuf_add(b, "%s that the kernel left out, as it limits their rate",
			   s->log_reports > 1 ? dump_text(s->dump, ", and %s", COUNT_TEXT(left_out))
					      : dump_text(s->dump, "; %s of the OOM killer",
							  COUNT_OF(left_out, "report")));
}

/* "the log alone: 812 records from 0.000000 s, the start of the kernel, to 10.786799 s" */
static void put_log_coverage(struct screen *sc)
{
	const struct log_file *f = sc->s->dump->log_file;
	const struct kernel_log *log = &f->log;
	struct strbuf b = STRBUF_OF(TEXT);

	strbuf_add(&b, "the log alone: %s", COUNT_OF(log->n, "record"));
	if (f->has_no_times)
		strbuf_add(&b, " without the times of the kernel");
	else
		strbuf_add(&b, " up to %s s", STAMP_TEXT(kernel_log_end(sc->s->dump, log)));
	if (log_file_date_text(sc->s->dump, log->records[log->n - 1].date_s))
		strbuf_add(&b, "%s %s", f->has_no_times ? ", up to" : ",",
			   log_file_date_text(sc->s->dump, log->records[log->n - 1].date_s));
	strbuf_add(&b,
		   f->from_start ? ", from the start of the kernel" : "; its beginning is missing");
	add_reports(sc->s, &b);
	if (f->boots > 1)
		strbuf_add(&b, "; %s %u of %u: -L %s", log_file_part(f), f->boots - f->later_boots,
			   f->boots, log_source_others(sc->s->dump));
	screen_put(sc, "coverage", b.buf);
}

static void put_coverage(struct screen *sc)
{
	const struct scan_stats *c = &sc->s->cov;
	const char *partial = sc->s->dump->interrupted ? "INTERRUPTED, partial" : "";
	struct strbuf b = STRBUF_OF(TEXT);

	if (sc->s->dump->log_file) {
		put_log_coverage(sc);
		return;
	}
	if (sc->s->has_cov)
		strbuf_add(&b, "%s of %s pages of %s scanned (%s%%)%s%s", COUNT_TEXT(c->scanned),
			   COUNT_TEXT(c->ram_pages), sc->s->ram_name,
			   PERCENT_TEXT(c->scanned, c->ram_pages),
			   sc->s->is_derived ? ", holes included" : "", *partial ? "; " : "");
	strbuf_add(&b, "%s", partial);
	put_list(sc, "coverage", &b, false);
}

/* What the first screen of 24 lines has. */
static void put_head(struct screen *sc)
{
	screen_put_case(sc);
	put_verdict(sc);
	put_ram(sc);
	put_classes(sc);
	screen_put_culprits(sc);
}

static void put_all(struct screen *sc)
{
	put_head(sc);
	screen_put_rest(sc);
	put_limits(sc);
	screen_put_growth(sc);
	put_panic(sc);
	put_exception(sc);
	screen_put_stuck(sc);
	put_oom(sc);
	put_restarts(sc);
	put_sites(sc);
	put_caches(sc);
	screen_put_processes(sc);
	screen_put_faults(sc);
	put_reclaim(sc);
	put_more(sc);
	screen_put_missing(sc);
	put_boot(sc);
	put_next(sc);
	screen_put_warnings(sc);
	put_coverage(sc);
}

static unsigned int lines_of(const struct screen *sc, void (*put)(struct screen *sc))
{
	struct sink *counter = dump_alloc(sc->s->dump, sizeof(*counter));
	struct screen counted = *sc;
	unsigned int lines = 0;

	sink_init(counter, screen_count_lines, &lines);
	/* In a file each statement is one line. */
	counter->columns = sc->s->out->columns < WIDTH ? sc->s->out->columns : WIDTH;
	counted.out = counter;
	put(&counted);
	sink_flush(counter);
	return lines;
}

/* Lines of a narrower terminal have less: as many more. */
static unsigned int room_of(const struct screen *sc, unsigned int lines)
{
	const unsigned int columns = sc->s->out->columns;

	return columns && columns < WIDTH ? lines * WIDTH / columns : lines;
}

static bool has_room(const struct screen *sc)
{
	return lines_of(sc, put_all) <= room_of(sc, LINES);
}

static bool head_has_room(const struct screen *sc)
{
	return lines_of(sc, put_head) <= room_of(sc, HEAD);
}

/* Something else was wrong, and no one has most of memory: who has some explains nothing. */
static bool is_beside(const struct summary *s)
{
	return s->has_other_cause && !s->first[SECTION_MOST];
}

/* A long name takes a line more: classes of little memory and the smallest users go first. */
static struct screen fitted(const struct summary *s)
{
	struct screen sc = { .s = s, .extent = { .classes = CLASSES, .culprits = CULPRITS } };
	struct extent *e = &sc.extent;

	if (is_beside(s))
		e->culprits = BESIDE;

	while (!head_has_room(&sc) && e->culprits > 1) {
		if (e->classes > 6 || (e->culprits <= 4 && e->classes > 4))
			e->classes--;
		else
			e->culprits--;
	}
	e->classes -= !head_has_room(&sc);
	e->is_brief = !head_has_room(&sc);
	while (e->classes < CLASSES && head_has_room(&sc))
		e->classes++;
	e->classes -= !head_has_room(&sc);
	return sc;
}

unsigned int summary_users_shown(const struct summary *s)
{
	return fitted(s).extent.culprits;
}

void summary_print(const struct summary *s)
{
	/* Sites, processes, caches, warnings, reasons of what is unknown, statements on reclaim. */
	static const unsigned int extents[][6] = {
		{ 3, 3, 5, 8, 16, 3 }, { 3, 3, 5, 6, 12, 3 }, { 3, 2, 5, 4, 8, 3 },
		{ 3, 2, 4, 3, 6, 3 },  { 3, 1, 4, 2, 5, 3 },  { 2, 1, 4, 1, 4, 3 },
		{ 1, 1, 3, 1, 3, 3 },  { 1, 1, 3, 0, 2, 1 },  { 1, 1, 3, 0, 1, 1 },
		{ 1, 1, 2, 0, 1, 1 },  { 1, 0, 2, 0, 1, 1 },  { 1, 0, 0, 0, 1, 1 },
		{ 0, 0, 0, 0, 0, 0 },
	};
	struct screen sc = fitted(s);

	for (size_t i = 0; i < ARRAY_SIZE(extents); i++) {
		sc.extent.sites = extents[i][0];
		sc.extent.processes = is_beside(s) ? 0 : extents[i][1];
		/* Those of the machine say little of a cgroup. */
		sc.extent.caches = is_beside(s)		? 0
				   : i && s->limit_path ? extents[i][2] / 2
							: extents[i][2];
		sc.extent.warnings = extents[i][3];
		sc.extent.missing = extents[i][4];
		sc.extent.reclaim = extents[i][5];
		if (has_room(&sc))
			break;
	}
	while (!has_room(&sc) && (sc.extent.classes > 4 || sc.extent.culprits > 2))
		--*(sc.extent.classes > 4 ? &sc.extent.classes : &sc.extent.culprits);
	while (!has_room(&sc) && screen_can_give_up(&sc))
		sc.extent.given_up++;
	sc.out = s->out;
	put_all(&sc);
}
