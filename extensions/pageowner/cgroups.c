// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory cgroups, the largest first: their counters, limits and events, and beside them the
 * pages and objects that are charged to each.
 */
#include "cgroups.h"

#include <string.h>

#include "cli/command.h"
#include "util/units.h"

#define DEFAULT_ROWS 20

enum {
	COL_USAGE,
	COL_MAX,
	COL_ANON,
	COL_FILE,
	COL_SHMEM,
	COL_KERNEL,
	COL_SWAP,
	COL_OOM_KILLS,
	COL_PROCESSES,
	COL_STATE,
	COL_VERSION,
	COL_MIN,
	COL_LOW,
	COL_HIGH,
	COL_SOFT,
	COL_PEAK,
	COL_FAILCNT,
	COL_SWAP_HIGH,
	COL_SWAP_MAX,
	COL_SWAP_PEAK,
	COL_MEMSW,
	COL_MEMSW_MAX,
	COL_KMEM,
	COL_KMEM_MAX,
	COL_TCP,
	COL_TCP_MAX,
	COL_OOM_GROUP,
	COL_EVENTS,
	COL_EVENTS_LOCAL,
	COL_STAT,
	COL_CHARGED,
	COL_PAGES,
	COL_COUNTED,
	COL_DIFFERENCE,
	COL_CAUSE,
	COL_SWAP_ENTRIES,
	COL_REFERENCES,
	COL_OTHER_REFERENCES,
	COL_TGID,
	COL_COMM,
	COL_RSS,
	COL_ADDRESS,
	COL_MEMCG,
	COLUMNS
};

static const char *const states[] = { "online", "dying", NULL };
static const char *const versions[] = { "v1", "v2", NULL };

static const struct view_column columns[COLUMNS] = {
	[COL_USAGE] = { COLUMN_usage_bytes, IN_BOTH,
			"null: the root of v2, which has no such counter; of the root of v1 anon and file of memory.stat" },
	[COL_MAX] = { COLUMN_max_limit, IN_BOTH },
	[COL_ANON] = { COLUMN_anon_bytes, IN_BOTH },
	[COL_FILE] = { COLUMN_page_cache_bytes, IN_BOTH },
	[COL_SHMEM] = { COLUMN_shmem_bytes, IN_BOTH },
	[COL_KERNEL] = { COLUMN_kernel_bytes, IN_BOTH },
	[COL_SWAP] = { COLUMN_swap_usage_bytes, IN_BOTH },
	[COL_OOM_KILLS] = { COLUMN_oom_kills, IN_BOTH },
	[COL_PROCESSES] = { COLUMN_processes, IN_BOTH, "itself, without its descendants" },
	[COL_STATE] = { COLUMN_memcg_state, IN_BOTH | KNOWN, .choices = states },
	[COL_VERSION] = { COLUMN_memcg_version, IN_JSON, .choices = versions },
	[COL_MIN] = { COLUMN_min_limit, IN_JSON },
	[COL_LOW] = { COLUMN_low_limit, IN_JSON },
	[COL_HIGH] = { COLUMN_high_limit, IN_JSON },
	[COL_SOFT] = { COLUMN_soft_limit, IN_JSON },
	[COL_PEAK] = { COLUMN_peak_bytes, IN_JSON },
	[COL_FAILCNT] = { COLUMN_failcnt, IN_JSON },
	[COL_SWAP_HIGH] = { COLUMN_swap_high_limit, IN_JSON },
	[COL_SWAP_MAX] = { COLUMN_swap_max_limit, IN_JSON },
	[COL_SWAP_PEAK] = { COLUMN_swap_peak_bytes, IN_JSON },
	[COL_MEMSW] = { COLUMN_memsw_bytes, IN_JSON,
			"of the root anon, file and swap of memory.stat" },
	[COL_MEMSW_MAX] = { COLUMN_memsw_limit, IN_JSON },
	[COL_KMEM] = { COLUMN_kmem_bytes, IN_JSON },
	[COL_KMEM_MAX] = { COLUMN_kmem_limit, IN_JSON },
	[COL_TCP] = { COLUMN_tcp_bytes, IN_JSON },
	[COL_TCP_MAX] = { COLUMN_tcp_limit, IN_JSON },
	[COL_OOM_GROUP] = { COLUMN_oom_group, IN_JSON },
	[COL_EVENTS] = { COLUMN_memcg_events, IN_JSON },
	[COL_EVENTS_LOCAL] = { COLUMN_memcg_local_events, IN_JSON },
	[COL_STAT] = { COLUMN_memcg_stat, IN_JSON },
	[COL_CHARGED] = { COLUMN_memcg_charged, IN_JSON },
	[COL_PAGES] = { COLUMN_pages, IN_JSON, "that were found to be charged, with descendants" },
	[COL_COUNTED] = { COLUMN_counted_pages, IN_JSON, "usage_bytes" },
	[COL_DIFFERENCE] = { COLUMN_difference_pages, IN_JSON },
	[COL_CAUSE] = { COLUMN_cause, IN_JSON },
	[COL_SWAP_ENTRIES] = { COLUMN_swap_entries, IN_JSON },
	[COL_REFERENCES] = { COLUMN_references, IN_JSON, "null: not removed" },
	[COL_OTHER_REFERENCES] = { COLUMN_other_references, IN_JSON },
	[COL_TGID] = { COLUMN_tgid, IN_JSON, "that has most memory resident, with descendants" },
	[COL_COMM] = { COLUMN_comm, IN_JSON, "of that process" },
	[COL_RSS] = { COLUMN_rss_bytes, IN_JSON },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "of the struct mem_cgroup" },
	[COL_MEMCG] = { COLUMN_memcg, IN_BOTH, "of a removed cgroup the former one" },
};

