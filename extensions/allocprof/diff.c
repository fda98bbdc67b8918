// SPDX-License-Identifier: GPL-2.0-or-later
/* The sites at the panic beside a saved /proc/allocinfo. */

#include "allocinfo.h"
#include "cli/baseline.h"
#include "cli/textfile.h"
#include "sites.h"

#define MAX_SITES 1000000 /* as in lib/alloctag: a kernel has some 10,000 */
#define IDENTITY 4096

/*
 * Tags of one line in one function, from headers, are one site to the file.  Of -g a pair is a
 * group of such sites.
 */
struct pair {
	struct row_group keys;
	const struct site *site;
	uint64_t sites;
	bool mixed; /* of a group: some sites were added, or removed, others not */
	bool changed;
	bool now, before, unreadable;
	int64_t bytes, old_bytes;
	uint64_t calls, old_calls;
};

struct diff {
	struct site_view *v;
	struct hash_bytes pairs;  /* of struct pair, by file, line, module and function */
	struct row_groups groups; /* of -g: struct pair */
	const char *path;
	uint64_t lines, sites, begins; /* of the file */
	uint64_t added, removed;
	bool all;	/* all sites are in this dump, with their names */
	bool shows_all; /* sites that did not change too */
	uint64_t unchanged, unknown;
};

/* Whether the counters of today are known. */
static bool knows_now(const struct diff *d, const struct pair *p)
{
	return !p->unreadable && ((p->now && !p->mixed) || d->all);
}

/* A site that is on one side alone may be one whose tag or name is not in this dump. */
static bool is_paired(const struct diff *d, const struct pair *p)
{
	return (p->before && p->now && !p->mixed) || d->all;
}

static bool knows_before(const struct diff *d, const struct pair *p)
{
	return (p->before && !p->mixed) || is_paired(d, p);
}

/* Of a group only what is the same of each of its sites. */
static bool is_one(const struct diff *d, const struct pair *p)
{
	return !d->v->in->ngroups || p->sites == 1;
}

#define ROW struct pair
#define VIEW struct diff

CELL_WITH(diff_cell, ROW, VIEW,
	  cell_if(knows_now(v, r) && is_paired(v, r), cell_int((uint64_t)r->bytes - r->old_bytes)))
CELL_WITH(bytes_cell, ROW, VIEW, cell_if(knows_now(v, r), cell_int(r->bytes)))
CELL_WITH(before_cell, ROW, VIEW, cell_if(knows_before(v, r), cell_int(r->old_bytes)))
CELL_WITH(diff_calls_cell, ROW, VIEW,
	  cell_if(knows_now(v, r) && is_paired(v, r), cell_int(r->calls - r->old_calls)))
CELL_WITH(calls_cell, ROW, VIEW, cell_if(knows_now(v, r), cell_uint(r->calls)))
CELL_WITH(before_calls_cell, ROW, VIEW, cell_if(knows_before(v, r), cell_uint(r->old_calls)))

static const char *change_of(const struct diff *d, const struct pair *p)
{
	int64_t more;

	if (!is_paired(d, p))
		return NULL;
	if (!p->mixed && (!p->before || !p->now))
		return p->now ? "added" : "removed";
	if (!knows_now(d, p))
		return NULL;
	more = (int64_t)((uint64_t)p->bytes - (uint64_t)p->old_bytes);
	if (!more)
		more = (int64_t)(p->calls - p->old_calls);
	return more > 0 ? "grown" : more < 0 ? "shrunk" : "same";
}

CELL_WITH(change_cell, ROW, VIEW, cell_text(change_of(v, r)))
CELL_WITH(location_cell, ROW, VIEW,
	  cell_text(is_one(v, r) ? site_location(v->v->dump, r->site) : NULL))
CELL_WITH(line_cell, ROW, VIEW, cell_if(is_one(v, r), cell_uint(r->site->line)))
CELL_WITH(dir_cell, ROW, VIEW, site_dir_cell(r->site, v->v))

static const char *const changes[] = { "grown", "shrunk", "same", "added", "removed", NULL };

#define DIFF_COLUMNS(CHANGE_NOTE)                                                             \
	{ COLUMN_diff_bytes, IN_BOTH, CELL_BY(diff_cell) },                                   \
		{ COLUMN_bytes, IN_BOTH | SIGNED, "now", CELL_BY(bytes_cell) },               \
		{ COLUMN_before_bytes, IN_BOTH, CELL_BY(before_cell) },                       \
		{ COLUMN_diff_calls, IN_BOTH, CELL_BY(diff_calls_cell) },                     \
		{ COLUMN_calls, IN_JSON, "now", CELL_BY(calls_cell) },                        \
		{ COLUMN_before_calls, IN_JSON, CELL_BY(before_calls_cell) },                 \
	{                                                                                     \
		COLUMN_change, IN_BOTH, CHANGE_NOTE, .choices = changes, CELL_BY(change_cell) \
	}

