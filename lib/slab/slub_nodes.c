// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slub_nodes.h"

#define MAX_NODES 1024	       /* CONFIG_NODES_SHIFT goes to 10 */
#define MAX_PARTIAL (1u << 26) /* slabs: of one page each, 256 GiB */
#define POLL_SLABS 4096

/* Counters of a kmem_cache_node. */
struct node_read {
	uint64_t nr_partial, slabs, objects;
	uint64_t free; /* objects of all slabs (SLAB) */
};

static const struct layout_row node_rows[] = {
	STRUCTURE(struct slabs, per_node, "struct kmem_cache_per_node_ptrs"),
	READS(struct cache_node, address, OPTIONAL, "7.1", "node"),
	READS(struct cache_node, barn, OPTIONAL, "7.1", "barn"),
	STRUCTURE(struct slabs, node_barn, "struct kmem_cache_node"),
	READS(struct cache_node, barn, OPTIONAL, "6.18 to 7.0", "barn"),
	READS(struct cache_node, shared, OPTIONAL, "SLAB, to 6.7", "shared"),
	READS(struct cache_node, alien, OPTIONAL, "SLAB, to 6.7", "alien"),
	STRUCTURE(struct slabs, node, "struct kmem_cache_node"),
	READS(struct node_read, nr_partial, OPTIONAL, "all", "nr_partial"),
	FINDS(struct slabs, partial, "struct kmem_cache_node", OPTIONAL, "all", "partial.next"),
	READS(struct node_read, slabs, OPTIONAL, "CONFIG_SLUB_DEBUG, SLAB", "nr_slabs",
	      "total_slabs"),
	READS(struct node_read, objects, OPTIONAL, "CONFIG_SLUB_DEBUG", "total_objects"),
	READS(struct node_read, free, OPTIONAL, "SLAB, to 6.7", "free_objects"),
};

static bool counts_free(const struct slabs *s)
{
	return s->has_indexes && STRUCT_HAS(&s->node, struct node_read, free);
}

/* Two pointers for each node since 7.1; before, one, and the node has that of its barn. */
static enum status find_layout(struct slabs *s)
{
	struct dump *d = s->dump;
	enum status st;

	if (s->has_nodes)
		return ST_OK;
	st = STRUCTS_OPEN(d, node_rows, s);
	s->node_bytes = 8;
	if (st == ST_OK && STRUCT_HAS(&s->per_node, struct cache_node, address))
		st = dump_ask(d, type_size, "struct kmem_cache_per_node_ptrs", &s->node_bytes);
	if (st == ST_OK && (!s->cache_nodes.present || s->node_bytes < 8))
		st = ST_UNKNOWN;
	if (st != ST_OK)
		return dump_unknown(d, "nodes of struct kmem_cache");
	if (!counts_free(s) &&
	    (!STRUCT_HAS(&s->node, struct node_read, nr_partial) || !s->partial.present))
		dump_lacks(d, "partial slabs of nodes", ST_UNKNOWN,
			   "unknown layout: struct kmem_cache_node has no member partial");
	s->has_nodes = true;
	return ST_OK;
}

/* The array is as long as the kernel can have nodes; it was allocated shorter. */
enum status cache_nodes_count(struct slabs *s, uint64_t *ret)
{
	struct dump *d = s->dump;
	uint64_t ids = 1;
	enum status st = find_layout(s);

	if (st == ST_OK && s->cache_nodes.size / s->node_bytes > 1)
		st = dump_value(d, "nr_node_ids", &ids);
	if (st == ST_OK && (!ids || ids > MAX_NODES))
		st = dump_corrupt(d, "nr_node_ids is %lu", ids);
	return RESULT(st, ret, ids);
}

