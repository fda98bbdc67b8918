// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "ownerview.h"
#include "units.h"

#define DEFAULT_ROWS 10

enum {
	T_RANK,
	T_PAGES,
	T_BYTES,
	T_TRACKED,
	T_RAM,
	T_ALLOCS,
	T_ORDERS,
	T_AGE_MAX,
	T_AGE_MIN,
	T_HANDLE,
	T_STACK,
	T_COLUMNS
};

static const struct column columns[T_COLUMNS] = {
	[T_RANK] = { "rank", "RANK", .shown = IN_BOTH | NO_SORT_KEY,
		     .help = "place in this order" },
	[T_PAGES] = { "pages", "PAGES", .shown = IN_BOTH, .help = "pages allocated now" },
	[T_BYTES] = { "bytes", "SIZE", FORMAT_SIZE, IN_BOTH, .alias = "size",
		      .help = "the same in bytes" },
	[T_TRACKED] = { "tracked_percent", "TRACKED%", FORMAT_PERCENT, IN_TEXT,
			.help = "share of all pages with an owner" },
	[T_RAM] = { "ram_percent", "RAM%", FORMAT_PERCENT, IN_TEXT, .help = "share of System RAM" },
	[T_ALLOCS] = { "allocs", "ALLOCS", .shown = IN_BOTH,
		       .help = "allocations that they came from" },
	[T_ORDERS] = { "orders", "ORDERS", FORMAT_ORDERS, IN_BOTH, .help = "orders of these" },
	[T_AGE_MAX] = { "age_max_ns", "OLDEST", FORMAT_TIME, IN_BOTH,
			.help = "age of the oldest at the panic" },
	[T_AGE_MIN] = { "age_min_ns", "YOUNGEST", FORMAT_TIME, IN_BOTH,
			.help = "age of the youngest" },
	[T_HANDLE] = { "handle", "HANDLE", .shown = IN_BOTH,
		       .help = "stack depot handle, for depot" },
	[T_STACK] = { "stack", NULL, .shown = IN_BOTH,
		      .help = "who allocated, innermost frame first" },
};

const struct view owner_top_view = { "top", "a", columns, T_COLUMNS };

struct group {
	uint32_t handle;
	uint64_t pages, allocs;
	uint64_t orders; /* a bit each */
	uint64_t ts_min, ts_max;
};

struct top {
	struct owner_view *v;
	struct map groups; /* of struct group by handle */
	struct group *last;
};

static enum status add_page(void *arg, const struct owner_page *p)
{
	struct top *top = arg;
	struct group *g = top->last;
	bool is_new = false;

	/* Neighbours often have the same owner. */
	if (!g || g->handle != p->handle)
		g = map_get(&top->groups, p->handle, &is_new);
	if (!g)
		return dump_fail(top->v->dump, DUMP_NOMEM, "out of memory");
	if (is_new) {
		g->handle = p->handle;
		g->ts_min = p->ts_ns;
	}
	top->last = g;
	g->pages++;
	g->allocs += p->head;
	g->orders |= 1ULL << p->order;
	if (p->ts_ns < g->ts_min)
		g->ts_min = p->ts_ns;
	if (p->ts_ns > g->ts_max)
		g->ts_max = p->ts_ns;
	return DUMP_OK;
}

/* Age at the panic; what came after its record has none. */
static struct cell age(const struct owner_view *v, uint64_t ts)
{
	bool known = v->report.has_panic_time && v->owner.f[OWNER_TS].present;

	return cell_if(known, cell_uint(ts < v->report.panic_ns ? v->report.panic_ns - ts : 0));
}

static uint64_t tenths(uint64_t part, uint64_t whole)
{
	return whole ? (part * 1000 + whole / 2) / whole : 0;
}

static enum status add_row(struct top *top, const struct group *g, struct coverage *cov)
{
	struct owner_view *v = top->v;
	struct known_stack *stack = stacks_get(&v->stacks, g->handle);
	struct cell *row = stack ? table_add(&v->in->table) : NULL;

	if (!row)
		return DUMP_NOMEM;
	if (!stack->decoded) {
		cov->live -= g->pages;
		cov->undecodable += g->pages;
	}
	row[T_PAGES] = cell_uint(g->pages);
	row[T_BYTES] = cell_uint(g->pages << v->dump->page_shift);
	row[T_RAM] = cell_uint(tenths(g->pages, cov->ram_pages));
	row[T_ALLOCS] = cell_uint(g->allocs);
	row[T_ORDERS] = cell_uint(g->orders);
	row[T_AGE_MIN] = age(v, g->ts_max);
	row[T_AGE_MAX] = age(v, g->ts_min);
	row[T_HANDLE] = cell_hex(g->handle);
	return DUMP_OK;
}

static enum status fill_table(struct top *top, struct coverage *cov)
{
	struct table *t = &top->v->in->table;
	const struct opts *o = &top->v->in->opts;
	uint64_t tracked = cov->live;
	enum status st = DUMP_OK;

	for (struct map_entry *e = top->groups.first; e && st == DUMP_OK; e = e->next)
		st = add_row(top, (const struct group *)e->value, cov);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][T_TRACKED] = cell_uint(tenths(t->rows[i][T_PAGES].u, tracked));
	if (st == DUMP_OK)
		st = table_sort(t, o->sort ? o->sort : "bytes", o->reverse);
	for (size_t i = 0; i < t->n; i++)
		t->rows[i][T_RANK] = cell_uint(i + 1);
	return st;
}

/* Names are looked up for what is shown only. */
static void name_stacks(struct owner_view *v, size_t shown)
{
	for (size_t i = 0; i < shown; i++) {
		struct cell *row = v->in->table.rows[i];

		row[T_STACK] = cell_stack(
			stacks_frames(&v->stacks, stacks_get(&v->stacks, row[T_HANDLE].u)));
	}
}

/* "... 113 more stacks, 3.2M" */
static void put_rest(struct owner_view *v, size_t shown)
{
	char size[UNITS_BYTES];
	uint64_t pages = 0;

	if (shown == v->in->table.n)
		return;
	for (size_t i = shown; i < v->in->table.n; i++)
		pages += v->in->table.rows[i][T_PAGES].u;
	units_size(size, pages << v->dump->page_shift);
	sink_printf(v->out, "... %zu more stacks hold %s (-n 0 shows all)\n",
		    v->in->table.n - shown, size);
}

enum status owner_top(struct owner_view *v)
{
	struct top top = { .v = v };
	struct coverage cov;
	enum status st, filled;
	uint64_t shown;

	map_init(&top.groups, v->dump->arena, sizeof(struct group));
	st = page_owner_scan(&v->owner, false, &cov, add_page, &top);
	if (st != DUMP_OK && st != DUMP_STOPPED)
		return st;
	filled = fill_table(&top, &cov);
	if (filled != DUMP_OK)
		return filled;
	shown = opts_rows(&v->in->opts, DEFAULT_ROWS, v->in->table.n);
	name_stacks(v, shown);
	report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	if (!v->in->opts.json)
		put_rest(v, shown);
	owner_view_end(v, &cov);
	return st;
}
