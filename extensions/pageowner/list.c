// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "object_lookup.h"
#include "view.h"

enum {
	COL_PFN,
	COL_PHYS,
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
	COL_STATE,
	COL_MIGRATETYPE,
	COL_BLOCK_MIGRATETYPE,
	COL_REASON,
	COL_NODE,
	COL_ZONE,
	COL_CLASS,
	COL_MEMCG,
	COL_TYPE,
	COL_HEAD,
	COL_SITE,
	COL_CALLER,
	COL_MODULE,
	COL_CACHE,
	COL_FILE,
	COL_MAPPER,
	COL_OWNER,
	COL_AGE,
	COL_STACK,
	COL_FREE_STACK,
	COLUMNS
};

/* recorded: help of columns from the record; address: help of columns shown for addresses only. */
#define LIST_COLUMNS(recorded, address)                                                           \
	{                                                                                         \
		[COL_PFN] = { COLUMN_pfn, IN_BOTH | KNOWN }, [COL_PHYS] = { COLUMN_phys, KNOWN }, \
		[COL_ORDER] = { COLUMN_order, IN_BOTH | (recorded) },                             \
		[COL_GFP_MASK] = { COLUMN_gfp_mask, IN_JSON | (recorded) },                       \
		[COL_GFP] = { COLUMN_gfp, IN_BOTH, .width = 29 },                                 \
		[COL_PID] = { COLUMN_pid, IN_BOTH, "the one that allocated" },                    \
		[COL_TGID] = { COLUMN_tgid, IN_JSON, "the one that allocated" },                  \
		[COL_COMM] = { COLUMN_comm, IN_BOTH, "the one that allocated, its name then" },   \
		[COL_TS] = { COLUMN_ts_ns, IN_BOTH },                                             \
		[COL_FREE_TS] = { COLUMN_free_ts_ns, IN_JSON, "0: never freed" },                 \
		[COL_FREE_PID] = { COLUMN_free_pid, IN_JSON },                                    \
		[COL_FREE_TGID] = { COLUMN_free_tgid, IN_JSON },                                  \
		[COL_HANDLE] = { COLUMN_handle, IN_BOTH | (recorded) },                           \
		[COL_FREE_HANDLE] = { COLUMN_free_handle, IN_JSON },                              \
		[COL_ALLOCATED] = { COLUMN_allocated, IN_JSON | (recorded) },                     \
		[COL_STATE] = { COLUMN_state, 0, .width = 5, .choices = owner_state_choices },    \
		[COL_MIGRATETYPE] = { COLUMN_migratetype, IN_JSON },                              \
		[COL_BLOCK_MIGRATETYPE] = { COLUMN_block_migratetype, IN_JSON },                  \
		[COL_REASON] = { COLUMN_last_migrate_reason, IN_JSON },                           \
		[COL_NODE] = { COLUMN_node, IN_JSON }, [COL_ZONE] = { COLUMN_zone, IN_JSON },     \
		[COL_CLASS] = { COLUMN_class, IN_JSON, .width = 8,                                \
				.choices = page_class_names + 1 },                                \
		[COL_MEMCG] = { COLUMN_memcg, IN_JSON, .width = 16 },                             \
		[COL_TYPE] = { COLUMN_type, 0 }, [COL_HEAD] = { COLUMN_head_pfn, 0 },             \
		[COL_SITE] = { COLUMN_site, address, "file:line function", 40 },                  \
		[COL_CALLER] = { COLUMN_caller, 0, .width = 24 },                                 \
		[COL_MODULE] = { COLUMN_module, 0, .width = 10 },                                 \
		[COL_CACHE] = { COLUMN_cache, 0, .width = 24 }, [COL_FILE] = { COLUMN_file, 0 },  \
		[COL_MAPPER] = { COLUMN_mapper, 0, .width = 16 },                                 \
		[COL_OWNER] = { COLUMN_owner, 0, .choices = owner_life_choices },                 \
		[COL_AGE] = { COLUMN_age_ns, 0, "of a free page, from its free" },                \
		[COL_STACK] = { COLUMN_stack, address },                                          \
		[COL_FREE_STACK] = { COLUMN_free_stack, address },                                \
	}

static const struct view_column columns[COLUMNS] = LIST_COLUMNS(KNOWN, 0);
static const struct view_column page_columns[COLUMNS] = LIST_COLUMNS(0, IN_JSON);

/* For a range, the class of each page is shown by default. */
static void prepare(struct cmdline *in)
{
	if (in->opts.json)
		return;
	table_hide(&in->table, COL_GFP);
	table_show(&in->table, COL_ALLOCATED);
	table_show(&in->table, COL_CLASS);
	table_show(&in->table, COL_MEMCG);
}

const struct view owner_list_view = { "list", "-t list", COLUMNS_OF(columns),
				      .filters_rows = true };

const struct view owner_page_view = { "page", "ADDR", COLUMNS_OF(page_columns), .prepare = prepare,
				      .below = &object_lookup_view };

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

bool owner_list_shows_type(const struct table *t)
{
	return table_shows(t, table_index(t, COLUMN_type)) ||
	       table_shows(t, table_index(t, COLUMN_head_pfn));
}

