// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/report.h"

#include "cli/filter_forms.h"
#include "cli/version.h"
#include "dump/lack_words.h"
#include "zones/mem_total.h"

static void put_known(struct json *j, const char *key, bool known, uint64_t v)
{
	if (known)
		json_uint(j, key, v);
	else
		json_null(j, key);
}

/* Two answers can be compared where the same was asked: what chooses rows, and what they are of. */
static void put_options(struct json *j, const struct opts *o)
{
	static const char letters[] = "acgPRT";
	const char *const values[] = { NULL, o->site, o->group, o->cpus_of, o->saved, o->type };
	char text[OPTS_LINE];

	json_open_array(j, "options");
	for (size_t i = 0; letters[i]; i++) {
		if (!opts_given(o, letters[i]))
			continue;
		snprintf(text, sizeof(text), "-%c%s%s", letters[i], values[i] ? " " : "",
			 values[i] ?: "");
		json_text(j, NULL, text);
	}
	for (unsigned int i = 0; i < o->nfilters; i++) {
		snprintf(text, sizeof(text), "-%c %s", o->filters[i].exclude ? 'X' : 'f',
			 o->filters[i].text);
		json_text(j, NULL, text);
	}
	for (unsigned int i = 0; i < o->nargs; i++)
		json_text(j, NULL, o->args[i]);
	json_close_array(j);
}

void report_meta(struct report *r)
{
	const struct dump_info *info = &r->info;
	struct json j;

	if (!r->json)
		return;
	json_open_line(&j, r->sink, "meta");
	json_uint(&j, "schema", REPORT_SCHEMA);
	json_text(&j, "command", r->command);
	json_text(&j, "view", r->view);
	json_text(&j, "version", MEMOWNER_VERSION);
	json_text(&j, "kernel", info->kernel);
	json_text(&j, "arch", r->dump->arch);
	put_known(&j, "page_size", info->page_size, info->page_size);
	put_known(&j, "cpus", info->has_cpus, info->cpus);
	put_known(&j, "mem_total_bytes", info->has_mem_total, info->mem_total_bytes);
	put_known(&j, "panic_time_ns", info->has_panic_time, info->panic_ns);
	json_text(&j, "panic_time_source", info->panic_source);
	if (r->opts)
		put_options(&j, r->opts);
	else
		json_null(&j, "options");
	json_close_line(&j);
}

void report_init_bare(struct report *r, struct dump *d, struct sink *sink, const char *command,
		      const char *view, bool json)
{
	memset(r, 0, sizeof(*r));
	r->dump = d;
	r->sink = sink;
	r->json = json;
	r->command = command;
	r->view = view;
	r->last_unknown = &r->unknown;
	r->info.page_size = d->page_shift ? dump_page_size(d) : 0;
}

void report_init(struct report *r, struct dump *d, struct sink *sink, const char *command,
		 const char *view, bool json)
{
	uint64_t pages;

	report_init_bare(r, d, sink, command, view, json);
	dump_info_read(d, json, &r->info);
	/* Of two that contradict each other none is told. */
	if (r->info.has_mem_total)
		r->info.has_mem_total = mem_total_sure(d, &pages) == ST_OK;
	d->error[0] = '\0';
}

/* Two parts of a view may find the same. */
static bool is_told(const struct report *r, const char *text)
{
	return ANY_OF(i, r->nwarnings, !strcmp(r->warnings[i], text));
}

