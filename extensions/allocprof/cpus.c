// SPDX-License-Identifier: GPL-2.0-or-later
/* What each possible CPU counted at one site: its row is the sum of these. */
#include <stdio.h>

#include "dump/field.h"
#include "dump/layout.h"
#include "sites.h"
#include "util/units.h"

#define DEFAULT_ROWS 0
#define MAX_SPAN 64

enum { P_CPU, P_BYTES, P_CALLS, P_FUNCTION, P_MODULE, P_SITE, P_FILE, P_LINE, P_TAG, P_COLUMNS };

static const struct column columns[P_COLUMNS] = {
	[P_CPU] = { "cpu", "CPU", .shown = IN_BOTH, .help = "possible CPU" },
	[P_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .alias = "size",
		      .help = "bytes allocated less bytes freed on this CPU" },
	[P_CALLS] = { "calls", "CALLS", .shown = IN_BOTH,
		      .help = "allocations less frees on this CPU" },
	[P_FUNCTION] = { "function", "FUNCTION", FORMAT_TEXT, IN_BOTH, 32,
			 .help = "function that allocates" },
	[P_MODULE] = { "module", "MODULE", FORMAT_TEXT, IN_BOTH, 16,
		       .help = "its module, or vmlinux" },
	[P_SITE] = { "site", "SITE", FORMAT_PATH, IN_TEXT, 36, .help = "file:line" },
	[P_FILE] = { "file", "FILE", FORMAT_PATH, IN_JSON, 40, .help = "source file" },
	[P_LINE] = { "line", "LINE", .shown = IN_JSON, .help = "line in it" },
	[P_TAG] = { "tag", "TAG", .shown = IN_JSON, .help = "address of the alloc_tag" },
};

const struct view site_cpus_view = { "cpus", "gfdC", columns, P_COLUMNS, .needs = 'P' };

/* A site without counters never counted. */
static enum status add_row(struct site_view *v, const struct site *s, const struct percpu *cpus,
			   unsigned int i)
{
	const struct field f[2] = { v->tags.bytes, v->tags.calls };
	uint8_t raw[MAX_SPAN] = { 0 };
	struct cell *row = table_add(&v->in->table);
	bool known = true;

	if (!row)
		return DUMP_NOMEM;
	if (s->counters)
		known = dump_try(v->dump, s->counters + cpus->offset[i], raw, layout_span(f, 2)) ==
			DUMP_OK;
	row[P_CPU] = cell_uint(cpus->cpu[i]);
	row[P_BYTES] = cell_if(known, cell_int(field_get(&f[0], raw)));
	row[P_CALLS] = cell_if(known, cell_int(field_get(&f[1], raw)));
	row[P_FUNCTION] = cell_text(s->function);
	row[P_MODULE] = cell_text(s->module);
	row[P_SITE] = cell_text(site_place(v->dump, s));
	row[P_FILE] = cell_text(s->file);
	row[P_LINE] = cell_uint(s->line);
	row[P_TAG] = cell_hex(s->tag);
	return DUMP_OK;
}

static void put_sum(struct site_view *v, const struct site *s)
{
	char size[UNITS_BYTES];
	const char *place = site_place(v->dump, s);

	if (v->report.json || !s->readable)
		return;
	units_size(size, s->bytes);
	sink_printf(v->out, "%s in %llu calls: %s %s\n", size, (unsigned long long)s->calls,
		    s->function ? s->function : "-", place ? place : "-");
}

enum status site_cpus(struct site_view *v)
{
	const char *text = v->in->opts.cpus_of;
	struct percpu cpus;
	size_t found = 0, shown;
	enum status st = percpu_open(v->dump, &cpus);

	for (size_t i = 0; i < v->tags.n && st == DUMP_OK; i++) {
		if (!site_matches(&v->tags.sites[i], text))
			continue;
		found++;
		for (unsigned int c = 0; c < cpus.n && st == DUMP_OK; c++)
			st = add_row(v, &v->tags.sites[i], &cpus, c);
	}
	if (st == DUMP_OK && !found)
		return dump_fail(v->dump, DUMP_USAGE,
				 "no site '%s': -P takes FILE:LINE, a function or the address of "
				 "a tag",
				 text);
	if (st == DUMP_OK && v->in->opts.sort)
		st = table_sort(&v->in->table, v->in->opts.sort, v->in->opts.reverse);
	if (st != DUMP_OK)
		return st;
	report_meta(&v->report);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	if (!v->report.json && shown < v->in->table.n)
		sink_printf(v->out, "... %zu more rows (-n 0 shows all)\n", v->in->table.n - shown);
	for (size_t i = 0; i < v->tags.n; i++)
		if (site_matches(&v->tags.sites[i], text))
			put_sum(v, &v->tags.sites[i]);
	v->kept = found;
	site_view_end(v);
	return DUMP_OK;
}
