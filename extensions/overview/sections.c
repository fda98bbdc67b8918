// SPDX-License-Identifier: GPL-2.0-or-later
/* What a statement of each section says: columns of its record, and of all of them in a row of -o. */
#include "memowner/case.h"
#include "memowner/summary.h"
#include "pageowner/class_counters.h"

static const char *const section_names[] = {
	"verdict",   "holds_most", "trigger", "limit",	 "panic",  "exception", "stuck",
	"restart",   "oom",	   "ram",     "class",	 "owner",  "holder",	"site",
	"cache",     "file",	   "group",   "process", "faults", "in_fault",	"reclaim",
	"candidate", "missing",	   "boot",    "next",	 NULL
};
_Static_assert(ARRAY_SIZE(section_names) == SECTIONS + 1, "a name each");

static const char *const bys[] = { "caller",   "module",   "process",  "cgroup",    "cgroups",
				   "vmalloc",  "zram",	   "zswap",    "page_pool", "dma_buf",
				   "cma",      "balloon",  "sockets",  "bpf",	    "held",
				   "ksm",      "tmpfs",	   "ramfs",    "rootfs",    "files",
				   "hugetlb",  "command",  "ftrace",   "perf",	    "dma_pool",
				   "xfs",      "zfs",	   "brd",      "vmap",	    "ttm",
				   "vmstat",   "slab",	   "root",     "kernel",    "mqueue",
				   "sysv_msg", "sysv_sem", "sysv_shm", "conntrack", "fragments",
				   "qdisc",    "boot",	   "kvm",      NULL };
static const char *const growths[] = { "leak-like", "burst", "mixed", NULL };
static const char *const lives[] = { "live", "dead", NULL };
static const char *const outcomes[] = { "killed", "exiting", "no_victim", "panicked", NULL };

#define ROW struct statement
#define TASK(MEMBER) SIGNED_PAGES_IF(ROW, MEMBER, has_mm)
#define PART(MEMBER) SIGNED_PAGES_IF(ROW, MEMBER, has_parts)

/* What a row of a section rests on. */
static const char *const bases[SECTIONS] = {
	[SECTION_VERDICT] = "derived",	[SECTION_MOST] = "derived",
	[SECTION_TRIGGER] = "recorded", [SECTION_LIMIT] = "derived",
	[SECTION_PANIC] = "recorded",	[SECTION_EXCEPTION] = "recorded",
	[SECTION_STUCK] = "derived",	[SECTION_RESTART] = "derived",
	[SECTION_OOM] = "recorded",	[SECTION_RAM] = "derived",
	[SECTION_CLASS] = "derived",	[SECTION_OWNER] = "recorded",
	[SECTION_HOLDER] = "derived",	[SECTION_SITE] = "recorded",
	[SECTION_CACHE] = "derived",	[SECTION_FILE] = "derived",
	[SECTION_GROUP] = "derived",	[SECTION_PROCESS] = "derived",
	[SECTION_FAULTS] = "recorded",	[SECTION_IN_FAULT] = "derived",
	[SECTION_RECLAIM] = "derived",	[SECTION_CANDIDATE] = "inferred",
	[SECTION_MISSING] = "derived",	[SECTION_BOOT] = "derived",
	[SECTION_NEXT] = "derived",
};

CELL_FROM(basis_cell, ROW,
	  cell_text(r->constraint_derived ? "derived"
		    : (r->section == SECTION_MOST || r->section == SECTION_EXCEPTION) &&
				    r->confidence.known
			    ? "inferred"
			    : bases[r->section]))
CAN_HAVE(has_date, ROW, void, r->log_date)
CELL_WITH(remark_cell, ROW, const struct summary,
	  cell_text(r->section == SECTION_CLASS && r->remark ? summary_class_remark(v, r)
		    : !r->fate || r->section == SECTION_MOST
			    ? r->remark
			    : dump_text(v->dump, "%s%s%s%s%s", r->remark ?: "",
					r->remark ? "; " : "", r->fate, r->fate_why ? ": " : "",
					r->fate_why ?: "")))
CELL_WITH(lower_bound_cell, ROW, const struct summary,
	  cell_if(r->section == SECTION_HOLDER || r->section == SECTION_GROUP,
		  cell_bool(summary_is_least(v, r))))
