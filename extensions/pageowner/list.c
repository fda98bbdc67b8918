// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "view.h"

enum {
	COL_PFN,
	COL_ORDER,
	COL_GFP_MASK,
	COL_GFP,
	COL_PID,
	COL_TGID,
	COL_COMM,
	COL_TS,
	COL_FREE_TS,
	COL_FREE_PID,
	COL_FREE_TGID,
	COL_HANDLE,
	COL_FREE_HANDLE,
	COL_ALLOCATED,
	COL_MIGRATETYPE,
	COL_BLOCK_MIGRATETYPE,
	COL_REASON,
	COL_NODE,
	COL_ZONE,
	COL_CLASS,
	COL_MEMCG,
	COL_STATE,
	COL_HEAD,
	COL_TAG,
	COL_STACK,
	COL_FREE_STACK,
	COLUMNS
};

static const struct column columns[COLUMNS] = {
	[COL_PFN] = { "pfn", "PFN", FORMAT_PFN, IN_BOTH, 9,
		      .help = "page frame number of the first page" },
	[COL_ORDER] = { "order", "ORDER", .shown = IN_BOTH, .help = "2^order pages" },
	[COL_GFP_MASK] = { "gfp_mask", "GFP_MASK", .shown = IN_JSON, .width = 10,
			   .help = "flags of the allocation" },
	[COL_GFP] = { "gfp", "GFP", FORMAT_TEXT, IN_BOTH, 29, .help = "the same by name" },
	[COL_PID] = { "pid", "PID", .shown = IN_BOTH, .width = 6, .help = "thread that allocated" },
	[COL_TGID] = { "tgid", "TGID", .shown = IN_JSON, .width = 7, .help = "its process" },
	[COL_COMM] = { "comm", "COMM", FORMAT_TEXT, IN_BOTH, 15, .help = "its name at that time" },
	[COL_TS] = { "ts_ns", "TIME", FORMAT_STAMP, IN_BOTH, 14,
		     .help = "when, on the log's clock" },
	[COL_FREE_TS] = { "free_ts_ns", "FREE_TIME", FORMAT_STAMP, IN_JSON, 14,
			  .help = "when the page was freed last before" },
	[COL_FREE_PID] = { "free_pid", "FREE_PID", .shown = IN_JSON, .width = 7,
			   .help = "thread that freed it then" },
	[COL_FREE_TGID] = { "free_tgid", "FREE_TGID", .shown = IN_JSON, .width = 7,
			    .help = "its process" },
	[COL_HANDLE] = { "handle", "HANDLE", .shown = IN_BOTH, .width = 10,
			 .help = "stack of the allocation, for depot" },
	[COL_FREE_HANDLE] = { "free_handle", "FREE_HANDLE", .shown = IN_JSON, .width = 10,
			      .help = "stack of that free" },
	[COL_ALLOCATED] = { "allocated", "ALLOCATED", .shown = IN_JSON,
			    .help = "false: it is free now" },
	[COL_MIGRATETYPE] = { "migratetype", "MIGRATETYPE", FORMAT_TEXT, IN_JSON, 11,
			      .help = "mobility that was asked for" },
	[COL_BLOCK_MIGRATETYPE] = { "block_migratetype", "BLOCK", FORMAT_TEXT, IN_JSON, 11,
				    .help = "mobility of its pageblock" },
	[COL_REASON] = { "last_migrate_reason", "MIGRATED", FORMAT_TEXT, IN_JSON, 16,
			 .help = "why it was migrated last; null: never" },
	[COL_NODE] = { "node", "NODE", .shown = IN_JSON, .help = "NUMA node" },
	[COL_ZONE] = { "zone", "ZONE", FORMAT_TEXT, IN_JSON, 8, .help = "zone" },
	[COL_CLASS] = { "class", "CLASS", FORMAT_TEXT, IN_JSON, 8, .help = "what the page is now" },
	[COL_MEMCG] = { "memcg", "MEMCG", FORMAT_TEXT, IN_JSON, 16,
			.help = "cgroup that is charged" },
	[COL_STATE] = { "state", "STATE", FORMAT_TEXT, 0, 13,
			.help = "type of the page: slab, pgtable, anon, file, buddy, ..." },
	[COL_HEAD] = { "head_pfn", "HEAD", FORMAT_PFN, 0, 9,
		       .help = "first page of the compound page that it is of" },
	[COL_TAG] = { "tag", "TAG", FORMAT_PATH, 0, 40,
		      .help = "call site that allocated: file:line function, with profiling" },
	[COL_STACK] = { "stack", NULL, .shown = 0, .help = "who allocated, innermost frame first" },
	[COL_FREE_STACK] = { "free_stack", NULL, .shown = 0, .help = "who freed" },
};

