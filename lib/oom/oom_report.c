// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_report.h"

#include "oom/mems_allowed.h"
#include "util/bits.h"
#include "oom/oom_checks.h"
#include "oom/oom_line.h"
#include "oom/oom_panic.h"
#include "oom/oom_tasks.h"
#include "oom/oom_trace.h"
#include "oom/mixed_reports.h"
#include "oom/oom_pieces.h"
#include "oom/oom_victims.h"

#include <ctype.h>

#define SHOWN_WORDS 16 /* of a bit for each node */

/* ns: within which the lines of a report come. */
#define SOON 1000000000ULL

#define FEW_LOST 30 /* records: the block of memory alone has as many */

/* A victim had a capital once. */
static bool is_unread_head(const char *text)
{
	return strstr(text, " invoked oom-killer") || strstr(text, " page allocation failure") ||
	       log_after(text, "oom-killer: gfp_mask=") ||
	       log_after(text, "Out of Memory: Killed process ");
}

static bool take_head(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report head, *before;
	enum oom_report_kind kind = OOM_REPORT_OOM;

	if (oom_line_failure(rec->text, &head)) {
		kind = OOM_REPORT_ALLOCATION;
	} else if (!oom_line_invoked(rec->text, &head)) {
		all->unread += is_unread_head(rec->text);
		return false;
	}
	before = oom_open_report(all, rec);
	oom_mixed_head(all, before, &head);
	oom_close_reports(all, rec);
	all->rest = 0;
	oom_start(all, rec, kind, STAGE_HEAD, &head);
	return true;
}

/* cpuset_print_current_mems_allowed(), a line of its own up to 4.20. */
static bool take_mems_allowed(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r = oom_open_report(all, rec);

	return r && r->has_head && r->stage == STAGE_HEAD && !*r->mems_allowed &&
	       !r->is_same_task && oom_line_mems_allowed(rec->text, r);
}

/* Of a report whose first line lost the name: the whole one of the line behind it. */
static void take_name(struct oom_report *r, const char *text)
{
	struct log_number cpu = { 0 }, pid = { 0 };
	char comm[LOG_COMM + 1] = "";

	log_take_task(&cpu, &pid, comm, text);
	if (!pid.known || !*comm || !log_find(text, "ainted"))
		return;
	log_copy(r->comm, sizeof(r->comm), comm, strlen(comm));
	r->has_comm = true;
}

/* dump_stack_print_info(): the task once more, with its pid and its CPU. */
static void take_cpu(struct oom_reports *all, const struct kernel_record *rec)
{
	const char *cpu = log_after(rec->text, "CPU: "), *comm = log_find(rec->text, " Comm: "),
		   *pid = log_find(rec->text, " PID: "), *end;
	struct oom_report *r;
	uint64_t value, number;

	/* Up to 3.9 */
	if (!cpu) {
		pid = log_after(rec->text, "Pid: ");
		comm = log_find(rec->text, ", comm: ");
	}

	if (!comm || !pid || pid > comm)
		return;
	r = oom_open_report(all, rec);
	/* Without the caller of a record, another CPU may have written it. */
	if (!r || !r->has_head || r->is_same_task || !log_take_decimal(pid, &value) ||
	    (r->pid.known && r->pid.value != value))
		return;
	if (!r->has_comm && r->stage == STAGE_HEAD)
		take_name(r, rec->text);
	end = log_after(comm, r->comm);
	if (!end || *end != ' ' || !oom_next_part(all, rec, STAGE_CPU, false))
		return;
	r->pid = (struct log_number){ true, value };
	r->is_old |= !cpu;
	if (cpu && log_take_decimal(cpu, &number))
		r->cpu = (struct log_number){ true, number };
}

static bool take_oom_kill(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r, head = { 0 };

	if (!oom_line_constraint(rec->text, &head))
		return false;
	oom_reopen(all, rec);
	oom_leave_double(all, rec);
	r = oom_any_part(all, rec, OOM_REPORT_OOM, STAGE_OOM_KILL, false);
	r->kind = OOM_REPORT_OOM;
	oom_line_constraint(rec->text, r);
	oom_begin_pieces(all, r, rec->text);
	oom_line_ends(rec->text, r);
	return true;
}

static bool take_frame(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r = oom_open_report(all, rec);
	bool is_of_it = r && r->has_head && !r->is_mixed && !r->is_doubtful &&
			r->stage <= STAGE_CPU;

	/* A log that begins, or goes on, within a report. */
	if ((!all->n || (!r && all->is_behind_gap && !all->has_other_trace)) &&
	    oom_trace_is_killer(rec->text))
		oom_start(all, rec, OOM_REPORT_OOM, STAGE_CPU, NULL);
	if (oom_trace_is_sysrq(rec->text))
		oom_take_sysrq(all, rec);
	return oom_trace_take(is_of_it ? r : NULL, rec->text);
}