void report_warn(struct report *r, const char *fmt, ...)
{
	char buf[DUMP_ERROR + 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (is_told(r, buf))
		return;
	if (r->nwarnings == REPORT_WARNINGS) {
		r->more_warnings++;
		return;
	}
	r->warnings[r->nwarnings] = dump_strdup(r->dump, buf);
	r->nwarnings++;
}

void report_gaps_of(struct report *r, const char *what, const struct gap *gaps, size_t n)
{
	/* Of no gap at all gaps may be NULL. */
	for (size_t i = 0; i < n; i++) {
		if (!gaps[i].n)
			continue;
		report_warn(r, "%s%s", what, gap_text(r->dump, &gaps[i]));
		r->has_gaps |= !gaps[i].is_note;
		r->lacks_sizes |= !gaps[i].is_note && !gaps[i].keeps_sizes;
	}
}

const char *report_no_ram_text(char buf[REPORT_NO_RAM], const char *asked, uint64_t pfn)
{
	snprintf(buf, REPORT_NO_RAM, "%s (%s0x%lx) is not System RAM of this dump", asked,
		 strncmp(asked, "pfn:", 4) ? "pfn " : "", pfn);
	return buf;
}

void report_no_ram(struct report *r, const char *asked, uint64_t n, uint64_t of, uint64_t first)
{
	char one[REPORT_NO_RAM];

	r->rows_nowhere += n;
	if (n && of == 1)
		report_warn(r, "%s", report_no_ram_text(one, asked, first));
	else if (n)
		report_warn(r,
			    "%s: %s of %s pages %s not System RAM of this dump, the first is pfn "
			    "0x%lx",
			    asked, COUNT_TEXT(n), COUNT_TEXT(of), n == 1 ? "is" : "are", first);
}

void report_gaps(struct report *r, const struct gap *gaps, size_t n)
{
	report_gaps_of(r, "", gaps, n);
}

enum status report_unknown(struct report *r, const char *part, enum availability why,
			   const char *fmt, ...)
{
	struct unknown_part *u = dump_alloc(r->dump, sizeof(*u));
	char buf[DUMP_ERROR];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	*u = (struct unknown_part){ NULL, part, dump_strdup(r->dump, buf), why };
	*r->last_unknown = u;
	r->last_unknown = &u->next;
	if (!r->tells_unknown)
		report_warn(r, "%s unknown: %s", part, buf);
	return ST_OK;
}

enum status report_part(struct report *r, const char *part, enum status st)
{
	if (st == ST_OK || st == ST_STOPPED || st == ST_ABSENT)
		return st == ST_ABSENT ? ST_OK : st;
	return report_unknown(r, part, availability_of(st), "%s", r->dump->error);
}

enum status report_asked(struct report *r, const char *part, bool asked, enum status st)
{
	if (st == ST_ABSENT && asked)
		return report_unknown(r, part, NOT_BUILT, "%s", r->dump->error);
	return report_part(r, part, st);
}

/* Whether a part may have something that is not shown. */
static bool hides_parts(const struct report *r)
{
	return ANY_NEXT(u, r->unknown, availability_hides(u->why));
}

void report_columns_kept(struct report *r, uint64_t left_out)
{
	if ((left_out || (r->filters && r->filters->nrows)) && !r->json && !r->tells_groups)
		sink_printf(r->sink, "filters%s kept %s of %s\n",
			    r->filters && r->filters->n ? " of columns" : "",
			    COUNT_TEXT(r->rows_total), COUNT_OF(r->rows_total + left_out, "row"));
}

void report_rest(struct report *r, uint64_t n, const char *one, const char *many,
		 const char *behind)
{
	if (!r->json && n)
		sink_printf(r->sink, "... %s more %s%s (-n 0 shows all)\n", COUNT_TEXT(n),
			    n == 1 ? one : many, behind ?: "");
}

/* Whether a size without a name is this column's: it is shown, and -s has no other figure. */
static bool is_shown_size(const struct table *t, const char *sort, size_t column)
{
	return table_shows_at(t, column) &&
	       !(sort && ANY_OF(i, t->ncolumns,
				i != column && t->sorted[i] && t->columns[i].id != COLUMN_pages &&
					!table_is_left(table_column(t, i))));
}

void report_rest_bytes(struct report *r, const struct table *t, const struct opts *o, size_t shown,
		       size_t column, const char *one, const char *many)
{
	char size[UNITS_BYTES], text[3 * UNITS_BYTES + 64];
	const bool is_plain = is_shown_size(t, o->sort, column);
	const char *named = is_plain ? NULL : table_column(t, column)->title;
	int64_t bytes = 0, unknown = 0;
	int n;

	for (size_t i = shown; i < t->n; i++) {
		const struct cell *c = &t->rows[i][column];

		unknown += cell_is_unknown(c);
		bytes += c->kind == CELL_UINT ? (int64_t)c->u : c->kind == CELL_INT ? c->i : 0;
	}
	units_size(size, bytes);
	n = snprintf(text, sizeof(text), " with %s%s%.32s", size, named ? " of " : "", named ?: "");
	if (unknown)
		snprintf(text + n, sizeof(text) - n, ", the size of %s unknown",
			 COUNT_TEXT(unknown));
	report_rest(r, t->n - shown, one, many, text);
}

void report_kept(struct report *r, const struct filters *f, uint64_t kept, uint64_t of,
		 const char *one, const char *many)
{
	if (!r->json && f->n)
		sink_printf(r->sink, "filters kept %s of %s\n", COUNT_TEXT(kept),
			    PLURAL_TEXT(of, one, many));
}

#define PART_OF_GROUPS "filters asked each %s: a row has of its group only the %s that they kept"
void report_groups_kept(struct report *r, bool is_part, const char *one, const char *many)
{
	if (is_part && r->json)
		report_warn(r, PART_OF_GROUPS, one, many);
	else if (is_part)
		sink_printf(r->sink, PART_OF_GROUPS "\n", one, many);
}

void report_rows_kept(struct report *r, const struct filters *f, const struct table *t,
		      const char *one, const char *many)
{
	uint64_t kept = t->n + t->left_out;

	report_kept(r, f, kept, kept + t->refused, one, many);
}

void report_records(struct report *r, const struct table *t, const char *record)
{
	if (r->json) {
		for (size_t i = 0; i < t->n; i++)
			table_json_record(t, r->sink, record, t->rows[i]);
		return;
	}
	if (r->rows_shown)
		sink_text(r->sink, "\n");
	table_text(t, r->sink, t->n);
}

static void json_count(struct json *j, const char *key, const struct scan_stats *cov, uint64_t v)
{
	if (cov)
		json_uint(j, key, v);
	else
		json_null(j, key);
}

static void write_summary(struct report *r, const struct scan_stats *cov, bool complete)
{
	static const struct scan_stats none;
	const struct scan_stats *c = cov ?: &none;
	const struct dump *d = r->dump;
	/* In text it is told once, by who opened the dump. */
	const char *missing = d->ops->missing ? d->ops->missing(d->priv) : NULL;
	struct json j;

	json_open_line(&j, r->sink, "summary");
	json_text(&j, "status", availability_name(r->state));
	complete = complete && !hides_parts(r) && !r->dump->interrupted;
	json_bool(&j, "complete", complete && !r->has_gaps);
	json_bool(&j, "sizes_complete", r->has_sizes ? *r->has_sizes : complete && !r->lacks_sizes);
	json_bool(&j, "interrupted", r->dump->interrupted);
	for (size_t i = 0; i < SCAN_STATS; i++)
		json_count(&j, scan_stat_names[i].name, cov, scan_stat(c, i));
	json_count(&j, "covered_pages", cov, c->scanned);
	json_uint(&j, "rows_shown", r->rows_shown);
	json_uint(&j, "rows_total", r->rows_total);
	json_open_array(&j, "warnings");
	if (missing)
		json_text(&j, NULL, missing);
	for (unsigned int i = 0; i < r->nwarnings; i++)
		json_text(&j, NULL, r->warnings[i]);
	json_close_array(&j);
	json_open_array(&j, "unknown");
	for (const struct unknown_part *u = r->unknown; u; u = u->next) {
		json_open_object(&j, NULL);
		json_text(&j, "part", u->name);
		json_text(&j, "status", availability_name(u->why));
		json_text(&j, "reason", u->reason);
		json_close_object(&j);
	}
	json_close_array(&j);
	json_close_line(&j);
}

static void write_coverage(struct report *r, const struct scan_stats *c)
{
	static const struct {
		const char *name, *of_tags;
		size_t offset;
	} parts[] = {
		{ "live", "first pages with a tag", offsetof(struct scan_stats, live) },
		{ "freed", "stale", offsetof(struct scan_stats, freed) },
		{ "empty", "without", offsetof(struct scan_stats, empty) },
		{ "undecodable", "undecodable", offsetof(struct scan_stats, undecodable) },
	};
	char n[UNITS_BYTES], share[UNITS_BYTES];

	units_count(n, c->scanned);
	units_percent(share, c->scanned, c->ram_pages);
	sink_printf(r->sink, "scanned %s", n);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		units_count(n, *(const uint64_t *)((const char *)c + parts[i].offset));
		sink_printf(r->sink, "%s%s %s", i ? " + " : " = ", n,
			    r->of_tags ? parts[i].of_tags : parts[i].name);
	}
	sink_printf(r->sink, "\n%s %s pages, %s%% covered", c->ram_name ?: "System RAM",
		    COUNT_TEXT(c->ram_pages), share);
	sink_printf(r->sink, "; %s skipped", units_count(n, c->skipped));
	units_count(n, c->unreadable);
	sink_printf(r->sink, ", %s unreadable%s\n", n,
		    r->dump->interrupted ? "; INTERRUPTED, partial" : "");
}