CELL_WITH(name_cell, ROW, const struct summary, cell_text(summary_name(v, r)))
CAN_HAVE(has_base, ROW, const struct summary, r == v->first[SECTION_RAM])
CELL_WITH(base_cell, ROW, const struct summary,
	  cell_if(r == v->first[SECTION_RAM] && v->dump->page_shift && v->ram_pages,
		  cell_uint(v->ram_pages << v->dump->page_shift)))

static bool is_hugetlb(const struct statement *row)
{
	return row->section == SECTION_CLASS &&
	       !strcmp(row->name ?: "", page_class_names[CLASS_HUGETLB]);
}

static struct cell used_cell(const void *record, void *view, unsigned int arg NOT_USED)
{
	const struct summary *s = view;
	uint64_t bytes = 0;
	bool known = is_hugetlb(record) && class_used_bytes(s->dump, CLASS_HUGETLB, &bytes);

	return cell_if(known, cell_uint(bytes));
}

CAN_HAVE(has_used, ROW, void, is_hugetlb(r))

/* Those of all sections. */
#define COLUMN(name, ...)                  \
	{                                  \
		COLUMN_##name, __VA_ARGS__ \
	}

#define C_section COLUMN(section, IN_BOTH | KNOWN, NAME_OF(ROW, section, section_names))
#define C_user_kind COLUMN(user_kind, IN_BOTH, .choices = bys, TEXT_OF(ROW, by))
#define C_name COLUMN(name, IN_BOTH, CELL_BY(name_cell))
#define C_pages COLUMN(pages, IN_BOTH, UINT_MAYBE(ROW, pages))
#define C_bytes COLUMN(bytes, IN_BOTH | SIGNED, INT_IF(ROW, bytes.n, bytes.known))
#define C_base_bytes \
	COLUMN(base_bytes, IN_JSON, "of System RAM", .can_have = has_base, CELL_BY(base_cell))
#define C_used_bytes                                                                       \
	COLUMN(used_bytes, IN_JSON, "of the class hugetlb: what is not free in its pools", \
	       .can_have = has_used, CELL_OF(used_cell, 0))
#define C_allocs COLUMN(allocs, IN_JSON, UINT_MAYBE(ROW, allocs))
#define C_lower_bound COLUMN(lower_bound, IN_JSON, CELL_BY(lower_bound_cell))
#define C_age_max_ns COLUMN(age_max_ns, IN_BOTH, UINT_MAYBE(ROW, oldest))
#define C_age_min_ns COLUMN(age_min_ns, IN_BOTH, UINT_MAYBE(ROW, youngest))
#define C_growth COLUMN(growth, IN_BOTH, .choices = growths, TEXT_OF(ROW, growth))
#define C_span_pages COLUMN(span_pages, IN_JSON, UINT_MAYBE(ROW, span_pages))
#define C_span_start_ns COLUMN(span_start_ns, IN_JSON, UINT_MAYBE(ROW, span_start))
#define C_span_end_ns COLUMN(span_end_ns, IN_JSON, UINT_MAYBE(ROW, span_end))
#define C_owner                                                                     \
	COLUMN(owner, IN_BOTH, "if it is the same for all pages", .choices = lives, \
	       TEXT_OF(ROW, owner))
#define C_pid COLUMN(pid, IN_JSON, "of a process its tgid", INT_IF(ROW, pid.n, pid.known))
#define C_comm COLUMN(comm, IN_BOTH, TEXT_OF(ROW, comm))
#define C_cgroup                                                                                \
	COLUMN(cgroup, IN_JSON, "of a process; of cgroup v1 the one that memory is charged to", \
	       TEXT_OF(ROW, cgroup))
#define C_executable COLUMN(executable, IN_JSON, TEXT_OF(ROW, executable))
#define C_rss_bytes COLUMN(rss_bytes, IN_JSON, TASK(rss))
#define C_rss_anon_bytes COLUMN(rss_anon_bytes, IN_JSON, PART(rss_anon))
#define C_rss_file_bytes COLUMN(rss_file_bytes, IN_JSON, PART(rss_file))
#define C_rss_shmem_bytes COLUMN(rss_shmem_bytes, IN_JSON, PART(rss_shmem))
#define C_locked_bytes COLUMN(locked_bytes, IN_JSON, UINT_MAYBE(ROW, locked))
#define C_swap_bytes COLUMN(swap_bytes, IN_JSON, TASK(swap))
#define C_swapped_pages COLUMN(swapped_pages, IN_JSON, UINT_MAYBE(ROW, swapped))
#define C_processes COLUMN(processes, IN_JSON, UINT_MAYBE(ROW, processes))
#define C_count COLUMN(count, IN_JSON, "of what a limit counts", UINT_MAYBE(ROW, count))
#define C_pgtables_bytes COLUMN(pgtables_bytes, IN_JSON, UINT_MAYBE(ROW, tables))
#define C_held_file_bytes \
	COLUMN(held_file_bytes, IN_JSON, PAGES_IF(ROW, kept_files.n, kept_files.known))
