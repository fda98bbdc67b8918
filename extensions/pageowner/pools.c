// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pageowner -t pools: pages that a pool of the kernel has in advance, or for another, by the name of the
 * pool: page pools of network drivers, zram, zswap, huge pages, per-CPU chunks, balloons, areas of CMA; and swap
 * areas.
 */
#include "pools.h"

#include <stdio.h>
#include <string.h>

#include "pages/hugetlb.h"
#include "pools/page_pools.h"
#include "vm/percpu_chunks.h"
#include "pools/swap_areas.h"
#include "zones/vmstat.h"
#include "pools/zram.h"
#include "pools/zswap.h"
#include "socket_uses.h"
#include "util/units.h"

#define DEFAULT_ROWS 20

static const struct view_column columns[POOL_COLUMNS] = {
	[COL_PAGES] = { COLUMN_pages, IN_BOTH },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT },
	[COL_USED] = { COLUMN_used_bytes, IN_BOTH,
		       "of page_pool and zswap, unknown: the pool does not count what packets and "
		       "compressed data have; of cma, what cma_alloc() gave away" },
	[COL_STORED] = { COLUMN_stored_bytes, IN_BOTH,
			 "of zram and zswap; unknown where zswap has several pools" },
	[COL_RESERVED] = { COLUMN_reserved_pages, IN_JSON, "of hugetlb, of all nodes" },
	[COL_SURPLUS] = { COLUMN_surplus_pages, IN_JSON, "of hugetlb, of all nodes" },
	[COL_COUNTED] = { COLUMN_counted_pages, IN_JSON,
			  "of page_pool: allocated less released; of balloon: by its driver" },
	[COL_LISTED] = { COLUMN_listed_pages, IN_JSON, "of cma" },
	[COL_MOVABLE] = { COLUMN_movable_pages, IN_BOTH,
			  "of cma: lent until cma_alloc() wants them" },
	[COL_ORDER] = { COLUMN_order, IN_JSON,
			"of page_pool and hugetlb; of cma, of its smallest unit" },
	[COL_NODE] = { COLUMN_node, IN_JSON, "of hugetlb" },
	[COL_PFN] = { COLUMN_pfn, IN_JSON, "of cma, the first" },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "of the pool's structure" },
	[COL_KIND] = { COLUMN_kind, IN_BOTH, "null: of zswap, whose allocator is unknown",
		       .width = 9, .choices = pool_kind_names },
	[COL_NAME] = { COLUMN_name, IN_BOTH,
		       "the device, the compressor of zswap, the size of huge pages, the per-CPU "
		       "chunk, the area; null: not named" },
	[COL_DRIVER] = { COLUMN_driver, IN_BOTH, "of page_pool; zram; zswap; balloon" },
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

static const struct key pool_keys[POOL_KEYS] = {
	[BY_KIND] = { COLUMN_kind, "kind of pool", KEY_FILTERS, .is_text = true,
		      .choices = pool_kind_names },
	[BY_NAME] = { COLUMN_name, "name of the pool", KEY_FILTERS, .is_text = true },
	[BY_SIZE] = { COLUMN_bytes, "bytes of all pages of the pool", KEY_FILTERS,
		      .quantity = RANGE_SIZE },
};

static const struct view swap_view = { "pools-swap", "-t pools", COLUMNS_OF(swap_columns),
				       .below = &pools_percpu_view };

const struct view owner_pools_view = {
	"pools",	   "-t pools",	       COLUMNS_OF(columns), .below = &swap_view,
	.keys = pool_keys, .nkeys = POOL_KEYS, .filters_rows = true
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
	if (info.pool)
		pages = hash_u64_get(&p->found, info.pool, &is_new);
	else if (info.state == PAGE_TYPE_OFFLINE && info.private)
		pages = hash_u64_get(&p->inflated, info.private, &is_new);
	else
		return ST_OK;
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
	return cell_text(file_users_text(use ? &use->users : &none, !socket_uses_problem(x), buf)
				 ? arena_strdup(r->p->v->dump->arena, buf)
				 : NULL);
}

