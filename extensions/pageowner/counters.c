// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

/* What stack_counts has of a handle. */
#define ROW struct hash_u64_entry
#define VIEW struct owner_view
#define PAGES (*(const uint64_t *)r->value)

CELL_FROM(pages_cell, ROW, cell_uint(PAGES))
CELL_WITH(bytes_cell, ROW, VIEW, cell_uint(PAGES << v->page_shift))
CELL_WITH(counted_cell, ROW, VIEW,
	  cell_uint(units_tenths(PAGES, ((const struct stack_counts *)v->own)->total)))
CELL_WITH(ram_cell, ROW, VIEW, cell_uint(units_tenths(PAGES, ram_base(&v->owner.ram))))
CELL_WITH(stack_cell, ROW, VIEW,
	  cell_stack(stack_cache_frames(&v->stacks, stack_cache_get(&v->stacks, r->key))))

static const struct view_column columns[] = {
	{ COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },
	{ COLUMN_pages, IN_BOTH | KNOWN, "as the kernel counted", CELL_BY(pages_cell) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, CELL_BY(bytes_cell) },
	{ COLUMN_counted_percent, IN_TEXT | KNOWN, CELL_BY(counted_cell) },
	{ COLUMN_ram_percent, IN_TEXT | KNOWN, CELL_BY(ram_cell) },
	{ COLUMN_handle, IN_BOTH | KNOWN, HEX_OF(ROW, key) },
	{ COLUMN_stack, IN_BOTH | KNOWN, CELL_LATE(stack_cell) },
	BASIS(recorded),
};

enum status owner_counters_open(struct owner_view *v, enum availability *why)
{
	struct stack_counts *counted = dump_alloc(v->dump, sizeof(*counted));
	enum status st = stack_counts_open(&v->stacks.depot, counted);

	v->own = counted;
	*why = availability_of(st);
	return st;
}

static enum status open_counters(void *arg, enum availability *why)
{
	enum status st = owner_view_open(arg, why);

	return st == ST_OK ? owner_counters_open(arg, why) : st;
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	const struct stack_counts *c = v->own;
	const struct gap gaps[] = {
		{ "not in this dump: the record of %s of the kernel's list", c->missing, "stack",
		  "stacks" },
		{ "no valid record for %s of the kernel's list", c->unsound, "stack", "stacks" },
	};
	const bool is_part = c->missing || c->unsound;

	for (const struct hash_u64_entry *e = c->pages.first; e; e = e->next)
		row_add(&v->in->table, e, v);
	rows_show(&v->report, v->in);
	report_rest(&v->report, v->in->table.n - v->report.rows_shown, "stack", "stacks", NULL);
	/* "450 stacks, 58,606 pages by the kernel's own counters", and what these leave out. */
	if (!v->in->opts.json && is_part && !c->pages.n)
		sink_text(v->out, "what the kernel counted is unknown: no record of its list "
				  "could be read\n");
	else if (!v->in->opts.json)
		sink_printf(v->out,
			    "%s%s, %s by the kernel's own counters; pages of early boot are not "
			    "counted, nor, "
			    "since 6.17, stacks first seen where the kernel could not list them\n",
			    is_part ? "at least " : "", COUNT_OF(c->pages.n, "stack"),
			    COUNT_OF(c->total, "page"));
	REPORT_GAPS(&v->report, gaps);
	report_end(&v->report, NULL, !is_part);
	return ST_OK;
}

const struct view owner_counters_view = {
	"counters",	      "-k",	  COLUMNS_OF(columns), .open = open_counters, .show = show,
	.sorted_by = "bytes", .rows = 10,
};
