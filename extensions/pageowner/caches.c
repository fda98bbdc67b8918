// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slab caches, the largest first: a walk over the pages of class slab, and beside it the kernel's
 * own counters of each cache.
 */
#include "class_counters.h"
#include "slab/slab_caches.h"
#include "slab/slub_nodes.h"
#include "zones/vmstat.h"
#include "util/units.h"
#include "view.h"

#define DEFAULT_ROWS 10

enum {
	COL_PAGES,
	COL_BYTES,
	COL_RAM,
	COL_OBJECTS,
	COL_INUSE,
	COL_FREE,
	COL_SLACK,
	COL_OBJECT_BYTES,
	COL_SLOT_BYTES,
	COL_SLABS,
	COL_ORDERS,
	COL_RECLAIMABLE,
	COL_ACCOUNTED,
	COL_ALIASES,
	COL_ACTIVE,
	COL_COUNTED_SLABS,
	COL_COUNTED_OBJECTS,
	COL_ADDRESS,
	COL_NODE,
	COL_ROOT,
	COL_CACHE,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_PAGES] = { COLUMN_pages, IN_BOTH },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT },
	[COL_OBJECTS] = { COLUMN_objects, IN_BOTH, "free ones included" },
	[COL_INUSE] = { COLUMN_inuse_objects, IN_BOTH },
	[COL_FREE] = { COLUMN_free_objects, IN_JSON },
	[COL_SLACK] = { COLUMN_slack_bytes, IN_BOTH },
	[COL_OBJECT_BYTES] = { COLUMN_object_bytes, IN_BOTH, "slabinfo's objsize is slot_bytes" },
	[COL_SLOT_BYTES] = { COLUMN_slot_bytes, IN_JSON },
	[COL_SLABS] = { COLUMN_slabs, IN_JSON },
	[COL_ORDERS] = { COLUMN_orders, IN_BOTH },
	[COL_RECLAIMABLE] = { COLUMN_reclaimable, IN_BOTH },
	[COL_ACCOUNTED] = { COLUMN_accounted, IN_JSON },
	[COL_ALIASES] = { COLUMN_aliases, IN_JSON },
	[COL_ACTIVE] = { COLUMN_active_objects, IN_JSON },
	[COL_COUNTED_SLABS] = { COLUMN_counted_slabs, IN_JSON },
	[COL_COUNTED_OBJECTS] = { COLUMN_counted_objects, IN_JSON },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "of the struct kmem_cache" },
	[COL_NODE] = { COLUMN_node, IN_JSON, "with -g node" },
	[COL_ROOT] = { COLUMN_root_cache, IN_JSON },
	[COL_CACHE] = { COLUMN_cache, IN_BOTH, .width = 32 },
};

/* Records behind the rows: class slab and its parts, beside the counters of /proc/meminfo. */
enum { TOTAL_NAME, TOTAL_PAGES, TOTAL_COUNTED, TOTAL_DIFF, TOTAL_COUNTER, TOTAL_CAUSE, TOTALS };

static const struct view_column total_columns[TOTALS] = {
	[TOTAL_NAME] = { COLUMN_name, IN_BOTH | KNOWN },
	[TOTAL_PAGES] = { COLUMN_pages, IN_BOTH },
	[TOTAL_COUNTED] = { COLUMN_counted_pages, IN_BOTH | SIGNED },
	[TOTAL_DIFF] = { COLUMN_difference_pages, IN_BOTH },
	[TOTAL_COUNTER] = { COLUMN_counter, IN_JSON },
	[TOTAL_CAUSE] = { COLUMN_cause, IN_BOTH },
};

enum { FILTER_CACHE, FILTER_NODE, FILTER_SIZE, CACHE_KEYS };

static const struct key cache_keys[CACHE_KEYS] = {
	[FILTER_CACHE] = { COLUMN_cache, "slab cache", KEY_FILTERS, .is_text = true },
	[FILTER_NODE] = { COLUMN_node, "NUMA node of the slabs: one row for each cache and node",
			  KEY_GROUPS, .is_text = false },
	[FILTER_SIZE] = { COLUMN_bytes, "bytes of all slabs of the cache", KEY_OF_GROUP,
			  .quantity = RANGE_SIZE },
};

static void prepare(struct cmdline *in)
{
	if (in->ngroups) {
		table_hide(&in->table, COL_CACHE);
		table_show(&in->table, COL_NODE);
		table_show(&in->table, COL_CACHE);
	}
}

