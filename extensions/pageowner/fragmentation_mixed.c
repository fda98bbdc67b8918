// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who has unmovable and reclaimable pages, in movable pageblocks and in blocks of the order asked
 * for: by the keys of -g, else by class and caller or, without page_owner, by slab cache or class.
 */
#include "fragmentation.h"

#include <string.h>

#include "util/units.h"

#define DEFAULT_ROWS 10

/* Columns of keys follow the others, in the order of the keys. */
enum {
	COL_RANK,
	COL_PAGES,
	COL_BYTES,
	COL_MIXED,
	COL_UNMOVABLE,
	COL_RECLAIMABLE,
	COL_ALLOCS,
	COL_BLOCKS,
	COL_ALONE,
	COL_LOST_ORDER,
	COL_AGE_MAX,
	COL_AGE_MIN,
	COL_HANDLE,
	COL_STACK,
	COL_KEYS,
	COLUMNS = COL_KEYS + KEY_OWNER
};

#define COLUMN_OF(key) (COL_KEYS + (key)-1)
#define KEY_COLUMN(key, id, shown, ...) [COLUMN_OF(key)] = { COLUMN_##id, shown, __VA_ARGS__ }
#define WITH_G "with -g"
#define ONE_STACK "if the group has one stack"

/* by_default: of the keys of groups without -g. */
#define MIXED_COLUMNS(by_default)                                                                 \
	{                                                                                         \
		[COL_RANK] = { COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },                      \
		[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN },                                  \
		[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },                                  \
		[COL_MIXED] = { COLUMN_mixed_pages, IN_BOTH | KNOWN },                            \
		[COL_UNMOVABLE] = { COLUMN_unmovable_pages, IN_JSON | KNOWN },                    \
		[COL_RECLAIMABLE] = { COLUMN_reclaimable_pages, IN_BOTH | KNOWN },                \
		[COL_ALLOCS] = { COLUMN_allocs, IN_JSON | KNOWN },                                \
		[COL_BLOCKS] = { COLUMN_affected_blocks, IN_BOTH | KNOWN },                       \
		[COL_ALONE] = { COLUMN_sole_blocks, IN_BOTH | KNOWN },                            \
		[COL_LOST_ORDER] = { COLUMN_lost_order_blocks, IN_BOTH | KNOWN },                 \
		[COL_AGE_MAX] = { COLUMN_age_max_ns, IN_BOTH },                                   \
		[COL_AGE_MIN] = { COLUMN_age_min_ns, IN_BOTH },                                   \
		[COL_HANDLE] = { COLUMN_handle, IN_JSON, ONE_STACK },                             \
		[COL_STACK] = { COLUMN_stack, IN_JSON, ONE_STACK },                               \
		KEY_COLUMN(KEY_CALLER, caller, by_default),                                       \
		KEY_COLUMN(KEY_MODULE, module, 0, WITH_G), KEY_COLUMN(KEY_PID, pid, 0, WITH_G),   \
		KEY_COLUMN(KEY_TGID, tgid, 0, WITH_G), KEY_COLUMN(KEY_COMM, comm, 0, WITH_G),     \
		KEY_COLUMN(KEY_ORDER, order, 0, WITH_G), KEY_COLUMN(KEY_GFP, gfp, 0, WITH_G),     \
		KEY_COLUMN(KEY_MIGRATETYPE, migratetype, 0, WITH_G),                              \
		KEY_COLUMN(KEY_BLOCK_MIGRATETYPE, block_migratetype, 0, WITH_G),                  \
		KEY_COLUMN(KEY_NODE, node, 0, WITH_G), KEY_COLUMN(KEY_ZONE, zone, 0, WITH_G),     \
		KEY_COLUMN(KEY_MEMCG, memcg, 0, WITH_G),                                          \
		KEY_COLUMN(KEY_CLASS, class, by_default, .choices = page_class_names + 1),        \
		KEY_COLUMN(KEY_CACHE, cache, by_default, .width = 32),                            \
		KEY_COLUMN(KEY_FILE, file, 0, WITH_G), KEY_COLUMN(KEY_MAPPER, mapper, 0, WITH_G), \
		KEY_COLUMN(KEY_AGE, age, 0, WITH_G),                                              \
		KEY_COLUMN(KEY_OWNER, owner, 0, WITH_G, .choices = owner_life_choices),           \
	}

static const struct view_column columns[COLUMNS] = MIXED_COLUMNS(0);
static const struct view_column owner_columns[COLUMNS] = MIXED_COLUMNS(IN_JSON);

