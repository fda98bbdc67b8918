// SPDX-License-Identifier: GPL-2.0-or-later
/* Comparison of two scans: groups with the same text of all keys are the same. */
#include <stdio.h>
#include <string.h>

#include "diff_match.h"
#include "scan_read.h"
#include "util/units.h"
#include "view.h"

#define DEFAULT_ROWS 10

enum {
	COL_RANK,
	COL_DIFF_BYTES,
	COL_DIFF,
	COL_PAGES,
	COL_BEFORE,
	COL_HANDLE,
	COL_CALLER,
	COL_MODULE,
	COL_TGID,
	COL_COMM,
	COL_ORDER,
	COL_GFP,
	COL_STACK,
	COLUMNS
};

#define ONE_STACK "null: the group has more than one stack"

static const struct view_column columns[COLUMNS] = {
	[COL_RANK] = { COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	[COL_DIFF_BYTES] = { COLUMN_diff_bytes, IN_BOTH | KNOWN },
	[COL_DIFF] = { COLUMN_diff_pages, IN_BOTH | KNOWN },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN, "now" },
	[COL_BEFORE] = { COLUMN_before_pages, IN_BOTH | KNOWN },
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH, ONE_STACK },
	[COL_CALLER] = { COLUMN_caller, 0, "with -g caller" },
	[COL_MODULE] = { COLUMN_module, 0, "with -g module" },
	[COL_TGID] = { COLUMN_tgid, 0, "with -g tgid" },
	[COL_COMM] = { COLUMN_comm, 0, "with -g comm" },
	[COL_ORDER] = { COLUMN_order, 0, "with -g order" },
	[COL_GFP] = { COLUMN_gfp, 0, "with -g gfp" },
	[COL_STACK] = { COLUMN_stack, IN_BOTH, ONE_STACK },
};

static const struct {
	enum owner_key key;
	unsigned int column;
} key_columns[] = {
	{ KEY_CALLER, COL_CALLER }, { KEY_MODULE, COL_MODULE }, { KEY_TGID, COL_TGID },
	{ KEY_COMM, COL_COMM },	    { KEY_ORDER, COL_ORDER },	{ KEY_GFP, COL_GFP },
};

#define NKEYS (sizeof(key_columns) / sizeof(key_columns[0]))

static void prepare(struct cmdline *in)
{
	bool by_stack = !in->ngroups;

	for (size_t i = 0; i < in->ngroups; i++) {
		by_stack |= in->groups[i] == KEY_STACK;
		for (size_t k = 0; k < NKEYS; k++)
			if (key_columns[k].key == in->groups[i])
				table_show(&in->table, key_columns[k].column);
	}
	if (by_stack || in->opts.json)
		return;
	table_hide(&in->table, COL_HANDLE);
	table_hide(&in->table, COL_STACK);
}

const struct view owner_diff_view = { "diff", "-d FILE", COLUMNS_OF(columns), .prepare = prepare,
				      .filters_rows = true };

struct diff {
	struct owner_view *now, *before;
	struct owner_groups *groups; /* now */
	struct owner_match match;
	bool shows_all; /* groups that did not change too */
	uint64_t groups_total, unchanged;
};

static enum status add_row(struct diff *d, const struct owner_pair *p)
{
	const struct owner_group *g = p->now ? p->now : p->before;
	struct owner_view *v = p->now ? d->now : d->before;
	int64_t now = p->now ? p->now->pages << d->now->page_shift : 0;
	int64_t before = p->before ? p->before->pages << d->before->page_shift : 0;
	struct cell *row = table_add(&d->now->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_PAGES] = cell_uint(p->now ? p->now->pages : 0);
	row[COL_BEFORE] = cell_uint(p->before ? p->before->pages : 0);
	row[COL_DIFF] = cell_int((int64_t)row[COL_PAGES].u - (int64_t)row[COL_BEFORE].u);
	row[COL_DIFF_BYTES] = cell_int(now - before);
	row[COL_HANDLE] = cell_if(p->now && g->one_stack && g->handle && owner_has_handles(v),
				  cell_hex(g->handle));
	if (g->one_stack && g->handle)
		row[COL_STACK] = cell_stack(
			stack_cache_frames(&v->stacks, stack_cache_get(&v->stacks, g->handle)));
	for (size_t i = 0; i < d->groups->nkeys; i++)
		for (size_t k = 0; k < NKEYS; k++)
			if (key_columns[k].key == d->groups->keys[i])
				row[key_columns[k].column] = owner_value_cell(v, d->groups->keys[i],
									      g->keys[i]);
	return ST_OK;
}

