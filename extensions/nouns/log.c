// SPDX-License-Identifier: GPL-2.0-or-later

#include "log/commit_refusal.h"
#include "log/fork_reject.h"
#include "log/limit_line.h"
#include "log/log_file.h"
#include "log/printk.h"
#include "log/slab_failure.h"
#include "log/standstill.h"
#include "log/warning.h"
#include "memowner/log_source.h"
#include "log_rows.h"
#include "noun.h"
#include "oom/oom_growth.h"
#include "oom/oom_total.h"

#define LINES 400 /* of a report: the table of tasks has one for each */

#define ROW struct oom_report

CELL_FROM(kind_cell, ROW, cell_text(oom_report_kind_name(r->kind)))
CELL_FROM(outcome_cell, ROW, cell_text(oom_outcome_name(r->outcome)))
CELL_FROM(order_cell, ROW,
	  cell_if(r->has_order && r->order >= 0, cell_uint((uint64_t)(unsigned int)r->order)))
CELL_FROM(basis_cell, ROW, cell_text(r->constraint_derived ? "derived" : "recorded"))

CELL_WITH(ts_cell, ROW, const struct owner_view, cell_if(log_has_times(v), cell_uint(r->ts_ns)))
CELL_WITH(date_cell, ROW, const struct owner_view,
	  cell_text(log_file_date_text(v->dump, r->first->date_s)))

CAN_HAVE(may_have_order, ROW, void, !r->has_order || r->order >= 0)
CAN_HAVE(may_have_victim, ROW, void,
	 r->kind == OOM_REPORT_OOM && (r->outcome == OOM_OUTCOME_UNKNOWN ||
				       r->outcome == OOM_KILLED || r->outcome == OOM_EXITING))
CAN_HAVE(is_group, ROW, void, r->is_group || *r->others)
CELL_WITH(others_cell, ROW, const struct owner_view,
	  cell_text(oom_report_others(v->dump->arena, r)))
CAN_HAVE(may_be_of_memcg, ROW, void,
	 r->kind == OOM_REPORT_OOM && (!*r->constraint || strstr(r->constraint, "MEMCG")))
CAN_HAVE(was_invoked, ROW, void, r->kind == OOM_REPORT_OOM)

/* What the report has of memory as a whole. */
#define AT_REPORT "at the report, by its Mem-Info block; null: it has none"

static struct cell bytes(struct maybe_u64 n)
{
	return cell_if(n.known, cell_uint(n.n));
}

CELL_WITH(free_cell, ROW, const struct owner_view, bytes(oom_report_free(v->dump, r)))
CELL_WITH(free_swap_cell, ROW, const struct owner_view, bytes(oom_report_free_swap(v->dump, r)))
CELL_WITH(gfp_cell, ROW, const struct owner_view, cell_text(oom_report_gfp(v->dump->arena, r)))
CELL_WITH(anon_cell, ROW, const struct owner_view, bytes(oom_report_anon(v->dump, r)))
CELL_FROM(victim_anon_cell, ROW, bytes(oom_report_victim_anon(r)))
CELL_WITH(slab_cell, ROW, const struct owner_view, bytes(oom_report_slab(v->dump, r)))

static const char *const kinds[] = { "oom", "allocation", "mem_info", NULL };

