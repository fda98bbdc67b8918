// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory/processes.h"

#include "noun.h"

static char *help[] = { "memowner processes",
			"processes by memory",
			"",
			"EXAMPLES",
			"    memowner processes -g service",
			"    memowner processes -s held_bytes -n 3 -o +held_bytes",
			NULL };

/* What several processes of the group keep is told of one of them. */
static struct cell held_cell(const void *record, void *view)
{
	const struct processes *p = view;
	const struct process *q = record;
	int64_t bytes = 0;
	const bool known = process_held(p, q, &bytes);

	return cell_if(known, cell_int(bytes + (int64_t)(q->group_files << p->v->page_shift)));
}

CELL_WITH(life_cell, struct process, const struct processes,
	  cell_if(r->has_task, report_age(&v->v->report, r->task.start_ns)))

#define EACH "of each: what several share is in it several times"

static const struct view_column group_columns[] = {
	{ COLUMN_pid, 0 },
	{ COLUMN_processes, IN_BOTH | KNOWN, SUM_OF(COLUMN_processes) },
	{ COLUMN_threads, IN_JSON, "null: the list of one of them has a hole",
	  SUM_OF(COLUMN_threads) },
	{ COLUMN_process_bytes, IN_JSON, EACH, SUM_OF(COLUMN_process_bytes) },
	{ COLUMN_rss_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_rss_bytes) },
	{ COLUMN_pss_bytes, IN_BOTH, "null: of one of them it is unknown",
	  SUM_OF(COLUMN_pss_bytes) },
	{ COLUMN_pss_anon_bytes, IN_JSON, "null: of one of them it is unknown",
	  SUM_OF(COLUMN_pss_anon_bytes) },
	{ COLUMN_thp_bytes, IN_JSON, "null: of one of them it is unknown",
	  SUM_OF(COLUMN_thp_bytes) },
	{ COLUMN_held_bytes, 0,
	  "of the group, at least: what each of them alone holds, and files that no process but those of the group keeps; without anonymous memory that several of them share; with -o or -s",
	  SUM_BY(held_cell) },
	{ COLUMN_rss_anon_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_rss_anon_bytes) },
	{ COLUMN_rss_file_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_rss_file_bytes) },
	{ COLUMN_rss_shmem_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_rss_shmem_bytes) },
	{ COLUMN_swap_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_swap_bytes) },
	{ COLUMN_pgtables_bytes, IN_JSON, SUM_OF(COLUMN_pgtables_bytes) },
	{ COLUMN_data_bytes, IN_JSON, EACH, SUM_OF(COLUMN_data_bytes) },
	{ COLUMN_locked_bytes, IN_JSON, SUM_OF(COLUMN_locked_bytes) },
	{ COLUMN_life_ns, IN_BOTH, "of the first one", MOST_BY(life_cell) },
	{ COLUMN_age_min_ns, IN_JSON, "of the process that started last", LEAST_BY(life_cell) },
	{ COLUMN_member_times, IN_BOTH | IF_ROOM, "starts of processes", TIMES_BY(life_cell) },
	{ COLUMN_oom_state, 0, .choices = oom_standing_names + 1 },
	{ COLUMN_memcg, 0 },
	{ COLUMN_uid, 0 },
	{ COLUMN_ppid, 0 },
	{ COLUMN_parent_comm, 0, "if all have one of that name", COMMON_OF(COLUMN_parent_comm) },
	{ COLUMN_executable, 0 },
	{ COLUMN_comm, 0, .width = 15 },
	{ COLUMN_cgroup, 0 },
	{ COLUMN_service, 0 },
	{ COLUMN_container, 0 },
	BASIS(derived),
};

static void prepare_groups(struct cmdline *in)
{
	cmdline_show_keys(in);
	if (cmdline_groups_column(in, COLUMN_ppid))
		table_show(&in->table, COLUMN_parent_comm);
}

static const struct view groups_view = {
	"processes_groups",
	"-g comm",
	COLUMNS_OF(group_columns),
	KEYS_OF(process_keys),
	.prepare = prepare_groups,
	.open = processes_open,
	.show = processes_show,
	ROWS_ARE("group", "groups", "process_bytes,processes", 10),
	MEMBERS_ARE("process", "processes"),
	SUMS_UP(process_columns),
};

const struct view owner_procs_view = {
	"processes",
	"",
	process_columns,
	PROCESS_COLUMNS,
	KEYS_OF(process_keys),
	.grouped = &groups_view,
	ROWS_ARE("process", "processes", "process_bytes,pid", 10),
	.open = processes_open,
	.show = processes_show,
};

#define SHARED "a page counts for each process that maps it: the sum of the rows may exceed RAM"

static const struct baseline baseline = {
	.by = { { COLUMN_comm } },
	.amounts = { { COLUMN_process_bytes, .note = SHARED, .plus = COLUMN_hugetlb_bytes },
		     { COLUMN_rss_bytes, .note = SHARED } },
	.beside = { COLUMN_held_bytes, .note = "; with -o +held_bytes -j has it" },
	.asks_beside = true,
	.counts = { { COLUMN_processes, BASELINE_ROWS } },
	.texts = { &baseline_proc_status, &baseline_ps },
	.many = "processes",
};

static const struct key diff_keys[] = {
	BASELINE_KEY(COLUMN_comm, "name of the process"),
	BASELINE_KEY(COLUMN_cgroup, "path of the cgroup"),
	BASELINE_KEY(COLUMN_memcg, "memory cgroup"),
	BASELINE_KEY(COLUMN_uid, "user ID"),
};

static const struct view diff_view = { BASELINE_BESIDE(baseline, "name", "names"),
				       KEYS_OF(diff_keys) };

static const struct view *const views[] = { &owner_procs_view, &diff_view };

static const struct command_option options[] = { { 'a' },
						 VALUE('g', "comm service"),
						 RANKED_ROWS("rss_bytes=1M..", "rss_bytes",
							     "+threads"),
						 DIFF,
						 LAST_OPTIONS };

OWNER_NOUN(processes)
