// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memowner zones: the zones at the panic, their free blocks and watermarks, and which of them serves
 * an allocation.
 */
#include "zones.h"

#define ROW struct zone_now

static struct cell mark_cell(const void *record, void *unused NOT_USED, unsigned int mark)
{
	const struct zone_now *now = record;

	return cell_if(now->has_state, cell_uint(now->state.marks[mark] + now->state.boost));
}

CELL_FROM(free_cell, ROW, zone_counter_cell(r->has_shown, &r->shown, "nr_free_pages"))
CELL_FROM(counted_cell, ROW, zone_counter_cell(r->has_counted, &r->counted, "nr_free_pages"))
/* A kernel without CONFIG_CMA has neither the member nor the migrate type: /proc/zoneinfo prints 0. */
CELL_WITH(cma_cell, ROW, const struct zones_view,
	  cell_if(r->state.has_cma || (r->has_state && v->has_kernel && v->kernel.cma < 0),
		  cell_uint(r->state.cma)))
CELL_FROM(free_cma_cell, ROW, zone_counter_cell(r->has_shown, &r->shown, "nr_free_cma"))
CELL_FROM(unevictable_cell, ROW,
	  zone_counter_cell(r->has_counted, &r->counted, "nr_zone_unevictable"))

/* Of the LRU lists, which are of the node: what of them is in the zone. */
static const char *const lru_counters[] = { "nr_zone_inactive_anon", "nr_zone_active_anon",
					    "nr_zone_inactive_file", "nr_zone_active_file" };

static struct cell lru_cell(const void *record, void *unused NOT_USED, unsigned int list)
{
	const struct zone_now *now = record;

	return zone_counter_cell(now->has_counted, &now->counted, lru_counters[list]);
}

static const struct view_column columns[] = {
	{ COLUMN_node, IN_BOTH | KNOWN, VIA(UINT, ROW, zone, node) },
	{ COLUMN_zone, IN_BOTH | KNOWN, VIA(TEXT, ROW, zone, name) },
	{ COLUMN_managed_pages, IN_BOTH, UINT_IF(ROW, state.managed, has_state) },
	{ COLUMN_present_pages, IN_JSON, UINT_IF(ROW, state.present, has_state) },
	{ COLUMN_spanned_pages, IN_JSON, UINT_IF(ROW, state.spanned, has_state) },
	{ COLUMN_free_pages, IN_BOTH, CELL_BY(free_cell) },
	{ COLUMN_counted_pages, IN_JSON, "of free pages, with what CPUs had not added to it yet",
	  CELL_BY(counted_cell) },
	{ COLUMN_listed_pages, IN_JSON, UINT_IF(ROW, listed, has_listed) },
	{ COLUMN_pcp_pages, IN_BOTH, UINT_IF(ROW, pcp, has_pcp) },
	{ COLUMN_min_pages, IN_BOTH, CELL_OF(mark_cell, MARK_MIN) },
	{ COLUMN_boost_pages, IN_BOTH, UINT_IF(ROW, state.boost, state.has_boost) },
	{ COLUMN_low_pages, IN_BOTH, CELL_OF(mark_cell, MARK_LOW) },
	{ COLUMN_high_pages, IN_BOTH, CELL_OF(mark_cell, MARK_HIGH) },
	{ COLUMN_reserve_pages, IN_BOTH, "null: there is no request",
	  INT_IF(ROW, figures.reserve, has_reserve) },
	{ COLUMN_highatomic_pages, IN_BOTH,
	  UINT_IF(ROW, state.reserved_highatomic, state.has_reserved_highatomic) },
	{ COLUMN_free_highatomic_pages, IN_JSON,
	  UINT_IF(ROW, state.free_highatomic, state.has_free_highatomic) },
	{ COLUMN_cma_pages, IN_JSON, CELL_BY(cma_cell) },
	{ COLUMN_free_cma_pages, IN_JSON, CELL_BY(free_cma_cell) },
	{ COLUMN_inactive_anon_pages, IN_JSON, CELL_OF(lru_cell, 0) },
	{ COLUMN_active_anon_pages, IN_JSON, CELL_OF(lru_cell, 1) },
	{ COLUMN_inactive_file_pages, IN_JSON, CELL_OF(lru_cell, 2) },
	{ COLUMN_active_file_pages, IN_JSON, CELL_OF(lru_cell, 3) },
	{ COLUMN_unevictable_pages, IN_JSON, CELL_BY(unevictable_cell) },
	{ COLUMN_compaction_deferred, IN_JSON, BOOL_IF(ROW, deferred, has_deferred) },
	{ COLUMN_result, IN_JSON, .choices = watermark_results, TEXT_OF(ROW, figures.result) },
	{ COLUMN_usable_pages, IN_JSON, INT_IF(ROW, figures.usable, figures.has_usable) },
	{ COLUMN_limit_pages, IN_JSON, INT_IF(ROW, figures.limit, figures.known) },
	{ COLUMN_largest_order, IN_JSON, UINT_IF(ROW, figures.largest, figures.has_largest) },
	BASIS(derived),
};

