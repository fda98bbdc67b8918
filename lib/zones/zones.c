// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zones.h"

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
			    .name = dump_strdup(d, name),
			    .start = raw.start,
			    .end = raw.start + raw.spanned };
	decoder_trace(d, "zone   node %u %s pfn %#lx-%#lx at %#lx", node, z->name, z->start,
		      z->end - 1, addr);
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
			return dump_corrupt(r->dump, "more than %d zones", MAX_ZONES);
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
		st = dump_unknown(d, "no size of struct zone");
	st = st ?: nodes_open(d, &nodes);
	if (st != ST_OK)
		return st;
	zones.zones = dump_alloc(d, MAX_ZONES * sizeof(*zones.zones));
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++)
		st = read_node(&r, nodes.pgdat[i]);
	return RESULT(st, ret, zones);
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
		return RESULT(dump_symbol(d, "contig_page_data", &nodes.pgdat[nodes.n++]), ret,
			      nodes);
	}
	st = dump_symbol(d, "node_data", &addr);
	if (st != ST_OK)
		return st;
	if (dump_ask(d, variable, "node_data", &var) != ST_OK || var.kind != KIND_ARRAY)
		return dump_unknown(d, "node_data");
	/* Debug information may have its declaration alone, without a length. */
	n = var.size / 8;
	if (!n && dump_has_symbol(d, "nr_node_ids"))
		st = dump_value(d, "nr_node_ids", &n);
	if (st != ST_OK)
		return st;
	if (!n || n > MAX_NODES)
		return dump_unknown(d, "%lu nodes in node_data", n);
	for (unsigned int i = 0; st == ST_OK && i < n; i++) {
		st = dump_u64(d, addr + i * 8, &nodes.pgdat[nodes.n], "node_data");
		nodes.n += st == ST_OK && nodes.pgdat[nodes.n];
	}
	if (st == ST_OK && !nodes.n)
		st = dump_corrupt(d, "node_data has no node");
	return RESULT(st, ret, nodes);
}

#define MAX_DEFER_SHIFT 6 /* COMPACT_MAX_DEFER_SHIFT in mm/compaction.c */

static const struct layout_row zone_state_rows[] = {
	STRUCTURE(struct zone_states, zone, "struct zone"),
	READS(struct zone_state, marks, REQUIRED, "5.0, all", "_watermark", "watermark"),
	READS_IF(struct zone_state, boost, has_boost, OPTIONAL, "5.0", "watermark_boost"),
	READS_IF(struct zone_state, reserved_highatomic, has_reserved_highatomic, OPTIONAL, "4.4",
		 "nr_reserved_highatomic"),
	READS_IF(struct zone_state, free_highatomic, has_free_highatomic, OPTIONAL, "6.13",
		 "nr_free_highatomic"),
	READS(struct zone_state, reserve, REQUIRED, "all", "lowmem_reserve"),
	/* An atomic_long_t is a structure of a long. */
	READS(struct zone_state, managed, REQUIRED, "all", "managed_pages"),
	READS(struct zone_state, spanned, REQUIRED, "all", "spanned_pages"),
	READS(struct zone_state, present, REQUIRED, "all", "present_pages"),
	READS_IF(struct zone_state, cma, has_cma, OPTIONAL, "5.12, CONFIG_CMA", "cma_pages"),
	READS_IF(struct zone_state, defer_shift, has_deferral, OPTIONAL, "CONFIG_COMPACTION",
		 "compact_defer_shift"),
	READS_IF(struct zone_state, considered, has_considered, OPTIONAL, "CONFIG_COMPACTION",
		 "compact_considered"),
	READS_IF(struct zone_state, order_failed, has_order_failed, OPTIONAL, "CONFIG_COMPACTION",
		 "compact_order_failed"),
};

/* __setup_per_zone_wmarks(): both steps are the same; to 4.5 a quarter and a half of min, rounded. */
static bool is_even(const uint64_t m[ZONE_MARKS])
{
	return m[MARK_LOW] - m[MARK_MIN] - (m[MARK_HIGH] - m[MARK_LOW]) + 1 <= 2;
}

/* Kernels of vendors may have another rule: it is that of this kernel where most zones keep it. */
static bool has_even_steps(struct dump *d, const struct zone_states *z)
{
	unsigned int n = 0, even = 0;
	struct zones zones;

	/* Android's adds it to one step. */
	if (dump_has_symbol(d, "extra_free_kbytes") || zones_open(d, &zones) != ST_OK)
		zones.n = 0;
	for (size_t i = 0; i < zones.n; i++) {
		struct zone_state s = { 0 };
		bool is_read = struct_read(&z->zone, zones.zones[i].address, &s) == ST_OK;

		n += is_read && s.managed;
		even += is_read && s.managed && is_even(s.marks);
	}
	d->error[0] = '\0';
	return even * 2 >= n && n > 1;
}