static const struct view_column columns[] = {
	DIFF_COLUMNS(NULL),
	{ COLUMN_sites, KNOWN, "with this file, line and function", UINT_OF(ROW, sites) },
	{ COLUMN_function, IN_BOTH, .width = 26, VIA(TEXT, ROW, site, function) },
	{ COLUMN_module, IN_BOTH, .width = 12, VIA(TEXT, ROW, site, module) },
	{ COLUMN_site, IN_TEXT, "file:line", 28, CELL_BY(location_cell) },
	{ COLUMN_file, IN_JSON, VIA(TEXT, ROW, site, file) },
	{ COLUMN_line, IN_JSON | KNOWN, CELL_BY(line_cell) },
	{ COLUMN_dir, 0, CELL_BY(dir_cell) },
	BASIS(recorded),
};

static const struct view_column group_columns[] = {
	DIFF_COLUMNS("added, removed: each site of the group is"),
	{ COLUMN_sites, IN_BOTH | KNOWN, "now or in the file", UINT_OF(ROW, sites) },
	{ COLUMN_function, 0 },
	{ COLUMN_module, 0 },
	{ COLUMN_site, 0, "file:line, of a group of one site", CELL_BY(location_cell) },
	{ COLUMN_file, 0 },
	{ COLUMN_line, 0, "of a group of one site", CELL_BY(line_cell) },
	{ COLUMN_dir, 0 },
	BASIS(recorded),
};

static const struct view groups_view = { "growth",
					 "-d FILE -g module",
					 COLUMNS_OF(group_columns),
					 .prepare = cmdline_show_keys,
					 .writes_meta = true,
					 ROWS_ARE("group", "groups", "diff_bytes", 10) };

/* What -j said of another dump: lines of source move, functions keep their names. */
static const struct baseline baseline = {
	.by = { { COLUMN_function, COLUMN_module } },
	.amounts = { { COLUMN_bytes } },
	.counts = { { COLUMN_calls } },
	.many = "allocations",
	.passes_groups = true,
	.overlap = "slab pages and their objects are both counted",
};

static const struct key baseline_keys[] = {
	BASELINE_KEY(COLUMN_function, "function that allocates"),
	BASELINE_KEY(COLUMN_module, "module of the site"),
	BASELINE_KEY(COLUMN_file, "source file"),
	BASELINE_KEY(COLUMN_dir, "its directory"),
};

static const struct view baseline_view = { BASELINE_OF_JSON(baseline, "site", "sites"),
					   KEYS_OF(baseline_keys) };

const struct view site_diff_view = { "diff",
				     "-d FILE",
				     COLUMNS_OF(columns),
				     .writes_meta = true,
				     .grouped = &groups_view,
				     .of_json = &baseline_view,
				     ROWS_ARE("site", "sites", "diff_bytes", 10) };

static struct pair *find_pair(struct diff *d, const struct site *s)
{
	char key[IDENTITY];
	int len = snprintf(key, sizeof(key), "%s%c%u%c%s%c%s", s->file ?: "", 0, s->line, 0,
			   s->module ?: "", 0, s->function ?: "");
	struct pair *p;

	if (len < 0 || len >= (int)sizeof(key))
		len = sizeof(key) - 1;
	p = hash_bytes_get(&d->pairs, key, len, NULL)->value;
	if (!p->site)
		p->site = s;
	return p;
}

/* What the file says of a site, in the command's own memory. */
static struct site *keep(struct dump *d, const struct site *s)
{
	struct site *copy = dump_alloc(d, sizeof(*copy));

	*copy = *s;
	copy->file = dump_strdup(d, s->file);
	copy->function = dump_strdup(d, s->function);
	copy->module = dump_strdup(d, s->module);
	return copy;
}

static enum status add_before(struct diff *d, const struct site *s)
{
	struct pair *p;

	if (++d->sites > MAX_SITES)
		return dump_usage(d->v->dump, "the file '%s' has more than %d sites", d->path,
				  MAX_SITES);
	p = find_pair(d, keep(d->v->dump, s));
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
	case ALLOCINFO_BEGIN:
		/* A second text behind the first would count for what there was before. */
		return d->begins++ ? dump_usage(d->v->dump,
						"line %lu of the file '%s': it has more than one "
						"/proc/allocinfo",
						d->lines, d->path)
				   : ST_OK;
	case ALLOCINFO_SITE:
		return add_before(d, &s);
	case ALLOCINFO_OTHER:
		return dump_usage(
			d->v->dump,
			"the file '%s' is not a /proc/allocinfo of version 1.0 or 2.0: '%s'",
			d->path, start);
	default:
		return dump_usage(
			d->v->dump,
			"line %lu of the file '%s' is not a line of /proc/allocinfo: '%s'",
			d->lines, d->path, start);
	}
}

static void add_now(struct diff *d, const struct site *s)
{
	struct pair *p = find_pair(d, s);

	p->site = s;
	p->now = true;
	p->unreadable |= !s->readable;
	d->all &= s->file && s->function && s->module;
	p->bytes = (uint64_t)p->bytes + s->bytes;
	p->calls += s->calls;
}

