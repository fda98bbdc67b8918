// SPDX-License-Identifier: GPL-2.0-or-later
/* The newest report of the log that memory ran out or an allocation failed. */
#include "zones.h"

#include "oom/mems_allowed.h"

static const char *const kinds[] = { "oom", "allocation", NULL };

#define ROW struct oom_report
#define NUMBER(T, KIND, MEMBER) KIND##_IF(T, MEMBER.value, MEMBER.known)

CELL_FROM(kind_cell, ROW, cell_text(oom_report_kind_name(r->kind)))
CELL_FROM(comm_cell, ROW, cell_if(r->has_comm, cell_text(r->comm)))
CELL_FROM(order_cell, ROW, cell_if(r->has_order && r->order >= 0, cell_uint(r->order)))
CELL_FROM(outcome_cell, ROW, cell_text(oom_outcome_name(r->outcome)))
CELL_WITH(mems_cell, ROW, const struct zones_view,
	  cell_text(*v->mems_allowed ? v->mems_allowed : NULL))
CELL_FROM(basis_cell, ROW, cell_text(r->constraint_derived ? "derived" : "recorded"))

static const struct view_column columns[] = {
	{ COLUMN_report, IN_JSON | KNOWN, .choices = kinds, CELL_BY(kind_cell) },
	{ COLUMN_ts_ns, IN_JSON | KNOWN, "of the first record of the report", UINT_OF(ROW, ts_ns) },
	{ COLUMN_comm, IN_JSON, "that asked for memory", CELL_BY(comm_cell) },
	{ COLUMN_pid, IN_JSON, "that asked for memory", NUMBER(ROW, UINT, pid) },
	{ COLUMN_order, IN_JSON, "null: unknown, or sysrq-f", CELL_BY(order_cell) },
	{ COLUMN_gfp_mask, IN_JSON, NUMBER(ROW, HEX, gfp_mask) },
	{ COLUMN_gfp, IN_JSON, "as the report has them", CHARS_OF(ROW, gfp) },
	{ COLUMN_constraint, IN_JSON, CHARS_OF(ROW, constraint) },
	{ COLUMN_nodemask, IN_JSON, CHARS_OF(ROW, nodemask) },
	{ COLUMN_mems_allowed, IN_JSON, "of the report, else of the task that panicked",
	  CELL_BY(mems_cell) },
	{ COLUMN_memcg, IN_JSON, "whose limit was reached; null: unknown, or none",
	  CHARS_OF(ROW, oom_memcg) },
	{ COLUMN_outcome, IN_JSON, CELL_BY(outcome_cell) },
	{ COLUMN_victim_comm, IN_JSON, CHARS_IF(ROW, victim.comm, victim.has_comm) },
	{ COLUMN_victim_pid, IN_JSON, NUMBER(ROW, UINT, victim.pid) },
	BASIS_BY(basis_cell, "derived where no line of the report has the constraint"),
};

/* A zone in the log. */
struct logged {
	struct mem_zone zone;
	struct maybe_u64 pages[MEM_ZONE_NCOUNTERS];
	struct zone_figures figures;
};

#define LOGGED struct logged
#define PAGES(COUNTER) UINT_MAYBE(LOGGED, pages[MEM_ZONE_##COUNTER])

static const struct view_column log_columns[] = {
	{ COLUMN_node, IN_JSON, "null: the kernel does not print it",
	  NUMBER(LOGGED, UINT, zone.node) },
	{ COLUMN_zone, IN_JSON | KNOWN, CHARS_OF(LOGGED, zone.name) },
	{ COLUMN_managed_pages, IN_JSON, PAGES(managed) },
	{ COLUMN_free_pages, IN_JSON, PAGES(free) },
	{ COLUMN_pcp_pages, IN_JSON, PAGES(free_pcp) },
	{ COLUMN_min_pages, IN_JSON, PAGES(min) },
	{ COLUMN_boost_pages, IN_JSON, PAGES(boost) },
	{ COLUMN_low_pages, IN_JSON, PAGES(low) },
	{ COLUMN_high_pages, IN_JSON, PAGES(high) },
	{ COLUMN_reserve_pages, IN_JSON, INT_IF(LOGGED, figures.reserve, figures.known) },
	{ COLUMN_highatomic_pages, IN_JSON, PAGES(reserved_highatomic) },
	{ COLUMN_free_cma_pages, IN_JSON, PAGES(free_cma) },
	{ COLUMN_result, IN_JSON, "by the figures of the log", .choices = watermark_results,
	  TEXT_OF(LOGGED, figures.result) },
	{ COLUMN_usable_pages, IN_JSON, INT_IF(LOGGED, figures.usable, figures.has_usable) },
	{ COLUMN_limit_pages, IN_JSON, INT_IF(LOGGED, figures.limit, figures.known) },
	{ COLUMN_largest_order, IN_JSON, UINT_IF(LOGGED, figures.largest, figures.has_largest) },
	BASIS(derived),
};

