// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zonelist.h"

#include "dump/structure.h"

struct layout {
	struct field id, lists, refs, zone; /* of pglist_data, zonelist, zoneref */
};

static const struct layout_row rows[] = {
	FINDS(struct layout, id, "struct pglist_data", REQUIRED, "all", "node_id"),
	FINDS(struct layout, lists, "struct pglist_data", REQUIRED, "all", "node_zonelists"),
	FINDS(struct layout, refs, "struct zonelist", REQUIRED, "all", "_zonerefs"),
	FINDS(struct layout, zone, "struct zoneref", REQUIRED, "all", "zone"),
};

enum status zonelist_nodes(struct dump *d, struct memory_node **ret, size_t *n)
{
	struct layout l;
	struct nodes nodes;
	struct memory_node *all;
	enum status st = structs_open(d, rows, 1, &l) ?: nodes_open(d, &nodes);

	if (st == ST_OK && !nodes.n)
		st = dump_fail(d, ST_CORRUPT, "node_data has no node");
	if (st != ST_OK)
		return st;
	all = dump_alloc(d, nodes.n * sizeof(*all));
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++) {
		all[i].pgdat = nodes.pgdat[i];
		st = dump_u32(d, nodes.pgdat[i] + l.id.offset, &all[i].id, "struct pglist_data");
	}
	if (st != ST_OK)
		return st;
	*ret = all;
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
	struct layout l;
	uint64_t list_bytes, each, at = 0;
	int64_t own = 0;
	enum status st = STRUCTS_OPEN(d, rows, &l);

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
	if (own < 0 || at + list_bytes > l.lists.size)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: node_zonelists has no list %ld",
				 own);
	list.zones = dump_alloc(d, zones->n * sizeof(*list.zones));
	st = read_refs(d, zones, node->pgdat + l.lists.offset + at + l.refs.offset, l.refs.size,
		       each, &l.zone, &list);
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
