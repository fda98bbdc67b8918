// SPDX-License-Identifier: GPL-2.0-or-later
/* The sites at the panic beside a saved /proc/allocinfo. */
#include <stdio.h>
#include <string.h>

#include "allocinfo.h"
#include "cli/textfile.h"
#include "sites.h"
#include "util/hash_bytes.h"
#include "util/units.h"

#define DEFAULT_ROWS 10
#define MAX_SITES 1000000
#define IDENTITY 4096

enum {
	COL_DIFF,
	COL_BYTES,
	COL_BEFORE,
	COL_DIFF_CALLS,
	COL_CALLS,
	COL_BEFORE_CALLS,
	COL_CHANGE,
	COL_SITES,
	COL_FUNCTION,
	COL_MODULE,
	COL_SITE,
	COL_FILE,
	COL_LINE,
	COL_DIR,
	COLUMNS
};

static const char *const changes[] = { "added", "removed", NULL };

static const struct view_column columns[COLUMNS] = {
	[COL_DIFF] = { COLUMN_diff_bytes, IN_BOTH },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | SIGNED, "now" },
	[COL_BEFORE] = { COLUMN_before_bytes, IN_BOTH },
	[COL_DIFF_CALLS] = { COLUMN_diff_calls, IN_BOTH },
	[COL_CALLS] = { COLUMN_calls, IN_JSON, "now" },
	[COL_BEFORE_CALLS] = { COLUMN_before_calls, IN_JSON },
	[COL_CHANGE] = { COLUMN_change, IN_BOTH, .choices = changes },
	[COL_FUNCTION] = { COLUMN_function, IN_BOTH, .width = 26 },
	[COL_MODULE] = { COLUMN_module, IN_BOTH, .width = 12 },
	[COL_SITES] = { COLUMN_sites, KNOWN, "with this file, line and function" },
	[COL_SITE] = { COLUMN_site, IN_TEXT, "file:line", 28 },
	[COL_FILE] = { COLUMN_file, IN_JSON },
	[COL_LINE] = { COLUMN_line, IN_JSON | KNOWN },
	[COL_DIR] = { COLUMN_dir, 0 },
};

static const struct view_column group_columns[COLUMNS] = {
	[COL_DIFF] = { COLUMN_diff_bytes, IN_BOTH },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | SIGNED, "now" },
	[COL_BEFORE] = { COLUMN_before_bytes, IN_BOTH },
	[COL_DIFF_CALLS] = { COLUMN_diff_calls, IN_BOTH },
	[COL_CALLS] = { COLUMN_calls, IN_JSON, "now" },
	[COL_BEFORE_CALLS] = { COLUMN_before_calls, IN_JSON },
	[COL_CHANGE] = { COLUMN_change, IN_BOTH, "if all sites of the group have the same",
			 .choices = changes },
	[COL_SITES] = { COLUMN_sites, IN_BOTH | KNOWN, "now or in the file" },
	[COL_FUNCTION] = { COLUMN_function, 0 },
	[COL_MODULE] = { COLUMN_module, 0 },
	[COL_SITE] = { COLUMN_site, 0, "file:line, of a group of one site" },
	[COL_FILE] = { COLUMN_file, 0 },
	[COL_LINE] = { COLUMN_line, 0, "of a group of one site" },
	[COL_DIR] = { COLUMN_dir, 0 },
};

static const unsigned int key_columns[SITE_KEYS] = {
	[SITE_MODULE] = COL_MODULE,
	[SITE_FUNCTION] = COL_FUNCTION,
	[SITE_FILE] = COL_FILE,
	[SITE_DIR] = COL_DIR,
};

static void prepare(struct cmdline *in)
{
	for (size_t i = 0; i < in->ngroups; i++)
		table_show(&in->table, key_columns[in->groups[i]]);
}

static const struct view groups_view = {
	"growth",	    "-d FILE -g module", COLUMNS_OF(group_columns),
	.prepare = prepare, .writes_meta = true, .filters_rows = true
};

