// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slab_caches.h"

#define MAX_CACHES 65536 /* a machine has 100 to 400, up to 5.8 one more for each cgroup */

enum status slab_caches_open(struct dump *d, struct page_types *types, const struct zones *zones,
			     struct slab_caches *ret)
{
	enum status st;

	*ret = (struct slab_caches){ .types = types, .zones = zones, .head = UINT64_MAX };
	st = slabs_open(d, types->memmap, &ret->slabs);
	if (st == ST_OK)
		hash_bytes_init(&ret->uses, d->arena, sizeof(struct slab_use));
	return st;
}

static unsigned int node_of(const struct slab_caches *c, uint64_t pfn)
{
	const struct zone *z = c->zones ? zones_find(c->zones, pfn) : NULL;

	if (!c->zones)
		return 0;
	return z ? z->node : NODE_UNKNOWN;
}

static struct slab_use *use_of(struct slab_caches *c, enum slab_use_kind kind,
			       const struct slab_cache *cache, unsigned int node)
{
	const uint64_t key[] = { kind, cache ? cache->address : 0, node };
	struct hash_bytes_entry *e;
	struct slab_use *u;
	bool is_new;

	e = hash_bytes_get(&c->uses, key, sizeof(key), &is_new);
	u = e->value;
	if (is_new) {
		u->kind = kind;
		u->cache = cache;
		u->node = node;
	}
	return u;
}

/* The slab that was being added is complete: more objects than fit into its pages are none. */
static void close_slab(struct slab_caches *c)
{
	const struct slab *slab = &c->slab;
	struct slab_use *u = c->use;
	uint64_t bytes = c->head_pages << c->slabs.dump->page_shift;

	if (!u)
		return;
	u->slabs++;
	if (!(c->head_pages & (c->head_pages - 1)))
		u->orders |= 1ULL << __builtin_ctzll(c->head_pages);
	if (u->kind == SLAB_USE_LARGE)
		return;
	if (!c->has_slab || (uint64_t)slab->objects * slab->cache->size > bytes) {
		u->bad++;
		return;
	}
	u->objects += slab->objects;
	u->taken += slab->inuse;
}

static void open_slab(struct slab_caches *c, const struct page_info *info)
{
	const struct slab_cache *cache = NULL;
	enum slab_use_kind kind = SLAB_USE_LARGE;
	enum status st = ST_OK;

	close_slab(c);
	c->has_slab = false;
	if (info->state == PAGE_TYPE_SLAB) {
		st = slab_at(&c->slabs, info->head, &c->slab);
		c->has_slab = st == ST_OK;
		if (st == ST_OK)
			cache = c->slab.cache;
		else
			st = slab_cache_at(&c->slabs, info->head, &cache);
		kind = st == ST_OK ? SLAB_USE_CACHE : SLAB_USE_UNKNOWN;
	}
	c->head = info->head;
	c->head_pages = 0;
	c->use = use_of(c, kind, cache, node_of(c, info->head));
}

void slab_caches_add(struct slab_caches *c, const struct page_info *info)
{
	if (!c->use || info->head != c->head)
		open_slab(c, info);
	c->use->pages++;
	c->head_pages++;
}

static enum status slab_of(void *arg, uint64_t object, struct slab *ret)
{
	struct slab_caches *c = arg;
	struct page_info info;
	uint64_t pfn = (object - c->slabs.linear) >> c->slabs.dump->page_shift;
	enum status st;

	/* Neighbours in a list are often of one slab. */
	if (c->has_slab &&
	    object - c->slab.address < (uint64_t)c->slab.objects * c->slab.cache->size) {
		*ret = c->slab;
		return ST_OK;
	}
	st = page_type_at(c->types, pfn, &info);
	if (st == ST_OK && info.state != PAGE_TYPE_SLAB)
		st = ST_ABSENT;
	if (st == ST_ABSENT)
		return dump_fail(c->slabs.dump, ST_CORRUPT, "no slab has the free object at %#lx",
				 object);
	c->has_slab = false;
	st = st ?: slab_at(&c->slabs, info.head, &c->slab);
	if (st != ST_OK)
		return st;
	c->has_slab = true;
	*ret = c->slab;
	return ST_OK;
}

static enum status add_idle(void *arg, const struct slab *slab, uint64_t object)
{
	struct slab_caches *c = arg;
	uint64_t pfn = (object - c->slabs.linear) >> c->slabs.dump->page_shift;
	struct slab_use *u = use_of(c, SLAB_USE_CACHE, slab->cache, node_of(c, pfn));