static unsigned int nfilters(const struct report *r)
{
	return r->filters ? r->filters->n + r->filters->nrows : 0;
}

static const struct filter *filter_at(const struct report *r, unsigned int i)
{
	const struct filters *f = r->filters;

	return i < f->n ? &f->filters[i] : &f->rows[i - f->n];
}

static void warn_of_filters(struct report *r)
{
	const unsigned int before = r->nwarnings;
	char text[FILTER_UNMET];

	for (unsigned int i = 0; i < nfilters(r); i++) {
		const struct filter *f = filter_at(r, i);

		/* A value that nothing has may be misspelt: silence would look like an answer. */
		for (unsigned int n = 0; filter_unmet(f, n, !i, text, sizeof(text)); n++)
			report_warn(r, "%s", text);
		if (filter_wider(f, text, sizeof(text)))
			report_warn(r, "%s", text);
		if (!filter_in_doubt(f, text, sizeof(text)))
			continue;
		report_warn(r, "%s", text);
		r->has_gaps = true;
	}
	if (!r->rows_total && r->nwarnings == before && nfilters(r) &&
	    filters_exclude_all(r->filters))
		report_warn(r, "no row is left: -X leaves out all that %s",
			    r->filters->n + r->filters->nrows > 1 ? "the others keep" : "there is");
}

