// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner processes -g: processes with the same values of the keys, in a row. */
#include "processes.h"

CELL_WITH(life_cell, struct process, const struct processes,
	  cell_if(r->has_task, report_age(&v->v->report, r->task.start_ns)))

#define EACH "of each: what several share is in it several times"

static const struct view_column columns[] = {
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
	{ COLUMN_rss_anon_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_rss_anon_bytes) },
	{ COLUMN_rss_file_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_rss_file_bytes) },
	{ COLUMN_rss_shmem_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_rss_shmem_bytes) },
	{ COLUMN_swap_bytes, IN_BOTH, EACH, SUM_OF(COLUMN_swap_bytes) },
	{ COLUMN_pgtables_bytes, IN_JSON, SUM_OF(COLUMN_pgtables_bytes) },
	{ COLUMN_data_bytes, IN_JSON, EACH, SUM_OF(COLUMN_data_bytes) },
	{ COLUMN_locked_bytes, 0 },
	{ COLUMN_life_ns, IN_BOTH, "of the first one", MOST_BY(life_cell) },
	{ COLUMN_oom_state, 0, .choices = oom_standing_names + 1 },
	{ COLUMN_memcg, 0 },
	{ COLUMN_uid, 0 },
	{ COLUMN_ppid, 0 },
	{ COLUMN_executable, 0 },
	{ COLUMN_comm, 0, .width = 15 },
	{ COLUMN_cgroup, 0 },
	BASIS(derived),
};

static const struct view groups_view = {
	"processes_groups",
	"-g comm",
	COLUMNS_OF(columns),
	KEYS_OF(process_keys),
	.prepare = cmdline_show_keys,
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
