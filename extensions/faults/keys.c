// SPDX-License-Identifier: GPL-2.0-or-later
#include "keys.h"

#include "cli/rows.h"

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key fault_keys[FAULT_KEYS] = {
	[KEY_PID] = { COLUMN_pid, "thread", KEY_FILTERS },
	[KEY_TGID] = { COLUMN_tgid, "process; its group has the faults of its exited threads too",
		       BOTH },
	[KEY_PPID] = { COLUMN_ppid, "parent of the process", BOTH },
	[KEY_COMM] = { COLUMN_comm, "name of the thread; of a kernel thread the full name", BOTH },
	[KEY_STATE] = { COLUMN_task_state, "state of the thread: the letter of /proc/PID/stat",
			BOTH, .choices = task_state_letters },
	[KEY_MEMCG] = { COLUMN_memcg, "cgroup that the memory of the process is charged to", BOTH },
	[KEY_CGROUP] = { COLUMN_cgroup, "cgroup on the default hierarchy (cgroup v2)", BOTH },
	[KEY_KTHREAD] = { COLUMN_kthread, "whether it is a kernel thread", BOTH,
			  .choices = key_yes_no },
	[KEY_MAJ] = { COLUMN_maj_flt, "major faults of the thread", KEY_FILTERS },
	[KEY_MIN] = { COLUMN_min_flt, "minor faults of the thread", KEY_FILTERS },
	[KEY_RSS] = { COLUMN_rss_bytes, "memory of the process that is resident", KEY_FILTERS,
		      .quantity = RANGE_SIZE },
	[KEY_SWAP] = { COLUMN_swap_bytes, "memory of the process that is in swap", KEY_FILTERS,
		       .quantity = RANGE_SIZE },
};

const struct term fault_terms[] = {
	{ "major fault", "page fault that had to wait for a device: page cache or swap was read. "
			 "Since 5.9 a fault that the kernel had to retry is major too" },
	{ "minor fault", "page fault that was resolved from memory" },
	{ "rate", "faults of both kinds per second from the start of the thread to the panic" },
	{ "exited", "faults of threads that exited count for their process, where the key of -g "
		    "belongs to a process: tgid, ppid, memcg, cgroup, kthread" },
	{ "kernel thread", "its name stands in brackets in text" },
	{ NULL, NULL },
};

#define ROW struct thread

CELL_FROM(name_cell, ROW, r->named.text ? cell_named(&r->named) : cell_text(r->name))
CAN_HAVE(has_mm, ROW, void, r->task.has_mm || r->task.mm_unreadable)

const struct view_column thread_columns[FAULT_KEYS] = {
	{ COLUMN_pid, 0, INT_OF(ROW, task.pid) },
	{ COLUMN_tgid, 0, INT_OF(ROW, task.tgid) },
	{ COLUMN_ppid, 0, INT_IF(ROW, task.ppid, task.has_ppid) },
	{ COLUMN_comm, 0, CELL_BY(name_cell) },
	{ COLUMN_task_state, 0, TEXT_OF(ROW, state) },
	{ COLUMN_memcg, 0, TEXT_OF(ROW, paths.memcg) },
	{ COLUMN_cgroup, 0, TEXT_OF(ROW, paths.cgroup) },
	{ COLUMN_kthread, 0, BOOL_OF(ROW, task.is_kthread) },
	{ COLUMN_maj_flt, 0, UINT_OF(ROW, task.maj_flt) },
	{ COLUMN_min_flt, 0, UINT_OF(ROW, task.min_flt) },
	{ COLUMN_rss_bytes, 0, .can_have = has_mm, SIGNED_PAGES_IF(ROW, task.rss, task.has_mm) },
	{ COLUMN_swap_bytes, 0, .can_have = has_mm, SIGNED_PAGES_IF(ROW, task.swap, task.has_mm) },
};