enum { FILTER_MEMCG, FILTER_STATE, FILTER_USAGE, CGROUP_KEYS };

static const struct key cgroup_keys[CGROUP_KEYS] = {
	[FILTER_MEMCG] = { COLUMN_memcg, "memory cgroup", KEY_FILTERS, .is_text = true },
	[FILTER_STATE] = { COLUMN_memcg_state, "online or dying", KEY_FILTERS, .is_text = true,
			   .choices = states },
	[FILTER_USAGE] = { COLUMN_usage_bytes, "memory that is charged, with descendants",
			   KEY_FILTERS, .quantity = RANGE_SIZE },
};

const struct view owner_cgroups_view = {
	"cgroups",	     "-t cgroups",	   COLUMNS_OF(columns),
	.opens_more = true,  .filters_rows = true, .keys = cgroup_keys,
	.nkeys = CGROUP_KEYS
};

static const char *state_of(const struct cgroup *g)
{
	return states[g->counts->removed];
}

static bool keeps(const struct cgroups_view *c, const struct cgroup *g)
{
	const struct filters *all = &c->v->in->filters;

	for (unsigned int i = 0; i < all->n; i++) {
		const struct filter *f = &all->filters[i];
		uint64_t usage;
		bool keep;

		if (f->key == FILTER_MEMCG)
			keep = filter_keeps_text(f, g->counts->path);
		else if (f->key == FILTER_STATE)
			keep = filter_keeps_text(f, state_of(g));
		else if (!cgroup_usage(c, g, &usage))
			keep = filter_keeps_unknown(f);
		else
			keep = filter_keeps_number(f, usage);
		if (!keep)
			return false;
	}
	return true;
}

/* The root of v2 has no files of limits and counters. */
static bool has_files(const struct cgroup *g)
{
	return g->has_state && (g->counts->parent || g->state.version == MEMCG_V1);
}

/* Bytes of a page counter; a limit that is none is PAGE_COUNTER_MAX (include/linux/page_counter.h). */
static struct cell counter_cell(const struct cgroups_view *c, const struct cgroup *g,
				enum memcg_value value)
{
	return cell_if(has_files(g) && g->state.has[value],
		       cell_uint(g->state.value[value] << c->v->page_shift));
}