	u->idle++;
	return ST_OK;
}

static void set_idle_known(struct slab_caches *c, const struct slab_cache *cache)
{
	hash_bytes_for_each(struct slab_use, u, &c->uses)
		if (u->cache == cache)
			u->is_idle_known = true;
}

static enum status count_idle(struct slab_caches *c)
{
	const struct idle_visitor visitor = { slab_of, add_idle, c };
	struct dump *d = c->slabs.dump;

	hash_u64_for_each(const struct slab_cache, cache, &c->slabs.caches) {
		enum status st;

		if (!cache->address)
			continue;
		if (dump_stopped(d))
			return ST_STOPPED;
		st = slab_idle_walk(&c->slabs, cache, &visitor);
		if (st == ST_STOPPED)
			return st;
		if (st == ST_OK)
			set_idle_known(c, cache);
		else if (!c->problem)
			c->problem = dump_why(d);
	}
	return ST_OK;
}

/* Adds the caches of the list slab_caches that have no slab. */
static enum status add_listed(struct slab_caches *c)
{
	const struct field *list = &c->slabs.cache_list;
	struct dump *d = c->slabs.dump;
	uint64_t head, entry;
	enum status st = dump_symbol(d, "slab_caches", &head);

	if (st == ST_OK && !list->present)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct kmem_cache has no list");
	st = st ?: dump_u64(d, head, &entry, "slab_caches");
	for (unsigned int n = 0; st == ST_OK && entry != head; n++) {
		const struct slab_cache *cache;

		if (n == MAX_CACHES)
			return dump_fail(d, ST_CORRUPT, "the list slab_caches has no end");
		st = slab_cache_get(&c->slabs, entry - list->offset, &cache);
		if (st != ST_OK)
			return st;
		use_of(c, SLAB_USE_CACHE, cache, 0);
		st = dump_u64(d, entry, &entry, "slab_caches");
	}
	return st;
}

void slab_caches_close(struct slab_caches *c)
{
	close_slab(c);
	c->use = NULL;
	c->has_slab = false;
}

enum status slab_caches_end(struct slab_caches *c)
{
	struct dump *d = c->slabs.dump;
	enum status st;

	slab_caches_close(c);
	/* By node, a cache without slabs is of none. */
	st = c->zones ? ST_OK : add_listed(c);
	if (st != ST_OK)
		c->list_problem = dump_why(d);
	return count_idle(c);
}

struct scan {
	struct slab_caches *caches;
	uint64_t unreadable, seen;
	uint64_t section; /* that was asked for last */
	bool removed;	  /* it is not online: its struct pages mean nothing */
};

static bool is_removed(struct scan *s, uint64_t pfn)
{
	struct memmap *m = s->caches->types->memmap;
	bool online = true;

	if (m->is_flat)
		return false;
	if (s->section != pfn >> m->sections.shift) {
		s->section = pfn >> m->sections.shift;
		s->removed = sections_is_online(&m->sections, s->section, &online) == ST_OK &&
			     !online;
	}
	return s->removed;
}

static enum status scan_page(void *arg, uint64_t pfn)
{
	struct scan *s = arg;
	struct page_info info;

	s->seen++;
	if (page_type_at(s->caches->types, pfn, &info) != ST_OK) {
		s->unreadable++;
		return ST_OK;
	}
	if (slab_caches_want(&info) && !is_removed(s, pfn))
		slab_caches_add(s->caches, &info);
	return ST_OK;
}

enum status slab_caches_scan(struct slab_caches *c, const struct ram *ram, uint64_t *unreadable,
			     uint64_t *seen)
{
	struct scan s = { .caches = c, .section = UINT64_MAX };
	enum status st = ram_walk(c->slabs.dump, ram, scan_page, &s), ended;

	*unreadable = s.unreadable;
	*seen = s.seen;
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	ended = slab_caches_end(c);
	return ended == ST_OK ? st : ended;
}

bool slab_use_objects(const struct slab_use *u, uint64_t *ret)
{
	if (u->kind != SLAB_USE_CACHE || u->bad || !u->is_idle_known || u->idle > u->taken)
		return false;
	*ret = u->taken - u->idle;
	return true;
}

const char *slab_use_name(const struct slab_use *u)
{
	if (u->kind == SLAB_USE_LARGE)
		return "[large kmalloc]";
	return u->cache ? u->cache->name : NULL;
}
