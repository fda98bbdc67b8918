// SPDX-License-Identifier: GPL-2.0-or-later
#include "sites.h"

#include <stdio.h>
#include <string.h>

#include "modules/module.h"
#include "sums.h"
#include "util/hash_bytes.h"
#include "util/units.h"

#define DEFAULT_ROWS 10

enum {
	COL_BYTES,
	COL_CALLS,
	COL_AVG,
	COL_TOTAL,
	COL_RAM,
	COL_SITES,
	COL_FUNCTION,
	COL_MODULE,
	COL_SITE,
	COL_DIR,
	COL_FILE,
	COL_LINE,
	COL_ACCURATE,
	COL_LOADED,
	COL_TAG,
	COLUMNS
};

/* site: of what each call site has; group: of what is shown by itself for groups (-g) only. */
#define SITE_COLUMNS(site, in_text, in_json, group)                                                \
	{                                                                                          \
		[COL_BYTES] = { COLUMN_bytes, IN_BOTH | SIGNED, "allocated and not freed" },       \
		[COL_CALLS] = { COLUMN_calls, IN_BOTH },                                           \
		[COL_AVG] = { COLUMN_avg, IN_TEXT | (group) },                                     \
		[COL_TOTAL] = { COLUMN_total_percent, 0 },                                         \
		[COL_RAM] = { COLUMN_ram_percent, IN_TEXT },                                       \
		[COL_SITES] = { COLUMN_sites, KNOWN | (group) },                                   \
		[COL_FUNCTION] = { COLUMN_function, (in_text) | (in_json) },                       \
		[COL_MODULE] = { COLUMN_module, (in_text) | (in_json), .width = 16 },              \
		[COL_SITE] = { COLUMN_site, in_text, "file:line" }, [COL_DIR] = { COLUMN_dir, 0 }, \
		[COL_FILE] = { COLUMN_file, in_json },                                             \
		[COL_LINE] = { COLUMN_line, (in_json) | (site) },                                  \
		[COL_ACCURATE] = { COLUMN_accurate, in_json },                                     \
		[COL_LOADED] = { COLUMN_loaded, (in_json) | (site) },                              \
		[COL_TAG] = { COLUMN_tag, (in_json) | (site) },                                    \
	}

static const struct view_column columns[COLUMNS] = SITE_COLUMNS(KNOWN, IN_TEXT, IN_JSON, 0);
static const struct view_column group_columns[COLUMNS] = SITE_COLUMNS(0, 0, 0, IN_BOTH);

static const unsigned int key_columns[SITE_KEYS] = {
	[SITE_MODULE] = COL_MODULE,
	[SITE_FUNCTION] = COL_FUNCTION,
	[SITE_FILE] = COL_FILE,
	[SITE_DIR] = COL_DIR,
};

/* The keys stand behind the sums. */
static void prepare(struct cmdline *in)
{
	table_show(&in->table, COL_AVG);
	table_show(&in->table, COL_SITES);
	for (size_t i = 0; i < in->ngroups; i++)
		table_show(&in->table, key_columns[in->groups[i]]);
}

/* Groups have rows of their own kind, and so a name of their own. */
static const struct view groups_view = { "groups", "-g module", COLUMNS_OF(group_columns),
					 .prepare = prepare, .filters_rows = true };

const struct view site_list_view = { "sites", "", COLUMNS_OF(columns), .grouped = &groups_view,
				     .filters_rows = true };

const char *site_location(struct dump *d, const struct site *s)
{
	char buf[320];

	snprintf(buf, sizeof(buf), "%s:%u", s->file ? s->file : "?", s->line);
	return arena_strdup(d->arena, buf);
}

/* Of a site, or of a group of sites. */
static struct cell site_average(bool readable, int64_t bytes, uint64_t calls)
{
	if (!readable || !calls || calls > INT64_MAX)
		return (struct cell){ .kind = CELL_NULL };
	return cell_int(bytes / (int64_t)calls);
}

bool site_view_keeps(struct site_view *v, const struct site *s)
{
	bool keeps = site_selects(v->dump, &v->tags, &v->in->filters, s);

	v->kept += keeps;
	return keeps;
}

