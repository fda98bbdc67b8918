// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes, the largest first: resident pages by kind, swap, page tables, and the OOM killer's view. */
#include "processes.h"

#include <stdio.h>

#include "util/units.h"

#define DEFAULT_ROWS 10

enum {
	COL_PID,
	COL_COMM,
	COL_SIZE,
	COL_RSS,
	COL_PSS,
	COL_ANON,
	COL_FILE,
	COL_SHMEM,
	COL_SWAP,
	COL_PGTABLES,
	COL_LOCKED,
	COL_PINNED,
	COL_ADJ,
	COL_BADNESS,
	COL_STATE,
	COL_OOM,
	COL_EXITING,
	COL_BLOCKED,
	COL_THREADS,
	COL_GROUPS,
	COL_USERS,
	COL_REFERENCES,
	COL_HOLDERS,
	COL_UNKNOWN_USERS,
	COL_UNKNOWN_REFERENCES,
	COL_VSZ,
	COL_MEMCG,
	COL_CGROUP,
	COL_ADDRESS,
	COL_LOG_RSS,
	COL_LOG_ANON,
	COL_LOG_FILE,
	COL_LOG_SHMEM,
	COL_LOG_SWAP,
	COL_LOG_PGTABLES,
	COL_LOG_BADNESS,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_PID] = { COLUMN_pid, IN_BOTH, "of the process; null: no task uses the memory",
		      .width = 5 },
	[COL_COMM] = { COLUMN_comm, IN_BOTH,
		       "in brackets the variable of the kernel that has the mm_struct" },
	[COL_SIZE] = { COLUMN_process_bytes, IN_JSON },
	[COL_RSS] = { COLUMN_rss_bytes, IN_BOTH },
	[COL_PSS] = { COLUMN_pss_bytes, IN_JSON },
	[COL_ANON] = { COLUMN_rss_anon_bytes, IN_BOTH },
	[COL_FILE] = { COLUMN_rss_file_bytes, IN_BOTH },
	[COL_SHMEM] = { COLUMN_rss_shmem_bytes, IN_BOTH },
	[COL_SWAP] = { COLUMN_swap_bytes, IN_BOTH },
	[COL_PGTABLES] = { COLUMN_pgtables_bytes, IN_BOTH },
	[COL_LOCKED] = { COLUMN_locked_bytes, IN_BOTH },
	[COL_PINNED] = { COLUMN_pinned_bytes, IN_JSON },
	[COL_ADJ] = { COLUMN_oom_score_adj, IN_BOTH },
	[COL_BADNESS] = { COLUMN_badness_pages, IN_BOTH },
	[COL_STATE] = { COLUMN_task_state, IN_JSON, "of the thread that stands for the process" },
	[COL_OOM] = { COLUMN_oom_state, IN_BOTH, .choices = oom_standing_names + 1 },
	[COL_EXITING] = { COLUMN_exiting, IN_JSON },
	[COL_BLOCKED] = { COLUMN_blocked_threads, IN_JSON },
	[COL_THREADS] = { COLUMN_threads, IN_JSON | KNOWN },
	[COL_GROUPS] = { COLUMN_processes, IN_JSON | KNOWN },
	[COL_USERS] = { COLUMN_mm_users, IN_JSON },
	[COL_REFERENCES] = { COLUMN_mm_references, IN_JSON },
	[COL_HOLDERS] = { COLUMN_mm_holders, IN_JSON, "with -a" },
	[COL_UNKNOWN_USERS] = { COLUMN_unknown_users, IN_JSON, "with -a" },
	[COL_UNKNOWN_REFERENCES] = { COLUMN_unknown_references, IN_JSON, "with -a" },
	[COL_VSZ] = { COLUMN_vsz_bytes, IN_JSON },
	[COL_MEMCG] = { COLUMN_memcg, IN_JSON },
	[COL_CGROUP] = { COLUMN_cgroup, IN_JSON },
	[COL_ADDRESS] = { COLUMN_address, IN_JSON | KNOWN, "of the struct mm_struct" },
	[COL_LOG_RSS] = { COLUMN_log_rss_bytes, IN_JSON },
	[COL_LOG_ANON] = { COLUMN_log_anon_bytes, IN_JSON, "since 6.10" },
	[COL_LOG_FILE] = { COLUMN_log_file_bytes, IN_JSON, "since 6.10" },
	[COL_LOG_SHMEM] = { COLUMN_log_shmem_bytes, IN_JSON, "since 6.10" },
	[COL_LOG_SWAP] = { COLUMN_log_swap_bytes, IN_JSON },
	[COL_LOG_PGTABLES] = { COLUMN_log_pgtables_bytes, IN_JSON },
	[COL_LOG_BADNESS] = { COLUMN_log_badness_pages, IN_JSON },
};

