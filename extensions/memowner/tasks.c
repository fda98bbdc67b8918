// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes by memory, the thread that faulted most often, threads inside a page fault. */
#include "cgroup/cgroup.h"
#include "collect/anon_sum.h"
#include "collect/in_fault.h"
#include "faults/view.h"
#include "tasks/mm_struct.h"
#include "dying.h"
#include "huge_users.h"
#include "summary.h"
#include "collect/task_places.h"

#define TEXT 256
#define ROWS 3	      /* processes */
#define GROUPS 4      /* of them */
#define FAULT_ROWS 3  /* threads in a page fault that are named */
#define LOCK_FRAMES 8 /* the scheduler has four at most below a lock */

/* Processes of one name in one cgroup; pages. */
struct process_group {
	char comm[TASKS_COMM + 1];
	const char *cgroup;
	uint64_t processes, swap, tables, locked, data;
	struct anon_sum sum;
	uint64_t anon; /* what is there, or with a remark what surely is */
	const char *remark, *why;
	enum status status;	    /* of what fork shares, with a reason */
	bool lacks_tables;	    /* those of one are unknown */
	bool lacks_mm, lacks_data;  /* locked, data of one are */
	int32_t tgid;		    /* of the first one */
	uint64_t first_ns, last_ns; /* when they started */
};

struct process_threads {
	char comm[TASKS_COMM + 1];
	uint64_t n;
};

struct task_pass {
	struct summary *s;
	uint64_t stack_pages;	 /* of a thread; 0: kernel stacks are no question */
	struct hash_u64 threads; /* of struct process_threads, by tgid */
	struct fault_view rates; /* what fault_rate() asks for */
	struct task_places places;
	struct fault_finder finder;
	struct first_problem no_finder; /* why threads in a page fault are not known */
	struct task largest[ROWS];
	uint64_t ranks[ROWS];
	unsigned int n;
	int32_t leader; /* tgid of the process whose first thread was visited last, and its name */
	char leader_comm[TASKS_COMM + 1];
	struct task memory; /* that stands for the memory of its process, the last of these */
	struct hash_u64 mms;
	struct huge_users huge;
	struct mm_structs structs;
	enum status structs_status;
	struct dying dying;
	struct hash_bytes groups;  /* of struct process_group, by name and cgroup */
	struct hash_bytes cgroups; /* of uint64_t by path: processes that are in it */
	bool lacks_cgroups;	   /* those of some are unknown */
	struct task fastest;
	uint64_t rate;
	bool has_rate;
	const char *why_no_stack;
	size_t no_mm, no_stack, cut_stack, inner_missing;
};

/* Pages of page tables, where the mm_struct is in this dump. */
static struct maybe_u64 tables_of(const struct task_pass *p, const struct task *t)
{
	struct mm_struct mm;

	if (p->structs_status != ST_OK || mm_struct_read(&p->structs, t->mm, &mm) != ST_OK ||
	    !mm.has_pgtables)
		return (struct maybe_u64){ 0 };
	return (struct maybe_u64){ mm.pgtables_bytes >> p->s->dump->page_shift, true };
}

/* What ends with it: what is resident or in swap, its page tables, what it alone keeps beside. */
static uint64_t rank_of(struct task_pass *p, const struct task *t)
{
	int64_t size = (int64_t)((uint64_t)t->rss + (uint64_t)t->swap);
	const struct kept_pages *kept = summary_kept_by(p->s, t->tgid);
	const struct maybe_u64 tables = tables_of(p, t);
	uint64_t pages = size > 0 ? (uint64_t)size : 0;

	pages += (tables.known ? tables.n : 0) + (kept ? kept->files + kept->other : 0);
	return summary_rank(p->s, pages, p->s->limit_path ? task_cgroup(&p->places, t) : NULL);
}