/* The share of all sites, and of System RAM. */
static void fill_shares(struct site_view *v, bool readable, int64_t bytes, struct cell *row)
{
	uint64_t ram = v->ram.pages * dump_page_size(v->dump);

	if (!readable || bytes < 0)
		return;
	row[COL_TOTAL] = cell_if(v->sums.whole && v->sums.bytes > 0,
				 cell_uint(units_tenths(bytes, v->sums.bytes)));
	row[COL_RAM] = cell_if(ram, cell_uint(units_tenths(bytes, ram)));
}

static enum status add_row(struct site_view *v, const struct site *s)
{
	struct cell *row = table_add(&v->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_BYTES] = cell_if(s->readable, cell_int(s->bytes));
	row[COL_CALLS] = cell_if(s->readable, cell_uint(s->calls));
	row[COL_AVG] = site_average(s->readable, s->bytes, s->calls);
	fill_shares(v, s->readable, s->bytes, row);
	row[COL_SITES] = cell_uint(1);
	row[COL_FUNCTION] = cell_text(s->function);
	row[COL_MODULE] = cell_text(s->module);
	row[COL_SITE] = cell_text(site_location(v->dump, s));
	row[COL_DIR] = cell_text(site_text(v->dump, &v->tags, s, SITE_DIR));
	row[COL_FILE] = cell_text(s->file);
	row[COL_LINE] = cell_uint(s->line);
	row[COL_ACCURATE] = cell_if(v->tags.has_flag, cell_bool(!(s->flags & SITE_INACCURATE)));
	row[COL_LOADED] = cell_if(s->loaded || s->unloaded, cell_bool(s->loaded));
	row[COL_TAG] = cell_hex(s->tag);
	return ST_OK;
}

/* The sum of sites with the same values of the keys of -g. */
struct group {
	const char *values[GROUP_KEYS];
	int64_t bytes;
	uint64_t calls, sites;
	bool unreadable; /* of one of them: the sum is unknown */
};

static enum status add_to_group(struct site_view *v, struct hash_bytes *texts,
				struct hash_bytes *groups, const struct site *s)
{
	const struct cmdline *in = v->in;
	const char *values[GROUP_KEYS] = { NULL };
	struct hash_bytes_entry *e;
	struct group *g;
	bool is_new;

	for (size_t i = 0; i < in->ngroups; i++)
		values[i] = intern(texts, site_text(v->dump, &v->tags, s, in->groups[i]));
	e = hash_bytes_get(groups, values, sizeof(values), &is_new);
	if (!e)
		return dump_no_memory(v->dump);
	g = e->value;
	for (size_t i = 0; i < GROUP_KEYS; i++)
		g->values[i] = values[i];
	g->sites++;
	g->unreadable |= !s->readable;
	g->bytes = (uint64_t)g->bytes + s->bytes;
	g->calls += s->calls;
	return ST_OK;
}

static enum status add_group_row(struct site_view *v, const struct group *g)
{
	struct cell *row = table_add(&v->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_BYTES] = cell_if(!g->unreadable, cell_int(g->bytes));
	row[COL_CALLS] = cell_if(!g->unreadable, cell_uint(g->calls));
	row[COL_AVG] = site_average(!g->unreadable, g->bytes, g->calls);
	fill_shares(v, !g->unreadable, g->bytes, row);
	row[COL_SITES] = cell_uint(g->sites);
	for (size_t i = 0; i < v->in->ngroups; i++)
		row[key_columns[v->in->groups[i]]] = cell_text(g->values[i]);
	return ST_OK;
}

static enum status add_groups(struct site_view *v)
{
	struct hash_bytes texts, groups;
	enum status st = ST_OK;

	hash_bytes_init(&texts, v->dump->arena, 0);
	hash_bytes_init(&groups, v->dump->arena, sizeof(struct group));
	for (size_t i = 0; i < v->tags.n && st == ST_OK; i++)
		if (site_view_keeps(v, &v->tags.sites[i]))
			st = add_to_group(v, &texts, &groups, &v->tags.sites[i]);
	for (struct hash_bytes_entry *e = groups.first; e && st == ST_OK; e = e->next)
		st = add_group_row(v, e->value);
	return st;
}