static bool is_unchanged(const struct diff *d, const struct owner_pair *p)
{
	uint64_t now = p->now ? p->now->pages << d->now->page_shift : 0;
	uint64_t before = p->before ? p->before->pages << d->before->page_shift : 0;

	return now == before;
}

static enum status fill_table(struct diff *d)
{
	const struct opts *o = &d->now->in->opts;
	struct table *t = &d->now->in->table;
	enum status st = ST_OK;

	d->shows_all = o->json || (o->has_rows && !o->rows);
	for (struct hash_bytes_entry *e = d->match.pairs.first; e && st == ST_OK; e = e->next) {
		const struct owner_pair *p = e->value;
		bool same = is_unchanged(d, p);

		if (!p->now && !p->before)
			continue;
		d->groups_total++;
		d->unchanged += same;
		if (!same || d->shows_all)
			st = add_row(d, p);
	}
	table_filter(t, &d->now->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "diff_bytes", o->reverse);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][COL_RANK] = cell_uint(i + 1);
	return st;
}

static enum status check_keys(const struct owner_view *v)
{
	const struct cmdline *in = v->in;

	for (size_t i = 0; i < in->ngroups; i++) {
		size_t k = 0;

		while (k < NKEYS && key_columns[k].key != in->groups[i])
			k++;
		if (k == NKEYS && in->groups[i] != KEY_STACK)
			return dump_fail(v->dump, ST_USAGE, "%s: not part of a saved scan",
					 key_name(&owner_keys[in->groups[i]]));
	}
	return ST_OK;
}

/* A group and a filter apply to both scans, or their effect would look like growth. */
static enum status check_before(struct owner_view *before)
{
	const struct cmdline *in = before->in;
	enum status st = ST_OK;

	for (size_t i = 0; i < in->ngroups && st == ST_OK; i++)
		st = owner_key_check(before, in->groups[i]);
	for (unsigned int i = 0; i < in->filters.n && st == ST_OK; i++)
		st = owner_key_check(before, in->filters.filters[i].key);
	return st;
}

static bool is_whole(const struct scan_stats *cov)
{
	return !cov->unreadable && !cov->undecodable;
}

/* "no group changed: 471 groups have as many pages as in the saved scan" */
static void put_unchanged(struct diff *d, const struct scan_stats *now,
			  const struct scan_stats *before)
{
	bool whole = is_whole(now) && is_whole(before) && !d->now->dump->interrupted;
	bool none = d->unchanged == d->groups_total;
	char n[UNITS_PLURAL];

	if (!d->unchanged)
		return;
	sink_printf(d->now->out, "%s%s as many pages as in %s%s\n",
		    !none   ? ""
		    : whole ? "no group changed: "
			    : "no group of the pages that were read changed: ",
		    units_plural(n, d->unchanged, "group has", "groups have"),
		    owner_saved_name(d->before),
		    d->shows_all || none ? ""
		    : d->unchanged == 1	 ? " and is not shown (-n 0 shows all)"
					 : " and are not shown (-n 0 shows all)");
}

/* "of 6.12.95", "in FILE" */
static const char *source_of(struct dump *d, const struct saved_scan *scan)
{
	char text[512];

	if (scan->kind == SCAN_SAVED)
		snprintf(text, sizeof(text), "of %s",
			 scan->kernel ? scan->kernel : "an unnamed kernel");
	else
		snprintf(text, sizeof(text), "in %s", scan->path);
	return arena_strdup(d->arena, text);
}

static void put_totals(struct diff *d, const struct scan_stats *now,
		       const struct scan_stats *before)
{
	char n[UNITS_PLURAL], b[UNITS_BYTES];

	put_unchanged(d, now, before);
	units_count(b, before->live);
	sink_printf(d->now->out, "%s now, %s in %s %s\n",
		    units_plural(n, now->live, "live page", "live pages"), b,
		    owner_saved_name(d->before), source_of(d->now->dump, d->before->saved));
	if (d->groups->early)
		sink_printf(d->now->out, "%s before page_owner started %s not among the %s",
			    units_plural(n, d->groups->early, "page from", "pages from"),
			    d->groups->early == 1 ? "is" : "are",
			    "rows: show_stacks does not count such pages\n");
}