static const struct view_column columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, "null: a text of the log without stamps", CELL_BY(ts_cell) },
	{ COLUMN_log_date, IN_BOTH, CELL_BY(date_cell) },
	{ COLUMN_report, IN_BOTH | KNOWN, "mem_info: a list of memory alone, as of sysrq-m",
	  .choices = kinds, CELL_BY(kind_cell) },
	{ COLUMN_pid, IN_BOTH, "that asked for memory", UINT_IF(ROW, pid.value, pid.known) },
	{ COLUMN_comm, IN_BOTH, "that asked for memory", CHARS_IF(ROW, comm, has_comm) },
	{ COLUMN_order, IN_BOTH, "null: sysrq-f asked, or unknown", .can_have = may_have_order,
	  CELL_BY(order_cell) },
	{ COLUMN_gfp, IN_JSON, "as a number where the log has no names", CELL_BY(gfp_cell) },
	{ COLUMN_constraint, IN_JSON, CHARS_OF(ROW, constraint) },
	{ COLUMN_nodemask, IN_JSON, .can_have = was_invoked, CHARS_OF(ROW, nodemask) },
	{ COLUMN_mems_allowed, IN_JSON, "of the report alone", .can_have = was_invoked,
	  CHARS_OF(ROW, mems_allowed) },
	{ COLUMN_outcome, IN_BOTH, .can_have = was_invoked, CELL_BY(outcome_cell) },
	{ COLUMN_victim_pid, IN_BOTH, .can_have = may_have_victim,
	  UINT_IF(ROW, victim.pid.value, victim.pid.known) },
	{ COLUMN_victim_comm, IN_BOTH, .can_have = may_have_victim,
	  CHARS_IF(ROW, victim.comm, victim.has_comm) },
	{ COLUMN_victim_anon_bytes, IN_JSON, .can_have = may_have_victim,
	  CELL_BY(victim_anon_cell) },
	{ COLUMN_other_victims, IN_JSON, .can_have = is_group, CELL_BY(others_cell) },
	{ COLUMN_memcg, IN_BOTH, "that reached its limit", .can_have = may_be_of_memcg,
	  CHARS_OF(ROW, oom_memcg) },
	{ COLUMN_free_bytes, IN_JSON, AT_REPORT, CELL_BY(free_cell) },
	{ COLUMN_swap_free_bytes, IN_JSON, AT_REPORT, CELL_BY(free_swap_cell) },
	{ COLUMN_lru_anon_bytes, IN_JSON, AT_REPORT, CELL_BY(anon_cell) },
	{ COLUMN_slab_unreclaimable_bytes, IN_JSON, AT_REPORT, CELL_BY(slab_cell) },
	BASIS_BY(basis_cell, "derived where no line of the report has the constraint"),
};

/* Who grew, of the log as a whole. */
struct growth_row {
	const struct oom_grown *of;
	const struct oom_growth *all;
};

#define GROWTH struct growth_row

static struct cell pages(const struct owner_view *v, uint64_t n)
{
	return cell_uint(n << v->dump->page_shift);
}

CELL_WITH(first_ts_cell, GROWTH, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->all->table[0]->ts_ns)))
CELL_WITH(last_ts_cell, GROWTH, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->all->table[1]->ts_ns)))
CELL_FROM(grown_pid_cell, GROWTH, cell_if(r->of->tgid, cell_uint((uint64_t)r->of->tgid)))
CELL_FROM(grown_comm_cell, GROWTH, cell_text(r->of->comm))
CELL_FROM(first_processes_cell, GROWTH, cell_uint(r->of->processes[0]))
CELL_FROM(processes_cell, GROWTH, cell_uint(r->of->processes[1]))
CELL_WITH(first_rss_cell, GROWTH, const struct owner_view, pages(v, r->of->rss[0]))
CELL_WITH(rss_cell, GROWTH, const struct owner_view, pages(v, r->of->rss[1]))
CELL_WITH(first_swap_cell, GROWTH, const struct owner_view,
	  cell_if(r->all->has_swap, pages(v, r->of->swap[0])))
CELL_WITH(swap_cell, GROWTH, const struct owner_view,
	  cell_if(r->all->has_swap, pages(v, r->of->swap[1])))
CELL_FROM(growth_memcg_cell, GROWTH, cell_text(*r->all->memcg ? r->all->memcg : NULL))
CAN_HAVE(is_one, GROWTH, void, r->of->tgid != 0)
CAN_HAVE(is_of_cgroup, GROWTH, void, *r->all->memcg)

