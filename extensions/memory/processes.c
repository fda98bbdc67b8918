// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes, the largest first: resident pages by kind, swap, page tables, and the OOM killer's view. */
#include "processes.h"

#include "cgroup/cgroup_unit.h"
#include "cli/row_times.h"
#include "pageowner/memory.h"
#include "pools/swap_areas.h"

#define ROW struct process
#define VIEW const struct processes

typedef bool count_of(const struct processes *p, const struct process *q, int64_t *ret);

static struct cell number_cell(const struct processes *p, const struct process *q, count_of *of)
{
	int64_t n = 0;
	bool known = of(p, q, &n);

	return cell_if(known, cell_int(n));
}

static bool size_of(const struct processes *p, const struct process *q, int64_t *bytes)
{
	*bytes = (int64_t)(((uint64_t)mm_counts_rss(&q->exact) + (uint64_t)q->exact.swap)
			   << p->v->page_shift) +
		 (int64_t)q->info.pgtables_bytes;
	return q->has_exact && q->has_mm && q->info.has_pgtables;
}

/* Threads that were not reached would be unknown users. */
static bool unknown_users(const struct processes *p, const struct process *q, int64_t *n)
{
	return p->v->in->opts.all && !p->tasks_problem && process_unknown_users(q, (uint64_t *)n);
}

static bool unknown_references(const struct processes *p, const struct process *q, int64_t *n)
{
	return p->v->in->opts.all && process_unknown_references(p, q, (uint64_t *)n);
}

static bool log_badness(const struct processes *p, const struct process *q, int64_t *n)
{
	return q->logged && process_log_badness(p, q->logged, n);
}

/* A number of the log's table; all but that of page tables is of pages. */
static struct cell log_cell(const void *record, void *view, unsigned int from)
{
	const struct processes *p = view;
	const struct process *q = record;
	unsigned int shift = from == OOM_TASK_PGTABLES ? 0 : p->v->page_shift;

	if (!q->logged || !p->table.has[from])
		return cell_text(NULL);
	return cell_int((int64_t)((uint64_t)q->logged->value[from] << shift));
}

static struct cell comm_cell(const void *record, void *view)
{
	const struct process *q = record;
	struct processes *p = view;
	char name[32];

	if (q->has_task)
		/* Of another thread it may differ from the leader's, which may be missing. */
		return cell_if(!p->tasks_problem || q->task.pid == q->task.tgid,
			       cell_text(q->task.comm));
	snprintf(name, sizeof(name), "[%s]", q->kernel_name ?: "");
	return cell_text(q->kernel_name ? intern(&p->v->texts, name) : NULL);
}

CELL_WITH(state_cell, ROW, VIEW,
	  cell_text(r->task.state ? intern(&v->v->texts, (char[2]){ r->task.state }) : NULL))

static struct cell holders_cell(const void *record, void *view)
{
	struct processes *p = view;
	const struct text_list *list = NULL;

	if (p->has_holders)
		list = mm_holders_list(&p->holders, ((const struct process *)record)->mm,
				       &p->v->lists);
	return cell_list(list && list->n ? list : NULL);
}

/* Without a default hierarchy that systemd uses the cgroup that is charged has the same name. */
static const char *place_of(const struct process *q)
{
	return q->paths.cgroup && strcmp(q->paths.cgroup, "/") ? q->paths.cgroup : q->paths.memcg;
}

CELL_FROM(parent_cell, ROW, cell_text(r->parent))
CELL_WITH(service_cell, ROW, VIEW,
	  cell_text(cgroup_unit_name(&v->v->texts, place_of(r), cgroup_service)))
CELL_WITH(container_cell, ROW, VIEW,
	  cell_text(cgroup_unit_name(&v->v->texts, place_of(r), cgroup_container)))