/* 5.0 and 5.1 have both lines, of one victim: ef8444ea01d7 "mm, oom: reorganize the oom report in dump_header". */
static bool is_choice_of(const struct oom_report *r, const char *text)
{
	uint64_t pid;
	const char *at = log_find(text, ": Kill process ");

	return r->stage == STAGE_OOM_KILL && *r->constraint && !r->constraint_derived &&
	       !r->kills && at && log_take_decimal(at, &pid) && r->victim.pid.known &&
	       r->victim.pid.value == pid;
}

/* "Out of memory: Kill process 5 (a) score 9 or sacrifice child", up to 4.20 before the victim; of a cgroup too. */
static bool take_choice(struct oom_reports *all, const struct kernel_record *rec)
{
	/* Up to 2.6.18 with a capital, of which the line of the victim has none. */
	const bool is_of_all = log_after(rec->text, "Out of memory: Kill process ") ||
			       log_after(rec->text, "Out of Memory: Kill process ");
	struct oom_report *r;

	if (!is_of_all && !log_after(rec->text, "Memory cgroup out of memory: Kill process "))
		return false;
	oom_leave_double(all, rec);
	r = oom_open_report(all, rec);
	if (!r || r->kind != OOM_REPORT_OOM ||
	    (r->stage >= STAGE_OOM_KILL && !is_choice_of(r, rec->text))) {
		oom_close_reports(all, rec);
		r = oom_start(all, rec, OOM_REPORT_OOM, STAGE_OOM_KILL, NULL);
	}
	/* A log that begins within the table of tasks has this line as the first of its end. */
	r->stage = STAGE_OOM_KILL;
	if (!is_of_all)
		oom_ran_out_in_cgroup(r);
	else if (r->scope == OOM_SCOPE_UNKNOWN)
		r->scope = OOM_SCOPE_GLOBAL;
	return true;
}

static bool take_end(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r = oom_open_report(all, rec);

	/* sysrq-m prints a block that is of no report. */
	if (log_after(rec->text, "sysrq: ") || log_after(rec->text, "SysRq : ")) {
		oom_close_reports(all, rec);
		all->rest = 0;
		return true;
	}
	if (oom_take_panic(all, rec))
		return true;
	if (r && r->kind == OOM_REPORT_OOM && r->stage == STAGE_KILLED && r->kills &&
	    (!all->has_mixed || r->scope == OOM_SCOPE_MEMCG) && log_after(rec->text, "Tasks in ") &&
	    strstr(rec->text, " are going to be killed due to memory.oom.group set")) {
		r->is_group = true;
		return true;
	}
	if (!r || !r->has_head || oom_is_double(r) || r->kind != OOM_REPORT_OOM ||
	    r->stage >= STAGE_KILLED ||
	    !log_after(rec->text, "Out of memory and no killable processes..."))
		return false;
	r->outcome = OOM_NO_VICTIM;
	return true;
}

/*
 * The report whose cgroup a line tells. Its first line may be lost: none but the OOM killer prints such lines, and none
 * of these is of a report that is open.
 */
static struct oom_report *of_cgroup(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r = oom_next_part(all, rec, STAGE_MEMCG, true);

	/* Behind the end of one it is of the next. */
	if (!r && oom_open_report(all, rec) && oom_open_report(all, rec)->stage == STAGE_KILLED)
		oom_close_reports(all, rec);
	if (!r && !oom_open_report(all, rec))
		r = oom_start(all, rec, OOM_REPORT_OOM, STAGE_MEMCG, NULL);
	return r && !oom_is_double(r) && r->kind == OOM_REPORT_OOM &&
			       (r->has_head || !r->has_mem_info)
		       ? r
		       : NULL;
}

/* Up to 5.2 there is a line of each cgroup: which one is the first is not known where those before it are lost. */
static void take_stats(struct oom_report *r, const char *text)
{
	bool is_lost = !r->memory.usage_kib.known && !*r->oom_memcg;

	if (is_lost && strstr(text, ": cache:"))
		r->has_stats = true;
	oom_ran_out_in_cgroup(r);
	oom_line_memcg(text, r);
}

/* Of the one line that was read. */
static bool is_whole_limit(const struct oom_report *r)
{
	const struct oom_limit *const of[] = { &r->memory, &r->swap, &r->memsw, &r->kmem };

	return ANY_OF(i, ARRAY_SIZE(of), of[i]->limit_kib.known && of[i]->failcnt.known);
}