/* Whether all that was to be scanned is missing from the dump. */
static bool none_scanned(const struct scan_stats *c)
{
	return c && c->unreadable && !c->scanned;
}

void report_left_out(const struct report *r, const struct scan_stats *cov)
{
	char text[FILTER_UNMET];

	r->dump->no_data |= none_scanned(cov) && !r->dump->interrupted;
	if (cov && cov->unreadable)
		dump_remark(r->dump, "left out: the records of %s, which are not in this dump",
			    COUNT_OF(cov->unreadable, "page"));
	for (unsigned int i = 0; i < nfilters(r); i++) {
		const struct filter *f = filter_at(r, i);

		for (unsigned int n = 0; filter_unmet(f, n, !i, text, sizeof(text)); n++)
			dump_remark(r->dump, "%s", text);
		if (filter_wider(f, text, sizeof(text)))
			dump_remark(r->dump, "%s", text);
		if (filter_in_doubt(f, text, sizeof(text)))
			dump_remark(r->dump, "%s", text);
	}
}

/* The last place is for the count of those that had none. */
bool report_has_unknown(const struct report *r, const char *part)
{
	return ANY_NEXT(u, r->unknown, !strcmp(u->name, part));
}

/* What decoders went on without. */
static void tell_gaps(struct report *r)
{
	struct dump *d = r->dump;

	d->told_gaps = true;
	for (const struct dump_gap *g = d->gaps; g; g = g->next)
		if (!report_has_unknown(r, g->part))
			report_unknown(r, g->part, availability_of(g->why), "%s", g->reason);
}

