// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zones.h"

#include "dump/structure.h"

#define MAX_ZONES 6144 /* of 1024 nodes */
#define MAX_NAME 32    /* "Movable", "HighMem" and such */

#define MAX_NODES 1024 /* CONFIG_NODES_SHIFT goes to 10 */

struct reader {
	struct dump *dump;
	struct structure zone;
	struct field in_node, id; /* of struct pglist_data */
	uint64_t zone_bytes;
	struct zones *zones;
};

/* A struct zone. */
struct raw_zone {
	uint64_t start, spanned, name;
};

static const struct layout_row rows[] = {
	FINDS(struct reader, in_node, "struct pglist_data", REQUIRED, "all", "node_zones"),
	FINDS(struct reader, id, "struct pglist_data", REQUIRED, "all", "node_id"),
	STRUCTURE(struct reader, zone, "struct zone"),
	READS(struct raw_zone, start, REQUIRED, "all", "zone_start_pfn"),
	READS(struct raw_zone, spanned, REQUIRED, "all", "spanned_pages"),
	READS(struct raw_zone, name, REQUIRED, "all", "name"),
};

static enum status read_zone(struct reader *r, uint64_t addr, unsigned int node, unsigned int index)
{
	struct dump *d = r->dump;
	struct zone *z = &r->zones->zones[r->zones->n];
	struct raw_zone raw;
	char name[MAX_NAME];
	enum status st = struct_read(&r->zone, addr, &raw);

	if (st == ST_OK && !raw.spanned)
		return ST_OK;
	st = st ?: dump_string(d, raw.name, name, sizeof(name), "zone name");
	if (st != ST_OK)
		return st;
	*z = (struct zone){ .address = addr,
			    .node = node,
			    .index = index,
			    .name = arena_strdup(d->arena, name),
			    .start = raw.start,
			    .end = raw.start + raw.spanned };
	decoder_trace(d, "zone   node %u %s pfn %#lx-%#lx", node, z->name, z->start, z->end - 1);
	r->zones->n++;
	return ST_OK;
}

static enum status read_node(struct reader *r, uint64_t pgdat)
{
	uint32_t node;
	enum status st = dump_u32(r->dump, pgdat + r->id.offset, &node, "struct pglist_data");

	for (uint64_t at = 0; st == ST_OK && at + r->zone_bytes <= r->in_node.size;
	     at += r->zone_bytes) {
		if (r->zones->n == MAX_ZONES)
			return dump_fail(r->dump, ST_CORRUPT, "more than %d zones", MAX_ZONES);
		st = read_zone(r, pgdat + r->in_node.offset + at, node, at / r->zone_bytes);
	}
	return st;
}

enum status zones_open(struct dump *d, struct zones *ret)
{
	struct zones zones = { 0 };
	struct reader r = { .dump = d, .zones = &zones };
	struct nodes nodes;
	enum status st = STRUCTS_OPEN(d, rows, &r);

	if (st == ST_OK && dump_ask(d, type_size, "struct zone", &r.zone_bytes) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct zone");
	st = st ?: nodes_open(d, &nodes);
	if (st != ST_OK)
		return st;
	zones.zones = dump_alloc(d, MAX_ZONES * sizeof(*zones.zones));
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++)
		st = read_node(&r, nodes.pgdat[i]);
	if (st == ST_OK)
		*ret = zones;
	return st;
}

const struct zone *zones_find(const struct zones *z, uint64_t pfn)
{
	const struct zone *found = NULL;

	for (size_t i = 0; i < z->n; i++) {
		if (pfn < z->zones[i].start || pfn >= z->zones[i].end)
			continue;
		if (found)
			return NULL;
		found = &z->zones[i];
	}
	return found;
}

enum status nodes_open(struct dump *d, struct nodes *ret)
{
	struct nodes nodes = { .pgdat = dump_alloc(d, MAX_NODES * sizeof(*nodes.pgdat)) };
	struct field var;
	uint64_t addr, n;
	enum status st;

	if (!dump_has_symbol(d, "node_data")) {
		st = dump_symbol(d, "contig_page_data", &nodes.pgdat[nodes.n++]);
		if (st == ST_OK)
			*ret = nodes;
		return st;
	}
	st = dump_symbol(d, "node_data", &addr);
	if (st != ST_OK)
		return st;
	if (dump_ask(d, variable, "node_data", &var) != ST_OK || var.kind != KIND_ARRAY)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: node_data");
	/* Debug information may have its declaration alone, without a length. */
	n = var.size / 8;
	if (!n && dump_has_symbol(d, "nr_node_ids"))
		st = dump_value(d, "nr_node_ids", &n);
	if (st != ST_OK)
		return st;
	if (!n || n > MAX_NODES)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: %lu nodes in node_data", n);
	for (unsigned int i = 0; st == ST_OK && i < n; i++) {
		st = dump_u64(d, addr + i * 8, &nodes.pgdat[nodes.n], "node_data");
		nodes.n += st == ST_OK && nodes.pgdat[nodes.n];
	}
	if (st == ST_OK)
		*ret = nodes;
	return st;
}
