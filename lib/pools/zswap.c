// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zswap.h"

#include "dump/structure.h"
#include "kernel/list.h"
#include "util/utf8.h"

#define MAX_POOLS 64	       /* one for each compressor and allocator that was chosen */
#define MAX_STORES 65536       /* of one pool of zswap: 1 or 32 */
#define MAX_PAGES (1ULL << 40) /* 4 PiB */

/* Where an allocator counts its pages. */
static const struct layout_row counts[] = {
	{ "struct zs_pool", { "pages_allocated" }, OPTIONAL, "3.11" },
	{ "struct zbud_pool", { "pages_nr" }, OPTIONAL, "3.11 to 6.12 and later" },
	{ "struct z3fold_pool", { "pages_nr" }, OPTIONAL, "4.8 to 6.12 and later" },
};
static const char *const allocators[] = { "zsmalloc", "zbud", "z3fold" };

#define ALLOCATORS ARRAY_SIZE(counts)

struct walk {
	struct dump *dump;
	struct field list, compressor, zpools, zs_pool; /* of struct zswap_pool */
	struct structure zpool, driver;
	struct field count[ALLOCATORS];
	struct zswap_pool pools[MAX_POOLS];
	unsigned int n;
};

/* A struct zpool, and the name of the allocator that its driver has. */
struct zpool {
	uint64_t driver, store, type;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, list, "struct zswap_pool", REQUIRED, "4.3", "list"),
	FINDS(struct walk, compressor, "struct zswap_pool", REQUIRED, "4.3", "tfm_name"),
	/* An array of pointers: 6.6, mm: zswap: multiple zpools support. */
	FINDS(struct walk, zpools, "struct zswap_pool", OPTIONAL,
	      "6.6 to 6.8, 4.3 to 6.12 and later", "zpools", "zpool"),
	/* 7.3 has neither mm/zpool.c nor another allocator. */
	FINDS(struct walk, zs_pool, "struct zswap_pool", OPTIONAL, "7.3", "zs_pool"),
	STRUCTURE(struct walk, zpool, "struct zpool"),
	READS(struct zpool, driver, OPTIONAL, "to 6.12 and later", "driver"),
	READS(struct zpool, store, OPTIONAL, "to 6.12 and later", "pool"),
	STRUCTURE(struct walk, driver, "struct zpool_driver"),
	READS(struct zpool, type, OPTIONAL, "to 6.12 and later", "type"),
};

static void read_text(struct dump *d, uint64_t address, char *buf, size_t size)
{
	if (dump_string(d, address, buf, size, "a name of zswap") != ST_OK)
		buf[0] = '\0';
	printable(buf);
}

static enum status find_zpools(struct walk *w, struct zswap_pool *pool)
{
	struct dump *d = w->dump;
	struct first_problem problem = { 0 };
	char name[ZSWAP_ALLOCATOR] = "";
	enum status st = ST_OK;

	for (unsigned int i = 0; i < pool->nstores && st == ST_OK; i++) {
		struct zpool zpool = { 0 };
		uint64_t at;

		st = dump_u64(d, pool->address + w->zpools.offset + 8ULL * i, &at, "zswap_pool") ?:
			struct_read(&w->zpool, at, &zpool) ?:
			struct_read(&w->driver, zpool.driver, &zpool);
		pool->stores[i] = zpool.store;
		if (st == ST_OK)
			read_text(d, zpool.type, name, sizeof(name));
		if (st == ST_OK && !pool->allocator[0])
			strcpy(pool->allocator, name);
		else if (st == ST_OK && strcmp(pool->allocator, name))
			st = dump_corrupt(d, "zswap_pool at %#lx has pools of %s and %s",
					  pool->address, pool->allocator, name);
		st = first_problem_keep(d, &problem, st);
	}
	return st ?: first_problem_end(d, &problem);
}

static enum status find_allocator(struct walk *w, struct zswap_pool *pool)
{
	bool is_only = w->zs_pool.present;

	pool->nstores = is_only ? 1 : w->zpools.size / 8;
	pool->stores = dump_alloc(w->dump, pool->nstores * sizeof(*pool->stores));
	if (!is_only)
		return find_zpools(w, pool);
	strcpy(pool->allocator, allocators[0]);
	return dump_u64(w->dump, pool->address + w->zs_pool.offset, pool->stores, "zswap_pool");
}

/* An allocator that is a module has no types in vmlinux. */
static enum status count_pages(struct walk *w, struct zswap_pool *pool)
{
	uint64_t sum = 0, pages;
	unsigned int i = 0;

