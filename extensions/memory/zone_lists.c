// SPDX-License-Identifier: GPL-2.0-or-later
/* The zonelist of the request: in which order the allocator tries the zones. */
#include "zones.h"

#define MAX_LISTS 16 /* that are shown where the node of the request is unknown */
#define LINE 80

enum { SOURCE_ONLY, SOURCE_CPU, SOURCE_ANY };

static const char *const sources[] = { "only_node", "cpu_of_report", "any_node", NULL };

/* A zone in a zonelist. */
struct rank_row {
	unsigned int list_node, node;
	uint64_t rank;
	const char *source, *zone, *result;
};

#define ROW struct rank_row

static const struct view_column columns[] = {
	{ COLUMN_zonelist_node, IN_JSON | KNOWN, UINT_OF(ROW, list_node) },
	{ COLUMN_zonelist_source, IN_JSON | KNOWN, .choices = sources, TEXT_OF(ROW, source) },
	{ COLUMN_rank, IN_JSON | KNOWN, "in which the allocator tries the zone",
	  UINT_OF(ROW, rank) },
	{ COLUMN_node, IN_JSON | KNOWN, "of the zone", UINT_OF(ROW, node) },
	{ COLUMN_zone, IN_JSON | KNOWN, TEXT_OF(ROW, zone) },
	{ COLUMN_result, IN_JSON, .choices = watermark_results, TEXT_OF(ROW, result) },
	BASIS(derived),
};

const struct view zone_lists_view = { "zones-zonelist", "-z", COLUMNS_OF(columns) };

static void fail(struct zones_view *z, const char *problem)
{
	z->zonelist.problem = problem;
	report_warn(&z->v->report, "the order of the zones is unknown: %s", problem);
	z->is_partial = true;
}

/*
 * alloc_pages() prefers the node of the CPU that it runs on, unless a memory policy names another:
 * neither the log nor the dump says which policy a request had.
 */
static void find_node(struct zones_view *z)
{
	struct dump *d = z->v->dump;
	struct zone_order *o = &z->zonelist;
	unsigned int id;
	enum status st;

	if (zonelist_nodes(d, &o->nodes, &o->n) != ST_OK) {
		fail(z, dump_why(d));
		return;
	}
	if (o->n == 1) {
		o->source = SOURCE_ONLY;
		o->node = o->nodes;
		return;
	}
	o->source = SOURCE_ANY;
	if (!z->is_of_report) {
		o->why = "an order names no node";
	} else if (!z->report->cpu.known) {
		o->why = "the log does not say on which CPU the request was made";
	} else if ((st = cpu_node_read(d, z->report->cpu.value, &id)) != ST_OK) {
		o->why = dump_why(d);
		if (st != ST_ABSENT)
			dump_lacks(d, "node of the request", st, "%s", d->error);
	} else {
		o->why = "the node of the CPU in the log is not in node_data";
		for (size_t i = 0; i < o->n; i++)
			if (o->nodes[i].id == id)
				o->node = &o->nodes[i];
		if (o->node)
			o->source = SOURCE_CPU;
	}
}

/* z->tried: zones of the list first, in its order. */
static void sort_zones(struct zones_view *z)
{
	struct zone_order *o = &z->zonelist;
	size_t n = 0;

	for (size_t i = 0; i < o->list.n; i++)
		z->tried[n++] = &z->now[o->list.zones[i] - z->zones.zones];
	for (size_t i = 0; i < z->zones.n; i++)
		if (zonelist_find(&o->list, z->now[i].zone) == o->list.n)
			z->tried[n++] = &z->now[i];
}

static enum gfp_state thisnode(const struct zones_view *z)
{
	return gfp_state(&z->names.flags, z->gfp, GFP_BIT_THISNODE);
}

void zone_lists_read(struct zones_view *z)
{
	struct dump *d = z->v->dump;
	struct zone_order *o = &z->zonelist;

	z->tried = dump_alloc(d, z->zones.n * sizeof(*z->tried));
	for (size_t i = 0; i < z->zones.n; i++)
		z->tried[i] = &z->now[i];
	if (!zone_request_asks(z))
		return;
	find_node(z);
	if (!o->node)
		return;
	o->has_list = zonelist_read(d, &z->zones, o->node, thisnode(z), &o->list) == ST_OK;
	if (o->has_list)
		sort_zones(z);
	else
		fail(z, dump_why(d));
}

