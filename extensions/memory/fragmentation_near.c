// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Blocks of the order asked for that one allocation keeps from being free: all other pages are
 * free, or can be moved.
 */
#include "fragmentation.h"

#include <stdlib.h>

/* A block, and the page that stands for the allocation. */
struct near_row {
	struct page_facts facts;
	const struct near_block *block;
	uint64_t others; /* pages to be moved */
	bool has_record;
};

#define ROW struct near_row
#define VIEW struct owner_view
#define RECORD facts.record
#define FIELD(NAME) (r->has_record && v->owner.f[OWNER_##NAME].present)

CELL_WITH(age_cell, ROW, VIEW, cell_if(FIELD(TS), report_age(&v->report, r->RECORD.page.ts_ns)))
CELL_WITH(pid_cell, ROW, VIEW, cell_if(FIELD(PID), cell_int(r->RECORD.pid)))
CELL_WITH(comm_cell, ROW, VIEW, cell_text(FIELD(COMM) ? intern(&v->texts, r->RECORD.comm) : NULL))
CELL_WITH(stack_cell, ROW, VIEW, cell_stack(owner_stack(v, r->RECORD.page.handle)))

static const struct view_column columns[] = {
	{ COLUMN_block_pfn, IN_BOTH | KNOWN, VIA(UINT, ROW, block, start) },
	{ COLUMN_listed_pages, IN_BOTH | KNOWN, "of the block", VIA(UINT, ROW, block, free) },
	{ COLUMN_movable_pages, IN_BOTH | KNOWN,
	  "of the block, besides those of the allocation; with those of CPUs",
	  UINT_OF(ROW, others) },
	{ COLUMN_pfn, IN_BOTH | KNOWN, "of the allocation, the first in the block",
	  VIA(UINT, ROW, block, pfn) },
	{ COLUMN_pages, IN_BOTH | KNOWN, "of the allocation, in the block",
	  VIA(UINT, ROW, block, pages) },
	{ COLUMN_mobility, IN_BOTH | KNOWN, .choices = page_mobility_names + MOBILITY_PCP,
	  VIA(NAME, ROW, block, mobility, .names = page_mobility_names) },
	{ COLUMN_class, IN_BOTH, .choices = page_class_names + 1, FACT(KEY_CLASS) },
	{ COLUMN_cache, IN_JSON, FACT(KEY_CACHE) },
	{ COLUMN_block_migratetype, IN_JSON, FACT(KEY_BLOCK_MIGRATETYPE) },
	{ COLUMN_age_ns, IN_BOTH, CELL_BY(age_cell) },
	{ COLUMN_pid, IN_JSON, "the one that allocated", CELL_BY(pid_cell) },
	{ COLUMN_comm, IN_JSON, "the one that allocated, its name then", CELL_BY(comm_cell) },
	{ COLUMN_module, IN_JSON, FACT(KEY_MODULE) },
	{ COLUMN_caller, IN_BOTH, FACT(KEY_CALLER) },
	{ COLUMN_handle, IN_JSON, HEX_NONZERO(ROW, RECORD.page.handle) },
	{ COLUMN_stack, IN_JSON, CELL_BY(stack_cell) },
	BASIS(derived),
};

const struct view fragmentation_near_view = { "fragmentation-near", "-b", COLUMNS_OF(columns) };

/*
 * An allocation that has the whole block is no obstacle to it, it is its user.  Pages of unknown
 * use may be a second allocation.
 */
void near_add(struct fragmentation *f, const struct order_block *b)
{
	uint64_t all = 1ULL << b->order, fixed, used;
	struct near_block n = { .next = f->near,
				.start = b->start,
				.free = b->pages[MOBILITY_FREE] };

	if (b->pages[MOBILITY_UNKNOWN])
		return;
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
		return;
	}
	f->near = dump_alloc(f->v->dump, sizeof(n));
	*f->near = n;
	f->nnear++;
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
ORDER_BY(by_need, struct ranked,
	 COMPARE(x->others, y->others) ?: COMPARE(x->near->pages, y->near->pages) ?:
			COMPARE(x->near->start, y->near->start))

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

/* Free pages on the lists of CPUs are no one's: they are shown without an owner. */
static enum status fill(struct fragmentation *f, const struct ranked *ranked, struct table *t,
			size_t room, size_t *total)
{
	struct owner_view *v = f->v;
	struct owner_select select;

	owner_select_init(v, &select);
	select.free = select.live = true;
	for (size_t i = 0; i < f->nnear; i++) {
		struct near_row row = { .block = ranked[i].near, .others = ranked[i].others };
		struct owner_record r;

		if (dump_stopped(v->dump))
			return ST_STOPPED;
		if (!select.filters->n && i >= room) {
			*total = f->nnear;
			break;
		}
		find_page(f, row.block->pfn, &r);
		page_facts_init(v, &r.page, &row.facts);
		row.RECORD = r;
		row.facts.has_record = true;
		row.has_record = r.page.allocated;
		if (owner_selects(&select, &row.facts) && ++*total <= room)
			row_add(t, &row, v);
	}
	return ST_OK;
}

enum status fragmentation_near_put(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct ranked *ranked = dump_alloc(v->dump, (f->nnear + 1) * sizeof(*ranked));
	size_t room = opts_rows(&v->in->opts, 10, f->nnear), total = 0, n = 0;
	char title[128];
	struct table t;
	enum status st;

	for (const struct near_block *near = f->near; near; near = near->next)
		ranked[n++] = (struct ranked){ others(f, near), near };
	qsort(ranked, n, sizeof(*ranked), by_need);
	table_init(&t, v->dump, COLUMNS(columns), v->in->opts.json);
	st = fill(f, ranked, &t, room, &total);
	if (!v->has_owner && !v->in->opts.json) {
		table_hide(&t, COLUMN_age_ns);
		table_hide(&t, COLUMN_caller);
		table_show(&t, COLUMN_cache);
	}
	snprintf(title, sizeof(title),
		 "\nblocks of order %u that one allocation keeps from being free%s\n", f->order,
		 total ? ":" : fragmentation_none(f));
	rows_put_table(&v->report, v->in, &fragmentation_near_view, &t, title);
	report_rest(&v->report, total - t.n, "block", "blocks", NULL);
	return st;
}
