// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pageowner -t pools: pages that a pool of the kernel has in advance, or for another, by the name of the
 * pool: page pools of network drivers, zram, zswap, huge pages, per-CPU chunks, a balloon; and swap
 * areas.
 */
#include <stdio.h>
#include <string.h>

#include "mm/hugetlb.h"
#include "mm/page_pools.h"
#include "mm/percpu_chunks.h"
#include "mm/swap_areas.h"
#include "mm/vmstat.h"
#include "mm/zram.h"
#include "mm/zswap.h"
#include "socket_uses.h"
#include "util/units.h"
#include "view.h"

#define DEFAULT_ROWS 20

static const char *const kind_names[] = { "page_pool", "zsmalloc", "zbud",    "z3fold",
					  "hugetlb",   "percpu",   "balloon", NULL };

enum pool_kind {
	POOL_PAGE_POOL,
	POOL_ZSMALLOC,
	POOL_ZBUD,
	POOL_Z3FOLD,
	POOL_HUGETLB,
	POOL_PERCPU,
	POOL_BALLOON,
	POOL_KINDS
};

enum {
	COL_PAGES,
	COL_BYTES,
	COL_RAM,
	COL_USED,
	COL_STORED,
	COL_RESERVED,
	COL_SURPLUS,
	COL_COUNTED,
	COL_ORDER,
	COL_NODE,
	COL_ADDRESS,
	COL_KIND,
	COL_NAME,
	COL_DRIVER,
	COL_USED_BY,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_PAGES] = { COLUMN_pages, IN_BOTH },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT },
	[COL_USED] = { COLUMN_used_bytes, IN_BOTH,
		       "of page_pool and zswap, unknown: the pool does not count what packets and "
		       "compressed data have" },
	[COL_STORED] = { COLUMN_stored_bytes, IN_BOTH,
			 "of zram and zswap; unknown where zswap has several pools" },
	[COL_RESERVED] = { COLUMN_reserved_pages, IN_JSON, "of hugetlb, of all nodes" },
	[COL_SURPLUS] = { COLUMN_surplus_pages, IN_JSON, "of hugetlb, of all nodes" },
	[COL_COUNTED] = { COLUMN_counted_pages, IN_JSON, "of page_pool: allocated less released" },
	[COL_ORDER] = { COLUMN_order, IN_JSON, "of page_pool and hugetlb" },
	[COL_NODE] = { COLUMN_node, IN_JSON, "of hugetlb" },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "of the pool's structure" },
	[COL_KIND] = { COLUMN_kind, IN_BOTH, "null: of zswap, whose allocator is unknown",
		       .width = 9, .choices = kind_names },
	[COL_NAME] = { COLUMN_name, IN_BOTH,
		       "the device, the compressor of zswap, the size of huge pages, the per-CPU "
		       "chunk; null: not named" },
	[COL_DRIVER] = { COLUMN_driver, IN_BOTH, "of page_pool; zram; zswap" },
	[COL_USED_BY] = { COLUMN_used_by, IN_JSON,
			  "of page_pool: those with packets of the pool in queues of their sockets" },
};

enum { SWAP_PATH, SWAP_PAGES, SWAP_USED, SWAP_PRIORITY, SWAP_COLUMNS };

static const struct view_column swap_columns[SWAP_COLUMNS] = {
	[SWAP_PAGES] = { COLUMN_swap_pages, IN_BOTH | KNOWN },
	[SWAP_USED] = { COLUMN_swap_used_pages, IN_BOTH | KNOWN },
	[SWAP_PRIORITY] = { COLUMN_priority, IN_BOTH | KNOWN },
	[SWAP_PATH] = { COLUMN_path, IN_BOTH },
};

enum { BY_KIND, BY_NAME, BY_SIZE, POOL_KEYS };

static const struct key pool_keys[POOL_KEYS] = {
	[BY_KIND] = { COLUMN_kind, "kind of pool", KEY_FILTERS, .is_text = true,
		      .choices = kind_names },
	[BY_NAME] = { COLUMN_name, "name of the pool", KEY_FILTERS, .is_text = true },
	[BY_SIZE] = { COLUMN_bytes, "bytes of all pages of the pool", KEY_FILTERS,
		      .quantity = RANGE_SIZE },
};

static const struct view swap_view = { "pools-swap", "-t pools", COLUMNS_OF(swap_columns) };

const struct view owner_pools_view = {
	"pools",	   "-t pools",	       COLUMNS_OF(columns), .below = &swap_view,
	.keys = pool_keys, .nkeys = POOL_KEYS, .filters_rows = true
};

