// SPDX-License-Identifier: GPL-2.0-or-later
#include "list.h"

#define ROW struct list_row
#define VIEW struct owner_view
#define RECORD facts.record
#define FIELD(FIELD) CELL_OF(field_cell, OWNER_##FIELD)

/* A member that not every kernel has. */
static struct cell field_cell(const void *record, void *view, unsigned int field)
{
	const struct list_row *row = record;
	const struct owner_record *r = &row->RECORD;
	const struct cell cells[OWNER_FIELDS] = {
		[OWNER_PID] = cell_int(r->pid),
		[OWNER_TGID] = cell_int(r->tgid),
		[OWNER_COMM] = cell_text(r->comm),
		[OWNER_TS] = cell_uint(r->page.ts_ns),
		[OWNER_FREE_TS] = cell_uint(r->free_ts_ns),
		[OWNER_FREE_PID] = cell_int(r->free_pid),
		[OWNER_FREE_TGID] = cell_int(r->free_tgid),
	};

	return cell_if(row->has_record && ((struct owner_view *)view)->owner.f[field].present,
		       cells[field]);
}

static const char *reason(struct owner_view *v, const struct owner_record *r)
{
	return r->last_migrate_reason == v->owner.never_migrated
		       ? NULL
		       : names_migrate_reason(&v->names, r->last_migrate_reason);
}

static const struct page_info *info_of(const struct list_row *row)
{
	return page_facts_info((struct page_facts *)&row->facts);
}

static struct cell age_cell(const void *record, void *view)
{
	const struct page_facts *f = &((const struct list_row *)record)->facts;
	enum owner_field field = f->page->allocated ? OWNER_TS : OWNER_FREE_TS;

	return cell_if(((const struct list_row *)record)->has_record &&
			       f->v->owner.f[field].present,
		       report_age(&((struct owner_view *)view)->report, f->ts_ns));
}

static struct cell frames_cell(struct owner_view *v, struct cached_stack *k)
{
	return cell_stack(k ? stack_cache_frames(&v->stacks, k) : NULL);
}

static struct cell site_cell(const void *record, void *view)
{
	const struct list_row *row = record;
	const struct owner_page *p = row->facts.page;
	struct owner_view *v = view;

	if (!row->has_record || !v->tags || !p->allocated)
		return cell_text(NULL);
	return cell_text(tag_names_sure(v->tags, owner_page_head(p), p->handle,
					stack_cache_frames(&v->stacks, row->stack)));
}

CELL_FROM(symbol_cell, ROW, cell_text(r->symbol))
CELL_WITH(phys_cell, ROW, VIEW, cell_hex(r->facts.page->pfn << v->page_shift))
CELL_FROM(handle_cell, ROW, cell_if(r->has_record, cell_hex(r->facts.page->handle)))
CELL_FROM(free_handle_cell, ROW,
	  cell_if(r->has_record && r->RECORD.free_handle, cell_hex(r->RECORD.free_handle)))
CELL_FROM(allocated_cell, ROW, cell_if(r->has_record, cell_bool(r->facts.page->allocated)))
CELL_WITH(reason_cell, ROW, VIEW, cell_text(r->has_record ? reason(v, &r->RECORD) : NULL))
CELL_FROM(type_cell, ROW, cell_text(info_of(r) ? page_type_name(info_of(r)->state) : NULL))
CELL_FROM(head_cell, ROW, cell_if(info_of(r), cell_uint(info_of(r) ? info_of(r)->head : 0)))
CELL_WITH(stack_cell, ROW, VIEW, frames_cell(v, r->stack))
CELL_WITH(free_stack_cell, ROW, VIEW, frames_cell(v, r->freed))

CAN_HAVE(has_no_record, ROW, VIEW, !r->has_record)
CAN_HAVE(has_no_info, ROW, VIEW, !info_of(r))

CELL_WITH(basis_cell, ROW, VIEW, cell_text(owner_basis(v)))

