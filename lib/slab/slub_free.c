// SPDX-License-Identifier: GPL-2.0-or-later
/* Which objects of a slab are free. */

#include "slab/slab_arrays.h"
#include "slab/slub_nodes.h"

#define MAX_SHEAF 4096 /* objects: kernels up to 7.3 make sheaves of some dozens */
#define MANY 16	      /* objects in a page: that all are zeros, one of them free, no kernel wrote */
#define MAX_BARN 1024 /* sheaves: a barn keeps ten full ones, MAX_FULL_SHEAVES */

enum { CPU_FREELIST, CPU_SLAB, CPU_FIELDS };
static const struct layout_row cpu_rows[CPU_FIELDS] = {
	[CPU_FREELIST] = { "struct kmem_cache_cpu", { "freelist" }, REQUIRED, "all" },
	[CPU_SLAB] = { "struct kmem_cache_cpu", { "slab", "page" }, REQUIRED, "5.17, all" },
};

/*
 * What waits in a sheaf for a grace period (rcu_free) is charged until that is over, as in
 * sheaves that no CPU has any more: it is not free yet (__rcu_free_sheaf_prepare()).
 */
enum { SHEAVES_MAIN, SHEAVES_SPARE, SHEAF_SIZE, SHEAF_OBJECTS, SHEAF_FIELDS };
static const struct layout_row sheaf_rows[SHEAF_FIELDS] = {
	[SHEAVES_MAIN] = { "struct slub_percpu_sheaves", { "main" }, REQUIRED, "6.18" },
	[SHEAVES_SPARE] = { "struct slub_percpu_sheaves", { "spare" }, OPTIONAL, "6.18" },
	[SHEAF_SIZE] = { "struct slab_sheaf", { "size" }, REQUIRED, "6.18" },
	[SHEAF_OBJECTS] = { "struct slab_sheaf", { "objects" }, REQUIRED, "6.18" },
};

enum { BARN_FULL, SHEAF_LIST, BARN_FIELDS };
static const struct layout_row barn_rows[BARN_FIELDS] = {
	[BARN_FULL] = { "struct node_barn", { "sheaves_full.next" }, REQUIRED, "6.18" },
	[SHEAF_LIST] = { "struct slab_sheaf", { "barn_list" }, REQUIRED, "6.18" },
};

static bool object_number(const struct slab *slab, uint64_t addr, uint32_t *ret)
{
	return slab_index(slab, addr, ret) == ST_OK && slab_object(slab, *ret) == addr;
}

/*
 * The next free object, from the pointer stored at addr.  With CONFIG_SLAB_FREELIST_HARDENED it is
 * xored with kmem_cache.random and with its own address, whose bytes are swapped since 5.7
 * (mm/slub.c: freelist_ptr()); the wrong form leads to no object.  A number of 0 is as good as any:
 * caches of early boot have it where get_random_long() gives nothing yet (RHEL 8).
 */
static bool decode(const struct slab *slab, uint64_t stored, uint64_t addr, uint64_t *ret)
{
	const uint64_t mixed = stored ^ slab->cache->random;
	const uint64_t pointers[] = { mixed ^ __builtin_bswap64(addr), mixed ^ addr };
	uint32_t i;

	if (!slab->cache->is_hardened) {
		*ret = stored;
		return !stored || object_number(slab, stored, &i);
	}
	for (unsigned int w = 0; w < 2; w++) {
		*ret = pointers[w];
		if (!pointers[w] || object_number(slab, pointers[w], &i))
			return true;
	}
	return false;
}

/* The last one has zeros, and nothing counts what a CPU has. */
static enum status check_end(struct slabs *s, const struct slab *slab, uint64_t at)
{
	const uint64_t end = 0;

	return slab->cache->size > dump_page_size(s->dump) / MANY
		       ? ST_OK
		       : dump_check(s->dump, at, &end, sizeof(end), "a free object");
}

static enum status follow(struct slabs *s, const struct slab *slab, uint64_t object, uint64_t *bits,
			  bool is_counted)
{
	for (uint32_t n = 0; object; n++) {
		uint64_t at = object + slab->cache->offset, stored;
		uint32_t i;

		if (n == slab->objects || !object_number(slab, object, &i) ||
		    bits[i / 64] >> i % 64 & 1)
			return dump_corrupt(s->dump,
					    "the free list of the slab at %#lx leads to %#lx",
					    slab->address, object);
		bits[i / 64] |= 1ULL << i % 64;
		if (dump_u64(s->dump, at, &stored, "a free object") != ST_OK)
			return ST_UNREADABLE;
		if (!stored && !is_counted && check_end(s, slab, at) != ST_OK)
			return ST_CORRUPT;
		if (!decode(slab, stored, at, &object))
			return dump_corrupt(s->dump,
					    "the free object at %#lx is not followed by one",
					    at - slab->cache->offset);
	}
	return ST_OK;
}

