// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slab caches, the largest first: a walk over the pages of class slab, and beside it the kernel's
 * own counters of each cache.
 */

#include "modules/cache_modules.h"
#include "pageowner/class_counters.h"
#include "pageowner/memory.h"
#include "slab/slub_nodes.h"
#include "zones/vmstat.h"

/* A cache, or what it has on one node. */
struct cache_row {
	const char *name, *root;
	struct slab_use use;
	struct slab_cache cache; /* if is_cache */
	struct cache_counts counts;
	uint64_t active, inuse, free, slack;
	bool is_cache, has_node, has_pages, has_slabs, has_objects, has_active, has_inuse,
		has_slack;
	bool uncounted, differs; /* what the kernel counted is unknown; is not what was found */
};

#define ROW struct cache_row

/* What was told of a cache that has a row, or one for each node. */
struct told {
	bool uncounted, differs, is_merged, is_copy;
};

struct view_sums {
	struct owner_view *v;
	struct slab_caches caches;
	struct class_pages found; /* those of class slab */
	uint64_t reclaimable, unreclaimable;
	uint64_t unknown, bad; /* pages without a known cache, slabs with impossible numbers */
	uint64_t nlarger;      /* caches that the kernel counted otherwise */
	uint64_t seen;	       /* pages of System RAM that the walk reached */
	bool is_partial;       /* interrupted: pages of every cache may be missing */
	uint64_t ncopies;      /* caches that a cgroup has for itself */
	uint64_t nmerged;      /* caches into which others were merged */
	uint64_t uncounted;    /* caches whose counters are not in this dump */
	struct slab_alias *aliases;
	bool has_no_names;	     /* of merged caches: the kernel keeps none */
	const char *aliases_problem; /* NULL, or why names of merged caches are missing */
	struct hash_u64 told;	     /* by address of the cache */
	struct cache_modules modules;
	bool has_modules; /* they were looked for */
};

CAN_HAVE(is_cache, ROW, const struct view_sums, r->use.kind != SLAB_USE_LARGE)
CAN_HAVE(has_slabs, ROW, const struct view_sums, !r->has_slabs || r->use.slabs)
CAN_HAVE(is_by_node, ROW, const struct view_sums, v->caches.zones)
CAN_HAVE(is_copy, ROW, const struct view_sums, r->cache.root)
CAN_HAVE(is_merged, ROW, const struct view_sums,
	 r->is_cache && (r->cache.aliases || !r->cache.has_aliases))
static struct cell alias_names_cell(const void *record, void *view);

static const struct cache_module *module_of(const struct view_sums *s, const ROW *r)
{
	return s->has_modules && r->is_cache ? cache_module_of(&s->modules, r->cache.address)
					     : NULL;
}

/* Into a cache that others made, too, the variable of one leads: who made it is by its constructor alone. */
static bool has_other_makers(const ROW *r, const struct cache_module *m)
{
	return m && m->from == CACHE_BY_VARIABLE && (r->cache.aliases || !r->cache.has_aliases);
}

static struct cell module_cell(const void *record, void *view)
{
	const struct cache_module *m = module_of(view, record);

	if (has_other_makers(record, m))
		return cell_text(((const ROW *)record)->cache.has_aliases ? "[several]" : NULL);
	return cell_text(!m ? NULL : m->has_several ? "[several]" : m->name);
}

static struct cell module_source_cell(const void *record, void *view)
{
	static const char *const sources[] = {
		[CACHE_BY_CONSTRUCTOR] = "constructor", [CACHE_BY_VARIABLE] = "variable"
	};
	const struct cache_module *m = module_of(view, record);

	return cell_text(m && !has_other_makers(record, m) ? sources[m->from] : NULL);
}

CELL_WITH(basis_cell, ROW, const struct view_sums,
	  cell_text(v->has_modules ? "inferred" : "derived"))

#define MADE_IT "that made the cache, as far as it shows"