static void add_to_group(struct diff *d, const struct pair *p)
{
	bool is_new;
	struct pair *g = row_groups_get(&d->groups, d->v->in, COLUMNS(site_columns), p->site, d->v,
					&is_new);

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
}

static bool is_unchanged(const struct pair *p)
{
	return p->now && p->before && !p->unreadable && p->bytes == p->old_bytes &&
	       p->calls == p->old_calls;
}

/* Filters look at a site as it is now, of a removed one as it was. */
static void fill_table(struct diff *d)
{
	struct site_view *v = d->v;
	const struct opts *o = &v->in->opts;

	d->shows_all = o->json || (o->has_rows && !o->rows);
	hash_bytes_for_each(struct pair, p, &d->pairs) {
		if (!site_view_keeps(v, p->site))
			continue;
		p->sites = 1;
		p->changed = !is_unchanged(p);
		d->added += !p->before;
		d->removed += !p->now;
		d->unknown += p->unreadable;
		d->unchanged += !p->changed;
		if (v->in->ngroups)
			add_to_group(d, p);
		else if (d->shows_all || p->changed)
			row_add(&v->in->table, p, d);
	}
	for (struct hash_bytes_entry *e = d->groups.groups.first; e; e = e->next)
		if (d->shows_all || ((struct pair *)e->value)->changed)
			row_add_group(v->in, e->value, d);
	rows_sort(v->in);
}

/* A site of vmlinux that is in the file alone: of one build none can be, modules come and go. */
static void warn_other_build(struct diff *d)
{
	uint64_t of = 0, gone = 0, now = 0, missing = 0;

	if (!d->all)
		return;
	hash_bytes_for_each(const struct pair, p, &d->pairs) {
		const bool is_of_kernel = !strcmp(p->site->module, "vmlinux");

		of += is_of_kernel && p->before;
		gone += is_of_kernel && p->before && !p->now;
		now += is_of_kernel && p->now;
		missing += is_of_kernel && p->now && !p->before;
	}
	/* The file has each site, whatever it has allocated. */
	if (missing && !gone)
		report_warn(
			&d->v->report,
			"'%s' is not all of /proc/allocinfo: %s of the %s of vmlinux are not in it, and what it lacks is told as added",
			d->path, COUNT_TEXT(missing), COUNT_OF(now, "site"));
	if (!gone)
		return;
	report_warn(&d->v->report,
		    "'%s' is of another kernel: %s of its %s of vmlinux are not in this one",
		    d->path, COUNT_TEXT(gone), COUNT_OF(of, "site"));
}

static void put_unchanged(struct diff *d)
{
	bool none = d->all && !d->unknown && d->unchanged == d->v->kept;

	if (d->unchanged)
		sink_printf(d->v->out, "%s%s the same bytes and calls as in the file%s\n",
			    none ? "no site changed: " : "",
			    PLURAL_TEXT(d->unchanged, "site has", "sites have"),
			    d->shows_all || none ? ""
			    : d->unchanged == 1	 ? " and is not shown (-n 0 shows all)"
						 : " and are not shown (-n 0 shows all)");
}

static void put_totals(struct diff *d, size_t shown)
{
	const struct table *t = &d->v->in->table;
	const struct view *view = d->v->in->shown;
	size_t diff = table_index(t, COLUMN_diff_bytes);
	int64_t growth = 0;

	report_rest(&d->v->report, t->n - shown, view->row, view->many, NULL);
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i][diff].kind == CELL_INT)
			growth = (int64_t)((uint64_t)growth + t->rows[i][diff].i);
	put_unchanged(d);
	if (!d->all) {
		sink_text(d->v->out,
			  "total, and sites added or removed, unknown: tags or names of sites are "
			  "not in this dump\n");
		return;
	}
	sink_printf(d->v->out,
		    "%s %s in total, slab pages and their objects both counted; "
		    "%s added, %lu removed\n",
		    SIZE_TEXT(growth < 0 ? -(uint64_t)growth : (uint64_t)growth),
		    growth < 0 ? "less" : "more", COUNT_OF(d->added, "site"), d->removed);
}

enum status site_diff(struct site_view *v)
{
	struct diff d = { .v = v, .path = v->in->opts.diff, .all = !v->tags.problem };
	enum status st;
	size_t shown;

	hash_bytes_init(&d.pairs, v->dump->arena, sizeof(struct pair));
	row_groups_init(&d.groups, v->dump, sizeof(struct pair));
	st = textfile_read(v->dump, d.path, add_line, &d);
	if (st == ST_OK && !d.sites)
		st = dump_usage(v->dump, "the file '%s' contains no site of /proc/allocinfo",
				d.path);
	for (size_t i = 0; i < v->tags.n && st == ST_OK; i++)
		add_now(&d, &v->tags.sites[i]);
	if (st != ST_OK)
		return st;
	fill_table(&d);
	report_meta(&v->report);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, v->in->shown->rows);
	if (!v->report.json)
		put_totals(&d, shown);
	warn_other_build(&d);
	site_view_end(v);
	return ST_OK;
}