/* Both change at once: what a CPU or a sheaf has is in use to the slab. */
static enum status check_count(struct slabs *s, const struct slab *slab, const uint64_t *bits)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i * 64 < slab->objects; i++)
		n += (unsigned int)__builtin_popcountll(bits[i]);
	if (n == slab->objects - slab->inuse)
		return ST_OK;
	return dump_corrupt(
		s->dump,
		"the free list of the slab at %#lx has %u objects, and %u of %u are in use",
		slab->address, n, slab->inuse, slab->objects);
}

/* A CPU takes a slab's list for itself (to 6.19). */
static enum status follow_cpus(struct slabs *s, const struct slab *slab, uint64_t *bits)
{
	struct field f[CPU_FIELDS];
	enum status st;

	if (!slab->cache->cpu_slab)
		return ST_OK;
	st = layout_resolve(s->dump, cpu_rows, CPU_FIELDS, f);
	for (unsigned int cpu = 0; st == ST_OK && cpu < s->cpus.n; cpu++) {
		uint64_t at = slab->cache->cpu_slab + s->cpus.offset[cpu], object;
		uint32_t i;

		st = dump_u64(s->dump, at + f[CPU_FREELIST].offset, &object, "kmem_cache_cpu");
		/* What it holds is of one slab: by its objects it is told whether of this one. */
		if (st == ST_OK && object && object_number(slab, object, &i))
			st = follow(s, slab, object, bits, false);
	}
	return st;
}

static enum status add_sheaf(struct slabs *s, const struct field *f, uint64_t sheaf)
{
	uint32_t n;
	enum status st;

	if (!sheaf)
		return ST_OK;
	if (dump_stopped(s->dump))
		return dump_fail(s->dump, ST_STOPPED, "interrupted");
	st = dump_u32(s->dump, sheaf + f[SHEAF_SIZE].offset, &n, "slab_sheaf");
	if (st != ST_OK)
		return st;
	if (n > MAX_SHEAF)
		return dump_corrupt(s->dump, "a sheaf of %u objects", n);
	for (uint32_t i = 0; i < n && st == ST_OK; i++) {
		uint64_t object;

		st = dump_u64(s->dump, sheaf + f[SHEAF_OBJECTS].offset + 8ULL * i, &object,
			      "slab_sheaf");
		if (st == ST_OK)
			hash_u64_get(&s->sheaves, object, NULL);
	}
	return st;
}

static enum status add_barn(struct slabs *s, const struct field *f, const struct field *b,
			    uint64_t barn)
{
	uint64_t head = barn + b[BARN_FULL].offset, node;
	struct hash_u64 seen;
	enum status st = dump_u64(s->dump, head, &node, "node_barn");

	hash_u64_init(&seen, s->dump->arena, 1);
	for (unsigned int n = 0; st == ST_OK && node != head; n++) {
		if (!hash_u64_add(&seen, node) || n == MAX_BARN)
			return dump_corrupt(s->dump, "a list of sheaves without end");
		st = add_sheaf(s, f, node - b[SHEAF_LIST].offset)
			     ?: dump_u64(s->dump, node, &node, "slab_sheaf");
	}
	return st;
}

struct barns {
	struct slabs *slabs;
	const struct field *sheaf;
	struct field barn[BARN_FIELDS];
};

static enum status add_node(void *arg, const struct cache_node *node)
{
	struct barns *b = arg;

	return node->barn ? add_barn(b->slabs, b->sheaf, b->barn, node->barn) : ST_OK;
}

static enum status add_barns(struct slabs *s, const struct field *f, const struct slab_cache *c)
{
	struct barns b = { .slabs = s, .sheaf = f };
	return layout_resolve(s->dump, barn_rows, BARN_FIELDS, b.barn)
		       ?: cache_nodes_walk(s, c, add_node, &b);
}

/* All that hold objects of a cache, once. */
static enum status add_sheaves(struct slabs *s, const struct slab_cache *cache)
{
	struct slab_cache *c = (struct slab_cache *)cache;
	struct field f[SHEAF_FIELDS];
	enum status st;