static const struct view total_view = { "caches-total", "-t caches", COLUMNS_OF(total_columns) };

const struct view owner_caches_view = { "caches",
					"-t caches",
					COLUMNS_OF(columns),
					.has_groups = true,
					.filters_rows = true,
					.prepare = prepare,
					.below = &total_view,
					.keys = cache_keys,
					.nkeys = CACHE_KEYS };

struct view_sums {
	struct owner_view *v;
	struct slab_caches caches;
	struct class_pages found; /* those of class slab */
	uint64_t reclaimable, unreclaimable;
	uint64_t unknown, bad;	   /* pages without a known cache, slabs with impossible numbers */
	uint64_t ncaches, nlarger; /* caches with a row; those that the kernel counted otherwise */
	uint64_t seen;		   /* pages of System RAM that the walk reached */
	bool is_partial;	   /* interrupted: pages of every cache may be missing */
	uint64_t ncopies;	   /* caches that a cgroup has for itself */
	uint64_t nmerged;	   /* caches into which others were merged */
	uint64_t uncounted;	   /* caches whose counters are not in this dump */
};

static bool keeps(const struct owner_view *v, const struct slab_use *u)
{
	for (unsigned int i = 0; i < v->in->filters.n; i++) {
		const struct filter *f = &v->in->filters.filters[i];
		uint64_t bytes = u->pages << v->page_shift;

		if (!(f->key == FILTER_CACHE ? filter_keeps_text(f, slab_use_name(u))
					     : filter_keeps_number(f, bytes)))
			return false;
	}
	return true;
}

/*
 * What the kernel counted; a cache that it counted otherwise is told once at the end.  False: pages
 * that could not be read may be slabs of the cache.
 */
static bool fill_counts(struct view_sums *s, const struct slab_use *u, struct cell *row)
{
	struct cache_counts n;
	unsigned int node = s->caches.zones ? u->node : ALL_NODES;
	bool known = node != NODE_UNKNOWN || !s->caches.zones, same;

	if (!known || cache_counts_read(&s->caches.slabs, u->cache, node, &n) != ST_OK) {
		s->uncounted++;
		return !s->found.unreadable;
	}
	row[COL_COUNTED_SLABS] = cell_if(n.has_slabs, cell_uint(n.slabs));
	row[COL_COUNTED_OBJECTS] = cell_if(n.has_slabs, cell_uint(n.objects));
	row[COL_ACTIVE] = cell_if(n.has_slabs && n.has_partial && n.partial_free <= n.objects,
				  cell_uint(n.objects - n.partial_free));
	same = n.slabs == u->slabs && (u->bad || n.objects == u->objects);
	s->nlarger += n.has_slabs && !same;
	return !s->found.unreadable || (n.has_slabs && same);
}

static void fill_objects(const struct owner_view *v, const struct slab_use *u, struct cell *row)
{
	uint64_t inuse, bytes = u->pages << v->page_shift;
	bool known = slab_use_objects(u, &inuse);

	row[COL_OBJECTS] = cell_if(!u->bad, cell_uint(u->objects));
	if (!known)
		return;
	row[COL_INUSE] = cell_uint(inuse);
	row[COL_FREE] = cell_uint(u->objects - inuse);
	row[COL_SLACK] = cell_if(inuse * u->cache->bytes <= bytes,
				 cell_uint(bytes - inuse * u->cache->bytes));
}

static void fill_cache(struct view_sums *s, const struct slab_use *u, struct cell *row)
{
	const struct slab_cache *c = u->cache, *root;

	row[COL_OBJECT_BYTES] = cell_uint(c->bytes);
	row[COL_SLOT_BYTES] = cell_uint(c->size);
	row[COL_RECLAIMABLE] = cell_bool(c->is_reclaimable);
	row[COL_ACCOUNTED] = cell_bool(c->is_accounted);
	s->nmerged += c->aliases > 0;
	row[COL_ALIASES] = cell_if(c->has_aliases, cell_uint(c->aliases));
	row[COL_ADDRESS] = cell_hex(c->address);
	if (c->root && slab_cache_get(&s->caches.slabs, c->root, &root) == ST_OK)
		row[COL_ROOT] = cell_text(root->name);
	s->ncopies += c->root != 0;
	if (fill_counts(s, u, row)) {
		fill_objects(s->v, u, row);
		return;
	}
	row[COL_SLABS] = (struct cell){ .kind = CELL_NULL };
	if (!u->pages)
		row[COL_PAGES] = row[COL_BYTES] = row[COL_RAM] = row[COL_SLABS];
}