static bool take_limit(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r, unused = { 0 };
	bool is_limit_of = oom_line_limit_of(rec->text, &unused);
	bool is_limit = is_limit_of || oom_line_limit(rec->text, &unused);
	const bool is_damaged = is_limit && !is_limit_of && !is_whole_limit(&unused);

	if (!is_limit && !oom_line_memcg(rec->text, &unused) && !oom_begins_path(rec->text))
		return false;
	r = of_cgroup(all, rec);
	*(r ? &r->has_damaged : &all->has_damaged) |= is_damaged;
	if (!r)
		return true;
	if (is_limit_of)
		oom_line_limit_of(rec->text, r);
	if (is_limit) {
		oom_line_limit(rec->text, r);
		oom_ran_out_in_cgroup(r);
	} else if (r->scope == OOM_SCOPE_MEMCG || !r->has_head || rec->ts_ns <= r->ts_ns + SOON) {
		take_stats(r, rec->text);
	}
	oom_begin_pieces(all, r, rec->text);
	return true;
}

/* A part that comes behind the end of the report which another one stood in is of that one. */
static bool take_rest(struct oom_reports *all, const struct kernel_record *rec, enum stage stage,
		      const struct mem_info *part)
{
	struct oom_report *r = all->rest ? &all->reports[all->rest - 1] : NULL;

	if (!r)
		return false;
	if (part->is_joined || r->stage > stage ||
	    (stage == STAGE_COUNTERS ? r->stage == stage : !r->has_mem_info) ||
	    mem_info_has(&r->mem, part)) {
		oom_mix(all, r);
		all->rest = 0;
		return true;
	}
	r->stage = stage;
	mem_info_record(&r->mem, rec->text);
	r->has_mem_info = true;
	if (oom_has_whole_block(r))
		all->rest = 0;
	return true;
}

/*
 * Without a line of the constraint: since 3.8 the report of a cgroup has no zones, and never such caches (dump_header()).
 * Names of flags are of 4.7 and later.
 */
static void take_machine(struct oom_reports *all, const struct kernel_record *rec, bool is_zone)
{
	struct oom_report *r = oom_open_report(all, rec);

	if (!r || r->kind != OOM_REPORT_OOM || r->scope != OOM_SCOPE_UNKNOWN || r->is_mixed ||
	    r->is_unsure || oom_is_double(r) || !r->has_head || r->global_by ||
	    (is_zone && !*r->gfp))
		return;
	r->global_by = is_zone ? "its list of zones" : "its list of caches";
}

static void take_mem_info(struct oom_reports *all, const struct kernel_record *rec)
{
	static const enum stage stages[] = { [MEM_INFO_COUNTERS] = STAGE_COUNTERS,
					     [MEM_INFO_ZONE] = STAGE_ZONES,
					     [MEM_INFO_BLOCKS] = STAGE_BLOCKS,
					     [MEM_INFO_TOTALS] = STAGE_TOTALS };
	struct mem_info copy = { 0 };
	struct oom_report *r = oom_open_report(all, rec);
	enum mem_info_part part = mem_info_record(&copy, rec->text);
	bool goes_on, is_behind_gap;

	if (part == MEM_INFO_NONE) {
		if (log_after(rec->text, "Unreclaimable slab info:"))
			take_machine(all, rec, false);
		/* dump_tasks(): none but the OOM killer has the table. */
		if (r && r->kind == OOM_REPORT_MEM_INFO && log_after(rec->text, "[ ") &&
		    strstr(rec->text, " total_vm "))
			r->kind = OOM_REPORT_OOM;
		if ((!all->n || (!r && all->is_behind_gap)) &&
		    (oom_tasks_is_header(rec->text) || oom_tasks_is_row(rec->text)))
			oom_start(all, rec, OOM_REPORT_OOM, STAGE_TOTALS, NULL);
		return;
	}
	all->has_counters |= part == MEM_INFO_COUNTERS;
	all->has_zones |= copy.nzones || copy.lacks_zone;
	if (r) {
		r->is_unsure = false;
		r->lost = 0;
	}
	if ((!all->n || (!r && all->is_behind_gap)) &&
	    (part != MEM_INFO_COUNTERS || copy.is_part)) {
		is_behind_gap = all->is_behind_gap;
		r = oom_start(all, rec, OOM_REPORT_MEM_INFO, stages[part], NULL);
		r->has_mem_info = r->is_cut = true;
		r->is_behind_gap = is_behind_gap;
		r->mem = copy;
		return;
	}
	if (take_rest(all, rec, stages[part], &copy))
		return;
	if (r && oom_mixed_part(r, rec, part, &copy))
		oom_mix(all, r);
	all->has_mixed |= copy.is_joined;
	if (copy.is_joined || (r && r->is_mixed))
		return;
	/* Since 3.8 a report of a cgroup has no such block. */
	if (r && r->scope == OOM_SCOPE_MEMCG && !r->is_old)
		r->is_open = false;
	goes_on = r && r->stage == STAGE_COUNTERS && mem_info_goes_on(&r->mem, &copy);
	if (part == MEM_INFO_COUNTERS && !copy.is_part && !goes_on)
		r = oom_any_part(all, rec, OOM_REPORT_MEM_INFO, stages[part], false);
	else
		r = oom_next_part(all, rec, stages[part], goes_on || part != MEM_INFO_COUNTERS);
	if (part == MEM_INFO_ZONE)
		take_machine(all, rec, true);
	/* The rest counts behind the counters only. */
	if (!r || (part != MEM_INFO_COUNTERS && !r->has_mem_info))
		return;
	mem_info_record(&r->mem, rec->text);
	r->has_mem_info = true;
}