	if ((!c->sheaves && !c->arrays) || c->has_sheaves)
		return ST_OK;
	c->has_sheaves = true;
	if (c->arrays)
		return slab_arrays_read(s, c);
	st = layout_resolve(s->dump, sheaf_rows, SHEAF_FIELDS, f);
	for (unsigned int cpu = 0; st == ST_OK && cpu < s->cpus.n; cpu++)
		for (unsigned int i = SHEAVES_MAIN; st == ST_OK && i <= SHEAVES_SPARE; i++) {
			uint64_t sheaf;

			if (!f[i].present)
				continue;
			st = dump_u64(s->dump, c->sheaves + s->cpus.offset[cpu] + f[i].offset,
				      &sheaf, "slub_percpu_sheaves")
				     ?: add_sheaf(s, f, sheaf);
		}
	return st ?: add_barns(s, f, c);
}

enum status slab_free_objects(struct slabs *s, const struct slab *slab,
			      uint64_t bits[SLAB_FREE_WORDS])
{
	/* Sheaves first: where both fail, dump->error is about the list of the slab. */
	enum status st, sheaves = add_sheaves(s, slab->cache);

	memset(bits, 0, SLAB_FREE_WORDS * sizeof(*bits));
	if (sheaves != ST_OK && s->sheaves_complete) {
		s->sheaves_complete = false;
		s->sheaves_problem = dump_why(s->dump);
	}
	st = s->has_indexes ? slab_indexes_read(s, slab, bits)
			    : follow(s, slab, slab->freelist, bits, true)
				      ?: check_count(s, slab, bits) ?: follow_cpus(s, slab, bits);
	for (uint32_t i = 0; s->sheaves.n && i < slab->objects; i++)
		if (hash_u64_has(&s->sheaves, slab_object(slab, i)))
			bits[i / 64] |= 1ULL << i % 64;
	return st;
}

/* What a CPU took from a slab: all of one slab. */
static enum status walk_cpu(struct slabs *s, const struct slab_cache *cache, uint64_t object,
			    const struct idle_visitor *v)
{
	uint64_t bits[SLAB_FREE_WORDS] = { 0 };
	struct slab slab;
	enum status st = v->slab_of(v->arg, object, &slab);

	if (st == ST_OK && slab.cache != cache)
		st = dump_corrupt(s->dump, "a CPU's free list of %s leads to %s",
				  cache->name ? cache->name : "a cache",
				  slab.cache->name ? slab.cache->name : "another");
	st = st ?: follow(s, &slab, object, bits, false);
	for (uint32_t i = 0; st == ST_OK && i < slab.objects; i++)
		if (bits[i / 64] >> i % 64 & 1)
			st = v->visit(v->arg, &slab, slab_object(&slab, i));
	return st;
}

static enum status walk_cpus(struct slabs *s, const struct slab_cache *cache,
			     const struct idle_visitor *v)
{
	struct field f[CPU_FIELDS];
	enum status st;

	if (!cache->cpu_slab)
		return ST_OK;
	st = layout_resolve(s->dump, cpu_rows, CPU_FIELDS, f);
	for (unsigned int cpu = 0; st == ST_OK && cpu < s->cpus.n; cpu++) {
		uint64_t at = cache->cpu_slab + s->cpus.offset[cpu], object;

		st = dump_u64(s->dump, at + f[CPU_FREELIST].offset, &object, "kmem_cache_cpu");
		if (st == ST_OK && object)
			st = walk_cpu(s, cache, object, v);
	}
	return st;
}

enum status slab_idle_walk(struct slabs *s, const struct slab_cache *cache,
			   const struct idle_visitor *v)
{
	struct hash_u64_entry *before = s->sheaves.last;
	struct slab slab;
	uint32_t i;
	enum status st = walk_cpus(s, cache, v) ?: add_sheaves(s, cache);

	for (struct hash_u64_entry *e = before ? before->next : s->sheaves.first; e && st == ST_OK;
	     e = e->next) {
		st = v->slab_of(v->arg, e->key, &slab);
		if (st == ST_OK && (slab.cache != cache || !object_number(&slab, e->key, &i)))
			st = dump_corrupt(s->dump, "%s of %s has %#lx",
					  cache->arrays ? "an array" : "a sheaf",
					  cache->name ? cache->name : "a cache", e->key);
		st = st ?: v->visit(v->arg, &slab, e->key);
	}
	return st;
}