struct view_pools {
	struct owner_view *v;
	struct table swap;
	struct hash_u64 found;	      /* pages by address of struct page_pool */
	uint64_t unreadable, unnamed; /* pages without struct page; pools that cannot be read */
	uint64_t named_pages;	      /* of pools of zsmalloc that have a name */
	const char *zram_problem;     /* why some have none */
	bool is_partial;
};

enum status owner_pools_open(struct owner_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_memmap(v);
	*why = availability_of(st);
	if (st != ST_OK)
		return st;
	v->has_states = page_types_open(d, &v->owner.ext.memmap, &v->states) == ST_OK;
	if (!v->has_states)
		report_warn(&v->report, "page pools are unknown: %s", d->error);
	return ST_OK;
}

static bool keeps(const struct owner_view *v, const struct cell *row)
{
	static const unsigned int column_of[POOL_KEYS] = {
		[BY_KIND] = COL_KIND, [BY_NAME] = COL_NAME
	};

	for (unsigned int i = 0; i < v->in->filters.n; i++) {
		const struct filter *f = &v->in->filters.filters[i];

		if (f->key == BY_SIZE ? !filter_keeps_number(f, row[COL_BYTES].u)
				      : !filter_keeps_text(f, cell_words(&row[column_of[f->key]])))
			return false;
	}
	return true;
}

