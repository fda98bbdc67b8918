// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "siteview.h"
#include "units.h"

#define DEFAULT_ROWS 10

enum {
	S_BYTES,
	S_CALLS,
	S_AVG,
	S_FUNCTION,
	S_MODULE,
	S_SITE,
	S_FILE,
	S_LINE,
	S_ACCURATE,
	S_LOADED,
	S_TAG,
	S_COLUMNS
};

static const struct column columns[S_COLUMNS] = {
	[S_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .alias = "size",
		      .help = "bytes allocated here and not freed; can be negative" },
	[S_CALLS] = { "calls", "CALLS", .shown = IN_BOTH,
		      .help = "allocations that are not freed" },
	[S_AVG] = { "avg", "AVG", FORMAT_SIZE, IN_TEXT, .help = "bytes of one, on average" },
	[S_FUNCTION] = { "function", "FUNCTION", FORMAT_TEXT, IN_BOTH, 32,
			 .help = "function that allocates" },
	[S_MODULE] = { "module", "MODULE", FORMAT_TEXT, IN_BOTH, 16,
		       .help = "its module, or vmlinux" },
	[S_SITE] = { "site", "SITE", FORMAT_PATH, IN_TEXT, 36, .help = "file:line" },
	[S_FILE] = { "file", "FILE", FORMAT_PATH, IN_JSON, 40, .help = "source file" },
	[S_LINE] = { "line", "LINE", .shown = IN_JSON, .help = "line in it" },
	[S_ACCURATE] = { "accurate", "ACCURATE", .shown = IN_JSON,
			 .help = "no: the kernel lost count of some (6.18 and later)" },
	[S_LOADED] = { "loaded", "LOADED", .shown = IN_JSON, .help = "its module is loaded" },
	[S_TAG] = { "tag", "TAG", .shown = IN_JSON, .help = "address of the alloc_tag" },
};

const struct view site_view = { "sites", "", .columns = columns, .ncolumns = S_COLUMNS };

static const char *site_text(struct dump *d, const struct site *s)
{
	char buf[320];

	if (!s->file)
		return NULL;
	snprintf(buf, sizeof(buf), "%s:%u", s->file, s->line);
	return arena_strdup(d->arena, buf);
}

static enum status add_row(struct dump *d, struct table *t, const struct codetags *tags,
			   const struct site *s)
{
	struct cell *row = table_add(t);

	if (!row)
		return DUMP_NOMEM;
	row[S_BYTES] = cell_if(s->readable, cell_int(s->bytes));
	row[S_CALLS] = cell_if(s->readable, cell_uint(s->calls));
	if (s->readable && s->calls && s->calls <= INT64_MAX)
		row[S_AVG] = cell_int(s->bytes / (int64_t)s->calls);
	row[S_FUNCTION] = cell_text(s->function);
	row[S_MODULE] = cell_text(s->module ? s->module : "vmlinux");
	row[S_SITE] = cell_text(site_text(d, s));
	row[S_FILE] = cell_text(s->file);
	row[S_LINE] = cell_uint(s->line);
	row[S_ACCURATE] = cell_if(tags->has_flag, cell_bool(!(s->flags & SITE_INACCURATE)));
	row[S_LOADED] = cell_bool(true);
	row[S_TAG] = cell_hex(s->tag);
	return DUMP_OK;
}

static void put_rest(struct sink *out, const struct table *t, size_t shown)
{
	char size[UNITS_BYTES];
	uint64_t bytes = 0;

	if (shown == t->n)
		return;
	for (size_t i = shown; i < t->n; i++)
		if (t->rows[i][S_BYTES].kind == CELL_INT)
			bytes += t->rows[i][S_BYTES].i;
	units_size(size, bytes);
	sink_printf(out, "... %zu more sites with %s (-n 0 shows all)\n", t->n - shown, size);
}

/* The coverage line of a list of sites. */
static void put_coverage(struct sink *out, const struct codetags *tags)
{
	char n[UNITS_BYTES];

	units_count(n, tags->n);
	sink_printf(out, "%s sites, ", n);
	units_count(n, tags->unreadable);
	sink_printf(out, "%s unreadable; summed over %u possible CPUs\n", n, tags->cpus);
}

enum status site_view_show(struct dump *d, struct sink *out, struct invocation *in,
			   const struct codetags *tags, struct report *r)
{
	const struct opts *o = &in->opts;
	struct table *t = &in->table;
	enum status st = DUMP_OK;
	size_t shown;

	for (size_t i = 0; i < tags->n && st == DUMP_OK; i++)
		st = add_row(d, t, tags, &tags->sites[i]);
	if (st == DUMP_OK)
		st = table_sort(t, o->sort ? o->sort : "bytes", o->reverse);
	if (st != DUMP_OK)
		return st;
	if (tags->problem)
		report_warn(r, "some alloc tags may be missing: %s", tags->problem);
	if (tags->unreadable)
		report_warn(r, "the counters of %zu sites are not in this dump", tags->unreadable);
	shown = report_rows(r, t, o, DEFAULT_ROWS);
	if (!o->json)
		put_rest(out, t, shown);
	report_end(r, NULL, !tags->unreadable && !tags->problem);
	if (!o->json)
		put_coverage(out, tags);
	return DUMP_OK;
}