/* The same of swap, which a kernel may have been told not to account. */
static struct cell swap_cell(const struct cgroups_view *c, const struct cgroup *g,
			     enum memcg_value value)
{
	return cell_if(!c->no_swap, counter_cell(c, g, value));
}

typedef bool bytes_of(const struct cgroups_view *c, const struct cgroup *g, uint64_t *ret);

static struct cell bytes_cell(const struct cgroups_view *c, const struct cgroup *g, bytes_of *of)
{
	uint64_t bytes;

	if (!of(c, g, &bytes))
		return (struct cell){ .kind = CELL_NULL };
	return cell_uint(bytes);
}

static void fill_limits(const struct cgroups_view *c, const struct cgroup *g, struct cell *row)
{
	row[COL_USAGE] = bytes_cell(c, g, cgroup_usage);
	row[COL_SWAP] = bytes_cell(c, g, cgroup_swap);
	row[COL_PEAK] = counter_cell(c, g, MEMCG_PEAK);
	row[COL_MAX] = counter_cell(c, g, MEMCG_MAX_LIMIT);
	row[COL_FAILCNT] = cell_if(has_files(g) && g->state.has[MEMCG_FAILCNT],
				   cell_uint(g->state.value[MEMCG_FAILCNT]));
	if (g->state.version == MEMCG_V2) {
		row[COL_MIN] = counter_cell(c, g, MEMCG_MIN);
		row[COL_LOW] = counter_cell(c, g, MEMCG_LOW_LIMIT);
		row[COL_HIGH] = counter_cell(c, g, MEMCG_HIGH_LIMIT);
		row[COL_SWAP_PEAK] = swap_cell(c, g, MEMCG_SWAP_PEAK);
		row[COL_SWAP_HIGH] = swap_cell(c, g, MEMCG_SWAP_HIGH_LIMIT);
		row[COL_SWAP_MAX] = swap_cell(c, g, MEMCG_SWAP_MAX_LIMIT);
		row[COL_OOM_GROUP] = cell_if(g->counts->parent && g->state.has[MEMCG_OOM_GROUP],
					     cell_bool(g->state.value[MEMCG_OOM_GROUP]));
	} else if (g->state.version == MEMCG_V1) {
		row[COL_SOFT] = counter_cell(c, g, MEMCG_SOFT_LIMIT);
		row[COL_MEMSW] = bytes_cell(c, g, cgroup_memsw);
		row[COL_MEMSW_MAX] = swap_cell(c, g, MEMCG_MEMSW_LIMIT);
		row[COL_KMEM] = counter_cell(c, g, MEMCG_KMEM_USAGE);
		row[COL_KMEM_MAX] = counter_cell(c, g, MEMCG_KMEM_LIMIT);
		row[COL_TCP] = counter_cell(c, g, MEMCG_TCP_USAGE);
		row[COL_TCP_MAX] = counter_cell(c, g, MEMCG_TCP_LIMIT);
	}
	row[COL_VERSION] = cell_text(g->state.version == MEMCG_V2   ? "v2"
				     : g->state.version == MEMCG_V1 ? "v1"
								    : NULL);
}

/* An object of names and values; NULL: there is no memory. */
static const struct fields *make_fields(struct dump *d, unsigned int n, const char *const *names,
					const struct cell *values)
{
	struct fields *f = dump_alloc(d, sizeof(*f));
	const char **copy = dump_alloc(d, (n + 1) * sizeof(*copy));
	struct cell *cells = dump_alloc(d, (n + 1) * sizeof(*cells));

	if (!f || !copy || !cells)
		return NULL;
	memcpy(copy, names, n * sizeof(*copy));
	memcpy(cells, values, n * sizeof(*cells));
	f->n = n;
	f->names = copy;
	f->values = cells;
	return f;
}