CELL_WITH(held_cell, ROW, VIEW, number_cell(v, r, process_held))
CELL_FROM(other_cell, ROW, cell_if(r->has_files, cell_uint(r->other ? r->other->all : 0)))
CELL_WITH(kinds_cell, ROW, VIEW,
	  cell_text(!r->has_files ? NULL
		    : r->other	  ? held_text(v->v->dump, r->other, 0)
				  : ""))
CELL_FROM(open_files_cell, ROW, cell_if(r->has_open, cell_uint(r->open ? r->open->n : 0)))
CELL_WITH(open_kinds_cell, ROW, VIEW,
	  cell_text(!r->has_open ? NULL
		    : r->open	 ? open_kinds_text(v->v->dump, r->open, OPEN_KINDS)
				 : ""))
CELL_WITH(limits_cell, ROW, VIEW, cell_text(process_limits_text(v, r)))
CELL_FROM(signals_cell, ROW, cell_if(r->has_signals, cell_uint(r->has_signals ? r->signals->n : 0)))
CELL_WITH(senders_cell, ROW, VIEW,
	  cell_text(r->has_signals ? signal_sender_text(v->v->dump, r->signals) : NULL))
CELL_FROM(number_of_cell, ROW,
	  cell_if(r->has_signals && r->signals->n,
		  cell_uint(r->has_signals ? (uint64_t)r->signals->number : 0)))
CELL_FROM(signal_blocked_cell, ROW,
	  cell_if(r->has_signals && r->signals->n, cell_bool(r->has_signals && r->signals->blocks)))
CELL_FROM(user_signals_cell, ROW,
	  cell_if(r->has_signals && r->signals->of_user.known,
		  cell_uint(r->has_signals ? r->signals->of_user.n : 0)))
CELL_WITH(size_cell, ROW, VIEW, number_cell(v, r, size_of))
CELL_WITH(rss_cell, ROW, VIEW,
	  cell_if(r->has_exact,
		  cell_int((int64_t)((uint64_t)mm_counts_rss(&r->exact) << v->v->page_shift))))
CELL_WITH(badness_cell, ROW, VIEW, cell_if(r->has_mm, number_cell(v, r, process_badness)))
CELL_WITH(oom_cell, ROW, VIEW,
	  cell_text(r->has_mm ? oom_standing_names[process_standing(v, r)] : NULL))
CELL_FROM(blocked_cell, ROW, cell_if(r->task.state && r->has_threads, cell_uint(r->blocked)))
CELL_WITH(unknown_users_cell, ROW, VIEW, number_cell(v, r, unknown_users))
CELL_WITH(unknown_references_cell, ROW, VIEW, number_cell(v, r, unknown_references))
CELL_WITH(log_badness_cell, ROW, VIEW, number_cell(v, r, log_badness))

/* Only what the OOM killer may choose has a score. */
static bool may_be_chosen(const void *record, void *view)
{
	enum oom_standing s = process_standing(view, record);

	return s == OOM_STANDING_UNKNOWN || s == OOM_ELIGIBLE || s == OOM_VICTIM;
}

CAN_HAVE(may_be_logged, ROW, VIEW, !r->logged && v->log_problem)
CAN_HAVE(has_hugetlb, ROW, VIEW, !r->has_mm || r->info.has_hugetlb)
CAN_HAVE(has_queued, ROW, VIEW, !r->has_signals || r->signals->n)
CAN_HAVE(is_looked_up, ROW, VIEW, v->v->in->opts.all)
CAN_HAVE(has_no_path, ROW, VIEW, !place_of(r))

