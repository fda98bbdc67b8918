// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks.h"

#include <ctype.h>

#include "pools/swap_areas.h"
#include "vm/rss_witness.h"

/* "[kswapd0]", as ps(1) has it. */
CELL_WITH(name_cell, struct thread, const struct task_view,
	  cell_text(r->named.name && !v->v->in->opts.json ? r->named.name : r->name))

#define ROW struct thread
#define VIEW const struct task_view

CELL_WITH(rate_cell, ROW, VIEW,
	  fault_rate(v->v, r->task.maj_flt + r->task.min_flt, r->task.start_ns))
CELL_WITH(life_cell, ROW, VIEW,
	  cell_if(r->task.start_ns, report_age(&v->v->report, r->task.start_ns)))

#define MEMORY(MEMBER) SIGNED_PAGES_IF(ROW, task.MEMBER, task.has_mm)

CAN_HAVE(has_mm, ROW, VIEW, r->task.has_mm || r->task.mm_unreadable)
CAN_HAVE(may_be_throttled, ROW, VIEW, r->is_throttled || r->limit_is_unknown)

static const struct view_column columns[] = {
	{ COLUMN_pid, IN_BOTH | KNOWN, .width = 5, INT_OF(ROW, task.pid) },
	{ COLUMN_tgid, IN_BOTH | KNOWN, INT_OF(ROW, task.tgid) },
	{ COLUMN_ppid, IN_JSON, INT_IF(ROW, task.ppid, task.has_ppid) },
	{ COLUMN_comm, IN_BOTH | KNOWN, "in text kernel threads stand in brackets", .width = 20,
	  CELL_BY(name_cell) },
	{ COLUMN_task_state, IN_BOTH, TEXT_OF(ROW, state) },
	{ COLUMN_maj_flt, IN_BOTH | KNOWN, UINT_OF(ROW, task.maj_flt) },
	{ COLUMN_min_flt, IN_BOTH | KNOWN, UINT_OF(ROW, task.min_flt) },
	{ COLUMN_cmaj_flt, IN_JSON | KNOWN, UINT_OF(ROW, task.cmaj_flt) },
	{ COLUMN_cmin_flt, IN_JSON | KNOWN, UINT_OF(ROW, task.cmin_flt) },
	{ COLUMN_exited_maj_flt, KNOWN, "of the process", UINT_OF(ROW, task.exited_maj_flt) },
	{ COLUMN_exited_min_flt, KNOWN, "of the process", UINT_OF(ROW, task.exited_min_flt) },
	{ COLUMN_rate_milli, IN_BOTH, CELL_BY(rate_cell) },
	{ COLUMN_life_ns, IN_JSON, CELL_BY(life_cell) },
	{ COLUMN_vsz_bytes, IN_JSON, .can_have = has_mm, MEMORY(total_vm) },
	{ COLUMN_rss_bytes, IN_BOTH, .can_have = has_mm, MEMORY(rss) },
	{ COLUMN_rss_anon_bytes, IN_JSON, .can_have = has_mm, MEMORY(rss_anon) },
	{ COLUMN_rss_file_bytes, IN_JSON, .can_have = has_mm, MEMORY(rss_file) },
	{ COLUMN_rss_shmem_bytes, IN_JSON, .can_have = has_mm, MEMORY(rss_shmem) },
	{ COLUMN_swap_bytes, IN_BOTH, .can_have = has_mm, MEMORY(swap) },
	{ COLUMN_cpu_quota_ns, IN_JSON,
	  "of its cgroup, or one above it, where that keeps it from running",
	  .can_have = may_be_throttled, UINT_IF(ROW, limit.quota_ns, is_throttled) },
	{ COLUMN_cpu_period_ns, IN_JSON, .can_have = may_be_throttled,
	  UINT_IF(ROW, limit.period_ns, is_throttled) },
	{ COLUMN_kthread, IN_JSON | KNOWN, BOOL_OF(ROW, task.is_kthread) },
	{ COLUMN_threads, KNOWN, UINT_OF(ROW, threads) },
	{ COLUMN_memcg, IN_BOTH, "in text where the memory controller is of cgroup v1",
	  TEXT_OF(ROW, paths.memcg) },
	{ COLUMN_cgroup, IN_BOTH, "in text where MEMCG is not", TEXT_OF(ROW, paths.cgroup) },
	BASIS(derived),
};