static void show_keys(struct table *t, const size_t *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] > KEY_OWNER) {
			continue; /* refused, later */
		} else if (keys[i] == KEY_STACK) {
			table_show(t, COL_HANDLE);
			table_show(t, COL_STACK);
		} else {
			table_show(t, COLUMN_OF(keys[i]));
		}
}

static void prepare(struct cmdline *in)
{
	show_keys(&in->table, in->groups, in->ngroups);
}

const struct view owner_mixed_view = { "mixed",
				       "-b -g caller",
				       COLUMNS_OF(columns),
				       .takes_arguments = true,
				       .prepare = prepare,
				       .has_groups = true,
				       .filters_rows = true };

const struct view fragmentation_owners_view = { "fragmentation-owner", "-b",
						COLUMNS_OF(owner_columns),
						.below = &fragmentation_near_view };

enum status mixed_open(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	const struct cmdline *in = v->in;

	for (size_t i = 0; i < in->ngroups; i++)
		f->keys[f->nkeys++] = in->groups[i];
	for (size_t i = 0; i < f->nkeys; i++)
		if (!v->has_owner && !owner_key_is_of_page(f->keys[i]))
			return dump_fail(v->dump, ST_USAGE, "-g %s needs page_owner: %s",
					 key_name(&owner_keys[f->keys[i]]), v->owner_problem);
	if (!f->nkeys && v->has_owner)
		f->keys[f->nkeys++] = KEY_CLASS;
	if (f->nkeys < 2 && !in->ngroups)
		f->keys[f->nkeys++] = v->has_owner ? KEY_CALLER : v->slabs ? KEY_CACHE : KEY_CLASS;
	hash_bytes_init(&f->groups, v->dump->arena, sizeof(struct mixed_group));
	owner_select_init(v, &f->select);
	f->select.free = f->select.live = true; /* pages in use that have no record are asked too */
	return ST_OK;
}

static bool is_movable_block(const struct fragmentation *f)
{
	return f->type < FREE_AREA_TYPES &&
	       ((int64_t)f->type == f->movable || (int64_t)f->type == f->cma);
}

static void add_time(struct fragmentation *f, struct mixed_group *g, const struct owner_page *page)
{
	if (!page->allocated || !f->v->owner.f[OWNER_TS].present)
		return;
	if (!g->has_time || page->ts_ns < g->ts_min)
		g->ts_min = page->ts_ns;
	if (!g->has_time || page->ts_ns > g->ts_max)
		g->ts_max = page->ts_ns;
	g->has_time = true;
}

enum status mixed_add_page(struct fragmentation *f, const struct owner_page *page,
			   const struct page_info *info, uint64_t first,
			   enum page_mobility mobility)
{
	const struct owner_page bare = { .pfn = page->pfn, .unknown = page->unknown };
	struct page_facts fact;
	uint64_t words[GROUP_KEYS] = { 0 };
	struct hash_bytes_entry *e;
	struct mixed_group *g;
	bool is_new;

	if (page->allocated) {
		struct cached_stack *stack = stack_cache_get(&f->v->stacks, page->handle);

		if (!stack)
			return dump_no_memory(f->v->dump);
		f->undecodable += !stack->decoded;
	}
	page_facts_init(f->v, page->allocated ? page : &bare, &fact);
	fact.info = *info;
	fact.has_info = INFO_KNOWN;
	if (!owner_selects(&f->select, &fact))
		return ST_OK;
	for (size_t i = 0; i < f->nkeys; i++)
		words[i] = owner_value(&fact, f->keys[i]);
	e = hash_bytes_get(&f->groups, words, f->nkeys * sizeof(words[0]), &is_new);
	if (!e)
		return dump_no_memory(f->v->dump);
	g = e->value;
	if (is_new) {
		memcpy(g->keys, words, sizeof(words));
		g->handle = page->handle;
		g->one_stack = page->allocated;
	}
	g->pages++;
	g->mixed += is_movable_block(f);
	g->reclaimable += mobility == MOBILITY_RECLAIMABLE;
	g->allocs += first == page->pfn;
	g->one_stack &= page->allocated && page->handle == g->handle;
	g->blocks += g->last_block != f->pageblock + 1;
	g->last_block = f->pageblock + 1;
	g->order_blocks += g->last_order_block != (page->pfn >> f->order) + 1;
	g->last_order_block = (page->pfn >> f->order) + 1;
	add_time(f, g, page);
	f->selected++;
	f->only = f->selected == 1 || f->only == g ? g : NULL;
	return ST_OK;
}

/* A group is alone where it has all pages of the block that cannot be moved. */
void mixed_end_block(struct fragmentation *f, const struct order_block *b)
{
	uint64_t fixed = b->pages[MOBILITY_UNMOVABLE] + b->pages[MOBILITY_RECLAIMABLE];

	if (f->only && f->selected == fixed && !b->pages[MOBILITY_UNKNOWN])
		f->only->sole++;
	f->only = NULL;
	f->selected = 0;
}