/* Behind a few records that were lost a report goes on: the end of one and the head of the next are more. */
static void pass_lost(struct oom_reports *all, const struct kernel_record *rec)
{
	if (!rec->lost || rec->lost > FEW_LOST) {
		oom_close_reports(all, rec);
		all->is_behind_gap = true;
		all->behind_gap_ns = UINT64_MAX;
		all->has_other_trace = false;
	}
	for (unsigned int i = 0; i < all->n; i++) {
		struct oom_report *r = &all->reports[i];

		/* One alone is not both either. */
		r->lost += r->is_open && rec->lost < FEW_LOST ? rec->lost : 0;
		r->is_unsure |= r->is_open && (rec->lost != 1 || r->lost > 1);
	}
}

/*
 * What is left of a report comes at once behind the records that are missing. A trace that something else begins may have the
 * functions of the OOM killer, as of a CPU that is stuck while it prints a report.
 */
static void pass_behind_gap(struct oom_reports *all, const struct kernel_record *rec)
{
	static const char *const heads[] = { "watchdog: ", "BUG: ",	     "INFO: task ",
					     "INFO: rcu",  "rcu: ",	     "sysrq: ",
					     "SysRq : ",   "NMI backtrace ", "WARNING: " };

	if (!all->is_behind_gap)
		return;
	if (all->behind_gap_ns == UINT64_MAX)
		all->behind_gap_ns = rec->ts_ns;
	if (rec->ts_ns > all->behind_gap_ns && rec->ts_ns - all->behind_gap_ns > OOM_SILENCE)
		all->is_behind_gap = false;
	all->has_other_trace |= ANY_OF(i, ARRAY_SIZE(heads), log_after(rec->text, heads[i]));
}

/* An end without any line of the block of memory, or of a cgroup, between is farther from a first line than a few. */
static void leave_unsure(struct oom_reports *all, const struct kernel_record *rec)
{
	static const char *const ends[] = { "oom-kill:constraint=", "Kill process ",
					    "Killed process ", "Kernel panic - " };
	const struct oom_report *r = oom_open_report(all, rec);

	if (r && r->is_unsure && !r->has_mem_info && !r->memory.usage_kib.known && !*r->oom_memcg &&
	    ANY_OF(i, ARRAY_SIZE(ends), strstr(rec->text, ends[i])))
		oom_close_reports(all, rec);
}

/* warn_alloc() was warn_alloc_failed() up to 4.9. */
static void take_suppressed(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_suppressed *of = &all->failures_suppressed;
	uint64_t n;

	if (log_take_suppressed(rec->text, "oom_kill_process", &n))
		of = &all->suppressed;
	else if (!log_take_suppressed(rec->text, "warn_alloc", &n) &&
		 !log_take_suppressed(rec->text, "warn_alloc_failed", &n))
		return;
	of->n += n;
	of->last = rec;
}

/* " free:8000 free_pcp:100", whatever stands in its numbers; zones have theirs in "Node 0 DMA free:". */
static bool has_free(const char *text)
{
	const char *number = log_after(text, "free:") ?: log_find(text, " free:");

	return number && isdigit((unsigned char)*number) && !strstr(text, "Node ");
}

/*
 * A line that a console or a tool has twice, one behind the other: its time is the same one, or the next where lines have dates
 * alone and are counted. Of two reports in one another each may have it.
 */