/* NULL: there is no memory. */
static struct cell *add_row(struct view_pools *p, enum pool_kind kind, const char *name,
			    uint64_t pages)
{
	const struct owner_view *v = p->v;
	struct cell *row = table_add(&p->v->in->table);

	if (!row)
		return NULL;
	row[COL_KIND] = cell_text(kind_names[kind]);
	row[COL_NAME] = cell_text(name);
	row[COL_PAGES] = cell_uint(pages);
	row[COL_BYTES] = cell_uint(pages << v->page_shift);
	row[COL_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
	return row;
}

/* The row that was added last is left out if the filters say so. */
static enum status end_row(struct view_pools *p, const struct cell *row)
{
	if (!row)
		return ST_NOMEM;
	if (!keeps(p->v, row)) {
		p->v->in->table.n--;
		p->v->in->table.refused++;
	}
	return ST_OK;
}

static enum status count_page(void *arg, uint64_t pfn)
{
	struct view_pools *p = arg;
	struct page_info info;
	uint64_t *pages;
	bool is_new;

	if (page_type_at(&p->v->states, pfn, &info) != ST_OK) {
		p->unreadable++;
		return ST_OK;
	}
	if (!info.pool)
		return ST_OK;
	pages = hash_u64_get(&p->found, info.pool, &is_new);
	if (!pages)
		return dump_no_memory(p->v->dump);
	++*pages;
	return ST_OK;
}

struct pool_rows {
	struct view_pools *p;
	struct page_pools pools;
	bool has_pools;
	struct socket_uses *sockets; /* NULL: they are unknown */
};

/* Whose sockets have pages of the pool; unknown unless every queue was read. */
static struct cell pool_users(const struct pool_rows *r, uint64_t address)
{
	static const struct file_users none;
	const struct socket_uses *x = r->sockets;
	const struct pool_use *use = x ? hash_u64_find(&x->pools, address) : NULL;
	char buf[FILE_USERS_TEXT];

	if (!x)
		return cell_text(NULL);
	return cell_text(file_users_text(use ? &use->users : &none,
					 x->open.complete && !x->nunread && !x->nunwalked &&
						 !x->hash_problem && !x->is_partial,
					 buf)
				 ? arena_strdup(r->p->v->dump->arena, buf)
				 : NULL);
}

static enum status add_page_pool(struct pool_rows *r, uint64_t address, uint64_t pages)
{
	struct view_pools *p = r->p;
	struct arena *arena = p->v->dump->arena;
	struct page_pool pool;
	struct cell *row = add_row(p, POOL_PAGE_POOL, NULL, pages);

	if (!row)
		return ST_NOMEM;
	row[COL_ADDRESS] = cell_hex(address);
	row[COL_USED_BY] = pool_users(r, address);
	if (!r->has_pools || page_pool_read(&r->pools, address, &pool) != ST_OK) {
		p->unnamed++;
		return end_row(p, row);
	}
	row[COL_ORDER] = cell_uint(pool.order);
	row[COL_COUNTED] = cell_uint(pool.held);
	if (pool.device[0])
		row[COL_NAME] = cell_text(arena_strdup(arena, pool.device));
	if (pool.driver[0])
		row[COL_DRIVER] = cell_text(arena_strdup(arena, pool.driver));
	return end_row(p, row);
}

/* Pages tell which pool they are of; before 5.14 they do not. */
static enum status add_page_pools(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct pool_rows r = { .p = p };
	enum status st;

	hash_u64_init(&p->found, v->dump->arena, sizeof(uint64_t));
	if (!v->has_states || !v->states.f[PAGE_PP].present)
		return ST_OK;
	st = ram_walk(v->dump, &v->owner.ram, count_page, p);
	if (st == ST_NOMEM)
		return st;
	p->is_partial = st != ST_OK;
	r.has_pools = page_pools_open(v->dump, &r.pools) == ST_OK;
	if (p->found.n) {
		r.sockets = dump_alloc(v->dump, sizeof(*r.sockets));
		if (!r.sockets)
			return ST_NOMEM;
		st = socket_uses_read(v, r.sockets);
		if (st == ST_NOMEM)
			return st;
		r.sockets = st == ST_OK ? r.sockets : NULL;
	}
	st = ST_OK;
	for (struct hash_u64_entry *e = p->found.first; e && st == ST_OK; e = e->next)
		st = add_page_pool(&r, e->key, *(const uint64_t *)e->value);
	return st;
}

static enum status add_chunk(void *arg, const struct percpu_chunk *chunk)
{
	struct view_pools *p = arg;
	char name[64];
	struct cell *row;

	snprintf(name, sizeof(name), "chunk %#llx", (unsigned long long)chunk->address);
	row = add_row(p, POOL_PERCPU,
		      chunk->is_first ? "first chunk" : arena_strdup(p->v->dump->arena, name),
		      chunk->pages);
	if (!row)
		return ST_NOMEM;
	row[COL_USED] = cell_uint(chunk->used);
	row[COL_ADDRESS] = cell_hex(chunk->address);
	return end_row(p, row);
}

static enum status add_zram(void *arg, const struct zram_device *z)
{
	struct view_pools *p = arg;
	const char *name = z->name[0] ? arena_strdup(p->v->dump->arena, z->name) : NULL;
	struct cell *row = add_row(p, POOL_ZSMALLOC, name, z->pages);

	if (!row)
		return ST_NOMEM;
	p->named_pages += z->pages;
	row[COL_USED] = cell_uint(z->compressed);
	row[COL_DRIVER] = cell_text("zram");
	row[COL_STORED] = cell_uint(z->stored << p->v->page_shift);
	return end_row(p, row);
}

static enum status add_zswap(void *arg, const struct zswap_pool *pool)
{
	struct view_pools *p = arg;
	struct arena *arena = p->v->dump->arena;
	enum pool_kind kind = POOL_ZSMALLOC;
	struct cell *row;

	while (kind < POOL_KINDS && strcmp(kind_names[kind], pool->allocator))
		kind++;
	row = add_row(p, kind < POOL_KINDS ? kind : POOL_ZSMALLOC,
		      pool->compressor[0] ? arena_strdup(arena, pool->compressor) : NULL,
		      pool->pages);
	if (!row)
		return ST_NOMEM;
	if (kind == POOL_KINDS)
		row[COL_KIND] = cell_text(NULL);
	if (!pool->has_pages)
		row[COL_PAGES] = row[COL_BYTES] = row[COL_RAM] = (struct cell){ 0 };
	if (kind == POOL_ZSMALLOC && pool->has_pages)
		p->named_pages += pool->pages;
	row[COL_ADDRESS] = cell_hex(pool->address);
	row[COL_DRIVER] = cell_text("zswap");
	if (pool->has_stored)
		row[COL_STORED] = cell_uint(pool->stored << p->v->page_shift);
	return end_row(p, row);
}

static enum status add_hugetlb(void *arg, const struct hugetlb_pool *pool)
{
	struct view_pools *p = arg;
	uint64_t bytes = dump_page_size(p->v->dump) << pool->order;
	char name[64];

	snprintf(name, sizeof(name), "hugepages-%llukB", (unsigned long long)(bytes >> 10));
	for (unsigned int i = 0; i < pool->nodes; i++) {
		uint64_t total = pool->node_total[i], free = pool->node_free[i];
		struct cell *row;

		if (!total || free > total)
			continue;
		row = add_row(p, POOL_HUGETLB, arena_strdup(p->v->dump->arena, name),
			      total << pool->order);
		if (!row)
			return ST_NOMEM;
		row[COL_USED] = cell_uint((total - free) * bytes);
		row[COL_RESERVED] = cell_uint(pool->reserved << pool->order);
		row[COL_SURPLUS] = cell_uint(pool->surplus << pool->order);
		row[COL_ORDER] = cell_uint(pool->order);
		row[COL_NODE] = cell_uint(i);
		if (end_row(p, row) != ST_OK)
			return ST_NOMEM;
	}
	return ST_OK;
}

static enum status add_swap(void *arg, const struct swap_area *area)
{
	struct view_pools *p = arg;
	struct cell *row = table_add(&p->swap);

	if (!row)
		return ST_NOMEM;
	row[SWAP_PAGES] = cell_uint(area->pages);
	row[SWAP_USED] = cell_uint(area->used);
	row[SWAP_PRIORITY] = cell_int(area->priority);
	row[SWAP_PATH] = cell_text(area->path);
	return ST_OK;
}

static enum status keep_going(struct view_pools *p, enum status st, const char *what)
{
	if (st == ST_OK || st == ST_ABSENT || st == ST_NOMEM)
		return st == ST_NOMEM ? st : ST_OK;
	p->is_partial = true;
	if (st != ST_STOPPED)
		report_warn(&p->v->report, "%s: some are missing: %s", what, p->v->dump->error);
	return ST_OK;
}

/* What the kernel counts beyond the pools that have a name. */
static enum status add_counted(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct counters *c = dump_alloc(v->dump, sizeof(*c));
	int64_t pages;
	enum status st = ST_OK;

	if (!c)
		return ST_NOMEM;
	if (counters_open(v->dump, c) != ST_OK) {
		report_warn(&v->report, "the kernel's counters are not available: %s",
			    v->dump->error);
		p->is_partial = true;
		return ST_OK;
	}
	if (counter_read(c, "nr_zspages", &pages) == ST_OK && pages > (int64_t)p->named_pages) {
		if (p->zram_problem)
			report_warn(&v->report, "pools of zsmalloc have no name: %s",
				    p->zram_problem);
		st = end_row(p, add_row(p, POOL_ZSMALLOC, NULL, (uint64_t)pages - p->named_pages));
	}
	if (st == ST_OK && counter_read(c, "nr_balloon_pages", &pages) == ST_OK && pages > 0)
		st = end_row(p, add_row(p, POOL_BALLOON, "balloon", (uint64_t)pages));
	return st;
}

static enum status add_pools(struct view_pools *p)
{
	struct dump *d = p->v->dump;
	enum status st = add_page_pools(p), zram;

	if (st == ST_OK)
		st = keep_going(p, percpu_chunks_walk(d, add_chunk, p), "per-CPU chunks");
	if (st == ST_OK) {
		zram = zram_walk(d, add_zram, p);
		if (zram == ST_ABSENT)
			p->zram_problem = arena_strdup(d->arena, d->error);
		st = keep_going(p, zram, "devices of zram");
	}
	if (st == ST_OK)
		st = keep_going(p, zswap_walk(d, add_zswap, p), "pools of zswap");
	if (st == ST_OK)
		st = keep_going(p, hugetlb_walk(d, add_hugetlb, p), "huge pages");
	if (st == ST_OK)
		st = keep_going(p, swap_areas_walk(d, add_swap, p), "swap areas");
	return st == ST_OK ? add_counted(p) : st;
}

static void put_swap(struct view_pools *p)
{
	struct owner_view *v = p->v;

	for (size_t i = 0; v->in->opts.json && i < p->swap.n; i++)
		table_json_record(&p->swap, v->out, "swap", p->swap.rows[i]);
	if (v->in->opts.json || !p->swap.n)
		return;
	sink_text(v->out, "\nswap areas:\n");
	table_text(&p->swap, v->out, p->swap.n);
}

static void put_end(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct report *r = &v->report;
	char n[UNITS_PLURAL];

	if (p->unreadable)
		report_warn(r,
			    "no struct page in this dump for %s: any of them may be of a page pool",
			    units_plural(n, p->unreadable, "page", "pages"));
	if (p->unnamed)
		report_warn(r, "%s corrupt, or not in this dump",
			    units_plural(n, p->unnamed, "page pool is", "page pools are"));
	report_end(r, NULL,
		   !p->is_partial && !p->unreadable && !p->unnamed && v->has_states &&
			   !v->owner.ram.derived && !v->dump->interrupted);
}

enum status owner_pools(struct owner_view *v)
{
	struct view_pools *p = dump_alloc(v->dump, sizeof(*p));
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	size_t shown;
	enum status st;

	if (!p)
		return ST_NOMEM;
	p->v = v;
	st = table_init(&p->swap, v->dump, swap_columns, SWAP_COLUMNS, o->json);
	if (st == ST_OK)
		st = add_pools(p);
	table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "pages,kind,name", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, t, o, DEFAULT_ROWS);
	if (!o->json)
		report_rest(&v->report, t->n - shown, "pool", "pools", NULL);
	put_swap(p);
	report_rows_kept(&v->report, &v->in->filters, t, "pool", "pools");
	put_end(p);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}