enum {
	FILTER_PID,
	FILTER_COMM,
	FILTER_MEMCG,
	FILTER_OOM,
	FILTER_SIZE,
	FILTER_RSS,
	FILTER_LOCKED,
	PROCESS_KEYS
};

static const struct key process_keys[PROCESS_KEYS] = {
	[FILTER_PID] = { COLUMN_pid, "pid of the process", KEY_FILTERS, .is_text = false },
	[FILTER_COMM] = { COLUMN_comm, "name of the process", KEY_FILTERS, .is_text = true },
	[FILTER_MEMCG] = { COLUMN_memcg, "path of the cgroup that is charged", KEY_FILTERS,
			   .is_text = true },
	[FILTER_OOM] = { COLUMN_oom_state, "what the OOM killer does with the process", KEY_FILTERS,
			 .is_text = true, .choices = oom_standing_names + 1 },
	[FILTER_SIZE] = { COLUMN_process_bytes, "bytes resident, in swap and of page tables",
			  KEY_FILTERS, .quantity = RANGE_SIZE },
	[FILTER_LOCKED] = { COLUMN_locked_bytes, "bytes that mlock() keeps resident", KEY_FILTERS,
			    .quantity = RANGE_SIZE },
	[FILTER_RSS] = { COLUMN_rss_bytes, "bytes resident", KEY_FILTERS, .quantity = RANGE_SIZE },
};

const struct view owner_procs_view = { "processes",	      "-t processes",
				       COLUMNS_OF(columns),   .keys = process_keys,
				       .nkeys = PROCESS_KEYS, .filters_rows = true };

static struct cell bytes_cell(const struct processes *p, int64_t pages)
{
	return cell_int((int64_t)((uint64_t)pages << p->v->page_shift));
}

static bool size_of(const struct processes *p, const struct process *q, int64_t *bytes)
{
	if (!q->has_exact || !q->has_mm || !q->info.has_pgtables)
		return false;
	*bytes = (int64_t)(((uint64_t)mm_counts_rss(&q->exact) + (uint64_t)q->exact.swap)
			   << p->v->page_shift) +
		 (int64_t)q->info.pgtables_bytes;
	return true;
}

static const char *standing_of(const struct processes *p, const struct process *q)
{
	return oom_standing_names[process_standing(p, q)];
}

static bool keeps_number(const struct filter *f, bool known, int64_t n)
{
	return known ? filter_keeps_number(f, n > 0 ? (uint64_t)n : 0) : filter_keeps_unknown(f);
}

static bool keeps(const struct processes *p, const struct process *q)
{
	const struct filters *all = &p->v->in->filters;

	for (unsigned int i = 0; i < all->n; i++) {
		const struct filter *f = &all->filters[i];
		int64_t bytes = 0;
		bool known, kept = true;

		switch (f->key) {
		case FILTER_PID:
			kept = keeps_number(f, q->has_task, q->task.tgid);
			break;
		case FILTER_COMM:
			kept = filter_keeps_text(f, q->has_task ? q->task.comm : NULL);
			break;
		case FILTER_MEMCG:
			kept = filter_keeps_text(f, q->paths.memcg);
			break;
		case FILTER_OOM:
			kept = filter_keeps_text(f, standing_of(p, q));
			break;
		case FILTER_RSS:
			kept = keeps_number(f, q->has_exact,
					    mm_counts_rss(&q->exact) << p->v->page_shift);
			break;
		case FILTER_LOCKED:
			kept = keeps_number(f, q->has_mm, q->info.locked_vm << p->v->page_shift);
			break;
		default:
			known = size_of(p, q, &bytes);
			kept = keeps_number(f, known, bytes);
		}
		if (!kept)
			return false;
	}
	return true;
}

