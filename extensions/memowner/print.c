// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen: the rows in words, at most LINES lines on a terminal of WIDTH columns. */
#include <stdio.h>
#include <string.h>

#include "screen.h"
#include "summary.h"
#include "util/strbuf.h"
#include "util/units.h"

#define LINES 40
#define WIDTH 80
#define TEXT 2048

static const char *text_of(const struct cell *c)
{
	return c->kind == CELL_TEXT ? c->text : NULL;
}

static const char *size_of(const struct cell *c, char *buf)
{
	if (c->kind == CELL_NULL)
		return "-";
	units_size(buf, c->kind == CELL_INT ? c->i : (int64_t)c->u);
	return buf;
}

static const char *time_of(const struct cell *c, char *buf)
{
	if (c->kind == CELL_NULL)
		return "-";
	units_time(buf, c->u);
	return buf;
}

static const char *share_of(const struct screen *sc, const struct cell *row, char *buf)
{
	uint64_t bytes = row[COL_BYTES].kind == CELL_INT && row[COL_BYTES].i > 0
				 ? (uint64_t)row[COL_BYTES].i
			 : row[COL_BYTES].kind == CELL_UINT ? row[COL_BYTES].u
							    : 0;

	if (!sc->s->ram_pages)
		return "-";
	units_percent(buf, bytes, sc->s->ram_pages << sc->s->dump->page_shift);
	strcat(buf, "%");
	return buf;
}

static bool is_of(const struct cell *row, enum section section)
{
	return row[COL_SECTION].text == section_names[section];
}

/* The next row of a section from an index on; NULL: no more. */
static const struct cell *next_row(const struct screen *sc, enum section section, size_t *i)
{
	const struct table *t = sc->s->table;

	for (; *i < t->n; ++*i)
		if (is_of(t->rows[*i], section))
			return t->rows[(*i)++];
	return NULL;
}

static const struct cell *first_row(const struct screen *sc, enum section section)
{
	size_t i = 0;

	return next_row(sc, section, &i);
}

static void put_panic(struct screen *sc)
{
	const struct cell *row = first_row(sc, SECTION_PANIC);

	if (row)
		screen_put(sc, "panic", text_of(&row[COL_NAME]) ? text_of(&row[COL_NAME]) : "");
}

static void put_exception(struct screen *sc)
{
	const struct cell *row = first_row(sc, SECTION_EXCEPTION);
	char text[TEXT], task[64], kind[64];
	size_t n;

	if (!row)
		return;
	snprintf(kind, sizeof(kind), "%s", text_of(&row[COL_NAME]));
	for (char *p = kind; *p; p++)
		if (*p == '_')
			*p = ' ';
	n = snprintf(text, sizeof(text), "%s", kind);
	if (row[COL_ADDRESS].kind != CELL_NULL)
		n += snprintf(text + n, sizeof(text) - n, ", address 0x%llx",
			      (unsigned long long)row[COL_ADDRESS].u);
	if (text_of(&row[COL_IP_SYMBOL]))
		n += snprintf(text + n, sizeof(text) - n, ", in %s", text_of(&row[COL_IP_SYMBOL]));
	snprintf(text + n, sizeof(text) - n, ", task %s",
		 summary_task_text(&row[COL_PID], &row[COL_COMM], task, sizeof(task)));
	screen_put(sc, "exception", text);
}

static void put_oom(struct screen *sc)
{
	const struct cell *row = first_row(sc, SECTION_OOM);
	char text[TEXT];

	if (row)
		screen_put(sc,
			   summary_oom_text(row, &sc->s->report->info, text, sizeof(text))
				   ? "OOM"
				   : "failure",
			   text);
}

static void put_ram(struct screen *sc)
{
	const struct cell *row;
	char text[TEXT], size[UNITS_BYTES];
	size_t i = 0, n = 0;

	while ((row = next_row(sc, SECTION_RAM, &i))) {
		const char *remark = text_of(&row[COL_REMARK]);

		n += snprintf(text + n, sizeof(text) - n, "%s%s %s%s%s",
			      !n		  ? ""
			      : sc->s->is_derived ? "; "
						  : ", ",
			      text_of(&row[COL_NAME]), size_of(&row[COL_BYTES], size),
			      remark ? ", " : "", remark ? remark : "");
	}
	if (n)
		screen_put(sc, "RAM", text);
}