const struct view_column process_columns[PROCESS_COLUMNS] = {
	{ COLUMN_pid, IN_BOTH, "of the process; null: no task uses the memory", .width = 5,
	  INT_IF(ROW, task.tgid, has_task) },
	{ COLUMN_comm, IN_BOTH, "in brackets the variable of the kernel that has the mm_struct",
	  CELL_BY(comm_cell) },
	{ COLUMN_process_bytes, IN_JSON, CELL_BY(size_cell) },
	{ COLUMN_rss_bytes, IN_BOTH, CELL_BY(rss_cell) },
	{ COLUMN_pss_bytes, IN_JSON, UINT_IF(ROW, pss_bytes, has_pss) },
	{ COLUMN_pss_anon_bytes, IN_JSON, UINT_IF(ROW, pss_anon_bytes, has_pss) },
	{ COLUMN_thp_bytes, IN_JSON, UINT_IF(ROW, thp_bytes, has_pss) },
	{ COLUMN_private_bytes, IN_JSON, PAGES_IF(ROW, alone, has_pss) },
	{ COLUMN_held_bytes, 0, "with -o or -s", CELL_BY(held_cell) },
	{ COLUMN_held_file_bytes, 0, "with -o or -s", PAGES_IF(ROW, held_files, has_files) },
	{ COLUMN_held_other_bytes, 0, "with -o or -s", CELL_BY(other_cell) },
	{ COLUMN_held_kinds, 0, "with -o", CELL_BY(kinds_cell) },
	{ COLUMN_open_files, 0, "with -o or -s", CELL_BY(open_files_cell) },
	{ COLUMN_open_kinds, 0, "with -o", CELL_BY(open_kinds_cell) },
	{ COLUMN_queued_signals, 0, "with -o or -s", CELL_BY(signals_cell) },
	{ COLUMN_signal_senders, 0, "with -o", CELL_BY(senders_cell) },
	{ COLUMN_signal_number, 0, "with -o; none: no signal waits", .can_have = has_queued,
	  CELL_BY(number_of_cell) },
	{ COLUMN_signal_blocked, 0, "with -o; none: no signal waits", .can_have = has_queued,
	  CELL_BY(signal_blocked_cell) },
	{ COLUMN_user_signals, 0, "with -o or -s", CELL_BY(user_signals_cell) },
	{ COLUMN_rss_anon_bytes, IN_BOTH, SIGNED_PAGES_IF(ROW, exact.anon, has_exact) },
	{ COLUMN_rss_file_bytes, IN_BOTH, SIGNED_PAGES_IF(ROW, exact.file, has_exact) },
	{ COLUMN_rss_shmem_bytes, IN_BOTH, SIGNED_PAGES_IF(ROW, exact.shmem, has_exact) },
	{ COLUMN_swap_bytes, IN_BOTH, SIGNED_PAGES_IF(ROW, exact.swap, has_exact) },
	{ COLUMN_pgtables_bytes, IN_BOTH, UINT_IF(ROW, info.pgtables_bytes, info.has_pgtables) },
	{ COLUMN_locked_bytes, IN_BOTH, PAGES_IF(ROW, info.locked_vm, has_mm) },
	{ COLUMN_pinned_bytes, IN_JSON, PAGES_IF(ROW, info.pinned_vm, has_mm) },
	{ COLUMN_hugetlb_bytes, IN_JSON, .can_have = has_hugetlb,
	  PAGES_IF(ROW, info.hugetlb, info.has_hugetlb) },
	{ COLUMN_oom_score_adj, IN_BOTH, INT_IF(ROW, oom.adj, has_oom) },
	{ COLUMN_badness_pages, IN_BOTH, .can_have = may_be_chosen, CELL_BY(badness_cell) },
	{ COLUMN_task_state, IN_JSON, "of the thread that stands for the process",
	  CELL_BY(state_cell) },
	{ COLUMN_oom_state, IN_BOTH, .choices = oom_standing_names + 1, CELL_BY(oom_cell) },
	{ COLUMN_exiting, IN_JSON, BOOL_IF(ROW, oom.is_exiting, has_oom) },
	{ COLUMN_blocked_threads, IN_JSON, CELL_BY(blocked_cell) },
	{ COLUMN_threads, IN_JSON, "null: the list of them has a hole",
	  UINT_IF(ROW, threads, has_threads) },
	{ COLUMN_processes, IN_JSON | KNOWN, "that use the mm_struct", UINT_OF(ROW, groups) },
	{ COLUMN_mm_users, IN_JSON, UINT_IF(ROW, info.users, has_mm) },
	{ COLUMN_mm_references, IN_JSON, UINT_IF(ROW, info.count, has_mm) },
	{ COLUMN_mm_holders, IN_JSON, "with -a", .can_have = is_looked_up, .needs_option = 'a',
	  CELL_BY(holders_cell) },
	{ COLUMN_unknown_users, IN_JSON, "with -a", .can_have = is_looked_up, .needs_option = 'a',
	  CELL_BY(unknown_users_cell) },
	{ COLUMN_unknown_references, IN_JSON, "with -a", .can_have = is_looked_up,
	  .needs_option = 'a', CELL_BY(unknown_references_cell) },
	{ COLUMN_vsz_bytes, IN_JSON, PAGES_IF(ROW, info.total_vm, has_mm) },
	{ COLUMN_data_bytes, IN_JSON, PAGES_IF(ROW, info.data_vm, info.has_data) },
	{ COLUMN_memcg, IN_JSON, TEXT_OF(ROW, paths.memcg) },
	{ COLUMN_cgroup, IN_BOTH | IF_ROOM, TEXT_OF(ROW, paths.cgroup) },
	{ COLUMN_service, 0, .can_have = has_no_path, CELL_BY(service_cell) },
	{ COLUMN_container, 0, .can_have = has_no_path, CELL_BY(container_cell) },
	{ COLUMN_address, IN_JSON | KNOWN, "of the struct mm_struct", HEX_OF(ROW, mm) },
	{ COLUMN_log_rss_bytes, IN_JSON, .can_have = may_be_logged,
	  CELL_OF(log_cell, OOM_TASK_RSS) },
	{ COLUMN_log_anon_bytes, IN_JSON, "since 6.10", .can_have = may_be_logged,
	  CELL_OF(log_cell, OOM_TASK_ANON) },
	{ COLUMN_log_file_bytes, IN_JSON, "since 6.10", .can_have = may_be_logged,
	  CELL_OF(log_cell, OOM_TASK_FILE) },
	{ COLUMN_log_shmem_bytes, IN_JSON, "since 6.10", .can_have = may_be_logged,
	  CELL_OF(log_cell, OOM_TASK_SHMEM) },
	{ COLUMN_log_swap_bytes, IN_JSON, .can_have = may_be_logged,
	  CELL_OF(log_cell, OOM_TASK_SWAP) },
	{ COLUMN_log_pgtables_bytes, IN_JSON, .can_have = may_be_logged,
	  CELL_OF(log_cell, OOM_TASK_PGTABLES) },
	{ COLUMN_log_badness_pages, IN_JSON, .can_have = may_be_logged, CELL_BY(log_badness_cell) },
	{ COLUMN_uid, IN_JSON, "real one, in the first user namespace", UINT_MAYBE(ROW, uid) },
	{ COLUMN_ppid, IN_JSON, INT_IF(ROW, task.ppid, task.has_ppid) },
	{ COLUMN_parent_comm, 0, CELL_IF_NEEDED(parent_cell) },
	{ COLUMN_executable, 0, "with -o", TEXT_OF(ROW, executable) },
	{ COLUMN_descriptors, 0, "with -o", UINT_MAYBE(ROW, descriptors) },
	{ COLUMN_resource_limits, 0, "with -o", CELL_BY(limits_cell) },
	[PROCESS_COLUMNS - 1] = BASIS(derived),
};