enum status cache_nodes_walk(struct slabs *s, const struct slab_cache *c,
			     enum status (*visit)(void *arg, const struct cache_node *node),
			     void *arg)
{
	const struct field *array = &s->cache_nodes;
	struct dump *d = s->dump;
	uint64_t ids;
	enum status st = cache_nodes_count(s, &ids);

	for (uint64_t i = 0; st == ST_OK && i < ids && (i + 1) * s->node_bytes <= array->size;
	     i++) {
		uint64_t entry = c->address + array->offset + i * s->node_bytes;
		struct cache_node node = { .node = i };

		if (STRUCT_HAS(&s->per_node, struct cache_node, address))
			st = struct_read(&s->per_node, entry, &node);
		else
			st = dump_u64(d, entry, &node.address, "kmem_cache.node");
		if (st == ST_OK && node.address &&
		    !STRUCT_HAS(&s->per_node, struct cache_node, barn))
			st = struct_read(&s->node_barn, node.address, &node);
		st = st ?: visit(arg, &node);
	}
	return st;
}

struct counting {
	struct slabs *slabs;
	const struct slab_cache *cache;
	unsigned int node;
	bool any; /* a node was met: without one, 0 is no count */
	struct cache_counts counts;
};

/* Adds the free objects of the slabs on a list of n, whose first entry is given. */
static enum status add_partial(struct counting *c, uint64_t head, uint64_t entry, uint64_t n)
{
	struct slabs *s = c->slabs;
	uint64_t i = 0;

	for (; entry != head; i++) {
		struct slab_header h;
		enum status st;

		if (i == n || i == MAX_PARTIAL)
			return dump_corrupt(s->dump, "a list of partial slabs is longer than %lu",
					    i);
		if (i % POLL_SLABS == 0 && dump_stopped(s->dump))
			return dump_fail(s->dump, ST_STOPPED, "interrupted");
		st = struct_read(&s->slab, entry - s->slab_list.offset, &h);
		if (st != ST_OK)
			return st;
		if (h.cache != c->cache->address || h.inuse > h.objects)
			return dump_corrupt(s->dump, "a list of partial slabs leads to %#lx",
					    entry);
		c->counts.partial++;
		c->counts.partial_free += h.objects - h.inuse;
		st = dump_u64(s->dump, entry, &entry, "a partial slab");
		if (st != ST_OK)
			return st;
	}
	return i != n ? dump_corrupt(s->dump, "a list of partial slabs is shorter than counted")
		      : ST_OK;
}

static enum status add_counts(void *arg, const struct cache_node *node)
{
	struct counting *c = arg;
	struct slabs *s = c->slabs;
	struct node_read read;
	uint64_t head = node->address + s->partial.offset, first;
	enum status st;

	if (!node->address || (c->node != ALL_NODES && c->node != node->node))
		return ST_OK;
	c->any = true;
	st = struct_read(&s->node, node->address, &read);
	if (st != ST_OK)
		return st;
	if (c->counts.has_slabs) {
		c->counts.slabs += read.slabs;
		c->counts.objects += s->has_indexes ? read.slabs * c->cache->num : read.objects;
	}
	c->counts.partial_free += read.free;
	if (!c->counts.has_partial || counts_free(s))
		return ST_OK;
	st = dump_u64(s->dump, head, &first, "partial")
		     ?: add_partial(c, head, first, read.nr_partial);
	c->counts.has_partial = st == ST_OK;
	return st == ST_STOPPED ? st : ST_OK;
}

enum status cache_counts_read(struct slabs *s, const struct slab_cache *cache, unsigned int node,
			      struct cache_counts *ret)
{
	struct counting c = { .slabs = s, .cache = cache, .node = node };
	enum status st = find_layout(s);

	if (st != ST_OK)
		return st;
	c.counts.has_slabs = STRUCT_HAS(&s->node, struct node_read, slabs) &&
			     (s->has_indexes || STRUCT_HAS(&s->node, struct node_read, objects));
	c.counts.has_partial = counts_free(s) ||
			       (STRUCT_HAS(&s->node, struct node_read, nr_partial) &&
				s->partial.present && s->slab_list.present);
	st = cache_nodes_walk(s, cache, add_counts, &c);
	if (st != ST_OK)
		return st;
	c.counts.has_slabs &= c.any;
	c.counts.has_partial &= c.any;
	*ret = c.counts;
	return ST_OK;
}
