// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

#define DEFAULT_ROWS 10

enum {
	F_PID,
	F_TGID,
	F_PPID,
	F_COMM,
	F_MAJ,
	F_MIN,
	F_CMAJ,
	F_CMIN,
	F_VSZ,
	F_RSS,
	F_SWAP,
	F_COLUMNS
};

static const struct column task_columns[F_COLUMNS] = {
	[F_PID] = { "pid", "PID", .shown = IN_BOTH, .help = "thread" },
	[F_TGID] = { "tgid", "TGID", .shown = IN_BOTH, .help = "its process" },
	[F_PPID] = { "ppid", "PPID", .shown = IN_BOTH, .help = "process that is its parent" },
	[F_COMM] = { "comm", "COMM", FORMAT_TEXT, IN_BOTH, 15, .help = "name of the thread" },
	[F_MAJ] = { "maj_flt", "MAJFLT", .shown = IN_BOTH, .help = "major faults of this thread" },
	[F_MIN] = { "min_flt", "MINFLT", .shown = IN_BOTH, .help = "minor faults of this thread" },
	[F_CMAJ] = { "cmaj_flt", "CMAJFLT", .shown = IN_BOTH,
		     .help = "major faults of children that the process has waited for" },
	[F_CMIN] = { "cmin_flt", "CMINFLT", .shown = IN_BOTH, .help = "their minor faults" },
	[F_VSZ] = { "vsz_bytes", "VSZ", FORMAT_SIZE, IN_BOTH,
		    .help = "address space of the process" },
	[F_RSS] = { "rss_bytes", "RSS", FORMAT_SIZE, IN_BOTH, .help = "what of it is in memory" },
	[F_SWAP] = { "swap_bytes", "SWAP", FORMAT_SIZE, IN_BOTH, .help = "what of it is in swap" },
};

const struct view fault_task_view = { "tasks", "", .columns = task_columns, .ncolumns = F_COLUMNS };

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
		return DUMP_NOMEM;
	fill->unreadable += task->mm_unreadable;
	row[F_PID] = cell_int(task->pid);
	row[F_TGID] = cell_int(task->tgid);
	row[F_PPID] = cell_if(task->has_ppid, cell_int(task->ppid));
	row[F_COMM] = cell_text(arena_strdup(d->arena, task->comm));
	row[F_MAJ] = cell_uint(task->maj_flt);
	row[F_MIN] = cell_uint(task->min_flt);
	row[F_CMAJ] = cell_uint(task->cmaj_flt);
	row[F_CMIN] = cell_uint(task->cmin_flt);
	row[F_VSZ] = pages_cell(d, task, task->total_vm);
	row[F_RSS] = pages_cell(d, task, task->rss);
	row[F_SWAP] = pages_cell(d, task, task->swap);
	return DUMP_OK;
}

enum status fault_tasks_show(struct dump *d, struct sink *out, struct invocation *in,
			     struct tasks *tasks, struct report *r)
{
	struct fill fill = { .dump = d, .table = &in->table };
	const struct opts *o = &in->opts;
	struct table *t = &in->table;
	enum status walked = tasks_walk(tasks, add_task, &fill), st;
	size_t shown;

	if (walked == DUMP_NOMEM)
		return walked;
	if (walked == DUMP_UNREADABLE && tasks->has_count && tasks->count > in->table.n)
		report_warn(r, "%llu of %llu threads cannot be reached: %s",
			    (unsigned long long)(tasks->count - in->table.n),
			    (unsigned long long)tasks->count, d->error);
	else if (walked != DUMP_OK)
		report_warn(r, "the task list ends early: %s", d->error);
	if (fill.unreadable)
		report_warn(r, "the mm_struct of %zu threads is not in this dump", fill.unreadable);
	st = table_sort(t, o->sort ? o->sort : "maj_flt,min_flt", o->reverse);
	if (st != DUMP_OK)
		return st;
	shown = report_rows(r, t, o, DEFAULT_ROWS);
	if (!o->json && shown < t->n)
		sink_printf(out, "... %zu more threads (-n 0 shows all)\n", t->n - shown);
	report_end(r, NULL, walked == DUMP_OK && !fill.unreadable);
	if (!o->json)
		sink_printf(out,
			    "%zu threads; faults since each started, independent of any trace\n",
			    t->n);
	return DUMP_OK;
}

enum { E_NAME, E_COUNT, E_MEANING, E_COLUMNS };

static const struct column system_columns[E_COLUMNS] = {
	[E_COUNT] = { "count", "COUNT", .shown = IN_BOTH, .help = "since boot" },
	[E_NAME] = { "name", "NAME", FORMAT_TEXT, IN_BOTH, 24, .help = "as in /proc/vmstat" },
	[E_MEANING] = { "meaning", "MEANING", FORMAT_TEXT, IN_TEXT, 50, .help = "in words" },
};

const struct view fault_system_view = { "system", "", .columns = system_columns,
					.ncolumns = E_COLUMNS };

enum status fault_system_show(struct invocation *in, const struct vm_event *events, size_t n,
			      struct report *r)
{
	const struct opts *o = &in->opts;
	struct table *t = &in->table;
	enum status st = DUMP_OK;

	for (size_t i = 0; i < n; i++) {
		struct cell *row = table_add(t);

		if (!row)
			return DUMP_NOMEM;
		row[E_NAME] = cell_text(events[i].name);
		row[E_COUNT] = cell_if(events[i].known, cell_uint(events[i].count));
		row[E_MEANING] = cell_text(events[i].meaning);
	}
	if (o->sort)
		st = table_sort(t, o->sort, o->reverse);
	if (st != DUMP_OK)
		return st;
	report_rows(r, t, o, 0);
	report_end(r, NULL, true);
	return DUMP_OK;
}