#define C_held_other_bytes \
	COLUMN(held_other_bytes, IN_JSON, PAGES_IF(ROW, kept_other.n, kept_other.known))
#define C_used_by COLUMN(used_by, IN_JSON, LIST_OF(ROW, used_by))
#define C_rate_milli COLUMN(rate_milli, IN_JSON, UINT_MAYBE(ROW, rate_milli))
#define C_waits_for COLUMN(waits_for, IN_JSON, TEXT_OF(ROW, waits_for))
#define C_log_date COLUMN(log_date, IN_JSON, .can_have = has_date, TEXT_OF(ROW, log_date))
#define C_ts_ns COLUMN(ts_ns, IN_JSON, "of the record in the log", UINT_MAYBE(ROW, ts))
#define C_order COLUMN(order, IN_JSON | SIGNED, "-1: by sysrq-f", INT_IF(ROW, order.n, order.known))
#define C_gfp_mask COLUMN(gfp_mask, IN_JSON, HEX_MAYBE(ROW, gfp_mask))
#define C_gfp COLUMN(gfp, IN_JSON, TEXT_OF(ROW, gfp))
#define C_constraint COLUMN(constraint, IN_JSON, TEXT_OF(ROW, constraint))
#define C_nodemask COLUMN(nodemask, IN_JSON, TEXT_OF(ROW, nodemask))
#define C_mems_allowed                                                                 \
	COLUMN(mems_allowed, IN_JSON, "of the report, else of the task that panicked", \
	       TEXT_OF(ROW, mems_allowed))
#define C_asked_in                                                                           \
	COLUMN(caller, IN_JSON,                                                              \
	       "innermost function of a module in the call trace, first of one out of tree", \
	       TEXT_OF(ROW, caller))
#define C_function                                                                                \
	COLUMN(function, IN_JSON, "innermost in the call trace that is no allocator's: it asked", \
	       TEXT_OF(ROW, function))
#define C_system_call COLUMN(system_call, IN_JSON, TEXT_OF(ROW, system_call))
#define C_memcg COLUMN(memcg, IN_JSON, "that ran out of memory", TEXT_OF(ROW, memcg))
#define C_outcome COLUMN(outcome, IN_JSON, .choices = outcomes, TEXT_OF(ROW, outcome))
#define C_victim_pid COLUMN(victim_pid, IN_JSON, INT_IF(ROW, victim_pid.n, victim_pid.known))
#define C_victim_comm COLUMN(victim_comm, IN_JSON, TEXT_OF(ROW, victim_comm))
#define C_victim_anon COLUMN(victim_anon_bytes, IN_JSON, UINT_MAYBE(ROW, victim_anon))
#define C_address COLUMN(address, IN_JSON, "that was accessed", HEX_MAYBE(ROW, address))
#define C_ip_symbol COLUMN(ip_symbol, IN_JSON, TEXT_OF(ROW, ip_symbol))
#define C_cpu COLUMN(cpu, IN_JSON, "that stalled", UINT_MAYBE(ROW, cpu))
#define C_stall_ns COLUMN(stall_ns, IN_JSON, UINT_MAYBE(ROW, stall_ns))
#define C_policy COLUMN(sched_policy, IN_JSON, .choices = sched_policies, TEXT_OF(ROW, policy))
#define C_rt_priority COLUMN(rt_priority, IN_JSON, UINT_MAYBE(ROW, rt_priority))
#define C_remark COLUMN(remark, IN_BOTH, CELL_BY(remark_cell))
#define C_kept_by COLUMN(kept_by, IN_JSON, TEXT_OF(ROW, kept_by))
#define C_release COLUMN(release, IN_JSON, TEXT_OF(ROW, release))
#define C_command COLUMN(command, IN_BOTH, TEXT_OF(ROW, command))
#define C_basis BASIS_BY(basis_cell, NULL)
#define C_confidence COLUMN(confidence, IN_JSON, UINT_MAYBE(ROW, confidence))