/* An address that begins with a digit, or no text at all, is refused as an order. */
bool zones_claim_order(const char *argument)
{
	/* Each kind of address that is no number has a colon. */
	return !strchr(argument, ':');
}

static enum status read_free(struct zones_view *z)
{
	struct owner_view *v = z->v;
	struct dump *d = v->dump;
	struct free_areas areas;
	uint64_t end = 0;
	bool has_pages = memmap_open(d, &z->memmap) == ST_OK &&
			 page_types_open(d, &z->memmap, &z->pages) == ST_OK;
	enum status st;

	if (!has_pages)
		report_warn(&v->report, "lists of free blocks are not walked: %s", d->error);
	for (size_t i = 0; i < z->zones.n; i++)
		if (z->zones.zones[i].end > end)
			end = z->zones.zones[i].end;
	st = free_areas_open(d, has_pages ? &z->pages : NULL, end, &areas);
	if (st != ST_OK) {
		report_warn(&v->report, "free blocks are unknown: %s", d->error);
		return ST_OK;
	}
	for (size_t i = 0; st == ST_OK && i < z->zones.n; i++) {
		struct zone_now *now = &z->now[i];

		st = free_areas_read(&areas, now->zone, &now->free);
		now->has_free = st == ST_OK;
		if (now->has_free && now->free.problem && has_pages)
			report_warn(&v->report, "node %u %s: not all free blocks are known: %s",
				    now->zone->node, now->zone->name, now->free.problem);
	}
	return st;
}

static void read_pcp(struct zones_view *z)
{
	struct owner_view *v = z->v;
	uint64_t most = 0;

	for (size_t i = 0; i < z->zones.n; i++)
		most += z->zones.zones[i].end - z->zones.zones[i].start;
	if (pcp_lists_open(v->dump, most, &z->pcp) != ST_OK) {
		report_warn(&v->report, "lists of CPUs are unknown: %s", v->dump->error);
		return;
	}
	z->has_pcp = true;
	for (size_t i = 0; i < z->zones.n; i++) {
		struct zone_now *now = &z->now[i];

		zone_pcp_read(z, now);
		now->has_pcp = pcp_lists_count(&z->pcp, now->zone->address, &now->pcp) == ST_OK;
		if (!now->has_pcp)
			report_warn(&v->report, "node %u %s: lists of CPUs are unknown: %s",
				    now->zone->node, now->zone->name, v->dump->error);
	}
}

static void read_counters(struct zones_view *z)
{
	struct owner_view *v = z->v;
	enum status st = counter_reader_open(v->dump, &z->counters);

	if (st != ST_OK) {
		z->counters = NULL;
		report_unknown(&v->report, "the kernel's counters", availability_of(st), "%s",
			       v->dump->error);
		return;
	}
	for (size_t i = 0; i < z->zones.n; i++) {
		struct zone_now *now = &z->now[i];
		uint64_t at = now->zone->address;

		now->has_shown = counters_of_zone(z->counters, at, true, &now->shown) == ST_OK;
		now->has_counted = counters_of_zone(z->counters, at, false, &now->counted) == ST_OK;
		if (!now->has_shown || !now->has_counted)
			report_warn(&v->report, "node %u %s: some counters are unknown: %s",
				    now->zone->node, now->zone->name, v->dump->error);
	}
}

static void read_states(struct zones_view *z)
{
	struct owner_view *v = z->v;

	z->has_states = zone_states_open(v->dump, &z->states) == ST_OK;
	if (!z->has_states)
		report_warn(&v->report, "watermarks are unknown: %s", v->dump->error);
	for (size_t i = 0; z->has_states && i < z->zones.n; i++) {
		struct zone_now *now = &z->now[i];

		now->has_state = zone_state_read(&z->states, now->zone, &now->state) == ST_OK;
		if (!now->has_state)
			report_warn(&v->report, "node %u %s: watermarks are unknown: %s",
				    now->zone->node, now->zone->name, v->dump->error);
	}
}

/* The flag that an answer rests on, and whose bit is unknown; NULL: there is none. */
static const char *unknown_flag(const struct zones_view *z)
{
	struct alloc_request r;

	if (!alloc_request_init(&z->kernel, RESERVES_OF_NONBLOCK, z->order, z->gfp, &r))
		return NULL;
	if (!r.unknown_flag && z->is_of_report && *z->mems_allowed &&
	    gfp_state(&z->names.flags, z->gfp, GFP_BIT_HARDWALL) == GFP_UNKNOWN)
		return gfp_flag_name(GFP_BIT_HARDWALL);
	return r.unknown_flag;
}

