// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory/cgroups.h"

#include "cgroup/cgroup_unit.h"
#include "noun.h"

static char *help[] = {
	"memowner cgroups",
	"memory cgroups by the memory charged to them",
	"",
	"  Limits, memory.stat, OOM kills and processes of each; what keeps dying ones.",
	"EXAMPLES",
	"    memowner cgroups",
	"    memowner cgroups -g service",
	NULL
};

/* -g: cgroups with the same values of the keys, as removed ones of one path. */

#define ROW struct cgroup
#define VIEW const struct cgroups_view

CELL_WITH(usage_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_usage))
CELL_WITH(kernel_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_kernel))
CELL_WITH(swap_cell, ROW, VIEW, cgroup_number_cell(v, r, cgroup_swap))
CELL_WITH(service_cell, ROW, VIEW,
	  cell_text(cgroup_unit_name(&v->v->texts, r->counts->path, cgroup_service)))
CELL_WITH(container_cell, ROW, VIEW,
	  cell_text(cgroup_unit_name(&v->v->texts, r->counts->path, cgroup_container)))
CELL_FROM(unit_cell, ROW, cell_text(r->counts->path ? cgroup_unit_kind(r->counts->path) : NULL))
CELL_WITH(processes_cell, ROW, VIEW,
	  r->is_nested ? cell_none() : cell_if(!v->tasks_problem, cell_uint(r->all_processes)))
CELL_WITH(exists_cell, ROW, VIEW, cgroup_exists_cell(v, r))
CAN_HAVE(is_limited, ROW, VIEW, r->counts->parent || r->state.version == MEMCG_V1)
CAN_HAVE(has_no_path, ROW, VIEW, !r->counts->path)

static const struct view_column member_columns[] = {
	{ COLUMN_usage_bytes, 0, .can_have = is_limited, CELL_BY(usage_cell) },
	{ COLUMN_anon_bytes, 0, CELL_OF(cgroup_stat_cell, STAT_ANON) },
	{ COLUMN_page_cache_bytes, 0, CELL_OF(cgroup_stat_cell, STAT_FILE) },
	{ COLUMN_shmem_bytes, 0, CELL_OF(cgroup_stat_cell, STAT_SHMEM) },
	{ COLUMN_kernel_bytes, 0, CELL_BY(kernel_cell) },
	{ COLUMN_sock_bytes, 0, CELL_OF(cgroup_stat_cell, STAT_SOCK) },
	{ COLUMN_swap_usage_bytes, 0, .can_have = is_limited, CELL_BY(swap_cell) },
	{ COLUMN_all_processes, 0, CELL_BY(processes_cell) },
	{ COLUMN_exists_ns, OR_NONE, CELL_BY(exists_cell) },
	{ COLUMN_memcg_state, KNOWN, .choices = cgroup_states,
	  VIA(NAME, ROW, counts, removed, .names = cgroup_states) },
	{ COLUMN_unit_kind, 0, .can_have = has_no_path, CELL_BY(unit_cell) },
	{ COLUMN_service, 0, .can_have = has_no_path, CELL_BY(service_cell) },
	{ COLUMN_container, 0, .can_have = has_no_path, CELL_BY(container_cell) },
	{ COLUMN_memcg, 0, VIA(TEXT, ROW, counts, path) },
};

