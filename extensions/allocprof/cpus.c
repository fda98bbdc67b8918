// SPDX-License-Identifier: GPL-2.0-or-later
/* What each possible CPU counted at one site: its row is the sum of these. */
#include "sites.h"

#define MAX_SPAN 64 /* of struct alloc_tag_counters, which has two words */

/* What a CPU counted at a site. */
struct cpu_row {
	const struct site *site;
	unsigned int cpu;
	bool is_known;
	int64_t bytes, calls;
};

#define ROW struct cpu_row

CELL_WITH(location_cell, ROW, struct site_view, cell_text(site_location(v->dump, r->site)))

static const struct view_column columns[] = {
	{ COLUMN_cpu, IN_BOTH | KNOWN, UINT_OF(ROW, cpu) },
	{ COLUMN_bytes, IN_BOTH | SIGNED, "allocated less freed on this CPU",
	  INT_IF(ROW, bytes, is_known) },
	{ COLUMN_calls, IN_BOTH | SIGNED, "allocations less frees on this CPU",
	  INT_IF(ROW, calls, is_known) },
	{ COLUMN_function, IN_BOTH, VIA(TEXT, ROW, site, function) },
	{ COLUMN_module, IN_BOTH, .width = 16, VIA(TEXT, ROW, site, module) },
	{ COLUMN_site, IN_TEXT, "file:line", CELL_BY(location_cell) },
	{ COLUMN_file, IN_JSON, VIA(TEXT, ROW, site, file) },
	{ COLUMN_line, IN_JSON | KNOWN, VIA(UINT, ROW, site, line) },
	{ COLUMN_tag, IN_JSON | KNOWN, VIA(HEX, ROW, site, tag) },
	BASIS(recorded),
};

const struct view site_cpus_view = { "cpus", "-P SITE", COLUMNS_OF(columns), .writes_meta = true };

/* A site without counters never counted. */
static void add_row(struct site_view *v, const struct site *s, const struct percpu *cpus,
		    unsigned int i)
{
	const struct field f[2] = { v->tags.bytes, v->tags.calls };
	uint8_t raw[MAX_SPAN] = { 0 };
	struct cpu_row row = { .site = s, .cpu = cpus->cpu[i], .is_known = true };

	/* The counters of a module that is gone may have been freed with it; others were not read. */
	if (!s->readable && (!s->loaded || !s->counters))
		row.is_known = false;
	else if (s->counters)
		row.is_known = dump_try(v->dump, s->counters + cpus->offset[i], raw,
					layout_span(f, 2)) == ST_OK;
	row.bytes = field_get(&f[0], raw);
	row.calls = field_get(&f[1], raw);
	row_add(&v->in->table, &row, v);
}

static void put_sum(struct site_view *v, const struct site *s)
{
	if (!v->report.json && s->readable)
		sink_printf(v->out, "%s in %s: %s %s\n", SIZE_TEXT(s->bytes),
			    COUNT_OF(s->calls, "call"), s->function ?: "-",
			    site_location(v->dump, s));
}

enum status site_cpus(struct site_view *v)
{
	struct percpu cpus;
	struct sites found;
	size_t shown;
	enum status st = sites_find(v->dump, &v->tags, v->in->opts.cpus_of, &found)
				 ?: percpu_open(v->dump, &cpus);

	for (size_t i = 0; st == ST_OK && i < found.n; i++)
		for (unsigned int c = 0; c < cpus.n; c++)
			add_row(v, &found.sites[i], &cpus, c);
	if (st != ST_OK)
		return st;
	if (v->in->opts.sort)
		table_sort(&v->in->table, v->in->opts.sort, v->in->opts.reverse);
	report_meta(&v->report);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, 0);
	report_rest(&v->report, v->in->table.n - shown, "row", "rows", NULL);
	for (size_t i = 0; i < found.n; i++)
		put_sum(v, &found.sites[i]);
	v->kept = found.n;
	site_view_end(v);
	return ST_OK;
}
