// SPDX-License-Identifier: GPL-2.0-or-later
#include "summary.h"

#include <stdarg.h>
#include <stdio.h>

const char *const section_names[] = { "panic",	  "exception", "oom",	"ram",	"class",   "owner",
				      "holder",	  "site",      "cache", "file", "process", "faults",
				      "in_fault", "missing",   "next",	NULL };
_Static_assert(sizeof(section_names) / sizeof(section_names[0]) == SECTIONS + 1, "a name each");

static const char *const bys[] = { "caller",  "module",	 "process",   "cgroup",	 "vmalloc",
				   "zram",    "zswap",	 "page_pool", "dma_buf", "cma",
				   "balloon", "sockets", "tmpfs",     NULL };
static const char *const growths[] = { "leak-like", "burst", "mixed", NULL };
static const char *const lives[] = { "live", "dead", NULL };
static const char *const outcomes[] = { "killed", "exiting", "no_victim", "panicked", NULL };

static const struct view_column columns[SUMMARY_COLUMNS] = {
	[COL_SECTION] = { COLUMN_section, IN_BOTH | KNOWN, .choices = section_names },
	[COL_BY] = { COLUMN_by, IN_BOTH, .choices = bys },
	[COL_NAME] = { COLUMN_name, IN_BOTH },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | SIGNED },
	[COL_ALLOCS] = { COLUMN_allocs, IN_JSON },
	[COL_OLDEST] = { COLUMN_age_max_ns, IN_BOTH },
	[COL_YOUNGEST] = { COLUMN_age_min_ns, IN_BOTH },
	[COL_GROWTH] = { COLUMN_growth, IN_BOTH, .choices = growths },
	[COL_SPAN_PAGES] = { COLUMN_span_pages, IN_JSON },
	[COL_SPAN_START] = { COLUMN_span_start_ns, IN_JSON },
	[COL_SPAN_END] = { COLUMN_span_end_ns, IN_JSON },
	[COL_OWNER] = { COLUMN_owner, IN_BOTH, "if it is the same for all pages",
			.choices = lives },
	[COL_PID] = { COLUMN_pid, IN_JSON, "of a process its tgid" },
	[COL_COMM] = { COLUMN_comm, IN_BOTH },
	[COL_CGROUP] = { COLUMN_cgroup, IN_JSON,
			 "of a process; of cgroup v1 the one that memory is charged to" },
	[COL_EXECUTABLE] = { COLUMN_executable, IN_JSON },
	[COL_RSS] = { COLUMN_rss_bytes, IN_JSON },
	[COL_ANON] = { COLUMN_rss_anon_bytes, IN_JSON },
	[COL_RSS_FILE] = { COLUMN_rss_file_bytes, IN_JSON },
	[COL_SHMEM] = { COLUMN_rss_shmem_bytes, IN_JSON },
	[COL_LOCKED] = { COLUMN_locked_bytes, IN_JSON, "of section process" },
	[COL_SWAP] = { COLUMN_swap_bytes, IN_JSON },
	[COL_SWAPPED] = { COLUMN_swapped_pages, IN_JSON },
	[COL_USED_BY] = { COLUMN_used_by, IN_JSON },
	[COL_RATE] = { COLUMN_rate_milli, IN_JSON },
	[COL_WAITS_FOR] = { COLUMN_waits_for, IN_JSON },
	[COL_TS] = { COLUMN_ts_ns, IN_JSON, "of the record in the log" },
	[COL_ORDER] = { COLUMN_order, IN_JSON | SIGNED, "-1: by sysrq-f" },
	[COL_GFP_MASK] = { COLUMN_gfp_mask, IN_JSON },
	[COL_GFP] = { COLUMN_gfp, IN_JSON },
	[COL_CONSTRAINT] = { COLUMN_constraint, IN_JSON },
	[COL_MEMS_ALLOWED] = { COLUMN_mems_allowed, IN_JSON,
			       "of the report, else of the task that panicked" },
	[COL_MEMCG] = { COLUMN_memcg, IN_JSON, "that ran out of memory" },
	[COL_OUTCOME] = { COLUMN_outcome, IN_JSON, .choices = outcomes },
	[COL_VICTIM_PID] = { COLUMN_victim_pid, IN_JSON },
	[COL_VICTIM_COMM] = { COLUMN_victim_comm, IN_JSON },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON, "that was accessed" },
	[COL_IP_SYMBOL] = { COLUMN_ip_symbol, IN_JSON },
	[COL_REMARK] = { COLUMN_remark, IN_BOTH },
	[COL_COMMAND] = { COLUMN_command, IN_BOTH },
};