/* recorded: help of columns from the record; address: help of columns shown for addresses only. */
#define LIST_COLUMNS(recorded, address, ...)                                                      \
	{                                                                                         \
		{ COLUMN_pfn, IN_BOTH | KNOWN, VIA(UINT, ROW, facts.page, pfn) },                 \
			{ COLUMN_phys, KNOWN, CELL_BY(phys_cell) },                               \
			{ COLUMN_order, IN_BOTH | (recorded), FACT(KEY_ORDER) },                  \
			{ COLUMN_gfp_mask, IN_JSON | (recorded),                                  \
			  HEX_IF(ROW, RECORD.gfp_mask, has_record) },                             \
			{ COLUMN_gfp, IN_BOTH, .width = 29, FACT(KEY_GFP) },                      \
			{ COLUMN_pid, IN_BOTH, "the one that allocated", FIELD(PID) },            \
			{ COLUMN_tgid, IN_JSON, "the one that allocated", FIELD(TGID) },          \
			{ COLUMN_comm, IN_BOTH, "the one that allocated, its name then",          \
			  FIELD(COMM) },                                                          \
			{ COLUMN_ts_ns, IN_BOTH, FIELD(TS) },                                     \
			{ COLUMN_free_ts_ns, IN_JSON, "0: never freed", FIELD(FREE_TS) },         \
			{ COLUMN_free_pid, IN_JSON, FIELD(FREE_PID) },                            \
			{ COLUMN_free_tgid, IN_JSON, FIELD(FREE_TGID) },                          \
			{ COLUMN_handle, IN_BOTH | (recorded), CELL_BY(handle_cell) },            \
			{ COLUMN_free_handle, IN_JSON, .can_have = has_no_record,                 \
			  CELL_BY(free_handle_cell) },                                            \
			{ COLUMN_allocated, IN_JSON | (recorded), CELL_BY(allocated_cell) },      \
			{ COLUMN_state, 0, .width = 5, .choices = owner_state_choices,            \
			  FACT(KEY_STATE) },                                                      \
			{ COLUMN_migratetype, IN_JSON, FACT(KEY_MIGRATETYPE) },                   \
			{ COLUMN_block_migratetype, IN_JSON, FACT(KEY_BLOCK_MIGRATETYPE) },       \
			{ COLUMN_last_migrate_reason, IN_JSON, .can_have = has_no_record,         \
			  CELL_BY(reason_cell) },                                                 \
			{ COLUMN_node, IN_JSON, FACT(KEY_NODE) },                                 \
			{ COLUMN_zone, IN_JSON, FACT(KEY_ZONE) },                                 \
			{ COLUMN_class, IN_JSON, .width = 8, .choices = page_class_names + 1,     \
			  FACT(KEY_CLASS) },                                                      \
			{ COLUMN_memcg, IN_JSON, .width = 16, FACT(KEY_MEMCG) },                  \
			{ COLUMN_type, 0, .can_have = has_no_info, CELL_BY(type_cell) },          \
			{ COLUMN_head_pfn, 0, CELL_BY(head_cell) },                               \
			{ COLUMN_site, address, "file:line function", 40, CELL_BY(site_cell) },   \
			{ COLUMN_caller, 0, .width = 24, FACT(KEY_CALLER) },                      \
			{ COLUMN_module, 0, .width = 10, FACT(KEY_MODULE) },                      \
			{ COLUMN_cache, 0, .width = 24, FACT(KEY_CACHE) },                        \
			{ COLUMN_file, 0, FACT(KEY_FILE) },                                       \
			{ COLUMN_mapper, 0, .width = 16, FACT(KEY_MAPPER) },                      \
			{ COLUMN_owner, 0, .choices = owner_life_choices, FACT(KEY_OWNER) },      \
			{ COLUMN_age_ns, 0, "of a free page, from its free", CELL_BY(age_cell) }, \
			{ COLUMN_stack, address, CELL_BY(stack_cell) },                           \
			{ COLUMN_free_stack, address, CELL_BY(free_stack_cell) }, __VA_ARGS__,    \
	}

static const struct view_column columns[LIST_NCOLUMNS] =
	LIST_COLUMNS(KNOWN, 0, BASIS_ASKED(basis_cell, BASIS_OF_RECORDS));
const struct view_column list_page_columns[LIST_NCOLUMNS + 1] =
	LIST_COLUMNS(0, IN_JSON, { COLUMN_symbol, IN_JSON, CELL_BY(symbol_cell) }, BASIS(derived));