static struct cell events_cell(const struct cgroups_view *c, bool has,
			       const uint64_t events[MEMCG_EVENT_KINDS])
{
	const char *names[MEMCG_EVENT_KINDS];
	struct cell values[MEMCG_EVENT_KINDS];
	unsigned int n = 0;

	for (size_t i = 0; i < MEMCG_EVENT_KINDS; i++) {
		if (c->states.event[i] < 0)
			continue;
		names[n] = memcg_event_names[i];
		values[n++] = cell_uint(events[i]);
	}
	return cell_if(has, cell_fields(make_fields(c->v->dump, n, names, values)));
}

static struct cell stat_cell(const struct cgroups_view *c, const struct cgroup *g,
			     enum cgroup_stat stat)
{
	uint64_t bytes;
	bool known = cgroup_stat_bytes(c, g, stat, &bytes);

	return cell_if(known, cell_uint(bytes));
}

static struct cell all_stats_cell(const struct cgroups_view *c, const struct cgroup *g)
{
	const char *names[CGROUP_STATS];
	struct cell values[CGROUP_STATS];
	unsigned int n = 0;
	bool known = true;

	for (enum cgroup_stat i = 0; i < CGROUP_STATS; i++) {
		if (!cgroup_has_stat(c, g, i))
			continue;
		names[n] = cgroup_stats[i].name;
		values[n] = stat_cell(c, g, i);
		known &= values[n++].kind != CELL_NULL;
	}
	return cell_if(n && known, cell_fields(make_fields(c->v->dump, n, names, values)));
}

/* What was found at pages and objects, of the cgroup alone. */
static struct cell charged_cell(const struct cgroups_view *c, const struct cgroup *g)
{
	static const char *const names[] = { "anon",	"file",		"shmem",      "kernel",
					     "objects", "object_bytes", "stock_pages" };
	const struct memcg_charged *own = &g->own;
	uint64_t pages;
	bool all = cgroup_pages(c, g, &pages) && c->charges.slabs && !c->charges.unknown_slabs &&
		   !c->charges.stock_problem;
	const struct cell values[] = {
		cell_uint(own->pages[MEMCG_PAGES_ANON]),
		cell_uint(own->pages[MEMCG_PAGES_FILE]),
		cell_uint(own->pages[MEMCG_PAGES_SHMEM]),
		cell_uint(own->pages[MEMCG_PAGES_KERNEL]),
		cell_uint(own->objects),
		cell_uint(own->object_bytes),
		cell_uint(own->stock_pages),
	};

	return cell_if(all, cell_fields(make_fields(c->v->dump, sizeof(names) / sizeof(names[0]),
						    names, values)));
}

static void fill_charges(struct cgroups_view *c, const struct cgroup *g, struct cell *row)
{
	uint64_t pages, swap = 0, others = 0;
	bool known = cgroup_pages(c, g, &pages), has_swap = cgroup_swap_entries(g, &swap), named;
	bool has_others = g->counts->removed && cgroup_other_references(c, g, &others);
	const char *cause = cgroup_cause(c, g, &named);

	row[COL_PAGES] = cell_if(known, cell_uint(pages));
	if (cgroup_has_usage(g)) {
		uint64_t counted = g->state.value[MEMCG_USAGE];

		row[COL_COUNTED] = cell_uint(counted);
		row[COL_DIFFERENCE] = cell_if(known, cell_int((int64_t)(pages - counted)));
		row[COL_CAUSE] = cell_text(cause);
		c->unexplained += known && !named;
	}
	row[COL_SWAP_ENTRIES] = cell_if(has_swap, cell_uint(swap));
	row[COL_REFERENCES] = cell_if(g->has_state && g->state.has_refs && g->counts->removed,
				      cell_uint(g->state.refs));
	row[COL_OTHER_REFERENCES] = cell_if(has_others, cell_uint(others));
}

static void fill_members(const struct cgroups_view *c, const struct cgroup *g, struct cell *row)
{
	row[COL_PROCESSES] = cell_if(!c->tasks_problem, cell_uint(g->processes));
	if (!cgroups_have_members(c) || !g->biggest.tgid)
		return;
	row[COL_TGID] = cell_int(g->biggest.tgid);
	row[COL_COMM] = cell_text(g->biggest.comm);
	row[COL_RSS] = cell_uint(g->biggest.rss << c->v->page_shift);
}