static bool is_again(const struct oom_reports *all, const struct kernel_record *rec)
{
	const struct oom_report *r = all->n ? &all->reports[all->n - 1] : NULL;

	return rec->text && all->before && r && r->is_open && !r->follows_open &&
	       !rec->has_caller && rec->ts_ns <= all->before_ns + 1 &&
	       !strcmp(all->before, rec->text) && !oom_tasks_is_row(rec->text);
}

void oom_reports_record(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r;

	if (is_again(all, rec)) {
		all->before_ns = rec->ts_ns;
		return;
	}
	oom_close_old(all, rec);
	if (oom_take_piece(all, rec))
		return;
	if (!rec->text) {
		pass_lost(all, rec);
		return;
	}
	pass_behind_gap(all, rec);
	all->has_free |= has_free(rec->text);
	all->is_soon = all->before && rec->ts_ns <= all->before_ns + SOON;
	oom_mixed_order(all, rec);
	leave_unsure(all, rec);
	r = oom_open_report(all, rec);
	if (r && !all->rest && oom_mixed_line(all, r, rec))
		oom_mix(all, r);
	all->before = rec->text;
	all->before_ns = rec->ts_ns;
	/* Lines that begin with the name of a task come first: the name may look like another line. */
	if (take_head(all, rec) || take_oom_kill(all, rec) || take_choice(all, rec) ||
	    oom_take_victim(all, rec) || take_end(all, rec) || oom_take_reaped(all, rec) ||
	    take_limit(all, rec) || take_mems_allowed(all, rec) || take_frame(all, rec))
		return;
	if (log_after(rec->text, "CPU: ") || log_after(rec->text, "Pid: "))
		take_cpu(all, rec);
	else
		take_mem_info(all, rec);
	take_suppressed(all, rec);
}

void oom_reports_open(struct dump *d, struct oom_reports *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->reports = arena_sparse(d->arena, OOM_REPORTS * sizeof(*ret->reports));
}

/* The block has the nodes that the request may use: show_mem_node_skip(). */
void oom_report_take_nodes(struct oom_report *r, const char *allowed)
{
	uint64_t shown[SHOWN_WORDS] = { 0 };
	char nodes[OOM_NODES];
	bool bad = false;

	if (!r->has_head || r->mem.nzones == MEM_INFO_ZONES)
		return;
	for (unsigned int i = 0; i < r->mem.nzones; i++) {
		const struct log_number *node = &r->mem.zones[i].node;

		if (!node->known || node->value >= 64 * SHOWN_WORDS ||
		    !mems_allowed_have(allowed, node->value, &bad))
			return;
		shown[node->value / 64] |= 1ULL << node->value % 64;
	}
	if (!bits_print(shown, SHOWN_WORDS, nodes, sizeof(nodes)) || !strcmp(nodes, allowed))
		return;
	strcpy(r->constraint, "CONSTRAINT_MEMORY_POLICY");
	strcpy(r->nodemask, nodes);
	r->constraint_derived = true;
	r->scope = OOM_SCOPE_GLOBAL;
}

/* A mail may quote the newest report first, with a clock that goes back by less than that of another boot does. */
static void sort_by_time(struct oom_reports *all)
{
	for (unsigned int i = 1; i < all->n; i++) {
		const struct oom_report moved = all->reports[i];
		unsigned int to = i;

		for (; to && all->reports[to - 1].ts_ns > moved.ts_ns + LOG_BESIDE_NS; to--)
			all->reports[to] = all->reports[to - 1];
		all->reports[to] = moved;
	}
}

enum status oom_reports_read(struct dump *d, const struct kernel_log *log, struct oom_reports *ret)
{
	char allowed[OOM_NODES];

	oom_reports_open(d, ret);
	for (size_t i = 0; i < log->n; i++)
		oom_reports_record(ret, &log->records[i]);
	oom_mix_doubtful(ret);
	for (struct oom_report *r = ret->reports; r < ret->reports + ret->n; r++) {
		mem_info_compare(&r->mem);
		mem_info_fill(&r->mem);
	}
	oom_reports_check(d, log, ret);
	/* The task that panicked is as it was. */
	for (struct oom_report *r = ret->reports; r < ret->reports + ret->n; r++)
		if (r->outcome == OOM_PANICKED && !*r->constraint && r->pid.known &&
		    mems_allowed_read(d, (int32_t)r->pid.value, allowed, sizeof(allowed)) == ST_OK)
			oom_report_take_nodes(r, allowed);
	/* A dump has them in the order of its records. */
	if (d->log_file)
		sort_by_time(ret);
	return ST_OK;
}