/* Pages side by side are told by what they are. */
static void prepare(struct cmdline *in)
{
	if (!in->opts.nargs || in->opts.json)
		return;
	table_hide(&in->table, COL_GFP);
	table_show(&in->table, COL_ALLOCATED);
	table_show(&in->table, COL_CLASS);
	table_show(&in->table, COL_MEMCG);
}

const struct view owner_list_view = { "list", "srgkwRdm", .columns = columns, .ncolumns = COLUMNS };

const struct view owner_page_view = { "an address", "tasrnfgkwRdm", columns, COLUMNS,
				      .prepare = prepare };

struct list {
	struct owner_view *v;
	struct scan_stats cov;
	uint64_t limit; /* rows to show, 0: all */
	struct owner_select select;
	struct cell row[COLUMNS];
};

size_t owner_list_columns(void)
{
	return COLUMNS;
}

bool owner_list_shows_state(const struct table *t)
{
	return t->columns == columns && (table_shows(t, COL_STATE) || table_shows(t, COL_HEAD));
}

bool owner_list_shows_tag(const struct table *t)
{
	return t->columns == columns && table_shows(t, COL_TAG);
}

/* JSON names a stack once, before the first row that uses it. */
static enum status show_stack(struct list *l, uint32_t handle, struct cached_stack **ret)
{
	struct owner_view *v = l->v;
	struct cached_stack *k = stack_cache_get(&v->stacks, handle);
	const struct stack *stack;
	struct json j;

	if (!k)
		return ST_NOMEM;
	*ret = k;
	if (!k->decoded || k->printed || !v->in->opts.json)
		return ST_OK;
	k->printed = true;
	stack = stack_cache_frames(&v->stacks, k);
	if (!stack)
		return ST_NOMEM;
	json_open_line(&j, v->out, "stack");
	json_hex(&j, "handle", handle);
	json_stack(&j, "stack", stack);
	json_bool(&j, "cut", stack->cut);
	json_close_line(&j);
	return ST_OK;
}

/* What does not depend on a record. */
static void fill_page(struct owner_view *v, uint64_t pfn, enum page_record record, uint32_t handle,
		      struct cell *row)
{
	const struct zone *zone = zones_find(&v->zones, pfn);
	struct page_info info;

	memset(row, 0, COLUMNS * sizeof(*row));
	row[COL_PFN] = cell_uint(pfn);
	if (zone) {
		row[COL_NODE] = cell_uint(zone->node);
		row[COL_ZONE] = cell_text(zone->name);
	}
	if (v->has_states && page_type_at(&v->states, pfn, &info) == ST_OK) {
		row[COL_STATE] = cell_text(page_type_name(info.state));
		row[COL_HEAD] = cell_uint(info.head);
		if (v->classes)
			row[COL_CLASS] = cell_text(page_class_name(
				page_class_at(v->classes, &info, pfn, record, handle)));
		if (v->has_memcgs)
			row[COL_MEMCG] = cell_text(memcgs_path(&v->memcgs, info.memcg));
	}
}

void owner_list_bare_row(struct owner_view *v, uint64_t pfn, struct cell *row)
{
	fill_page(v, pfn, RECORD_NONE, 0, row);
}

void owner_list_row(struct owner_view *v, const struct owner_record *r, struct cached_stack *k,
		    struct cached_stack *freed, struct cell *row)
{
	const struct field *f = v->owner.f;
	unsigned int block;