static const struct view logged_view = { "zones-logged", "-z", COLUMNS_OF(log_columns),
					 .below = &zone_lists_view };

const struct view zone_log_view = { "zones-report", "-z", COLUMNS_OF(columns),
				    .below = &logged_view };

/* Why a report may be missing. That old records were overwritten is usual: they are not lost. */
static void find_log_problem(struct zones_view *z, const struct kernel_log *log, enum status st)
{
	if (st != ST_OK)
		z->log_problem = dump_why(z->v->dump);
	else if (log->is_cut)
		z->log_problem = "a part of the log is not in this dump";
	else if (log->misses_processes)
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

void zone_mems_allowed(struct zones_view *z)
{
	const struct oom_report *r = z->report;
	size_t size = sizeof(z->mems_allowed);
	enum status st;

	if (!r)
		return;
	snprintf(z->mems_allowed, size, "%s", r->mems_allowed);
	if (*z->mems_allowed || r->outcome != OOM_PANICKED || !r->pid.known ||
	    r->pid.value > INT32_MAX)
		return;
	st = mems_allowed_read(z->v->dump, (int32_t)r->pid.value, z->mems_allowed, size);
	if (st != ST_OK)
		*z->mems_allowed = '\0';
	if (st != ST_OK && st != ST_ABSENT)
		dump_lacks(z->v->dump, "nodes that the task may use", st, "%s", z->v->dump->error);
}

void zone_log_read(struct zones_view *z)
{
	struct dump *d = z->v->dump;
	struct kernel_log log = { 0 };
	struct oom_reports all;

	find_log_problem(z, &log, kernel_log_read(d, &log));
	if (oom_reports_read(d, &log, &all) != ST_OK) {
		z->log_problem = dump_why(d);
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
	zone_mems_allowed(z);
	warn_of_log(z);
}

static void put_logged(struct zones_view *z, const struct mem_zone *zone)
{
	struct logged l = { .zone = *zone };
	struct zone_answer a;

	for (size_t i = 0; i < MEM_ZONE_NCOUNTERS; i++)
		l.pages[i] = (struct maybe_u64){ zone->kib[i].value >> (z->v->page_shift - 10),
						 zone->kib[i].known };
	if (z->is_of_report) {
		zone_request_check_logged(z, zone, &a);
		if (a.is_asked)
			l.figures = zone_figures_of(&a);
	}
	rows_put_record(&z->v->report, &logged_view, &l, z);
}

/* "hungry (pid 181) invoked the OOM killer, 12ms before the panic" */
static void put_head(struct zones_view *z, const struct oom_report *r)
{
	struct sink *out = z->v->out;
	char age[AGE_TEXT];

	sink_text(out, "\nlog: ");
	sink_text(out, r->has_comm ? r->comm : "a task");
	if (r->pid.known)
		sink_printf(out, " (pid %lu)", r->pid.value);
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
	if (r->scope != OOM_SCOPE_MEMCG)
		return;
	sink_printf(out, "  the limit of a memory cgroup was reached, not a watermark: %s",
		    *r->oom_memcg ? r->oom_memcg : "cgroup unknown");
	if (r->memory.usage_kib.known && r->memory.limit_kib.known)
		sink_printf(out, ", %s of %s", SIZE_TEXT(r->memory.usage_kib.value << 10),
			    SIZE_TEXT(r->memory.limit_kib.value << 10));
	sink_text(out, "\n");
}

static void put_outcome(struct zones_view *z, const struct oom_report *r)
{
	struct sink *out = z->v->out;
	const char *outcome = oom_outcome_name(r->outcome);

	if (*r->constraint || *z->mems_allowed)
		sink_printf(out, "  constraint %s%s, nodemask %s, mems_allowed %s\n",
			    *r->constraint ? r->constraint : "unknown",
			    r->constraint_derived ? " (derived)" : "",
			    *r->nodemask ? r->nodemask : "unknown",
			    *z->mems_allowed ? z->mems_allowed : "unknown");
	if (r->outcome == OOM_KILLED || r->outcome == OOM_EXITING)
		sink_printf(out, "  %s: %s (pid %ld)\n", outcome,
			    r->victim.has_comm ? r->victim.comm : "?",
			    r->victim.pid.known ? (int64_t)r->victim.pid.value : -1);
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

void zone_log_put(struct zones_view *z)
{
	if (!z->v->in->opts.json) {
		put_text(z);
		return;
	}
	if (!z->report)
		return;
	rows_put_record(&z->v->report, &zone_log_view, z->report, z);
	for (unsigned int i = 0; i < z->report->mem.nzones; i++)
		put_logged(z, &z->report->mem.zones[i]);
}
