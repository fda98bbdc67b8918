// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slab_arrays.h"

#include "slab/slub_nodes.h"

#define MAX_ARRAY \
	65536 /* objects: the kernel makes arrays of 120, and as many as /proc/slabinfo was told */
#define AT_ONCE 512 /* bytes of indexes */

struct array {
	uint32_t avail, limit;
};

struct arrays {
	struct slabs *slabs;
	const struct slab_cache *cache;
	struct structure array;
	struct field entries;
	uint64_t nodes, lock; /* lock: bytes of a struct alien_cache in front of its array */
};

static const struct layout_row rows[] = {
	STRUCTURE(struct arrays, array, "struct array_cache"),
	READS(struct array, avail, REQUIRED, "SLAB, to 6.7", "avail"),
	READS(struct array, limit, REQUIRED, "SLAB, to 6.7", "limit"),
	FINDS(struct arrays, entries, "struct array_cache", REQUIRED, "SLAB, to 6.7", "entry"),
};

enum status slab_indexes_read(struct slabs *s, const struct slab *slab, uint64_t *bits)
{
	const uint32_t width = slab->cache->indexes / slab->cache->num;
	uint8_t raw[AT_ONCE];
	enum status st = ST_OK;

	for (uint32_t i = slab->inuse; i < slab->objects && st == ST_OK; i += AT_ONCE / width) {
		uint32_t left = slab->objects - i;
		uint32_t n = left < AT_ONCE / width ? left : AT_ONCE / width;

		st = dump_read(s->dump, slab->freelist + (uint64_t)i * width, raw, n * width,
			       "indexes of free objects");
		for (uint32_t k = 0; k < n && st == ST_OK; k++) {
			uint32_t at = width == 1 ? raw[k] : le16(raw + 2 * k);

			if (at >= slab->objects || bits[at / 64] >> at % 64 & 1)
				return dump_corrupt(
					s->dump, "the slab at %#lx has %u among its free objects",
					slab->address, at);
			bits[at / 64] |= 1ULL << at % 64;
		}
	}
	return st;
}

static enum status add_array(struct arrays *a, uint64_t addr)
{
	struct slabs *s = a->slabs;
	struct array array;
	enum status st = struct_read(&a->array, addr, &array);

	if (st == ST_OK && (array.avail > array.limit || array.avail > MAX_ARRAY))
		return dump_corrupt(s->dump, "an array of %u free objects, of %u at most",
				    array.avail, array.limit);
	for (uint32_t i = 0; st == ST_OK && i < array.avail; i++) {
		uint64_t object;

		st = dump_u64(s->dump, addr + a->entries.offset + 8ULL * i, &object, "array_cache");
		if (st == ST_OK)
			hash_u64_get(&s->sheaves, object + a->cache->pad, NULL);
	}
	return st;
}

/* Objects of other nodes, a pointer for each; on a single node there are none. */
static enum status add_aliens(struct arrays *a, uint64_t table)
{
	struct dump *d = a->slabs->dump;
	enum status st = ST_OK;

	if (!table || a->nodes < 2)
		return ST_OK;
	if (!a->lock)
		return dump_unknown(d, "no size of struct alien_cache");
	for (uint64_t node = 0; node < a->nodes && st == ST_OK; node++) {
		uint64_t alien;

		st = dump_u64(d, table + 8 * node, &alien, "kmem_cache_node.alien");
		if (st == ST_OK && alien)
			st = add_array(a, alien + a->lock);
	}
	return st;
}

static enum status add_node(void *arg, const struct cache_node *node)
{
	struct arrays *a = arg;

	if (dump_stopped(a->slabs->dump))
		return dump_fail(a->slabs->dump, ST_STOPPED, "interrupted");
	return (node->shared ? add_array(a, node->shared) : ST_OK) ?: add_aliens(a, node->alien);
}

enum status slab_arrays_read(struct slabs *s, const struct slab_cache *c)
{
	struct arrays a = { .slabs = s, .cache = c };
	uint64_t alien = dump_type_bytes(s->dump, "struct alien_cache");
	enum status st = STRUCTS_OPEN(s->dump, rows, &a);

	/* Only with CONFIG_NUMA. */
	a.lock = alien ? alien - dump_type_bytes(s->dump, "struct array_cache") : 0;

	for (unsigned int cpu = 0; st == ST_OK && cpu < s->cpus.n; cpu++)
		st = add_array(&a, c->arrays + s->cpus.offset[cpu]);
	return st ?: cache_nodes_count(s, &a.nodes) ?: cache_nodes_walk(s, c, add_node, &a);
}
