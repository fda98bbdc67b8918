// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes by memory, the thread that faulted most often, threads inside a page fault. */
#include "collect/stuck_futexes.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_peers.h"
#include "collect/fault_load.h"
#include "collect/places.h"
#include "faults/view.h"
#include "log/stall.h"
#include "tasks/tracer.h"
#include "vm/rss_witness.h"
#include "dying.h"
#include "groups.h"
#include "huge_users.h"
#include "verdict_words.h"
#include "collect/task_places.h"

#define ROWS 3	      /* processes */
#define FAULT_ROWS 3  /* threads in a page fault that are named */
#define LOCK_FRAMES 8 /* the scheduler has four at most below a lock */

struct task_pass {
	struct summary *s;
	struct process_groups groups;
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
	struct huge_users huge;
	struct dying dying;
	struct fault_load load;
	struct task fastest;
	uint64_t rate;
	bool has_rate;
	const char *why_no_stack;
	size_t no_mm, no_stack, inner_missing;
	bool lacks_memory; /* of a thread, which is not in the dump or damaged */
	struct cut_stacks cut_stacks;
	struct {
		int32_t tgid;
		size_t threads, on_futex;
	} process; /* whose threads follow each other */
	struct ready_thread ready
		[READY_KEPT]; /* who ran, or could run: the first ones, and how many there are */
	size_t n_ready;
	struct ready_thread kernel[READY_KEPT]; /* the same of threads of the kernel */
	size_t n_kernel;
	struct ready_thread on[READY_KEPT]; /* on CPUs, with known registers */
	size_t n_on;
	bool misses_on;		    /* of a thread on a CPU frames are missing */
	const char *const *foreign; /* modules out of tree, once they were asked for */
};

/* Bytes of page tables, where the mm_struct is in this dump. */
static struct maybe_u64 tables_of(const struct task_pass *p, const struct task *t)
{
	struct mm_struct mm;

	if (p->groups.structs_status != ST_OK ||
	    mm_struct_read(&p->groups.structs, t->mm, &mm) != ST_OK || !mm.has_pgtables)
		return (struct maybe_u64){ 0 };
	return (struct maybe_u64){ mm.pgtables_bytes, true };
}