static const struct view_column growth_columns[] = {
	{ COLUMN_first_table_ns, IN_BOTH, "null: a text of the log without stamps",
	  CELL_BY(first_ts_cell) },
	{ COLUMN_ts_ns, IN_BOTH, "of the last table", CELL_BY(last_ts_cell) },
	{ COLUMN_pid, IN_BOTH, "the process; null: several of that name", .can_have = is_one,
	  CELL_BY(grown_pid_cell) },
	{ COLUMN_comm, IN_BOTH | KNOWN, "of the process", CELL_BY(grown_comm_cell) },
	{ COLUMN_first_processes, IN_BOTH | KNOWN, CELL_BY(first_processes_cell) },
	{ COLUMN_processes, IN_BOTH | KNOWN, "of that name; in the last table",
	  CELL_BY(processes_cell) },
	{ COLUMN_first_rss_bytes, IN_BOTH | KNOWN, CELL_BY(first_rss_cell) },
	{ COLUMN_rss_bytes, IN_BOTH | KNOWN, "in the last table", CELL_BY(rss_cell) },
	{ COLUMN_first_swap_bytes, IN_BOTH, CELL_BY(first_swap_cell) },
	{ COLUMN_swap_bytes, IN_BOTH, "in the last table", CELL_BY(swap_cell) },
	{ COLUMN_memcg, IN_BOTH, "that the tables are of; null: of the machine",
	  .can_have = is_of_cgroup, CELL_BY(growth_memcg_cell) },
	BASIS(derived),
};

#define REFUSED struct commit_refused

CELL_WITH(refused_ts_cell, REFUSED, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->last->ts_ns)))
CELL_WITH(refused_date_cell, REFUSED, const struct owner_view,
	  cell_text(log_file_date_text(v->dump, r->last->date_s)))

static const struct view_column refusal_columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, "of the last one", CELL_BY(refused_ts_cell) },
	{ COLUMN_log_date, IN_JSON, "of the last one", CELL_BY(refused_date_cell) },
	{ COLUMN_pid, IN_BOTH, "that asked", UINT_IF(REFUSED, pid.value, pid.known) },
	{ COLUMN_comm, IN_BOTH, "that asked", CHARS_OF(REFUSED, comm) },
	{ COLUMN_refused, IN_BOTH | KNOWN, UINT_OF(REFUSED, n) },
	{ COLUMN_largest_request_bytes, IN_BOTH, "null: up to 6.9",
	  UINT_IF(REFUSED, bytes.value, bytes.known) },
	BASIS(recorded),
};

#define STILL struct standstill

CELL_WITH(still_first_cell, STILL, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->first->ts_ns)))
CELL_WITH(still_date_cell, STILL, const struct owner_view,
	  cell_text(log_file_date_text(v->dump, r->first->date_s)))
CELL_FROM(still_cell, STILL, cell_text(standstill_name(r)))
CELL_FROM(still_time_cell, STILL,
	  cell_if(r->seconds.known, cell_uint(r->seconds.value * 1000000000)))
CAN_HAVE(is_of_cpu, STILL, void, r->kind != STALL_NONE)
CAN_HAVE(is_of_task, STILL, void, r->kind == STALL_NONE && r->owner.lock)

static const struct view_column still_columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, "of the first line on it", CELL_BY(still_first_cell) },
	{ COLUMN_log_date, IN_JSON, "of the first line on it", CELL_BY(still_date_cell) },
	{ COLUMN_standstill, IN_BOTH | KNOWN, CELL_BY(still_cell) },
	{ COLUMN_cpu, IN_BOTH, .can_have = is_of_cpu, UINT_IF(STILL, cpu.value, cpu.known) },
	{ COLUMN_pid, IN_BOTH, UINT_IF(STILL, pid.value, pid.known) },
	{ COLUMN_comm, IN_BOTH, CHARS_OF(STILL, comm) },
	{ COLUMN_lock, IN_BOTH, "by the kernel's line behind that of a hung task (6.16)",
	  .can_have = is_of_task, TEXT_OF(STILL, owner.lock) },
	{ COLUMN_lock_holder, IN_BOTH, "as the kernel says, which has it as likely; null: no line",
	  .can_have = is_of_task, UINT_IF(STILL, owner.pid.value, owner.pid.known) },
	{ COLUMN_holder_comm, IN_BOTH, "the same", .can_have = is_of_task,
	  CHARS_OF(STILL, owner.comm) },
	{ COLUMN_stall_ns, IN_BOTH,
	  "at the last line; of a hung task more; null: of RCU, whose lines have jiffies",
	  CELL_BY(still_time_cell) },
	{ COLUMN_count, IN_BOTH | KNOWN, "of lines on it", UINT_OF(STILL, lines) },
	BASIS(recorded),
};

