// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/cache_objects.h"

#include "pages/page_type.h"
#include "slab/slub.h"

struct scan {
	struct page_types types;
	struct memmap memmap;
	struct slabs slabs;
	uint64_t slabs_seen;
	struct cache_objects n;
	uint64_t cache; /* 0: the cache mm_struct */
	enum status (*visit)(void *arg, uint64_t object);
	void *arg;
};

static enum status take_object(void *arg, const struct slub_object *o)
{
	struct scan *s = arg;

	if (!o->knows_free || o->is_free)
		return ST_OK;
	s->n.found++;
	return s->visit(s->arg, slab_object(o->slab, o->index));
}

static bool is_wanted(const struct scan *s, const struct slab_cache *cache)
{
	return s->cache ? cache->address == s->cache
			: cache->kind && !strcmp(cache->kind, "mm_struct");
}

static enum status scan_page(void *arg, uint64_t pfn)
{
	struct scan *s = arg;
	const struct slab_cache *cache;
	struct slab_gaps gaps;
	struct page_info info;
	enum status st;

	if (page_type_at(&s->types, pfn, &info) != ST_OK) {
		s->n.unreadable++;
		return ST_OK;
	}
	if (info.state != PAGE_TYPE_SLAB || info.head != pfn ||
	    slab_cache_at(&s->slabs, pfn, &cache) != ST_OK || !is_wanted(s, cache))
		return ST_OK;
	/* What is no mm_struct would be told as one that no task uses. */
	if (!s->cache && cache->aliases)
		return dump_fail(s->slabs.dump, ST_UNKNOWN,
				 "they are among other objects of the cache %s", cache->name);
	s->slabs_seen++;
	st = slub_walk(&s->slabs, pfn, true, take_object, s, &gaps);
	s->n.unknown += gaps.slab || gaps.free;
	return st;
}

/* Where nothing of theirs is accounted or copied to users, they share a cache of their size. */
static enum status no_slab(struct scan *s)
{
	struct dump *d = s->slabs.dump;
	const struct slab_cache *cache;
	uint64_t at;

	if (s->cache)
		return dump_absent(d, "no slab of the cache at %#lx was found", s->cache);
	if (dump_value(d, "mm_cachep", &at) == ST_OK &&
	    slab_cache_get(&s->slabs, at, &cache) == ST_OK && cache->name &&
	    strcmp(cache->name, "mm_struct"))
		return dump_fail(d, ST_UNKNOWN, "they are among other objects of the cache %s",
				 cache->name);
	return dump_absent(d, "no slab of the cache mm_struct was found");
}

enum status cache_objects_walk(struct dump *d, uint64_t cache,
			       enum status (*visit)(void *arg, uint64_t object), void *arg,
			       struct cache_objects *ret)
{
	struct scan *s = dump_alloc(d, sizeof(*s));
	struct ram ram;
	enum status st;

	*s = (struct scan){ .cache = cache, .visit = visit, .arg = arg };
	st = ram_open(d, &ram) ?: memmap_open(d, &s->memmap) ?:
		page_types_open(d, &s->memmap, &s->types) ?: slabs_open(d, &s->memmap, &s->slabs);
	if (st != ST_OK)
		return st;
	st = ram_walk(d, &ram, scan_page, s);
	if (st == ST_OK && !s->slabs_seen)
		return no_slab(s);
	if (st == ST_OK || st == ST_STOPPED)
		*ret = s->n;
	return st;
}

enum status mm_objects_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t mm), void *arg,
			    struct cache_objects *ret)
{
	return cache_objects_walk(d, 0, visit, arg, ret);
}