static void put_classes(struct screen *sc)
{
	const struct cell *row;
	char size[UNITS_BYTES], share[UNITS_BYTES];
	unsigned int shown = 0, more = 0;
	uint64_t bytes = 0;
	size_t i = 0;

	while ((row = next_row(sc, SECTION_CLASS, &i))) {
		const char *remark = text_of(&row[COL_REMARK]);

		if (shown++ >= sc->extent.classes && !remark) {
			more++;
			bytes += row[COL_BYTES].u;
			continue;
		}
		sink_printf(sc->out, "  %-8s %7s %6s%s%s\n", text_of(&row[COL_NAME]),
			    size_of(&row[COL_BYTES], size), share_of(sc, row, share),
			    remark ? "  " : "", remark ? remark : "");
	}
	if (!more)
		return;
	units_size(size, (int64_t)bytes);
	snprintf(share, sizeof(share), "%u more", more);
	sink_printf(sc->out, "  %-8s %7s\n", share, size);
}

static void put_owner(struct screen *sc, const struct cell *row)
{
	const char *name = text_of(&row[COL_NAME]), *by = text_of(&row[COL_BY]);
	const char *life = text_of(&row[COL_OWNER]), *growth = text_of(&row[COL_GROWTH]);
	const char *remark = text_of(&row[COL_REMARK]);
	char size[UNITS_BYTES], share[UNITS_BYTES], oldest[UNITS_BYTES], newest[UNITS_BYTES];
	char text[TEXT], task[64], line[160];
	size_t len;

	if (!strcmp(by, "process"))
		snprintf(text, sizeof(text), "%s, %s",
			 summary_task_text(&row[COL_PID], &row[COL_COMM], task, sizeof(task)),
			 life	  ? life
			 : remark ? remark
				  : "live or dead: unknown");
	else
		snprintf(text, sizeof(text), "%s%s%s", name ? name : "unknown", remark ? ", " : "",
			 remark ? remark : "");
	for (char *p = text; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	snprintf(line, sizeof(line), "  %-8s %7s %6s %7s %7s  %-9s  ", by,
		 size_of(&row[COL_BYTES], size), share_of(sc, row, share),
		 time_of(&row[COL_OLDEST], oldest), time_of(&row[COL_YOUNGEST], newest),
		 growth ? growth : "-");
	len = strlen(line);
	/* A long name stands below. */
	if (!screen_fits(sc, len + strlen(text))) {
		while (len && line[len - 1] == ' ')
			len--;
		sink_printf(sc->out, "%.*s\n", (int)len, line);
		screen_put(sc, "", text);
		return;
	}
	sink_printf(sc->out, "%s%s\n", line, text);
}

/* An age before the panic as a time; none: what is known else. */
static uint64_t time_at(const struct cell *age, uint64_t panic_ns, uint64_t none)
{
	return age->kind != CELL_NULL && age->u <= panic_ns ? panic_ns - age->u : none;
}

/* "90.1% of leaky_rx_refill was allocated within 1.2s that ended 7.1s before the panic" */
static void put_span(struct screen *sc, const struct cell *row)
{
	const struct dump_info *info = &sc->s->report->info;
	const uint64_t panic = info->panic_ns;
	char text[TEXT], share[UNITS_BYTES], span[UNITS_BYTES], ago[UNITS_BYTES];
	const char *name = text_of(&row[COL_NAME]);
	const char *growth = text_of(&row[COL_GROWTH]);
	uint64_t start, end, first, last;

	if (!growth || !strcmp(growth, "mixed") || !name)
		return;
	/* The span is of whole steps: its ends are not beyond the first and the last allocation. */
	start = row[COL_SPAN_START].u;
	end = row[COL_SPAN_END].kind == CELL_NULL ? panic : row[COL_SPAN_END].u;
	first = time_at(&row[COL_OLDEST], panic, start);
	last = time_at(&row[COL_YOUNGEST], panic, end);
	start = first > start && first <= end ? first : start;
	end = last < end && last >= start ? last : end;
	units_percent(share, row[COL_SPAN_PAGES].u, row[COL_PAGES].u);
	units_time(span, end - start);
	units_time(ago, panic - end);
	if (start == end)
		snprintf(text, sizeof(text), "%s%% of %s has one time stamp, %s before the %s",
			 share, name, ago, age_end(info));
	else if (end == panic)
		snprintf(text, sizeof(text), "%s%% of %s was allocated within %s up to the %s",
			 share, name, span, age_end(info));
	else
		snprintf(text, sizeof(text),
			 "%s%% of %s was allocated within %s that ended %s before the %s", share,
			 name, span, ago, age_end(info));
	screen_put(sc, "", text);
}

static void put_owners(struct screen *sc)
{
	const struct cell *row = first_row(sc, SECTION_OWNER), *first = row;
	size_t i = 0;

	if (!row)
		return;
	sink_printf(sc->out, "%-10s %7s %6s %7s %7s  %-9s  %s\n", "owners", "SIZE", "RAM%",
		    "OLDEST", "NEWEST", "GROWTH", "NAME");
	while ((row = next_row(sc, SECTION_OWNER, &i))) {
		put_owner(sc, row);
		if (row == first)
			put_span(sc, row);
	}
}

static void put_sites(struct screen *sc)
{
	const struct cell *row, *first = first_row(sc, SECTION_SITE);
	char size[UNITS_BYTES], share[UNITS_BYTES];
	size_t i = 0;

	while ((row = next_row(sc, SECTION_SITE, &i))) {
		const char *name = text_of(&row[COL_NAME]);
		bool is_below = !screen_fits(sc, strlen(name) + 27);

		sink_printf(sc->out, "%-10s %7s %6s%s%s\n", row == first ? "sites" : "",
			    size_of(&row[COL_BYTES], size), share_of(sc, row, share),
			    is_below ? "" : "  ", is_below ? "" : name);
		if (is_below)
			screen_put(sc, "", name);
	}
}

/* n: bytes of the text; 0: there is nothing to say. */
static void put_list(struct screen *sc, const char *label, char text[TEXT], size_t n, bool is_part)
{
	if (is_part)
		snprintf(text + n, TEXT - n, "; others unknown");
	if (n)
		screen_put(sc, label, text);
}

static void put_caches(struct screen *sc)
{
	const struct cell *row;
	char text[TEXT] = "", size[UNITS_BYTES];
	size_t i = 0, n = 0;

	while ((row = next_row(sc, SECTION_CACHE, &i)) && n < sizeof(text) / 2)
		n += snprintf(text + n, sizeof(text) - n, "%s%s%s%s %s", n ? ", " : "",
			      text_of(&row[COL_NAME]) ? text_of(&row[COL_NAME]) : "unknown",
			      text_of(&row[COL_REMARK]) ? " " : "",
			      text_of(&row[COL_REMARK]) ? text_of(&row[COL_REMARK]) : "",
			      size_of(&row[COL_BYTES], size));
	put_list(sc, "caches", text, n, sc->s->pages_missing);
}

static void put_files(struct screen *sc)
{
	const struct cell *row, *first = first_row(sc, SECTION_FILE);
	char text[TEXT];
	size_t i = 0;

	while ((row = next_row(sc, SECTION_FILE, &i))) {
		summary_files_text(sc->s, row, text, sizeof(text));
		screen_put(sc, row == first ? "files" : "", text);
	}
	if (first && sc->s->pages_missing)
		screen_put(sc, "", "others unknown");
}

/* What the name of a holder is to its memory. */
static const char *holder_link(const char *by)
{
	static const struct {
		const char *by, *link;
	} links[] = {
		{ "vmalloc", "allocated by" },
		{ "zram", "in" },
		{ "zswap", "in" },
		{ "page_pool", "of" },
		{ "dma_buf", "used by" },
		{ "cma", "in" },
		{ "balloon", "in" },
		{ "sockets", "in sockets opened by" },
		{ "cgroup", "charged to" },
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (!strcmp(links[i].by, by))
			return links[i].link;
	return "by";
}

/* "vmalloc 194.5M 76.1% allocated by framegrab_queue_frame [framegrab]" */
static void put_holders(struct screen *sc)
{
	const struct cell *row, *first = first_row(sc, SECTION_HOLDER);
	char text[TEXT], size[UNITS_BYTES], share[UNITS_BYTES];
	size_t i = 0;

	while ((row = next_row(sc, SECTION_HOLDER, &i))) {
		const char *name = text_of(&row[COL_NAME]), *why = text_of(&row[COL_REMARK]);

		snprintf(text, sizeof(text), "%s %s %s %s %.600s%s%.100s", text_of(&row[COL_BY]),
			 size_of(&row[COL_BYTES], size), share_of(sc, row, share),
			 holder_link(text_of(&row[COL_BY])), name ? name : "an unknown device",
			 why ? ": " : "", why ? why : "");
		screen_put(sc, row == first ? "holders" : "", text);
	}
}

static void put_processes(struct screen *sc)
{
	const struct cell *row;
	char text[TEXT], task[64], size[3][UNITS_BYTES], part[48] = "", locked[48];
	char place[SUMMARY_PLACE];
	size_t i = 0, n = 0;

	while ((row = next_row(sc, SECTION_PROCESS, &i)) && n < sizeof(text) / 2) {
		summary_part(row, part, n ? 1 : sizeof(part));
		snprintf(locked, row[COL_LOCKED].u ? sizeof(locked) : 1, " mlocked %s",
			 size_of(&row[COL_LOCKED], size[1]));
		summary_place(row, place, sizeof(place));
		n += snprintf(text + n, sizeof(text) - n, "%s%s%s rss %s%s%s swap %s",
			      n ? "; " : "",
			      summary_task_text(&row[COL_PID], &row[COL_COMM], task, sizeof(task)),
			      place, size_of(&row[COL_RSS], size[0]), part, locked,
			      size_of(&row[COL_SWAP], size[2]));
	}
	put_list(sc, "processes", text, n, sc->s->tasks_missing);
}

static void put_faults(struct screen *sc)
{
	const struct cell *row = first_row(sc, SECTION_FAULTS);
	char text[TEXT], task[64], rate[UNITS_BYTES];
	size_t i = 0, n = 0, named = 0;

	if (row) {
		units_milli(rate, row[COL_RATE].u);
		n = snprintf(text, sizeof(text), "highest %srate: %s, %s per second",
			     sc->s->tasks_missing ? "known " : "",
			     summary_task_text(&row[COL_PID], &row[COL_COMM], task, sizeof(task)),
			     rate);
	}
	while ((row = next_row(sc, SECTION_IN_FAULT, &i)) && n < sizeof(text) / 2) {
		const char *waits = text_of(&row[COL_WAITS_FOR]);

		n += snprintf(text + n, sizeof(text) - n, "%s%s [%s]",
			      named ? ", "
			      : n   ? "; in a page fault: "
				    : "in a page fault: ",
			      summary_task_text(&row[COL_PID], &row[COL_COMM], task, sizeof(task)),
			      waits ? waits : "wait unknown");
		named++;
	}
	if (sc->s->in_fault > named)
		n += snprintf(text + n, sizeof(text) - n, ", %zu more", sc->s->in_fault - named);
	if (n)
		screen_put(sc, "faults", text);
}

static bool same_remark(const struct cell *a, const struct cell *b)
{
	const char *x = text_of(&a[COL_REMARK]), *y = text_of(&b[COL_REMARK]);

	return x && y && !strcmp(x, y);
}

/* "RAM, classes": the parts from row i on that have its reason. */
static void missing_names(const struct screen *sc, size_t i, struct strbuf *b)
{
	const struct cell *first = sc->s->table->rows[i], *row;

	strbuf_add(b, "%s%s", strbuf_between(b, ", "), text_of(&first[COL_NAME]));
	for (i++; (row = next_row(sc, SECTION_MISSING, &i));)
		if (same_remark(first, row))
			strbuf_add(b, ", %s", text_of(&row[COL_NAME]));
}

/* Whether a row before index i has the reason of row i. */
static bool is_joined(const struct screen *sc, size_t i)
{
	const struct cell *row;
	size_t k = 0;

	while ((row = next_row(sc, SECTION_MISSING, &k)) && row != sc->s->table->rows[i])
		if (same_remark(row, sc->s->table->rows[i]))
			return true;
	return false;
}

/* Where the reasons have no room, the names of the parts have. */
static void put_missing(struct screen *sc)
{
	char text[TEXT], names[TEXT];
	const struct cell *row;
	struct strbuf one, more;
	unsigned int shown = 0;
	size_t i = 0;

	strbuf_init(&more, names, sizeof(names));
	while ((row = next_row(sc, SECTION_MISSING, &i))) {
		if (is_joined(sc, i - 1))
			continue;
		strbuf_init(&one, text, sizeof(text));
		missing_names(sc, i - 1, shown < sc->extent.missing ? &one : &more);
		if (shown++ >= sc->extent.missing)
			continue;
		strbuf_add(&one, ": %s",
			   text_of(&row[COL_REMARK]) ? text_of(&row[COL_REMARK]) : "");
		screen_put(sc, "unknown", text);
	}
	if (!more.len)
		return;
	strbuf_add(&more, ": memowner -j has the reasons");
	screen_put(sc, "unknown", names);
}

static void put_next(struct screen *sc)
{
	const struct cell *row;
	size_t i = 0;

	if (first_row(sc, SECTION_NEXT))
		sink_text(sc->out, "next:\n");
	while ((row = next_row(sc, SECTION_NEXT, &i)))
		sink_printf(sc->out, "  %s\n", text_of(&row[COL_COMMAND]));
}

static void put_coverage(struct screen *sc)
{
	const struct scan_stats *c = &sc->s->cov;
	char n[UNITS_BYTES], of[UNITS_BYTES], share[UNITS_BYTES], text[TEXT];

	if (sc->s->has_cov) {
		units_count(n, c->scanned);
		units_count(of, c->ram_pages);
		units_percent(share, c->scanned, c->ram_pages);
		snprintf(text, sizeof(text), "%s of %s pages of %s scanned (%s%%)%s%s", n, of,
			 sc->s->ram_name, share, sc->s->is_derived ? ", holes included" : "",
			 sc->s->dump->interrupted ? "; INTERRUPTED, partial" : "");
		screen_put(sc, "coverage", text);
	} else if (sc->s->dump->interrupted) {
		screen_put(sc, "coverage", "INTERRUPTED, partial");
	}
}

/* Whether a line on what is unknown says the same. */
static bool is_told(const struct screen *sc, const char *warning)
{
	const struct cell *row;
	char text[TEXT];
	size_t i = 0;

	while ((row = next_row(sc, SECTION_MISSING, &i))) {
		snprintf(text, sizeof(text), "%s: %s", text_of(&row[COL_NAME]),
			 text_of(&row[COL_REMARK]) ? text_of(&row[COL_REMARK]) : "");
		if (!strcmp(text, warning))
			return true;
	}
	return false;
}

static void put_warnings(struct screen *sc)
{
	const struct report *r = sc->s->report;
	unsigned int shown = 0, more = 0;
	char text[64];

	for (unsigned int i = 0; i < r->nwarnings; i++) {
		if (is_told(sc, r->warnings[i]))
			continue;
		if (shown == sc->extent.warnings) {
			more++;
			continue;
		}
		screen_put(sc, "warning", r->warnings[i]);
		shown++;
	}
	if (!more)
		return;
	snprintf(text, sizeof(text), "%u more; memowner -j has them", more);
	screen_put(sc, "warning", text);
}

static void put_all(struct screen *sc)
{
	put_panic(sc);
	put_exception(sc);
	put_oom(sc);
	put_ram(sc);
	put_classes(sc);
	put_owners(sc);
	put_holders(sc);
	put_sites(sc);
	put_caches(sc);
	put_files(sc);
	put_processes(sc);
	put_faults(sc);
	put_missing(sc);
	put_next(sc);
	put_warnings(sc);
	put_coverage(sc);
}

static bool count_lines(void *priv, const char *text, size_t n)
{
	unsigned int *lines = priv;

	for (size_t i = 0; i < n; i++)
		*lines += text[i] == '\n';
	return true;
}

void summary_print(const struct summary *s)
{
	static const struct extent extents[] = { { 12, 8, 16 }, { 8, 6, 12 }, { 6, 4, 8 },
						 { 5, 3, 6 },	{ 4, 2, 5 },  { 3, 1, 4 },
						 { 2, 0, 3 },	{ 2, 0, 2 },  { 2, 0, 1 } };
	struct sink *counter = dump_alloc(s->dump, sizeof(*counter));
	size_t n = sizeof(extents) / sizeof(extents[0]), i = counter ? 0 : n - 1;
	struct screen sc = { .s = s };

	for (; i < n - 1; i++) {
		unsigned int lines = 0;

		sink_init(counter, count_lines, &lines);
		counter->columns = WIDTH;
		sc.out = counter;
		sc.extent = extents[i];
		put_all(&sc);
		sink_flush(counter);
		if (lines <= LINES)
			break;
	}
	sc.out = s->out;
	sc.extent = extents[i];
	put_all(&sc);
}