static void doubt_request(struct zones_view *z)
{
	const char *flag = z->has_request && z->has_kernel ? unknown_flag(z) : NULL;

	if (z->has_request && !z->has_kernel)
		report_warn(&z->v->report, "whether a zone serves the request is unknown: %s",
			    z->kernel_problem);
	else if (flag)
		report_warn(&z->v->report,
			    "whether a zone serves the request is unknown: which gfp flag is %s",
			    flag);
	z->is_partial |= flag || (z->has_request && !z->has_kernel);
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct dump *d = v->dump;
	struct zones_view *z = dump_alloc(d, sizeof(*z));
	enum status st;

	z->v = v;
	v->own = z;
	v->page_shift = d->page_shift;
	names_open(d, &z->names);
	z->has_kernel = alloc_kernel_open(d, &z->names, &z->kernel) == ST_OK;
	if (!z->has_kernel)
		z->kernel_problem = dump_why(d);
	zone_log_read(z);
	st = zone_request_parse(z);
	if (st != ST_OK)
		return st;
	doubt_request(z);
	st = zones_open(d, &z->zones);
	*why = availability_of(st);
	if (st == ST_UNREADABLE && z->report) {
		/* What the log has of them is known, and by which rule they serve. */
		report_unknown(&v->report, "zones at the panic", *why, "%s", d->error);
		z->has_states = zone_states_open(d, &z->states) == ST_OK;
		z->is_partial = true;
		return ST_OK;
	}
	if (st == ST_OK && !z->zones.n) {
		*why = CORRUPT;
		st = dump_corrupt(d, "no zone has pages");
	}
	if (st != ST_OK)
		return st;
	z->now = dump_alloc(d, z->zones.n * sizeof(*z->now));
	for (size_t i = 0; i < z->zones.n; i++)
		z->now[i].zone = &z->zones.zones[i];
	read_states(z);
	read_counters(z);
	read_pcp(z);
	zone_lists_read(z);
	return read_free(z);
}

static void add_row(struct zones_view *z, struct zone_now *now)
{
	const struct zone_state *s = &now->state;
	struct zone_answer a;

	now->has_listed = now->has_free && zone_free_pages(&now->free, &now->listed);
	if (z->request_problem)
		now->figures.result = watermark_results[WATERMARK_UNKNOWN];
	zone_request_check(z, now, &a);
	z->is_asked |= a.is_asked;
	if (a.is_asked) {
		now->figures = zone_figures_of(&a);
		now->has_reserve = now->has_state && a.request.highest_zone < s->reserves;
		if (now->has_reserve)
			now->figures.reserve = s->reserve[a.request.highest_zone];
		now->has_deferred = now->has_state && s->has_deferral;
		now->deferred = now->has_deferred && zone_defers_compaction(s, z->order);
	}
	row_add(&z->v->in->table, now, z);
}

static bool is_complete(const struct zones_view *z)
{
	if (z->is_partial)
		return false;
	for (size_t i = 0; i < z->zones.n; i++) {
		const struct zone_now *now = &z->now[i];

		if (!now->has_state || !now->has_shown || !now->has_counted || !now->has_pcp ||
		    !now->pcp_blocks || !now->has_listed)
			return false;
	}
	return true;
}

/* At the panic. */
static void put_panic(struct zones_view *z)
{
	struct owner_view *v = z->v;

	table_filter(&v->in->table, &v->in->filters);
	report_table(&v->report, &v->in->table);
	v->report.rows_shown = v->report.rows_total = v->in->table.n;
	report_columns_kept(&v->report, v->in->table.left_out);
	if (v->in->filters.nrows && !v->in->opts.json)
		sink_text(v->out, "what is below is of all zones\n");
	if (!v->in->opts.json)
		sink_printf(v->out,
			    "figures of memory are pages of %s, those of reclaim below too\n",
			    SIZE_TEXT(1ULL << v->page_shift));
	zone_blocks_put(z);
	zone_pcp_put(z);
	zone_nodes_put(z);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct zones_view *z = v->own;

	for (size_t i = 0; i < z->zones.n; i++)
		add_row(z, &z->now[i]);
	/* What a zone keeps from a request is not unknown where there is none. */
	if (!z->is_asked) {
		rows_hide(v->in, (const enum column_id[]){ COLUMN_reserve_pages, COLUMN_NONE });
		cmdline_reselect(v->in);
	}
	if (z->zones.n)
		put_panic(z);
	zone_log_put(z);
	zone_answers_put(z);
	report_end(&v->report, NULL, is_complete(z));
	return ST_OK;
}

const struct view owner_zones_view = {
	"zones",
	"-z",
	COLUMNS_OF(columns),
	.command = "memowner",
	.takes_arguments = true,
	.claims = zones_claim_order,
	.below = &zone_blocks_view,
	.filters_rows = true,
	.open = open_view,
	.show = show,
};
