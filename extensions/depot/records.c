// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include <stdlib.h>

#include "stackdepot/stackdepot_stats.h"

/* A record with what is told of it. */
struct record_facts {
	const struct depot_stack *record;
	const struct stack *stack;
	bool has_count; /* the refcount counts something */
	bool has_pages; /* and these are pages of page_owner */
};

#define ROW struct record_facts

CELL_FROM(count_cell, ROW, cell_if(r->has_count, cell_uint(r->record->count)))
CELL_FROM(pages_cell, ROW, cell_if(r->has_pages, cell_uint(r->record->count - 1)))

CELL_FROM(module_cell, ROW, cell_text(r->stack ? stack_module(r->stack) : NULL))

static struct cell caller_cell(const void *record, void *view NOT_USED)
{
	const struct record_facts *r = record;
	const struct frame *caller = r->stack ? stack_caller(r->stack) : NULL;
	static char text[640];

	return cell_text(caller ? function_text(caller, text, sizeof(text)) : NULL);
}

const struct key record_keys[RECORD_KEYS] = {
	[RECORD_STACK] = { COLUMN_stack,
			   "call stack; a filter matches when a function, module or address of it does",
			   KEY_FILTERS },
	[RECORD_CALLER] = { COLUMN_caller,
			    "first function that is not part of the kernel's allocators",
			    KEY_FILTERS, .is_function = true },
	[RECORD_MODULE] = { COLUMN_module,
			    "first module of the stack, vmlinux without one; [gone]: text of no module",
			    KEY_FILTERS },
	[RECORD_FRAMES] = { COLUMN_frames, "length of the stack", KEY_FILTERS },
	[RECORD_COUNT] = { COLUMN_count, "raw refcount", KEY_FILTERS },
	[RECORD_PAGES] = { COLUMN_pages,
			   "pages that page_owner counts at the record (6.9 and later)",
			   KEY_FILTERS },
	[RECORD_POOL] = { COLUMN_pool, "number of the pool", KEY_FILTERS },
	[RECORD_HANDLE] = { COLUMN_handle, "handle, hexadecimal", KEY_FILTERS },
	[RECORD_ADDRESS] = { COLUMN_address, "address of the stack_record, hexadecimal",
			     KEY_FILTERS },
};

static const struct view_column key_columns[RECORD_KEYS] = {
	[RECORD_STACK] = { COLUMN_stack, 0, STACK_OF(ROW, stack) },
	[RECORD_CALLER] = { COLUMN_caller, 0, CELL_BY(caller_cell) },
	[RECORD_MODULE] = { COLUMN_module, 0, CELL_BY(module_cell) },
	[RECORD_FRAMES] = { COLUMN_frames, 0, VIA(UINT, ROW, record, n) },
	[RECORD_COUNT] = { COLUMN_count, 0, CELL_BY(count_cell) },
	[RECORD_PAGES] = { COLUMN_pages, 0, CELL_BY(pages_cell) },
	[RECORD_POOL] = { COLUMN_pool, 0, VIA(UINT, ROW, record, pool) },
	[RECORD_HANDLE] = { COLUMN_handle, 0, VIA(HEX, ROW, record, handle) },
	[RECORD_ADDRESS] = { COLUMN_address, 0, VIA(HEX, ROW, record, record) },
};

static const struct view_column columns[] = {
	{ COLUMN_handle, IN_BOTH | KNOWN, VIA(HEX, ROW, record, handle) },
	{ COLUMN_pool, IN_BOTH | KNOWN, VIA(UINT, ROW, record, pool) },
	{ COLUMN_offset, IN_BOTH | KNOWN, "of the pool", VIA(UINT, ROW, record, offset) },
	{ COLUMN_frames, IN_BOTH | KNOWN, VIA(UINT, ROW, record, n) },
	{ COLUMN_count, IN_BOTH, "raw refcount; null: no user counts", CELL_BY(count_cell) },
	{ COLUMN_pages, IN_BOTH, "that page_owner counts here (6.9 and later)",
	  CELL_BY(pages_cell) },
	{ COLUMN_address, IN_BOTH | KNOWN, "of the stack_record", VIA(HEX, ROW, record, record) },
	{ COLUMN_stack, IN_BOTH | KNOWN, STACK_OF(ROW, stack) },
	BASIS(recorded),
};

