// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memowner pools: pages that a pool of the kernel has in advance, or for another, by the name of the
 * pool: page pools of network drivers, zram, zswap, huge pages, per-CPU chunks, balloons, areas of CMA; and swap
 * areas.
 */
#include "pools.h"

#include "pools/page_pools.h"
#include "vm/percpu_chunks.h"
#include "pools/swap_areas.h"
#include "zones/reclaim.h"
#include "zones/vmstat.h"
#include "pools/zram.h"
#include "pools/zswap.h"
#include "collect/sockets.h"

#define ROW struct pool

/* What a pool of its kind has. */
CAN_HAVE(is_page_pool, ROW, void, r->kind == POOL_PAGE_POOL)
CAN_HAVE(is_compressed, ROW, void,
	 r->kind == POOL_ZSMALLOC || r->kind == POOL_ZBUD || r->kind == POOL_Z3FOLD ||
		 r->kind == POOL_KINDS)
CAN_HAVE(is_hugetlb, ROW, void, r->kind == POOL_HUGETLB)
CAN_HAVE(is_cma, ROW, void, r->kind == POOL_CMA)
CAN_HAVE(is_counted, ROW, void, r->kind == POOL_PAGE_POOL || r->kind == POOL_BALLOON)
CAN_HAVE(has_order, ROW, void,
	 r->kind == POOL_PAGE_POOL || r->kind == POOL_HUGETLB || r->kind == POOL_CMA)
CAN_HAVE(has_driver, ROW, void,
	 r->kind != POOL_HUGETLB && r->kind != POOL_PERCPU && r->kind != POOL_CMA)
CAN_HAVE(is_used, ROW, void, r->kind != POOL_BALLOON)

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH, UINT_MAYBE(ROW, pages) },
	{ COLUMN_bytes, IN_BOTH, PAGES_MAYBE(ROW, pages) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_MAYBE(ROW, pages) },
	{ COLUMN_used_bytes, IN_BOTH,
	  "of page_pool and zswap, unknown: the pool does not count what packets and "
	  "compressed data have; of cma, what cma_alloc() gave away",
	  .can_have = is_used, UINT_MAYBE(ROW, used) },
	{ COLUMN_stored_bytes, IN_BOTH, "of zram and zswap; unknown where zswap has several pools",
	  .can_have = is_compressed, PAGES_MAYBE(ROW, stored) },
	{ COLUMN_reserved_pages, IN_JSON, "of hugetlb, of all nodes", .can_have = is_hugetlb,
	  UINT_MAYBE(ROW, reserved) },
	{ COLUMN_surplus_pages, IN_JSON, "of hugetlb, of all nodes", .can_have = is_hugetlb,
	  UINT_MAYBE(ROW, surplus) },
	{ COLUMN_counted_pages, IN_JSON,
	  "of page_pool: allocated less released; of balloon: by its driver",
	  .can_have = is_counted, UINT_MAYBE(ROW, counted) },
	{ COLUMN_listed_pages, IN_JSON, "of cma", .can_have = is_cma, UINT_MAYBE(ROW, listed) },
	{ COLUMN_movable_pages, IN_JSON, "of cma: lent until cma_alloc() wants them",
	  .can_have = is_cma, UINT_MAYBE(ROW, movable) },
	{ COLUMN_movable_bytes, IN_BOTH, "of cma: lent until cma_alloc() wants it",
	  .can_have = is_cma, PAGES_MAYBE(ROW, movable) },
	{ COLUMN_order, IN_JSON, "of page_pool and hugetlb; of cma, of its smallest unit",
	  .can_have = has_order, UINT_MAYBE(ROW, order) },
	{ COLUMN_node, IN_JSON, "of hugetlb", .can_have = is_hugetlb, UINT_MAYBE(ROW, node) },
	{ COLUMN_pfn, IN_JSON, "of cma, the first", .can_have = is_cma, UINT_MAYBE(ROW, pfn) },
	{ COLUMN_address, IN_JSON | OR_NONE, "of the pool's structure", HEX_NONZERO(ROW, address) },
	{ COLUMN_kind, IN_BOTH, "null: of zswap, whose allocator is unknown", .width = 9,
	  NAME_OF(ROW, kind, pool_kind_names) },
	{ COLUMN_name, IN_BOTH,
	  "the device, the compressor of zswap, the size of huge pages, the per-CPU "
	  "chunk, the area; null: not named",
	  COPY_OF(ROW, name) },
	{ COLUMN_driver, IN_BOTH, "of page_pool; zram; zswap; balloon", .can_have = has_driver,
	  COPY_OF(ROW, driver) },
	{ COLUMN_used_by, IN_JSON,
	  "of page_pool: those with packets of the pool in queues of their sockets",
	  .can_have = is_page_pool, LIST_OF(ROW, used_by) },
	BASIS(derived),
};