static void rank(struct task_pass *p, const struct task *t)
{
	unsigned int i = p->n;
	uint64_t own;

	if (!t->has_mm || !t->has_memory)
		return;
	own = rank_of(p, t);
	while (i && p->ranks[i - 1] < own)
		i--;
	if (i == ROWS)
		return;
	p->n += p->n < ROWS;
	memmove(&p->largest[i + 1], &p->largest[i], (p->n - 1 - i) * sizeof(*t));
	memmove(&p->ranks[i + 1], &p->ranks[i], (p->n - 1 - i) * sizeof(*p->ranks));
	p->largest[i] = *t;
	p->ranks[i] = own;
}

/* Shared memory and files are not theirs alone: files have rows of their own. */
static void add_to_group(struct task_pass *p, const struct task *t)
{
	const char *cgroup;
	char key[TASKS_COMM + 1 + 512];
	struct process_group *g;
	struct mm_struct mm;
	bool is_new;
	int n;

	if (!t->has_mm || !t->has_memory || t->rss_anon < 0 || t->swap < 0)
		return;
	/* Of vfork() and CLONE_VM two processes have one memory. */
	if (!hash_u64_add(&p->mms, t->mm))
		return;
	p->s->rss_pages += t->rss > 0 ? (uint64_t)t->rss : 0;
	cgroup = task_cgroup(&p->places, t);
	n = snprintf(key, sizeof(key), "%s\n%.500s", t->comm, cgroup ?: "");
	g = hash_bytes_get(&p->groups, key, (size_t)n, &is_new)->value;
	if (is_new) {
		snprintf(g->comm, sizeof(g->comm), "%s", t->comm);
		g->cgroup = cgroup;
		g->tgid = t->tgid;
		g->first_ns = t->start_ns;
	}
	g->processes++;
	g->swap += (uint64_t)t->swap;
	g->first_ns = t->start_ns < g->first_ns ? t->start_ns : g->first_ns;
	g->last_ns = t->start_ns > g->last_ns ? t->start_ns : g->last_ns;
	if (p->structs_status != ST_OK || mm_struct_read(&p->structs, t->mm, &mm) != ST_OK)
		mm = (struct mm_struct){ 0 };
	anon_sum_add(p->s->dump, &g->sum, t, mm.pgd);
	if (!mm.pgd) {
		g->lacks_tables = g->lacks_mm = g->lacks_data = true;
		return;
	}
	g->tables += mm.pgtables_bytes >> p->s->dump->page_shift;
	g->lacks_tables |= !mm.has_pgtables;
	g->locked += mm.locked_vm;
	g->data += mm.data_vm;
	g->lacks_data |= !mm.has_data;
}

/* Those that exit and have no memory as well. */
static void add_to_cgroup(struct task_pass *p, const struct task *t)
{
	const char *cgroup;

	if (t->is_kthread || t->pid != t->tgid)
		return;
	cgroup = task_cgroup(&p->places, t);
	if (cgroup)
		++*(uint64_t *)hash_bytes_get(&p->cgroups, cgroup, strlen(cgroup) + 1, NULL)->value;
	else
		p->lacks_cgroups = true;
}

static void add_thread(struct task_pass *p, const struct task *t)
{
	struct process_threads *of;
	bool is_new;

	if (!p->stack_pages || t->is_kthread)
		return;
	of = hash_u64_get(&p->threads, (uint64_t)t->tgid, &is_new);
	of->n++;
	if (is_new || t->pid == t->tgid)
		snprintf(of->comm, sizeof(of->comm), "%s", t->comm);
}

/* Whether the rate of a thread is more than the noise of its start. */
static bool has_meaning(const struct task_pass *p, const struct task *t, uint64_t faults)
{
	uint64_t life;

	return limit_has_rate(faults,
			      age_at_panic(&p->rates.report.info, t->start_ns, &life) ? life : 0);
}

static void rate(struct task_pass *p, const struct task *t)
{
	uint64_t faults = t->maj_flt + t->min_flt;
	struct cell c = fault_rate(&p->rates, faults, t->start_ns);

	if (!has_meaning(p, t, faults))
		return;

	if (c.kind != CELL_UINT || !c.u || t->is_kthread || (p->has_rate && c.u <= p->rate))
		return;
	p->has_rate = true;
	p->rate = c.u;
	p->fastest = *t;
}

