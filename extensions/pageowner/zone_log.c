// SPDX-License-Identifier: GPL-2.0-or-later
/* The newest report of the log that memory ran out or an allocation failed. */
#include "zones.h"

#include <stdio.h>

#include "log/kernel_log.h"
#include "oom/mems_allowed.h"
#include "util/units.h"

enum {
	COL_REPORT,
	COL_TS,
	COL_COMM,
	COL_PID,
	COL_ORDER,
	COL_MASK,
	COL_GFP,
	COL_CONSTRAINT,
	COL_NODEMASK,
	COL_MEMS,
	COL_MEMCG,
	COL_OUTCOME,
	COL_VICTIM,
	COL_VICTIM_PID,
	COLUMNS
};

static const char *const kinds[] = { "oom", "allocation", NULL };

static const struct view_column columns[COLUMNS] = {
	[COL_REPORT] = { COLUMN_report, IN_JSON | KNOWN, .choices = kinds },
	[COL_TS] = { COLUMN_ts_ns, IN_JSON | KNOWN, "of the first record of the report" },
	[COL_COMM] = { COLUMN_comm, IN_JSON, "that asked for memory" },
	[COL_PID] = { COLUMN_pid, IN_JSON, "that asked for memory" },
	[COL_ORDER] = { COLUMN_order, IN_JSON, "null: unknown, or sysrq-f" },
	[COL_MASK] = { COLUMN_gfp_mask, IN_JSON },
	[COL_GFP] = { COLUMN_gfp, IN_JSON, "as the report has them" },
	[COL_CONSTRAINT] = { COLUMN_constraint, IN_JSON },
	[COL_NODEMASK] = { COLUMN_nodemask, IN_JSON },
	[COL_MEMS] = { COLUMN_mems_allowed, IN_JSON,
		       "of the report, else of the task that panicked" },
	[COL_MEMCG] = { COLUMN_memcg, IN_JSON, "whose limit was reached; null: unknown, or none" },
	[COL_OUTCOME] = { COLUMN_outcome, IN_JSON },
	[COL_VICTIM] = { COLUMN_victim_comm, IN_JSON },
	[COL_VICTIM_PID] = { COLUMN_victim_pid, IN_JSON },
};

enum {
	LOG_NODE,
	LOG_ZONE,
	LOG_MANAGED,
	LOG_FREE,
	LOG_PCP,
	LOG_MIN,
	LOG_BOOST,
	LOG_LOW,
	LOG_HIGH,
	LOG_RESERVE,
	LOG_HIGHATOMIC,
	LOG_FREE_CMA,
	LOG_RESULT,
	LOG_USABLE,
	LOG_LIMIT,
	LOG_LARGEST,
	LOG_COLUMNS
};

static const struct view_column log_columns[LOG_COLUMNS] = {
	[LOG_NODE] = { COLUMN_node, IN_JSON, "null: the kernel does not print it" },
	[LOG_ZONE] = { COLUMN_zone, IN_JSON | KNOWN },
	[LOG_MANAGED] = { COLUMN_managed_pages, IN_JSON },
	[LOG_FREE] = { COLUMN_free_pages, IN_JSON },
	[LOG_PCP] = { COLUMN_pcp_pages, IN_JSON },
	[LOG_MIN] = { COLUMN_min_pages, IN_JSON },
	[LOG_BOOST] = { COLUMN_boost_pages, IN_JSON },
	[LOG_LOW] = { COLUMN_low_pages, IN_JSON },
	[LOG_HIGH] = { COLUMN_high_pages, IN_JSON },
	[LOG_RESERVE] = { COLUMN_reserve_pages, IN_JSON },
	[LOG_HIGHATOMIC] = { COLUMN_highatomic_pages, IN_JSON },
	[LOG_FREE_CMA] = { COLUMN_free_cma_pages, IN_JSON },
	[LOG_RESULT] = { COLUMN_result, IN_JSON, "by the figures of the log",
			 .choices = watermark_results },
	[LOG_USABLE] = { COLUMN_usable_pages, IN_JSON },
	[LOG_LIMIT] = { COLUMN_limit_pages, IN_JSON },
	[LOG_LARGEST] = { COLUMN_largest_order, IN_JSON },
};

static const struct view logged_view = { "zones-logged", "-z", COLUMNS_OF(log_columns),
					 .below = &zone_lists_view };

const struct view zone_log_view = { "zones-report", "-z", COLUMNS_OF(columns),
				    .below = &logged_view };

/* Why a report may be missing. That old records were overwritten is usual: they are not lost. */
static void find_log_problem(struct zones_view *z, const struct kernel_log *log, enum status st)
{
	struct dump *d = z->v->dump;

	if (st != ST_OK)
		z->log_problem = arena_strdup(d->arena, d->error);
	else if (log->is_cut)
		z->log_problem = "a part of the log is not in this dump";
	else if (log->has_dropped)
		z->log_problem = "older records of the log were overwritten";
	z->may_miss_newest = log->is_cut || (st != ST_OK && st != ST_ABSENT);
}

