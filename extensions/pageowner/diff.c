// SPDX-License-Identifier: GPL-2.0-or-later
/* Comparison of two scans: groups with the same text of all keys are the same. */
#include <stdio.h>
#include <string.h>

#include "scan_read.h"
#include "util/strbuf.h"
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

/* A group in both scans; NULL: not in that one. */
struct pair {
	const struct owner_group *now, *before;
};

struct diff {
	struct owner_view *now, *before;
	struct owner_groups *groups; /* now */
	struct hash_bytes pairs;     /* of struct pair, by the text of the keys */
	bool shows_all;		     /* groups that did not change too */
	uint64_t unchanged;
};

#define IDENTITY 8192

/* The text of all keys of a group; text beyond the buffer does not distinguish groups. */
static size_t identity(struct owner_groups *g, const struct owner_group *group, char *buf)
{
	struct owner_view *v = g->v;
	struct strbuf s;

	strbuf_init(&s, buf, IDENTITY);
	for (size_t i = 0; i < g->nkeys; i++) {
		const struct stack *stack;
		struct cell cell;
		char text[640];

		if (g->keys[i] != KEY_STACK) {
			cell = owner_value_cell(v, g->keys[i], group->keys[i]);
			if (cell_words(&cell))
				snprintf(text, sizeof(text), "%s", cell_words(&cell));
			else
				snprintf(text, sizeof(text), "%d %llu", cell.kind,
					 (unsigned long long)cell.u);
			strbuf_add(&s, "%s\n", text);
			continue;
		}
		stack = stack_cache_frames(&v->stacks, stack_cache_get(&v->stacks, group->keys[i]));
		for (unsigned int f = 0; stack && f < stack->n; f++)
			strbuf_add(&s, "%s\t", frame_text(stack->frames[f], text, sizeof(text)));
	}
	return s.len;
}

static enum status add_groups(struct diff *d, struct owner_groups *g, bool is_now)
{
	char *buf = dump_alloc(d->now->dump, IDENTITY);

	if (!buf)
		return ST_NOMEM;
	for (struct hash_bytes_entry *e = g->groups.first; e; e = e->next) {
		bool is_new;
		struct hash_bytes_entry *entry =
			hash_bytes_get(&d->pairs, buf, identity(g, e->value, buf), &is_new);
		struct owner_group *group = e->value;
		const struct owner_group **side;

		if (!entry)
			return dump_no_memory(d->now->dump);
		side = is_now ? &((struct pair *)entry->value)->now
			      : &((struct pair *)entry->value)->before;
		/* Groups with the same text are one. */
		if (*side)
			group->pages += (*side)->pages;
		*side = group;
	}
	return ST_OK;
}

static enum status add_row(struct diff *d, const struct pair *p)
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
	row[COL_HANDLE] = cell_if(p->now && g->one_stack && g->handle, cell_hex(g->handle));
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

static bool is_unchanged(const struct diff *d, const struct pair *p)
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
	for (struct hash_bytes_entry *e = d->pairs.first; e && st == ST_OK; e = e->next) {
		bool same = is_unchanged(d, e->value);

		d->unchanged += same;
		if (!same || d->shows_all)
			st = add_row(d, e->value);
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
	/* A filter applies to both scans, or its effect would look like growth. */
	for (unsigned int i = 0; i < in->filters.n; i++)
		if (!owner_key_is_saved(in->filters.filters[i].key))
			return dump_fail(v->dump, ST_USAGE, "%s: not part of a saved scan",
					 key_name(&owner_keys[in->filters.filters[i].key]));
	return ST_OK;
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
	bool none = d->unchanged == d->pairs.n;
	char n[UNITS_PLURAL];

	if (!d->unchanged)
		return;
	sink_printf(d->now->out, "%s%s as many pages as in the saved scan%s\n",
		    !none   ? ""
		    : whole ? "no group changed: "
			    : "no group of the pages that were read changed: ",
		    units_plural(n, d->unchanged, "group has", "groups have"),
		    d->shows_all || none ? "" : " and are not shown (-n 0 shows all)");
}

static void put_totals(struct diff *d, const struct scan_stats *now,
		       const struct scan_stats *before)
{
	char n[UNITS_PLURAL], b[UNITS_BYTES];

	put_unchanged(d, now, before);
	units_count(b, before->live);
	sink_printf(d->now->out, "%s now, %s in the saved scan of %s\n",
		    units_plural(n, now->live, "live page", "live pages"), b,
		    d->before->saved->kernel ? d->before->saved->kernel : "an unnamed kernel");
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

	hash_bytes_init(&d.pairs, v->dump->arena, sizeof(struct pair));
	owner_groups_init(v, &now);
	owner_groups_init(before, &then);
	/* The saved scan first: it is quick. An interrupt then makes the other one partial. */
	st = owner_groups_scan(&then, &old);
	if (st != ST_OK)
		return st;
	scanned = owner_groups_scan(&now, &cov);
	if (scanned != ST_OK && scanned != ST_STOPPED)
		return scanned;
	st = add_groups(&d, &now, true);
	if (st == ST_OK)
		st = add_groups(&d, &then, false);
	if (st == ST_OK)
		st = fill_table(&d);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	report_rest(&v->report, v->in->table.n - shown, "group", "groups", NULL);
	if (!v->in->opts.json)
		put_totals(&d, &cov, &old);
	owner_view_end(v, &cov, &now.select);
	return scanned;
}