static struct statement row_of(struct task_pass *p, enum section section, const struct task *t)
{
	return (struct statement){
		.section = section,
		.pid = { (uint64_t)(int64_t)t->pid, true },
		.comm = arena_strdup(p->s->dump->arena, t->comm),
		.cgroup = task_cgroup(&p->places, t),
		.executable = task_executable(&p->places, t),
		.has_mm = t->has_mm,
		.has_parts = t->has_mm,
		.rss = t->rss,
		.rss_anon = t->rss_anon,
		.rss_file = t->rss_file,
		.rss_shmem = t->rss_shmem,
		.swap = t->swap,
	};
}

/* The lock, the FUSE server or the I/O that a thread waits for is a wait of its innermost frames. */
static void count_lock(struct task_pass *p)
{
	struct task_frames *at = &p->finder.at;
	bool seen_sleeper = false;

	for (unsigned int i = 0; !at->stack.on_cpu && i < at->frames.n && i < LOCK_FRAMES; i++) {
		const char *name = task_frames_name(at, i);
		bool is_sleeper = !seen_sleeper && !wait_is_scheduler(name);
		enum wait_kind kind = is_sleeper ? wait_of_sleeper(name) : wait_of(name);

		seen_sleeper |= is_sleeper;
		if (kind != WAIT_LOCK && kind != WAIT_FUSE &&
		    (kind != WAIT_IO || p->s->last_report))
			continue;
		p->s->on_lock++;
		return;
	}
}

static enum status add_in_fault(struct task_pass *p, const struct task *t)
{
	struct in_fault fault;
	struct statement row;
	enum status st = p->no_finder.status == ST_OK ? fault_find(&p->finder, t, &fault)
						      : ST_ABSENT;

	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK && st != ST_ABSENT && !p->no_stack++)
		p->why_no_stack = dump_why(p->s->dump);
	if (st == ST_OK || st == ST_ABSENT)
		count_lock(p);
	p->cut_stack += p->no_finder.status == ST_OK && st == ST_ABSENT &&
			p->finder.at.frames.end == UNWIND_CUT;
	p->inner_missing += st == ST_OK && p->finder.at.frames.lacks_inner;
	if (st != ST_OK)
		return ST_OK;
	p->s->waiting += fault.waits_for != WAIT_OOM_KILLER;
	if (++p->s->in_fault > FAULT_ROWS)
		return ST_OK;
	row = row_of(p, SECTION_IN_FAULT, t);
	row.waits_for = wait_name(fault.waits_for);
	row.address = (struct maybe_u64){ fault.address, fault.source != ADDRESS_UNKNOWN };
	summary_add(p->s, &row);
	return ST_OK;
}

/* A process has the name of its first thread, also where that has exited and another one has the memory. */
static struct task name_process(struct task_pass *p, const struct task *t)
{
	struct task named = *t;

	if (t->pid == t->tgid) {
		p->leader = t->tgid;
		memcpy(p->leader_comm, t->comm, sizeof(p->leader_comm));
	} else if (p->leader == t->tgid) {
		memcpy(named.comm, p->leader_comm, sizeof(named.comm));
	}
	return named;
}

static enum status visit(void *arg, const struct task *t)
{
	struct task_pass *p = arg;
	const struct task process = name_process(p, t);

	if (dump_stopped(p->s->dump))
		return ST_STOPPED;
	p->no_mm += t->mm_unreadable;
	if (t->has_memory)
		p->memory = process;
	if (summary_is_asker(p->s, t))
		summary_take_asker(p->s, p->memory.tgid == t->tgid ? &p->memory : &process,
				   task_cgroup(&p->places, t));
	dying_add(&p->dying, &process);
	rank(p, &process);
	add_to_group(p, &process);
	add_to_cgroup(p, t);
	add_thread(p, t);
	huge_users_add(&p->huge, &process);
	rate(p, t);
	return add_in_fault(p, t);
}