static enum status add_sites(struct site_view *v)
{
	enum status st = ST_OK;

	for (size_t i = 0; i < v->tags.n && st == ST_OK; i++)
		if (site_view_keeps(v, &v->tags.sites[i]))
			st = add_row(v, &v->tags.sites[i]);
	return st;
}

void site_view_sums(struct site_view *v)
{
	char all[UNITS_BYTES], once[UNITS_BYTES], slabs[UNITS_BYTES], chunks[UNITS_BYTES];
	struct site_sums sums;

	site_sums_read(&v->tags, &sums);
	if (v->report.json || !sums.named || sums.bytes < 0 || sums.slab_pages < 0 ||
	    sums.percpu_pages < 0)
		return;
	units_size(all, sums.bytes);
	units_size(once, site_sums_once(&sums));
	units_size(slabs, sums.slab_pages);
	units_size(chunks, sums.percpu_pages);
	sink_printf(v->out,
		    "all sites %s; %s without pages counted again as objects: "
		    "slabs %s, per-CPU %s\n",
		    all, once, slabs, chunks);
}

/* The coverage line of a list of sites. */
static void put_coverage(struct site_view *v)
{
	char n[UNITS_BYTES], sites[UNITS_PLURAL], cpus[UNITS_PLURAL];

	if (v->in->filters.n) {
		units_count(n, v->kept);
		sink_printf(v->out, "%s of ", n);
	}
	units_count(n, v->tags.unreadable);
	sink_printf(v->out, "%s, %s unreadable; summed over %s\n",
		    units_plural(sites, v->tags.n, "site", "sites"), n,
		    units_plural(cpus, v->tags.cpus, "possible CPU", "possible CPUs"));
}

/* Up to 6.12 the tags of a module that was unloaded with memory in use are not listed. */
static void warn_unlisted(struct site_view *v)
{
	char name[MODULE_NAME];

	if (v->tags.sites && modules_last_unloaded(v->dump, name) == ST_OK)
		report_warn(&v->report,
			    "this kernel does not list the sites of unloaded modules (last "
			    "unloaded: %s); allocprof -C shows references to them",
			    name);
}

void site_view_end(struct site_view *v)
{
	const struct codetags *tags = &v->tags;
	struct report *r = &v->report;
	char n[UNITS_PLURAL];

	if (tags->problem)
		report_warn(r, "some alloc tags may be missing: %s", tags->problem);
	if (tags->unreadable)
		report_warn(r, "the counters of %s are not in this dump",
			    units_plural(n, tags->unreadable, "site", "sites"));
	if (tags->unloaded)
		report_warn(r, "%s",
			    units_plural(n, tags->unloaded,
					 "site belongs to a module that is not loaded",
					 "sites belong to modules that are not loaded"));
	if (!tags->lists_unloaded)
		warn_unlisted(v);
	if (tags->stale)
		report_warn(r,
			    "the counters of %s are unknown: this kernel freed them with their "
			    "module",
			    units_plural(n, tags->stale, "site", "sites"));
	if (tags->unnamed)
		report_warn(r, "the names of %s are not in this dump",
			    units_plural(n, tags->unnamed, "site", "sites"));
	report_end(r, NULL, !tags->unreadable && !tags->problem && !tags->unnamed);
	if (!r->json)
		put_coverage(v);
}

enum status site_list(struct site_view *v)
{
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	enum status st;
	size_t shown;

	site_sums_read(&v->tags, &v->sums);
	if (ram_open(v->dump, &v->ram) == ST_NOMEM)
		return ST_NOMEM;
	if (v->ram.derived)
		report_warn(&v->report, "%s", v->ram.derived);
	st = v->in->ngroups ? add_groups(v) : add_sites(v);
	table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "bytes", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, t, o, DEFAULT_ROWS);
	report_rest_bytes(&v->report, t, shown, COL_BYTES, v->in->ngroups ? "group" : "site",
			  v->in->ngroups ? "groups" : "sites");
	site_view_sums(v);
	site_view_end(v);
	return ST_OK;
}