static enum status add_row(struct cgroups_view *c, struct cgroup *g)
{
	int64_t kill = c->states.event[MEMCG_OOM_KILL_EVENT];
	struct cell *row;

	c->unnamed += !g->counts->path;
	c->flat += g->counts->is_flat && g->children;
	for (size_t i = 0; i < CGROUP_STATS; i++)
		if (!g->counts->doubted && c->tree.counted[i] && !g->counts->known[i]) {
			c->partial++;
			break;
		}
	if (!keeps(c, g)) {
		c->v->in->table.refused++;
		return ST_OK;
	}
	row = table_add(&c->v->in->table);
	if (!row)
		return ST_NOMEM;
	row[COL_MEMCG] = cell_text(g->counts->path);
	row[COL_STATE] = cell_text(state_of(g));
	row[COL_ADDRESS] = cell_hex(g->counts->address);
	row[COL_ANON] = stat_cell(c, g, STAT_ANON);
	row[COL_FILE] = stat_cell(c, g, STAT_FILE);
	row[COL_SHMEM] = stat_cell(c, g, STAT_SHMEM);
	row[COL_KERNEL] = bytes_cell(c, g, cgroup_kernel);
	row[COL_STAT] = all_stats_cell(c, g);
	row[COL_CHARGED] = charged_cell(c, g);
	if (g->has_state)
		fill_limits(c, g, row);
	if (cgroup_has_events(g)) {
		row[COL_OOM_KILLS] = cell_if(kill >= 0,
					     cell_uint(g->state.events[MEMCG_OOM_KILL_EVENT]));
		row[COL_EVENTS] = events_cell(c, true, g->state.events);
		row[COL_EVENTS_LOCAL] = events_cell(c, g->state.has_local, g->state.local);
	}
	fill_charges(c, g, row);
	fill_members(c, g, row);
	g->is_kept = table_keeps(&c->v->in->table, &c->v->in->filters, row);
	return ST_OK;
}

static void put_warnings(struct cgroups_view *c)
{
	struct report *r = &c->v->report;
	const struct memcg_charges *m = &c->charges;
	char n[UNITS_PLURAL];

	if (c->tree.stats_problem)
		report_warn(r, "counters of memory.stat are unknown: %s", c->tree.stats_problem);
	if (c->tree.doubted)
		report_warn(
			r,
			"counters that exceed RAM and swap are unknown, with those of ancestors: "
			"%s",
			c->tree.doubt);
	if (c->doubts)
		report_warn(r, "counters that contradict the pages found are unknown: %s",
			    c->doubts);
	if (c->flat)
		report_warn(r,
			    "use_hierarchy is off: sizes are without those of descendants for %s",
			    units_plural(n, c->flat, "memory cgroup", "memory cgroups"));
	if (c->tree.batched)
		report_warn(r,
			    "counters of memory.stat may be up to %d off for each CPU and cgroup, "
			    "as in the file of this kernel",
			    MEMCG_BATCH);
	if (!c->tree.complete)
		report_warn(r, "the tree of memory cgroups is incomplete: %s", c->tree.why);
	if (c->partial)
		report_warn(r, "counters are not all in this dump for %s",
			    units_plural(n, c->partial, "memory cgroup", "memory cgroups"));
	if (c->unnamed)
		report_warn(r, "no name in this dump for %s",
			    units_plural(n, c->unnamed, "memory cgroup", "memory cgroups"));
	if (c->tasks_problem)
		report_warn(r, "processes of cgroups are unknown: %s", c->tasks_problem);
	if (c->no_mm)
		report_warn(r,
			    "the largest process of each cgroup is unknown: no mm_struct in this "
			    "dump for %s",
			    units_plural(n, c->no_mm, "process", "processes"));
	if (c->pages_problem)
		report_warn(r, "charged pages are unknown: %s", c->pages_problem);
	if (c->v->owner.ram.derived)
		report_warn(r, "%s", c->v->owner.ram.derived);
	if (m->unreadable)
		report_warn(r, "no struct page in this dump for %s: any cgroup may be charged",
			    units_plural(n, m->unreadable, "page", "pages"));
	if (m->unknown)
		report_warn(r, "the cgroup of %s cannot be read",
			    units_plural(n, m->unknown, "charged page", "charged pages"));
	if (m->unknown_slabs)
		report_warn(r,
			    m->by_cache ? "the cgroups of %s are unknown"
					: "the cgroups of the objects of %s are unknown",
			    units_plural(n, m->unknown_slabs, "slab", "slabs"));
	if (m->stock_problem)
		report_warn(r, "stocks of CPUs are unknown: %s", m->stock_problem);
	if (m->bytes_problem)
		report_warn(r, "bytes charged for objects are unknown: %s", m->bytes_problem);
}