	while (i < ALLOCATORS && (strcmp(pool->allocator, allocators[i]) || w->count[i].size != 8))
		i++;
	if (i == ALLOCATORS)
		return ST_OK;
	for (unsigned int n = 0; n < pool->nstores; n++) {
		enum status st = dump_u64(w->dump, pool->stores[n] + w->count[i].offset, &pages,
					  counts[i].type);

		if (st != ST_OK)
			return st;
		if (pages > MAX_PAGES)
			return dump_corrupt(w->dump, "%s at %#lx has %lu pages", counts[i].type,
					    pool->stores[n], pages);
		sum += pages;
	}
	pool->pages = sum;
	pool->has_pages = true;
	return ST_OK;
}

static enum status find_pools(struct walk *w, uint64_t head)
{
	struct dump *d = w->dump;
	struct list_nodes l = list_of(d, head, "zswap_pools");
	uint64_t node;

	while (list_next(&l, &node)) {
		struct zswap_pool *pool = &w->pools[w->n++];

		pool->address = node - w->list.offset;
		read_text(d, pool->address + w->compressor.offset, pool->compressor,
			  sizeof(pool->compressor));
		if (w->n == MAX_POOLS)
			return dump_corrupt(d, "%d pools of zswap", MAX_POOLS);
	}
	return list_end(&l);
}

/* An atomic_t, an atomic_long_t in 7.3. */
static bool read_stored(struct dump *d, uint64_t *ret)
{
	uint8_t raw[8];
	struct field f;
	uint64_t at;

	if (dump_symbol(d, "zswap_stored_pages", &at) != ST_OK ||
	    dump_ask(d, variable, "zswap_stored_pages", &f) != ST_OK ||
	    (f.size != 4 && f.size != 8) ||
	    dump_read(d, at, raw, f.size, "zswap_stored_pages") != ST_OK)
		return false;
	*ret = le_bytes(raw, f.size);
	return *ret <= MAX_PAGES;
}

/* What zswap counts of all pools is that of the only one; the size only up to 6.1 and later. */
static void count_only(struct walk *w)
{
	struct zswap_pool *pool = &w->pools[0];
	struct dump *d = w->dump;
	uint64_t bytes;

	pool->has_stored = read_stored(d, &pool->stored);
	if (!pool->has_pages && dump_has_symbol(d, "zswap_pool_total_size") &&
	    dump_value(d, "zswap_pool_total_size", &bytes) == ST_OK &&
	    bytes >> d->page_shift <= MAX_PAGES) {
		pool->pages = bytes >> d->page_shift;
		pool->has_pages = true;
	}
}

/* One pointer, or an array of them. */
static bool has_zpools(const struct field *f)
{
	return f->present && f->size && !(f->size % 8) && f->size / 8 <= MAX_STORES;
}

/* A kernel where zswap was never enabled. */
static bool is_empty(struct dump *d, uint64_t head)
{
	uint64_t node;

	return dump_try(d, head, &node, sizeof(node)) == ST_OK && node == head;
}

static enum status open_walk(struct walk *w, uint64_t *head)
{
	struct dump *d = w->dump;
	enum status st;

	if (!dump_has_symbol(d, "zswap_pools"))
		return dump_absent(d, "this kernel was built without CONFIG_ZSWAP");
	st = dump_symbol(d, "zswap_pools", head) ?: STRUCTS_OPEN(d, rows, w) ?:
		layout_resolve(d, counts, ALLOCATORS, w->count);
	if (st == ST_OK && !w->zs_pool.present &&
	    !(has_zpools(&w->zpools) && struct_has_all(&w->zpool) && struct_has_all(&w->driver)))
		st = dump_unknown(d, "struct zswap_pool");
	return st;
}

enum status zswap_walk(struct dump *d,
		       enum status (*visit)(void *arg, const struct zswap_pool *pool), void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	struct first_problem problem = { 0 };
	enum status st;
	uint64_t head;

	w->dump = d;
	st = open_walk(w, &head);
	if (st == ST_UNKNOWN && is_empty(d, head))
		return ST_OK;
	if (st != ST_OK)
		return st;
	st = first_problem_keep(d, &problem, find_pools(w, head));
	for (unsigned int i = 0; i < w->n && st == ST_OK; i++) {
		st = find_allocator(w, &w->pools[i]) ?: count_pages(w, &w->pools[i]);
		st = first_problem_keep(d, &problem, st);
	}
	if (w->n == 1 && problem.status == ST_OK)
		count_only(w);
	for (unsigned int i = 0; i < w->n && st == ST_OK; i++)
		st = visit(arg, &w->pools[i]);
	return st ?: first_problem_end(d, &problem);
}

enum status zswap_only_counted(struct dump *d, const struct zswap_pool *pool, uint64_t *ret)
{
	if (pool->allocator[0] && strcmp(pool->allocator, "z3fold"))
		return dump_absent(d, "pages of %s have a class", pool->allocator);
	if (!pool->allocator[0] || !pool->has_pages)
		return dump_fail(d, ST_UNKNOWN, "a pool of %s is not counted",
				 pool->allocator[0] ? pool->allocator : "an unknown allocator");
	*ret = pool->pages;
	return ST_OK;
}