static const struct view_column columns[] = {
	{ COLUMN_pages, IN_BOTH, UINT_IF(ROW, use.pages, has_pages) },
	{ COLUMN_bytes, IN_BOTH, PAGES_IF(ROW, use.pages, has_pages) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_IF(ROW, use.pages, has_pages) },
	{ COLUMN_objects, IN_BOTH, "free ones included", .can_have = is_cache,
	  UINT_IF(ROW, use.objects, has_objects) },
	{ COLUMN_inuse_objects, IN_BOTH, .can_have = is_cache, UINT_IF(ROW, inuse, has_inuse) },
	{ COLUMN_free_objects, IN_JSON, .can_have = is_cache, UINT_IF(ROW, free, has_inuse) },
	{ COLUMN_slack_bytes, IN_BOTH, .can_have = is_cache, UINT_IF(ROW, slack, has_slack) },
	{ COLUMN_object_bytes, IN_BOTH, "slabinfo's objsize is slot_bytes", .can_have = is_cache,
	  UINT_IF(ROW, cache.bytes, is_cache) },
	{ COLUMN_slot_bytes, IN_JSON, .can_have = is_cache, UINT_IF(ROW, cache.size, is_cache) },
	{ COLUMN_slabs, IN_JSON, UINT_IF(ROW, use.slabs, has_slabs) },
	{ COLUMN_orders, IN_BOTH, .can_have = has_slabs, UINT_NONZERO(ROW, use.orders) },
	{ COLUMN_reclaimable, IN_BOTH, .can_have = is_cache,
	  BOOL_IF(ROW, cache.is_reclaimable, is_cache) },
	{ COLUMN_accounted, IN_JSON, .can_have = is_cache,
	  BOOL_IF(ROW, cache.is_accounted, is_cache) },
	{ COLUMN_aliases, IN_JSON, .can_have = is_cache,
	  UINT_IF(ROW, cache.aliases, cache.has_aliases) },
	{ COLUMN_alias_names, IN_JSON, .can_have = is_merged, CELL_BY(alias_names_cell) },
	{ COLUMN_active_objects, IN_JSON, .can_have = is_cache, UINT_IF(ROW, active, has_active) },
	{ COLUMN_counted_slabs, IN_JSON, .can_have = is_cache,
	  UINT_IF(ROW, counts.slabs, counts.has_slabs) },
	{ COLUMN_counted_objects, IN_JSON, .can_have = is_cache,
	  UINT_IF(ROW, counts.objects, counts.has_slabs) },
	{ COLUMN_address, IN_JSON, "of the struct kmem_cache", .can_have = is_cache,
	  HEX_IF(ROW, cache.address, is_cache) },
	{ COLUMN_node, IN_JSON, "with -g node", .can_have = is_by_node, .needs_key = COLUMN_node,
	  UINT_IF(ROW, use.node, has_node) },
	{ COLUMN_root_cache, IN_JSON, .can_have = is_copy, TEXT_OF(ROW, root) },
	{ COLUMN_module, 0, MADE_IT, .can_have = is_cache, CELL_BY(module_cell) },
	{ COLUMN_module_source, 0, .can_have = is_cache, CELL_BY(module_source_cell) },
	{ COLUMN_cache, IN_BOTH, .width = 32, TEXT_OF(ROW, name) },
	BASIS_ASKED(basis_cell, "inferred where module is asked for"),
};

/* Class slab and its parts, beside the counters of /proc/meminfo. */
static const struct view_column total_columns[] = { CLASS_TOTAL_COLUMNS };

static const struct key cache_keys[] = {
	{ COLUMN_cache, "slab cache", KEY_FILTERS, .other_names = cache_other_names,
	  .forms = &filter_forms_kmalloc },
	{ COLUMN_node, "NUMA node of the slabs: one row for each cache and node", KEY_GROUPS },
	{ COLUMN_module, "module that made the cache, vmlinux without one; inferred",
	  KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_bytes, "bytes of all slabs of the cache", KEY_OF_GROUP },
};

static const struct view by_node_view;

static void prepare(struct cmdline *in)
{
	if (!in->ngroups)
		return;
	rows_show_groups(in, (const enum column_id[]){ COLUMN_cache, COLUMN_NONE });
	in->shown = &by_node_view;
}

static const struct view total_view = { "caches-total", "", COLUMNS_OF(total_columns) };

#define NAMES_BYTES 4096 /* of names of caches that were merged: a kernel has some ten in one */

static struct cell alias_names_cell(const void *record, void *view)
{
	const struct view_sums *s = view;
	const ROW *r = record;
	struct strbuf text = STRBUF_OF(NAMES_BYTES);
	uint32_t found = 0;

