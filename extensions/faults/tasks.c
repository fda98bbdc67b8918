// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

#include <stdio.h>
#include <string.h>

#include "util/units.h"

#define DEFAULT_ROWS 10

static const struct view_column columns[TASK_COLUMNS] = {
	[COL_PID] = { COLUMN_pid, IN_BOTH | KNOWN, .width = 5 },
	[COL_TGID] = { COLUMN_tgid, IN_BOTH | KNOWN },
	[COL_PPID] = { COLUMN_ppid, IN_JSON },
	[COL_COMM] = { COLUMN_comm, IN_BOTH | KNOWN, "in text kernel threads stand in brackets",
		       .width = 20 },
	[COL_STATE] = { COLUMN_task_state, IN_BOTH },
	[COL_MAJ] = { COLUMN_maj_flt, IN_BOTH | KNOWN },
	[COL_MIN] = { COLUMN_min_flt, IN_BOTH | KNOWN },
	[COL_CMAJ] = { COLUMN_cmaj_flt, IN_JSON | KNOWN },
	[COL_CMIN] = { COLUMN_cmin_flt, IN_JSON | KNOWN },
	[COL_EXITED_MAJ] = { COLUMN_exited_maj_flt, KNOWN, "of the process" },
	[COL_EXITED_MIN] = { COLUMN_exited_min_flt, KNOWN, "of the process" },
	[COL_RATE] = { COLUMN_rate_milli, IN_BOTH },
	[COL_LIFE] = { COLUMN_life_ns, IN_JSON },
	[COL_VSZ] = { COLUMN_vsz_bytes, IN_JSON },
	[COL_RSS] = { COLUMN_rss_bytes, IN_BOTH },
	[COL_ANON] = { COLUMN_rss_anon_bytes, IN_JSON },
	[COL_FILE] = { COLUMN_rss_file_bytes, IN_JSON },
	[COL_SHMEM] = { COLUMN_rss_shmem_bytes, IN_JSON },
	[COL_SWAP] = { COLUMN_swap_bytes, IN_BOTH },
	[COL_KTHREAD] = { COLUMN_kthread, IN_JSON | KNOWN },
	[COL_THREADS] = { COLUMN_threads, KNOWN },
	[COL_MEMCG] = { COLUMN_memcg, IN_BOTH,
			"in text where the memory controller is of cgroup v1" },
	[COL_CGROUP] = { COLUMN_cgroup, IN_BOTH, "in text where MEMCG is not" },
};

static struct cell pages_cell(const struct dump *d, const struct task *task, int64_t pages)
{
	return cell_if(task->has_mm, cell_int((int64_t)((uint64_t)pages << d->page_shift)));
}

/* "[kswapd0]", as ps(1) has it. */
static const char *shown_name(const struct task_view *t, const struct thread *thread)
{
	char buf[KTHREAD_NAME + 2];

	if (!thread->task->is_kthread || t->v->in->opts.json)
		return thread->name;
	snprintf(buf, sizeof(buf), "[%s]", thread->name);
	return arena_strdup(t->v->dump->arena, buf);
}

static enum status add_row(struct task_view *t, const struct thread *thread)
{
	const struct task *task = thread->task;
	const struct dump *d = t->v->dump;
	const struct report *r = &t->v->report;
	struct cell *row = table_add(&t->v->in->table);
	char buf[16];

