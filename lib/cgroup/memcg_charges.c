// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/memcg_charges.h"

#define MAX_STOCK_BYTES 512 /* of an array with an entry for each cgroup of a stock */
#define MAX_CACHED 64	    /* cgroups of a stock: 1, since 6.16 7 */

enum status memcg_charges_open(struct dump *d, struct memcgs *memcgs, struct slabs *slabs,
			       struct memcg_charges *ret)
{
	static const struct layout_row row = {
		"struct obj_cgroup", { "nr_charged_bytes" }, OPTIONAL, "5.9"
	};
	/* 5.9: "mm: memcg/slab: use a single set of kmem_caches for all accounted allocations" */
	static const struct layout_row cache_rows[] = {
		{ "struct kmem_cache", { "memcg_params.root_cache" }, OPTIONAL, "4.5 to 5.8" },
		{ "struct kmem_cache", { "memcg_params.memcg" }, OPTIONAL, "4.5 to 5.8" },
	};
	/* Since 7.1 each node has them (struct mem_cgroup_per_node). */
	static const struct layout_row objcg_rows[] = {
		{ "struct mem_cgroup", { "objcg" }, OPTIONAL, "5.9 to 7.0" },
		{ "struct mem_cgroup", { "objcg_list" }, OPTIONAL, "5.9 to 7.0" },
		{ "struct obj_cgroup", { "list" }, OPTIONAL, "5.9" },
	};
	enum status st;

	*ret = (struct memcg_charges){ .dump = d, .memcgs = memcgs, .slabs = slabs };
	hash_u64_init(&ret->charged, d->arena, sizeof(struct memcg_charged));
	hash_u64_init(&ret->objcgs, d->arena, 0);
	lru_masks_open(d, &ret->lru);
	st = layout_resolve(d, &row, 1, &ret->objcg_bytes) ?:
		layout_resolve(d, cache_rows, 1, &ret->cache_root) ?:
		layout_resolve(d, cache_rows + 1, 1, &ret->cache_memcg) ?:
		layout_resolve(d, objcg_rows, 1, &ret->objcg) ?:
		layout_resolve(d, objcg_rows + 1, 1, &ret->objcg_list) ?:
		layout_resolve(d, objcg_rows + 2, 1, &ret->objcg_link);
	ret->by_cache = st == ST_OK && ret->cache_root.present && ret->cache_memcg.present;
	return st;
}

static struct memcg_charged *charged_of(struct memcg_charges *c, uint64_t memcg)
{
	return hash_u64_get(&c->charged, memcg, NULL);
}

/*
 * Objects are charged by bytes: a page at a time is charged for an obj_cgroup, and what no object
 * has taken of it yet is in obj_cgroup.nr_charged_bytes or in the stock of a CPU.
 */
static enum status add_objcg(struct memcg_charges *c, const struct memcg_owner *owner,
			     struct memcg_charged *to)
{
	uint32_t bytes;

	if (!owner->objcg)
		return ST_OK;
	if (!hash_u64_add(&c->objcgs, owner->objcg))
		return ST_OK;
	if (!c->objcg_bytes.present ||
	    dump_u32(c->dump, owner->objcg + c->objcg_bytes.offset, &bytes, "obj_cgroup") != ST_OK)
		c->bytes_problem = "obj_cgroup.nr_charged_bytes is not in this dump";
	else
		to->spare_bytes += (int32_t)bytes;
	return ST_OK;
}

/* ret NULL: it is charged to none, or to one that cannot be read (*unknown). */
static enum status find_charged(struct memcg_charges *c, uint64_t data, bool *unknown,
				struct memcg_charged **ret)
{
	struct memcg_owner owner;
	enum status st = memcgs_owner(c->memcgs, data, &owner);

	*ret = NULL;
	*unknown = st != ST_OK && st != ST_ABSENT;
	if (st != ST_OK)
		return ST_OK;
	*ret = charged_of(c, owner.memcg);
	return add_objcg(c, &owner, *ret);
}

