// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

#include "kernel/task.h"
#include "util/units.h"

#define DEFAULT_ROWS 10

enum {
	COL_PID,
	COL_TGID,
	COL_PPID,
	COL_COMM,
	COL_MAJ,
	COL_MIN,
	COL_CMAJ,
	COL_CMIN,
	COL_VSZ,
	COL_RSS,
	COL_SWAP,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_PID] = { COLUMN_pid, IN_BOTH | KNOWN },
	[COL_TGID] = { COLUMN_tgid, IN_BOTH | KNOWN },
	[COL_PPID] = { COLUMN_ppid, IN_BOTH },
	[COL_COMM] = { COLUMN_comm, IN_BOTH | KNOWN },
	[COL_MAJ] = { COLUMN_maj_flt, IN_BOTH | KNOWN },
	[COL_MIN] = { COLUMN_min_flt, IN_BOTH | KNOWN },
	[COL_CMAJ] = { COLUMN_cmaj_flt, IN_BOTH | KNOWN },
	[COL_CMIN] = { COLUMN_cmin_flt, IN_BOTH | KNOWN },
	[COL_VSZ] = { COLUMN_vsz_bytes, IN_BOTH },
	[COL_RSS] = { COLUMN_rss_bytes, IN_BOTH },
	[COL_SWAP] = { COLUMN_swap_bytes, IN_BOTH },
};

struct fill {
	struct dump *dump;
	struct table *table;
	size_t unreadable; /* tasks whose mm is not in this dump */
};

static struct cell pages_cell(const struct dump *d, const struct task *task, int64_t pages)
{
	return cell_if(task->has_mm, cell_int((int64_t)((uint64_t)pages << d->page_shift)));
}

static enum status add_task(void *arg, const struct task *task)
{
	struct fill *fill = arg;
	const struct dump *d = fill->dump;
	struct cell *row = table_add(fill->table);

	if (!row)
		return ST_NOMEM;
	fill->unreadable += task->mm_unreadable;
	row[COL_PID] = cell_int(task->pid);
	row[COL_TGID] = cell_int(task->tgid);
	row[COL_PPID] = cell_if(task->has_ppid, cell_int(task->ppid));
	row[COL_COMM] = cell_text(arena_strdup(d->arena, task->comm));
	row[COL_MAJ] = cell_uint(task->maj_flt);
	row[COL_MIN] = cell_uint(task->min_flt);
	row[COL_CMAJ] = cell_uint(task->cmaj_flt);
	row[COL_CMIN] = cell_uint(task->cmin_flt);
	row[COL_VSZ] = pages_cell(d, task, task->total_vm);
	row[COL_RSS] = pages_cell(d, task, task->rss);
	row[COL_SWAP] = pages_cell(d, task, task->swap);
	return ST_OK;
}

static enum status open_tasks(struct fault_view *v)
{
	struct tasks *tasks = dump_alloc(v->dump, sizeof(*tasks));

	v->data = tasks;
	return tasks ? tasks_open(v->dump, tasks) : ST_NOMEM;
}

static enum status show_tasks(struct fault_view *v)
{
	struct dump *d = v->dump;
	struct sink *out = v->out;
	struct report *r = &v->report;
	struct fill fill = { .dump = d, .table = &v->in->table };
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	struct tasks *tasks = v->data;
	enum status walked = tasks_walk(tasks, add_task, &fill), st;
	char n[UNITS_PLURAL];
	size_t shown;

	if (walked == ST_NOMEM)
		return walked;
	if (walked == ST_UNREADABLE && tasks->has_count && tasks->count > t->n)
		report_warn(r, "%llu of %llu threads are not in this dump: %s",
			    (unsigned long long)(tasks->count - t->n),
			    (unsigned long long)tasks->count, d->error);
	else if (walked != ST_OK)
		report_warn(r, "the task list is incomplete: %s", d->error);
	if (fill.unreadable)
		report_warn(r, "no mm_struct in this dump for %s",
			    units_plural(n, fill.unreadable, "thread", "threads"));
	st = table_sort(t, o->sort ? o->sort : "maj_flt,min_flt", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(r, t, o, DEFAULT_ROWS);
	report_rest(r, t->n - shown, "thread", "threads", NULL);
	report_end(r, NULL, walked == ST_OK && !fill.unreadable);
	if (!o->json)
		sink_printf(out, "%s; faults are counted since the start of each\n",
			    units_plural(n, t->n, "thread", "threads"));
	return ST_OK;
}

const struct fault_view_ops fault_tasks = { { "tasks", "", COLUMNS_OF(columns) },
					    open_tasks,
					    show_tasks };
