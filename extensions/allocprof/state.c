// SPDX-License-Identifier: GPL-2.0-or-later
/* The state of memory allocation profiling as names and values. */

#include "alloctag/state.h"
#include "zones/mem_total.h"
#include "zones/vmstat.h"
#include "sites.h"

/* A name and its value. */
struct state_row {
	const char *name;
	struct cell value;
	const char *meaning;
};

#define ROW struct state_row

CELL_FROM(value_cell, ROW, r->value)

static const struct view_column columns[] = {
	{ COLUMN_name, IN_BOTH | KNOWN, TEXT_OF(ROW, name) },
	{ COLUMN_value, IN_BOTH, "null: not known", CELL_BY(value_cell) },
	{ COLUMN_meaning, IN_TEXT | KNOWN, TEXT_OF(ROW, meaning) },
	BASIS(derived),
};

/* "health" is what -i is called in every command. */
const struct view site_state_view = { "health", "-i", COLUMNS_OF(columns) };

/* Bytes of pages that the allocator gave away; false: a counter is not known. */
static bool read_in_use(struct dump *d, const struct counters *c, int64_t *ret)
{
	uint64_t total;
	int64_t free;

	if (mem_total_sure(d, &total) != ST_OK || counter_read(c, "nr_free_pages", &free) != ST_OK)
		return false;
	*ret = ((int64_t)total - free) * (int64_t)dump_page_size(d);
	return true;
}

static bool read_slab(struct dump *d, const struct counters *c, int64_t *ret)
{
	int64_t reclaimable, unreclaimable;

	if (counter_read(c, "nr_slab_reclaimable", &reclaimable) != ST_OK ||
	    counter_read(c, "nr_slab_unreclaimable", &unreclaimable) != ST_OK)
		return false;
	*ret = (reclaimable + unreclaimable) * (int64_t)dump_page_size(d);
	return true;
}

static struct cell answer_cell(enum answer a)
{
	return cell_if(a != ANSWER_UNKNOWN, cell_bool(a == ANSWER_YES));
}

enum status site_state(struct site_view *v)
{
	struct dump *d = v->dump;
	const struct codetags *tags = &v->tags;
	bool has = tags->sites, all = has && !tags->problem, whole;
	struct codetag_state state;
	struct counters c;
	struct site_sums sums;
	int64_t in_use = 0, slab = 0;
	enum status counted = counters_open(d, &c);
	bool has_counters = counted == ST_OK;
	bool knows_use = has_counters && read_in_use(d, &c, &in_use);
	bool knows_slab = has_counters && read_slab(d, &c, &slab);

	report_part(&v->report, "the kernel's counters", counted);
	codetag_state_read(d, &state);
	if (!state.knows_option)
		report_unknown(&v->report, "option", NOT_IN_DUMP,
			       "the kernel command line cannot be read");
	site_sums_read(tags, &sums);
	whole = has && sums.whole;
	const struct state_row rows[] = {
		{ "built", cell_if(dump_knows_symbol(d, "alloc_tag_cttype"), cell_bool(true)),
		  "CONFIG_MEM_ALLOC_PROFILING" },
		{ "supported", answer_cell(state.supported), "the kernel keeps tags since boot" },
		{ "on", answer_cell(state.on), "the kernel counted at the panic" },
		{ "option", cell_if(state.knows_option, cell_text(state.option ?: "none")),
		  "on the kernel command line: " PROFILING_OPTION },
		{ "compressed", answer_cell(state.compressed),
		  "page.flags stores the tag (6.13 and later)" },
		{ "debug", answer_cell(codetag_debug(d)), "CONFIG_MEM_ALLOC_PROFILING_DEBUG" },
		{ "tags", cell_if(all, cell_uint(tags->n)), "sites" },
		{ "modules", cell_if(all, cell_uint(tags->modules)), "loaded modules with sites" },
		{ "unloaded", cell_if(all && tags->lists_unloaded, cell_uint(tags->unloaded)),
		  "sites in use that belong to modules not loaded" },
		{ "inaccurate",
		  cell_if(all && codetags_have_flag(d, tags), cell_uint(sums.inaccurate)),
		  "sites where some allocations are not counted (6.18 and later)" },
		{ "negative", cell_if(all && !tags->unreadable, cell_uint(sums.negative)),
		  "sites with more bytes freed than allocated" },
		{ "unreadable", cell_if(all, cell_uint(tags->unreadable)),
		  "sites whose counters are not in this dump" },
		{ "calls", cell_if(whole, cell_uint(sums.calls)), "allocations of all sites" },
		{ "bytes", cell_if(whole, cell_int(sums.bytes)),
		  "bytes of all sites, slab pages and their objects both counted" },
		{ "slab_page_bytes", cell_if(whole && sums.named, cell_int(sums.slab_pages)),
		  "of these bytes, slab pages (alloc_slab_page)" },
		{ "percpu_page_bytes", cell_if(whole && sums.named, cell_int(sums.percpu_pages)),
		  "of these bytes, per-CPU chunks (pcpu_alloc_pages)" },
		{ "once_bytes", cell_if(whole && sums.named, cell_int(site_sums_once(&sums))),
		  "bytes without slab pages and per-CPU chunks" },
		{ "slab_bytes", cell_if(knows_slab, cell_int(slab)),
		  "slabs and large kmalloc, by the kernel's counters" },
		{ "in_use_bytes", cell_if(knows_use, cell_int(in_use)),
		  "pages that the page allocator has given out" },
	};
	d->error[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		row_add(&v->in->table, &rows[i], v);
	if (v->problem) {
		v->report.state = v->why;
		report_warn(&v->report, "%s", v->problem);
	}
	report_rows(&v->report, &v->in->table, &v->in->opts, 0);
	v->kept = tags->n;
	if (has)
		site_view_end(v);
	else
		report_end(&v->report, NULL, false);
	return ST_OK;
}