enum status memcg_charges_add_memcg(struct memcg_charges *c, uint64_t memcg)
{
	struct memcg_charged *charged;
	struct list_nodes l = list_of(c->dump, memcg + c->objcg_list.offset,
				      "mem_cgroup.objcg_list");
	uint64_t own, node;
	bool unknown;
	enum status st;

	if (!c->objcg.present || !c->objcg_list.present || !c->objcg_link.present)
		return ST_OK;
	st = dump_u64(c->dump, memcg + c->objcg.offset, &own, "memory cgroup");
	/* A removed cgroup has given it to its parent. */
	if (st == ST_OK && own)
		st = find_charged(c, own, &unknown, &charged);
	while (st == ST_OK && list_next(&l, &node))
		st = find_charged(c, node - c->objcg_link.offset, &unknown, &charged);
	st = st ?: list_end(&l);
	if (st == ST_OK || st == ST_STOPPED)
		return st;
	c->bytes_problem = dump_why(c->dump);
	return ST_OK;
}

static enum status add_objects(struct memcg_charges *c, uint64_t pfn)
{
	const uint64_t *objcgs;
	bool is_unknown = false;
	struct slab slab;
	enum status st = c->slabs ? slab_at(c->slabs, pfn, &slab) : ST_UNKNOWN;

	c->slab_objects = SLAB_UNCHARGED;
	st = st ?: slab_objcgs(c->slabs, &slab, &objcgs);
	if (st == ST_ABSENT)
		return ST_OK;
	if (st != ST_OK) {
		c->slab_objects = SLAB_UNSURE;
		c->unknown_slabs++;
		return ST_OK;
	}
	for (uint32_t i = 0; i < slab.objects; i++) {
		struct memcg_charged *charged;
		bool unknown;

		if (!objcgs[i])
			continue;
		st = find_charged(c, objcgs[i], &unknown, &charged);
		if (st != ST_OK)
			return st;
		is_unknown |= unknown;
		c->slab_objects = SLAB_CHARGED;
		if (!charged)
			continue;
		charged->objects++;
		charged->object_bytes += slab.cache->size + 8;
	}
	c->unknown_slabs += is_unknown;
	return ST_OK;
}

/* A cache of its own for each cgroup that uses it; the first one is charged to none. */
static enum status read_slab_cache(struct memcg_charges *c, uint64_t head, uint64_t *ret)
{
	const struct slab_cache *cache;
	uint64_t root = 0;
	enum status st = c->slabs ? slab_cache_at(c->slabs, head, &cache) : ST_UNKNOWN;

	if (st == ST_OK && !cache->address)
		st = ST_CORRUPT;
	st = st ?: dump_u64(c->dump, cache->address + c->cache_root.offset, &root, "kmem_cache");
	*ret = 0;
	if (st == ST_OK && root)
		st = dump_u64(c->dump, cache->address + c->cache_memcg.offset, ret, "kmem_cache");
	return st;
}

/* The cgroup that a slab page is charged to (memcg_charge_slab() in mm/slab.h); 0: none, or unknown. */
static uint64_t slab_charge(struct memcg_charges *c, uint64_t pfn, const struct page_info *info)
{
	/* 5.3: "mm: memcg/slab: stop setting page->mem_cgroup pointer for slab pages" */
	if (info->memcg)
		return info->memcg;
	if (pfn == info->head || info->head != c->slab_head) {
		c->slab_head = info->head;
		c->slab_status = read_slab_cache(c, info->head, &c->slab_data);
		c->unknown_slabs += c->slab_status != ST_OK;
	}
	return c->slab_data;
}

/*
 * The vector of an object page of KFENCE is one entry in the record of the object: empty while none is
 * in use, and the page may not name a cache yet.
 */
static enum status add_kfence(struct memcg_charges *c, uint64_t pfn, const struct page_info *info)
{
	uint64_t objcg;

	c->slab_objects = SLAB_UNCHARGED;
	if (!memcgs_is_vector(info->memcg))
		return ST_OK;
	if (c->slabs &&
	    dump_u64(c->dump, (info->memcg & ~7ULL) + c->slabs->objcg, &objcg, "kfence_metadata") ==
		    ST_OK &&
	    !objcg)
		return ST_OK;
	return add_objects(c, pfn);
}