bool owner_list_shows_site(const struct table *t)
{
	return table_shows(t, table_index(t, COLUMN_site));
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

/* Cells that do not depend on a record. */
static void fill_page(struct owner_view *v, uint64_t pfn, enum page_record record, uint32_t handle,
		      struct cell *row)
{
	const struct zone *zone = zones_find(&v->zones, pfn);
	struct page_info info;
	unsigned int block;

	memset(row, 0, COLUMNS * sizeof(*row));
	row[COL_PFN] = cell_uint(pfn);
	row[COL_PHYS] = cell_hex(pfn << v->page_shift);
	if (zone) {
		row[COL_NODE] = cell_uint(zone->node);
		row[COL_ZONE] = cell_text(zone->name);
	}
	if (v->has_blocks && pageblocks_type(&v->blocks, pfn, &block) == ST_OK)
		row[COL_BLOCK_MIGRATETYPE] = cell_text(names_migratetype(&v->names, block));
	if (v->has_states && page_type_at(&v->states, pfn, &info) == ST_OK) {
		row[COL_TYPE] = cell_text(page_type_name(info.state));
		row[COL_HEAD] = cell_uint(info.head);
		if (v->classes)
			row[COL_CLASS] = cell_text(page_class_name(
				page_class_at(v->classes, &info, pfn, record, handle)));
		if (v->has_memcgs)
			row[COL_MEMCG] = cell_text(memcgs_charged_to(&v->memcgs, info.memcg));
	}
}

/* Cells of the keys that filter: what a filter asks for can be seen. */
static void fill_keys(struct page_facts *f, struct cell *row)
{
	static const struct {
		unsigned int column;
		enum owner_key key;
	} keys[] = {
		{ COL_CALLER, KEY_CALLER }, { COL_MODULE, KEY_MODULE }, { COL_CACHE, KEY_CACHE },
		{ COL_FILE, KEY_FILE },	    { COL_MAPPER, KEY_MAPPER }, { COL_OWNER, KEY_OWNER },
	};
	struct owner_view *v = f->v;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (table_shows(&v->in->table, keys[i].column))
			row[keys[i].column] = owner_value_cell(v, keys[i].key,
							       owner_value(f, keys[i].key));
}

void owner_list_bare_row(struct owner_view *v, uint64_t pfn, bool unknown, struct cell *row)
{
	const struct owner_page page = { .pfn = pfn, .unknown = unknown };
	struct page_facts facts;

	fill_page(v, pfn, unknown ? RECORD_UNKNOWN : RECORD_NONE, 0, row);
	page_facts_init(v, &page, &facts);
	fill_keys(&facts, row);
}

void owner_list_row(struct owner_view *v, const struct owner_record *r, struct cached_stack *k,
		    struct cached_stack *freed, struct cell *row)
{
	const struct field *f = v->owner.f;
	struct page_facts facts;

	page_facts_init(v, &r->page, &facts);
	fill_page(v, r->page.pfn, r->page.allocated ? RECORD_LIVE : RECORD_FREE, r->page.handle,
		  row);
	row[COL_ORDER] = cell_uint(r->page.order);
	row[COL_GFP_MASK] = cell_hex(r->gfp_mask);
	row[COL_GFP] = cell_text(names_gfp_word(&v->names, r->gfp_mask));
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
	row[COL_STATE] = cell_text(owner_state_choices[!r->page.allocated]);
	row[COL_MIGRATETYPE] = cell_text(names_gfp_migratetype(&v->names, r->gfp_mask));
	if (r->last_migrate_reason != v->owner.never_migrated)
		row[COL_REASON] =
			cell_text(names_migrate_reason(&v->names, r->last_migrate_reason));
	if (v->tags && r->page.allocated)
		row[COL_SITE] = cell_text(tag_names_sure(v->tags, owner_page_head(&r->page),
							 r->page.handle,
							 stack_cache_frames(&v->stacks, k)));
	fill_keys(&facts, row);
	if (f[r->page.allocated ? OWNER_TS : OWNER_FREE_TS].present)
		row[COL_AGE] = report_age(&v->report, facts.ts_ns);
	if (table_shows(&v->in->table, COL_STACK))
		row[COL_STACK] = cell_stack(stack_cache_frames(&v->stacks, k));
	if (freed && table_shows(&v->in->table, COL_FREE_STACK))
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

/* Filters of columns that are no keys. */
static bool keeps_row(struct list *l, const struct owner_page *p, struct cached_stack *k)
{
	struct owner_view *v = l->v;
	struct owner_record r;

	if (!v->in->filters.nrows)
		return true;
	page_owner_decode(&v->owner, p, &r);
	owner_list_row(v, &r, k, NULL, l->row);
	return table_keeps(&v->in->table, &v->in->filters, l->row);
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
	/* -a lists pages, not allocations: tail pages too. A free page belongs to no allocation. */
	if (!v->in->opts.all && p->allocated && !p->head)
		return ST_OK;
	if (!keeps_row(l, p, k))
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
	report_rest(&v->report, v->report.rows_total - v->report.rows_shown, "row", "rows", NULL);
	owner_view_end(v, &l.cov, &l.select);
	return st;
}
