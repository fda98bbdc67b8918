// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

/* faults -g: threads with the same values of the keys, in a row. */

#define OF_GROUP "of the threads, and of exited ones where the key belongs to a process"
#define ONCE "each process once in a group, so what several share is in it several times"

struct group {
	struct row_group keys;
	uint64_t threads, maj, min, exited_maj, exited_min; /* exited ones are in the sums, too */
	uint64_t rss, anon, file, shmem, swap;		    /* pages */
	size_t sharing;					    /* processes with file or shmem */
	bool has_mm, mm_missing, has_memory, by_process;
	struct thread first;
	const char *name; /* of the process of the first; NULL: its leader was not reached */
	bool has_threads; /* of none the list was cut */
	bool by_tgid;	  /* all threads are of the process of the first */
};

#define ROW struct group
#define MEMORY(MEMBER) SIGNED_PAGES_IF(ROW, MEMBER, has_memory)

CELL_WITH(rate_cell, ROW, const struct task_view,
	  cell_if(r->by_tgid, fault_rate(v->v, r->maj + r->min, r->first.task.start_ns)))

CAN_HAVE(has_mm, ROW, void, r->has_mm || r->mm_missing)
CAN_HAVE(is_by_tgid, ROW, void, r->by_tgid)

static const struct view_column columns[] = {
	{ COLUMN_pid, 0 },
	{ COLUMN_tgid, 0 },
	{ COLUMN_ppid, 0 },
	{ COLUMN_comm, OR_NONE, "with -g tgid of the process", .width = 20,
	  TEXT_IF(ROW, name, by_tgid) },
	{ COLUMN_task_state, 0 },
	{ COLUMN_maj_flt, IN_BOTH | KNOWN, OF_GROUP, UINT_OF(ROW, maj) },
	{ COLUMN_min_flt, IN_BOTH | KNOWN, OF_GROUP, UINT_OF(ROW, min) },
	{ COLUMN_cmaj_flt, 0 },
	{ COLUMN_cmin_flt, 0 },
	{ COLUMN_exited_maj_flt, IN_JSON | OR_NONE, UINT_IF(ROW, exited_maj, by_process) },
	{ COLUMN_exited_min_flt, IN_JSON | OR_NONE, UINT_IF(ROW, exited_min, by_process) },
	{ COLUMN_rate_milli, IN_BOTH, "known with -g tgid", .can_have = is_by_tgid,
	  .needs_key = COLUMN_tgid, CELL_BY(rate_cell) },
	{ COLUMN_life_ns, 0 },
	{ COLUMN_vsz_bytes, 0 },
	{ COLUMN_rss_bytes, IN_BOTH, ONCE, .can_have = has_mm, MEMORY(rss) },
	{ COLUMN_rss_anon_bytes, IN_JSON, ONCE, .can_have = has_mm, MEMORY(anon) },
	{ COLUMN_rss_file_bytes, IN_JSON, ONCE, .can_have = has_mm, MEMORY(file) },
	{ COLUMN_rss_shmem_bytes, IN_JSON, ONCE, .can_have = has_mm, MEMORY(shmem) },
	{ COLUMN_swap_bytes, IN_BOTH, ONCE, .can_have = has_mm, MEMORY(swap) },
	{ COLUMN_kthread, 0 },
	{ COLUMN_threads, IN_BOTH, "that are alive; null: the list of them has a hole",
	  UINT_IF(ROW, threads, has_threads) },
	{ COLUMN_memcg, 0 },
	{ COLUMN_cgroup, 0 },
	BASIS(derived),
};

/* The keys stand behind the sums; a process has its name beside its number. */
static void prepare(struct cmdline *in)
{
	struct table *t = &in->table;
	bool by_tgid = false;

	for (size_t i = 0; i < in->ngroups; i++) {
		table_show(t, in->keys[in->groups[i]].column);
		if (in->groups[i] == KEY_TGID)
			table_show(t, COLUMN_comm);
		by_tgid |= in->groups[i] == KEY_TGID;
	}
	if (!by_tgid)
		rows_hide(in, (const enum column_id[]){ COLUMN_rate_milli, COLUMN_NONE });
}

const struct view task_groups_view = { "groups",
				       "-g tgid",
				       COLUMNS_OF(columns),
				       .prepare = prepare,
				       ROWS_ARE("group", "groups", "maj_flt,min_flt", 10),
				       MEMBERS_ARE("thread", "threads") };

void task_groups_init(struct task_view *t)
{
	row_groups_init(&t->groups, t->v->dump, sizeof(struct group));
	hash_bytes_init(&t->mms, t->v->dump->arena, sizeof(unsigned int));
}

/* An address space that a group counts: in swap it is once, however many do. */
static void count_mm(struct task_view *t, const struct task *task)
{
	const uint64_t key[2] = { 0, task->mm };
	bool is_new;
	unsigned int *groups = hash_bytes_get(&t->mms, key, sizeof(key), &is_new)->value;

	t->swap += is_new ? task->swap : 0;
	t->divided += ++*groups == 2;
}

/* An address space counts once in a group, however many threads share it. */
static void add_mm(struct task_view *t, struct group *g, const struct task *task)
{
	const uint64_t key[2] = { (uintptr_t)g, task->mm };
	bool is_new;

	if (!task->mm)
		return;
	hash_bytes_get(&t->mms, key, sizeof(key), &is_new);
	if (!is_new)
		return;
	g->has_mm = true;
	g->mm_missing |= task->mm_unreadable;
	g->rss += task->rss;
	g->anon += task->rss_anon;
	g->file += task->rss_file;
	g->shmem += task->rss_shmem;
	g->swap += task->swap;
	g->sharing += task->rss_anon > 0 || task->rss_file > 0 || task->rss_shmem > 0;
	count_mm(t, task);
}

void task_groups_add(struct task_view *t, const struct thread *thread)
{
	const struct cmdline *in = t->v->in;
	const struct task *task = &thread->task;
	bool is_new;
	struct group *g = row_groups_get(&t->groups, in, COLUMNS(thread_columns), thread, NULL,
					 &is_new);

	if (is_new) {
		const struct asked_process *of = hash_u64_find(&t->processes, (uint64_t)task->tgid);

		g->first = *thread;
		g->name = of ? of->name : NULL;
		g->by_process = t->by_process;
		for (size_t i = 0; i < in->ngroups; i++)
			g->by_tgid |= in->groups[i] == KEY_TGID;
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
	add_mm(t, g, task);
}

void task_groups_fill(struct task_view *t, bool is_whole)
{
	hash_bytes_for_each(struct group, g, &t->groups.groups) {
		g->has_memory = g->has_mm && !g->mm_missing;
		t->shared += g->sharing > 1;
		g->has_threads = is_whole ||
				 (g->by_tgid && !hash_u64_has(&t->tasks.cut, g->first.task.signal));
		row_add_group(t->v->in, &g->keys, t);
	}
}