	if (!row)
		return ST_NOMEM;
	row[COL_PID] = cell_int(task->pid);
	row[COL_TGID] = cell_int(task->tgid);
	row[COL_PPID] = cell_if(task->has_ppid, cell_int(task->ppid));
	row[COL_COMM] = cell_text(shown_name(t, thread));
	row[COL_STATE] = cell_text(intern(&t->texts, thread_text(thread, KEY_STATE, buf)));
	row[COL_MAJ] = cell_uint(task->maj_flt);
	row[COL_MIN] = cell_uint(task->min_flt);
	row[COL_CMAJ] = cell_uint(task->cmaj_flt);
	row[COL_CMIN] = cell_uint(task->cmin_flt);
	row[COL_EXITED_MAJ] = cell_uint(task->exited_maj_flt);
	row[COL_EXITED_MIN] = cell_uint(task->exited_min_flt);
	row[COL_RATE] = fault_rate(t->v, task->maj_flt + task->min_flt, task->start_ns);
	row[COL_LIFE] = cell_if(task->start_ns, report_age(r, task->start_ns));
	row[COL_VSZ] = pages_cell(d, task, task->total_vm);
	row[COL_RSS] = pages_cell(d, task, task->rss);
	row[COL_ANON] = pages_cell(d, task, task->rss_anon);
	row[COL_FILE] = pages_cell(d, task, task->rss_file);
	row[COL_SHMEM] = pages_cell(d, task, task->rss_shmem);
	row[COL_SWAP] = pages_cell(d, task, task->swap);
	row[COL_KTHREAD] = cell_bool(task->is_kthread);
	row[COL_THREADS] = cell_uint(1);
	row[COL_MEMCG] = cell_text(thread->paths.memcg);
	row[COL_CGROUP] = cell_text(thread->paths.cgroup);
	return ST_OK;
}

/* PIDs of the command line name threads, or processes with all their threads. */
static bool is_asked(const struct opts *o, const struct task *task)
{
	uint64_t pid;

	for (unsigned int i = 0; i < o->nargs; i++)
		if (units_parse(o->args[i], &pid) &&
		    (pid == (uint64_t)task->pid || pid == (uint64_t)task->tgid))
			return true;
	return !o->nargs;
}

/* Threads of the kernel that never faulted only fill the screen, unless rows were chosen. */
static bool is_hidden(const struct cmdline *in, const struct task *task)
{
	const struct opts *o = &in->opts;
	bool chosen = o->json || o->nargs || in->filters.n || in->filters.nrows ||
		      (o->has_rows && !o->rows);

	return !chosen && task->is_kthread && !task->maj_flt && !task->min_flt;
}

static enum status visit(void *arg, const struct task *task)
{
	struct task_view *t = arg;
	struct cmdline *in = t->v->in;
	char buf[KTHREAD_NAME];
	struct thread thread = { .task = task };

	if (!is_asked(&in->opts, task))
		return ST_OK;
	t->asked++;
	thread.name = intern(&t->texts,
			     kthread_name(&t->names, task->flags, task->kthread, task->comm, buf));
	if (!thread.name)
		return ST_NOMEM;
	if (t->has_cgroups)
		thread.paths = cgroups_of_set(&t->cgroups, task->css_set);
	if (!thread_selects(&in->filters, &thread, t->v->dump->page_shift))
		return ST_OK;
	t->threads++;
	t->no_mm += task->mm_unreadable;
	t->no_cgroup += t->has_cgroups && !thread.paths.cgroup;
	if (in->ngroups)
		return task_groups_add(t, &thread);
	if (is_hidden(in, task)) {
		t->hidden++;
		return ST_OK;
	}
	return add_row(t, &thread);
}

static enum status check(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	uint64_t pid;

	for (unsigned int i = 0; i < o->nargs; i++)
		if (!units_parse(o->args[i], &pid) || pid > INT32_MAX)
			return dump_fail(
				v->dump, ST_USAGE,
				"a PID is a decimal number, not '%s'; a command by its name: -f comm=%s",
				o->args[i], o->args[i]);
	return ST_OK;
}

static enum status open(struct fault_view *v)
{
	struct task_view *t = dump_alloc(v->dump, sizeof(*t));
	struct dump *d = v->dump;
	enum status st;

	if (!t)
		return ST_NOMEM;
	v->data = t;
	t->v = v;
	hash_bytes_init(&t->texts, d->arena, 0);
	task_groups_init(t);
	kthread_names_open(d, &t->names);
	st = cgroups_open(d, &t->cgroups);
	t->has_cgroups = st == ST_OK;
	if (!t->has_cgroups)
		decoder_trace(d, "decide no cgroups: %s", d->error);
	st = report_part(&v->report, "cgroups", st == ST_OK ? cgroups_check_sets(&t->cgroups) : st);
	return st == ST_OK ? tasks_open(d, &t->tasks) : st;
}