/* What mlock() keeps resident, where the mm_struct is in this dump. */
static struct maybe_u64 locked_of(const struct task_pass *p, const struct task *t)
{
	struct mm_struct mm;

	if (p->structs_status != ST_OK || mm_struct_read(&p->structs, t->mm, &mm) != ST_OK)
		return (struct maybe_u64){ 0 };
	return (struct maybe_u64){ mm.locked_vm << p->s->dump->page_shift, true };
}

static void put(struct task_pass *p)
{
	struct dump *d = p->s->dump;
	const struct kept_pages *kept;
	struct statement row;

	for (unsigned int i = 0; i < p->n; i++) {
		row = row_of(p, SECTION_PROCESS, &p->largest[i]);
		row.pid.n = (uint64_t)p->largest[i].tgid;
		/* What is in RAM. */
		row.bytes = (struct maybe_u64){ (uint64_t)row.rss << d->page_shift, row.has_mm };
		row.locked = locked_of(p, &p->largest[i]);
		row.tables = tables_of(p, &p->largest[i]);
		kept = summary_kept_by(p->s, p->largest[i].tgid);
		row.kept_files = (struct maybe_u64){ kept ? kept->files : 0, kept && kept->files };
		row.kept_other = (struct maybe_u64){ kept ? kept->other : 0, kept && kept->other };
		summary_add(p->s, &row);
	}
	if (!p->has_rate)
		return;
	row = row_of(p, SECTION_FAULTS, &p->fastest);
	row.rate_milli = (struct maybe_u64){ p->rate, true };
	summary_add(p->s, &row);
}

/* Whether a warning on the list of processes, which the pages ask, has the same reason. */
static bool is_told(const struct report *r, const char *why)
{
	for (unsigned int i = 0; i < r->nwarnings; i++) {
		size_t n = strlen(r->warnings[i]), len = strlen(why);

		if (len && n >= len && !strcmp(r->warnings[i] + n - len, why))
			return true;
	}
	return false;
}

static void put_gaps(struct task_pass *p, enum status walked, const char *why)
{
	const struct gap gaps[] = {
		{ "the task list is incomplete: %s", walked != ST_OK && !is_told(p->s->report, why),
		  .why = why },
		{ "no mm_struct in this dump for %s", p->no_mm, "thread", "threads" },
		{ "of %s it is unknown whether the OOM killer chose it: %s", p->dying.no_victim,
		  "process", "processes", p->dying.why_no_victim },
		{ "of %s it is unknown whether it dumps core: %s", p->dying.no_core, "process",
		  "processes", p->dying.why_no_core },
		{ "threads in a page fault may be missing: the stacks of %s cannot be read: %s",
		  p->no_stack, "thread", "threads", p->why_no_stack },
		{ "threads in a page fault may be missing: %s cannot be followed to the end",
		  p->cut_stack, "stack", "stacks" },
		{ "what %s for may be unknown: text or unwind tables are not in this dump",
		  p->inner_missing, "thread waits", "threads wait" },
	};

	REPORT_GAPS(p->s->report, gaps);
	p->s->complete &= walked == ST_OK;
}

enum status summary_tasks(struct summary *s)
{
	struct task_pass *p = dump_alloc(s->dump, sizeof(*p));
	struct tasks tasks;
	enum status st, walked;
	const char *why;

