// SPDX-License-Identifier: GPL-2.0-or-later
#include "summary.h"

#include <stdarg.h>
#include <stdio.h>

#include "case.h"
#include "cli/rows.h"

static const char *const section_names[] = { "verdict", "panic",  "exception", "oom",
					     "ram",	"class",  "owner",     "holder",
					     "site",	"cache",  "file",      "group",
					     "process", "faults", "in_fault",  "candidate",
					     "missing", "next",	  NULL };
_Static_assert(sizeof(section_names) / sizeof(section_names[0]) == SECTIONS + 1, "a name each");

static const char *const bys[] = { "caller", "module",	  "process", "cgroup", "vmalloc", "zram",
				   "zswap",  "page_pool", "dma_buf", "cma",    "balloon", "sockets",
				   "tmpfs",  "hugetlb",	  "command", "root",   NULL };
static const char *const growths[] = { "leak-like", "burst", "mixed", NULL };
static const char *const lives[] = { "live", "dead", NULL };
static const char *const outcomes[] = { "killed", "exiting", "no_victim", "panicked", NULL };

#define ROW struct statement
#define TASK(MEMBER) SIGNED_PAGES_IF(ROW, MEMBER, has_mm)

/* What a row of a section rests on; NULL: it says nothing of memory. */
static const char *const bases[SECTIONS] = {
	[SECTION_VERDICT] = "derived",	  [SECTION_PANIC] = "recorded",
	[SECTION_EXCEPTION] = "recorded", [SECTION_OOM] = "recorded",
	[SECTION_RAM] = "derived",	  [SECTION_CLASS] = "derived",
	[SECTION_OWNER] = "recorded",	  [SECTION_HOLDER] = "derived",
	[SECTION_SITE] = "recorded",	  [SECTION_CACHE] = "derived",
	[SECTION_FILE] = "derived",	  [SECTION_GROUP] = "derived",
	[SECTION_PROCESS] = "derived",	  [SECTION_FAULTS] = "recorded",
	[SECTION_IN_FAULT] = "derived",	  [SECTION_CANDIDATE] = "inferred",
};

CELL_FROM(basis_cell, ROW, cell_text(bases[r->section]))
CELL_FROM(section_cell, ROW, cell_text(section_names[r->section]))
CELL_WITH(name_cell, ROW, const struct summary, cell_text(summary_name(v, r)))

static const struct view_column columns[] = {
	{ COLUMN_section, IN_BOTH | KNOWN, .choices = section_names, CELL_BY(section_cell) },
	{ COLUMN_user_kind, IN_BOTH, .choices = bys, TEXT_OF(ROW, by) },
	{ COLUMN_name, IN_BOTH, CELL_BY(name_cell) },
	{ COLUMN_pages, IN_BOTH, UINT_MAYBE(ROW, pages) },
	{ COLUMN_bytes, IN_BOTH | SIGNED, INT_IF(ROW, bytes.n, bytes.known) },
	{ COLUMN_allocs, IN_JSON, UINT_MAYBE(ROW, allocs) },
	{ COLUMN_age_max_ns, IN_BOTH, UINT_MAYBE(ROW, oldest) },
	{ COLUMN_age_min_ns, IN_BOTH, UINT_MAYBE(ROW, youngest) },
	{ COLUMN_growth, IN_BOTH, .choices = growths, TEXT_OF(ROW, growth) },
	{ COLUMN_span_pages, IN_JSON, UINT_MAYBE(ROW, span_pages) },
	{ COLUMN_span_start_ns, IN_JSON, UINT_MAYBE(ROW, span_start) },
	{ COLUMN_span_end_ns, IN_JSON, UINT_MAYBE(ROW, span_end) },
	{ COLUMN_owner, IN_BOTH, "if it is the same for all pages", .choices = lives,
	  TEXT_OF(ROW, owner) },
	{ COLUMN_pid, IN_JSON, "of a process its tgid", INT_IF(ROW, pid.n, pid.known) },
	{ COLUMN_comm, IN_BOTH, TEXT_OF(ROW, comm) },
	{ COLUMN_cgroup, IN_JSON, "of a process; of cgroup v1 the one that memory is charged to",
	  TEXT_OF(ROW, cgroup) },
	{ COLUMN_executable, IN_JSON, TEXT_OF(ROW, executable) },
	{ COLUMN_rss_bytes, IN_JSON, TASK(rss) },
	{ COLUMN_rss_anon_bytes, IN_JSON, TASK(rss_anon) },
	{ COLUMN_rss_file_bytes, IN_JSON, TASK(rss_file) },
	{ COLUMN_rss_shmem_bytes, IN_JSON, TASK(rss_shmem) },
	{ COLUMN_locked_bytes, IN_JSON, "of section process", UINT_MAYBE(ROW, locked) },
	{ COLUMN_swap_bytes, IN_JSON, TASK(swap) },
	{ COLUMN_swapped_pages, IN_JSON, UINT_MAYBE(ROW, swapped) },
	{ COLUMN_processes, IN_JSON, "of section group", UINT_MAYBE(ROW, processes) },
	{ COLUMN_used_by, IN_JSON, TEXT_OF(ROW, used_by) },
	{ COLUMN_rate_milli, IN_JSON, UINT_MAYBE(ROW, rate_milli) },
	{ COLUMN_waits_for, IN_JSON, TEXT_OF(ROW, waits_for) },
	{ COLUMN_ts_ns, IN_JSON, "of the record in the log", UINT_MAYBE(ROW, ts) },
	{ COLUMN_order, IN_JSON | SIGNED, "-1: by sysrq-f", INT_IF(ROW, order.n, order.known) },
	{ COLUMN_gfp_mask, IN_JSON, HEX_MAYBE(ROW, gfp_mask) },
	{ COLUMN_gfp, IN_JSON, TEXT_OF(ROW, gfp) },
	{ COLUMN_constraint, IN_JSON, TEXT_OF(ROW, constraint) },
	{ COLUMN_mems_allowed, IN_JSON, "of the report, else of the task that panicked",
	  TEXT_OF(ROW, mems_allowed) },
	{ COLUMN_memcg, IN_JSON, "that ran out of memory", TEXT_OF(ROW, memcg) },
	{ COLUMN_outcome, IN_JSON, .choices = outcomes, TEXT_OF(ROW, outcome) },
	{ COLUMN_victim_pid, IN_JSON, INT_IF(ROW, victim_pid.n, victim_pid.known) },
	{ COLUMN_victim_comm, IN_JSON, TEXT_OF(ROW, victim_comm) },
	{ COLUMN_address, IN_JSON, "that was accessed", HEX_MAYBE(ROW, address) },
	{ COLUMN_ip_symbol, IN_JSON, TEXT_OF(ROW, ip_symbol) },
	{ COLUMN_remark, IN_BOTH, TEXT_OF(ROW, remark) },
	{ COLUMN_command, IN_BOTH, TEXT_OF(ROW, command) },
	{ COLUMN_basis, IN_JSON, CELL_BY(basis_cell) },
	{ COLUMN_confidence, IN_JSON, "of section candidate", UINT_MAYBE(ROW, confidence) },
};

