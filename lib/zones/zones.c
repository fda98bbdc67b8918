// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zones.h"

#include "dump/layout.h"

#define MAX_ZONES 6144 /* of 1024 nodes */
#define MAX_NAME 32    /* "Movable", "HighMem" and such */

enum { P_ZONES, P_ID, Z_START, Z_SPANNED, Z_NAME, Z_FIELDS };

static const struct layout_row rows[Z_FIELDS] = {
	[P_ZONES] = { "struct pglist_data", { "node_zones" }, REQUIRED, "all" },
	[P_ID] = { "struct pglist_data", { "node_id" }, REQUIRED, "all" },
	[Z_START] = { "struct zone", { "zone_start_pfn" }, REQUIRED, "all" },
	[Z_SPANNED] = { "struct zone", { "spanned_pages" }, REQUIRED, "all" },
	[Z_NAME] = { "struct zone", { "name" }, REQUIRED, "all" },
};

struct reader {
	struct dump *dump;
	struct field f[Z_FIELDS];
	uint64_t zone_bytes;
	struct zones *zones;
	size_t room;
};

static enum status read_zone(struct reader *r, uint64_t addr, unsigned int node, unsigned int index)
{
	struct dump *d = r->dump;
	struct zone *z = &r->zones->zones[r->zones->n];
	uint64_t name = 0, spanned = 0;
	char buf[MAX_NAME];
	enum status st = dump_u64(d, addr + r->f[Z_START].offset, &z->start, "struct zone") ?:
		dump_u64(d, addr + r->f[Z_SPANNED].offset, &spanned, "struct zone") ?:
		dump_u64(d, addr + r->f[Z_NAME].offset, &name, "struct zone");

	if (st != ST_OK || !spanned)
		return st;
	st = dump_string(d, name, buf, sizeof(buf), "zone name");
	if (st != ST_OK)
		return st;
	z->end = z->start + spanned;
	z->address = addr;
	z->node = node;
	z->index = index;
	z->name = arena_strdup(d->arena, buf);
	decoder_trace(d, "zone   node %u %s pfn %#lx-%#lx", node, z->name, z->start, z->end - 1);
	r->zones->n++;
	return ST_OK;
}

static enum status read_node(void *arg, uint64_t pgdat)
{
	struct reader *r = arg;
	struct dump *d = r->dump;
	uint32_t node;
	enum status st = dump_u32(d, pgdat + r->f[P_ID].offset, &node, "struct pglist_data");

	for (uint64_t at = 0; st == ST_OK && at + r->zone_bytes <= r->f[P_ZONES].size;
	     at += r->zone_bytes) {
		if (r->zones->n == r->room)
			return dump_fail(d, ST_CORRUPT, "more than %zu zones", r->room);
		st = read_zone(r, pgdat + r->f[P_ZONES].offset + at, node, at / r->zone_bytes);
	}
	return st;
}

enum status zones_open(struct dump *d, struct zones *ret)
{
	struct zones zones = { 0 };
	struct reader r = { .dump = d, .zones = &zones, .room = MAX_ZONES };
	enum status st = layout_resolve(d, rows, Z_FIELDS, r.f);

	if (st == ST_OK && dump_ask(d, type_size, "struct zone", &r.zone_bytes) != ST_OK)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct zone");
	if (st != ST_OK)
		return st;
	zones.zones = dump_alloc(d, r.room * sizeof(*zones.zones));
	st = nodes_walk(d, read_node, &r);
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

#define MAX_NODES 1024 /* CONFIG_NODES_SHIFT goes to 10 */

enum status nodes_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t pgdat), void *arg)
{
	struct field var;
	uint64_t addr, pgdat, n;
	enum status st;

	if (!dump_has_symbol(d, "node_data")) {
		return dump_symbol(d, "contig_page_data", &addr) ?: visit(arg, addr);
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
		st = dump_u64(d, addr + i * 8, &pgdat, "node_data");
		if (st == ST_OK && pgdat)
			st = visit(arg, pgdat);
	}
	return st;
}
