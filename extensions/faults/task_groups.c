// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

#include <string.h>

#include "cli/rows.h"

/* faults -g: threads with the same values of the keys, in a row. */

#define OF_GROUP "of the threads, and of exited ones where the key belongs to a process"
#define ONCE "each process once, so what several share is in it several times"

struct group {
	const char *values[GROUP_KEYS];
	uint64_t threads, maj, min, exited_maj, exited_min; /* exited ones are in the sums, too */
	uint64_t rss, anon, file, shmem, swap;		    /* pages */
	bool has_mm, mm_missing, has_memory, by_process;
	struct thread first;
	bool by[FAULT_KEYS]; /* all threads have the value of the first */
};

#define ROW struct group
#define MEMORY(MEMBER) SIGNED_PAGES_IF(ROW, MEMBER, has_memory)

CELL_WITH(rate_cell, ROW, const struct task_view,
	  cell_if(r->by[KEY_TGID], fault_rate(v->v, r->maj + r->min, r->first.task.start_ns)))
CELL_FROM(comm_cell, ROW, cell_text(r->by[KEY_COMM] || r->by[KEY_TGID] ? r->first.name : NULL))
CELL_FROM(state_cell, ROW, cell_text(r->by[KEY_STATE] ? r->first.state : NULL))
CELL_FROM(memcg_cell, ROW, cell_text(r->by[KEY_MEMCG] ? r->first.paths.memcg : NULL))
CELL_FROM(cgroup_cell, ROW, cell_text(r->by[KEY_CGROUP] ? r->first.paths.cgroup : NULL))
CELL_FROM(ppid_cell, ROW,
	  cell_if(r->by[KEY_PPID] && r->first.task.has_ppid, cell_int(r->first.task.ppid)))

static const struct view_column columns[] = {
	{ COLUMN_pid, 0 },
	{ COLUMN_tgid, 0, INT_IF(ROW, first.task.tgid, by[KEY_TGID]) },
	{ COLUMN_ppid, 0, CELL_BY(ppid_cell) },
	{ COLUMN_comm, 0, "with -g tgid of the first thread", .width = 20, CELL_BY(comm_cell) },
	{ COLUMN_task_state, 0, CELL_BY(state_cell) },
	{ COLUMN_maj_flt, IN_BOTH | KNOWN, OF_GROUP, UINT_OF(ROW, maj) },
	{ COLUMN_min_flt, IN_BOTH | KNOWN, OF_GROUP, UINT_OF(ROW, min) },
	{ COLUMN_cmaj_flt, 0 },
	{ COLUMN_cmin_flt, 0 },
	{ COLUMN_exited_maj_flt, IN_JSON, UINT_IF(ROW, exited_maj, by_process) },
	{ COLUMN_exited_min_flt, IN_JSON, UINT_IF(ROW, exited_min, by_process) },
	{ COLUMN_rate_milli, IN_BOTH, "known with -g tgid", CELL_BY(rate_cell) },
	{ COLUMN_life_ns, 0 },
	{ COLUMN_vsz_bytes, 0 },
	{ COLUMN_rss_bytes, IN_BOTH, ONCE, MEMORY(rss) },
	{ COLUMN_rss_anon_bytes, IN_JSON, ONCE, MEMORY(anon) },
	{ COLUMN_rss_file_bytes, IN_JSON, ONCE, MEMORY(file) },
	{ COLUMN_rss_shmem_bytes, IN_JSON, ONCE, MEMORY(shmem) },
	{ COLUMN_swap_bytes, IN_BOTH, ONCE, MEMORY(swap) },
	{ COLUMN_kthread, 0, BOOL_IF(ROW, first.task.is_kthread, by[KEY_KTHREAD]) },
	{ COLUMN_threads, IN_BOTH | KNOWN, "that are alive", UINT_OF(ROW, threads) },
	{ COLUMN_memcg, 0, CELL_BY(memcg_cell) },
	{ COLUMN_cgroup, 0, CELL_BY(cgroup_cell) },
};

/* The keys stand behind the sums; a process has its name beside its number. */
static void prepare(struct cmdline *in)
{
	struct table *t = &in->table;

	for (size_t i = 0; i < in->ngroups; i++) {
		table_show(t, table_index(t, in->keys[in->groups[i]].column));
		if (in->groups[i] == KEY_TGID)
			table_show(t, table_index(t, COLUMN_comm));
	}
}

const struct view task_groups_view = { "groups",
				       "-g tgid",
				       COLUMNS_OF(columns),
				       .prepare = prepare,
				       .filters_rows = true,
				       ROWS_ARE("group", "groups", "maj_flt,min_flt", 10) };

void task_groups_init(struct task_view *t)
{
	hash_bytes_init(&t->groups, t->v->dump->arena, sizeof(struct group));
	hash_bytes_init(&t->mms, t->v->dump->arena, 0);
}

/* An address space counts once in a group, however many threads share it. */
static enum status add_mm(struct task_view *t, struct group *g, const struct task *task)
{
	const uint64_t key[2] = { (uintptr_t)g, task->mm };
	bool is_new;

	if (!task->mm)
		return ST_OK;
	if (!hash_bytes_get(&t->mms, key, sizeof(key), &is_new))
		return dump_no_memory(t->v->dump);
	if (!is_new)
		return ST_OK;
	g->has_mm = true;
	g->mm_missing |= task->mm_unreadable;
	g->rss += task->rss;
	g->anon += task->rss_anon;
	g->file += task->rss_file;
	g->shmem += task->rss_shmem;
	g->swap += task->swap;
	return ST_OK;
}

enum status task_groups_add(struct task_view *t, const struct thread *thread)
{
	const struct cmdline *in = t->v->in;
	const struct task *task = &thread->task;
	const char *values[GROUP_KEYS] = { NULL };
	struct hash_bytes_entry *e;
	struct group *g;
	bool is_new;

	for (size_t i = 0; i < in->ngroups; i++) {
		char buf[16];

		values[i] = intern(&t->texts, thread_text(thread, in->groups[i], buf));
	}
	e = hash_bytes_get(&t->groups, values, sizeof(values), &is_new);
	if (!e)
		return dump_no_memory(t->v->dump);
	g = e->value;
	if (is_new) {
		memcpy(g->values, values, sizeof(values));
		g->first = *thread;
		g->by_process = t->by_process;
		for (size_t i = 0; i < in->ngroups; i++)
			g->by[in->groups[i]] = true;
	}
	g->threads++;
	g->maj += task->maj_flt;
	g->min += task->min_flt;
	/* Those of a process belong to its leader, which stays until the last thread is gone. */
	if (t->by_process && task->pid == task->tgid) {
		g->exited_maj += task->exited_maj_flt;
		g->exited_min += task->exited_min_flt;
		g->maj += task->exited_maj_flt;
		g->min += task->exited_min_flt;
	}
	return add_mm(t, g, task);
}

enum status task_groups_fill(struct task_view *t)
{
	for (struct hash_bytes_entry *e = t->groups.first; e; e = e->next) {
		struct group *g = e->value;

		g->has_memory = g->has_mm && !g->mm_missing;
		if (!row_add(&t->v->in->table, g, t))
			return ST_NOMEM;
	}
	return ST_OK;
}
