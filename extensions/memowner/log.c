// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel log says of the panic and of memory that ran out. */
#include <stdio.h>

#include "log/kernel_log.h"
#include "oom/mems_allowed.h"
#include "oom/oom_report.h"
#include "log/oops.h"
#include "summary.h"

static struct cell text(struct summary *s, const char *t)
{
	return cell_text(*t ? arena_strdup(s->dump->arena, t) : NULL);
}

/* Rates and ages are up to another time then. */
static enum status add_no_panic(struct summary *s)
{
	const char *note = s->report->info.end_note;
	char buf[160], *copy;

	snprintf(buf, sizeof(buf), "the log has no panic%s%s", note ? "; times are up to " : "",
		 note ? note : "");
	copy = arena_strdup(s->dump->arena, buf);
	return copy ? summary_none(s, "panic", copy) : dump_no_memory(s->dump);
}

static enum status add_panic(struct summary *s, const struct oops_log *log, bool is_cut)
{
	struct cell *row;

	if (!log->has_panic && is_cut)
		return summary_unknown(s, "panic", NOT_IN_DUMP,
				       "a part of the log is not in this dump");
	if (!log->has_panic)
		return add_no_panic(s);
	row = summary_add(s, SECTION_PANIC);
	if (!row)
		return ST_NOMEM;
	row[COL_NAME] = text(s, log->panic);
	row[COL_TS] = cell_uint(log->panic_ns);
	return ST_OK;
}

static enum status add_oops(struct summary *s, const struct oops_log *log)
{
	const struct oops *o = &log->oops;
	bool is_of_init = oops_is_of_init(log), has_address;
	struct cell *row;

	if (!oops_is_fatal(log) && !is_of_init)
		return ST_OK;
	s->is_oops = true;
	row = summary_add(s, SECTION_EXCEPTION);
	if (!row)
		return ST_NOMEM;
	if (is_of_init && !oops_is_fatal(log)) {
		row[COL_NAME] = cell_text("user_fault");
		row[COL_ADDRESS] = cell_hex(log->user.address);
		row[COL_PID] = cell_int(log->user.pid);
		row[COL_COMM] = text(s, log->user.comm);
		row[COL_TS] = cell_uint(log->user.ts_ns);
		return ST_OK;
	}
	has_address = o->address.known || o->kind == OOPS_PAGE_FAULT ||
		      o->kind == OOPS_STACK_OVERFLOW;
	row[COL_NAME] = cell_text(oops_kind_name(o->kind));
	if (has_address && (o->address.known || o->cr2.known))
		row[COL_ADDRESS] = cell_hex(o->address.known ? o->address.value : o->cr2.value);
	row[COL_IP_SYMBOL] = text(s, o->ip);
	row[COL_TS] = cell_uint(o->ts_ns);
	if (o->pid.known) {
		row[COL_PID] = cell_int((int64_t)o->pid.value);
		row[COL_COMM] = text(s, o->comm);
	}
	return ST_OK;
}

/* The report has no nodes where the kernel panicked before it printed them: those of the task. */
static struct cell mems_of(struct summary *s, const struct oom_report *r)
{
	char nodes[OOM_NODES];

	if (*r->mems_allowed)
		return text(s, r->mems_allowed);
	if (r->outcome != OOM_PANICKED || !r->pid.known || r->pid.value > INT32_MAX ||
	    mems_allowed_read(s->dump, (int32_t)r->pid.value, nodes, sizeof(nodes)) != ST_OK)
		return (struct cell){ .kind = CELL_NULL };
	return text(s, nodes);
}

/* Above, the kernel does not invoke the OOM killer: the request fails (include/linux/mmzone.h). */
#define PAGE_ALLOC_COSTLY_ORDER 3

static enum status add_oom(struct summary *s, const struct oom_reports *all)
{
	const struct oom_report *r = oom_reports_last(all, OOM_REPORT_OOM);
	struct cell *row;

	if (!r)
		r = oom_reports_last(all, OOM_REPORT_ALLOCATION);
	if (!r)
		return ST_OK;
	s->has_report = true;
	s->ran_out_in_cgroup = *r->oom_memcg || !strcmp(r->constraint, "CONSTRAINT_MEMCG");
	if (r->has_order && r->order > PAGE_ALLOC_COSTLY_ORDER)
		s->failed_order = (unsigned int)r->order;
	row = summary_add(s, SECTION_OOM);
	if (!row)
		return ST_NOMEM;
	row[COL_NAME] = cell_text(oom_report_kind_name(r->kind));
	row[COL_TS] = cell_uint(r->ts_ns);
	row[COL_PID] = cell_if(r->pid.known, cell_int((int64_t)r->pid.value));
	row[COL_COMM] = cell_if(r->has_head, text(s, r->comm));
	row[COL_ORDER] = cell_if(r->has_order, cell_int(r->order));
	row[COL_GFP_MASK] = cell_if(r->gfp_mask.known, cell_hex(r->gfp_mask.value));
	row[COL_GFP] = text(s, r->gfp);
	row[COL_CONSTRAINT] = text(s, r->constraint);
	row[COL_MEMS_ALLOWED] = mems_of(s, r);
	row[COL_MEMCG] = text(s, r->oom_memcg);
	row[COL_OUTCOME] = cell_text(oom_outcome_name(r->outcome));
	row[COL_VICTIM_PID] = cell_if(r->victim.pid.known, cell_int((int64_t)r->victim.pid.value));
	row[COL_VICTIM_COMM] = cell_if(r->victim.has_comm, text(s, r->victim.comm));
	return ST_OK;
}

enum status summary_log(struct summary *s)
{
	struct dump *d = s->dump;
	struct oops_log *oops = dump_alloc(d, sizeof(*oops));
	struct kernel_log log = { 0 };
	struct oom_reports reports;
	enum status st = oops ? kernel_log_read(d, &log) : ST_NOMEM;

	const char *why = arena_strdup(d->arena, d->error);

	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	if (st != ST_OK && !log.n)
		return dump_fail(d, st == ST_ABSENT ? ST_UNKNOWN : st,
				 "the kernel log cannot be read: %s", why ? why : "");
	if (log.is_cut) {
		report_warn(s->report, "a part of the log is not in this dump");
		s->complete = false;
	}
	for (size_t i = 0; i < log.n; i++)
		oops_log_record(oops, &log.records[i]);
	st = oom_reports_read(d, &log, &reports);
	if (st == ST_OK)
		st = add_panic(s, oops, log.is_cut);
	if (st == ST_OK)
		st = add_oops(s, oops);
	if (st == ST_OK)
		st = add_oom(s, &reports);
	return st;
}