static const struct view still_view = { "log-standstill", "", COLUMNS_OF(still_columns),
					.below = &log_warning_view };

#define FAILED struct slab_failure

CELL_WITH(failed_ts_cell, FAILED, const struct owner_view,
	  cell_if(log_has_times(v), cell_uint(r->last->ts_ns)))
CELL_WITH(failed_date_cell, FAILED, const struct owner_view,
	  cell_text(log_file_date_text(v->dump, r->last->date_s)))

static const struct view_column slab_columns[] = {
	{ COLUMN_ts_ns, IN_BOTH, "of the last one", CELL_BY(failed_ts_cell) },
	{ COLUMN_log_date, IN_JSON, "of the last one", CELL_BY(failed_date_cell) },
	{ COLUMN_cache, IN_BOTH, CHARS_OF(FAILED, cache) },
	{ COLUMN_failures, IN_BOTH | KNOWN, UINT_OF(FAILED, n) },
	{ COLUMN_node, IN_BOTH, "that was asked for; null: any",
	  UINT_IF(FAILED, node.value, node.known) },
	{ COLUMN_order, IN_BOTH, "the smallest that the cache takes",
	  UINT_IF(FAILED, order.value, order.known) },
	{ COLUMN_gfp, IN_BOTH, CHARS_OF(FAILED, gfp) },
	{ COLUMN_gfp_mask, IN_JSON, HEX_IF(FAILED, gfp_mask.value, gfp_mask.known) },
	{ COLUMN_object_bytes, IN_BOTH, UINT_IF(FAILED, object_size.value, object_size.known) },
	{ COLUMN_slabs, IN_BOTH, "of all nodes, at the last one",
	  UINT_IF(FAILED, slabs.value, slabs.known) },
	{ COLUMN_objects, IN_BOTH, "in these slabs",
	  UINT_IF(FAILED, objects.value, objects.known) },
	{ COLUMN_free_objects, IN_BOTH, "in slabs of the lists of nodes",
	  UINT_IF(FAILED, free.value, free.known) },
	BASIS(recorded),
};

static const struct view slab_view = { "log-slab", "", COLUMNS_OF(slab_columns),
				       .below = &still_view };
static const struct view refusal_view = { "log-refusal", "", COLUMNS_OF(refusal_columns),
					  .below = &slab_view };
static const struct view growth_view = { "log-growth", "", COLUMNS_OF(growth_columns),
					 .below = &refusal_view };

struct log_noun {
	struct kernel_log log;
	struct oom_reports reports;
	struct oom_growth growth;
	struct commit_refusals refusals;
	struct slab_failures slabs;
	struct standstills still;
	struct log_warnings warnings;
	enum status st;
};

static enum status open_view(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct log_noun *l = v->own = dump_alloc(v->dump, sizeof(*l));

	owner_view_init(v);
	l->st = kernel_log_read(v->dump, &l->log);
	*why = availability_of(l->st);
	/* Without a record nothing is known of reports. */
	if (l->st != ST_OK && !l->log.n)
		return l->st;
	if (l->st != ST_ABSENT && l->st != ST_STOPPED)
		oom_reports_read(v->dump, &l->log, &l->reports);
	commit_refusals_read(&l->log, &l->refusals);
	slab_failures_read(&l->log, &l->slabs);
	standstills_read(&l->log, &l->still);
	log_warnings_read(&l->log, &l->warnings);
	if (l->reports.n &&
	    oom_growth_read(v->dump, &l->log, &l->reports, &l->growth) == ST_STOPPED)
		return ST_STOPPED;
	*why = availability_of(l->st);
	return l->st == ST_ABSENT || l->st == ST_STOPPED ? l->st : ST_OK;
}

/* Whether a report ends with a record. */
static bool is_last(const char *text)
{
	static const char *const ends[] = { "Kernel panic", "Killed process", "oom_reaper:" };

	return text && ANY_OF(i, ARRAY_SIZE(ends), strstr(text, ends[i]));
}

