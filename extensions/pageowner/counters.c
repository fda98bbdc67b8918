// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_owner/page_owner_stacks.h"
#include "util/units.h"
#include "view.h"

#define DEFAULT_ROWS 10

enum { COL_RANK, COL_PAGES, COL_BYTES, COL_COUNTED, COL_RAM, COL_HANDLE, COL_STACK, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_RANK] = { COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN, "as the kernel counted" },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[COL_COUNTED] = { COLUMN_counted_percent, IN_TEXT | KNOWN },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT | KNOWN },
	[COL_HANDLE] = { COLUMN_handle, IN_BOTH | KNOWN },
	[COL_STACK] = { COLUMN_stack, IN_BOTH | KNOWN },
};

const struct view owner_counters_view = { "counters", "-k", COLUMNS_OF(columns) };

static enum status fill_table(struct owner_view *v, const struct stack_counts *c)
{
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	enum status st;

	for (struct hash_u64_entry *e = c->pages.first; e; e = e->next) {
		struct cell *row = table_add(t);
		uint64_t pages = *(const uint64_t *)e->value;

		if (!row)
			return ST_NOMEM;
		row[COL_PAGES] = cell_uint(pages);
		row[COL_BYTES] = cell_uint(pages << v->dump->page_shift);
		row[COL_COUNTED] = cell_uint(units_tenths(pages, c->total));
		row[COL_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
		row[COL_HANDLE] = cell_hex(e->key);
	}
	st = table_sort(t, o->sort ? o->sort : "bytes", o->reverse);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][COL_RANK] = cell_uint(i + 1);
	return st;
}

/* "450 stacks, 58,606 pages by the kernel's own counters", and what these leave out. */
static void put_total(struct owner_view *v, const struct stack_counts *c)
{
	char stacks[UNITS_PLURAL], pages[UNITS_PLURAL];

	sink_printf(
		v->out,
		"%s, %s by the kernel's own counters; pages of early boot are not counted, nor,\n"
		"since 6.17, stacks first seen where the kernel could not list them\n",
		units_plural(stacks, c->pages.n, "stack", "stacks"),
		units_plural(pages, c->total, "page", "pages"));
}

enum status owner_counters_open(struct owner_view *v, enum availability *why)
{
	enum status st;

	v->counted = dump_alloc(v->dump, sizeof(*v->counted));
	st = v->counted ? stack_counts_open(&v->stacks.depot, v->counted) : ST_NOMEM;
	*why = availability_of(st);
	return st;
}

enum status owner_counters(struct owner_view *v)
{
	struct table *t = &v->in->table;
	const struct stack_counts *counted = v->counted;
	enum status st = fill_table(v, counted);
	char n[UNITS_PLURAL];
	size_t shown;

	if (st != ST_OK)
		return st;
	shown = opts_rows(&v->in->opts, DEFAULT_ROWS, t->n);
	for (size_t i = 0; i < shown; i++)
		t->rows[i][COL_STACK] = cell_stack(stack_cache_frames(
			&v->stacks, stack_cache_get(&v->stacks, t->rows[i][COL_HANDLE].u)));
	report_rows(&v->report, t, &v->in->opts, DEFAULT_ROWS);
	report_rest(&v->report, t->n - shown, "stack", "stacks", NULL);
	if (!v->in->opts.json)
		put_total(v, counted);
	if (counted->unreadable)
		report_warn(&v->report, "no valid record for %s of the kernel's list",
			    units_plural(n, counted->unreadable, "stack", "stacks"));
	report_end(&v->report, NULL, !counted->unreadable);
	return ST_OK;
}
