// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "bytes.h"
#include "layout.h"
#include "nodes.h"
#include "zones.h"

#define MAX_ZONES 6144 /* of 1024 nodes */
#define MAX_NAME 32

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

static enum status read_zone(struct reader *r, uint64_t addr, unsigned int node)
{
	struct dump *d = r->dump;
	struct zone *z = &r->zones->zones[r->zones->n];
	uint64_t name = 0, spanned = 0;
	char buf[MAX_NAME];
	enum status st = dump_u64(d, addr + r->f[Z_START].offset, &z->start, "struct zone");

	if (st == DUMP_OK)
		st = dump_u64(d, addr + r->f[Z_SPANNED].offset, &spanned, "struct zone");
	if (st == DUMP_OK)
		st = dump_u64(d, addr + r->f[Z_NAME].offset, &name, "struct zone");
	if (st != DUMP_OK || !spanned)
		return st;
	st = dump_string(d, name, buf, sizeof(buf), "zone name");
	if (st != DUMP_OK)
		return st;
	z->end = z->start + spanned;
	z->address = addr;
	z->node = node;
	z->name = arena_strdup(d->arena, buf);
	if (!z->name)
		return DUMP_NOMEM;
	dump_note(d, "zone   node %u %s pfn %#llx-%#llx", node, z->name,
		  (unsigned long long)z->start, (unsigned long long)z->end - 1);
	r->zones->n++;
	return DUMP_OK;
}

static enum status read_node(void *arg, uint64_t pgdat)
{
	struct reader *r = arg;
	struct dump *d = r->dump;
	uint32_t node;
	enum status st = dump_u32(d, pgdat + r->f[P_ID].offset, &node, "struct pglist_data");

	for (uint64_t at = 0; st == DUMP_OK && at + r->zone_bytes <= r->f[P_ZONES].size;
	     at += r->zone_bytes) {
		if (r->zones->n == r->room)
			return dump_fail(d, DUMP_CORRUPT, "more than %zu zones", r->room);
		st = read_zone(r, pgdat + r->f[P_ZONES].offset + at, node);
	}
	return st;
}

enum status zones_open(struct dump *d, struct zones *ret)
{
	struct zones zones = { 0 };
	struct reader r = { .dump = d, .zones = &zones, .room = MAX_ZONES };
	enum status st = layout_resolve(d, rows, Z_FIELDS, r.f);

	if (st == DUMP_OK && d->ops->type_size(d->priv, "struct zone", &r.zone_bytes) != DUMP_OK)
		st = dump_fail(d, DUMP_UNKNOWN, "unknown layout: no size of struct zone");
	if (st != DUMP_OK)
		return st;
	zones.zones = dump_alloc(d, r.room * sizeof(*zones.zones));
	if (!zones.zones)
		return DUMP_NOMEM;
	st = nodes_walk(d, read_node, &r);
	if (st == DUMP_OK)
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