/* PIDs of the command line name threads, or processes with all their threads. */
static bool is_asked(const struct opts *o, const struct task *task)
{
	uint64_t pid;

	return ANY_OF(i, o->nargs,
		      units_parse(o->args[i], &pid) &&
			      (pid == (uint64_t)task->pid || pid == (uint64_t)task->tgid)) ||
	       !o->nargs;
}

/* Threads of the kernel that never faulted only fill the screen, unless rows were chosen. */
static bool is_hidden(const struct cmdline *in, const struct task *task)
{
	const struct opts *o = &in->opts;
	bool chosen = o->json || o->nargs || in->filters.n || in->filters.nrows ||
		      (o->has_rows && !o->rows);

	return !chosen && task->is_kthread && !task->maj_flt && !task->min_flt;
}

/* A task that sleeps is in no queue that a limit may keep from a CPU. */
static void read_limit(struct task_view *t, struct thread *thread)
{
	enum status st;

	if (!t->has_limits || thread->task.state != 'R' || !thread->task.address)
		return;
	st = cfs_throttle_read(&t->limits, thread->task.address, &thread->limit);
	thread->is_throttled = st == ST_OK && thread->limit.is_throttled && thread->limit.quota_ns;
	thread->limit_is_unknown = st == ST_UNREADABLE || st == ST_CORRUPT;
	t->v->dump->error[0] = '\0';
}

static enum status visit(void *arg, const struct task *task)
{
	struct task_view *t = arg;
	struct cmdline *in = t->v->in;
	char buf[KTHREAD_NAME];
	const char state[2] = { task->state, '\0' };
	struct thread thread = { .task = *task, .threads = 1 };
	struct asked_process *of;

	if (!is_asked(&in->opts, task))
		return ST_OK;
	t->asked++;
	thread.name = intern(&t->texts,
			     kthread_name(&t->names, task->flags, task->kthread, task->comm, buf));
	if (task->is_kthread)
		thread.named = (struct named_text){ thread.name,
						    dump_text(t->v->dump, "[%s]", thread.name) };
	read_limit(t, &thread);
	thread.state = *state ? intern(&t->texts, state) : NULL;
	if (t->has_cgroups)
		thread.paths = cgroups_of_set(&t->cgroups, task->css_set);
	of = asked_process_note(t, &thread);
	if (!rows_keep_member(in, COLUMNS(thread_columns), &thread, NULL))
		return ST_OK;
	asked_process_keep(of, &thread);
	t->threads++;
	t->no_mm += task->mm_unreadable && !task->mm_corrupt;
	t->no_cgroup += t->has_cgroups && !thread.paths.cgroup;
	if (in->ngroups)
		task_groups_add(t, &thread);
	else if (is_hidden(in, task))
		t->hidden++;
	else
		row_add(&in->table, &thread, t);
	return ST_OK;
}

/* "1-5", as the range of an address is written; false: it is none of numbers. */
static bool is_range(const char *text, unsigned long *first, unsigned long *last)
{
	int end = 0;

	return sscanf(text, "%lu-%lu%n", first, last, &end) == 2 && end && !text[end];
}

static enum status refuse_pid(struct dump *d, const char *text)
{
	unsigned long first, last;

	if (is_range(text, &first, &last))
		return dump_usage(d,
				  "a PID is a decimal number, not '%s'; a range: -f pid=%lu..%lu",
				  text, first, last);
	if (isdigit((unsigned char)*text) && strchr(text, ',') &&
	    !text[strspn(text, "0123456789,")])
		return dump_usage(d, "a PID is a decimal number, not '%s'; of several: -f pid=%s",
				  text, text);
	return dump_usage(d, "a PID is a decimal number, not '%s'; a command by its name: -f %s%s",
			  text, strchr(text, '=') ? "" : "comm=", text);
}