static void fill_task(struct processes *p, const struct process *q, struct cell *row)
{
	char state[2] = { q->task.state, '\0' }, name[32];

	row[COL_THREADS] = cell_uint(q->threads);
	row[COL_GROUPS] = cell_uint(q->groups);
	if (q->kernel_name) {
		snprintf(name, sizeof(name), "[%s]", q->kernel_name);
		row[COL_COMM] = cell_text(intern(&p->v->texts, name));
	}
	if (!q->has_task)
		return;
	row[COL_PID] = cell_int(q->task.tgid);
	/* Of another thread it may differ from the leader's, which may be missing. */
	row[COL_COMM] = cell_if(!p->tasks_problem || q->task.pid == q->task.tgid,
				cell_text(q->task.comm));
	row[COL_STATE] = cell_if(q->task.state, cell_text(intern(&p->v->texts, state)));
	row[COL_BLOCKED] = cell_if(q->task.state, cell_uint(q->blocked));
	row[COL_MEMCG] = cell_text(q->paths.memcg);
	row[COL_CGROUP] = cell_text(q->paths.cgroup);
	if (!q->has_oom)
		return;
	row[COL_ADJ] = cell_int(q->oom.adj);
	row[COL_EXITING] = cell_bool(q->oom.is_exiting);
}

static void fill_mm(const struct processes *p, const struct process *q, struct cell *row)
{
	unsigned int shift = p->v->page_shift;
	int64_t n;

	row[COL_ADDRESS] = cell_hex(q->mm);
	if (q->has_exact) {
		row[COL_RSS] = bytes_cell(p, mm_counts_rss(&q->exact));
		row[COL_ANON] = bytes_cell(p, q->exact.anon);
		row[COL_FILE] = bytes_cell(p, q->exact.file);
		row[COL_SHMEM] = bytes_cell(p, q->exact.shmem);
		row[COL_SWAP] = bytes_cell(p, q->exact.swap);
	}
	row[COL_PSS] = cell_if(q->has_pss, cell_uint(q->pss_bytes));
	if (!q->has_mm)
		return;
	if (size_of(p, q, &n))
		row[COL_SIZE] = cell_int(n);
	row[COL_PGTABLES] = cell_if(q->info.has_pgtables, cell_uint(q->info.pgtables_bytes));
	row[COL_LOCKED] = cell_uint(q->info.locked_vm << shift);
	row[COL_PINNED] = cell_uint(q->info.pinned_vm << shift);
	if (process_badness(p, q, &n))
		row[COL_BADNESS] = cell_int(n);
	row[COL_OOM] = cell_text(standing_of(p, q));
	row[COL_USERS] = cell_uint(q->info.users);
	row[COL_REFERENCES] = cell_uint(q->info.count);
	row[COL_VSZ] = cell_int((int64_t)(q->info.total_vm << shift));
}

static void fill_holders(struct processes *p, const struct process *q, struct cell *row)
{
	char text[MM_HOLDERS_TEXT];
	uint64_t n;

	if (!p->v->in->opts.all)
		return;
	/* Threads that were not reached would be unknown users. */
	if (!p->tasks_problem && process_unknown_users(q, &n))
		row[COL_UNKNOWN_USERS] = cell_uint(n);
	if (process_unknown_references(p, q, &n))
		row[COL_UNKNOWN_REFERENCES] = cell_uint(n);
	if (!p->has_holders)
		return;
	mm_holders_text(&p->holders, q->mm, text);
	if (*text)
		row[COL_HOLDERS] = cell_text(intern(&p->v->texts, text));
}