	fill_page(v, r->page.pfn, r->page.allocated ? RECORD_LIVE : RECORD_FREE, r->page.handle,
		  row);
	row[COL_ORDER] = cell_uint(r->page.order);
	row[COL_GFP_MASK] = cell_hex(r->gfp_mask);
	row[COL_GFP] = cell_text(names_gfp(&v->names, r->gfp_mask));
	row[COL_PID] = cell_if(f[OWNER_PID].present, cell_int(r->pid));
	row[COL_TGID] = cell_if(f[OWNER_TGID].present, cell_int(r->tgid));
	row[COL_COMM] = cell_if(f[OWNER_COMM].present, cell_text(r->comm));
	row[COL_TS] = cell_if(f[OWNER_TS].present, cell_uint(r->page.ts_ns));
	row[COL_FREE_TS] = cell_if(f[OWNER_FREE_TS].present, cell_uint(r->free_ts_ns));
	row[COL_FREE_PID] = cell_if(f[OWNER_FREE_PID].present, cell_int(r->free_pid));
	row[COL_FREE_TGID] = cell_if(f[OWNER_FREE_TGID].present, cell_int(r->free_tgid));
	row[COL_HANDLE] = cell_hex(r->page.handle);
	row[COL_FREE_HANDLE] = cell_if(r->free_handle, cell_hex(r->free_handle));
	row[COL_ALLOCATED] = cell_bool(r->page.allocated);
	row[COL_MIGRATETYPE] = cell_text(names_gfp_migratetype(&v->names, r->gfp_mask));
	if (v->has_blocks && pageblocks_type(&v->blocks, r->page.pfn, &block) == ST_OK)
		row[COL_BLOCK_MIGRATETYPE] = cell_text(names_migratetype(&v->names, block));
	if (r->last_migrate_reason != v->owner.never_migrated)
		row[COL_REASON] =
			cell_text(names_migrate_reason(&v->names, r->last_migrate_reason));
	if (v->tags && r->page.allocated)
		row[COL_TAG] = cell_text(tag_names_sure(v->tags, owner_page_head(&r->page),
							r->page.handle,
							stack_cache_frames(&v->stacks, k)));
	if (table_shows(&v->in->table, COL_STACK))
		row[COL_STACK] = cell_stack(stack_cache_frames(&v->stacks, k));
	if (table_shows(&v->in->table, COL_FREE_STACK))
		row[COL_FREE_STACK] = cell_stack(stack_cache_frames(&v->stacks, freed));
}

static enum status show_record(struct list *l, const struct owner_page *p, struct cached_stack *k)
{
	struct owner_view *v = l->v;
	struct cached_stack *freed = NULL;
	struct owner_record r;
	enum status st;

	page_owner_decode(&v->owner, p, &r);
	st = show_stack(l, p->handle, &k);
	if (st == ST_OK && r.free_handle)
		st = show_stack(l, r.free_handle, &freed);
	if (st != ST_OK)
		return st;
	owner_list_row(v, &r, k, freed, l->row);
	if (v->in->opts.json)
		table_json_row(&v->in->table, v->out, l->row);
	else
		table_stream_row(&v->in->table, v->out, l->row);
	return v->out->closed ? ST_STOPPED : ST_OK;
}

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct list *l = arg;
	struct owner_view *v = l->v;
	struct cached_stack *k = stack_cache_get(&v->stacks, p->handle);
	struct page_facts fact;

	if (!k)
		return ST_NOMEM;
	if (p->allocated && !k->decoded) {
		l->cov.live--;
		l->cov.undecodable++;
	}
	page_facts_init(v, p, &fact);
	if (!owner_selects(&l->select, &fact))
		return ST_OK;
	/* -a lists pages, not allocations: tails as well. What is free is not one any more. */
	if (!v->in->opts.all && p->allocated && !p->head)
		return ST_OK;
	v->report.rows_total++;
	if (l->limit && v->report.rows_shown == l->limit)
		return ST_OK;
	v->report.rows_shown++;
	return show_record(l, p, k);
}

enum status owner_list(struct owner_view *v)
{
	struct list l = { .v = v };
	enum status st;

	l.limit = v->in->opts.has_rows ? v->in->opts.rows : 0;
	if (!v->in->opts.json)
		table_stream_header(&v->in->table, v->out);
	owner_select_init(v, &l.select);
	st = page_owner_scan(&v->owner, owner_select_scope(&l.select), &l.cov, add_page, &l);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (!v->in->opts.json && v->report.rows_shown < v->report.rows_total)
		sink_printf(v->out, "... %llu more rows (-n 0 shows all)\n",
			    (unsigned long long)(v->report.rows_total - v->report.rows_shown));
	owner_view_end(v, &l.cov, &l.select);
	return st;
}