static enum status add_page_pool(struct pool_rows *r, uint64_t address, uint64_t pages)
{
	struct view_pools *p = r->p;
	struct arena *arena = p->v->dump->arena;
	struct page_pool pool;
	struct cell *row = pool_row_add(p, POOL_PAGE_POOL, NULL, pages);

	if (!row)
		return ST_NOMEM;
	row[COL_ADDRESS] = cell_hex(address);
	row[COL_USED_BY] = pool_users(r, address);
	if (!r->has_pools || page_pool_read(&r->pools, address, &pool) != ST_OK) {
		p->unnamed++;
		return pool_row_end(p, row);
	}
	row[COL_ORDER] = cell_uint(pool.order);
	row[COL_COUNTED] = cell_uint(pool.held);
	if (pool.device[0])
		row[COL_NAME] = cell_text(arena_strdup(arena, pool.device));
	if (pool.driver[0])
		row[COL_DRIVER] = cell_text(arena_strdup(arena, pool.driver));
	return pool_row_end(p, row);
}

/* Pages tell which pool they are of; before 5.14 they do not. */
static enum status add_page_pools(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct pool_rows r = { .p = p };
	enum status st;

	hash_u64_init(&p->found, v->dump->arena, sizeof(uint64_t));
	hash_u64_init(&p->inflated, v->dump->arena, sizeof(uint64_t));
	if (!v->has_states)
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
	row = pool_row_add(p, POOL_PERCPU,
			   chunk->is_first ? "first chunk" : arena_strdup(p->v->dump->arena, name),
			   chunk->pages);
	if (!row)
		return ST_NOMEM;
	row[COL_USED] = cell_uint(chunk->used);
	row[COL_ADDRESS] = cell_hex(chunk->address);
	return pool_row_end(p, row);
}

static enum status add_zram(void *arg, const struct zram_device *z)
{
	struct view_pools *p = arg;
	const char *name = z->name[0] ? arena_strdup(p->v->dump->arena, z->name) : NULL;
	struct cell *row = pool_row_add(p, POOL_ZSMALLOC, name, z->pages);

	if (!row)
		return ST_NOMEM;
	p->named_pages += z->pages;
	if (!z->has_pages)
		row[COL_PAGES] = row[COL_BYTES] = row[COL_RAM] = cell_text(NULL);
	row[COL_USED] = cell_if(z->has_stats, cell_uint(z->compressed));
	row[COL_DRIVER] = cell_text("zram");
	row[COL_STORED] = cell_if(z->has_stats, cell_uint(z->stored << p->v->page_shift));
	return pool_row_end(p, row);
}

static enum status add_zswap(void *arg, const struct zswap_pool *pool)
{
	struct view_pools *p = arg;
	struct arena *arena = p->v->dump->arena;
	enum pool_kind kind = POOL_ZSMALLOC;
	struct cell *row;