bool report_lacks_panic(const struct report *r, char buf[REPORT_LACKS_PANIC])
{
	char text[END_TEXT];

	/* Times of a text of the log are up to its end, whatever was behind. */
	if (r->dump->log_file || !r->info.may_have_panic ||
	    report_has_unknown(r, PART_PANIC_TIME) || !end_text(&r->info, text))
		return false;
	snprintf(buf, REPORT_LACKS_PANIC, "the log, or a part of it, cannot be read; %s", text);
	return true;
}

void report_finish(struct report *r)
{
	struct dump *d = r->dump;
	unsigned long muted = d->ops->muted ? d->ops->muted(d->priv) : 0;
	const char *incomplete = d->ops->incomplete ? d->ops->incomplete(d->priv) : NULL;
	char text[REPORT_LACKS_PANIC];

	warn_of_filters(r);
	if (incomplete)
		report_warn(r, "%s", incomplete);
	r->has_gaps |= d->ops->damaged && d->ops->damaged(d->priv);
	tell_gaps(r);
	if (report_lacks_panic(r, text))
		report_unknown(r, PART_PANIC_TIME, NOT_IN_DUMP, "%s", text);
	for (unsigned int i = 0; r->lines && i < r->lines->nwarnings; i++)
		report_warn(r, "%s", r->lines->warnings[i]);
	if (muted)
		report_warn(r, "%lu messages of the reader of this dump are not shown", muted);
	if (!r->more_warnings)
		return;
	r->warnings[REPORT_WARNINGS - 1] = dump_text(d, "and %u more warnings",
						     r->more_warnings + 1);
}

/* Ages and rates of a kernel that did not panic. */
static void put_end_note(struct report *r)
{
	char text[END_TEXT];

	/* Where there may have been one a warning tells it. */
	if (!r->info.may_have_panic && end_text(&r->info, text))
		sink_printf(r->sink, "no panic: %s\n", text);
}

void report_no_rows(struct report *r, enum availability why)
{
	r->state = why;
	r->dump->no_data = true;
}

void report_none_read(struct report *r, uint64_t pages, const char *ram_name)
{
	if (r->rows_shown || r->rows_total || r->dump->interrupted)
		return;
	report_no_rows(r, NOT_IN_DUMP);
	if (!r->json)
		sink_printf(r->sink, "no data: of the %s of %s none could be read\n",
			    COUNT_OF(pages, "page"), ram_name);
}

void report_end(struct report *r, const struct scan_stats *cov, bool complete)
{
	r->has_ended = true;
	if (none_scanned(cov))
		report_none_read(r, cov->ram_pages, cov->ram_name ?: "System RAM");
	report_finish(r);
	if (r->json) {
		write_summary(r, cov, complete);
		return;
	}
	put_end_note(r);
	for (unsigned int i = 0; i < r->nwarnings; i++)
		sink_printf(r->sink, "%s%s\n",
			    lack_is_no_warning(r->warnings[i]) ? "" : "warning: ", r->warnings[i]);
	if (cov)
		write_coverage(r, cov);
	else if (r->dump->interrupted)
		sink_text(r->sink, "INTERRUPTED, partial\n");
}

void report_no_data(struct report *r, enum availability why)
{
	r->has_ended = true;
	r->state = why;
	r->dump->no_data = true;
	if (!r->json) {
		sink_printf(r->sink, "no data: %s\n", r->dump->error);
		if (r->dump->ops->incomplete && r->dump->ops->incomplete(r->dump->priv))
			sink_printf(r->sink, "warning: %s\n",
				    r->dump->ops->incomplete(r->dump->priv));
		return;
	}
	report_warn(r, "%s", r->dump->error);
	report_finish(r);
	write_summary(r, NULL, false);
}

void report_trace(struct dump *d, struct sink *sink)
{
	for (const struct trace_line *n = d->trace; n; n = n->next)
		sink_printf(sink, "%s\n", n->text);
}

struct cell report_age(const struct report *r, uint64_t ts_ns)
{
	uint64_t age;

	return age_at_panic(&r->info, ts_ns, &age) ? cell_uint(age)
						   : (struct cell){ .kind = CELL_NULL };
}
