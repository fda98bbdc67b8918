// SPDX-License-Identifier: GPL-2.0-or-later
#include "sites.h"

/* What a row shows: a site, or with -g the sum of some. */
struct site_row {
	struct row_group keys;
	struct site site;	/* zero of a group */
	bool is_site, is_known; /* known: the counters of each could be read */
	int64_t bytes;
	uint64_t calls, sites;
};

#define ROW struct site_row
#define VIEW struct site_view

/* A share of a whole in tenths of a percent. */
static struct cell share(const struct site_row *r, bool is_whole, int64_t whole)
{
	if (!r->is_known || r->bytes < 0 || !is_whole || whole <= 0)
		return cell_text(NULL);
	return cell_uint(units_tenths(r->bytes, whole));
}

CELL_FROM(avg_cell, ROW,
	  r->is_known && r->calls && r->calls <= INT64_MAX ? cell_int(r->bytes / (int64_t)r->calls)
							   : cell_text(NULL))
CELL_WITH(total_cell, ROW, VIEW, share(r, v->sums.whole, v->sums.bytes))
CELL_WITH(ram_cell, ROW, VIEW,
	  share(r, true, (int64_t)(ram_base(&v->ram) * dump_page_size(v->dump))))
CELL_WITH(location_cell, ROW, VIEW, cell_text(r->is_site ? site_location(v->dump, &r->site) : NULL))
CELL_WITH(dir_cell, ROW, VIEW, site_dir_cell(&r->site, v))
CELL_WITH(accurate_cell, ROW, VIEW, r->is_site ? site_accurate_cell(&r->site, v) : cell_text(NULL))
CELL_FROM(loaded_cell, ROW, cell_if(r->site.loaded || r->site.unloaded, cell_bool(r->site.loaded)))

CAN_HAVE(has_calls, ROW, VIEW, !r->is_known || r->calls)
CAN_HAVE(is_site, ROW, VIEW, r->is_site)

/* site: of what each call site has; group: of what is shown by itself for groups (-g) only. */
#define SITE_COLUMNS(site_only, in_text, in_json, group)                                           \
	{                                                                                          \
		{ COLUMN_bytes, IN_BOTH | SIGNED, "allocated and not freed",                       \
		  INT_IF(ROW, bytes, is_known) },                                                  \
			{ COLUMN_calls, IN_BOTH, UINT_IF(ROW, calls, is_known) },                  \
			{ COLUMN_avg, IN_TEXT | (group), .can_have = has_calls,                    \
			  CELL_BY(avg_cell) },                                                     \
			{ COLUMN_total_percent, 0, CELL_BY(total_cell) },                          \
			{ COLUMN_ram_percent, IN_TEXT, CELL_BY(ram_cell) },                        \
			{ COLUMN_sites, KNOWN | (group), UINT_OF(ROW, sites) },                    \
			{ COLUMN_function, (in_text) | (in_json), TEXT_OF(ROW, site.function) },   \
			{ COLUMN_module, (in_text) | (in_json), .width = 16,                       \
			  TEXT_OF(ROW, site.module) },                                             \
			{ COLUMN_site, in_text, "file:line", .can_have = is_site,                  \
			  CELL_BY(location_cell) },                                                \
			{ COLUMN_dir, 0, CELL_BY(dir_cell) },                                      \
			{ COLUMN_file, in_json, TEXT_OF(ROW, site.file) },                         \
			{ COLUMN_line, (in_json) | (site_only), .can_have = is_site,               \
			  UINT_IF(ROW, site.line, is_site) },                                      \
			{ COLUMN_accurate, in_json, .can_have = is_site, CELL_BY(accurate_cell) }, \
			{ COLUMN_loaded, (in_json) | (site_only), CELL_BY(loaded_cell) },          \
			{ COLUMN_tag, (in_json) | (site_only), .can_have = is_site,                \
			  HEX_IF(ROW, site.tag, is_site) },                                        \
			BASIS(recorded),                                                           \
	}

static const struct view_column columns[] = SITE_COLUMNS(KNOWN, IN_TEXT, IN_JSON, 0);
static const struct view_column group_columns[] = SITE_COLUMNS(0, 0, 0, IN_BOTH);

/* The keys stand behind the sums. */
static void prepare(struct cmdline *in)
{
	table_show(&in->table, COLUMN_avg);
	table_show(&in->table, COLUMN_sites);
	cmdline_show_keys(in);
}

/* Groups have rows of their own kind, and so a name of their own. */
static const struct view groups_view = { "groups", "-g module", COLUMNS_OF(group_columns),
					 .prepare = prepare,
					 ROWS_ARE("group", "groups", "bytes", 10) };

const struct view site_list_view = { "sites", "", COLUMNS_OF(columns), .grouped = &groups_view,
				     ROWS_ARE("site", "sites", "bytes", 10) };

const char *site_location(struct dump *d, const struct site *s)
{
	return dump_text(d, "%s:%u", s->file ?: "?", s->line);
}

bool site_view_keeps(struct site_view *v, const struct site *s)
{
	bool keeps = rows_keep_member(v->in, COLUMNS(site_columns), s, v);

	v->kept += keeps;
	return keeps;
}

static void add_site(struct site_view *v, const struct site *s)
{
	const struct site_row row = { .site = *s,
				      .is_site = true,
				      .is_known = s->readable,
				      .bytes = s->bytes,
				      .calls = s->calls,
				      .sites = 1 };

	row_add(&v->in->table, &row, v);
}

