// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/slub_nodes.h"

#include "dump/layout.h"

#define MAX_NODES 1024
#define MAX_PARTIAL (1u << 26) /* slabs: of one page each, 256 GiB */
#define POLL_SLABS 4096

static const struct layout_row node_rows[NODE_FIELDS] = {
	[PTRS_NODE] = { "struct kmem_cache_per_node_ptrs", { "node" }, OPTIONAL, "7.1" },
	[PTRS_BARN] = { "struct kmem_cache_per_node_ptrs", { "barn" }, OPTIONAL, "7.1" },
	[NODE_BARN] = { "struct kmem_cache_node", { "barn" }, OPTIONAL, "6.18 to 7.0" },
	[NODE_NR_PARTIAL] = { "struct kmem_cache_node", { "nr_partial" }, OPTIONAL, "all" },
	[NODE_PARTIAL] = { "struct kmem_cache_node", { "partial.next" }, OPTIONAL, "all" },
	[NODE_SLABS] = { "struct kmem_cache_node", { "nr_slabs" }, OPTIONAL, "CONFIG_SLUB_DEBUG" },
	[NODE_OBJECTS] = { "struct kmem_cache_node",
			   { "total_objects" },
			   OPTIONAL,
			   "CONFIG_SLUB_DEBUG" },
};

/* Two pointers for each node since 7.1; before, one, and the node has that of its barn. */
static enum status find_layout(struct slabs *s)
{
	struct dump *d = s->dump;
	enum status st;

	if (s->has_nodes)
		return ST_OK;
	st = layout_resolve(d, node_rows, NODE_FIELDS, s->nodes);
	s->node_bytes = 8;
	if (st == ST_OK && s->nodes[PTRS_NODE].present)
		st = d->ops->type_size(d->priv, "struct kmem_cache_per_node_ptrs", &s->node_bytes);
	if (st == ST_OK && (!s->c[CACHE_BARNS].present || s->node_bytes < 8))
		st = ST_UNKNOWN;
	if (st != ST_OK)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: nodes of struct kmem_cache");
	s->has_nodes = true;
	return ST_OK;
}

/* The array is as long as the kernel can have nodes; it was allocated shorter. */
static enum status count_nodes(struct dump *d, uint64_t *ret)
{
	uint64_t ids = 1;
	enum status st = ST_OK;

	/* Without it this kernel has one node. */
	if (dump_has_symbol(d, "nr_node_ids"))
		st = dump_value(d, "nr_node_ids", &ids);
	if (st == ST_OK && (!ids || ids > MAX_NODES))
		st = dump_fail(d, ST_CORRUPT, "nr_node_ids is %llu", (unsigned long long)ids);
	if (st == ST_OK)
		*ret = ids;
	return st;
}

enum status cache_nodes_walk(struct slabs *s, const struct slab_cache *c,
			     enum status (*visit)(void *arg, const struct cache_node *node),
			     void *arg)
{
	const struct field *array = &s->c[CACHE_BARNS], *f = s->nodes;
	struct dump *d = s->dump;
	uint64_t ids;
	enum status st = find_layout(s);

	if (st == ST_OK)
		st = count_nodes(d, &ids);
	for (uint64_t i = 0; st == ST_OK && i < ids && (i + 1) * s->node_bytes <= array->size;
	     i++) {
		uint64_t entry = c->address + array->offset + i * s->node_bytes;
		struct cache_node node = { .node = i };

		st = dump_u64(d, entry + f[PTRS_NODE].offset, &node.address, "kmem_cache.node");
		if (st == ST_OK && f[PTRS_BARN].present)
			st = dump_u64(d, entry + f[PTRS_BARN].offset, &node.barn, "node_barn");
		else if (st == ST_OK && node.address && f[NODE_BARN].present)
			st = dump_u64(d, node.address + f[NODE_BARN].offset, &node.barn,
				      "kmem_cache_node");
		if (st == ST_OK)
			st = visit(arg, &node);
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
	const uint8_t *raw = s->slab.raw;
	uint64_t i = 0;

	for (; entry != head; i++) {
		uint64_t inuse, objects;
		enum status st;

		if (i == n || i == MAX_PARTIAL)
			return dump_fail(s->dump, ST_CORRUPT,
					 "a list of partial slabs is longer than %llu",
					 (unsigned long long)i);
		if (i % POLL_SLABS == 0 && dump_stopped(s->dump))
			return dump_fail(s->dump, ST_STOPPED, "interrupted");
		st = layout_read(s->dump, entry - s->f[SLAB_LIST].offset, &s->slab,
				 "a partial slab");
		if (st != ST_OK)
			return st;
		inuse = field_get(&s->f[SLAB_INUSE], raw);
		objects = field_get(&s->f[SLAB_OBJECTS], raw);
		if (field_get(&s->f[SLAB_CACHE], raw) != c->cache->address || inuse > objects)
			return dump_fail(s->dump, ST_CORRUPT,
					 "a list of partial slabs leads to %#llx",
					 (unsigned long long)entry);
		c->counts.partial++;
		c->counts.partial_free += objects - inuse;
		st = dump_u64(s->dump, entry, &entry, "a partial slab");
		if (st != ST_OK)
			return st;
	}
	return i != n ? dump_fail(s->dump, ST_CORRUPT,
				  "a list of partial slabs is shorter than counted")
		      : ST_OK;
}

static enum status add_counts(void *arg, const struct cache_node *node)
{
	struct counting *c = arg;
	struct dump *d = c->slabs->dump;
	uint64_t slabs = 0, objects = 0, partial, first;
	enum status st = ST_OK;

	if (!node->address || (c->node != ALL_NODES && c->node != node->node))
		return ST_OK;
	c->any = true;
	if (c->counts.has_slabs)
		st = dump_u64(d, node->address + c->slabs->nodes[NODE_SLABS].offset, &slabs,
			      "nr_slabs");
	if (st == ST_OK && c->counts.has_slabs)
		st = dump_u64(d, node->address + c->slabs->nodes[NODE_OBJECTS].offset, &objects,
			      "total_objects");
	if (st != ST_OK)
		return st;
	c->counts.slabs += slabs;
	c->counts.objects += objects;
	if (!c->counts.has_partial)
		return ST_OK;
	st = dump_u64(d, node->address + c->slabs->nodes[NODE_NR_PARTIAL].offset, &partial,
		      "nr_partial");
	if (st == ST_OK)
		st = dump_u64(d, node->address + c->slabs->nodes[NODE_PARTIAL].offset, &first,
			      "partial");
	if (st == ST_OK)
		st = add_partial(c, node->address + c->slabs->nodes[NODE_PARTIAL].offset, first,
				 partial);
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
	c.counts.has_slabs = s->nodes[NODE_SLABS].present && s->nodes[NODE_OBJECTS].present;
	c.counts.has_partial = s->nodes[NODE_NR_PARTIAL].present &&
			       s->nodes[NODE_PARTIAL].present && s->f[SLAB_LIST].present;
	st = cache_nodes_walk(s, cache, add_counts, &c);
	if (st != ST_OK)
		return st;
	c.counts.has_slabs &= c.any;
	c.counts.has_partial &= c.any;
	*ret = c.counts;
	return ST_OK;
}