static enum status add_row(struct fragmentation *f, struct table *t, const struct mixed_group *g)
{
	struct owner_view *v = f->v;
	struct cell *row = table_add(t);

	if (!row)
		return ST_NOMEM;
	row[COL_PAGES] = cell_uint(g->pages);
	row[COL_BYTES] = cell_uint(g->pages << v->page_shift);
	row[COL_MIXED] = cell_uint(g->mixed);
	row[COL_UNMOVABLE] = cell_uint(g->pages - g->reclaimable);
	row[COL_RECLAIMABLE] = cell_uint(g->reclaimable);
	row[COL_ALLOCS] = cell_uint(g->allocs);
	row[COL_BLOCKS] = cell_uint(g->blocks);
	row[COL_ALONE] = cell_uint(g->sole);
	row[COL_LOST_ORDER] = cell_uint(g->order_blocks);
	row[COL_AGE_MAX] = cell_if(g->has_time, report_age(&v->report, g->ts_min));
	row[COL_AGE_MIN] = cell_if(g->has_time, report_age(&v->report, g->ts_max));
	row[COL_HANDLE] = cell_if(g->one_stack && g->handle, cell_hex(g->handle));
	for (size_t i = 0; i < f->nkeys; i++)
		if (f->keys[i] != KEY_STACK)
			row[COLUMN_OF(f->keys[i])] = owner_value_cell(v, f->keys[i], g->keys[i]);
	return ST_OK;
}

static enum status fill(struct fragmentation *f, struct table *t, const char *sort, bool reverse)
{
	struct owner_view *v = f->v;
	/* An order that was asked for is kept from being free in pageblocks of any type. */
	const char *by_default = f->has_request && f->request ? "lost_order_blocks,pages"
							      : "mixed_pages,pages";
	enum status st = ST_OK;

	for (struct hash_bytes_entry *e = f->groups.first; e && st == ST_OK; e = e->next) {
		const struct mixed_group *g = e->value;

		if (owner_selects_group(&f->select, g->pages << v->page_shift))
			st = add_row(f, t, g);
	}
	if (t == &v->in->table)
		table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, sort ? sort : by_default, reverse);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][COL_RANK] = cell_uint(i + 1);
	return st;
}

static void name_stacks(struct fragmentation *f, struct table *t, size_t shown)
{
	struct stack_cache *stacks = &f->v->stacks;

	for (size_t i = 0; i < shown; i++) {
		struct cell *row = t->rows[i];

		if (row[COL_HANDLE].kind == CELL_HEX)
			row[COL_STACK] = cell_stack(stack_cache_frames(
				stacks, stack_cache_get(stacks, row[COL_HANDLE].u)));
	}
}

/* Pages of unknown use may be what was not found. */
static void put_title(struct fragmentation *f, size_t n)
{
	struct sink *out = f->v->out;

	sink_text(out, "\nunmovable and reclaimable pages");
	if (n)
		sink_text(out, f->v->has_owner
				       ? ", by class and the function that allocated them:\n"
				       : ", by slab cache or class:\n");
	else
		sink_printf(out, "%s\n", fragmentation_none(f));
}

enum status fragmentation_owners_put(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct table t;
	size_t shown;
	enum status st = table_init(&t, v->dump, owner_columns, COLUMNS, v->in->opts.json);

	if (st != ST_OK)
		return st;
	if (!v->in->opts.json)
		show_keys(&t, f->keys, f->nkeys);
	st = fill(f, &t, NULL, false);
	if (st != ST_OK)
		return st;
	shown = opts_rows(&v->in->opts, DEFAULT_ROWS, t.n);
	name_stacks(f, &t, shown);
	if (v->in->opts.json) {
		for (size_t i = 0; i < shown; i++)
			table_json_record(&t, v->out, "owner", t.rows[i]);
		return ST_OK;
	}
	put_title(f, t.n);
	table_text(&t, v->out, shown);
	report_rest(&v->report, t.n - shown, "group", "groups", NULL);
	return ST_OK;
}

enum status fragmentation_groups(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct table *t = &v->in->table;
	const struct opts *o = &v->in->opts;
	size_t shown;
	enum status st = fill(f, t, o->sort, o->reverse);

	if (st != ST_OK)
		return st;
	shown = opts_rows(o, DEFAULT_ROWS, t->n);
	name_stacks(f, t, shown);
	report_rows(&v->report, t, o, DEFAULT_ROWS);
	report_rest(&v->report, t->n - shown, "group", "groups", NULL);
	return ST_OK;
}