	p->s = s;
	p->rates.dump = s->dump;
	p->rates.report.info = s->report->info;
	st = tasks_open(s->dump, &tasks);
	s->tasks = p;
	s->waits_hidden = true;
	if (st != ST_OK) {
		first_problem_keep(s->dump, &p->no_finder, st);
		return st;
	}
	st = first_problem_keep(s->dump, &p->no_finder, fault_finder_open(s->dump, &p->finder));
	if (st != ST_OK)
		return st;
	task_places_open(s->dump, &p->places);
	hash_u64_init(&p->mms, s->dump->arena, 0);
	hash_bytes_init(&p->groups, s->dump->arena, sizeof(struct process_group));
	hash_bytes_init(&p->cgroups, s->dump->arena, sizeof(uint64_t));
	hash_u64_init(&p->threads, s->dump->arena, sizeof(struct process_threads));
	if (s->has_classes && summary_may_hold(s, s->classes[CLASS_KSTACK]))
		p->stack_pages = thread_size(s->dump) >> s->dump->page_shift;
	p->structs_status = mm_structs_open(s->dump, &p->structs);
	dying_open(s, &p->dying);
	summary_failed(s, "mlocked memory and page tables of processes", p->structs_status);
	huge_users_open(s, &p->huge);
	walked = tasks_walk(&tasks, visit, p);
	why = dump_why(s->dump);
	if (walked == ST_OK)
		huge_users_end(&p->huge);
	s->has_tasks = p->n > 0;
	s->tasks_missing = walked != ST_OK || p->no_mm;
	s->waits_hidden = walked != ST_OK || p->no_stack || p->cut_stack ||
			  p->no_finder.status != ST_OK;
	put(p);
	put_gaps(p, walked, why);
	if (walked != ST_STOPPED && !p->n && s->tasks_missing)
		return dump_fail(s->dump, ST_UNREADABLE,
				 "no mm_struct of a process is in this dump");
	return walked == ST_STOPPED ? walked : ST_OK;
}

static struct maybe_u64 age_of(const struct task_pass *p, uint64_t start_ns)
{
	struct maybe_u64 age = { 0 };

	age.known = age_at_panic(&p->rates.report.info, start_ns, &age.n);
	return age;
}

/* "archived (109)", "12 processes redis" */
static const char *group_name(struct summary *s, const struct process_group *g)
{
	struct strbuf b = STRBUF_OF(TEXT);

	summary_group_name(&(struct statement){ .comm = g->comm,
						.pid = { (uint64_t)g->tgid, true },
						.processes = { g->processes, true } },
			   &b);
	return arena_strdup(s->dump->arena, b.buf);
}

/* What a zram stores is memory of processes that is in swap. */
static void remark_on_zram(struct summary *s, const struct process_group *g)
{
	for (struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next) {
		if (strcmp(row->by, "zram") || !s->swap.known || g->swap <= s->swap.used / 2)
			continue;
		row->comm = g->comm;
		row->pid = (struct maybe_u64){ (uint64_t)g->tgid, g->processes == 1 };
		row->remark = arena_text(s->dump->arena, "%s%s%s has %s of %s in swap",
					 row->remark ?: "", row->remark ? "; " : "",
					 group_name(s, g), summary_size(s, g->swap),
					 summary_size(s, s->swap.used));
	}
}

/* How many processes each cgroup has that is told, with those below it. */
static void count_in_cgroups(struct summary *s)
{
	const struct task_pass *p = s->tasks;
	bool is_part = s->tasks_missing || p->lacks_cgroups;

	for (struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next) {
		uint64_t n = 0;

		if (strcmp(row->by, "cgroup") || !row->name)
			continue;
		for (const struct hash_bytes_entry *e = p->cgroups.first; e; e = e->next)
			n += cgroup_is_below((const char *)e->key, row->name)
				     ? *(const uint64_t *)e->value
				     : 0;
		row->processes = (struct maybe_u64){ n, !is_part };
		if (!n && is_part)
			continue;
		row->brief = arena_text(s->dump->arena, "%s%s", is_part ? "at least " : "",
					n ? PLURAL_TEXT(n, "process", "processes") : "no process");
		row->remark = arena_text(s->dump->arena, "%s%s%s", row->brief,
					 row->remark ? ", " : "", row->remark ?: "");
	}
}

/* Who has most of what is promised; NULL: unknown. */
static void put_data(struct summary *s, const struct process_group *g)
{
	if (!g)
		return;
	s->data_of = group_name(s, g);
	s->data_pages = g->data;
}