#define BOTH (KEY_FILTERS | KEY_GROUPS)

const struct key process_keys[PROCESS_KEYS] = {
	{ COLUMN_pid, "pid of the process", KEY_FILTERS },
	{ COLUMN_comm, "name of the process", BOTH },
	{ COLUMN_uid, "real user ID of the process", BOTH },
	{ COLUMN_ppid, "parent of the process", BOTH },
	{ COLUMN_executable, "path of the file that the process executes", BOTH },
	{ COLUMN_memcg, "path of the cgroup that is charged", BOTH },
	{ COLUMN_cgroup, "path of the cgroup on the default hierarchy", BOTH },
	{ COLUMN_service, "unit of systemd that the process is in, by its cgroup", BOTH },
	{ COLUMN_container, "container that it is in, by its cgroup", BOTH },
	{ COLUMN_oom_state, "what the OOM killer does with the process", BOTH,
	  .choices = oom_standing_names + 1 },
	{ COLUMN_process_bytes, "bytes resident, in swap and of page tables", KEY_FILTERS,
	  .quantity = RANGE_SIZE },
	{ COLUMN_rss_bytes, "bytes resident", KEY_FILTERS, .quantity = RANGE_SIZE },
	{ COLUMN_locked_bytes, "bytes that mlock() keeps resident", KEY_FILTERS },
};

