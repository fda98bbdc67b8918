// SPDX-License-Identifier: GPL-2.0-or-later
/* The answers of all zones to one request, as memowner zones has them zone by zone. */
#include "verdict.h"

#include "memory/zones.h"

void zone_sum_other(struct zone_sum *z, const char *name, unsigned int node, uint64_t pages)
{
	if (pages && (node == NO_NODE || !z->other_nodes || node != z->other_node))
		z->other_nodes = node == NO_NODE ? 2 : z->other_nodes + 1;
	if (pages && node != NO_NODE)
		z->other_node = node;
	if (pages)
		z->other = !z->other || !strcmp(z->other, name) ? name : "";
	z->other_free += pages;
}

static bool open_request(struct zones_view *z, const struct oom_report *r)
{
	names_open(z->v->dump, &z->names);
	z->has_request = true;
	if (r) {
		z->report = r;
		z->is_of_report = true;
		z->order = (unsigned int)r->order;
		z->gfp = (uint32_t)r->gfp_mask.value;
		zone_mems_allowed(z);
		return true;
	}
	z->gfp = gfp_kernel(&z->names.flags);
	return z->gfp != 0;
}

/* What says which blocks are free is not needed for order 0. */
static bool open_areas(struct zones_view *z, struct free_areas *areas)
{
	uint64_t end = 0;

	for (size_t i = 0; i < z->zones.n; i++)
		end = z->zones.zones[i].end > end ? z->zones.zones[i].end : end;
	return free_areas_open(z->v->dump, NULL, end, areas) == ST_OK;
}

static void add_span(struct zone_sum *z, const struct zone_now *now)
{
	z->is_empty = (z->is_empty || !z->zones) && now->has_state && !now->state.managed;
	z->managed = now->has_state && (z->managed || !z->zones) ? z->managed + now->state.managed
								 : 0;
	if (z->nspans == z->zones && z->nspans < ZONE_SPANS) {
		z->spans[z->nspans].start = now->zone->start;
		z->spans[z->nspans++].end = now->zone->end;
	}
}

static void add_blocks(unsigned int order, const struct zone_now *now, struct zone_sum *ret)
{
	ret->has_blocks = order && now->has_free && now->free.has_nr_free &&
			  (ret->has_blocks || !ret->zones);
	for (unsigned int o = order; ret->has_blocks && o < now->free.orders; o++)
		ret->in_blocks += now->free.nr_free[o] << o;
}

static void add_zone(const struct zones_view *z, const struct zone_now *now, struct zone_sum *ret)
{
	struct zone_answer a;
	int64_t pages = 0;

	zone_request_check(z, now, &a);
	if (!a.is_asked || a.verdict.result == WATERMARK_UNKNOWN ||
	    (now->has_shown && counter_read(&now->shown, "nr_free_pages", &pages) != ST_OK)) {
		ret->known = false;
		return;
	}
	if (a.verdict.result == WATERMARK_NOT_ALLOWED || a.verdict.result == WATERMARK_NO_PAGES) {
		zone_sum_other(ret, now->zone->name, now->zone->node,
			       pages > 0 ? (uint64_t)pages : 0);
		if (a.other == zone_not_in_cpuset)
			ret->mems_allowed = z->mems_allowed;
		return;
	}
	ret->free += pages > 0 ? (uint64_t)pages : 0;
	ret->above += pages > a.verdict.limit ? (uint64_t)(pages - a.verdict.limit) : 0;
	ret->cma += a.verdict.cma > 0 ? (uint64_t)a.verdict.cma : 0;
	add_blocks(z->order, now, ret);
	ret->kept += a.verdict.limit > 0 ? (uint64_t)a.verdict.limit : 0;
	ret->served += a.verdict.result == WATERMARK_OK;
	ret->below += a.verdict.result == WATERMARK_BELOW;
	ret->no_block += a.verdict.result == WATERMARK_NO_BLOCK;
	/* What lies below the mark of a zone the request may not take, be it one block. */
	if (a.verdict.result != WATERMARK_BELOW && a.verdict.largest > ret->largest)
		ret->largest = a.verdict.largest;
	add_span(ret, now);
	ret->zone = now->zone->name;
	ret->node = now->zone->node;
	ret->zones++;
}

bool zone_sum_read(struct owner_view *v, const struct oom_report *r, struct zone_sum *ret)
{
	struct dump *d = v->dump;
	struct zones_view *z = dump_alloc(d, sizeof(*z));
	struct zone_now *now = dump_alloc(d, sizeof(*now));
	struct free_areas areas;
	bool has_areas;

	z->v = v;
	z->zones = v->zones;
	*ret = (struct zone_sum){ .known = z->zones.n > 0, .largest = -1 };
	if (!open_request(z, r) || alloc_kernel_open(d, &z->names, &z->kernel) != ST_OK ||
	    zone_states_open(d, &z->states) != ST_OK ||
	    counter_reader_open(d, &z->counters) != ST_OK)
		return false;
	z->has_kernel = true;
	has_areas = z->order && open_areas(z, &areas);
	for (size_t i = 0; i < z->zones.n; i++) {
		now->zone = &z->zones.zones[i];
		now->has_state = zone_state_read(&z->states, now->zone, &now->state) == ST_OK;
		now->has_shown = counters_of_zone(z->counters, now->zone->address, true,
						  &now->shown) == ST_OK;
		now->has_free = has_areas &&
				free_areas_read(&areas, now->zone, &now->free) == ST_OK;
		add_zone(z, now, ret);
	}
	return ret->known;
}

bool zones_refuse_kernel(struct owner_view *v, bool *ret)
{
	struct zone_sum z;

	if (!zone_sum_read(v, NULL, &z))
		return false;
	*ret = !z.served && z.below;
	return true;
}

const char *zones_refuse(struct owner_view *v, const struct oom_report *r)
{
	const char *gfp = r && r->has_order && !r->order ? oom_report_gfp(v->dump->arena, r) : NULL;
	struct zone_sum z;
	bool refuse;

	if (gfp && zone_sum_read(v, r, &z) && !z.served && z.below && !z.other_free)
		return gfp;
	return zones_refuse_kernel(v, &refuse) && refuse ? "GFP_KERNEL" : NULL;
}

enum status zones_free(struct owner_view *v, bool shown, uint64_t *ret)
{
	struct counter_reader *reader;
	struct counters *c = dump_alloc(v->dump, sizeof(*c));
	struct zones zones = v->zones;
	enum status st = zones.n ? ST_OK : zones_open(v->dump, &zones);
	uint64_t sum = 0;

	st = st ?: counter_reader_open(v->dump, &reader);
	for (size_t i = 0; st == ST_OK && i < zones.n; i++) {
		int64_t pages = 0;

		st = counters_of_zone(reader, zones.zones[i].address, shown, c)
			     ?: counter_read(c, "nr_free_pages", &pages);
		if (st == ST_OK && pages < 0)
			st = ST_CORRUPT;
		sum += (uint64_t)pages;
	}
	return RESULT(st, ret, sum);
}
