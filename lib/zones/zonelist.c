// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zonelist.h"

#include "dump/layout.h"

enum { P_ID, P_LISTS, L_REFS, R_ZONE, FIELDS };

static const struct layout_row rows[FIELDS] = {
	[P_ID] = { "struct pglist_data", { "node_id" }, REQUIRED, "all" },
	[P_LISTS] = { "struct pglist_data", { "node_zonelists" }, REQUIRED, "all" },
	[L_REFS] = { "struct zonelist", { "_zonerefs" }, REQUIRED, "all" },
	[R_ZONE] = { "struct zoneref", { "zone" }, REQUIRED, "all" },
};

struct nodes {
	struct dump *dump;
	struct field id;
	struct memory_node *nodes; /* NULL: they are counted only */
	size_t n, room;
};

static enum status see_node(void *arg, uint64_t pgdat)
{
	struct nodes *n = arg;
	uint32_t id;
	enum status st;

	if (!n->nodes) {
		n->room++;
		return ST_OK;
	}
	st = dump_u32(n->dump, pgdat + n->id.offset, &id, "struct pglist_data");
	if (st == ST_OK && n->n < n->room)
		n->nodes[n->n++] = (struct memory_node){ id, pgdat };
	return st;
}

enum status zonelist_nodes(struct dump *d, struct memory_node **ret, size_t *n)
{
	struct nodes nodes = { .dump = d };
	enum status st = layout_resolve(d, &rows[P_ID], 1, &nodes.id)
				 ?: nodes_walk(d, see_node, &nodes);

	if (st == ST_OK && !nodes.room)
		st = dump_fail(d, ST_CORRUPT, "node_data has no node");
	if (st != ST_OK)
		return st;
	nodes.nodes = dump_alloc(d, nodes.room * sizeof(*nodes.nodes));
	st = nodes_walk(d, see_node, &nodes);
	if (st != ST_OK)
		return st;
	*ret = nodes.nodes;
	*n = nodes.n;
	return ST_OK;
}

static const struct zone *zone_at(const struct zones *zones, uint64_t address)
{
	for (size_t i = 0; i < zones->n; i++)
		if (zones->zones[i].address == address)
			return &zones->zones[i];
	return NULL;
}

/* The entries of one list; the last has no zone. */
static enum status read_refs(struct dump *d, const struct zones *zones, uint64_t refs,
			     uint64_t bytes, uint64_t each, const struct field *zone,
			     struct zonelist *list)
{
	for (uint64_t at = 0; at + each <= bytes; at += each) {
		const struct zone *found;
		uint64_t address;
		enum status st = dump_u64(d, refs + at + zone->offset, &address, "struct zonelist");

		if (st != ST_OK || !address)
			return st;
		found = zone_at(zones, address);
		if (!found)
			return dump_fail(d, ST_CORRUPT,
					 "zonelist of node %u: %#lx is the address of no zone",
					 list->node, address);
		/* Then there are no more than zones. */
		if (zonelist_find(list, found) < list->n)
			break;
		list->zones[list->n++] = found;
	}
	return dump_fail(d, ST_CORRUPT, "zonelist of node %u: it has no end, or a zone twice",
			 list->node);
}

enum status zonelist_read(struct dump *d, const struct zones *zones, const struct memory_node *node,
			  enum gfp_state thisnode, struct zonelist *ret)
{
	struct zonelist list = { .node = node->id };
	struct field f[FIELDS];
	uint64_t list_bytes, each, at = 0;
	int64_t own = 0;
	enum status st = layout_resolve(d, rows, FIELDS, f);

	if (st != ST_OK)
		return st;
	if (dump_ask(d, type_size, "struct zonelist", &list_bytes) != ST_OK ||
	    dump_ask(d, type_size, "struct zoneref", &each) != ST_OK || !each)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct zonelist");
	/* Without NUMA there is one list: all zones are of this node. */
	if (thisnode != GFP_CLEAR &&
	    dump_ask(d, enumerator, "ZONELIST_NOFALLBACK", &own) == ST_OK) {
		if (thisnode == GFP_UNKNOWN)
			return dump_fail(d, ST_UNKNOWN, "which gfp flag is %s is unknown",
					 gfp_flag_name(GFP_BIT_THISNODE));
		at = own * list_bytes;
	}
	if (own < 0 || at + list_bytes > f[P_LISTS].size)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: node_zonelists has no list %ld",
				 own);
	list.zones = dump_alloc(d, zones->n * sizeof(*list.zones));
	st = read_refs(d, zones, node->pgdat + f[P_LISTS].offset + at + f[L_REFS].offset,
		       f[L_REFS].size, each, &f[R_ZONE], &list);
	if (st == ST_OK)
		*ret = list;
	return st;
}

size_t zonelist_find(const struct zonelist *list, const struct zone *zone)
{
	size_t i = 0;

	while (i < list->n && list->zones[i] != zone)
		i++;
	return i;
}