enum status zone_states_open(struct dump *d, struct zone_states *ret)
{
	struct zone_states z = { 0 };
	enum status st = STRUCTS_OPEN(d, zone_state_rows, &z);

	if (st == ST_OK &&
	    (STRUCT_FIELD(&z.zone, struct zone_state, marks)->size < ZONE_MARKS * 8 ||
	     STRUCT_FIELD(&z.zone, struct zone_state, reserve)->size / 8 > ZONE_RESERVES))
		st = dump_unknown(d, "struct zone");
	if (st == ST_OK)
		z.has_even_steps = has_even_steps(d, &z);
	return RESULT(st, ret, z);
}

/* What holds in every zone: one figure that breaks it would make all answers of the zone wrong. */
static enum status check(const struct zone_states *z, const struct zone *zone,
			 const struct zone_state *s)
{
	struct dump *d = z->zone.dump;
	const uint64_t *m = s->marks;

	if (s->managed > s->present || s->present > s->spanned)
		return dump_corrupt(
			d, "struct zone at %#lx: %lu managed of %lu pages in a span of %lu",
			zone->address, s->managed, s->present, s->spanned);
	if (m[MARK_MIN] > m[MARK_LOW] || m[MARK_LOW] > m[MARK_HIGH])
		return dump_corrupt(d, "struct zone at %#lx: watermarks %lu, %lu, %lu do not rise",
				    zone->address, m[MARK_MIN], m[MARK_LOW], m[MARK_HIGH]);
	if (z->has_even_steps && !is_even(m))
		return dump_corrupt(
			d,
			"struct zone at %#lx: watermarks %lu, %lu, %lu are not equally far apart",
			zone->address, m[MARK_MIN], m[MARK_LOW], m[MARK_HIGH]);
	return ST_OK;
}

enum status zone_state_read(const struct zone_states *z, const struct zone *zone,
			    struct zone_state *ret)
{
	struct zone_state s = {
		.reserves = STRUCT_FIELD(&z->zone, struct zone_state, reserve)->size / 8
	};

	return RESULT(struct_read(&z->zone, zone->address, &s) ?: check(z, zone, &s), ret, s);
}

bool zone_defers_compaction(const struct zone_state *s, unsigned int order)
{
	if (!s->has_deferral || !s->has_considered || !s->has_order_failed ||
	    s->defer_shift > MAX_DEFER_SHIFT)
		return false;
	/* The kernel counts this attempt first. */
	return (int64_t)order >= s->order_failed && s->considered + 1 < 1ULL << s->defer_shift;
}

struct layout {
	struct field id, lists, refs, zone; /* of pglist_data, zonelist, zoneref */
};

static const struct layout_row zonelist_rows[] = {
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
	enum status st = structs_open(d, zonelist_rows, 1, &l) ?: nodes_open(d, &nodes);

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
	return FIND_IN(zones->zones, zones->n, found->address == address);
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
			return dump_corrupt(d,
					    "zonelist of node %u: %#lx is the address of no zone",
					    list->node, address);
		/* Then there are no more than zones. */
		if (zonelist_find(list, found) < list->n)
			break;
		list->zones[list->n++] = found;
	}
	return dump_corrupt(d, "zonelist of node %u: it has no end, or a zone twice", list->node);
}

enum status zonelist_read(struct dump *d, const struct zones *zones, const struct memory_node *node,
			  enum gfp_state thisnode, struct zonelist *ret)
{
	struct zonelist list = { .node = node->id };
	struct layout l;
	uint64_t list_bytes, each, at = 0;
	int64_t own = 0;
	enum status st = STRUCTS_OPEN(d, zonelist_rows, &l);

	if (st != ST_OK)
		return st;
	if (dump_ask(d, type_size, "struct zonelist", &list_bytes) != ST_OK ||
	    dump_ask(d, type_size, "struct zoneref", &each) != ST_OK || !each)
		return dump_unknown(d, "no size of struct zonelist");
	/* Without NUMA there is one list: all zones are of this node. */
	if (thisnode != GFP_CLEAR &&
	    dump_ask(d, enumerator, "ZONELIST_NOFALLBACK", &own) == ST_OK) {
		if (thisnode == GFP_UNKNOWN)
			return dump_fail(d, ST_UNKNOWN, "which gfp flag is %s is unknown",
					 gfp_flag_name(GFP_BIT_THISNODE));
		at = own * list_bytes;
	}
	if (own < 0 || at + list_bytes > l.lists.size)
		return dump_unknown(d, "node_zonelists has no list %ld", own);
	list.zones = dump_alloc(d, zones->n * sizeof(*list.zones));
	return RESULT(read_refs(d, zones, node->pgdat + l.lists.offset + at + l.refs.offset,
				l.refs.size, each, &l.zone, &list),
		      ret, list);
}

size_t zonelist_find(const struct zonelist *list, const struct zone *zone)
{
	size_t i = 0;

	while (i < list->n && list->zones[i] != zone)
		i++;
	return i;
}