const struct view site_diff_view = { "diff",
				     "-d FILE",
				     COLUMNS_OF(columns),
				     .writes_meta = true,
				     .grouped = &groups_view,
				     .filters_rows = true };

/*
 * Tags of one line in one function, from headers, are one site to the file.  Of -g a pair is a
 * group of such sites.
 */
struct pair {
	const struct site *site;
	const char *values[GROUP_KEYS];
	uint64_t sites;
	bool mixed; /* of a group: some sites were added, or removed, others not */
	bool changed;
	bool now, before, unreadable;
	int64_t bytes, old_bytes;
	uint64_t calls, old_calls;
};

struct diff {
	struct site_view *v;
	struct hash_bytes pairs;	 /* of struct pair, by file, line, module and function */
	struct hash_bytes groups, texts; /* of -g: struct pair by values */
	const char *path;
	uint64_t lines, sites; /* of the file */
	uint64_t added, removed;
	bool all;	/* all sites are in this dump, with their names */
	bool shows_all; /* sites that did not change too */
	uint64_t unchanged, unknown;
};

static struct pair *find_pair(struct diff *d, const struct site *s)
{
	char key[IDENTITY];
	bool is_new;
	int len = snprintf(key, sizeof(key), "%s%c%u%c%s%c%s", s->file ? s->file : "", 0, s->line,
			   0, s->module ? s->module : "", 0, s->function ? s->function : "");
	struct hash_bytes_entry *e;
	struct pair *p;

	if (len < 0 || len >= (int)sizeof(key))
		len = sizeof(key) - 1;
	e = hash_bytes_get(&d->pairs, key, len, &is_new);
	if (!e) {
		dump_no_memory(d->v->dump);
		return NULL;
	}
	p = e->value;
	if (!p->site)
		p->site = s;
	return p;
}

/* What the file says of a site, in the command's own memory. */
static struct site *keep(struct dump *d, const struct site *s)
{
	struct site *copy = dump_alloc(d, sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *s;
	copy->file = arena_strdup(d->arena, s->file);
	copy->function = arena_strdup(d->arena, s->function);
	copy->module = arena_strdup(d->arena, s->module);
	if (copy->file && copy->function && copy->module)
		return copy;
	dump_no_memory(d);
	return NULL;
}

static enum status add_before(struct diff *d, const struct site *s)
{
	struct site *copy;
	struct pair *p;

	if (++d->sites > MAX_SITES)
		return dump_fail(d->v->dump, ST_USAGE, "the file '%s' has more than %d sites",
				 d->path, MAX_SITES);
	copy = keep(d->v->dump, s);
	p = copy ? find_pair(d, copy) : NULL;
	if (!p)
		return ST_NOMEM;
	p->before = true;
	p->old_bytes = (uint64_t)p->old_bytes + s->bytes;
	p->old_calls += s->calls;
	return ST_OK;
}

static enum status add_line(void *arg, char *line)
{
	struct diff *d = arg;
	char start[41];
	struct site s;

	d->lines++;
	textfile_start(line, start, sizeof(start));
	switch (allocinfo_parse(line, &s)) {
	case ALLOCINFO_NONE:
		return ST_OK;
	case ALLOCINFO_SITE:
		return add_before(d, &s);
	case ALLOCINFO_OTHER:
		return dump_fail(
			d->v->dump, ST_USAGE,
			"the file '%s' is not a /proc/allocinfo of version 1.0 or 2.0: '%s'",
			d->path, start);
	default:
		return dump_fail(
			d->v->dump, ST_USAGE,
			"line %llu of the file '%s' is not a line of /proc/allocinfo: '%s'",
			(unsigned long long)d->lines, d->path, start);
	}
}

static enum status add_now(struct diff *d, const struct site *s)
{
	struct pair *p = find_pair(d, s);

