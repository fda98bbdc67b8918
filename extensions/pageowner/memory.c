// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every page of System RAM by its class, beside each class the kernel's own
 * counter from the dump, and the callers of direct pages.
 */
#include "memory.h"

#include <string.h>

#include "class_counters.h"
#include "log_counters.h"
#include "zones/vmstat.h"
#include "util/units.h"

#define DEFAULT_ROWS 10

enum {
	COL_CLASS,
	COL_PAGES,
	COL_BYTES,
	COL_RAM,
	COL_COUNTED,
	COL_DIFF,
	COL_LOG,
	COL_COUNTER,
	COL_CAUSE,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_CLASS] = { COLUMN_class, IN_BOTH | KNOWN },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT },
	[COL_COUNTED] = { COLUMN_counted_pages, IN_BOTH | SIGNED,
			  "at the panic, with per-CPU deltas" },
	[COL_DIFF] = { COLUMN_difference_pages, IN_BOTH },
	[COL_LOG] = { COLUMN_log_pages, IN_JSON },
	[COL_COUNTER] = { COLUMN_counter, IN_JSON },
	[COL_CAUSE] = { COLUMN_cause, IN_BOTH },
};

/* Records behind the rows: who allocated the direct pages. */
enum { DIRECT_PAGES, DIRECT_BYTES, DIRECT_RAM, DIRECT_CALLER, DIRECT_COLUMNS };