static void put_end(struct cgroups_view *c, enum status st)
{
	struct owner_view *v = c->v;
	const struct memcg_charges *m = &c->charges;
	char n[UNITS_BYTES], ram[UNITS_BYTES], uncharged[UNITS_BYTES];

	report_rows_kept(&v->report, &v->in->filters, &v->in->table, "cgroup", "cgroups");
	put_warnings(c);
	if (!v->in->opts.json) {
		cgroups_put_answers(c);
		units_count(n, c->seen - m->unreadable);
		units_count(ram, v->owner.ram.pages);
		units_count(uncharged, m->uncharged);
		sink_text(v->out, "sizes of a cgroup include those of its descendants\n");
	}
	if (!v->in->opts.json && !c->pages_problem) {
		sink_printf(v->out,
			    "charged pages among %s of %s pages of %s; %s are not charged\n", n,
			    ram, v->owner.ram.name, uncharged);
	}
	report_end(&v->report, NULL,
		   st == ST_OK && !c->pages_problem && !m->stock_problem && !m->bytes_problem &&
			   c->tree.complete && !c->tree.stats_problem && !c->tree.doubted &&
			   !c->doubts && !c->partial && !c->unnamed && !c->tasks_problem &&
			   !c->no_mm && !m->unreadable && !m->unknown && !m->unknown_slabs &&
			   !v->owner.ram.derived);
}

enum status owner_cgroups_open(struct owner_view *v)
{
	struct dump *d = v->dump;
	enum status st;

	owner_view_init(v);
	st = owner_view_open_states(v);
	if (st != ST_OK && st != ST_NOMEM)
		v->owner_problem = arena_strdup(d->arena, d->error);
	return st == ST_NOMEM ? st : ST_OK;
}

enum status owner_cgroups(struct owner_view *v)
{
	struct cgroups_view *c = dump_alloc(v->dump, sizeof(*c));
	const struct opts *o = &v->in->opts;
	enum status st, filled;

	if (!c)
		return ST_NOMEM;
	c->v = v;
	c->pages_problem = v->owner_problem;
	st = cgroups_collect(c);
	if (st == ST_STOPPED && !c->is_partial)
		return st;
	cgroups_doubt(c);
	filled = c->is_partial ? ST_OK : st;
	if (!command_opened(&v->report, o, availability_of(filled), &filled))
		return filled;
	for (size_t i = 0; i < c->n; i++) {
		filled = add_row(c, &c->cgroups[i]);
		if (filled != ST_OK)
			return filled;
	}
	table_filter(&v->in->table, &v->in->filters);
	filled = table_sort(&v->in->table, o->sort ? o->sort : "usage_bytes,memcg", o->reverse);
	if (filled != ST_OK)
		return filled;
	report_rest(&v->report,
		    v->in->table.n - report_rows(&v->report, &v->in->table, o, DEFAULT_ROWS),
		    "cgroup", "cgroups", NULL);
	put_end(c, st);
	return st;
}
