// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every page of System RAM by its class, beside each class the kernel's own
 * counter from the dump, and the callers of direct pages.
 */
#include "memory.h"

#include "class_counters.h"
#include "class_huge.h"
#include "oom/oom_report.h"

struct log_counters {
	const struct oom_report *report; /* NULL: none was found */
	unsigned int page_shift;
};

#define NONE MEM_NCOUNTERS

/* By class: counters that every kernel has, and one that some have; 0 of them: no such sum. */
static const struct {
	unsigned int required;
	enum mem_counter plus[2];
} sums[PAGE_CLASSES] = {
	[CLASS_SLAB] = { 2, { MEM_slab_reclaimable, MEM_slab_unreclaimable } },
	[CLASS_PGTABLE] = { 1, { MEM_pagetables, MEM_sec_pagetables } },
	[CLASS_SHMEM] = { 1, { MEM_shmem, NONE } },
	[CLASS_BUDDY] = { 1, { MEM_free, NONE } },
	[CLASS_PCP] = { 1, { MEM_free_pcp, NONE } },
};

/* ST_OK: or the log has no report.  Any other: it could not be read. */
static enum status log_counters_read(struct dump *d, struct log_counters *ret)
{
	struct oom_reports *reports = dump_alloc(d, sizeof(*reports));
	struct kernel_log log = { 0 };
	enum status st = kernel_log_read(d, &log);

	ret->report = NULL;
	ret->page_shift = d->page_shift;
	/* A part of the log may have the report. */
	if (log.n && (st == ST_UNREADABLE || st == ST_CORRUPT))
		st = ST_OK;
	st = st ?: oom_reports_read(d, &log, reports);
	return RESULT(st, &ret->report, oom_reports_last_mem_info(reports));
}

/* Cached + Buffers - Shmem, as of /proc/meminfo. */
static bool find_file(const struct mem_info *m, int64_t *ret)
{
	const struct log_number *shmem = &m->pages[MEM_shmem];

	if (!m->pagecache.known || !m->swap_cache.known || !shmem->known)
		return false;
	*ret = (int64_t)(m->pagecache.value - m->swap_cache.value - shmem->value);
	return true;
}

/* Counters of zones in KiB; every zone must have it. */
static bool find_in_zones(const struct log_counters *l, enum mem_zone_counter counter, int64_t *ret)
{
	const struct mem_info *m = &l->report->mem;
	uint64_t kib = 0;

	for (unsigned int i = 0; i < m->nzones; i++) {
		if (!m->zones[i].kib[counter].known)
			return false;
		kib += m->zones[i].kib[counter].value;
	}
	*ret = (int64_t)(kib << 10 >> l->page_shift);
	return m->nzones;
}

/* In pages; false: the report has no such counter, or none of it is in this dump. */
static bool log_counters_find(const struct log_counters *l, enum page_class class, int64_t *ret)
{
	const struct mem_info *m = l->report ? &l->report->mem : NULL;
	int64_t sum = 0;

	if (!m)
		return false;
	if (class == CLASS_FILE)
		return find_file(m, ret);
	if (class == CLASS_KSTACK)
		return find_in_zones(l, MEM_ZONE_kernel_stack, ret);
	if (class == CLASS_ZSMALLOC)
		return find_in_zones(l, MEM_ZONE_zspages, ret);
	for (unsigned int i = 0; i < 2; i++) {
		enum mem_counter counter = sums[class].plus[i];
		bool known = counter != NONE && m->pages[counter].known;

		if (!known && i < sums[class].required)
			return false;
		sum += known ? (int64_t)m->pages[counter].value : 0;
	}
	*ret = sum;
	return sums[class].required;
}

/* "report of the OOM killer": what the block belongs to. */
static const char *log_counters_source(const struct log_counters *l)
{
	static const char *const sources[OOM_REPORT_KINDS] = {
		[OOM_REPORT_OOM] = "report of the OOM killer",
		[OOM_REPORT_ALLOCATION] = "report of a failed allocation",
		[OOM_REPORT_MEM_INFO] = "Mem-Info block",
	};

	return sources[l->report->kind];
}

/* A class, or the pages without one. */
struct class_row {
	struct class_total total;
	bool has_share; /* it is online */
	bool has_logged, can_have_used, has_used;
	int64_t logged;
	uint64_t used; /* bytes */
	bool can_have_huge, has_huge;
	uint64_t huge; /* pages */
};

#define ROW struct class_row

CAN_HAVE(is_in_use, ROW, void, r->can_have_used)
CAN_HAVE(may_be_huge, ROW, void, r->can_have_huge)