static enum status check(struct fault_view *v)
{
	const struct opts *o = &v->in->opts;
	uint64_t pid;

	for (unsigned int i = 0; i < o->nargs; i++)
		if (!units_parse(o->args[i], &pid) || pid > INT32_MAX)
			return refuse_pid(v->dump, o->args[i]);
	return ST_OK;
}

static void count_throttled(void *arg, const struct cfs_limit *limit)
{
	*(unsigned int *)arg += limit->is_throttled;
}

/* In text the limit is a column where one keeps threads from running. */
static void open_limits(struct task_view *t)
{
	struct cmdline *in = t->v->in;
	struct dump *d = t->v->dump;
	unsigned int n = 0;

	t->has_limits = cfs_throttle_open(d, &t->limits) == ST_OK;
	if (t->has_limits && !in->ngroups && !in->opts.json) {
		cfs_limits_each(&t->limits, count_throttled, &n);
		if (n) {
			table_show(&in->table, COLUMN_cpu_quota_ns);
			table_show(&in->table, COLUMN_cpu_period_ns);
			table_show(&in->table, COLUMN_memcg);
			table_show(&in->table, COLUMN_cgroup);
			cmdline_reselect(in);
		}
	}
	d->error[0] = '\0';
}

static enum status open(struct fault_view *v)
{
	struct task_view *t = dump_alloc(v->dump, sizeof(*t));
	struct dump *d = v->dump;
	enum status st;

	v->data = t;
	t->v = v;
	hash_bytes_init(&t->texts, d->arena, 0);
	hash_u64_init(&t->processes, d->arena, sizeof(struct asked_process));
	task_groups_init(t);
	kthread_names_open(d, &t->names);
	open_limits(t);
	st = cgroups_open(d, &t->cgroups);
	t->has_cgroups = st == ST_OK;
	if (!t->has_cgroups)
		decoder_trace(d, "decide no cgroups: %s", d->error);
	st = report_asked(&v->report, "cgroups",
			  cmdline_groups_by(v->in, KEY_CGROUP) ||
				  cmdline_groups_by(v->in, KEY_MEMCG),
			  st == ST_OK ? cgroups_check_sets(&t->cgroups) : st);
	return st == ST_OK ? tasks_open(d, &t->tasks) : st;
}

/* A PID that no thread has is said to be none only where all threads were seen. */
static void warn_missing_pids(struct task_view *t, bool complete)
{
	const struct opts *o = &t->v->in->opts;
	const struct table *table = &t->v->in->table;
	size_t pids = table_index(table, COLUMN_pid), tgids = table_index(table, COLUMN_tgid);

	for (unsigned int i = 0; i < o->nargs && !t->v->in->ngroups && !t->v->in->filters.n; i++) {
		uint64_t pid = 0;
		bool found = false;

		units_parse(o->args[i], &pid);
		for (size_t n = 0; n < table->n && !found; n++)
			found = (uint64_t)table->rows[n][pids].i == pid ||
				(uint64_t)table->rows[n][tgids].i == pid;
		if (!found)
			report_warn(&t->v->report,
				    !pid ? "pid %s is that of the idle tasks of CPUs, which "
					   "are in no list of tasks"
				    : complete
					    ? "no task has pid %s"
					    : "pid %s is not among the threads that were reached",
				    o->args[i]);
	}
}