#define AREA struct swap_area

static const struct view_column swap_columns[] = {
	{ COLUMN_path, IN_BOTH, TEXT_OF(AREA, path) },
	{ COLUMN_swap_pages, IN_JSON | KNOWN, UINT_OF(AREA, pages) },
	{ COLUMN_swap_used_pages, IN_JSON | KNOWN, UINT_OF(AREA, used) },
	{ COLUMN_swap_area_bytes, IN_BOTH | KNOWN, PAGES_OF(AREA, pages) },
	{ COLUMN_swap_used_bytes, IN_BOTH | KNOWN, PAGES_OF(AREA, used) },
	{ COLUMN_priority, IN_BOTH | KNOWN, INT_OF(AREA, priority) },
	BASIS(derived),
};

static const struct key pool_keys[] = {
	{ COLUMN_kind, "kind of pool", KEY_FILTERS, .choices = pool_kind_names,
	  .elsewhere =
		  "zram and zswap are drivers: -f driver=zram; swap areas stand below the pools" },
	{ COLUMN_name, "name of the pool", KEY_FILTERS },
	{ COLUMN_bytes, "bytes of all pages of the pool", KEY_FILTERS },
};

static const struct view swap_view = { "pools-swap", "", COLUMNS_OF(swap_columns),
				       .below = &pools_percpu_view };

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct dump *d = v->dump;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_memmap(v);
	*why = availability_of(st);
	if (st != ST_OK)
		return st;
	v->has_states = page_types_open(d, &v->owner.ext.memmap, &v->states) == ST_OK;
	const struct gap gap = { "page pools are unknown: %s", !v->has_states, .why = d->error };
	report_gaps(&v->report, &gap, 1);
	return ST_OK;
}

static enum status count_page(void *arg, uint64_t pfn)
{
	struct view_pools *p = arg;
	struct page_info info;
	uint64_t *pages;

	if (page_type_at(&p->v->states, pfn, &info) != ST_OK) {
		p->unreadable++;
		return ST_OK;
	}
	if (info.pool)
		pages = hash_u64_get(&p->found, info.pool, NULL);
	else if (info.state == PAGE_TYPE_OFFLINE && info.private)
		pages = hash_u64_get(&p->inflated, info.private, NULL);
	else
		return ST_OK;
	++*pages;
	return ST_OK;
}

struct pool_rows {
	struct view_pools *p;
	struct page_pools pools;
	bool has_pools;
	const struct sockets *sockets; /* NULL: they are unknown */
};

static void add_page_pool(struct pool_rows *r, uint64_t address, uint64_t pages)
{
	static const struct file_users none;
	const struct sockets *x = r->sockets;
	const struct socket_pool *use = x ? hash_u64_find(&x->pools, address) : NULL;
	struct page_pool info = { 0 };
	bool known = r->has_pools && page_pool_read(&r->pools, address, &info) == ST_OK;
	struct pool pool = { POOL_PAGE_POOL,
			     { pages, true },
			     .name = info.device,
			     .driver = info.driver,
			     .address = address,
			     .order = { info.order, known },
			     .counted = { info.held, known } };

	/* Whose sockets have pages of the pool is unknown unless every queue was read. */
	if (x)
		pool.used_by = file_users_list(use ? &use->users : &none, !x->problem,
					       &r->p->v->lists);
	r->p->unnamed += !known;
	pool_add(r->p, &pool);
}

#define PAGE_POOLS "page pools of network drivers"