	/* One of them is its own. */
	if (r->is_cache && !r->name)
		return cell_text(NULL);
	for (const struct slab_alias *a = r->is_cache ? s->aliases : NULL; a; a = a->next)
		if (a->cache == r->cache.address && strcmp(a->name, r->name)) {
			strbuf_add(&text, "%s%s", strbuf_between(&text, ","), a->name);
			found++;
		}
	/* Links that this dump lacks: a part of the names is not all of them. */
	if (r->cache.has_aliases ? found < r->cache.aliases : s->aliases_problem != NULL)
		return cell_text(NULL);
	return cell_text(text.len ? dump_strdup(s->v->dump, text.buf) : NULL);
}

static void read_aliases(struct view_sums *s)
{
	struct dump *d = s->v->dump;
	enum status st = slab_aliases_read(d, &s->aliases);

	if (st != ST_OK)
		s->aliases_problem = dump_why(d);
	s->has_no_names = st == ST_ABSENT;
}

/* What the kernel counted. False: pages that could not be read may be slabs of the cache. */
static bool read_counts(struct view_sums *s, const struct slab_use *u, struct cache_row *row)
{
	struct cache_counts *n = &row->counts;
	unsigned int node = s->caches.zones ? u->node : ALL_NODES;
	bool known = node != NODE_UNKNOWN || !s->caches.zones, same;

	row->uncounted = !known || cache_counts_read(&s->caches.slabs, u->cache, node, n) != ST_OK;
	if (row->uncounted) {
		*n = (struct cache_counts){ 0 };
		return !s->found.unreadable;
	}
	row->has_active = n->has_slabs && n->has_partial && n->partial_free <= n->objects;
	row->active = n->objects - n->partial_free;
	same = n->slabs == u->slabs && (u->bad || n->objects == u->objects);
	/* With pages missing it is no difference. */
	row->differs = n->has_slabs && !same && !s->found.unreadable;
	return !s->found.unreadable || (n->has_slabs && same);
}