/* Records of a report, which are those of its caller. */
static void put_lines(struct owner_view *v, const struct log_noun *l, const struct oom_report *r)
{
	struct kernel_record *lines = dump_alloc(v->dump, LINES * sizeof(*lines));
	size_t n = 0, i = r->first - l->log.records;

	for (; i < l->log.n && n < LINES; i++) {
		const struct kernel_record *rec = &l->log.records[i];

		if (r->has_caller && rec->has_caller && rec->caller != r->caller)
			continue;
		lines[n++] = *rec;
		if (is_last(rec->text))
			break;
	}
	if (v->in->opts.json) {
		rows_put_below(&v->report, v->in, &log_line_view, lines, n, sizeof(*lines), v);
		return;
	}
	sink_printf(v->out, "\nThe last %s, as the kernel wrote it:\n",
		    v->in->filters.n || v->in->filters.nrows ? "of these" : "one");
	for (i = 0; i < n; i++) {
		if (lines[i].date_s)
			sink_printf(v->out, "%s ", log_file_date_text(v->dump, lines[i].date_s));
		if (log_has_times(v))
			sink_printf(v->out, "[%s] ", STAMP_TEXT(lines[i].ts_ns));
		sink_text(v->out, lines[i].text ?: "(not in this dump)");
		sink_text(v->out, "\n");
	}
}

/* Whether the filters keep it, of columns that are no keys too. */
static bool add_report(struct owner_view *v, const struct oom_report *r)
{
	struct cmdline *in = v->in;

	return rows_keep(in, r, v) &&
	       table_will_keep(&in->table, &in->filters, row_add(&in->table, r, v));
}

/* No report of memory, but a limit that was reached. */
static const char *fork_text(const struct owner_view *v, const struct fork_rejects *f)
{
	const char *date = log_file_date_text(v->dump, f->last->date_s);

	return dump_text(v->dump, "pids.max refused a fork in cgroup %s%s%s%s%s%s",
			 *f->path ? f->path : "of an unknown name", date ? ", " : "", date ?: "",
			 log_has_times(v) ? ", at second " : "",
			 log_has_times(v) ? STAMP_TEXT(f->last->ts_ns) : "",
			 f->n > 1 ? "; there are such lines of others before" : "");
}

/* "open files reached their limit (fs.file-max 3,600), at second 10.030962"; NULL: none. */
static const char *limits_text(const struct owner_view *v, const struct limit_lines *l)
{
	struct strbuf b = STRBUF_OF(1024);

	for (size_t i = 0; i < LIMIT_LINES; i++)
		if (l->of[i].n)
			strbuf_add(&b, "%s%s (%s)%s%s", strbuf_between(&b, "; "), l->of[i].what,
				   limit_line_text((char[LIMIT_TEXT]){ "" }, &l->of[i]),
				   log_has_times(v) ? ", at second " : "",
				   log_has_times(v) ? STAMP_TEXT(l->of[i].last->ts_ns) : "");
	return b.len ? dump_strdup(v->dump, b.buf) : NULL;
}

/* Lines of the log as a whole, as rows of their own. */
static void put_growth(struct owner_view *v, const struct oom_growth *g)
{
	struct growth_row *rows = dump_alloc(v->dump, g->n * sizeof(*rows) + 1);

	for (unsigned int i = 0; i < g->n; i++)
		rows[i] = (struct growth_row){ &g->all[i], g };
	LOG_SECTION(v, growth_view, rows, g->n,
		    "\nWho grew, by the first and the last whole table of tasks:\n");
}

/* What is not there may be in a part of the log that could not be read. */
static void put_none(struct owner_view *v, const struct log_noun *l)
{
	bool may_be = l->reports.unread || l->log.is_cut || l->st != ST_OK;

	if (may_be)
		report_no_rows(&v->report, l->st != ST_OK ? availability_of(l->st) : NOT_IN_DUMP);
	if (!v->in->opts.json)
		sink_text(v->out, may_be || l->log.misses_processes
					  ? "no report of memory that ran out was found\n"
					  : "the log has no report of memory that ran out\n");
}

