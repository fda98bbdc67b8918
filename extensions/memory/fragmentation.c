// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner fragmentation: of each order the free blocks, and those that moving or freeing pages would make. */
#include "fragmentation.h"

#include "zones.h"

/* The blocks of an order in a zone. */
struct order_row {
	struct zone_name zone;
	unsigned int order;
	bool is_request, has_request, has_free;
	uint64_t free, lower;
	struct maybe_u64 states[BLOCK_STATES];
};

#define ROW struct order_row

static const struct view_column columns[] = {
	{ COLUMN_node, IN_BOTH, "null: none, or more than one zone spans the pages",
	  UINT_IF(ROW, zone.node, zone.known) },
	{ COLUMN_zone, IN_BOTH, "null: as with node", TEXT_OF(ROW, zone.name) },
	{ COLUMN_order, IN_BOTH | KNOWN, "of the blocks", UINT_OF(ROW, order) },
	{ COLUMN_is_request, IN_BOTH, BOOL_IF(ROW, is_request, has_request) },
	{ COLUMN_blocks, IN_BOTH, "of this order, by nr_free of the kernel",
	  UINT_IF(ROW, free, has_free) },
	{ COLUMN_lower_pages, IN_BOTH, UINT_IF(ROW, lower, has_free) },
	{ COLUMN_whole_blocks, IN_BOTH, "null: none is known to be, and blocks are unknown",
	  UINT_MAYBE(ROW, states[BLOCK_FREE]) },
	{ COLUMN_movable_blocks, IN_BOTH, UINT_MAYBE(ROW, states[BLOCK_MOVABLE]) },
	{ COLUMN_reclaimable_blocks, IN_BOTH, UINT_MAYBE(ROW, states[BLOCK_RECLAIMABLE]) },
	{ COLUMN_unmovable_blocks, IN_BOTH, UINT_MAYBE(ROW, states[BLOCK_UNMOVABLE]) },
	{ COLUMN_unknown_blocks, IN_JSON | KNOWN, UINT_OF(ROW, states[BLOCK_UNKNOWN].n) },
	BASIS(derived),
};

static void add_row(struct fragmentation *f, const struct zone_blocks *z, unsigned int order)
{
	struct order_row row = {
		.zone = zone_name_of(z->zone),
		.order = order,
		.is_request = f->has_request && order == f->request,
		.has_request = !f->lacks_request,
		.has_free = z->has_free,
		.free = z->free.nr_free[order],
	};

	for (unsigned int i = 0; i < BLOCK_STATES; i++)
		row.states[i] = count_among(z->states[order][i], z->states[order][BLOCK_UNKNOWN]);
	for (unsigned int o = 0; o < order; o++)
		row.lower += z->free.nr_free[o] << o;
	row_add(&f->v->in->table, &row, f);
}

static bool has_blocks(const struct fragmentation *f, const struct zone_blocks *z)
{
	if (!fragmentation_has_zone(f, z))
		return false;
	return ANY_OF(i, BLOCK_STATES, z->states[0][i]) || (z->zone != NULL && f->orders);
}

/* "516", "-" */
static const char *count_text(const uint64_t *n, enum block_state state, char buf[UNITS_BYTES])
{
	if (!count_among(n[state], n[BLOCK_UNKNOWN]).known)
		return "-";
	snprintf(buf, UNITS_BYTES, "%lu", n[state]);
	return buf;
}

static void put_states(struct sink *out, unsigned int order, const uint64_t *n)
{
	char buf[4][UNITS_BYTES];

	if (n[BLOCK_UNKNOWN] &&
	    !(n[BLOCK_FREE] | n[BLOCK_MOVABLE] | n[BLOCK_RECLAIMABLE] | n[BLOCK_UNMOVABLE])) {
		sink_printf(out, "order %u: unknown: each of %s blocks has a page of unknown use\n",
			    order, units_count(buf[0], n[BLOCK_UNKNOWN]));
		return;
	}
	sink_printf(out, "order %u: %s free, %s more if pages were moved, %s more if ", order,
		    count_text(n, BLOCK_FREE, buf[0]), count_text(n, BLOCK_MOVABLE, buf[1]),
		    count_text(n, BLOCK_RECLAIMABLE, buf[2]));
	sink_printf(out, "reclaimable pages were freed as well; %s have an unmovable page",
		    count_text(n, BLOCK_UNMOVABLE, buf[3]));
	if (n[BLOCK_UNKNOWN])
		sink_printf(out, ", %lu others a page of unknown use", n[BLOCK_UNKNOWN]);
	sink_text(out, "\n");
	sink_text(out, "pages are moved into free pages of other blocks\n");
}