static void warn_of_log(struct zones_view *z)
{
	if (z->may_miss_newest)
		report_warn(&z->v->report, "a %sreport that memory ran out may be missing: %s",
			    z->report ? "newer " : "", z->log_problem);
	else if (z->log_problem && !z->report)
		report_warn(&z->v->report, "a report that memory ran out may be missing: %s",
			    z->log_problem);
	z->is_partial |= z->may_miss_newest;
}

/*
 * check_panic_on_oom() panics before the kernel prints the nodes. The task that panics is still in the
 * call that failed: its nodes are those of the request.
 */
static void find_mems_allowed(struct zones_view *z)
{
	const struct oom_report *r = z->report;
	size_t size = sizeof(z->mems_allowed);

	if (!r)
		return;
	snprintf(z->mems_allowed, size, "%s", r->mems_allowed);
	if (*z->mems_allowed || r->outcome != OOM_PANICKED || !r->pid.known ||
	    r->pid.value > INT32_MAX)
		return;
	/* What fails leaves it unknown, which the view shows. */
	if (mems_allowed_read(z->v->dump, (int32_t)r->pid.value, z->mems_allowed, size) != ST_OK)
		*z->mems_allowed = '\0';
}

void zone_log_read(struct zones_view *z)
{
	struct dump *d = z->v->dump;
	struct kernel_log log = { 0 };
	struct oom_reports all;

	find_log_problem(z, &log, kernel_log_read(d, &log));
	if (oom_reports_read(d, &log, &all) != ST_OK) {
		z->log_problem = arena_strdup(d->arena, d->error);
		z->may_miss_newest = true;
		warn_of_log(z);
		return;
	}
	for (unsigned int i = 0; i < all.n; i++) {
		const struct oom_report *r = &all.reports[i];

		if (r->kind != OOM_REPORT_OOM && r->kind != OOM_REPORT_ALLOCATION)
			continue;
		z->older += z->report != NULL;
		z->report = r;
	}
	z->older += all.dropped;
	find_mems_allowed(z);
	warn_of_log(z);
}

static struct cell text_cell(const char *text)
{
	return cell_text(*text ? text : NULL);
}

static struct cell number_cell(const struct log_number *n)
{
	return cell_if(n->known, cell_uint(n->value));
}

static enum status put_record(struct zones_view *z)
{
	const struct oom_report *r = z->report;
	struct cell row[COLUMNS] = { { 0 } };
	struct table t;
	enum status st = table_init(&t, z->v->dump, columns, COLUMNS, true);

	row[COL_REPORT] = cell_text(oom_report_kind_name(r->kind));
	row[COL_TS] = cell_uint(r->ts_ns);
	row[COL_COMM] = cell_if(r->has_head, cell_text(r->comm));
	row[COL_PID] = number_cell(&r->pid);
	row[COL_ORDER] = cell_if(r->has_order && r->order >= 0, cell_uint(r->order));
	row[COL_MASK] = cell_if(r->gfp_mask.known, cell_hex(r->gfp_mask.value));
	row[COL_GFP] = text_cell(r->gfp);
	row[COL_CONSTRAINT] = text_cell(r->constraint);
	row[COL_NODEMASK] = text_cell(r->nodemask);
	row[COL_MEMS] = text_cell(z->mems_allowed);
	row[COL_MEMCG] = text_cell(r->oom_memcg);
	row[COL_OUTCOME] = cell_text(oom_outcome_name(r->outcome));
	row[COL_VICTIM] = cell_if(r->victim.has_comm, cell_text(r->victim.comm));
	row[COL_VICTIM_PID] = number_cell(&r->victim.pid);
	if (st == ST_OK)
		table_json_record(&t, z->v->out, "report", row);
	return st;
}

static struct cell pages_cell(const struct zones_view *z, const struct mem_zone *l,
			      enum mem_zone_counter counter)
{
	const struct log_number *n = &l->kib[counter];

	return cell_if(n->known, cell_uint(n->value >> (z->v->page_shift - 10)));
}

