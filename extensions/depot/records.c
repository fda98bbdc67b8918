// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include "stackdepot/stackdepot_stats.h"
#include "keys.h"
#include "util/units.h"

#define DEFAULT_ROWS 10

enum {
	COL_HANDLE,
	COL_POOL,
	COL_OFFSET,
	COL_FRAMES,
	COL_COUNT,
	COL_PAGES,
	COL_ADDRESS,
	COL_STACK,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH | KNOWN },
	[COL_POOL] = { COLUMN_pool, IN_BOTH | KNOWN },
	[COL_OFFSET] = { COLUMN_offset, IN_BOTH | KNOWN, "of the pool" },
	[COL_FRAMES] = { COLUMN_frames, IN_BOTH | KNOWN },
	[COL_COUNT] = { COLUMN_count, IN_BOTH, "raw refcount; null: no user counts" },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH, "that page_owner counts here (6.9 and later)" },
	[COL_ADDRESS] = { COLUMN_address, IN_BOTH | KNOWN, "of the stack_record" },
	[COL_STACK] = { COLUMN_stack, IN_BOTH | KNOWN },
};

const struct view depot_view = { "records", "HANDLE", COLUMNS_OF(columns), .takes_arguments = true,
				 .filters_rows = true };
const struct view depot_all_view = { "all", "-a", COLUMNS_OF(columns), .filters_rows = true };

/* Saturated counts and counts that were never set mean nothing (include/linux/refcount.h). */
static bool is_count(const struct depot_stack *s)
{
	return s->has_count && s->count < DEPOT_COUNT_UNUSED / 2;
}

/* Values of a record that rows and filters have. */
static void set_facts(struct record_facts *f, struct stack_cache *stacks, struct stack_list *users,
		      struct cached_stack *k)
{
	f->record = &k->record;
	f->stack = stack_cache_frames(stacks, k);
	f->has_count = is_count(&k->record);
	f->has_pages = f->has_count && stack_list_has(users, k->record.record);
}

static enum status add_row(struct table *t, const struct record_facts *f)
{
	const struct depot_stack *s = f->record;
	struct cell *row = table_add(t);

	if (!row)
		return ST_NOMEM;
	row[COL_HANDLE] = cell_hex(s->handle);
	row[COL_POOL] = cell_uint(s->pool);
	row[COL_OFFSET] = cell_uint(s->offset);
	row[COL_FRAMES] = cell_uint(s->n);
	row[COL_COUNT] = cell_if(f->has_count, cell_uint(s->count));
	row[COL_PAGES] = cell_if(f->has_pages, cell_uint(s->count - 1));
	row[COL_ADDRESS] = cell_hex(s->record);
	row[COL_STACK] = cell_stack(f->stack);
	return ST_OK;
}

enum status depot_view_add(const struct record_source *from, uint32_t handle)
{
	struct stack_cache *stacks = from->stacks;
	struct cached_stack *k = stack_cache_get(stacks, handle);
	struct record_facts f;

	if (!k)
		return ST_NOMEM;
	if (!k->decoded) {
		struct depot_stack again;

		/* For its message. */
		depot_fetch(&stacks->depot, handle, &again);
		report_warn(from->report, "%s", stacks->dump->error);
		return ST_OK;
	}
	set_facts(&f, stacks, from->users, k);
	if (!record_keeps(&from->in->filters, &f))
		return ST_OK;
	return add_row(&from->in->table, &f);
}

struct listing {
	const struct record_source *from;
	uint64_t records, unreadable;
};

static enum status add_record(void *arg, const struct depot_stack *record)
{
	struct listing *l = arg;
	const struct record_source *from = l->from;
	struct cached_stack *k = stack_cache_add(from->stacks, record);
	struct record_facts f;

	if (!k)
		return ST_NOMEM;
	l->records++;
	if (!k->decoded) {
		l->unreadable++;
		return ST_OK;
	}
	set_facts(&f, from->stacks, from->users, k);
	if (!f.stack)
		return ST_NOMEM;
	if (!record_keeps(&from->in->filters, &f))
		return ST_OK;
	return add_row(&from->in->table, &f);
}

static void put_rest(const struct listing *l, size_t shown)
{
	const struct cmdline *in = l->from->in;
	char kept[UNITS_PLURAL], of[UNITS_BYTES];

	report_rest(l->from->report, in->table.n - shown, "record", "records", NULL);
	if (in->opts.json)
		return;
	units_count(of, l->records);
	units_plural(kept, in->table.n, "record", "records");
	if (in->filters.n)
		sink_printf(l->from->report->sink, "filters kept %s of %s\n", kept, of);
	else
		sink_printf(l->from->report->sink, "%s in the depot\n", kept);
}

enum status depot_all_show(const struct record_source *from)
{
	struct listing l = { .from = from };
	const struct opts *o = &from->in->opts;
	struct report *r = from->report;
	struct depot_stats h;
	char n[UNITS_PLURAL];
	enum status st = depot_walk(&from->stacks->depot, add_record, &l, &h), sorted;

	if (st != ST_OK && st != ST_STOPPED) {
		if (st == ST_NOMEM)
			return st;
		report_no_data(r, availability_of(st));
		return ST_OK;
	}
	table_filter(&from->in->table, &from->in->filters);
	sorted = table_sort(&from->in->table, o->sort ? o->sort : "count,frames", o->reverse);
	if (sorted != ST_OK)
		return sorted;
	if (l.unreadable)
		report_warn(r, "the frames of %s are not in this dump",
			    units_plural(n, l.unreadable, "record", "records"));
	if (st == ST_OK && h.bad)
		report_warn(r, "%s early: their other records are not among the rows",
			    units_plural(n, h.bad, "chain of the hash table ends",
					 "chains of the hash table end"));
	put_rest(&l, report_rows(r, &from->in->table, o, DEFAULT_ROWS));
	report_end(r, NULL, st == ST_OK && !r->nwarnings);
	return st;
}