static void add_total(struct view_sums *s, const struct slab_use *u)
{
	s->found.pages[CLASS_SLAB] += u->pages;
	if (u->kind == SLAB_USE_UNKNOWN) {
		s->unknown += u->pages;
		return;
	}
	s->bad += u->bad;
	if (u->kind == SLAB_USE_CACHE && u->cache->is_reclaimable)
		s->reclaimable += u->pages;
	else
		s->unreclaimable += u->pages;
}

static enum status add_row(struct view_sums *s, const struct slab_use *u)
{
	struct owner_view *v = s->v;
	struct cell *row;

	add_total(s, u);
	if (!keeps(v, u)) {
		v->in->table.refused++;
		return ST_OK;
	}
	row = table_add(&v->in->table);
	if (!row)
		return ST_NOMEM;
	row[COL_CACHE] = cell_text(slab_use_name(u));
	row[COL_PAGES] = cell_uint(u->pages);
	row[COL_BYTES] = cell_uint(u->pages << v->page_shift);
	row[COL_RAM] = cell_uint(units_tenths(u->pages, v->owner.ram.pages));
	row[COL_SLABS] = cell_uint(u->slabs);
	row[COL_ORDERS] = cell_if(u->orders, cell_uint(u->orders));
	if (s->caches.zones)
		row[COL_NODE] = cell_if(u->node != NODE_UNKNOWN, cell_uint(u->node));
	if (u->kind == SLAB_USE_CACHE) {
		s->ncaches++;
		fill_cache(s, u, row);
	}
	return ST_OK;
}

static enum status fill_table(struct view_sums *s)
{
	const struct opts *o = &s->v->in->opts;
	enum status st = ST_OK;

	for (struct hash_bytes_entry *e = s->caches.uses.first; e && st == ST_OK; e = e->next) {
		if (dump_stopped(s->v->dump))
			return ST_STOPPED;
		st = add_row(s, e->value);
	}
	table_filter(&s->v->in->table, &s->v->in->filters);
	return st == ST_OK
		       ? table_sort(&s->v->in->table, o->sort ? o->sort : "pages,cache", o->reverse)
		       : st;
}

struct part_cause {
	int64_t diff;
	const char *text; /* NULL: no difference, or it is unknown */
};

/* slab: the difference of both parts; only its cause can be that of a part. */
static enum status add_part(struct view_sums *s, struct table *t, const char *name, uint64_t pages,
			    const char *counter, const struct part_cause *slab)
{
	struct cell *row = table_add(t);
	int64_t n, diff;

	if (!row)
		return ST_NOMEM;
	row[TOTAL_NAME] = cell_text(name);
	row[TOTAL_COUNTER] = cell_text(counter);
	/* Which of the two a page without a known cache belongs to is unknown. */
	if (!s->unknown && !s->found.unreadable && !s->is_partial)
		row[TOTAL_PAGES] = cell_uint(pages);
	if (!s->v->counters || counter_read(s->v->counters, counter, &n) != ST_OK)
		return ST_OK;
	row[TOTAL_COUNTED] = cell_int(n);
	if (s->unknown || s->found.unreadable || s->is_partial)
		return ST_OK;
	diff = (int64_t)pages - n;
	row[TOTAL_DIFF] = cell_int(diff);
	if (diff)
		row[TOTAL_CAUSE] = cell_text(slab && slab->text && diff == slab->diff ? slab->text
										      : "unknown");
	return ST_OK;
}

static enum status put_totals(struct view_sums *s)
{
	struct owner_view *v = s->v;
	struct class_count count;
	struct part_cause cause = { 0 };
	struct table t;
	struct cell *row;
	enum status st = table_init(&t, v->dump, total_columns, TOTALS, v->in->opts.json);

	if (st != ST_OK)
		return st;
	row = table_add(&t);
	if (!row)
		return ST_NOMEM;
	class_count(v, &s->found, CLASS_SLAB, &count);
	row[TOTAL_NAME] = cell_text("slab");
	row[TOTAL_PAGES] = cell_if(!s->is_partial &&
					   (s->found.pages[CLASS_SLAB] || !s->found.unreadable),
				   cell_uint(s->found.pages[CLASS_SLAB]));
	row[TOTAL_COUNTER] = cell_text(count.counter);
	if (count.known) {
		row[TOTAL_COUNTED] = cell_int(count.pages);
	}
	if (count.known && row[TOTAL_PAGES].kind != CELL_NULL) {
		cause.diff = (int64_t)s->found.pages[CLASS_SLAB] - count.pages;
		cause.text = count.cause;
		row[TOTAL_DIFF] = cell_int(cause.diff);
		row[TOTAL_CAUSE] = cell_text(cause.text);
	}
	st = add_part(s, &t, "reclaimable", s->reclaimable, "nr_slab_reclaimable", NULL);
	if (st == ST_OK)
		/* Large kmalloc is counted here, whatever its gfp flags (mm/slub.c). */
		st = add_part(s, &t, "unreclaimable", s->unreclaimable, "nr_slab_unreclaimable",
			      &cause);
	if (st == ST_OK)
		report_records(&v->report, &t, "total");
	return st;
}