static void fill_log(const struct processes *p, const struct process *q, struct cell *row)
{
	static const struct {
		enum oom_task_column from;
		unsigned int to;
	} pages[] = {
		{ OOM_TASK_RSS, COL_LOG_RSS },	 { OOM_TASK_ANON, COL_LOG_ANON },
		{ OOM_TASK_FILE, COL_LOG_FILE }, { OOM_TASK_SHMEM, COL_LOG_SHMEM },
		{ OOM_TASK_SWAP, COL_LOG_SWAP },
	};
	int64_t badness;

	if (!q->logged)
		return;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		row[pages[i].to] = cell_if(p->table.has[pages[i].from],
					   bytes_cell(p, q->logged->value[pages[i].from]));
	row[COL_LOG_PGTABLES] = cell_if(p->table.has[OOM_TASK_PGTABLES],
					cell_int(q->logged->value[OOM_TASK_PGTABLES]));
	if (process_log_badness(p, q->logged, &badness))
		row[COL_LOG_BADNESS] = cell_int(badness);
}

static enum status fill_table(struct processes *p)
{
	struct table *t = &p->v->in->table;

	for (size_t i = 0; i < p->n; i++) {
		struct cell *row;

		if (!keeps(p, p->all[i])) {
			t->refused++;
			continue;
		}
		row = table_add(t);
		if (!row)
			return ST_NOMEM;
		fill_task(p, p->all[i], row);
		fill_mm(p, p->all[i], row);
		fill_holders(p, p->all[i], row);
		fill_log(p, p->all[i], row);
	}
	return ST_OK;
}

/* Columns without a value but 0 are left out of text, unless they were asked for. */
static void hide_zeros(struct processes *p)
{
	static const unsigned int hidden[] = { COL_LOCKED, COL_ADJ };
	struct table *t = &p->v->in->table;

	if (p->v->in->opts.json)
		return;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		bool zero = true;

		for (size_t n = 0; n < t->n; n++)
			zero &= t->rows[n][hidden[i]].kind != CELL_NULL && !t->rows[n][hidden[i]].u;
		if (zero)
			table_hide(t, hidden[i]);
	}
	cmdline_reselect(p->v->in);
}

static bool warn(struct processes *p)
{
	struct report *r = &p->v->report;
	uint64_t no_mm = 0, no_counts = 0, no_oom = 0;
	char n[UNITS_PLURAL];

	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];

		no_mm += !q->has_mm;
		no_counts += q->has_mm && !q->has_exact;
		no_oom += q->has_task && p->has_scores && !q->has_oom;
	}
	if (p->tasks_problem)
		report_warn(r, "the task list is incomplete: %s", p->tasks_problem);
	if (no_mm)
		report_warn(r, "no mm_struct in this dump for %s",
			    units_plural(n, no_mm, "process", "processes"));
	if (no_counts)
		report_warn(r, "a counter of resident pages is not in this dump for %s",
			    units_plural(n, no_counts, "process", "processes"));
	if (no_oom)
		report_warn(r, "no signal_struct in this dump for %s: oom_score_adj is unknown",
			    units_plural(n, no_oom, "process", "processes"));
	if (p->exited_problem)
		report_warn(r, "mm_structs without a task are unknown: %s", p->exited_problem);
	if (p->holders_problem)
		report_warn(r, "holders of mm_structs may be missing: %s", p->holders_problem);
	if (p->objects.unknown)
		report_warn(r, "mm_structs without a task may be missing: %s",
			    units_plural(n, p->objects.unknown, "slab is not all in this dump",
					 "slabs are not all in this dump"));
	if (p->objects.unreadable)
		report_warn(r, "no struct page in this dump for %s: any may have mm_structs",
			    units_plural(n, p->objects.unreadable, "page", "pages"));
	if (!p->has_scores)
		report_warn(r, "oom_score_adj and badness are not available");
	if (!p->has_total)
		report_warn(r, "badness with an oom_score_adj is unknown: %s", p->total_problem);
	if (p->log_problem)
		report_warn(r, "a newer OOM report may be missing: %s", p->log_problem);
	return !p->tasks_problem && !p->exited_problem && !p->holders_problem &&
	       !p->objects.unknown && !p->objects.unreadable && !no_mm && !no_counts && !no_oom &&
	       p->has_scores && p->has_total && !p->log_problem;
}