static const struct view_column caller_columns[DIRECT_COLUMNS] = {
	[DIRECT_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN },
	[DIRECT_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[DIRECT_RAM] = { COLUMN_ram_percent, IN_TEXT | KNOWN },
	[DIRECT_CALLER] = { COLUMN_caller, IN_BOTH },
};

static const struct view direct_view = { "memory-direct", "-m", COLUMNS_OF(caller_columns) };

const struct view owner_memory_view = { "memory", "-m", COLUMNS_OF(columns),
					.grouped = &owner_memory_groups_view,
					.below = &direct_view };

struct memory {
	struct owner_view *v;
	struct class_pages found;
	uint64_t undecodable; /* live pages with a stack that cannot be decoded */
	struct log_counters log;
	struct scan_stats cov;
	struct hash_bytes callers; /* uint64_t pages by the word of the caller, of direct pages */
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct memory *m = arg;
	struct owner_view *v = m->v;
	enum page_class class;
	struct cached_stack *stack;
	struct page_facts f;
	struct page_info info;
	struct hash_bytes_entry *e;
	uint64_t word;
	bool is_new;

	if (page->allocated) {
		stack = stack_cache_get(&v->stacks, page->handle);
		if (!stack)
			return dump_no_memory(v->dump);
		m->undecodable += !stack->decoded;
	}
	if (!memory_class(v, page, &info, &class)) {
		m->found.unreadable++;
		return ST_OK;
	}
	class_add_page(v, &m->found, class, page->pfn, &info);
	if (!page->allocated || class != CLASS_DIRECT)
		return ST_OK;
	page_facts_init(v, page, &f);
	word = owner_value(&f, KEY_CALLER);
	e = hash_bytes_get(&m->callers, &word, sizeof(word), &is_new);
	if (!e)
		return dump_no_memory(v->dump);
	++*(uint64_t *)e->value;
	return ST_OK;
}

static enum status add_row(struct memory *m, enum page_class class, const char *name,
			   uint64_t pages)
{
	struct owner_view *v = m->v;
	struct cell *row = table_add(&v->in->table);
	struct class_count c;
	int64_t logged;

	if (!row)
		return ST_NOMEM;
	if (log_counters_find(&m->log, class, &logged))
		row[COL_LOG] = cell_int(logged);
	class_count(v, &m->found, class, &c);
	row[COL_CLASS] = cell_text(name);
	row[COL_COUNTER] = cell_text(c.counter);
	row[COL_COUNTED] = cell_if(c.known, cell_int(c.pages));
	/* A row without a page is one of which none was seen, as not all were. */
	if (!pages)
		return ST_OK;
	row[COL_PAGES] = cell_uint(pages);
	row[COL_BYTES] = cell_uint(pages << v->page_shift);
	row[COL_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
	if (!c.known)
		return ST_OK;
	row[COL_DIFF] = cell_int((int64_t)pages - c.pages);
	row[COL_CAUSE] = cell_text(c.cause);
	return ST_OK;
}

/* None was found, but not all were seen or could be told, and the kernel counted some. */
static bool may_have_pages(struct memory *m, enum page_class class)
{
	const struct page_classes *classes = m->v->classes;
	struct class_count c;
	int64_t logged;

	if (!m->found.unreadable && !(classes && classes->cut[class]))
		return false;
	if (log_counters_find(&m->log, class, &logged) && logged > 0)
		return true;
	class_count(m->v, &m->found, class, &c);
	return c.known && c.pages > 0;
}

static enum status fill_table(struct memory *m)
{
	const struct opts *o = &m->v->in->opts;
	struct table *t = &m->v->in->table;
	enum status st = ST_OK;

	for (unsigned int i = 1; i < PAGE_CLASSES && st == ST_OK; i++)
		if (m->found.pages[i] || may_have_pages(m, i))
			st = add_row(m, i, page_class_names[i], m->found.pages[i]);
	if (st == ST_OK && m->found.pages[CLASS_UNKNOWN])
		st = add_row(m, CLASS_UNKNOWN, "unknown", m->found.pages[CLASS_UNKNOWN]);
	if (st == ST_OK && m->found.unreadable)
		st = add_row(m, CLASS_UNKNOWN, "unreadable", m->found.unreadable);
	return st == ST_OK ? table_sort(t, o->sort ? o->sort : "pages", o->reverse) : st;
}

/* The callers of direct pages, the largest first. */
static enum status put_callers(struct memory *m)
{
	struct owner_view *v = m->v;
	struct table t;
	size_t shown;
	enum status st;

	st = table_init(&t, v->dump, caller_columns, DIRECT_COLUMNS, v->in->opts.json);
	if (st != ST_OK)
		return st;
	for (struct hash_bytes_entry *e = m->callers.first; e; e = e->next) {
		struct cell *row = table_add(&t);
		uint64_t pages = *(uint64_t *)e->value, word;

		if (!row)
			return ST_NOMEM;
		memcpy(&word, e->key, sizeof(word));
		row[DIRECT_PAGES] = cell_uint(pages);
		row[DIRECT_BYTES] = cell_uint(pages << v->page_shift);
		row[DIRECT_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
		row[DIRECT_CALLER] = owner_value_cell(v, KEY_CALLER, word);
	}
	st = table_sort(&t, "pages", false);
	shown = opts_rows(&v->in->opts, DEFAULT_ROWS, t.n);
	if (v->in->opts.json) {
		for (size_t i = 0; i < shown; i++)
			table_json_record(&t, v->out, "direct", t.rows[i]);
		return st;
	}
	sink_text(v->out, t.n ? "\ndirect pages by the function that allocated them:\n" : "");
	table_text(&t, v->out, shown);
	report_rest(&v->report, t.n - shown, "caller", "callers", NULL);
	return st;
}

/* The column is shown where the log has a report. */
static enum status open_log(struct memory *m)
{
	struct owner_view *v = m->v;
	enum status st = report_part(&v->report, "counters of the log",
				     log_counters_read(v->dump, &m->log));

	if (st != ST_OK || !m->log.report || v->in->opts.json)
		return st;
	/* Before the text of the reason. */
	table_hide(&v->in->table, COL_CAUSE);
	table_show(&v->in->table, COL_LOG);
	table_show(&v->in->table, COL_CAUSE);
	cmdline_reselect(v->in);
	return st;
}

/* "LOG: report of the OOM killer, 3ms before the panic, without per-CPU deltas" */
static void put_log(struct memory *m)
{
	struct owner_view *v = m->v;
	const struct oom_report *r = m->log.report;
	char age[AGE_TEXT];

	if (!r || v->in->opts.json || !table_shows(&v->in->table, COL_LOG))
		return;
	sink_printf(v->out, "LOG: %s", log_counters_source(&m->log));
	if (age_text(&v->report.info, r->ts_ns, age))
		sink_printf(v->out, ", %s", age);
	sink_text(v->out, ", without per-CPU deltas\n");
}

/* Every page was classified, with or without a record of page_owner. */
static void put_end(struct memory *m, enum status st)
{
	const struct memory_gaps gaps = { m->found.unreadable, m->found.pages[CLASS_UNKNOWN] };
	uint64_t visited = m->found.unreadable;

	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		visited += m->found.pages[i];
	memory_end(m->v, &m->cov, st, &gaps, visited, "callers of direct pages");
}

enum status owner_memory(struct owner_view *v)
{
	struct memory *m = dump_alloc(v->dump, sizeof(*m));
	enum status st, filled;

	if (!m)
		return ST_NOMEM;
	if (!v->classes) {
		report_no_data(&v->report, UNKNOWN_LAYOUT);
		return ST_OK;
	}
	if (v->in->ngroups)
		return owner_memory_groups(v);
	m->v = v;
	m->cov.ram_pages = v->owner.ram.pages;
	hash_bytes_init(&m->callers, v->dump->arena, sizeof(uint64_t));
	owner_view_counters(v);
	st = open_log(m);
	if (st == ST_NOMEM)
		return st;
	st = memory_scan(v, &m->cov, add_page, m);
	m->cov.live -= m->undecodable;
	m->cov.undecodable += m->undecodable;
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	filled = fill_table(m);
	if (filled != ST_OK)
		return filled;
	report_table(&v->report, &v->in->table);
	put_log(m);
	v->report.rows_shown = v->report.rows_total = v->in->table.n;
	filled = put_callers(m);
	if (filled != ST_OK)
		return filled;
	put_end(m, st);
	return st;
}