const struct view depot_view = { "records", "HANDLE", COLUMNS_OF(columns), .takes_arguments = true,
				 .filters_rows = true };
const struct view depot_all_view = { "all", "-a", COLUMNS_OF(columns),
				     ROWS_ARE("record", "records", "count,frames", 10) };

/* Saturated counts and counts that were never set mean nothing (include/linux/refcount.h). */
static bool is_count(const struct depot_stack *s)
{
	return s->has_count && s->count < DEPOT_COUNT_UNUSED / 2;
}

/* A row, if the filters keep it. */
static void add_row(const struct record_source *from, struct cached_stack *k)
{
	struct record_facts f = {
		.record = &k->record,
		.stack = stack_cache_frames(from->stacks, k),
		.has_count = is_count(&k->record),
	};

	f.has_pages = f.has_count && stack_list_has(from->users, k->record.record);
	if (rows_keep_member(from->in, COLUMNS(key_columns), &f, NULL))
		row_add(&from->in->table, &f, NULL);
}

/* The number of the digits that a handle was given as, which the kernel prints in decimal too (show_handles). */
static bool as_decimal(uint32_t handle, uint32_t *ret)
{
	char text[9];

	snprintf(text, sizeof(text), "%x", handle);
	*ret = (uint32_t)strtoul(text, NULL, 10);
	return !text[strspn(text, "0123456789")];
}

void depot_view_add(const struct record_source *from, uint32_t handle)
{
	struct stack_cache *stacks = from->stacks;
	struct cached_stack *k = stack_cache_get(stacks, handle);
	struct depot_stack again;
	const char *why;
	uint32_t decimal;

	if (k->decoded) {
		add_row(from, k);
		return;
	}
	/* For its message. */
	depot_fetch(&stacks->depot, handle, &again);
	why = dump_why(stacks->dump);
	if (as_decimal(handle, &decimal) && stack_cache_get(stacks, decimal)->decoded)
		report_warn(from->report, "%s; decimal %u is handle %#x", why, decimal, decimal);
	else
		report_warn(from->report, "%s", why);
}

struct listing {
	const struct record_source *from;
	bool is_part; /* there may be more */
	uint64_t records, unreadable;
};

static enum status add_record(void *arg, const struct depot_stack *record)
{
	struct listing *l = arg;
	struct cached_stack *k = stack_cache_add(l->from->stacks, record);

	l->records++;
	if (k->decoded)
		add_row(l->from, k);
	else
		l->unreadable++;
	return ST_OK;
}

static void put_count(const struct listing *l)
{
	const struct cmdline *in = l->from->in;
	struct sink *out = l->from->report->sink;
	char kept[UNITS_PLURAL];

	if (in->opts.json)
		return;
	units_plural(kept, in->table.n, "record", "records");
	if (in->filters.n)
		sink_printf(out,
			    l->is_part ? "filters kept %s of %s that were found\n"
				       : "filters kept %s of %s\n",
			    kept, COUNT_TEXT(l->records));
	else if (l->is_part)
		sink_printf(out, "%s found; how many the depot has is unknown\n", kept);
	else
		sink_printf(out, "%s in the depot\n", kept);
}

enum status depot_all_show(const struct record_source *from)
{
	struct listing l = { .from = from };
	struct report *r = from->report;
	struct depot_stats h;
	enum status st = depot_walk(&from->stacks->depot, add_record, &l, &h);

	if (st != ST_OK && st != ST_STOPPED) {
		report_no_data(r, availability_of(st));
		return ST_OK;
	}
	rows_sort(from->in);
	const struct gap gaps[] = {
		{ "the frames of %s are not in this dump", l.unreadable, "record", "records" },
		{ "%s early: their other records are not among the rows", st == ST_OK ? h.bad : 0,
		  "chain of the hash table ends", "chains of the hash table end" },
	};
	REPORT_GAPS(r, gaps);
	rows_put(r, from->in);
	l.is_part = st != ST_OK || h.bad || l.unreadable;
	put_count(&l);
	report_end(r, NULL, st == ST_OK && !r->nwarnings);
	return st;
}
