// SPDX-License-Identifier: GPL-2.0-or-later
/* What each possible CPU counted at one site: its row is the sum of these. */
#include <stdio.h>

#include "alloctag/site_index.h"
#include "dump/field.h"
#include "dump/layout.h"
#include "sites.h"
#include "util/units.h"

#define DEFAULT_ROWS 0
#define MAX_SPAN 64

enum {
	COL_CPU,
	COL_BYTES,
	COL_CALLS,
	COL_FUNCTION,
	COL_MODULE,
	COL_SITE,
	COL_FILE,
	COL_LINE,
	COL_TAG,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_CPU] = { COLUMN_cpu, IN_BOTH | KNOWN },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | SIGNED, "allocated less freed on this CPU" },
	[COL_CALLS] = { COLUMN_calls, IN_BOTH | SIGNED, "allocations less frees on this CPU" },
	[COL_FUNCTION] = { COLUMN_function, IN_BOTH },
	[COL_MODULE] = { COLUMN_module, IN_BOTH, .width = 16 },
	[COL_SITE] = { COLUMN_site, IN_TEXT, "file:line" },
	[COL_FILE] = { COLUMN_file, IN_JSON },
	[COL_LINE] = { COLUMN_line, IN_JSON | KNOWN },
	[COL_TAG] = { COLUMN_tag, IN_JSON | KNOWN },
};

const struct view site_cpus_view = { "cpus", "-P SITE", COLUMNS_OF(columns), .writes_meta = true };

/* A site without counters never counted. */
static enum status add_row(struct site_view *v, const struct site *s, const struct percpu *cpus,
			   unsigned int i)
{
	const struct field f[2] = { v->tags.bytes, v->tags.calls };
	uint8_t raw[MAX_SPAN] = { 0 };
	struct cell *row = table_add(&v->in->table);
	bool known = true;

	if (!row)
		return ST_NOMEM;
	/* The counters of a module that is gone may have been freed with it; others were not read. */
	if (!s->readable && (!s->loaded || !s->counters))
		known = false;
	else if (s->counters)
		known = dump_try(v->dump, s->counters + cpus->offset[i], raw, layout_span(f, 2)) ==
			ST_OK;
	row[COL_CPU] = cell_uint(cpus->cpu[i]);
	row[COL_BYTES] = cell_if(known, cell_int(field_get(&f[0], raw)));
	row[COL_CALLS] = cell_if(known, cell_int(field_get(&f[1], raw)));
	row[COL_FUNCTION] = cell_text(s->function);
	row[COL_MODULE] = cell_text(s->module);
	row[COL_SITE] = cell_text(site_location(v->dump, s));
	row[COL_FILE] = cell_text(s->file);
	row[COL_LINE] = cell_uint(s->line);
	row[COL_TAG] = cell_hex(s->tag);
	return ST_OK;
}

static void put_sum(struct site_view *v, const struct site *s)
{
	char size[UNITS_BYTES], n[UNITS_PLURAL];
	const char *place = site_location(v->dump, s);

	if (v->report.json || !s->readable)
		return;
	units_size(size, s->bytes);
	sink_printf(v->out, "%s in %s: %s %s\n", size, units_plural(n, s->calls, "call", "calls"),
		    s->function ? s->function : "-", place ? place : "-");
}

enum status site_cpus(struct site_view *v)
{
	struct percpu cpus;
	struct sites found;
	size_t shown;
	enum status st = sites_find(v->dump, &v->tags, v->in->opts.cpus_of, &found);

	if (st == ST_OK)
		st = percpu_open(v->dump, &cpus);
	for (size_t i = 0; st == ST_OK && i < found.n; i++)
		for (unsigned int c = 0; st == ST_OK && c < cpus.n; c++)
			st = add_row(v, &found.sites[i], &cpus, c);
	if (st == ST_OK && v->in->opts.sort)
		st = table_sort(&v->in->table, v->in->opts.sort, v->in->opts.reverse);
	if (st != ST_OK)
		return st;
	report_meta(&v->report);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	report_rest(&v->report, v->in->table.n - shown, "row", "rows", NULL);
	for (size_t i = 0; i < found.n; i++)
		put_sum(v, &found.sites[i]);
	v->kept = found.n;
	site_view_end(v);
	return ST_OK;
}