/* What ends with it: what is resident or in swap, its page tables, what it alone keeps beside. */
static uint64_t rank_of(struct task_pass *p, const struct task *t)
{
	int64_t size = (int64_t)((uint64_t)t->rss + (uint64_t)t->swap);
	const struct kept_pages *kept = summary_kept_by(p->s, t->tgid);
	const struct maybe_u64 tables = tables_of(p, t);
	uint64_t pages = size > 0 ? (uint64_t)size : 0;

	pages += (tables.known ? tables.n >> p->s->dump->page_shift : 0) +
		 (kept ? kept->files + kept->other : 0);
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

/* Whether the rate of a thread is more than the noise of its start. */
static bool has_meaning(const struct task_pass *p, const struct task *t)
{
	uint64_t life;

	return limit_has_rate(age_at_panic(&p->rates.report.info, t->start_ns, &life) ? life : 0);
}

static void rate(struct task_pass *p, const struct task *t)
{
	uint64_t faults = t->maj_flt + t->min_flt;
	struct cell c = fault_rate(&p->rates, faults, t->start_ns);

	if (!has_meaning(p, t))
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
		.comm = dump_strdup(p->s->dump, t->comm),
		.tgid = t->pid != t->tgid ? t->tgid : 0,
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

/* It may have nothing to do; of what it reads from a module memowner stuck tells more. */
static bool rests(struct task_frames *at, const struct task *t)
{
	bool reads = false, is_in_module = false;

	if (t->state != 'S' || !t->mm)
		return t->state != 'D';
	for (unsigned int i = 0; i < at->frames.n; i++) {
		const enum wait_rest of = wait_rest_of(task_frames_name(at, i));

		if (of == WAIT_RESTS)
			return true;
		reads |= of == WAIT_MAY_READ;
		is_in_module |= modules_find(&at->symbols.modules, at->frames.f[i].ip) != NULL;
	}
	return reads && !is_in_module;
}

/* The lock, the answer of a server or the I/O that a thread waits for is a wait of its innermost frames. */
static void count_lock(struct task_pass *p, const struct task *t)
{
	struct task_frames *at = &p->finder.at;
	bool seen_sleeper = false;

	p->s->on_root += t->mm && (t->state == 'T' || t->state == STATE_TRACED);
	p->s->on_root += !at->stack.on_cpu && !rests(at, t);
	for (unsigned int i = 0; !at->stack.on_cpu && i < at->frames.n && i < LOCK_FRAMES; i++) {
		const char *name = task_frames_name(at, i);
		bool is_sleeper = !seen_sleeper && !wait_is_scheduler(name);
		enum wait_kind kind = is_sleeper ? wait_of_sleeper(name) : wait_of(name);

		seen_sleeper |= is_sleeper;
		p->s->on_socket += stuck_is_socket_wait(name);
		p->s->on_pipe[is_sleeper ? pipe_function_of(name) : PIPE_NONE]++;
		kind = wait_is_writeback(name) ? WAIT_IO : kind;
		if (kind != WAIT_LOCK && !wait_is_for_answer(kind) &&
		    (kind != WAIT_IO || p->s->last_report))
			continue;
		p->s->on_lock++;
		return;
	}
}

/* Nearly all threads of a process may wait for one lock in user memory: memowner stuck tells workers at rest from that. */
static void count_futex(struct task_pass *p, const struct task *t)
{
	struct task_frames *at = &p->finder.at;
	unsigned int i = 0;

	if (p->process.tgid != t->tgid) {
		p->process.tgid = t->tgid;
		p->process.threads = p->process.on_futex = 0;
	}
	p->process.threads++;
	while (i < at->frames.n && i < LOCK_FRAMES && wait_is_scheduler(task_frames_name(at, i)))
		i++;
	if (!t->mm || at->stack.on_cpu || i == at->frames.n ||
	    !stuck_is_futex_wait(task_frames_name(at, i)))
		return;
	p->s->on_futex = true;
	p->process.on_futex++;
	p->s->has_futex_crowd |= stuck_is_crowd(p->process.on_futex, p->process.threads);
}

static enum status add_in_fault(struct task_pass *p, const struct task *t, const char *cgroup)
{
	struct in_fault fault;
	struct statement row;
	enum status st = p->no_finder.status == ST_OK ? fault_find(&p->finder, t, &fault)
						      : ST_ABSENT;

	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK && st != ST_ABSENT && !p->no_stack++)
		p->why_no_stack = dump_why(p->s->dump);
	if (st == ST_OK || st == ST_ABSENT) {
		count_lock(p, t);
		count_futex(p, t);
	}
	if (st == ST_OK || st == ST_ABSENT)
		throttled_count(p->s, t, cgroup, &p->finder.at);
	if (p->no_finder.status == ST_OK && st == ST_ABSENT &&
	    (p->finder.at.frames.end == UNWIND_CUT || p->finder.at.frames.lacks_inner))
		cut_stacks_add(&p->cut_stacks, t, &p->finder.at);
	p->groups.lacks_stacks |= p->no_stack || p->cut_stacks.n;
	p->inner_missing += st == ST_OK && p->finder.at.frames.lacks_inner;
	if (st != ST_OK)
		return ST_OK;
	fault_load_in_fault(&p->load);
	if (++p->s->in_fault > FAULT_ROWS)
		return ST_OK;
	row = row_of(p, SECTION_IN_FAULT, t);
	row.address = (struct maybe_u64){ fault.address, fault.source != ADDRESS_UNKNOWN };
	summary_add(p->s, &row);
	return ST_OK;
}

/* What keeps it is then the shortage itself: reclaim, or the OOM killer and its lock. */
static bool is_in_memory(struct task_frames *at)
{
	for (unsigned int i = 0; i < at->frames.n; i++) {
		const enum place place = place_of(task_frames_name(at, i));

		if (place == PLACE_ALLOCATOR || place == PLACE_CHARGE || place == PLACE_RECLAIM ||
		    place == PLACE_OOM_KILLER || place == PLACE_OOM_LOCK)
			return true;
	}
	return false;
}

/* Its frames were read for the fault that it may be in. */
static void add_sleep(struct task_pass *p, const struct task *t, const struct process_group *group)
{
	struct task_frames *at = &p->finder.at;

	/* Who could run may stand anywhere. */
	if (p->no_finder.status != ST_OK || at->stack.on_cpu ||
	    (t->state != 'S' && t->state != 'D') || is_in_memory(at))
		return;
	for (unsigned int i = 0; i < at->frames.n && i < LOCK_FRAMES; i++) {
		const char *name = task_frames_name(at, i);

		if (*name && !wait_is_scheduler(name)) {
			groups_add_sleep(&p->groups, group, name);
			return;
		}
	}
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

/* Of one on a CPU what it did there, by the registers. */
static void add_on_cpu(struct task_pass *p, const struct task *t, struct ready_thread *ret)
{
	struct task_frames *at = &p->finder.at;

	*ret = (struct ready_thread){ .task = t->address, .pid = t->pid };
	snprintf(ret->comm, sizeof(ret->comm), "%s", t->comm);
	ret->at = stuck_module_frame(p->s->dump, at, &p->foreign);
	ret->is_foreign = stuck_is_foreign(p->foreign, ret->at);
	ret->irqs_off = at->stack.irqs_off;
	for (unsigned int i = 0; i < at->frames.n; i++)
		ret->spins |= stall_spins_in(task_frames_name(at, i));
}

/* Who took the CPUs where others waited for one; who asked for the end ran for that. */
static void add_ready(struct task_pass *p, const struct task *t, bool has_frames)
{
	const struct statement *panic = p->s->first[SECTION_PANIC];

	struct ready_thread *to = t->mm ? p->ready : p->kernel;
	size_t *n = t->mm ? &p->n_ready : &p->n_kernel;

	if (t->state != 'R' || (!t->mm && !t->is_kthread) ||
	    (panic && panic->pid.n == (uint64_t)t->pid))
		return;
	if (*n < READY_KEPT) {
		to += *n;
		*to = (struct ready_thread){ .task = t->address,
					     .start_ns = t->start_ns,
					     .pid = t->pid };
		snprintf(to->comm, sizeof(to->comm), "%s", t->comm);
		if (!t->mm && has_frames)
			to->at = stuck_module_frame(p->s->dump, &p->finder.at, &p->foreign);
	}
	(*n)++;
	if (!has_frames || !p->finder.at.stack.on_cpu)
		return;
	if (p->n_on < READY_KEPT && p->finder.at.stack.has_registers &&
	    !p->finder.at.frames.lacks_inner) {
		add_on_cpu(p, t, &p->on[p->n_on++]);
		p->misses_on |= p->finder.at.frames.end == UNWIND_CUT;
	} else {
		p->misses_on = true;
	}
}

static enum status visit(void *arg, const struct task *t)
{
	struct task_pass *p = arg;
	const struct task process = name_process(p, t);
	const char *cgroup = task_cgroup(&p->places, t);
	const struct process_group *group;
	enum status st;

	if (dump_stopped(p->s->dump))
		return ST_STOPPED;
	p->no_mm += t->mm_unreadable && !t->mm_corrupt;
	p->lacks_memory |= t->mm_unreadable;
	if (t->has_memory)
		p->memory = process;
	if (summary_is_asker(p->s, t))
		summary_take_asker(p->s, p->memory.tgid == t->tgid ? &p->memory : &process, cgroup);
	dying_add(&p->dying, &process);
	summary_add_starved(p->s, t);
	rank(p, &process);
	group = groups_add(&p->groups, &process, cgroup);
	groups_add_thread(&p->groups, t, cgroup);
	huge_users_add(&p->huge, &process);
	rate(p, t);
	fault_load_add(&p->load, t);
	st = add_in_fault(p, t, cgroup);
	add_ready(p, t, p->no_finder.status == ST_OK);
	if (st == ST_OK && group)
		add_sleep(p, t, group);
	return st;
}

/* What mlock() keeps resident, where the mm_struct is in this dump. */
static struct maybe_u64 locked_of(const struct task_pass *p, const struct task *t)
{
	struct mm_struct mm;

	if (p->groups.structs_status != ST_OK ||
	    mm_struct_read(&p->groups.structs, t->mm, &mm) != ST_OK)
		return (struct maybe_u64){ 0 };
	return (struct maybe_u64){ mm.locked_vm << p->s->dump->page_shift, true };
}

static void name_processes(struct summary *s, enum section section)
{
	for (struct statement *row = s->first[section]; row; row = row->next)
		row->process = row->tgid ? summary_process_name(s, row->tgid) : NULL;
}

/* Where memory was not short it is what the machine did. */
static void take_load(struct task_pass *p)
{
	const struct fault_process *m = &p->load.most;
	struct strbuf b = STRBUF_OF(256);

	fault_load_end(&p->load);
	if (!m->tgid)
		return;
	strbuf_add(&b,
		   "%u of %u threads of %s are in a page fault: %s per second since its start, "
		   "%s of %s major",
		   m->in_fault, m->threads,
		   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)m->tgid, true }), m->comm),
		   MILLI_TEXT(m->rate), COUNT_TEXT(m->maj), COUNT_TEXT(m->min + m->maj));
	if (m->has_rss && m->rss > 0)
		strbuf_add(&b, "; it has %s resident",
			   SIZE_TEXT((int64_t)m->rss << p->s->dump->page_shift));
	p->s->faulting = dump_strdup(p->s->dump, b.buf);
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
		row.keeps_rings = kept && kept->rings == kept->files;
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
		{ "threads in a page fault may be missing: %s cannot be followed to the end: %s",
		  p->cut_stacks.n, "stack", "stacks", p->cut_stacks.names },
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
	p->load.info = &s->report->info;
	p->load.least = (unsigned int)limit(LIMIT_IN_FAULT);
	rss_witness(s->dump);
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
	groups_open(s, &p->groups);
	s->groups = &p->groups;
	dying_open(s, &p->dying);
	summary_failed(s, "mlocked memory and page tables of processes", p->groups.structs_status);
	huge_users_open(s, &p->huge);
	walked = tasks_walk(&tasks, visit, p);
	why = dump_why(s->dump);
	if (walked == ST_OK)
		huge_users_end(&p->huge);
	s->has_tasks = p->n > 0;
	s->tasks_missing = walked != ST_OK || p->lacks_memory;
	s->waits_hidden = walked != ST_OK || p->no_stack || p->cut_stacks.n ||
			  p->no_finder.status != ST_OK;
	put(p);
	take_load(p);
	summary_tell_ready(s, p->ready, p->n_ready);
	summary_tell_kernel(s, p->kernel, p->n_kernel);
	summary_tell_spinning(s, p->on, p->n_on, p->misses_on);
	name_processes(s, SECTION_FAULTS);
	name_processes(s, SECTION_IN_FAULT);
	put_gaps(p, walked, why);
	if (walked != ST_STOPPED && !p->n && s->tasks_missing)
		return dump_unreadable(s->dump, "no mm_struct of a process is in this dump");
	return walked == ST_STOPPED ? walked : ST_OK;
}