static void put_text(struct processes *p, size_t shown)
{
	struct owner_view *v = p->v;
	char n[UNITS_PLURAL];

	report_rest(&v->report, v->in->table.n - shown, "process", "processes", NULL);
	if (v->in->opts.json)
		return;
	processes_put_log(p);
	report_rows_kept(&v->report, &v->in->filters, &v->in->table, "process", "processes");
	sink_printf(v->out, "%s\n",
		    units_plural(n, p->n - p->without_task, "process with memory of its own",
				 "processes with memory of their own"));
	if (v->in->opts.all && !p->exited_problem)
		sink_printf(v->out, "%s that no task uses: -o +mm_users,mm_references,address\n",
			    units_plural(n, p->without_task, "mm_struct", "mm_structs"));
	if (v->in->opts.all)
		processes_put_holders(p);
}

static enum status open_all(struct processes *p, enum availability *why)
{
	struct dump *d = p->v->dump;
	enum status st = tasks_open(d, &p->tasks);

	if (st == ST_OK)
		st = mm_structs_open(d, &p->mms);
	*why = st == ST_ABSENT ? UNKNOWN_LAYOUT : availability_of(st);
	if (st != ST_OK)
		return st;
	st = oom_scores_open(d, &p->scores);
	p->has_scores = st == ST_OK;
	if (!p->has_scores)
		decoder_trace(d, "decide oom_score_adj unknown: %s", d->error);
	st = report_part(&p->v->report, "how the OOM killer sees processes", st);
	if (st != ST_OK)
		return st;
	st = cgroups_open(d, &p->cgroups);
	p->has_cgroups = st == ST_OK;
	return report_part(&p->v->report, "cgroups",
			   st == ST_OK ? cgroups_check_sets(&p->cgroups) : st);
}

enum status owner_procs_open(struct owner_view *v, enum availability *why)
{
	struct processes *p = dump_alloc(v->dump, sizeof(*p));
	enum status st;

	if (!p)
		return ST_NOMEM;
	owner_view_init(v);
	p->v = v;
	st = open_all(p, why);
	if (st != ST_OK)
		return st;
	v->processes = p;
	p->walked = processes_collect(p);
	if (p->walked == ST_OK && v->in->opts.all)
		p->walked = processes_add_exited(p);
	if (p->walked == ST_OK && v->in->opts.all)
		p->walked = processes_find_holders(p);
	if (p->walked == ST_OK && table_needs(&v->in->table, COL_PSS, v->in->opts.sort))
		p->walked = processes_find_pss(p);
	return p->walked == ST_NOMEM ? ST_NOMEM : processes_log(p);
}

enum status owner_procs(struct owner_view *v)
{
	struct processes *p = v->processes;
	const struct opts *o = &v->in->opts;
	enum status st = fill_table(p);
	bool complete;
	size_t shown;

	table_filter(&v->in->table, &v->in->filters);
	if (st == ST_OK)
		st = table_sort(&v->in->table, o->sort ? o->sort : "process_bytes,pid", o->reverse);
	if (st != ST_OK)
		return st;
	hide_zeros(p);
	shown = report_rows(&v->report, &v->in->table, o, DEFAULT_ROWS);
	put_text(p, shown);
	complete = warn(p);
	complete &= processes_warn_pss(p);
	report_end(&v->report, NULL, p->walked == ST_OK && complete);
	return p->walked;
}