/*
 * Of -g: how many have processes that share pages, as those of a file, or anonymous ones since fork; or, where
 * their PSS is unknown or was not asked for, may share some.
 */
static uint64_t groups_that_share(const struct processes *p, bool is_known)
{
	const struct table *t = &p->v->in->table;
	const size_t members = table_index(t, COLUMN_processes),
		     rss = table_index(t, COLUMN_rss_bytes), pss = table_index(t, COLUMN_pss_bytes);
	uint64_t n = 0;

	if (!p->v->in->ngroups ||
	    !(table_shows(t, COLUMN_rss_bytes) || table_shows(t, COLUMN_process_bytes) ||
	      table_shows(t, COLUMN_rss_anon_bytes) || table_shows(t, COLUMN_rss_file_bytes) ||
	      table_shows(t, COLUMN_rss_shmem_bytes)))
		return 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct cell *row = t->rows[i];

		if (row[members].kind && row[members].u > 1 && row[rss].kind && row[rss].i > 0)
			n += is_known ? row[pss].kind && row[pss].u < row[rss].u : !row[pss].kind;
	}
	return n;
}

static void put_gaps(struct processes *p)
{
	uint64_t no_mm = 0, no_counts = 0, no_oom = 0, swap = 0;
	size_t many = p->v->in->shown->member_columns ? 0 : p->v->in->table.n;
	const char *shared;

	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];

		no_mm += !q->has_mm;
		no_counts += q->has_mm && !q->has_exact && !(q->has_task && q->task.mm_corrupt);
		no_oom += q->has_task && p->has_scores && !q->has_oom;
		swap += q->has_exact && q->exact.swap > 0 ? (uint64_t)q->exact.swap : 0;
		many += q->is_kept;
	}
	/* Of one process alone the counter is what it has. */
	shared = many > 1 ? swap_shared_note(p->v->dump, swap) : NULL;
	const struct gap gaps[] = {
		GAP_WHY("the task list is incomplete: %s", p->tasks_problem),
		{ "no mm_struct in this dump for %s", no_mm, "process", "processes" },
		{ "a counter of resident pages is not in this dump for %s", no_counts, "process",
		  "processes" },
		{ "no signal_struct in this dump for %s: oom_score_adj is unknown", no_oom,
		  "process", "processes", .keeps_sizes = true },
		GAP_WHY("mm_structs without a task are unknown: %s", p->exited_problem),
		GAP_WHY("holders of mm_structs may be missing: %s", p->holders_problem),
		{ "mm_structs without a task may be missing: %s", p->objects.unknown,
		  "slab is not all in this dump", "slabs are not all in this dump" },
		{ "no struct page in this dump for %s: any may have mm_structs",
		  p->objects.unreadable, "page", "pages" },
		{ "oom_score_adj and badness are not available", !p->has_scores,
		  .keeps_sizes = true },
		{ "badness with an oom_score_adj is unknown: %s", !p->has_total,
		  .why = p->total_problem, .keeps_sizes = true },
		{ "a newer OOM report may be missing: %s", p->log_problem != NULL,
		  .why = p->log_problem, .keeps_sizes = true },
		{ "PSS of %s is unknown: %s", p->no_pss_tables, "process", "processes",
		  p->pss_problem, .keeps_sizes = true },
		GAP_WHY("what processes hold is unknown: %s", p->files_problem),
		GAP_WHY("open files are unknown, or a lower bound: %s", p->open_problem),
		GAP_WHY("descriptors of some processes are unknown: %s", p->descriptors_problem),
		GAP_WHY("resource limits or policies of some processes are unknown: %s",
			p->limits_problem),
		GAP_WHY("queued signals are unknown, or a lower bound: %s", p->signals_problem),
		GAP_WHY("what processes execute is unknown: %s", p->executable_problem),
		{ "the executable of %s is not in this dump", p->no_executable, "process",
		  "processes" },
		{ "RSS and its parts of %s count a page that processes share once for each that "
		  "maps it: PSS counts it once, memowner cgroups has what a cgroup is charged",
		  groups_that_share(p, true), "group", "groups", .is_note = true },
		{ "RSS and its parts of %s may count a page that processes share once for each "
		  "that maps it: PSS (-o +pss_bytes) has it once, memowner cgroups what is charged",
		  groups_that_share(p, false), "group", "groups", .is_note = true },
		{ SWAP_SHARED, shared != NULL, .why = shared, .is_note = true },
		{ "PSS of %s is unknown: page tables have other pages than the counters",
		  p->no_pss - p->no_pss_tables, "process", "processes", .keeps_sizes = true },
	};
	REPORT_GAPS(&p->v->report, gaps);
	report_gaps(&p->v->report, p->held.gaps.rows, p->held.gaps.n);
}