/* Pages tell which pool they are of; before 5.14 they do not. */
static void add_page_pools(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct pool_rows r = { .p = p };
	struct session session;

	hash_u64_init(&p->found, v->dump->arena, sizeof(uint64_t));
	hash_u64_init(&p->inflated, v->dump->arena, sizeof(uint64_t));
	if (!v->has_states)
		return;
	p->has_no_marks = !page_types_mark_pools(&v->states);
	if (p->has_no_marks && dump_type_bytes(v->dump, "struct page_pool"))
		report_unknown(
			&v->report, PAGE_POOLS, NOT_IN_DUMP,
			"struct page of this kernel has no mark of them, as before 5.14: what "
			"they have is of the class direct");
	p->is_partial = ram_walk(v->dump, &v->owner.ram, count_page, p) != ST_OK;
	r.has_pools = page_pools_open(v->dump, &r.pools) == ST_OK;
	if (p->found.n) {
		session = owner_session(v);
		if (sockets_collect(&session, &r.sockets) != ST_OK)
			r.sockets = NULL;
	}
	for (struct hash_u64_entry *e = p->found.first; e; e = e->next)
		add_page_pool(&r, e->key, *(const uint64_t *)e->value);
}

static enum status add_chunk(void *arg, const struct percpu_chunk *chunk)
{
	char name[64] = "first chunk";
	const struct pool pool = { POOL_PERCPU,
				   { chunk->pages, true },
				   name,
				   .used = { chunk->used, true },
				   .address = chunk->address };

	if (!chunk->is_first)
		snprintf(name, sizeof(name), "chunk %#lx", chunk->address);
	pool_add(arg, &pool);
	return ST_OK;
}

static enum status add_zram(void *arg, const struct zram_device *z)
{
	struct view_pools *p = arg;
	const struct pool pool = { POOL_ZSMALLOC,
				   { z->pages, z->has_pages },
				   z->name,
				   "zram",
				   .used = { z->compressed, z->has_stats },
				   .stored = { z->stored, z->has_stats } };

	p->named_pages += z->pages;
	pool_add(p, &pool);
	return ST_OK;
}

static enum status add_zswap(void *arg, const struct zswap_pool *z)
{
	struct view_pools *p = arg;
	struct pool pool = { POOL_ZSMALLOC,
			     { z->pages, z->has_pages },
			     z->compressor,
			     "zswap",
			     .stored = { z->stored, z->has_stored },
			     .address = z->address };

	while (pool.kind < POOL_KINDS && strcmp(pool_kind_names[pool.kind], z->allocator))
		pool.kind++;
	if (pool.kind == POOL_ZSMALLOC && z->has_pages)
		p->named_pages += z->pages;
	pool_add(p, &pool);
	return ST_OK;
}

static enum status add_hugetlb(void *arg, const struct hugetlb_pool *h)
{
	struct view_pools *p = arg;
	uint64_t bytes = dump_page_size(p->v->dump) << h->order;
	char name[64];

	snprintf(name, sizeof(name), "hugepages-%lukB", bytes >> 10);
	for (unsigned int i = 0; i < h->nodes; i++) {
		uint64_t total = h->node_total[i];
		const struct pool pool = { POOL_HUGETLB,
					   { total << h->order, true },
					   name,
					   .used = { (total - h->node_free[i]) * bytes, true },
					   .reserved = { h->reserved << h->order, true },
					   .surplus = { h->surplus << h->order, true },
					   .order = { h->order, true },
					   .node = { i, true } };

		if (total)
			pool_add(p, &pool);
	}
	return ST_OK;
}

static enum status add_swap(void *arg, const struct swap_area *area)
{
	struct view_pools *p = arg;

	row_add(&p->swap, area, p);
	return ST_OK;
}