static const struct view_column columns[] = {
	C_section,
	C_user_kind,
	C_name,
	C_pages,
	C_bytes,
	C_base_bytes,
	C_used_bytes,
	C_lower_bound,
	C_allocs,
	C_age_max_ns,
	C_age_min_ns,
	C_growth,
	C_span_pages,
	C_span_start_ns,
	C_span_end_ns,
	C_owner,
	C_pid,
	C_comm,
	C_cgroup,
	C_executable,
	C_rss_bytes,
	C_rss_anon_bytes,
	C_rss_file_bytes,
	C_rss_shmem_bytes,
	C_locked_bytes,
	C_swap_bytes,
	C_swapped_pages,
	C_pgtables_bytes,
	C_held_file_bytes,
	C_held_other_bytes,
	C_processes,
	C_count,
	C_used_by,
	C_rate_milli,
	C_waits_for,
	C_ts_ns,
	C_log_date,
	C_order,
	C_gfp_mask,
	C_gfp,
	C_constraint,
	C_nodemask,
	C_mems_allowed,
	C_memcg,
	C_asked_in,
	C_function,
	C_system_call,
	C_outcome,
	C_victim_pid,
	C_victim_comm,
	C_victim_anon,
	C_address,
	C_ip_symbol,
	C_cpu,
	C_stall_ns,
	C_policy,
	C_rt_priority,
	C_remark,
	C_kept_by,
	C_release,
	C_command,
	C_basis,
	C_confidence,
};

#define OF_TASK                                                                       \
	C_name, C_pid, C_comm, C_cgroup, C_executable, C_rss_bytes, C_rss_anon_bytes, \
		C_rss_file_bytes, C_rss_shmem_bytes, C_swap_bytes

static const struct view_column sized[] = { C_name, C_pages, C_bytes, C_remark, C_basis };
static const struct view_column of_ram[] = { C_name,	   C_pages,  C_bytes,
					     C_base_bytes, C_remark, C_basis };
static const struct view_column of_class[] = { C_name,	     C_pages,  C_bytes,
					       C_used_bytes, C_remark, C_basis };
static const struct view_column of_limit[] = { C_name,	C_pid,	     C_comm,   C_cgroup,
					       C_count, C_processes, C_remark, C_basis };
static const struct view_column most[] = { C_user_kind, C_name,	   C_pid,	    C_comm,
					   C_pages,	C_bytes,   C_swapped_pages, C_used_by,
					   C_remark,	C_release, C_confidence,    C_basis };
static const struct view_column trigger[] = { C_name,  C_pid,		C_comm,	  C_pages,
					      C_bytes, C_swapped_pages, C_remark, C_basis };
static const struct view_column cache[] = { C_name,    C_pages,	  C_bytes, C_remark,
					    C_kept_by, C_release, C_basis };
static const struct view_column of_panic[] = { C_name,	      C_pid,	  C_comm,     C_ts_ns,
					       C_log_date,    C_cpu,	  C_stall_ns, C_policy,
					       C_rt_priority, C_asked_in, C_remark,   C_basis };
static const struct view_column exception[] = { C_name,	     C_pid,	   C_comm,  C_address,
						C_ip_symbol, C_asked_in,   C_ts_ns, C_log_date,
						C_remark,    C_confidence, C_basis };
static const struct view_column oom[] = { C_name,	  C_pid,     C_comm,	   C_order,
					  C_gfp_mask,	  C_gfp,     C_constraint, C_nodemask,
					  C_mems_allowed, C_memcg,   C_asked_in,   C_function,
					  C_system_call,  C_outcome, C_victim_pid, C_victim_comm,
					  C_victim_anon,  C_ts_ns,   C_log_date,   C_remark,
					  C_basis };
static const struct view_column owner[] = { C_user_kind,   C_name,   C_pid,	   C_comm,
					    C_pages,	   C_bytes,  C_allocs,	   C_age_max_ns,
					    C_age_min_ns,  C_growth, C_span_pages, C_span_start_ns,
					    C_span_end_ns, C_owner,  C_remark,	   C_basis };
static const struct view_column holder[] = { C_user_kind, C_name,	 C_pages,
					     C_bytes,	  C_lower_bound, C_swapped_pages,
					     C_processes, C_age_max_ns,	 C_remark,
					     C_release,	  C_basis };
static const struct view_column site[] = { C_name, C_bytes, C_allocs, C_basis };
static const struct view_column file[] = { C_name,    C_pages,	 C_bytes, C_swapped_pages,
					   C_used_by, C_release, C_basis };