struct shmem_swap {
	struct inodes inodes;
	uint64_t pages;
};

static enum status add_inode(void *arg, uint64_t address)
{
	struct shmem_swap *s = arg;
	struct inode inode;

	if (inode_read(&s->inodes, address, &inode) == ST_OK && inode.has_swapped)
		s->pages += inode.swapped;
	return ST_OK;
}

/* No counter of a process has it. */
static void put_shmem_swap(struct processes *p)
{
	struct dump *d = p->v->dump;
	struct shmem_swap *s = dump_alloc(d, sizeof(*s));

	if (inodes_open(d, &s->inodes) == ST_OK)
		inodes_in_swap(&s->inodes, add_inode, s);
	if (s->pages)
		sink_printf(p->v->out,
			    "SWAP is of anonymous memory; at least %s of shared memory is in swap: "
			    "memowner files\n",
			    LEAST_TEXT(s->pages << p->v->page_shift));
}

/* State is that of the first thread: what others are in is not asked. */
static void warn_of_state(struct processes *p, const struct filter *f)
{
	uint64_t processes = 0, blocked = 0;
	bool has_more = false, is_unknown = false;

	for (size_t i = 0; i < p->n; i++) {
		const struct process *q = p->all[i];
		const bool is_blocked = q->has_task && q->task.state && q->task.state != 'D' &&
					q->blocked;

		has_more |= q->threads > 1 || !q->has_threads;
		is_unknown |= !q->has_threads;
		processes += is_blocked;
		blocked += is_blocked ? q->blocked : 0;
	}
	if (processes && filter_names(f, "D"))
		report_warn(
			&p->v->report,
			"state is that of the first thread: %s in another one %s %s in state D: "
			"memowner stuck -a -f state=D",
			PLURAL_TEXT(processes, "process", "processes"),
			processes == 1 ? "has" : "have", COUNT_OF(blocked, "thread"));
	else if (has_more && (is_unknown || !filter_names(f, "D")))
		report_warn(&p->v->report, "state is that of the first thread of a process: "
					   "memowner faults has that of each");
}