struct list {
	struct owner_view *v;
	struct scan_stats cov;
	uint64_t limit;	   /* rows to show, 0: all */
	uint64_t left_out; /* rows that filters of columns do not keep */
	bool has_tails;	   /* selected pages that have no row */
	struct owner_select select;
};

/* JSON names a stack once, before the first row that uses it. */
static void put_stack(struct owner_view *v, uint32_t handle, struct cached_stack *k)
{
	const struct stack *stack;
	struct json j;

	if (!k || !k->decoded || k->printed || !v->in->opts.json)
		return;
	k->printed = true;
	stack = stack_cache_frames(&v->stacks, k);
	json_open_line(&j, v->out, "stack");
	json_hex(&j, "handle", handle);
	json_stack(&j, "stack", stack);
	json_bool(&j, "cut", stack->cut);
	json_close_line(&j);
}

void list_row_put(struct owner_view *v, const struct list_row *row)
{
	struct cell cells[VIEW_COLUMNS];

	row_fill(&v->in->table, row, v, cells);
	if (v->in->opts.json)
		table_json_row(&v->in->table, v->out, cells);
	else
		table_stream_row(&v->in->table, v->out, cells);
}

/* Filters of columns that are no keys. */
static bool keeps_row(const struct list *l, const struct list_row *row)
{
	const struct cmdline *in = l->v->in;
	/* What is neither shown nor filtered is looked at for what a filter did not find. */
	struct cell cells[VIEW_COLUMNS] = { 0 };

	if (!in->filters.nrows)
		return true;
	row_fill(&in->table, row, l->v, cells);
	return table_keeps(&in->table, &in->filters, cells);
}

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct list *l = arg;
	struct owner_view *v = l->v;
	struct list_row row = { .stack = stack_cache_get(&v->stacks, p->handle),
				.has_record = true };

	if (p->allocated && !row.stack->decoded) {
		l->cov.live--;
		l->cov.undecodable++;
	}
	page_facts_init(v, p, &row.facts);
	if (!owner_selects(&l->select, &row.facts))
		return ST_OK;
	/* -a lists pages, not allocations: tail pages too. A free page belongs to no allocation. */
	if (!v->in->opts.all && p->allocated && !p->head) {
		l->has_tails = true;
		return ST_OK;
	}
	page_facts_record(&row.facts);
	if (!keeps_row(l, &row)) {
		l->left_out++;
		return ST_OK;
	}
	v->report.rows_total++;
	if (l->limit && v->report.rows_shown == l->limit)
		return ST_OK;
	v->report.rows_shown++;
	if (row.RECORD.free_handle)
		row.freed = stack_cache_get(&v->stacks, row.RECORD.free_handle);
	put_stack(v, p->handle, row.stack);
	put_stack(v, row.RECORD.free_handle, row.freed);
	list_row_put(v, &row);
	return v->out->closed ? ST_STOPPED : ST_OK;
}

enum status list_open(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	const struct table *t = &v->in->table;

	v->any_kernel = v->has_tracks = v->in->opts.nargs;
	v->shows_types = table_shows(t, COLUMN_type) || table_shows(t, COLUMN_head_pfn);
	v->shows_sites = table_shows(t, COLUMN_site);
	return owner_view_open(v, why);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct list l = { .v = v };
	enum status st;

	l.limit = v->in->opts.has_rows ? v->in->opts.rows : 0;
	if (!v->in->opts.json)
		table_stream_header(&v->in->table, v->out);
	owner_select_init(v, &l.select);
	st = page_owner_scan(&v->owner, owner_select_scope(&l.select), &l.cov, add_page, &l);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	report_rest(&v->report, v->report.rows_total - v->report.rows_shown, "row", "rows", NULL);
	report_columns_kept(&v->report, l.left_out);
	if (l.has_tails && !v->report.rows_total && !v->in->filters.nrows)
		report_warn(&v->report, "rows are allocations, by their first page, which none of "
					"these is: -a has each page");
	owner_view_end(v, &l.cov, &l.select);
	return st;
}

const struct view owner_list_view = {
	"list",	     "-t list", COLUMNS_OF(columns), .filters_rows = true, .open = list_open,
	.show = show
};