static const struct view_column group_columns[] = {
	{ COLUMN_cgroups, IN_BOTH | KNOWN, MEMBERS },
	{ COLUMN_usage_bytes, IN_BOTH, SUM_OF(COLUMN_usage_bytes) },
	{ COLUMN_ram_percent, IN_BOTH, "of usage_bytes", SUM_SHARE_OF(COLUMN_usage_bytes) },
	{ COLUMN_anon_bytes, IN_BOTH, SUM_OF(COLUMN_anon_bytes) },
	{ COLUMN_page_cache_bytes, IN_BOTH, SUM_OF(COLUMN_page_cache_bytes) },
	{ COLUMN_shmem_bytes, IN_BOTH, SUM_OF(COLUMN_shmem_bytes) },
	{ COLUMN_kernel_bytes, IN_BOTH, SUM_OF(COLUMN_kernel_bytes) },
	{ COLUMN_sock_bytes, IN_BOTH, SUM_OF(COLUMN_sock_bytes) },
	{ COLUMN_swap_usage_bytes, IN_BOTH, SUM_OF(COLUMN_swap_usage_bytes) },
	{ COLUMN_all_processes, IN_BOTH, SUM_OF(COLUMN_all_processes) },
	{ COLUMN_exists_ns, IN_BOTH, "of the one that is there for the longest time",
	  MOST_OF(COLUMN_exists_ns) },
	{ COLUMN_age_min_ns, IN_JSON, "of the cgroup that is there for the shortest time",
	  LEAST_OF(COLUMN_exists_ns) },
	{ COLUMN_member_times, IN_BOTH | IF_ROOM, "when cgroups were made at the latest",
	  TIMES_OF(COLUMN_exists_ns) },
	{ COLUMN_memcg_state, IN_BOTH, "if all have the same", .choices = cgroup_states,
	  COMMON_OF(COLUMN_memcg_state) },
	{ COLUMN_unit_kind, 0 },
	{ COLUMN_service, 0 },
	{ COLUMN_container, 0 },
	{ COLUMN_memcg, 0 },
	BASIS(derived),
};

#define ANY_USE (KEY_FILTERS | KEY_GROUPS)

static const struct key group_keys[] = {
	{ COLUMN_memcg, "path of the memory cgroup, of a removed one the former", ANY_USE },
	{ COLUMN_service, "unit of systemd that it is in, by its path", ANY_USE },
	{ COLUMN_container, "container that it is in, by its path", ANY_USE },
	{ COLUMN_unit_kind, "kind of unit that it is, by its name", ANY_USE },
	{ COLUMN_memcg_state, "online or dying", ANY_USE, .choices = cgroup_states },
};

static const struct view groups_view = {
	"cgroups_groups",
	"-g memcg",
	COLUMNS_OF(group_columns),
	KEYS_OF(group_keys),
	.opens_more = true,
	.prepare = cmdline_show_keys,
	.open = cgroups_view_open,
	.show = cgroups_view_show,
	ROWS_ARE("group", "groups", "usage_bytes,cgroups", 10),
	MEMBERS_ARE("cgroup", "cgroups"),
	SUMS_UP(member_columns),
};

static const struct key cgroup_keys[] = {
	{ COLUMN_memcg, "memory cgroup", KEY_FILTERS },
	{ COLUMN_memcg_state, "online or dying", KEY_FILTERS, .choices = cgroup_states },
	{ COLUMN_usage_bytes, "memory that is charged, with descendants", KEY_FILTERS },
};

const struct view owner_cgroups_view = {
	"cgroups",
	"",
	cgroup_columns,
	CGROUP_COLUMNS,
	KEYS_OF(cgroup_keys),
	.opens_more = true,
	ROWS_ARE("cgroup", "cgroups", "usage_bytes,memcg", 20),
	.grouped = &groups_view,
	.open = cgroups_view_open,
	.show = cgroups_view_show,
};

static const struct baseline baseline = {
	.by = { { COLUMN_memcg } },
	.amounts = { { COLUMN_usage_bytes } },
	.counts = { { COLUMN_all_processes },
		    { COLUMN_processes, .many = "processes of its own" } },
	.many = "processes, those of descendants among them",
	.overlap = "a cgroup has the memory of those below it",
};

static const struct view diff_view = { BASELINE_OF(baseline, "cgroup", "cgroups"), NO_KEYS };

static const struct view *const views[] = { &owner_cgroups_view, &diff_view };

static const struct command_option options[] = {
	VALUE('g', "memcg unit_kind"), RANKED_ROWS("usage_bytes=1M..", "usage_bytes", "+min_limit"),
	DIFF, LAST_OPTIONS
};

OWNER_NOUN(cgroups)