const struct view summary_view = { "summary", "", COLUMNS_OF(columns), .below = &case_view };

void summary_add(struct summary *s, const struct statement *statement)
{
	struct statement *copy = dump_alloc(s->dump, sizeof(*copy));
	enum section section = statement->section;

	*copy = *statement;
	if (copy->pages.known && !copy->bytes.known)
		copy->bytes = (struct maybe_u64){ copy->pages.n << s->dump->page_shift, true };
	if (s->last[section])
		s->last[section]->next = copy;
	else
		s->first[section] = copy;
	s->last[section] = copy;
}

void summary_none(struct summary *s, const char *name, const char *text)
{
	summary_add(s, &(struct statement){ .section = SECTION_MISSING,
					    .name = name,
					    .remark = arena_strdup(s->dump->arena, text) });
}

void summary_unknown(struct summary *s, const char *name, enum availability why, const char *fmt,
		     ...)
{
	char buf[DUMP_ERROR];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	summary_none(s, name, buf);
	report_unknown(s->report, name, why, "%s", buf);
}

void summary_gaps(struct summary *s)
{
	for (const struct dump_gap *g = s->dump->gaps; g; g = g->next)
		if (!report_has_unknown(s->report, g->part))
			summary_unknown(s, g->part, availability_of(g->why), "%s", g->reason);
}

enum status summary_failed(struct summary *s, const char *name, enum status st)
{
	const char *error = s->dump->error;

	if (st == ST_OK || st == ST_STOPPED)
		return st;
	if (st != ST_ABSENT)
		summary_unknown(s, name, availability_of(st), "%s",
				*error ? error : "no reason is known");
	return ST_OK;
}

const char *summary_name(const struct summary *s, const struct statement *row)
{
	char task[SUMMARY_TASK];

	if (row->name || row->command)
		return row->name ? row->name : row->command;
	if (!row->pid.known && !row->comm)
		return NULL;
	return arena_strdup(s->dump->arena, summary_task(row->pid, row->comm, task));
}

void summary_fill(struct summary *s)
{
	for (unsigned int section = 0; section < SECTIONS; section++)
		for (const struct statement *row = s->first[section]; row; row = row->next)
			row_add(&s->in->table, row, s);
}

bool summary_tells(const struct summary *s)
{
	for (unsigned int section = 0; section < SECTIONS; section++)
		if (s->first[section] && section != SECTION_MISSING && section != SECTION_NEXT &&
		    section != SECTION_VERDICT)
			return true;
	return false;
}