static void fill_cache(struct view_sums *s, const struct slab_use *u, struct cache_row *row)
{
	const struct slab_cache *root;
	uint64_t bytes = u->pages << s->v->page_shift, used;
	bool known = read_counts(s, u, row);

	row->cache = *u->cache;
	if (u->cache->root && slab_cache_get(&s->caches.slabs, u->cache->root, &root) == ST_OK)
		row->root = root->name;
	row->has_slabs = known;
	row->has_pages = known || u->pages;
	row->has_objects = known && !u->bad;
	row->has_inuse = known && slab_use_objects(u, &row->inuse);
	row->free = u->objects - row->inuse;
	used = row->inuse * u->cache->bytes;
	row->has_slack = row->has_inuse && used <= bytes;
	row->slack = bytes - used;
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

static void count_once(bool *told, bool is, uint64_t *n)
{
	*n += is && !*told;
	*told |= is;
}

static void count_cache(struct view_sums *s, const struct cache_row *row)
{
	struct told *told = hash_u64_get(&s->told, row->cache.address, NULL);

	count_once(&told->uncounted, row->uncounted, &s->uncounted);
	count_once(&told->differs, row->differs, &s->nlarger);
	count_once(&told->is_merged, row->cache.aliases > 0, &s->nmerged);
	count_once(&told->is_copy, row->cache.root != 0, &s->ncopies);
}

static void add_row(struct view_sums *s, const struct slab_use *u)
{
	struct cmdline *in = s->v->in;
	struct cache_row row = {
		.name = slab_use_name(u),
		.use = *u,
		.is_cache = u->kind == SLAB_USE_CACHE,
		.has_node = s->caches.zones && u->node != NODE_UNKNOWN,
		.has_pages = true,
		.has_slabs = true,
	};

	add_total(s, u);
	if (row.is_cache)
		fill_cache(s, u, &row);
	if (in->shown->member_columns) {
		rows_add(in, &row, s);
		return;
	}
	if (!rows_keep(in, &row, s))
		return;
	if (table_will_keep(&in->table, &in->filters, row_add(&in->table, &row, s)) && row.is_cache)
		count_cache(s, &row);
}

/* slab: both parts; the cause of their difference can be that of a part. */
static struct class_total part_total(const struct view_sums *s, const char *name, uint64_t pages,
				     const char *counter, const struct class_total *slab)
{
	const struct counters *counters = s->v->counters;
	struct class_count count = { .counter = counter };
	struct class_total t;

	count.known = counters && counter_read(counters, counter, &count.pages) == ST_OK;
	/* Which of the two a page without a known cache belongs to is unknown. */
	t = class_part(name, pages, !s->unknown && !s->found.unreadable && !s->is_partial, count);
	if (t.has_difference && t.difference)
		t.count.cause = slab && slab->count.cause && t.difference == slab->difference
					? slab->count.cause
					: "unknown";
	return t;
}

static void put_totals(struct view_sums *s)
{
	struct owner_view *v = s->v;
	bool has_pages = !s->is_partial && (s->found.pages[CLASS_SLAB] || !s->found.unreadable);
	const struct class_total slab = class_total(v, &s->found, CLASS_SLAB, "slab", has_pages);
	const struct class_total totals[] = {
		slab,
		part_total(s, "reclaimable", s->reclaimable, "nr_slab_reclaimable", NULL),
		/* Large kmalloc is counted here, whatever its gfp flags (mm/slub.c). */
		part_total(s, "unreclaimable", s->unreclaimable, "nr_slab_unreclaimable", &slab),
	};

	rows_put_below(&v->report, v->in, v->in->shown->below, totals, 3, sizeof(totals[0]), s);
}

static void put_end(struct view_sums *s, enum status st)
{
	struct owner_view *v = s->v;
	char n[UNITS_BYTES];
	const struct gap gaps[] = {
		{ "the cache of %s is unknown: slab or kmem_cache not in this dump, or corrupt",
		  s->unknown, "slab page", "slab pages" },
		{ "%s impossible numbers of objects", s->bad, "slab has", "slabs have" },
		{ "no struct page in this dump for %s: any of them may be a slab page",
		  s->found.unreadable, "page", "pages" },
		GAP_WHY("objects in use are unknown for some caches: %s", s->caches.problem),
		GAP_WHY("caches without a slab are missing: %s", s->caches.list_problem),
		{ "modules of some caches are unknown: %s", s->modules.problem != NULL,
		  .why = s->modules.problem, .keeps_sizes = true },
		{ "names of caches that were merged are missing: %s",
		  s->nmerged && s->aliases_problem, .why = s->aliases_problem,
		  .is_note = s->has_no_names },
		{ "the kernel's counters are not available for %s", s->uncounted, "cache", "caches",
		  .keeps_sizes = true },
		{ "the kernel counted another number of slabs or objects of %s: see -o "
		  "+counted_slabs,counted_objects",
		  s->nlarger, "cache", "caches", .is_note = true },
	};

	rows_put_kept(&v->report, v->in);
	if (cmdline_filters_column(v->in, COLUMN_module))
		report_warn(&v->report,
			    "module is the one that made the cache: what it has in others, as "
			    "kmalloc-64, is of memowner objects and holders -f module");
	REPORT_GAPS(&v->report, gaps);
	units_count(n, s->seen - s->found.unreadable);
	if (!v->in->opts.json) {
		sink_text(
			v->out,
			"INUSE: objects that are not free, those that wait for RCU to be freed too; /proc/slabinfo counts free objects of CPUs as active\n");
		if (v->in->shown->member_columns)
			sink_text(v->out, "when objects were made is recorded with slub_debug=U "
					  "alone: memowner objects\n");
		if (s->nmerged)
			sink_printf(v->out, "%s other caches merged into %s: see -o +alias_names\n",
				    PLURAL_TEXT(s->nmerged, "cache has", "caches have"),
				    s->nmerged == 1 ? "it" : "them");
		if (s->ncopies)
			sink_printf(
				v->out,
				"%s of a cgroup each; /proc/slabinfo adds them to the cache of their name: see -o +root_cache\n",
				PLURAL_TEXT(s->ncopies, "cache is", "caches are"));
		sink_printf(v->out, "slab pages among %s of %s pages of %s\n", n,
			    COUNT_TEXT(v->owner.ram.pages), v->owner.ram.name);
	}
	report_end(&v->report, NULL, st == ST_OK && !v->owner.ram.derived);
}

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;

	v->shows_types = true;
	return memory_open(v, 0, why);
}