static void fill_logged(const struct zones_view *z, const struct mem_zone *l, struct cell *row)
{
	static const struct {
		unsigned int column;
		enum mem_zone_counter counter;
	} counters[] = {
		{ LOG_MANAGED, MEM_ZONE_managed },
		{ LOG_FREE, MEM_ZONE_free },
		{ LOG_PCP, MEM_ZONE_free_pcp },
		{ LOG_MIN, MEM_ZONE_min },
		{ LOG_BOOST, MEM_ZONE_boost },
		{ LOG_LOW, MEM_ZONE_low },
		{ LOG_HIGH, MEM_ZONE_high },
		{ LOG_HIGHATOMIC, MEM_ZONE_reserved_highatomic },
		{ LOG_FREE_CMA, MEM_ZONE_free_cma },
	};
	struct zone_answer a;
	const struct watermark_verdict *v = &a.verdict;
	bool has_figures;

	row[LOG_NODE] = number_cell(&l->node);
	row[LOG_ZONE] = cell_text(l->name);
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		row[counters[i].column] = pages_cell(z, l, counters[i].counter);
	if (!z->is_of_report)
		return;
	zone_request_check_logged(z, l, &a);
	if (!a.is_asked)
		return;
	has_figures = v->result == WATERMARK_OK || v->result == WATERMARK_BELOW ||
		      v->result == WATERMARK_NO_BLOCK;
	row[LOG_RESULT] = cell_text(watermark_results[v->result]);
	row[LOG_RESERVE] = cell_if(has_figures, cell_int(v->reserve));
	row[LOG_USABLE] = cell_if(has_figures, cell_int(v->usable));
	row[LOG_LIMIT] = cell_if(has_figures, cell_int(v->limit));
	row[LOG_LARGEST] = cell_if(has_figures && v->largest >= 0, cell_uint(v->largest));
}

static enum status put_logged(struct zones_view *z)
{
	struct table t;
	enum status st = table_init(&t, z->v->dump, log_columns, LOG_COLUMNS, true);

	for (unsigned int i = 0; st == ST_OK && i < z->report->mem.nzones; i++) {
		struct cell row[LOG_COLUMNS] = { { 0 } };

		fill_logged(z, &z->report->mem.zones[i], row);
		table_json_record(&t, z->v->out, "logged", row);
	}
	return st;
}

/* "hungry (pid 181) invoked the OOM killer, 12ms before the panic" */
static void put_head(struct zones_view *z, const struct oom_report *r)
{
	struct sink *out = z->v->out;
	char age[AGE_TEXT];

	sink_text(out, "\nlog: ");
	sink_text(out, r->has_head ? r->comm : "a task");
	if (r->pid.known)
		sink_printf(out, " (pid %llu)", (unsigned long long)r->pid.value);
	sink_text(out,
		  r->kind == OOM_REPORT_OOM ? " invoked the OOM killer" : " failed to allocate");
	if (age_text(&z->v->report.info, r->ts_ns, age))
		sink_printf(out, ", %s", age);
	sink_text(out, "\n");
	if (r->has_order && r->order < 0)
		sink_text(out, "  by sysrq-f: no allocation failed\n");
	if (!r->has_order || !r->gfp_mask.known)
		sink_text(out, "  order and gfp flags: unknown\n");
}

static void put_limits(struct sink *out, const struct oom_report *r)
{
	char usage[UNITS_BYTES], limit[UNITS_BYTES];

	if (r->scope != OOM_SCOPE_MEMCG)
		return;
	sink_printf(out, "  the limit of a memory cgroup was reached, not a watermark: %s",
		    *r->oom_memcg ? r->oom_memcg : "cgroup unknown");
	if (r->memory.usage_kib.known && r->memory.limit_kib.known) {
		units_size(usage, r->memory.usage_kib.value << 10);
		units_size(limit, r->memory.limit_kib.value << 10);
		sink_printf(out, ", %s of %s", usage, limit);
	}
	sink_text(out, "\n");
}

static void put_outcome(struct zones_view *z, const struct oom_report *r)
{
	struct sink *out = z->v->out;
	const char *outcome = oom_outcome_name(r->outcome);

	if (*r->constraint || *z->mems_allowed)
		sink_printf(out, "  constraint %s, nodemask %s, mems_allowed %s\n",
			    *r->constraint ? r->constraint : "unknown",
			    *r->nodemask ? r->nodemask : "unknown",
			    *z->mems_allowed ? z->mems_allowed : "unknown");
	if (r->outcome == OOM_KILLED || r->outcome == OOM_EXITING)
		sink_printf(out, "  %s: %s (pid %lld)\n", outcome,
			    r->victim.has_comm ? r->victim.comm : "?",
			    r->victim.pid.known ? (long long)r->victim.pid.value : -1LL);
	else if (outcome)
		sink_printf(out, "  outcome: %s\n", outcome);
}

static void put_text(struct zones_view *z)
{
	const struct oom_report *r = z->report;
	struct sink *out = z->v->out;

	if (!r) {
		sink_text(out, "\nlog: no report of memory that ran out");
		if (z->log_problem)
			sink_printf(out, ", but one may be missing: %s", z->log_problem);
		sink_text(out, "\n");
		return;
	}
	put_head(z, r);
	put_limits(out, r);
	put_outcome(z, r);
	if (z->older)
		sink_printf(out, "  and %u older reports\n", z->older);
	if (z->may_miss_newest)
		sink_printf(out, "  a newer report may be missing: %s\n", z->log_problem);
}

enum status zone_log_put(struct zones_view *z)
{
	enum status st;

	if (!z->v->in->opts.json) {
		put_text(z);
		return ST_OK;
	}
	if (!z->report)
		return ST_OK;
	st = put_record(z);
	return st == ST_OK ? put_logged(z) : st;
}