const struct view summary_view = { "summary", "", COLUMNS_OF(columns) };

struct cell *summary_add(struct summary *s, enum section section)
{
	struct cell *row = table_add(s->table);

	if (row)
		row[COL_SECTION] = cell_text(section_names[section]);
	return row;
}

enum status summary_none(struct summary *s, const char *name, const char *text)
{
	struct cell *row = summary_add(s, SECTION_MISSING);

	if (!row)
		return ST_NOMEM;
	row[COL_NAME] = cell_text(name);
	row[COL_REMARK] = cell_text(arena_strdup(s->dump->arena, text));
	return ST_OK;
}

enum status summary_unknown(struct summary *s, const char *name, enum availability why,
			    const char *fmt, ...)
{
	char buf[DUMP_ERROR];
	va_list ap;
	enum status st;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	st = summary_none(s, name, buf);
	return st == ST_OK ? report_unknown(s->report, name, why, "%s", buf) : st;
}

enum status summary_gaps(struct summary *s)
{
	enum status st = ST_OK;

	for (const struct dump_gap *g = s->dump->gaps; st == ST_OK && g; g = g->next)
		if (!report_has_unknown(s->report, g->part))
			st = summary_unknown(s, g->part, availability_of(g->why), "%s", g->reason);
	return st;
}

enum status summary_failed(struct summary *s, const char *name, enum status st)
{
	const char *error = s->dump->error;

	if (st == ST_OK || st == ST_NOMEM || st == ST_STOPPED || st == ST_ABSENT)
		return st == ST_ABSENT ? ST_OK : st;
	return summary_unknown(s, name, availability_of(st), "%s",
			       *error ? error : "no reason is known");
}

void summary_name_rows(struct summary *s)
{
	for (size_t i = 0; i < s->table->n; i++) {
		struct cell *row = s->table->rows[i];
		char task[64];

		if (row[COL_NAME].kind != CELL_NULL)
			continue;
		if (row[COL_COMMAND].kind != CELL_NULL)
			row[COL_NAME] = row[COL_COMMAND];
		else if (row[COL_PID].kind != CELL_NULL || row[COL_COMM].kind != CELL_NULL)
			row[COL_NAME] = cell_text(arena_strdup(
				s->dump->arena, summary_task_text(&row[COL_PID], &row[COL_COMM],
								  task, sizeof(task))));
		/* Of a process it is what is in RAM. */
		if (row[COL_SECTION].text == section_names[SECTION_PROCESS])
			row[COL_BYTES] = row[COL_RSS];
	}
}

void summary_sort(struct summary *s)
{
	struct table *t = s->table;
	size_t n = 0;

	for (unsigned int section = 0; section < SECTIONS; section++)
		for (size_t i = n; i < t->n; i++) {
			struct cell *row = t->rows[i];

			if (row[COL_SECTION].text != section_names[section])
				continue;
			/* The rows between keep their order. */
			for (size_t k = i; k > n; k--)
				t->rows[k] = t->rows[k - 1];
			t->rows[n++] = row;
		}
}

bool summary_tells(const struct summary *s)
{
	const struct table *t = s->table;

	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i][COL_SECTION].text != section_names[SECTION_MISSING] &&
		    t->rows[i][COL_SECTION].text != section_names[SECTION_NEXT])
			return true;
	return false;
}