/* A text may be of a machine that ran on; what ended a dump its summary tells. */
static bool ends_without_panic(const struct owner_view *v)
{
	bool is_panic, is_whole;
	uint64_t ns;

	return v->dump->log_file && !v->dump->log_file->is_respelled &&
	       !v->dump->log_file->lacks_panic &&
	       printk_panic_time(v->dump, &ns, &is_panic, &is_whole) == ST_OK && !is_panic;
}

/* " 6.0s after boot", of a log with times */
static const char *end_time_text(const struct owner_view *v)
{
	const struct dump_info *info = &v->report.info;

	return log_has_times(v) && info->has_panic_time
		       ? dump_text(v->dump, " %s after boot", TIME_TEXT(info->panic_ns))
		       : "";
}

/* "2 parts in this file, as its clock goes back: of several boots or in another order; the reports are of ..." */
static const char *parts_text(struct dump *d, const struct log_file *f)
{
	const unsigned int number = f->boots - f->later_boots;
	const char *which = f->asked_part ? dump_text(d, "number %u", number)
			    : f->has_crash_kernel || f->is_by_swap
				    ? log_file_why(f)
				    : "the last that has any, else of the last that panicked";

	return f->has_clock_boots
		       ? dump_text(d, "%u parts in this file, %s: %s; the reports are of %s; -L %s",
				   f->boots, log_file_jump(f), log_file_kind(f), which,
				   log_source_others(d))
		       : dump_text(d, "%u boots in this file: the reports are of %s; -L %s",
				   f->boots, which, log_source_others(d));
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	const struct log_noun *l = v->own;
	const struct oom_report *newest = NULL;
	const struct log_file *f = v->dump->log_file;
	struct fork_rejects forks;

	struct limit_lines limits;

	fork_rejects_read(&l->log, &forks);
	limit_lines_read(&l->log, &limits);
	const char *reached = limits_text(v, &limits);
	const struct gap gaps[] = {
		{ "this is of the file alone: the dump was not read", v->dump->is_left_out,
		  .is_note = true },
		{ "%s", forks.n, .why = forks.n ? fork_text(v, &forks) : NULL, .is_note = true },
		{ "the kernel left out %s of the OOM killer: it limits their rate",
		  l->reports.suppressed.n, "report", "reports", .is_note = true },
		{ "the kernel left out %s of failed allocations: it limits their rate",
		  l->reports.failures_suppressed.n, "report", "reports", .is_note = true },
		{ "the kernel left out %s on refused requests: it limits their rate",
		  l->refusals.suppressed, "line", "lines", .is_note = true },
		{ "%s on more tasks and CPUs that did not get on, behind these", l->still.more,
		  "line is", "lines are", .is_note = true },
		{ "%s not told, before the last of these", l->warnings.more,
		  "more complaint of the kernel is", "more complaints of the kernel are",
		  .is_note = true },
		{ "failed allocations of more slab caches, before these, are not told",
		  l->slabs.has_more, .is_note = true },
		{ "refused requests of more processes, before these, are not told",
		  l->refusals.has_more, .is_note = true },
		{ "%s", reached != NULL, .why = reached, .is_note = true },
		{ "%s", f && f->boots > 1, .why = f ? parts_text(v->dump, f) : NULL,
		  .is_note = true },
		{ "%s of a report without a time stamp, where other lines have one: what belongs to it "
		  "is not told",
		  f ? f->left_reports : 0, "first line is", "first lines are" },
		{ f ? "a part of the log is %s: reports may be missing"
		    : "records of the log are not in this dump, or cannot be read: reports may be missing",
		  l->log.is_cut || l->st != ST_OK,
		  .why = f ? f->is_respelled ? "in another form than the kernel's" : "missing"
			   : NULL },
		{ v->dump->log_file
			  ? "the beginning of the log is missing, and earlier reports may be"
			  : "older records of the log were overwritten: reports may be missing",
		  l->log.misses_processes, .is_note = true },
		{ "the log ends%s without a panic: what was reported behind its end is not in it",
		  ends_without_panic(v), .why = end_time_text(v), .is_note = true },
		{ "%s of a report in a form that is unknown: what belongs to it is not told",
		  l->reports.unread, "first line is", "first lines are" },
		{ "lines of two reports stand in one another: figures that may be of either are unknown",
		  l->reports.has_mixed },
		{ "%s found and not kept, between the oldest and the others", l->reports.dropped,
		  "more report was", "more reports were" },
	};

	if (!f || !f->has_dates)
		rows_hide(v->in, (const enum column_id[]){ COLUMN_log_date, COLUMN_NONE });
	/* Without times the order of the rows is that of the reports: the newest first. */
	for (unsigned int i = 0; i < l->reports.n; i++) {
		const struct oom_report *r =
			&l->reports.reports[log_has_times(v) ? i : l->reports.n - 1 - i];

		if (add_report(v, r) && (!newest || r > newest))
			newest = r;
	}
	filters_not_kept(&v->in->filters, l->reports.dropped, "report", "reports");
	rows_show(&v->report, v->in);
	rows_put_kept(&v->report, v->in);
	if (!l->reports.n)
		put_none(v, l);
	if (!v->in->opts.json && (v->in->filters.n || v->in->filters.nrows) &&
	    (l->growth.n || l->refusals.kept || l->slabs.kept || l->still.n || l->warnings.n))
		sink_text(v->out,
			  "filters are of reports alone: the tables below have all of the log\n");
	put_growth(v, &l->growth);
	LOG_SECTION(v, refusal_view, l->refusals.all, l->refusals.kept,
		    "\nRequests for address space that vm.overcommit_memory refused:\n");
	LOG_SECTION(v, slab_view, l->slabs.all, l->slabs.kept,
		    "\nSlab caches that got no memory, the newest first:\n");
	LOG_SECTION(v, still_view, l->still.all, l->still.n,
		    "\nTasks and CPUs that did not get on, by the log:\n");
	log_put_warnings(v, &l->warnings);
	log_put_signs(v, &l->log);
	if (newest)
		put_lines(v, l, newest);
	REPORT_GAPS(&v->report, gaps);
	report_end(&v->report, NULL, true);
	return ST_OK;
}

