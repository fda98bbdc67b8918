// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

#include <string.h>

/* faults -g: threads with the same values of the keys, in a row. */

#define OF_GROUP "of the threads, and of exited ones where the key belongs to a process"
#define ONCE "each process once, so what several share is in it several times"

static const struct view_column columns[TASK_COLUMNS] = {
	[COL_PID] = { COLUMN_pid, 0 },
	[COL_TGID] = { COLUMN_tgid, 0 },
	[COL_PPID] = { COLUMN_ppid, 0 },
	[COL_COMM] = { COLUMN_comm, 0, "with -g tgid of the first thread", .width = 20 },
	[COL_STATE] = { COLUMN_task_state, 0 },
	[COL_MAJ] = { COLUMN_maj_flt, IN_BOTH | KNOWN, OF_GROUP },
	[COL_MIN] = { COLUMN_min_flt, IN_BOTH | KNOWN, OF_GROUP },
	[COL_CMAJ] = { COLUMN_cmaj_flt, 0 },
	[COL_CMIN] = { COLUMN_cmin_flt, 0 },
	[COL_EXITED_MAJ] = { COLUMN_exited_maj_flt, IN_JSON },
	[COL_EXITED_MIN] = { COLUMN_exited_min_flt, IN_JSON },
	[COL_RATE] = { COLUMN_rate_milli, IN_BOTH, "known with -g tgid" },
	[COL_LIFE] = { COLUMN_life_ns, 0 },
	[COL_VSZ] = { COLUMN_vsz_bytes, 0 },
	[COL_RSS] = { COLUMN_rss_bytes, IN_BOTH, ONCE },
	[COL_ANON] = { COLUMN_rss_anon_bytes, IN_JSON, ONCE },
	[COL_FILE] = { COLUMN_rss_file_bytes, IN_JSON, ONCE },
	[COL_SHMEM] = { COLUMN_rss_shmem_bytes, IN_JSON, ONCE },
	[COL_SWAP] = { COLUMN_swap_bytes, IN_BOTH, ONCE },
	[COL_KTHREAD] = { COLUMN_kthread, 0 },
	[COL_THREADS] = { COLUMN_threads, IN_BOTH | KNOWN, "that are alive" },
	[COL_MEMCG] = { COLUMN_memcg, 0 },
	[COL_CGROUP] = { COLUMN_cgroup, 0 },
};

static const unsigned int key_columns[FAULT_KEYS] = {
	[KEY_TGID] = COL_TGID,	     [KEY_PPID] = COL_PPID,   [KEY_COMM] = COL_COMM,
	[KEY_STATE] = COL_STATE,     [KEY_MEMCG] = COL_MEMCG, [KEY_CGROUP] = COL_CGROUP,
	[KEY_KTHREAD] = COL_KTHREAD,
};

/* The keys stand behind the sums; a process has its name beside its number. */
static void prepare(struct cmdline *in)
{
	for (size_t i = 0; i < in->ngroups; i++) {
		table_show(&in->table, key_columns[in->groups[i]]);
		if (in->groups[i] == KEY_TGID)
			table_show(&in->table, COL_COMM);
	}
}

const struct view task_groups_view = { "groups", "-g tgid", COLUMNS_OF(columns), .prepare = prepare,
				       .filters_rows = true };

struct group {
	const char *values[GROUP_KEYS];
	uint64_t threads, maj, min, exited_maj, exited_min;
	uint64_t rss, anon, file, shmem, swap; /* pages */
	bool has_mm, mm_missing;
	/* Of the first thread. */
	struct task first;
	const char *name;
};

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
	const struct task *task = thread->task;
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
		g->first = *task;
		g->name = thread->name;
	}
	g->threads++;
	g->maj += task->maj_flt;
	g->min += task->min_flt;
	/* Those of a process belong to its leader, which stays until the last thread is gone. */
	if (t->by_process && task->pid == task->tgid) {
		g->exited_maj += task->exited_maj_flt;
		g->exited_min += task->exited_min_flt;
	}
	return add_mm(t, g, task);
}

static struct cell pages_cell(const struct task_view *t, const struct group *g, uint64_t pages)
{
	return cell_if(g->has_mm && !g->mm_missing,
		       cell_int((int64_t)(pages << t->v->dump->page_shift)));
}

static enum status add_row(struct task_view *t, const struct group *g)
{
	const struct cmdline *in = t->v->in;
	struct cell *row = table_add(&t->v->in->table);

	if (!row)
		return ST_NOMEM;
	row[COL_THREADS] = cell_uint(g->threads);
	row[COL_MAJ] = cell_uint(g->maj + g->exited_maj);
	row[COL_MIN] = cell_uint(g->min + g->exited_min);
	row[COL_EXITED_MAJ] = cell_if(t->by_process, cell_uint(g->exited_maj));
	row[COL_EXITED_MIN] = cell_if(t->by_process, cell_uint(g->exited_min));
	row[COL_RSS] = pages_cell(t, g, g->rss);
	row[COL_ANON] = pages_cell(t, g, g->anon);
	row[COL_FILE] = pages_cell(t, g, g->file);
	row[COL_SHMEM] = pages_cell(t, g, g->shmem);
	row[COL_SWAP] = pages_cell(t, g, g->swap);
	for (size_t i = 0; i < in->ngroups; i++) {
		struct cell *cell = &row[key_columns[in->groups[i]]];

		switch (in->groups[i]) {
		case KEY_TGID:
			*cell = cell_int(g->first.tgid);
			if (row[COL_COMM].kind == CELL_NULL)
				row[COL_COMM] = cell_text(g->name);
			row[COL_RATE] = fault_rate(t->v,
						   g->maj + g->exited_maj + g->min + g->exited_min,
						   g->first.start_ns);
			break;
		case KEY_PPID:
			*cell = cell_if(g->first.has_ppid, cell_int(g->first.ppid));
			break;
		case KEY_KTHREAD:
			*cell = cell_bool(g->first.is_kthread);
			break;
		default:
			*cell = cell_text(g->values[i]);
		}
	}
	return ST_OK;
}

enum status task_groups_fill(struct task_view *t)
{
	enum status st = ST_OK;

	for (struct hash_bytes_entry *e = t->groups.first; e && st == ST_OK; e = e->next)
		st = add_row(t, e->value);
	return st;
}