static void put_warnings(struct view_sums *s)
{
	struct report *r = &s->v->report;
	char n[UNITS_PLURAL];

	if (s->unknown)
		report_warn(
			r,
			"the cache of %s is unknown: slab or kmem_cache not in this dump, or corrupt",
			units_plural(n, s->unknown, "slab page", "slab pages"));
	if (s->bad)
		report_warn(r, "%s impossible numbers of objects",
			    units_plural(n, s->bad, "slab has", "slabs have"));
	if (s->found.unreadable)
		report_warn(r, "no struct page in this dump for %s: any of them may be a slab page",
			    units_plural(n, s->found.unreadable, "page", "pages"));
	if (s->caches.problem)
		report_warn(r, "objects in use are unknown for some caches: %s", s->caches.problem);
	if (s->caches.list_problem)
		report_warn(r, "caches without a slab are missing: %s", s->caches.list_problem);
	if (s->uncounted)
		report_warn(r, "the kernel's counters are not available for %s",
			    units_plural(n, s->uncounted, "cache", "caches"));
	if (s->nlarger)
		report_warn(
			r,
			"the kernel counted another number of slabs or objects of %s: see -o +counted_slabs,counted_objects",
			units_plural(n, s->nlarger, "cache", "caches"));
}

static void put_end(struct view_sums *s, enum status st)
{
	struct owner_view *v = s->v;
	char n[UNITS_BYTES], ram[UNITS_BYTES], rows[UNITS_PLURAL];

	report_rows_kept(&v->report, &v->in->filters, &v->in->table, "cache", "caches");
	put_warnings(s);
	units_count(n, s->seen - s->found.unreadable);
	units_count(ram, v->owner.ram.pages);
	if (!v->in->opts.json) {
		sink_text(
			v->out,
			"INUSE: objects that have an owner; /proc/slabinfo counts free objects of CPUs as active\n");
		if (s->nmerged)
			sink_printf(v->out,
				    "%s objects of caches merged into %s: see -o +aliases\n",
				    units_plural(rows, s->nmerged, "cache has", "caches have"),
				    s->nmerged == 1 ? "it" : "them");
		if (s->ncopies)
			sink_printf(
				v->out,
				"%s of a cgroup each; /proc/slabinfo adds them to the cache of their name: see -o +root_cache\n",
				units_plural(rows, s->ncopies, "cache is", "caches are"));
		sink_printf(v->out, "slab pages among %s of %s pages of %s\n", n, ram,
			    v->owner.ram.name);
	}
	report_end(&v->report, NULL,
		   st == ST_OK && !s->found.unreadable && !s->unknown && !s->bad && !s->uncounted &&
			   !s->caches.problem && !s->caches.list_problem && !v->owner.ram.derived);
}

enum status owner_caches(struct owner_view *v)
{
	struct view_sums *s = dump_alloc(v->dump, sizeof(*s));
	enum status st, filled;
	size_t shown;

	if (!s)
		return ST_NOMEM;
	s->v = v;
	st = v->has_states ? slab_caches_open(v->dump, &v->states,
					      v->in->ngroups ? &v->zones : NULL, &s->caches)
			   : ST_UNKNOWN;
	if (st != ST_OK) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	owner_view_counters(v);
	st = slab_caches_scan(&s->caches, &v->owner.ram, &s->found.unreadable, &s->seen);
	s->is_partial = st == ST_STOPPED;
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	filled = fill_table(s);
	if (filled != ST_OK && filled != ST_STOPPED)
		return filled;
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, DEFAULT_ROWS);
	report_rest_bytes(&s->v->report, &s->v->in->table, shown, COL_BYTES, "cache", "caches");
	filled = put_totals(s);
	if (filled != ST_OK)
		return filled;
	put_end(s, st);
	return st;
}