/* What the kernel counts beyond the pools that have a name. */
static void add_counted(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct counters *c = dump_alloc(v->dump, sizeof(*c));
	int64_t pages;
	enum status st = counters_open(v->dump, c);

	if (st != ST_OK) {
		p->is_partial = true;
		report_unknown(&v->report, "the kernel's counters", availability_of(st), "%s",
			       v->dump->error);
		return;
	}
	if (counter_read(c, "nr_zspages", &pages) == ST_OK && pages > (int64_t)p->named_pages) {
		if (p->zram_problem)
			report_warn(&v->report, "pools of zsmalloc have no name: %s",
				    p->zram_problem);
		pool_add(p, &(struct pool){ POOL_ZSMALLOC,
					    { (uint64_t)pages - p->named_pages, true } });
	}
}

/* By its list of areas and by the sum of their pages. */
static bool has_no_swap(struct dump *d, enum status areas)
{
	struct swap_totals totals = { 0 };

	return areas == ST_ABSENT ||
	       (areas == ST_OK && swap_totals_read(d, &totals) == ST_OK && !totals.total);
}

static void add_pools(struct view_pools *p)
{
	struct dump *d = p->v->dump;
	enum status zram, swap;

	add_page_pools(p);
	pools_keep_going(p, percpu_chunks_walk(d, add_chunk, p), "per-CPU chunks");
	pools_add_percpu(p);
	zram = zram_walk(d, add_zram, p);
	if (zram == ST_ABSENT)
		p->zram_problem = dump_why(d);
	pools_keep_going(p, zram, zram == ST_UNKNOWN ? "what zram stores" : "devices of zram");
	pools_keep_going(p, zswap_walk(d, add_zswap, p), "pools of zswap");
	pools_keep_going(p, hugetlb_walk(d, add_hugetlb, p), "huge pages");
	swap = swap_areas_walk(d, add_swap, p);
	pools_keep_going(p, swap, "swap areas");
	p->has_no_swap = !p->swap.n && has_no_swap(d, swap);
	pools_add_cma(p);
	pools_add_balloons(p);
	add_counted(p);
}

static void put_end(struct view_pools *p)
{
	const struct gap gaps[] = {
		{ "no struct page in this dump for %s: any of them may be of a page pool or a balloon",
		  p->unreadable, "page", "pages" },
		{ "%s corrupt, or not in this dump", p->unnamed, "page pool is", "page pools are" },
		{ "which pages of %s are free or lent is unknown: the bitmap, or struct pages, "
		  "are not in this dump",
		  p->cma_unknown, "area of CMA", "areas of CMA", .keeps_sizes = true },
	};

	const bool is_whole = !p->is_partial && !p->v->owner.ram.derived;
	struct report *r = &p->v->report;

	REPORT_GAPS(r, gaps);
	/* What other pools have is known, and a kernel without these rows has none on either side of -d. */
	p->has_sizes = is_whole && !r->lacks_sizes && !r->dump->interrupted &&
		       !ANY_NEXT(u, r->unknown, strcmp(u->name, PAGE_POOLS) != 0);
	if (p->has_no_marks && p->v->has_states)
		r->has_sizes = &p->has_sizes;
	report_end(r, NULL, is_whole);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct view_pools *p = dump_alloc(v->dump, sizeof(*p));
	struct cmdline *in = v->in;

	p->v = v;
	in->table.whole = ram_base(&v->owner.ram);
	table_init(&p->swap, v->dump, COLUMNS(swap_columns), in->opts.json);
	add_pools(p);
	/* Huge pages of one size have a row for each node, which is told where there are two. */
	if (p->has_nodes && !in->opts.json) {
		table_show(&in->table, COLUMN_node);
		cmdline_reselect(in);
	}
	rows_show(&v->report, in);
	rows_put_kept(&v->report, in);
	p->has_text = v->report.rows_shown || in->filters.n || in->filters.nrows;
	pools_put_table(p, &p->percpu, "percpu", "static per-CPU memory, part of the first chunk");
	pools_put_table(p, &p->swap, "swap", "swap areas");
	if (p->has_no_swap && !in->opts.json)
		sink_printf(v->out, "%sswap: none\n", p->has_text ? "\n" : "");
	put_end(p);
	return v->dump->interrupted ? ST_STOPPED : ST_OK;
}

const struct view owner_pools_view = {
	"pools",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(pool_keys),
	.below = &swap_view,
	ROWS_ARE("pool", "pools", "pages,kind,name", 20),
	.open = open_view,
	.show = show,
};