/* Whether the gfp flags allow the zone: for_each_zone_zonelist_nodemask() skips the others. */
static bool is_tried(const struct zones_view *z, const struct zone_now *now, struct zone_answer *a)
{
	zone_request_check(z, now, a);
	return a->is_asked && now->zone->index <= a->request.highest_zone;
}

static struct zone_now *now_of(const struct zones_view *z, const struct zone *zone)
{
	return &z->now[zone - z->zones.zones];
}

static void put_records(struct zones_view *z, const struct zonelist *list)
{
	struct rank_row row = { .list_node = list->node, .source = sources[z->zonelist.source] };

	for (size_t i = 0; i < list->n; i++) {
		const struct zone_now *now = now_of(z, list->zones[i]);
		struct zone_answer a;

		if (!is_tried(z, now, &a))
			continue;
		row.rank++;
		row.node = now->zone->node;
		row.zone = now->zone->name;
		row.result = watermark_results[a.verdict.result];
		rows_put_record(&z->v->report, &zone_lists_view, &row, z);
	}
}

/* "  zonelist of node 0 (of CPU 0, ...): node 0 DMA32, node 1 DMA32" */
static void put_line(struct zones_view *z, const struct zonelist *list)
{
	const struct zone_order *o = &z->zonelist;
	struct sink *out = z->v->out;
	char text[96];
	int column = snprintf(text, sizeof(text), "  zonelist of node %u", list->node);
	bool is_first = true;

	if (o->source == SOURCE_CPU)
		column += snprintf(text + column, sizeof(text) - column,
				   " (assumed: the node of CPU %lu)", z->report->cpu.value);
	sink_printf(out, "%s:", text);
	column++;
	for (size_t i = 0; i < list->n; i++) {
		const struct zone_now *now = now_of(z, list->zones[i]);
		struct zone_answer a;
		int len;

		if (!is_tried(z, now, &a))
			continue;
		len = snprintf(text, sizeof(text), " node %u %s", now->zone->node, now->zone->name);
		sink_text(out, is_first ? "" : ",");
		if (column + len + 1 > LINE) {
			sink_text(out, "\n   ");
			column = 3;
		}
		sink_text(out, text);
		column += len + 1;
		is_first = false;
	}
	sink_text(out, is_first ? " no zone that the gfp flags allow\n" : "\n");
}

static void put_list(struct zones_view *z, const struct zonelist *list)
{
	if (z->v->in->opts.json)
		put_records(z, list);
	else if (z->zones.n > 1) /* of one zone there is no order */
		put_line(z, list);
}

/* The list of each node: any may be that of the request. */
static void put_all(struct zones_view *z)
{
	const struct zone_order *o = &z->zonelist;
	struct dump *d = z->v->dump;
	bool json = z->v->in->opts.json;
	size_t n = !json && o->n > MAX_LISTS ? MAX_LISTS : o->n;

	if (!json)
		sink_printf(z->v->out, "  the node of the request is unknown: %s\n", o->why);
	for (size_t i = 0; i < n && !dump_stopped(d); i++) {
		struct zonelist list;

		if (zonelist_read(d, &z->zones, &o->nodes[i], thisnode(z), &list) == ST_OK)
			put_list(z, &list);
		else
			fail(z, dump_why(d));
	}
	if (n < o->n)
		sink_printf(z->v->out, "  ... %zu more %s (-j shows all)\n", o->n - n,
			    o->n - n == 1 ? "zonelist" : "zonelists");
}

void zone_lists_put(struct zones_view *z)
{
	const struct zone_order *o = &z->zonelist;

	if (o->has_list)
		put_list(z, &o->list);
	else if (o->problem && !z->v->in->opts.json)
		sink_printf(z->v->out, "  the order of the zones is unknown: %s\n", o->problem);
	else if (o->n && !o->problem)
		put_all(z);
	else if (!o->n && z->is_of_report && z->report->mem.nzones > 1 && !z->v->in->opts.json)
		sink_text(z->v->out,
			  "  the order of the zonelist is unknown: zones are in that of the log\n");
}