static const struct key keys[] = {
	{ COLUMN_report, "kind of report", KEY_FILTERS, .choices = kinds },
	{ COLUMN_comm, "task that asked for memory", KEY_FILTERS },
};

static const struct view view = {
	"log",
	"",
	COLUMNS_OF(columns),
	KEYS_OF(keys),
	.below = &growth_view,
	ROWS_ARE("report", "reports", "ts_ns", LOG_ROWS),
	.open = open_view,
	.show = show,
};

static const struct baseline baseline = {
	.by = { { COLUMN_report, COLUMN_comm } },
	.amounts = { { COLUMN_NONE, BASELINE_ROWS,
		       .note = "a log keeps what its buffer has room for: reports from before that are in neither" } },
	.many = "reports",
};

static const struct view diff_view = { BASELINE_OF(baseline, "kind of report", "kinds of reports"),
				       NO_KEYS };

static char *help[] = {
	"memowner log",
	"reports of the log on memory that ran out",
	"",
	"  Each report of the OOM killer, each allocation that failed and each list of",
	"  memory, the newest first, with who asked and who was killed; then the records",
	"  of the newest one that filters keep, as the kernel wrote them; who grew",
	"  between two tables of tasks that are whole, and whose requests for address",
	"  space vm.overcommit_memory refused, which slab caches got no memory,",
	"  which tasks and CPUs did not get on, what the kernel complained of, and what",
	"  single lines tell of disks, devices and the hardware.",
	"EXAMPLES",
	"  All of them; those of memory that ran out:",
	"    memowner log",
	"    memowner log -f report=oom",
	NULL
};

static const struct view *const views[] = { &view, &diff_view };

static const struct command_option options[] = { RANKED_ROWS("report=oom", "ts_ns", "+gfp"), DIFF,
						 VALUE('L', "FILE"), LAST_OPTIONS };

OWNER_NOUN(log, .instead = log_source_open)