	while (kind < POOL_KINDS && strcmp(pool_kind_names[kind], pool->allocator))
		kind++;
	row = pool_row_add(p, kind < POOL_KINDS ? kind : POOL_ZSMALLOC,
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
	return pool_row_end(p, row);
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

		if (!total)
			continue;
		row = pool_row_add(p, POOL_HUGETLB, arena_strdup(p->v->dump->arena, name),
				   total << pool->order);
		if (!row)
			return ST_NOMEM;
		row[COL_USED] = cell_uint((total - free) * bytes);
		row[COL_RESERVED] = cell_uint(pool->reserved << pool->order);
		row[COL_SURPLUS] = cell_uint(pool->surplus << pool->order);
		row[COL_ORDER] = cell_uint(pool->order);
		row[COL_NODE] = cell_uint(i);
		if (pool_row_end(p, row) != ST_OK)
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

/* What the kernel counts beyond the pools that have a name. */
static enum status add_counted(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct counters *c = dump_alloc(v->dump, sizeof(*c));
	int64_t pages;
	enum status st = ST_OK;

	if (!c)
		return ST_NOMEM;
	st = counters_open(v->dump, c);
	if (st != ST_OK) {
		p->is_partial = true;
		return report_unknown(&v->report, "the kernel's counters", availability_of(st),
				      "%s", v->dump->error);
	}
	if (counter_read(c, "nr_zspages", &pages) == ST_OK && pages > (int64_t)p->named_pages) {
		if (p->zram_problem)
			report_warn(&v->report, "pools of zsmalloc have no name: %s",
				    p->zram_problem);
		st = pool_row_end(
			p, pool_row_add(p, POOL_ZSMALLOC, NULL, (uint64_t)pages - p->named_pages));
	}
	return st;
}

static enum status add_pools(struct view_pools *p)
{
	struct dump *d = p->v->dump;
	enum status st = add_page_pools(p), zram;

	if (st == ST_OK)
		st = pools_keep_going(p, percpu_chunks_walk(d, add_chunk, p), "per-CPU chunks");
	if (st == ST_OK)
		st = pools_add_percpu(p);
	if (st == ST_OK) {
		zram = zram_walk(d, add_zram, p);
		if (zram == ST_ABSENT)
			p->zram_problem = arena_strdup(d->arena, d->error);
		st = pools_keep_going(p, zram,
				      zram == ST_UNKNOWN ? "what zram stores" : "devices of zram");
	}
	if (st == ST_OK)
		st = pools_keep_going(p, zswap_walk(d, add_zswap, p), "pools of zswap");
	if (st == ST_OK)
		st = pools_keep_going(p, hugetlb_walk(d, add_hugetlb, p), "huge pages");
	if (st == ST_OK)
		st = pools_keep_going(p, swap_areas_walk(d, add_swap, p), "swap areas");
	if (st == ST_OK)
		st = pools_add_cma(p);
	if (st == ST_OK)
		st = pools_add_balloons(p);
	return st == ST_OK ? add_counted(p) : st;
}

static void put_end(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct report *r = &v->report;
	char n[UNITS_PLURAL];

	if (p->unreadable)
		report_warn(
			r,
			"no struct page in this dump for %s: any of them may be of a page pool or a balloon",
			units_plural(n, p->unreadable, "page", "pages"));
	if (p->unnamed)
		report_warn(r, "%s corrupt, or not in this dump",
			    units_plural(n, p->unnamed, "page pool is", "page pools are"));
	if (p->cma_unknown)
		report_warn(
			r,
			"which pages of %s are free or lent is unknown: the bitmap, or struct pages, "
			"are not in this dump",
			units_plural(n, p->cma_unknown, "area of CMA", "areas of CMA"));
	report_end(r, NULL,
		   !p->is_partial && !p->unreadable && !p->unnamed && !p->cma_unknown &&
			   v->has_states && !v->owner.ram.derived && !v->dump->interrupted);
}

/* Huge pages of one size have a row for each node, which is told where there are two. */
static void show_nodes(struct owner_view *v)
{
	const struct table *t = &v->in->table;
	bool has_more = false;

	for (size_t i = 0; i < t->n; i++)
		has_more |= t->rows[i][COL_NODE].kind == CELL_UINT && t->rows[i][COL_NODE].u;
	if (!has_more || v->in->opts.json)
		return;
	table_show(&v->in->table, COL_NODE);
	cmdline_reselect(v->in);
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
	show_nodes(v);
	table_filter(t, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(t, o->sort ? o->sort : "pages,kind,name", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, t, o, DEFAULT_ROWS);
	if (!o->json)
		report_rest(&v->report, t->n - shown, "pool", "pools", NULL);
	report_rows_kept(&v->report, &v->in->filters, t, "pool", "pools");
	p->has_text = shown || v->in->filters.n || v->in->filters.nrows;
	pools_put_table(p, &p->percpu, "percpu", "static per-CPU memory, part of the first chunk");
	pools_put_table(p, &p->swap, "swap", "swap areas");
	put_end(p);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}