/* Of a page behind the first nothing is known where that was not met. */
static enum status add_slab_page(struct memcg_charges *c, uint64_t pfn, uint64_t head)
{
	bool is_same = head == c->slab_head;

	c->slab_head = head;
	if (pfn == head)
		return add_objects(c, pfn);
	if (!is_same)
		c->slab_objects = SLAB_UNSURE;
	return ST_OK;
}

static enum status count_slab_page(struct memcg_charges *c)
{
	c->slab_pages++;
	c->charged_slabs += c->slab_objects == SLAB_CHARGED;
	c->unsure_slabs += c->slab_objects == SLAB_UNSURE;
	return ST_OK;
}

static enum memcg_page_kind kind_of(const struct memcg_charges *c, const struct page_info *info)
{
	enum page_type type = info->state;

	if (type == PAGE_TYPE_OTHER)
		type = lru_type(&c->lru, info);
	if (type == PAGE_TYPE_ANON)
		return MEMCG_PAGES_ANON;
	if (type == PAGE_TYPE_FILE)
		return info->head_flags & c->lru.swapbacked ? MEMCG_PAGES_SHMEM : MEMCG_PAGES_FILE;
	return MEMCG_PAGES_KERNEL;
}

enum status memcg_charges_add(struct memcg_charges *c, uint64_t pfn, const struct page_info *info)
{
	struct memcg_owner owner;
	bool unknown = false, is_slab;
	uint64_t data;
	enum status st;

	if (!info) {
		c->unreadable++;
		return ST_OK;
	}
	if (info->state == PAGE_TYPE_KFENCE)
		return add_kfence(c, pfn, info) ?: count_slab_page(c);
	is_slab = info->state == PAGE_TYPE_SLAB || memcgs_is_vector(info->memcg);
	if (is_slab && !c->by_cache)
		return add_slab_page(c, pfn, info->head) ?: count_slab_page(c);
	data = is_slab ? slab_charge(c, pfn, info) : info->memcg;
	if (!data) {
		c->uncharged += !is_slab || c->slab_status == ST_OK;
		return ST_OK;
	}
	if (!c->last || c->last_data != data) {
		st = find_charged(c, data, &unknown, &c->last);
		if (st != ST_OK)
			return st;
		c->last_data = data;
	}
	c->unknown += unknown;
	if (!c->last) {
		c->uncharged += !unknown;
		return ST_OK;
	}
	c->last->pages[kind_of(c, info)]++;
	if (pfn == info->head && memcgs_owner(c->memcgs, data, &owner) == ST_OK)
		c->last->direct += !owner.objcg;
	return ST_OK;
}

enum status memcg_charges_add_directory(struct memcg_charges *c, uint64_t pfn,
					const struct page_info *first,
					const struct page_info *second)
{
	struct memcg_charged *charged;
	bool unknown;
	enum status st;

	if (!first->memcg)
		return ST_OK;
	if (pfn & 1 || second->state != PAGE_TYPE_OTHER || second->head != pfn + 1 ||
	    second->memcg) {
		c->other_directories++;
		return ST_OK;
	}
	st = find_charged(c, first->memcg, &unknown, &charged);
	if (charged)
		charged->second_pages++;
	return st;
}

/* Where CPUs keep what they charged in advance: pages of a cgroup, bytes of an obj_cgroup. */
static const struct stock_row {
	const char *symbol;
	struct layout_row cached, amount;
	bool is_bytes;
} stock_rows[] = {
	{ "memcg_stock",
	  { "struct memcg_stock_pcp", { "cached" }, OPTIONAL, "all; 6.16: an array" },
	  { "struct memcg_stock_pcp", { "nr_pages" }, OPTIONAL, "all" },
	  false },
	{ "memcg_stock",
	  { "struct memcg_stock_pcp", { "cached_objcg" }, OPTIONAL, "5.9 to 6.15" },
	  { "struct memcg_stock_pcp", { "nr_bytes" }, OPTIONAL, "5.9 to 6.15" },
	  true },
	{ "memcg_stock",
	  { "struct memcg_stock_pcp", { "task_obj.cached_objcg" }, OPTIONAL, "5.14 to 5.18" },
	  { "struct memcg_stock_pcp", { "task_obj.nr_bytes" }, OPTIONAL, "5.14 to 5.18" },
	  true },
	{ "memcg_stock",
	  { "struct memcg_stock_pcp", { "irq_obj.cached_objcg" }, OPTIONAL, "5.14 to 5.18" },
	  { "struct memcg_stock_pcp", { "irq_obj.nr_bytes" }, OPTIONAL, "5.14 to 5.18" },
	  true },
	{ "obj_stock",
	  { "struct obj_stock_pcp", { "cached", "cached_objcg" }, OPTIONAL, "7.3, 6.16" },
	  { "struct obj_stock_pcp", { "nr_bytes" }, OPTIONAL, "6.16" },
	  true },
};

