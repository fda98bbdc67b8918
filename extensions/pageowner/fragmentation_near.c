// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocks of the order asked for that one allocation keeps from being free: all other pages are
 * free, or can be moved.
 */
#include "fragmentation.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_ROWS 10
#define FIRST_ROOM 1024

enum {
	COL_BLOCK,
	COL_LISTED,
	COL_MOVABLE,
	COL_PFN,
	COL_PAGES,
	COL_MOBILITY,
	COL_CLASS,
	COL_CACHE,
	COL_TYPE,
	COL_AGE,
	COL_PID,
	COL_COMM,
	COL_MODULE,
	COL_CALLER,
	COL_HANDLE,
	COL_STACK,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_BLOCK] = { COLUMN_block_pfn, IN_BOTH | KNOWN },
	[COL_LISTED] = { COLUMN_listed_pages, IN_BOTH | KNOWN, "of the block" },
	[COL_MOVABLE] = { COLUMN_movable_pages, IN_BOTH | KNOWN,
			  "of the block, besides those of the allocation; with those of CPUs" },
	[COL_PFN] = { COLUMN_pfn, IN_BOTH | KNOWN, "of the allocation, the first in the block" },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN, "of the allocation, in the block" },
	[COL_MOBILITY] = { COLUMN_mobility, IN_BOTH | KNOWN,
			   .choices = page_mobility_names + MOBILITY_PCP },
	[COL_CLASS] = { COLUMN_class, IN_BOTH, .choices = page_class_names + 1 },
	[COL_CACHE] = { COLUMN_cache, IN_JSON },
	[COL_TYPE] = { COLUMN_block_migratetype, IN_JSON },
	[COL_AGE] = { COLUMN_age_ns, IN_BOTH },
	[COL_PID] = { COLUMN_pid, IN_JSON, "the one that allocated" },
	[COL_COMM] = { COLUMN_comm, IN_JSON, "the one that allocated, its name then" },
	[COL_MODULE] = { COLUMN_module, IN_JSON },
	[COL_CALLER] = { COLUMN_caller, IN_BOTH },
	[COL_HANDLE] = { COLUMN_handle, IN_JSON },
	[COL_STACK] = { COLUMN_stack, IN_JSON },
};

const struct view fragmentation_near_view = { "fragmentation-near", "-b", COLUMNS_OF(columns) };

static enum status add(struct fragmentation *f, const struct near_block *n)
{
	if (f->nnear == f->room) {
		size_t room = f->room ? f->room * 2 : FIRST_ROOM;
		struct near_block *more = dump_alloc(f->v->dump, room * sizeof(*more));

		if (!more)
			return dump_no_memory(f->v->dump);
		if (f->nnear)
			memcpy(more, f->near, f->nnear * sizeof(*more));
		f->near = more;
		f->room = room;
	}
	f->near[f->nnear++] = *n;
	return ST_OK;
}

/*
 * An allocation that has the whole block is no obstacle to it, it is its user.  Pages of unknown
 * use may be a second allocation.
 */
enum status near_add(struct fragmentation *f, const struct order_block *b)
{
	uint64_t all = 1ULL << b->order, fixed, used;
	struct near_block n = { .start = b->start, .free = b->pages[MOBILITY_FREE] };

	if (b->pages[MOBILITY_UNKNOWN])
		return ST_OK;
	fixed = b->pages[MOBILITY_RECLAIMABLE] + b->pages[MOBILITY_UNMOVABLE];
	used = all - n.free;
	if (b->fixed.has && !b->fixed.several && fixed < all) {
		n.pfn = b->fixed.pfn;
		n.pages = fixed;
		n.mobility = b->pages[MOBILITY_UNMOVABLE] ? MOBILITY_UNMOVABLE
							  : MOBILITY_RECLAIMABLE;
	} else if (!fixed && b->used.has && !b->used.several && used < all) {
		n.pfn = b->used.pfn;
		n.pages = used;
		n.mobility = b->pages[MOBILITY_PCP] ? MOBILITY_PCP : MOBILITY_MOVABLE;
	} else {
		return ST_OK;
	}
	return add(f, &n);
}

static uint64_t others(const struct fragmentation *f, const struct near_block *n)
{
	return (1ULL << f->order) - n->free - n->pages;
}

struct ranked {
	uint64_t others;
	const struct near_block *near;
};

/* The least to move comes first, then the least to free. */
static int by_need(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->others != y->others)
		return x->others < y->others ? -1 : 1;
	if (x->near->pages != y->near->pages)
		return x->near->pages < y->near->pages ? -1 : 1;
	return x->near->start < y->near->start ? -1 : x->near->start > y->near->start;
}

/* The record of the page, or none. */
static void find_page(struct fragmentation *f, uint64_t pfn, struct owner_record *r)
{
	struct owner_view *v = f->v;

	memset(r, 0, sizeof(*r));
	if (v->has_owner) {
		enum status st = page_owner_look_up(&v->owner, pfn, r);

		if (st == ST_OK && r->page.allocated)
			return;
		memset(r, 0, sizeof(*r));
		r->page.unknown = st != ST_OK && st != ST_ABSENT;
	} else {
		r->page.unknown = v->records_unknown;
	}
	r->page.pfn = pfn;
}