static const struct view_column columns[] = {
	{ COLUMN_class, IN_BOTH | KNOWN, .choices = page_class_row_names + 1,
	  .elsewhere = PAGE_CACHE_HINT, TEXT_OF(ROW, total.name) },
	{ COLUMN_pages, IN_BOTH, UINT_IF(ROW, total.pages, total.has_pages) },
	{ COLUMN_bytes, IN_BOTH, PAGES_IF(ROW, total.pages, total.has_pages) },
	{ COLUMN_used_bytes, IN_JSON, "of hugetlb: what is not free in its pools",
	  .can_have = is_in_use, UINT_IF(ROW, used, has_used) },
	{ COLUMN_ram_percent, IN_TEXT, SHARE_IF(ROW, total.pages, has_share) },
	{ COLUMN_counted_pages, IN_BOTH | SIGNED, "at the panic, with per-CPU deltas",
	  INT_IF(ROW, total.count.pages, total.count.known) },
	{ COLUMN_difference_pages, IN_BOTH, INT_IF(ROW, total.difference, total.has_difference) },
	{ COLUMN_thp_pages, IN_BOTH, .can_have = may_be_huge, UINT_IF(ROW, huge, has_huge) },
	{ COLUMN_log_pages, IN_JSON, INT_IF(ROW, logged, has_logged) },
	{ COLUMN_counter, IN_JSON, TEXT_OF(ROW, total.count.counter) },
	{ COLUMN_cause, IN_BOTH, TEXT_OF(ROW, total.count.cause) },
	BASIS(derived),
};

/* Records behind the rows: who allocated the direct pages, pages by the word of the caller. */
#define CALLER struct hash_u64_entry
#define PAGES (*(const uint64_t *)r->value)

CELL_FROM(pages_cell, CALLER, cell_uint(PAGES))
CELL_WITH(bytes_cell, CALLER, struct owner_view, cell_uint(PAGES << v->page_shift))
CELL_WITH(ram_cell, CALLER, struct owner_view,
	  cell_uint(units_tenths(PAGES, ram_base(&v->owner.ram))))
CELL_WITH(caller_cell, CALLER, struct owner_view, owner_value_cell(v, KEY_CALLER, r->key))

static const struct view_column caller_columns[] = {
	{ COLUMN_pages, IN_BOTH | KNOWN, CELL_BY(pages_cell) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, CELL_BY(bytes_cell) },
	{ COLUMN_ram_percent, IN_TEXT | KNOWN, CELL_BY(ram_cell) },
	{ COLUMN_caller, IN_BOTH, CELL_BY(caller_cell) },
	BASIS(derived),
};

static const struct view direct_view = { "classes-direct", "-m", COLUMNS_OF(caller_columns),
					 ALL_ROWS_ARE("caller", "callers", "pages", 10) };

struct memory {
	struct owner_view *v;
	struct class_pages found;
	uint64_t undecodable; /* live pages with a stack that cannot be decoded */
	struct log_counters log;
	struct scan_stats cov;
	struct hash_u64 callers; /* uint64_t pages by the word of the caller, of direct pages */
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct memory *m = arg;
	struct owner_view *v = m->v;
	enum page_class class;
	struct page_facts f;
	struct page_info info;

	if (page->allocated)
		m->undecodable += !stack_cache_get(&v->stacks, page->handle)->decoded;
	if (!memory_class(v, page, &info, &class)) {
		m->found.unreadable++;
		return ST_OK;
	}
	class_add_page(v, &m->found, class, page->pfn, &info);
	if (!page->allocated || class != CLASS_DIRECT)
		return ST_OK;
	page_facts_init(v, page, &f);
	++*(uint64_t *)hash_u64_get(&m->callers, owner_value(&f, KEY_CALLER), NULL);
	return ST_OK;
}

static bool is_all_seen(const struct memory *m, enum page_class class)
{
	const struct page_classes *classes = m->v->classes;

	return !m->found.unreadable && !(classes && classes->cut[class]);
}

static void add_row(struct memory *m, enum page_class class, const char *name, uint64_t pages)
{
	struct class_row row = { 0 };
	struct class_count count;

	class_count(m->v, &m->found, class, &count);
	/* Without a page it is one of which none was seen, where not all were. */
	row.total = class_part(name, pages, pages || is_all_seen(m, class), count);
	row.has_share = row.total.has_pages && class_has_share(class, &m->v->owner.ram);
	row.can_have_used = class == CLASS_HUGETLB;
	row.has_used = class_used_bytes(m->v->dump, class, &row.used);
	row.can_have_huge = class_huge_counter(class) != NULL;
	row.has_huge = row.total.has_pages &&
		       class_huge_pages(m->v->counters, dump_page_size(m->v->dump), class, pages,
					&row.huge);
	row.has_logged = log_counters_find(&m->log, class, &row.logged);
	row_add(&m->v->in->table, &row, m);
}