/* "REQUEST: order 4 of the last report of the OOM killer, 12ms before the panic" */
static void put_order(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct sink *out = v->out;
	uint64_t n[BLOCK_STATES] = { 0 };
	char age[AGE_TEXT];

	for (size_t i = 0; i < f->nzones; i++)
		for (unsigned int s = 0;
		     s < BLOCK_STATES && fragmentation_has_zone(f, &f->zones[i]); s++)
			n[s] += f->zones[i].states[f->order][s];
	if (f->report) {
		sink_printf(out, "REQUEST: order %u of the last report in the log, %s", f->request,
			    f->report->kind == OOM_REPORT_OOM ? "of the OOM killer"
							      : "of a failed allocation");
		if (age_text(&v->report.info, f->report->ts_ns, age))
			sink_printf(out, ", %s", age);
		sink_text(out, "\n");
	}
	put_states(out, f->order, n);
}

static void put_orders(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	struct table *t = &v->in->table;
	uint64_t unknown = 0;

	for (size_t i = 0; i < f->nzones; i++)
		for (unsigned int o = 0; has_blocks(f, &f->zones[i]) && o < f->orders; o++) {
			unknown += f->zones[i].states[o][BLOCK_UNKNOWN];
			add_row(f, &f->zones[i], o);
		}
	if (unknown && !v->in->opts.json) {
		table_show(t, COLUMN_unknown_blocks);
		cmdline_reselect(v->in);
	}
	table_filter(t, &v->in->filters);
	report_table(&v->report, t);
	v->report.rows_shown = v->report.rows_total = t->n;
	report_columns_kept(&v->report, t->left_out);
	if (!v->in->opts.json)
		put_order(f);
}

/* Filters of node and zone are of all that is told; others of pages that have an owner. */
static void warn_of_filters(struct fragmentation *f)
{
	struct owner_view *v = f->v;

	for (unsigned int i = 0; i < v->in->filters.n; i++) {
		const struct filter *filter = &v->in->filters.filters[i];

		if (filter->key == KEY_NODE || filter->key == KEY_ZONE)
			continue;
		report_warn(
			&v->report,
			"-%c %s is of unmovable and reclaimable pages: what is told of orders and "
			"of pageblocks is of all pages",
			filter->exclude ? 'X' : 'f', filter->name);
		return;
	}
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct fragmentation *f = v->own;
	enum status st = fragmentation_scan(f), shown = ST_OK;

	if (st != ST_OK && st != ST_STOPPED)
		return st;
	if (v->in->ngroups) {
		mixed_put(f);
	} else {
		put_orders(f);
		fragmentation_types_put(f);
		fragmentation_owners_put(f);
		/* A block of one page is free, or has a user. */
		if (f->order)
			shown = fragmentation_near_put(f);
		warn_of_filters(f);
	}
	if (shown != ST_OK && shown != ST_STOPPED)
		return shown;
	fragmentation_end(f, st == ST_OK ? shown : st);
	return st;
}

#define OF_PAGES_IN_USE " cannot be combined with fragmentation: its groups are of pages in use"

enum status owner_fragmentation_check(const struct owner_view *v)
{
	const char *problem = NULL;

	if (cmdline_filters_by(v->in, KEY_STATE))
		problem = "-f state" OF_PAGES_IN_USE;
	if (cmdline_groups_by(v->in, KEY_STATE))
		problem = "-g state" OF_PAGES_IN_USE;
	if (cmdline_groups_by(v->in, KEY_CALLEE))
		problem = "-g callee needs pageowner -t tree";
	return problem ? dump_usage(v->dump, "%s", problem) : ST_OK;
}

static const struct view mixed_view = {
	"fragmentation_groups",
	"-b -g caller",
	COLUMNS_OF(mixed_columns),
	.command = "memowner",
	.takes_arguments = true,
	.prepare = mixed_prepare,
	.has_groups = true,
	.no_groups = " state callee ",
	.filters_rows = true,
	.open = fragmentation_open,
	.show = show,
	.rows = 10,
};

const struct view owner_fragmentation_view = {
	"fragmentation",
	"-b",
	COLUMNS_OF(columns),
	.command = "memowner",
	.takes_arguments = true,
	.filters_rows = true,
	.claims = zones_claim_order,
	.grouped = &mixed_view,
	.below = &fragmentation_types_view,
	.open = fragmentation_open,
	.show = show,
};