/* What fork() made processes share is counted by each: page tables tell what is there. */
static enum status find_anon(struct summary *s, struct anon_sums *sums, struct process_group *g)
{
	const char *why_no_swap;
	struct maybe_u64 swap;
	enum status st;

	g->anon = g->sum.counted;
	if (g->processes == 1 || !summary_reaches(s, LIMIT_SHOWN, g->anon + g->swap))
		return ST_OK;
	st = anon_sum_read(s->dump, sums, &g->sum, &g->anon, &swap, &why_no_swap);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK) {
		g->anon = g->sum.largest;
		g->status = st;
		g->why = arena_strdup(s->dump->arena, s->dump->error);
	} else if (why_no_swap && g->sum.swap_counted) {
		g->status = ST_UNKNOWN;
		g->why = why_no_swap;
	}
	g->swap = swap.known ? swap.n : g->sum.swap_largest;
	g->remark = anon_sum_remark(s->dump, &g->sum, st == ST_OK, swap.known);
	return ST_OK;
}

/* " of 12 processes of this name"; of one nothing. */
static const char *of_this_name(struct dump *d, const struct process_group *g)
{
	return g->processes > 1 ? arena_text(d->arena, " of %s processes of this name",
					     COUNT_TEXT(g->processes))
				: "";
}

enum status summary_groups(struct summary *s)
{
	struct task_pass *p = s->tasks;
	struct largest largest = { .room = GROUPS };
	struct anon_sums sums = { 0 };
	const struct process_group *most = NULL;

	if (!p || !p->n)
		return ST_OK;
	hash_bytes_for_each(struct process_group, g, &p->groups) {
		if (find_anon(s, &sums, g) == ST_STOPPED)
			return ST_STOPPED;
		most = !g->lacks_data && g->data > (most ? most->data : 0) ? g : most;
		summary_held_of(s, 1U << CLASS_PGTABLE, g->comm, g->tgid, g->tables,
				"memowner processes -g comm -s pgtables_bytes -o +pgtables_bytes",
				arena_text(s->dump->arena, "page tables%s%s",
					   of_this_name(s->dump, g),
					   g->lacks_tables ? ", at least" : ""));
		largest_add(&largest, summary_rank(s, g->anon + g->swap, g->cgroup), g);
	}
	count_in_cgroups(s);
	put_data(s, most);
	hash_u64_for_each(const struct process_threads, of, &p->threads)
		summary_held_of(s, 1U << CLASS_KSTACK, of->comm,
				(int32_t)hash_u64_entry_of(of)->key, of->n * p->stack_pages,
				"faults -g tgid,comm -s threads -n 5",
				arena_text(s->dump->arena, "kernel stacks of %s%s",
					   PLURAL_TEXT(of->n, "thread", "threads"),
					   s->tasks_missing ? ", at least" : ""));
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct process_group *g = largest.of[i].item;

		if (g->remark)
			summary_unknown(s, "memory that fork shares", availability_of(g->status),
					"%s: %s", g->comm, g->why);
		remark_on_zram(s, g);
		SUMMARY_ADD(s, .section = SECTION_GROUP, .by = "command", .comm = g->comm,
			    .cgroup = g->cgroup, .pages = { g->anon, true }, .remark = g->remark,
			    .swapped = { g->swap, true },
			    .locked = { g->locked << s->dump->page_shift, !g->lacks_mm },
			    .processes = { g->processes, true },
			    .pid = { (uint64_t)g->tgid, g->processes == 1 },
			    .oldest = age_of(p, g->first_ns), .youngest = age_of(p, g->last_ns),
			    .owner = "live");
	}
	return ST_OK;
}

void summary_dying(struct summary *s)
{
	if (s->tasks)
		dying_end(&s->tasks->dying);
}

enum status summary_in_fault(struct summary *s)
{
	return first_problem_end(s->dump, &s->tasks->no_finder);
}