/* A PID that no thread has is said to be none only where all threads were seen. */
static void warn_missing_pids(struct task_view *t, bool complete)
{
	const struct opts *o = &t->v->in->opts;
	const struct table *table = &t->v->in->table;

	for (unsigned int i = 0; i < o->nargs && !t->v->in->ngroups && !t->v->in->filters.n; i++) {
		uint64_t pid = 0;
		bool found = false;

		units_parse(o->args[i], &pid);
		for (size_t n = 0; n < table->n && !found; n++)
			found = (uint64_t)table->rows[n][COL_PID].i == pid ||
				(uint64_t)table->rows[n][COL_TGID].i == pid;
		if (!found)
			report_warn(&t->v->report,
				    complete ? "no task has pid %s"
					     : "pid %s is not among the threads that were reached",
				    o->args[i]);
	}
}

static void warn(struct task_view *t, enum status walked, uint64_t reached, const char *why)
{
	struct report *r = &t->v->report;
	const struct tasks *tasks = &t->tasks;
	char n[UNITS_PLURAL];

	if (walked == ST_UNREADABLE && tasks->has_count && tasks->count > reached)
		report_warn(r, "%llu of %llu threads %s not in this dump: %s",
			    (unsigned long long)(tasks->count - reached),
			    (unsigned long long)tasks->count,
			    tasks->count - reached == 1 ? "is" : "are", why);
	else if (walked != ST_OK)
		report_warn(r, "the task list is incomplete: %s", why);
	if (t->no_mm)
		report_warn(r, "no mm_struct in this dump for %s",
			    units_plural(n, t->no_mm, "thread", "threads"));
	if (t->no_cgroup)
		report_warn(r, "no cgroup in this dump for %s",
			    units_plural(n, t->no_cgroup, "thread", "threads"));
	if (t->names.partial)
		report_warn(r, "the names of %s are incomplete: the rest is not in this dump",
			    units_plural(n, t->names.partial, "kernel thread", "kernel threads"));
	warn_missing_pids(t, walked == ST_OK);
}

static enum status show(struct fault_view *v)
{
	struct task_view *t = v->data;
	struct cmdline *in = v->in;
	struct table *table = &in->table;
	const struct opts *o = &in->opts;
	enum status walked, st;
	char n[UNITS_PLURAL];
	const char *why;
	size_t shown;

	t->by_process = true;
	for (size_t i = 0; i < in->ngroups; i++)
		t->by_process &= in->groups[i] != KEY_COMM && in->groups[i] != KEY_STATE;
	/* Of v1 the default hierarchy mostly has a root and nothing else. */
	if (!in->ngroups && !o->json) {
		table_hide(table, cgroups_memory_is_v1(v->dump) ? COL_CGROUP : COL_MEMCG);
		cmdline_reselect(in);
	}
	walked = tasks_walk(&t->tasks, visit, t);
	if (walked == ST_NOMEM)
		return walked;
	why = arena_strdup(v->dump->arena, v->dump->error);
	st = in->ngroups ? task_groups_fill(t) : ST_OK;
	if (st != ST_OK)
		return st;
	warn(t, walked, t->tasks.visited, why ? why : "");
	table_filter(table, &in->filters);
	st = table_sort(table, o->sort ? o->sort : "maj_flt,min_flt", o->reverse);
	if (st != ST_OK)
		return st;
	shown = report_rows(&v->report, table, o, o->nargs ? 0 : DEFAULT_ROWS);
	report_rest(&v->report, table->n - shown, in->ngroups ? "group" : "thread",
		    in->ngroups ? "groups" : "threads", NULL);
	report_end(&v->report, NULL,
		   walked == ST_OK && !t->no_mm && !t->no_cgroup && !t->names.partial);
	if (o->json)
		return ST_OK;
	report_kept(&v->report, &v->in->filters, t->threads, t->asked, "thread", "threads");
	sink_printf(v->out, "%s; faults are counted since the start of each\n",
		    units_plural(n, t->threads, "thread", "threads"));
	if (t->hidden)
		sink_printf(v->out, "%s without a fault not shown (-n 0 shows all)\n",
			    units_plural(n, t->hidden, "kernel thread", "kernel threads"));
	return ST_OK;
}

const struct fault_view_ops fault_tasks = { { "tasks", "", COLUMNS_OF(columns),
					      .takes_arguments = true, .grouped = &task_groups_view,
					      .filters_rows = true },
					    check,
					    open,
					    show };
