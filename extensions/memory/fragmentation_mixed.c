// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who has unmovable and reclaimable pages, in movable pageblocks and in blocks of the order asked
 * for: by the keys of -g, else by class and caller or, without page_owner, by slab cache or class.
 */
#include "fragmentation.h"

#define ROW struct mixed_group
#define ONE_STACK "if the group has one stack"

CELL_FROM(unmovable_cell, ROW, cell_uint(r->of.pages - r->reclaimable))

/* by_default: of the keys of groups without -g. */
#define MIXED_COLUMNS(by_default)                                                                  \
	{                                                                                          \
		{ COLUMN_rank, IN_BOTH | KNOWN | NO_SORT_KEY },                                    \
			{ COLUMN_pages, IN_BOTH | KNOWN, UINT_OF(ROW, of.pages) },                 \
			{ COLUMN_bytes, IN_BOTH | KNOWN, PAGES_OF(ROW, of.pages) },                \
			{ COLUMN_mixed_pages, IN_BOTH | KNOWN, UINT_OF(ROW, mixed) },              \
			{ COLUMN_unmovable_pages, IN_JSON | KNOWN, CELL_BY(unmovable_cell) },      \
			{ COLUMN_reclaimable_pages, IN_BOTH | KNOWN, UINT_OF(ROW, reclaimable) },  \
			{ COLUMN_allocs, IN_JSON | KNOWN, UINT_OF(ROW, of.allocs) },               \
			{ COLUMN_affected_blocks, IN_BOTH | KNOWN, UINT_OF(ROW, blocks) },         \
			{ COLUMN_sole_blocks, IN_BOTH | KNOWN, UINT_OF(ROW, sole) },               \
			{ COLUMN_lost_order_blocks, IN_BOTH | KNOWN, UINT_OF(ROW, order_blocks) }, \
			{ COLUMN_age_max_ns, IN_BOTH, CELL_BY(owner_group_oldest) },               \
			{ COLUMN_age_min_ns, IN_BOTH, CELL_BY(owner_group_youngest) },             \
			{ COLUMN_handle, IN_JSON, ONE_STACK, CELL_BY(owner_group_handle) },        \
			{ COLUMN_stack, IN_JSON, ONE_STACK, CELL_LATE(owner_group_stack) },        \
			GROUP_KEY_COLUMNS(by_default, NULL, "with -g") BASIS(derived)              \
	}

const struct view_column mixed_columns[MIXED_NCOLUMNS] = MIXED_COLUMNS(0);
static const struct view_column owner_columns[MIXED_NCOLUMNS] = MIXED_COLUMNS(IN_JSON);

static void show_keys(struct table *t, const size_t *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] == KEY_STACK) {
			table_show(t, COLUMN_handle);
			table_show(t, COLUMN_stack);
		} else if (keys[i] <= KEY_OWNER) { /* others are refused, later */
			owner_keys_show(t, &keys[i], 1);
		}
}

void mixed_prepare(struct cmdline *in)
{
	show_keys(&in->table, in->groups, in->ngroups);
}

const struct view fragmentation_owners_view = { "fragmentation-owner", "-b",
						COLUMNS_OF(owner_columns),
						.below = &fragmentation_near_view,
						ALL_ROWS_ARE("group", "groups", NULL, 10) };

/* Groups that struct page tells, and the view of who keeps pages. */
#define WITHOUT_RECORDS "; -g class and -g cache answer without, and memowner holders"

enum status mixed_open(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct owner_groups *g = &f->groups;

	owner_groups_init(v, g);
	hash_bytes_init(&g->groups, v->dump->arena, sizeof(struct mixed_group));
	g->select.free = g->select.live = true; /* pages in use that have no record are asked too */
	for (size_t i = 0; i < g->nkeys; i++)
		if (!v->has_owner && !owner_key_is_of_page(g->keys[i]))
			return dump_usage(v->dump, "-g %s needs page_owner: %s" WITHOUT_RECORDS,
					  key_name(&owner_keys[g->keys[i]]), v->owner_problem);
	if (g->nkeys)
		return ST_OK;
	if (v->has_owner)
		g->keys[g->nkeys++] = KEY_CLASS;
	g->keys[g->nkeys++] = v->has_owner ? KEY_CALLER : v->slabs ? KEY_CACHE : KEY_CLASS;
	return ST_OK;
}

static bool is_movable_block(const struct fragmentation *f)
{
	return f->type < FREE_AREA_TYPES &&
	       ((int64_t)f->type == f->movable || (int64_t)f->type == f->cma);
}

void mixed_add_page(struct fragmentation *f, const struct owner_page *page,
		    const struct page_info *info, uint64_t first, enum page_mobility mobility)
{
	const struct owner_page bare = { .pfn = page->pfn, .unknown = page->unknown };
	struct page_facts fact;
	struct mixed_group *g;

	if (page->allocated)
		f->undecodable += !stack_cache_get(&f->v->stacks, page->handle)->decoded;
	page_facts_init(f->v, page->allocated ? page : &bare, &fact);
	fact.info = *info;
	fact.has_info = INFO_KNOWN;
	if (!owner_selects(&f->groups.select, &fact))
		return;
	g = (struct mixed_group *)owner_group_of(&f->groups, &fact);
	g->of.pages++;
	g->mixed += is_movable_block(f);
	g->reclaimable += mobility == MOBILITY_RECLAIMABLE;
	g->of.allocs += first == page->pfn;
	g->of.one_stack &= page->allocated && page->handle == g->of.handle;
	g->blocks += g->last_block != f->pageblock + 1;
	g->last_block = f->pageblock + 1;
	g->order_blocks += g->last_order_block != (page->pfn >> f->order) + 1;
	g->last_order_block = (page->pfn >> f->order) + 1;
	if (page->allocated)
		owner_group_time(&f->groups, &g->of, &fact);
	f->selected++;
	f->only = f->selected == 1 || f->only == g ? g : NULL;
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

/* An order that was asked for is kept from being free in pageblocks of any type. */
static const char *order_of(const struct fragmentation *f)
{
	return f->has_request && f->request ? "lost_order_blocks,pages" : "mixed_pages,pages";
}

/* Pages of unknown use may be what was not found. */
static const char *title_of(const struct fragmentation *f, size_t n, char *buf, size_t size)
{
	if (n)
		return f->v->has_owner
			       ? "\nunmovable and reclaimable pages, by class and the function that "
				 "allocated them:\n"
			       : "\nunmovable and reclaimable pages, by slab cache or class:\n";
	snprintf(buf, size, "\nunmovable and reclaimable pages%s\n", fragmentation_none(f));
	return buf;
}

void fragmentation_owners_put(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	char title[96];
	struct table t;

	table_init(&t, v->dump, COLUMNS(owner_columns), v->in->opts.json);
	if (!v->in->opts.json)
		show_keys(&t, f->groups.keys, f->groups.nkeys);
	owner_groups_rows(&f->groups, &t);
	rows_order(&t, order_of(f), false, false);
	rows_put_table(&v->report, v->in, &fragmentation_owners_view, &t,
		       title_of(f, t.n, title, sizeof(title)));
}

void mixed_put(struct fragmentation *f)
{
	struct cmdline *in = f->v->in;

	owner_groups_rows(&f->groups, &in->table);
	if (!in->opts.sort)
		in->opts.sort = order_of(f);
	rows_sort(in);
	rows_put(&f->v->report, in);
	report_rest(&f->v->report, in->table.n - f->v->report.rows_shown, "group", "groups", NULL);
}