	if (!p)
		return ST_NOMEM;
	p->site = s;
	p->now = true;
	p->unreadable |= !s->readable;
	d->all &= s->file && s->function && s->module;
	p->bytes = (uint64_t)p->bytes + s->bytes;
	p->calls += s->calls;
	return ST_OK;
}

static enum status add_row(struct diff *d, const struct pair *p)
{
	const struct site *s = p->site;
	struct cell *row = table_add(&d->v->in->table);
	bool known = !p->unreadable && ((p->now && !p->mixed) || d->all);
	/* A site that is on one side alone may be one whose tag or name is not in this dump. */
	bool paired = (p->before && p->now && !p->mixed) || d->all;
	bool was = (p->before && !p->mixed) || paired;

	if (!row)
		return ST_NOMEM;
	row[COL_DIFF] = cell_if(known && paired, cell_int((uint64_t)p->bytes - p->old_bytes));
	row[COL_BYTES] = cell_if(known, cell_int(p->bytes));
	row[COL_BEFORE] = cell_if(was, cell_int(p->old_bytes));
	row[COL_DIFF_CALLS] = cell_if(known && paired, cell_int(p->calls - p->old_calls));
	row[COL_CALLS] = cell_if(known, cell_uint(p->calls));
	row[COL_BEFORE_CALLS] = cell_if(was, cell_uint(p->old_calls));
	row[COL_CHANGE] = cell_text(p->mixed || !paired ? NULL
				    : !p->before	? "added"
				    : !p->now		? "removed"
							: NULL);
	row[COL_SITES] = cell_uint(p->sites);
	for (size_t i = 0; i < d->v->in->ngroups; i++)
		row[key_columns[d->v->in->groups[i]]] = cell_text(p->values[i]);
	if (d->v->in->ngroups && p->sites > 1)
		return ST_OK;
	row[COL_SITE] = cell_text(site_location(d->v->dump, s));
	row[COL_LINE] = cell_uint(s->line);
	if (d->v->in->ngroups)
		return ST_OK;
	row[COL_FUNCTION] = cell_text(s->function);
	row[COL_MODULE] = cell_text(s->module);
	row[COL_FILE] = cell_text(s->file);
	row[COL_DIR] = cell_text(site_text(d->v->dump, &d->v->tags, s, SITE_DIR));
	return ST_OK;
}

static enum status add_to_group(struct diff *d, const struct pair *p)
{
	const struct cmdline *in = d->v->in;
	const char *values[GROUP_KEYS] = { NULL };
	struct hash_bytes_entry *e;
	struct pair *g;
	bool is_new;

	for (size_t i = 0; i < in->ngroups; i++)
		values[i] = intern(&d->texts,
				   site_text(d->v->dump, &d->v->tags, p->site, in->groups[i]));
	e = hash_bytes_get(&d->groups, values, sizeof(values), &is_new);
	if (!e)
		return dump_no_memory(d->v->dump);
	g = e->value;
	memcpy(g->values, values, sizeof(values));
	g->mixed |= !is_new && (g->now != p->now || g->before != p->before);
	g->site = p->site;
	g->sites++;
	g->now |= p->now;
	g->before |= p->before;
	g->unreadable |= p->unreadable;
	g->changed |= p->changed;
	g->bytes = (uint64_t)g->bytes + p->bytes;
	g->old_bytes = (uint64_t)g->old_bytes + p->old_bytes;
	g->calls += p->calls;
	g->old_calls += p->old_calls;
	return ST_OK;
}

static bool is_unchanged(const struct pair *p)
{
	return p->now && p->before && !p->unreadable && p->bytes == p->old_bytes &&
	       p->calls == p->old_calls;
}

/* Filters look at a site as it is now, of a removed one as it was. */
static enum status fill_table(struct diff *d)
{
	struct site_view *v = d->v;
	const struct opts *o = &v->in->opts;
	enum status st = ST_OK;