/* Pages that the groups of the saved scan lack, though its kernel had them. */
static uint64_t missing_pages(const struct scan_stats *cov)
{
	uint64_t seen = cov->scanned + cov->skipped;

	return cov->undecodable + (cov->ram_pages > seen ? cov->ram_pages - seen : 0);
}

static bool is_unknown(const struct owner_groups *groups, const struct owner_group *g)
{
	for (size_t i = 0; g && i < groups->nkeys; i++)
		if (groups->keys[i] != KEY_STACK && g->keys[i] == VALUE_UNKNOWN)
			return true;
	return false;
}

/* Pages that are missing, or in no known group, on one side look like growth of the other groups. */
static void warn_gaps(struct diff *d, const struct scan_stats *before)
{
	uint64_t missing = missing_pages(before), now = 0, then = 0;
	char n[UNITS_PLURAL], b[UNITS_BYTES];
	struct report *r = &d->now->report;

	for (struct hash_bytes_entry *e = d->match.pairs.first; e; e = e->next) {
		const struct owner_pair *p = e->value;

		if (is_unknown(d->groups, p->now))
			now += p->now->pages;
		if (is_unknown(d->groups, p->before))
			then += p->before->pages;
	}
	if (missing)
		report_warn(r, "%s lacks the records of %s: GROWTH may include these pages",
			    owner_saved_name(d->before), units_plural(n, missing, "page", "pages"));
	if (now != then) {
		units_count(b, then);
		report_warn(r,
			    "a key of -g is unknown for %s now, for %s in %s: GROWTH of other "
			    "groups may include these pages",
			    units_plural(n, now, "page", "pages"), b, owner_saved_name(d->before));
	}
	d->now->has_gaps |= missing || now != then;
}

enum status owner_diff_open(struct owner_view *v, enum availability *why)
{
	struct owner_view *before = dump_alloc(v->dump, sizeof(*before));
	enum status st = before ? check_keys(v) : ST_NOMEM;

	if (st == ST_OK) {
		*before = (struct owner_view){ .dump = v->dump, .in = v->in, .out = v->out };
		owner_view_init(before);
		v->before = before;
		st = owner_saved_open(before, v->in->opts.diff);
		if (st == ST_OK)
			st = check_before(before);
	}
	*why = availability_of(st);
	return st;
}

enum status owner_diff(struct owner_view *v)
{
	struct owner_view *before = v->before;
	struct owner_groups now, then;
	struct scan_stats cov, old;
	struct diff d = { .now = v, .before = before, .groups = &now };
	enum status st, scanned;
	size_t shown;

	owner_groups_init(v, &now);
	owner_groups_init(before, &then);
	now.without_early = then.without_early = !owner_has_records(v) ||
						 !owner_has_records(before);
	/* The saved scan first: it is quick. An interrupt then makes the other one partial. */
	st = owner_groups_scan(&then, &old);
	if (st != ST_OK)
		return st;
	scanned = owner_groups_scan(&now, &cov);
	if (scanned != ST_OK && scanned != ST_STOPPED)
		return scanned;
	st = owner_match_groups(&now, &then, &d.match);
	if (st == ST_OK)
		st = fill_table(&d);
	if (st != ST_OK)
		return st;
	if (d.match.by_function)
		report_warn(
			&v->report,
			"call stacks are compared from the caller on, by functions without offsets: %s",
			d.match.by_function);
	if (now.without_early)
		report_warn(&v->report,
			    "show_stacks leaves out stacks of fewer pages than "
			    "count_threshold and, since 6.17, stacks that were first "
			    "seen where no lock can be taken: 0 pages: not in the file");
	warn_gaps(&d, &old);
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	report_rest(&v->report, v->in->table.n - shown, "group", "groups", NULL);
	if (!v->in->opts.json)
		put_totals(&d, &cov, &old);
	owner_view_end(v, &cov, &now.select);
	return scanned;
}