const char *summary_cgroup_of(struct summary *s, const struct task *t)
{
	return s->tasks && s->tasks->no_finder.status == ST_OK ? task_cgroup(&s->tasks->places, t)
							       : NULL;
}

#define MUCH_SHORTER 10 /* times */

/* One that polls waits again and again: that it looks for something is why. */
static bool is_brief(const struct stuck_task *t, uint64_t age, uint64_t waited_ns)
{
	return age < limit(LIMIT_STUCK) * 1000000 && waited_ns >= limit(LIMIT_STUCK) * 1000000 &&
	       age * MUCH_SHORTER < waited_ns && !t->polls && !t->is_root;
}

void summary_add_whose(struct summary *s, const struct stuck_task *t, uint64_t waited_ns,
		       struct strbuf *b)
{
	struct task_pass *p = s->tasks;
	const char *file = NULL, *service, *process;
	uint64_t age;
	bool has_age;

	if (!p || p->no_finder.status != ST_OK)
		return;
	if (t->fault && t->fault->has_vma &&
	    vma_name(&p->finder.vmas, &t->fault->vma, &file) == ST_OK && file && *file == '/')
		strbuf_add(b, " on %s", file);
	has_age = t->has_since && age_at_panic(&s->report->info, t->since_ns, &age);
	if (has_age && age >= limit(LIMIT_STUCK) * 1000000)
		strbuf_add(b, ", for %s%s", age_bound(&s->report->info, false), TIME_TEXT(age));
	process = t->task.pid != t->task.tgid ? summary_process_name(s, t->task.tgid) : NULL;
	service = t->task.mm ? summary_service(task_cgroup(&p->places, &t->task),
					       process ?: t->task.comm)
			     : NULL;
	if (process)
		strbuf_add(b, ", as a thread of %s%s%s", process, service ? " of " : "",
			   service ?: "");
	else if (service)
		strbuf_add(b, ", as a process of %s", service);
	if (has_age && is_brief(t, age, waited_ns))
		strbuf_add(b, ", for %s only: since when it has had the lock is not recorded",
			   TIME_TEXT(age));
	s->dump->error[0] = '\0';
}

void summary_dying(struct summary *s)
{
	/* Without tasks none was looked at. */
	if (s->tasks && s->tasks->dying.s)
		dying_end(&s->tasks->dying);
}

enum status summary_in_fault(struct summary *s)
{
	return first_problem_end(s->dump, &s->tasks->no_finder);
}