	d->shows_all = o->json || (o->has_rows && !o->rows);
	for (struct hash_bytes_entry *e = d->pairs.first; e && st == ST_OK; e = e->next) {
		struct pair *p = e->value;

		if (!site_view_keeps(v, p->site))
			continue;
		p->sites = 1;
		p->changed = !is_unchanged(p);
		d->added += !p->before;
		d->removed += !p->now;
		d->unknown += p->unreadable;
		d->unchanged += !p->changed;
		if (v->in->ngroups)
			st = add_to_group(d, p);
		else if (d->shows_all || p->changed)
			st = add_row(d, p);
	}
	for (struct hash_bytes_entry *e = d->groups.first; e && st == ST_OK; e = e->next)
		if (d->shows_all || ((struct pair *)e->value)->changed)
			st = add_row(d, e->value);
	table_filter(&v->in->table, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(&v->in->table, v->in->opts.sort ? v->in->opts.sort : "diff_bytes",
				v->in->opts.reverse);
	return st;
}

/* A site of vmlinux that is in the file alone: of one build none can be, modules come and go. */
static void warn_other_build(struct diff *d)
{
	uint64_t of = 0, gone = 0;
	char n[UNITS_BYTES], all[UNITS_PLURAL];

	for (struct hash_bytes_entry *e = d->pairs.first; e; e = e->next) {
		const struct pair *p = e->value;
		bool is_of_kernel = p->before && !strcmp(p->site->module, "vmlinux");

		of += is_of_kernel;
		gone += is_of_kernel && !p->now;
	}
	if (!d->all || !gone)
		return;
	units_count(n, gone);
	report_warn(&d->v->report,
		    "'%s' is of another kernel: %s of its %s of vmlinux are not in this one",
		    d->path, n, units_plural(all, of, "site", "sites"));
}

static void put_unchanged(struct diff *d)
{
	bool none = d->all && !d->unknown && d->unchanged == d->v->kept;
	char n[UNITS_PLURAL];

	if (!d->unchanged)
		return;
	sink_printf(d->v->out, "%s%s the same bytes and calls as in the file%s\n",
		    none ? "no site changed: " : "",
		    units_plural(n, d->unchanged, "site has", "sites have"),
		    d->shows_all || none ? ""
		    : d->unchanged == 1	 ? " and is not shown (-n 0 shows all)"
					 : " and are not shown (-n 0 shows all)");
}

static void put_totals(struct diff *d, size_t shown)
{
	const struct table *t = &d->v->in->table;
	char size[UNITS_BYTES], added[UNITS_PLURAL];
	int64_t growth = 0;

	report_rest(&d->v->report, t->n - shown, d->v->in->ngroups ? "group" : "site",
		    d->v->in->ngroups ? "groups" : "sites", NULL);
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i][COL_DIFF].kind == CELL_INT)
			growth = (int64_t)((uint64_t)growth + t->rows[i][COL_DIFF].i);
	put_unchanged(d);
	if (!d->all) {
		sink_text(d->v->out,
			  "total, and sites added or removed, unknown: tags or names of sites are "
			  "not in this dump\n");
		return;
	}
	units_size(size, growth < 0 ? -(uint64_t)growth : (uint64_t)growth);
	sink_printf(d->v->out,
		    "%s %s in total, slab pages and their objects both counted; "
		    "%s added, %llu removed\n",
		    size, growth < 0 ? "less" : "more",
		    units_plural(added, d->added, "site", "sites"), (unsigned long long)d->removed);
}

enum status site_diff(struct site_view *v)
{
	struct diff d = { .v = v, .path = v->in->opts.diff, .all = !v->tags.problem };
	enum status st;
	size_t shown;

	hash_bytes_init(&d.pairs, v->dump->arena, sizeof(struct pair));
	hash_bytes_init(&d.groups, v->dump->arena, sizeof(struct pair));
	hash_bytes_init(&d.texts, v->dump->arena, 0);
	st = textfile_read(v->dump, d.path, add_line, &d);
	if (st == ST_OK && !d.sites)
		st = dump_fail(v->dump, ST_USAGE,
			       "the file '%s' contains no site of /proc/allocinfo", d.path);
	for (size_t i = 0; i < v->tags.n && st == ST_OK; i++)
		st = add_now(&d, &v->tags.sites[i]);
	if (st == ST_OK)
		st = fill_table(&d);
	if (st != ST_OK)
		return st;
	report_meta(&v->report);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	if (!v->report.json)
		put_totals(&d, shown);
	warn_other_build(&d);
	site_view_end(v);
	return ST_OK;
}