static enum status add_stocked(struct memcg_charges *c, uint64_t data, uint64_t amount,
			       bool is_bytes)
{
	struct memcg_charged *to;
	bool unknown;
	enum status st = data ? find_charged(c, data, &unknown, &to) : ST_OK;

	if (!data || st != ST_OK)
		return st;
	if (!to) {
		if (amount)
			c->stock_problem = "memcg_stock has a cgroup that cannot be read";
		return ST_OK;
	}
	if (is_bytes)
		to->spare_bytes += amount;
	else {
		to->stock_pages += amount;
		to->stocks++;
	}
	return ST_OK;
}

/* has: it is in this kernel's stocks. */
static enum status add_stock(struct memcg_charges *c, const struct stock_row *row,
			     const struct percpu *cpus, bool *has)
{
	struct field cached = { 0 }, amount = { 0 };
	uint8_t raw[2][MAX_STOCK_BYTES];
	unsigned int n, each;
	uint64_t base;
	enum status st = layout_resolve(c->dump, &row->cached, 1, &cached)
				 ?: layout_resolve(c->dump, &row->amount, 1, &amount);

	if (st != ST_OK || !cached.present || !amount.present)
		return st;
	*has = true;
	st = dump_symbol(c->dump, row->symbol, &base);
	if (st != ST_OK)
		return st;
	n = cached.size / 8;
	each = n ? amount.size / n : 0;
	if (!each || each > 8 || n > MAX_CACHED || amount.size > MAX_STOCK_BYTES)
		return dump_unknown(c->dump, "%s.%s", row->cached.type, row->cached.names[0]);
	for (unsigned int cpu = 0; cpu < cpus->n; cpu++) {
		uint64_t addr = base + cpus->offset[cpu];

		st = dump_read(c->dump, addr + cached.offset, raw[0], cached.size, row->symbol);
		st = st
			     ?: dump_read(c->dump, addr + amount.offset, raw[1], amount.size,
					  row->symbol);
		for (unsigned int i = 0; st == ST_OK && i < n; i++)
			st = add_stocked(c, le64(raw[0] + i * 8), le_bytes(raw[1] + i * each, each),
					 row->is_bytes);
		if (st != ST_OK)
			return st;
	}
	return ST_OK;
}

enum status memcg_charges_end(struct memcg_charges *c)
{
	struct percpu cpus;
	bool has[ARRAY_SIZE(stock_rows)] = { 0 };
	enum status st = percpu_open(c->dump, &cpus);

	for (size_t i = 0; st == ST_OK && i < ARRAY_SIZE(stock_rows); i++)
		st = add_stock(c, &stock_rows[i], &cpus, &has[i]);
	/* Each kernel has one of pages; those of bytes may be left out of the build. */
	if (st == ST_OK && !has[0])
		st = dump_unknown(c->dump, "struct memcg_stock_pcp");
	if (st == ST_OK)
		return st;
	c->stock_problem = dump_why(c->dump);
	return ST_OK;
}

struct memcg_charged memcg_charges_of(struct memcg_charges *c, uint64_t memcg)
{
	struct memcg_charged ret = { 0 };

	if (hash_u64_has(&c->charged, memcg))
		ret = *charged_of(c, memcg);
	if (c->other_directories)
		ret.second_pages = 0;
	return ret;
}