/* What is meant may be in another view. */
static void warn_of_threads(struct processes *p)
{
	const struct cmdline *in = p->v->in;
	const struct filters *all = &in->filters;

	for (unsigned int i = 0; i < all->n + all->nrows; i++) {
		const bool is_row = i >= all->n;
		const struct filter *f = is_row ? &all->rows[i - all->n] : &all->filters[i];
		enum column_id column = is_row ? in->table.columns[f->key].id
					       : in->keys[f->key].column;

		if ((column == COLUMN_comm || column == COLUMN_pid ||
		     column == COLUMN_task_state) &&
		    !f->exclude && filter_lacks(f, NULL))
			report_warn(&p->v->report,
				    "rows are processes with memory of their own: threads, zombies "
				    "and those of the kernel are in faults");
		if (column == COLUMN_task_state)
			warn_of_state(p, f);
	}
}

#define MANY_OBJECTS 1000 /* fewer are no memory that is missed */

static void count_event(void *arg, uint64_t event)
{
	(void)event;
	++*(uint64_t *)arg;
}

/* In no HELD: inodes stay in their cache when the watches are gone; an event is as large as the name that it has. */
static void put_watched(struct processes *p)
{
	const struct watchers *all = p->held.watchers;

	if (!all)
		return;
	hash_u64_for_each(const struct watcher, w, &all->all) {
		uint64_t events = 0;

		if (w->users.n != 1)
			continue;
		watch_events_walk(&all->of, w->group, count_event, &events);
		if (w->inodes >= MANY_OBJECTS)
			sink_printf(p->v->out,
				    "HELD is without %s inodes that watches of %d(%s) keep: "
				    "reclaim may free them when it is gone: memowner caches\n",
				    COUNT_TEXT(w->inodes), w->users.all[0]->tgid,
				    w->users.all[0]->comm);
		if (events >= MANY_OBJECTS)
			sink_printf(p->v->out,
				    "HELD is without %s events of %s that %d(%s) did not read: "
				    "memowner caches\n",
				    COUNT_TEXT(events), watch_kind_name(w->kind),
				    w->users.all[0]->tgid, w->users.all[0]->comm);
	}
}

static bool reads_none(const struct processes *p)
{
	return p->n == p->without_task && p->tasks_problem;
}

static void put_text(struct processes *p)
{
	struct owner_view *v = p->v;

	if (reads_none(p) && !v->dump->interrupted)
		report_no_rows(&v->report, p->tasks_lack);
	if (v->in->opts.json) {
		processes_put_unheld(p);
		return;
	}
	processes_put_log(p);
	rows_put_kept(&v->report, v->in);
	if (reads_none(p))
		sink_text(v->out, "no process with memory could be read\n");
	else
		sink_printf(v->out, "%s%s\n", p->tasks_problem ? "at least " : "",
			    PLURAL_TEXT(p->n - p->without_task, "process with memory of its own",
					"processes with memory of their own"));
	put_shmem_swap(p);
	put_watched(p);
	processes_put_unheld(p);
	if (v->in->opts.all && !p->exited_problem)
		sink_printf(v->out, "%s that no task uses: -o +mm_users,mm_references,address\n",
			    COUNT_OF(p->without_task, "mm_struct"));
	if (v->in->opts.all)
		processes_put_holders(p);
}

static bool groups_by_cgroup(const struct cmdline *in)
{
	return cmdline_groups_column(in, COLUMN_cgroup) ||
	       cmdline_groups_column(in, COLUMN_memcg) ||
	       cmdline_groups_column(in, COLUMN_service) ||
	       cmdline_groups_column(in, COLUMN_container);
}