static void fill_record(struct fragmentation *f, struct page_facts *fact, struct cell *row)
{
	struct owner_view *v = f->v;
	const struct owner_record *r = &fact->record;

	if (!r->page.allocated)
		return;
	row[COL_PID] = cell_if(v->owner.f[OWNER_PID].present, cell_int(r->pid));
	row[COL_COMM] = cell_if(v->owner.f[OWNER_COMM].present, cell_text(r->comm));
	row[COL_AGE] = cell_if(v->owner.f[OWNER_TS].present, report_age(&v->report, r->page.ts_ns));
	row[COL_HANDLE] = cell_if(r->page.handle, cell_hex(r->page.handle));
	row[COL_MODULE] = owner_value_cell(v, KEY_MODULE, owner_value(fact, KEY_MODULE));
	row[COL_CALLER] = owner_value_cell(v, KEY_CALLER, owner_value(fact, KEY_CALLER));
}

static void fill_row(struct fragmentation *f, const struct near_block *n, struct page_facts *fact,
		     struct cell *row)
{
	struct owner_view *v = f->v;

	memset(row, 0, COLUMNS * sizeof(*row));
	row[COL_BLOCK] = cell_uint(n->start);
	row[COL_LISTED] = cell_uint(n->free);
	row[COL_MOVABLE] = cell_uint(others(f, n));
	row[COL_PFN] = cell_uint(n->pfn);
	row[COL_PAGES] = cell_uint(n->pages);
	row[COL_MOBILITY] = cell_text(page_mobility_names[n->mobility]);
	row[COL_CLASS] = owner_value_cell(v, KEY_CLASS, owner_value(fact, KEY_CLASS));
	row[COL_CACHE] = owner_value_cell(v, KEY_CACHE, owner_value(fact, KEY_CACHE));
	row[COL_TYPE] = owner_value_cell(v, KEY_BLOCK_MIGRATETYPE,
					 owner_value(fact, KEY_BLOCK_MIGRATETYPE));
	fill_record(f, fact, row);
}

/* Free pages on the lists of CPUs are no one's: they are shown without an owner. */
static enum status fill(struct fragmentation *f, const struct ranked *ranked, struct table *t,
			size_t room, size_t *total)
{
	struct owner_view *v = f->v;
	struct owner_select select;

	*total = 0;
	owner_select_init(v, &select);
	select.free = select.live = true;
	for (size_t i = 0; i < f->nnear; i++) {
		struct page_facts fact;
		struct owner_record r;
		struct cell *row;

		if (dump_stopped(v->dump))
			return dump_fail(v->dump, ST_STOPPED, "interrupted");
		if (!select.filters->n && i >= room) {
			*total = f->nnear;
			break;
		}
		find_page(f, ranked[i].near->pfn, &r);
		page_facts_init(v, &r.page, &fact);
		fact.record = r;
		fact.has_record = true;
		if (!owner_selects(&select, &fact))
			continue;
		if (++*total > room)
			continue;
		row = table_add(t);
		if (!row)
			return ST_NOMEM;
		fill_row(f, ranked[i].near, &fact, row);
	}
	return ST_OK;
}

static void put_text(struct fragmentation *f, struct table *t, size_t total)
{
	struct owner_view *v = f->v;

	sink_printf(v->out, "\nblocks of order %u that one allocation keeps from being free%s\n",
		    f->order, total ? ":" : fragmentation_none(f));
	if (!v->has_owner) {
		table_hide(t, COL_AGE);
		table_hide(t, COL_CALLER);
		table_show(t, COL_CACHE);
	}
	table_text(t, v->out, t->n);
	report_rest(&v->report, total - t->n, "block", "blocks", NULL);
}

enum status fragmentation_near_put(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct ranked *ranked = dump_alloc(v->dump, (f->nnear + 1) * sizeof(*ranked));
	size_t room = opts_rows(&v->in->opts, DEFAULT_ROWS, f->nnear), total = 0;
	struct table t;
	enum status st;

	if (!ranked)
		return dump_no_memory(v->dump);
	for (size_t i = 0; i < f->nnear; i++)
		ranked[i] = (struct ranked){ others(f, &f->near[i]), &f->near[i] };
	qsort(ranked, f->nnear, sizeof(*ranked), by_need);
	st = table_init(&t, v->dump, columns, COLUMNS, v->in->opts.json);
	if (st == ST_OK)
		st = fill(f, ranked, &t, room, &total);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	for (size_t i = 0; i < t.n; i++) {
		struct cell *row = t.rows[i];

		if (row[COL_HANDLE].kind == CELL_HEX)
			row[COL_STACK] = cell_stack(stack_cache_frames(
				&v->stacks, stack_cache_get(&v->stacks, row[COL_HANDLE].u)));
		if (v->in->opts.json)
			table_json_record(&t, v->out, "near", row);
	}
	if (!v->in->opts.json)
		put_text(f, &t, total);
	return st;
}