static void put_gaps(struct task_view *t, enum status walked, uint64_t reached, const char *why)
{
	const struct tasks *tasks = &t->tasks;
	const char *shared = t->v->in->ngroups ? swap_shared_note(t->v->dump, t->swap) : NULL;
	bool counted = walked == ST_UNREADABLE && tasks->has_count && tasks->count > reached;
	const struct gap gaps[] = {
		{ "the task list is incomplete: %s", walked != ST_OK && !counted, .why = why },
		{ "no mm_struct in this dump for %s", t->no_mm, "thread", "threads" },
		{ "no cgroup in this dump for %s", t->no_cgroup, "thread", "threads" },
		{ "the names of %s are incomplete: the rest is not in this dump", t->names.partial,
		  "kernel thread", "kernel threads" },
		{ t->divided == 1 ? "%s threads in several groups, and its RSS and SWAP are in "
				    "each of them"
				  : "%s threads in several groups, and their RSS and SWAP are "
				    "in each of them",
		  t->divided, "process has", "processes have", .is_note = true },
		{ "RSS of %s counts a page that processes share once for each that maps it: memowner "
		  "processes -g has PSS, memowner cgroups what a cgroup is charged",
		  t->shared, "group", "groups", .is_note = true },
		{ SWAP_SHARED, shared != NULL, .why = shared, .is_note = true },
	};

	if (counted)
		report_warn(&t->v->report, "%lu of %lu threads %s not in this dump: %s",
			    tasks->count - reached, tasks->count,
			    tasks->count - reached == 1 ? "is" : "are", why);
	REPORT_GAPS(&t->v->report, gaps);
	warn_missing_pids(t, walked == ST_OK);
}

static enum status show(struct fault_view *v)
{
	struct task_view *t = v->data;
	struct cmdline *in = v->in;
	struct table *table = &in->table;
	const struct opts *o = &in->opts;
	enum status walked;
	const char *why;
	bool reads_none, is_part;
	size_t shown;

	t->by_process = true;
	for (size_t i = 0; i < in->ngroups; i++)
		t->by_process &= in->groups[i] != KEY_COMM && in->groups[i] != KEY_STATE;
	/* Of v1 the default hierarchy mostly has a root and nothing else. */
	if (!in->ngroups && !o->json) {
		table_hide(table, cgroups_memory_is_v1(v->dump) ? COLUMN_cgroup : COLUMN_memcg);
		cmdline_reselect(in);
	}
	rss_witness(v->dump);
	walked = tasks_walk(&t->tasks, visit, t);
	is_part = asked_processes_are_parts(t);
	reads_none = !t->tasks.visited && walked != ST_OK;
	why = dump_why(v->dump);
	if (in->ngroups)
		task_groups_fill(t, walked == ST_OK);
	put_gaps(t, walked, t->tasks.visited, why);
	rows_sort(in);
	shown = report_rows(&v->report, table, o, o->nargs ? 0 : in->shown->rows);
	report_rest(&v->report, table->n - shown, in->shown->row, in->shown->many, NULL);
	rows_tell_ties(&v->report, in, shown);
	rows_tell_empty(&v->report, v->in, table, shown);
	rows_tell_keys(&v->report, v->in, table, shown);
	if (o->json)
		report_groups_kept(&v->report, is_part, "thread", "threads");
	if (reads_none && !v->dump->interrupted)
		report_no_rows(&v->report, availability_of(walked));
	report_end(&v->report, NULL, walked == ST_OK);
	if (o->json)
		return ST_OK;
	report_kept(&v->report, &v->in->filters, t->threads, t->asked, "thread", "threads");
	report_groups_kept(&v->report, is_part, "thread", "threads");
	if (reads_none)
		sink_text(v->out, "no thread could be read\n");
	else if (!t->threads && walked != ST_OK)
		sink_text(v->out, "no such thread was found in what could be read\n");
	else
		sink_printf(v->out, "%s%s; faults are counted since the start of each\n",
			    walked == ST_OK ? "" : "at least ", COUNT_OF(t->threads, "thread"));
	if (t->hidden)
		sink_printf(v->out, "%s without a fault not shown (-n 0 shows all)\n",
			    COUNT_OF(t->hidden, "kernel thread"));
	asked_processes_put(t);
	return ST_OK;
}

const struct fault_view_ops fault_tasks = {
	{ "tasks", "", COLUMNS_OF(columns), .takes_arguments = true, .grouped = &task_groups_view,
	  ROWS_ARE("thread", "threads", "maj_flt,min_flt", 10) },
	check,
	open,
	show
};
