// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/free_damage.h"

#include "kernel/list.h"

enum { CPU_FREELIST, CPU_SLAB, CPU_FIELDS };

static const struct layout_row cpu_rows[CPU_FIELDS] = {
	[CPU_FREELIST] = { "struct kmem_cache_cpu", { "freelist" }, REQUIRED, "all" },
	/* 5.17: a struct slab, which lies over the struct page. */
	[CPU_SLAB] = { "struct kmem_cache_cpu", { "slab", "page" }, OPTIONAL, "all" },
};

static bool find_slab(struct slabs *s, uint64_t end, uint64_t page, const struct slab_cache *c,
		      struct slab *ret)
{
	struct page_to_pfn to_pfn;
	uint64_t pfn;

	return page_to_pfn_open(s->dump, s->memmap, end, &to_pfn) == ST_OK &&
	       page_to_pfn_find(&to_pfn, page, &pfn) == ST_OK && slab_at(s, pfn, ret) == ST_OK &&
	       ret->cache == c;
}

static enum status look_at(struct slabs *s, uint64_t end, const struct slab_cache *c,
			   uint64_t address, struct free_damage *ret)
{
	struct field f[CPU_FIELDS];
	enum status st;

	if (!c->cpu_slab)
		return ST_ABSENT;
	st = layout_resolve(s->dump, cpu_rows, CPU_FIELDS, f);
	for (unsigned int cpu = 0; st == ST_OK && cpu < s->cpus.n; cpu++) {
		const uint64_t at = c->cpu_slab + s->cpus.offset[cpu];
		uint64_t object, page = 0;
		uint32_t i;

		st = dump_u64(s->dump, at + f[CPU_FREELIST].offset, &object, "kmem_cache_cpu");
		if (st != ST_OK || !object || object + c->offset != address)
			continue;
		*ret = (struct free_damage){ .cache = c, .cpu = cpu, .next = object };
		ret->has_slab = f[CPU_SLAB].present &&
				dump_u64(s->dump, at + f[CPU_SLAB].offset, &page,
					 "kmem_cache_cpu") == ST_OK &&
				page && find_slab(s, end, page, c, &ret->slab);
		/* One of its slab is where it should be: what failed there is something else. */
		if (!ret->has_slab || slab_index(&ret->slab, object, &i) != ST_OK)
			return ST_OK;
	}
	return st == ST_OK ? ST_ABSENT : st;
}

enum status free_damage_find(struct slabs *s, uint64_t end, uint64_t address,
			     struct free_damage *ret)
{
	struct dump *d = s->dump;
	struct list_nodes caches;
	uint64_t head, node;
	enum status st = dump_symbol(d, "slab_caches", &head), found = ST_ABSENT;

	if (st != ST_OK || !s->cache_list.present)
		return st != ST_OK ? st : ST_ABSENT;
	caches = list_of(d, head, "slab_caches");
	while (found == ST_ABSENT && list_next(&caches, &node)) {
		const struct slab_cache *c;

		st = slab_cache_get(s, node - s->cache_list.offset, &c);
		if (st == ST_OK)
			found = look_at(s, end, c, address, ret);
	}
	return found == ST_ABSENT ? list_end(&caches) ?: ST_ABSENT : found;
}