/* They take a walk over the data of the kernel: only where they are asked for. */
static void find_modules(struct view_sums *s)
{
	const struct cmdline *in = s->v->in;

	if (!in->shown->member_columns && !table_needs(&in->table, COLUMN_module) &&
	    !table_needs(&in->table, COLUMN_module_source) &&
	    !cmdline_filters_column(in, COLUMN_module))
		return;
	cache_modules_init(s->v->dump, &s->modules);
	for (struct hash_bytes_entry *e = s->caches.uses.first; e; e = e->next) {
		const struct slab_use *u = e->value;

		if (u->kind == SLAB_USE_CACHE)
			cache_modules_want(&s->modules, u->cache->address);
	}
	s->has_modules = cache_modules_find(&s->modules) == ST_OK;
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct view_sums *s = dump_alloc(v->dump, sizeof(*s));
	enum status st;

	s->v = v;
	hash_u64_init(&s->told, v->dump->arena, sizeof(struct told));
	v->in->table.whole = ram_base(&v->owner.ram);
	st = v->has_states
		     ? slab_caches_open(v->dump, &v->states,
					v->in->ngroups && !v->in->shown->member_columns ? &v->zones
											: NULL,
					&s->caches)
		     : ST_UNKNOWN;
	if (st != ST_OK) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	owner_view_counters(v);
	read_aliases(s);
	st = slab_caches_scan(&s->caches, &v->owner.ram, &s->found.unreadable, &s->seen);
	s->is_partial = st == ST_STOPPED;
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	find_modules(s);
	for (struct hash_bytes_entry *e = s->caches.uses.first; e && !dump_stopped(v->dump);
	     e = e->next)
		add_row(s, e->value);
	rows_show(&v->report, v->in);
	put_totals(s);
	put_end(s, st);
	return st;
}

static const struct view_column group_columns[] = {
	{ COLUMN_caches, IN_BOTH | KNOWN, MEMBERS },
	{ COLUMN_pages, IN_BOTH, SUM_OF(COLUMN_pages) },
	{ COLUMN_bytes, IN_BOTH, SUM_OF(COLUMN_bytes) },
	{ COLUMN_ram_percent, IN_TEXT, SUM_SHARE_OF(COLUMN_pages) },
	{ COLUMN_objects, IN_BOTH, "free ones included", SUM_OF(COLUMN_objects) },
	{ COLUMN_inuse_objects, IN_BOTH, SUM_OF(COLUMN_inuse_objects) },
	{ COLUMN_slack_bytes, IN_BOTH, SUM_OF(COLUMN_slack_bytes) },
	{ COLUMN_module, 0, MADE_IT },
	BASIS(inferred),
};

static const struct key group_keys[] = {
	{ COLUMN_module, "module that made the caches, vmlinux without one",
	  KEY_FILTERS | KEY_GROUPS },
	{ COLUMN_cache, "slab cache", KEY_FILTERS, .other_names = cache_other_names,
	  .forms = &filter_forms_kmalloc },
	{ COLUMN_bytes, "bytes of all slabs of the group", KEY_OF_GROUP },
};

static const struct view groups_total_view = { "caches_groups-total", "",
					       COLUMNS_OF(total_columns) };

static const struct view groups_view = {
	"caches_groups",
	"-g module",
	COLUMNS_OF(group_columns),
	KEYS_OF(group_keys),
	.has_groups = true,
	.prepare = cmdline_show_keys,
	.below = &groups_total_view,
	ROWS_ARE("group", "groups", "pages,caches", 10),
	MEMBERS_ARE("cache", "caches"),
	SUMS_UP(columns),
	.open = open_view,
	.show = show,
};

#define CACHES_VIEW(ONE, MANY)                                                                   \
	{                                                                                        \
		"caches", "", COLUMNS_OF(columns), KEYS_OF(cache_keys),                          \
			.has_groups = true, .prepare = prepare, .below = &total_view,            \
			.grouped = &groups_view, .grouped_by = "module",                         \
			ROWS_ARE(ONE, MANY, "pages,cache", 10), .open = open_view, .show = show, \
	}

static const struct view by_node_view = CACHES_VIEW("row", "rows");
const struct view owner_caches_view = CACHES_VIEW("cache", "caches");