static void add_to_group(struct site_view *v, struct row_groups *groups, const struct site *s)
{
	bool is_new;
	struct site_row *g = row_groups_get(groups, v->in, COLUMNS(site_columns), s, v, &is_new);

	g->sites++;
	g->is_known = (is_new || g->is_known) && s->readable;
	g->bytes = (uint64_t)g->bytes + s->bytes;
	g->calls += s->calls;
}

static void add_rows(struct site_view *v)
{
	struct row_groups groups;

	row_groups_init(&groups, v->dump, sizeof(struct site_row));
	for (const struct site *s = v->tags.sites; s < v->tags.sites + v->tags.n; s++) {
		if (!site_view_keeps(v, s))
			continue;
		if (v->in->ngroups)
			add_to_group(v, &groups, s);
		else
			add_site(v, s);
	}
	for (struct hash_bytes_entry *e = groups.groups.first; e; e = e->next)
		row_add_group(v->in, e->value, v);
}

void site_view_sums(struct site_view *v)
{
	struct site_sums sums;

	site_sums_read(&v->tags, &sums);
	if (v->report.json || !sums.named || sums.bytes < 0 || sums.slab_pages < 0 ||
	    sums.percpu_pages < 0)
		return;
	sink_printf(v->out,
		    "all sites %s; %s without pages counted again as objects: "
		    "slabs %s, per-CPU %s\n",
		    SIZE_TEXT(sums.bytes), SIZE_TEXT(site_sums_once(&sums)),
		    SIZE_TEXT(sums.slab_pages), SIZE_TEXT(sums.percpu_pages));
}

static bool are_parts(const struct site_view *v)
{
	return cmdline_cuts_groups(v->in) && v->kept < v->tags.n;
}

/* The coverage line of a list of sites. */
static void put_coverage(struct site_view *v)
{
	if (v->in->filters.n)
		sink_printf(v->out, "%s of ", COUNT_TEXT(v->kept));
	sink_printf(v->out, "%s, %s unreadable; summed over %s\n", COUNT_OF(v->tags.n, "site"),
		    COUNT_TEXT(v->tags.unreadable), COUNT_OF(v->tags.cpus, "possible CPU"));
	report_groups_kept(&v->report, are_parts(v), "site", "sites");
}

void site_view_end(struct site_view *v)
{
	const struct codetags *tags = &v->tags;
	struct report *r = &v->report;
	char name[MODULE_NAME];
	/* Up to 6.12 the tags of a module that was unloaded with memory in use are not listed. */
	bool is_unlisted = !tags->lists_unloaded && tags->sites &&
			   modules_last_unloaded(v->dump, name) == ST_OK;
	const struct gap gaps[] = {
		GAP_WHY("some alloc tags may be missing: %s", tags->problem),
		{ "the counters of %s are not in this dump", tags->unreadable, "site", "sites" },
		{ "%s", tags->unloaded, "site belongs to a module that is not loaded",
		  "sites belong to modules that are not loaded", .is_note = true },
		{ "this kernel does not list the sites of unloaded modules (last unloaded: %s); "
		  "allocprof -C shows references to them",
		  is_unlisted, .why = name, .is_note = true },
		{ "the counters of %s are unknown: this kernel freed them with their module",
		  tags->stale, "site", "sites", .is_note = true },
		{ "the names of %s are not in this dump", tags->unnamed, "site", "sites" },
	};

	REPORT_GAPS(r, gaps);
	if (r->json)
		report_groups_kept(r, are_parts(v), "site", "sites");
	report_end(r, NULL, true);
	if (!r->json)
		put_coverage(v);
}

enum status site_list(struct site_view *v)
{
	site_sums_read(&v->tags, &v->sums);
	ram_open(v->dump, &v->ram);
	if (v->ram.derived)
		report_warn(&v->report, "%s", v->ram.derived);
	add_rows(v);
	rows_show(&v->report, v->in);
	site_view_sums(v);
	site_view_end(v);
	return ST_OK;
}

/* Functions that allocate pages which are then given out in parts; each part is charged again. */
static const struct {
	const char *function;
	size_t member; /* of struct site_sums */
} holders[] = {
	{ "alloc_slab_page", offsetof(struct site_sums, slab_pages) },	   /* mm/slub.c */
	{ "pcpu_alloc_pages", offsetof(struct site_sums, percpu_pages) },  /* mm/percpu-vm.c */
	{ "pcpu_create_chunk", offsetof(struct site_sums, percpu_pages) }, /* mm/percpu-km.c */
};

static void add_held(struct site_sums *s, const struct site *site)
{
	for (size_t i = 0; i < ARRAY_SIZE(holders); i++)
		if (site->function && !site->in_module &&
		    !strcmp(site->function, holders[i].function)) {
			int64_t *sum = (int64_t *)((char *)s + holders[i].member);

			*sum = (int64_t)((uint64_t)*sum + site->bytes);
		}
}

void site_sums_read(const struct codetags *tags, struct site_sums *ret)
{
	struct site_sums s = { .whole = !tags->unreadable && !tags->stale && !tags->problem };

	s.named = s.whole;
	for (size_t i = 0; i < tags->n; i++) {
		const struct site *site = &tags->sites[i];

		s.named &= site->in_module || site->function;
		s.inaccurate += site->flags & SITE_INACCURATE;
		if (!site->readable)
			continue;
		s.bytes = (int64_t)((uint64_t)s.bytes + site->bytes);
		s.calls += site->calls;
		s.negative += site->bytes < 0;
		add_held(&s, site);
	}
	*ret = s;
}