static enum status open_all(struct processes *p, enum availability *why)
{
	struct dump *d = p->v->dump;
	enum status st = tasks_open(d, &p->tasks) ?: mm_structs_open(d, &p->mms);

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
	st = task_users_open(d, &p->users);
	p->has_users = st == ST_OK;
	st = report_part(&p->v->report, "users of processes", st);
	if (st != ST_OK)
		return st;
	st = cgroups_open(d, &p->cgroups);
	p->has_cgroups = st == ST_OK;
	return report_asked(&p->v->report, "cgroups", groups_by_cgroup(p->v->in),
			    st == ST_OK ? cgroups_check_sets(&p->cgroups) : st);
}

static bool wants(const struct owner_view *v, enum column_id column)
{
	return table_needs(&v->in->table, column) || cmdline_filters_column(v->in, column);
}

enum status processes_open(void *arg, enum availability *why)
{
	struct owner_view *v = arg;
	struct processes *p = dump_alloc(v->dump, sizeof(*p));
	bool held = wants(v, COLUMN_held_bytes) || wants(v, COLUMN_held_file_bytes) ||
		    wants(v, COLUMN_held_other_bytes) || wants(v, COLUMN_held_kinds);
	enum status st;

	if (!held || memory_open(v, 1 << KEY_CLASS, why) != ST_OK)
		owner_view_init(v);
	p->v = v;
	st = open_all(p, why);
	if (st != ST_OK)
		return st;
	v->own = p;
	p->walked = processes_collect(p);
	if (p->walked == ST_OK && v->in->opts.all)
		p->walked = processes_add_exited(p);
	if (p->walked == ST_OK && v->in->opts.all)
		p->walked = processes_find_holders(p);
	if (p->walked == ST_OK &&
	    (held || wants(v, COLUMN_pss_bytes) || wants(v, COLUMN_pss_anon_bytes) ||
	     wants(v, COLUMN_thp_bytes) || wants(v, COLUMN_private_bytes)))
		p->walked = processes_find_pss(p);
	if (p->walked == ST_OK && held)
		p->walked = processes_find_files(p) ?: processes_find_other(p);
	if (p->walked == ST_OK && (wants(v, COLUMN_open_files) || wants(v, COLUMN_open_kinds)))
		p->walked = processes_find_open(p);
	if (p->walked == ST_OK &&
	    (wants(v, COLUMN_descriptors) || wants(v, COLUMN_resource_limits)))
		p->walked = processes_find_limits(p);
	if (p->walked == ST_OK &&
	    (wants(v, COLUMN_queued_signals) || wants(v, COLUMN_signal_senders) ||
	     wants(v, COLUMN_signal_number) || wants(v, COLUMN_signal_blocked) ||
	     wants(v, COLUMN_user_signals)))
		p->walked = processes_find_signals(p);
	if (wants(v, COLUMN_executable))
		processes_find_executables(p);
	processes_log(p);
	return ST_OK;
}

/* What several keep is of a group if the filters keep them all. */
static void add_groups(struct processes *p)
{
	struct cmdline *in = p->v->in;
	const struct view *of = in->shown;

	for (size_t i = 0; i < p->n; i++)
		p->all[i]->is_kept = rows_keep_member(in, of->member_columns, of->nmember_columns,
						      p->all[i], p);
	processes_add_group_files(p);
	for (size_t i = 0; i < p->n; i++)
		if (p->all[i]->is_kept)
			rows_add_member(in, p->all[i], p);
}

enum status processes_show(void *arg)
{
	struct owner_view *v = arg;
	struct processes *p = v->own;

	rows_set_span(&v->report, &v->in->table);
	if (v->in->shown->member_columns)
		add_groups(p);
	else
		for (size_t i = 0; i < p->n; i++)
			rows_add(v->in, p->all[i], p);
	rows_sort(v->in);
	rows_put(&v->report, v->in);
	put_text(p);
	warn_of_threads(p);
	put_gaps(p);
	report_end(&v->report, NULL, p->walked == ST_OK);
	return p->walked;
}