/* None was found, and the kernel counted some: in reserved memory, or not all were seen or could be told. */
static bool is_counted(struct memory *m, enum page_class class)
{
	struct class_count c;
	int64_t logged;

	if (!is_all_seen(m, class) && log_counters_find(&m->log, class, &logged) && logged > 0)
		return true;
	class_count(m->v, &m->found, class, &c);
	return c.known && c.pages > 0;
}

static void add_rows(struct memory *m)
{
	for (unsigned int i = 1; i < PAGE_CLASSES; i++)
		if (m->found.pages[i] || is_counted(m, i))
			add_row(m, i, page_class_names[i], m->found.pages[i]);
	if (m->found.pages[CLASS_UNKNOWN])
		add_row(m, CLASS_UNKNOWN, "unknown", m->found.pages[CLASS_UNKNOWN]);
	if (m->found.unreadable)
		add_row(m, CLASS_UNKNOWN, "unreadable", m->found.unreadable);
}

/* The callers of direct pages, the largest first. */
static void put_callers(struct memory *m)
{
	struct owner_view *v = m->v;
	struct table t;

	table_init(&t, v->dump, COLUMNS(caller_columns), v->in->opts.json);
	for (const struct hash_u64_entry *e = m->callers.first; e; e = e->next)
		row_add(&t, e, v);
	table_sort(&t, direct_view.sorted_by, false);
	rows_put_table(&v->report, v->in, &direct_view, &t,
		       t.n ? "\ndirect pages by the function that allocated them:\n" : "");
	if (v->in->opts.has_rows && v->in->opts.rows && !t.n && !v->in->opts.json)
		sink_text(v->out, "-n is of the callers of direct pages, of which none is known: "
				  "these are all classes\n");
}

/* The column is shown where the log has a report. */
static enum status open_log(struct memory *m)
{
	struct owner_view *v = m->v;
	struct table *t = &v->in->table;
	enum status st = report_part(&v->report, "counters of the log",
				     log_counters_read(v->dump, &m->log));

	if (st != ST_OK || !m->log.report || v->in->opts.json)
		return st;
	/* Before the text of the reason. */
	table_show(t, COLUMN_log_pages);
	table_show(t, COLUMN_cause);
	cmdline_reselect(v->in);
	return st;
}

/* "LOG: report of the OOM killer, 3ms before the panic, without per-CPU deltas" */
static void put_log(struct memory *m)
{
	struct owner_view *v = m->v;
	const struct table *t = &v->in->table;
	const struct oom_report *r = m->log.report;
	char age[AGE_TEXT];

	if (!r || v->in->opts.json || !table_shows(t, COLUMN_log_pages))
		return;
	sink_printf(v->out, "LOG: %s", log_counters_source(&m->log));
	if (age_text(&v->report.info, r->ts_ns, age))
		sink_printf(v->out, ", %s", age);
	sink_text(v->out, ", without per-CPU deltas\n");
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct memory *m = dump_alloc(v->dump, sizeof(*m));
	enum status st;

	if (!memory_has_classes(v))
		return ST_OK;
	m->v = v;
	m->cov.ram_pages = v->owner.ram.pages;
	v->in->table.whole = ram_base(&v->owner.ram);
	hash_u64_init(&m->callers, v->dump->arena, sizeof(uint64_t));
	owner_view_counters(v);
	open_log(m);
	st = memory_scan(v, &m->cov, add_page, m);
	m->cov.live -= m->undecodable;
	m->cov.undecodable += m->undecodable;
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	add_rows(m);
	rows_sort(v->in);
	report_table(&v->report, &v->in->table);
	put_log(m);
	v->report.rows_shown = v->report.rows_total = v->in->table.n;
	report_columns_kept(&v->report, v->in->table.left_out);
	put_callers(m);
	/* Every page was classified, with or without a record of page_owner. */
	memory_end_classes(v, &m->cov, st, &m->found, "callers of direct pages");
	return st;
}

const struct view owner_memory_view = {
	"classes",
	"-m",
	COLUMNS_OF(columns),
	.command = "memowner",
	.grouped = &owner_memory_groups_view,
	.below = &direct_view,
	.sorted_by = "pages",
	.filters_rows = true,
	.open = memory_open_classes,
	.show = show,
};