static const struct view_column group[] = {
	C_user_kind,  C_name,	     C_pid,	      C_comm,	      C_cgroup,	   C_pages,
	C_bytes,      C_lower_bound, C_swapped_pages, C_locked_bytes, C_processes, C_age_max_ns,
	C_age_min_ns, C_owner,	     C_remark,	      C_basis
};
static const struct view_column process[] = {
	OF_TASK, C_locked_bytes, C_pgtables_bytes, C_held_file_bytes, C_held_other_bytes,
	C_bytes, C_remark,	 C_basis
};
static const struct view_column faults[] = { OF_TASK, C_rate_milli, C_basis };
static const struct view_column in_fault[] = { OF_TASK, C_waits_for, C_address, C_basis };
static const struct view_column candidate[] = { C_user_kind, C_name,	C_pages,      C_bytes,
						C_remark,    C_kept_by, C_confidence, C_basis };
static const struct view_column missing[] = { C_name, C_remark, C_basis };
static const struct view_column restart[] = { C_name, C_cgroup, C_remark, C_basis };
static const struct view_column boot[] = { C_name, C_bytes, C_remark, C_basis };
static const struct view_column next[] = { C_command, C_remark, C_basis };

/* A record each; what is below is for doc/. */
#define VIEW(SECTION, name, columns, NEXT) \
	[SECTION] = { "summary-" name, "", COLUMNS_OF(columns), .below = NEXT }
#define BEHIND(SECTION) &section_views[SECTION]
static const struct view section_views[SECTIONS] = {
	VIEW(SECTION_VERDICT, "verdict", sized, BEHIND(SECTION_MOST)),
	VIEW(SECTION_MOST, "holds_most", most, BEHIND(SECTION_TRIGGER)),
	VIEW(SECTION_TRIGGER, "trigger", trigger, BEHIND(SECTION_LIMIT)),
	VIEW(SECTION_LIMIT, "limit", of_limit, BEHIND(SECTION_PANIC)),
	VIEW(SECTION_PANIC, "panic", of_panic, BEHIND(SECTION_EXCEPTION)),
	VIEW(SECTION_EXCEPTION, "exception", exception, BEHIND(SECTION_STUCK)),
	VIEW(SECTION_STUCK, "stuck", missing, BEHIND(SECTION_RESTART)),
	VIEW(SECTION_RESTART, "restart", restart, BEHIND(SECTION_OOM)),
	VIEW(SECTION_OOM, "oom", oom, BEHIND(SECTION_RAM)),
	VIEW(SECTION_RAM, "ram", of_ram, BEHIND(SECTION_CLASS)),
	VIEW(SECTION_CLASS, "class", of_class, BEHIND(SECTION_OWNER)),
	VIEW(SECTION_OWNER, "owner", owner, BEHIND(SECTION_HOLDER)),
	VIEW(SECTION_HOLDER, "holder", holder, BEHIND(SECTION_SITE)),
	VIEW(SECTION_SITE, "site", site, BEHIND(SECTION_CACHE)),
	VIEW(SECTION_CACHE, "cache", cache, BEHIND(SECTION_FILE)),
	VIEW(SECTION_FILE, "file", file, BEHIND(SECTION_GROUP)),
	VIEW(SECTION_GROUP, "group", group, BEHIND(SECTION_PROCESS)),
	VIEW(SECTION_PROCESS, "process", process, BEHIND(SECTION_FAULTS)),
	VIEW(SECTION_FAULTS, "faults", faults, BEHIND(SECTION_IN_FAULT)),
	VIEW(SECTION_IN_FAULT, "in_fault", in_fault, BEHIND(SECTION_RECLAIM)),
	VIEW(SECTION_RECLAIM, "reclaim", sized, BEHIND(SECTION_CANDIDATE)),
	VIEW(SECTION_CANDIDATE, "candidate", candidate, BEHIND(SECTION_MISSING)),
	VIEW(SECTION_MISSING, "missing", missing, BEHIND(SECTION_BOOT)),
	VIEW(SECTION_BOOT, "boot", boot, BEHIND(SECTION_NEXT)),
	VIEW(SECTION_NEXT, "next", next, &case_view),
};

const struct view summary_view = { "summary", "", COLUMNS_OF(columns),
				   .below = BEHIND(SECTION_VERDICT) };

void summary_put_records(struct summary *s)
{
	for (unsigned int section = 0; section < SECTIONS; section++)
		for (const struct statement *row = s->first[section]; row; row = row->next)
			rows_put_record(s->report, &section_views[section], row, s);
}
