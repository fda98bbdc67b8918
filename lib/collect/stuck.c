// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck.h"

#include "collect/stuck_circle.h"
#include "collect/stuck_kthreads.h"
#include "collect/stuck_peers.h"
#include "collect/stuck_pipes.h"
#include "collect/stuck_reused.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_search.h"
#include "collect/stuck_victims.h"
#include "collect/unuse_lock.h"

static const char *why(struct stuck_search *x, enum status st)
{
	return st == ST_OK || st == ST_ABSENT || st == ST_STOPPED ? NULL : dump_why(x->dump);
}

/* Of memory that is seen for the first time: who waits for the readers of a VMA. */
static void read_writer(struct stuck_search *x, uint64_t mm)
{
	uint64_t task;

	if (!x->has_fault_locks)
		return;
	stuck_note_lack(&x->vmas_unread, why(x, fault_lock_writer(&x->fault_locks, mm, &task)));
	if (task)
		*(uint64_t *)hash_u64_get(&x->writers, task, NULL) = mm;
}

static enum status add_task(void *arg, const struct task *t)
{
	struct stuck_search *x = arg;
	struct stuck_task *s;
	bool is_new;
	uint64_t *base;

	if (dump_stopped(x->dump))
		return ST_STOPPED;
	base = hash_u64_get(&x->stacks, t->address, &is_new);
	if (!is_new)
		return ST_OK;
	*base = t->stack;
	s = dump_alloc(x->dump, sizeof(*s));
	s->task = *t;
	s->state[0] = t->state;
	*x->last_all = s;
	x->last_all = &s->next;
	*(struct stuck_task **)hash_u64_get(&x->tasks, t->address, &is_new) = s;
	if (t->mm) {
		struct stuck_mm_user *user = hash_u64_get(&x->users, t->mm, &is_new);

		if (is_new) {
			user->tgid = t->tgid;
			read_writer(x, t->mm);
		}
		user->threads++;
	}
	x->ret->looked_at++;
	return ST_OK;
}

/* What of a stack tells where its task is: from the innermost frame on. */
static void read_place(struct stuck_search *x, struct stuck_task *s)
{
	const char *name;
	enum place place;

	for (unsigned int i = 0; i < x->finder.at.frames.n; i++) {
		name = task_frames_name(&x->finder.at, i);
		place = place_of(name);
		if (place > s->where)
			s->where = place;
		if (s->task.is_kthread && !s->thread)
			s->thread = thread_kind_of(name);
	}
}

static void note_reader(struct stuck_search *x, struct stuck_task *s)
{
	bool is_new;
	struct stuck_task **first = hash_u64_get(&x->readers, s->held.lock, &is_new);

	*first = is_new ? s : *first;
	(*first)->readers++;
}

static void read_fault(struct stuck_search *x, struct stuck_task *s)
{
	struct in_fault fault, *kept;

	if (!x->has_faults || fault_of_frames(&x->finder, &s->task, &fault) != ST_OK)
		return;
	kept = dump_alloc(x->dump, sizeof(*kept));
	*kept = fault;
	s->fault = kept;
	if (s->where < PLACE_PAGE_FAULT)
		s->where = PLACE_PAGE_FAULT;
}

static void read_held(struct stuck_search *x, struct stuck_task *s)
{
	uint64_t mm;

	if (x->has_fault_locks && s->fault)
		stuck_note_lack(&x->vmas_unread,
				why(x, fault_lock_find(&x->fault_locks, &x->finder.at, s->fault,
						       &s->held)));
	else if (x->has_mmap_locks) {
		mm = unuse_mm_of(&x->finder.at, &x->users, x->mmap_locks.lock.offset);
		s->held.lock = s->held.mmap_lock = mm ? mm + x->mmap_locks.lock.offset : 0;
	}
	if (s->held.lock)
		note_reader(x, s);
}

/* Of one on a CPU, whose innermost frames are known. */
static void read_module(struct stuck_search *x, struct stuck_task *s)
{
	const struct frame *f = stuck_module_frame(x->dump, &x->finder.at, &x->foreign);

	s->runs_in = stuck_is_foreign(x->foreign, f) ? f : NULL;
}

static enum status read_task(struct stuck_search *x, struct stuck_task *s)
{
	enum status st = task_frames_read(&x->finder.at, s->task.address);

	if (st == ST_STOPPED)
		return st;
	s->on_cpu = (st == ST_OK || st == ST_UNKNOWN) && x->finder.at.stack.on_cpu;
	x->ret->running += s->on_cpu;
	s->has_frames = st == ST_OK;
	if (st != ST_OK) {
		if (s->on_cpu)
			x->ret->frameless++;
		else if (st != ST_ABSENT && !x->ret->unreadable++)
			x->why_no_stack = dump_why(x->dump);
		s->waits_for = s->on_cpu ? "running" : NULL;
		return ST_OK;
	}
	s->is_whole = x->finder.at.frames.end != UNWIND_CUT;
	s->lacks_inner = x->finder.at.frames.lacks_inner;
	if (!s->is_whole || s->lacks_inner)
		cut_stacks_add(&x->ret->cut, &s->task, &x->finder.at);
	read_place(x, s);
	read_fault(x, s);
	read_held(x, s);
	s->has_since = !s->on_cpu && x->has_last_ran &&
		       last_ran_get(&x->last_ran, s->task.address, &s->since_ns,
				    &s->since_source) == ST_OK;
	stuck_read_wait(x, s);
	if (s->task.state == 'D' && !s->on_cpu && !s->is_on_lock)
		s->drain = stuck_drain_find(x->dump, &x->finder.at);
	if (s->task.state == 'D' && !s->on_cpu)
		s->module_frame = stuck_module_frame(x->dump, &x->finder.at, &x->foreign);
	if (s->runs)
		read_module(x, s);
	if (x->wish.stacks)
		s->stack = task_frames_stack(&x->finder.at);
	return ST_OK;
}

/* The memory that the OOM killer waits for, of the task that stands for its process. */
static void read_victim(struct stuck_search *x, struct stuck_task *s)
{
	struct oom_process oom;
	const struct stuck_mm_user *user;

	if (!x->has_victims || s->task.is_kthread || !s->task.signal)
		return;
	if (oom_process_read(&x->scores, &s->task, &oom) != ST_OK) {
		stuck_note_lack(&x->victims_unread, dump_why(x->dump));
		return;
	}
	if (!oom.oom_mm)
		return;
	s->is_victim = true;
	s->has_victim_mm = mm_struct_read(&x->mms, oom.oom_mm, &s->victim_mm) == ST_OK;
	if (!s->has_victim_mm)
		stuck_note_lack(&x->victims_unread, dump_why(x->dump));
	user = hash_u64_find(&x->users, oom.oom_mm);
	s->victim_tasks = user ? user->threads : 0;
}

static bool is_row(const struct stuck_task *s)
{
	return s->where || s->is_holder || s->is_root || s->is_on_lock || s->thread ||
	       s->task.state == 'D' || s->stands_for_victim;
}

static void keep_rows(struct stuck_search *x)
{
	struct stuck_task **last = &x->ret->first, **last_other = &x->ret->others, *next;

	for (struct stuck_task *s = x->all; s; s = next) {
		struct stuck_task ***list = is_row(s) ? &last : &last_other;

		next = s->next;
		**list = s;
		*list = &s->next;
	}
	*last = *last_other = NULL;
}

static enum status open_all(struct stuck_search *x)
{
	struct dump *d = x->dump;
	enum status st = fault_finder_open(d, &x->finder);

	user_calls_open(d, &x->calls);

	x->has_faults = st == ST_OK;
	x->no_readers = why(x, st);
	if (!x->has_faults)
		st = task_frames_open(d, &x->finder.at);
	if (st != ST_OK)
		return st;
	x->finder.at.symbols.lines = x->wish.lines;
	x->has_last_ran = last_ran_open(d, &x->last_ran) == ST_OK;
	st = lock_waiters_open(d, &x->stacks, &x->locks);
	x->has_locks = st == ST_OK;
	x->no_locks = x->has_locks ? NULL : dump_why(d);
	st = mmap_locks_open(d, &x->mmap_locks);
	x->has_mmap_locks = st == ST_OK;
	st = st ?: fault_locks_open(d, &x->mmap_locks.lock, &x->fault_locks);
	x->has_fault_locks = st == ST_OK && x->has_faults;
	x->no_readers = x->no_readers ?: why(x, st);
	st = oom_scores_open(d, &x->scores) ?: mm_structs_open(d, &x->mms);
	x->has_victims = st == ST_OK;
	x->no_victims = why(x, st);
	return stuck_files_read(&x->files, d);
}

static void find_holders(struct stuck_search *x)
{
	x->holders = (struct stuck_holders){
		.tasks = &x->tasks,
		.readers = &x->readers,
		.stacks = &x->finder.at.stacks,
		.mmap_lock = x->has_mmap_locks ? &x->mmap_locks.lock : NULL,
		.arena = x->dump->arena,
	};
	for (struct stuck_task *s = x->all; s; s = s->next)
		stuck_find_holder(&x->holders, s);
	stuck_find_trails(&x->finder.at, x->all);
}

#define PLACE_GAPS 4 /* the first of the following */

/* One thread shows what a lock is of, as one in a page fault, another one not. */
static void share_lock_names(struct stuck_search *x)
{
	struct hash_u64 named; /* of struct stuck_task * by address of the lock */
	const struct stuck_task *const *found;

	hash_u64_init(&named, x->dump->arena, sizeof(struct stuck_task *));
	for (struct stuck_task *s = x->all; s; s = s->next)
		if (s->has_lock && s->lock_name)
			*(struct stuck_task **)hash_u64_get(&named, s->lock.lock, NULL) = s;
	for (struct stuck_task *s = x->all; s; s = s->next) {
		found = s->has_lock && !s->lock_name ? hash_u64_find(&named, s->lock.lock) : NULL;
		if (!found)
			continue;
		s->lock_name = (*found)->lock_name;
		s->is_on_mmap_lock = (*found)->is_on_mmap_lock;
		s->waits_for = s->is_on_mmap_lock ? (*found)->waits_for : s->waits_for;
	}
}

/* Without types of their module. */
static void name_servers(struct stuck_search *x)
{
	const char *servers = x->unknown_servers.n ? fuse_device_users(x->dump) : NULL;

	if (servers)
		x->unknown_servers.why = dump_text(x->dump, "%s; /dev/fuse is open in %s",
						   x->unknown_servers.why, servers);
}

/* On where threads are, and on what. */
static struct gaps place_gaps(const struct stuck_search *x)
{
	const struct stuck *r = x->ret;
	const struct gap gaps[] = {
		GAP_WHY("the task list ends early: %s", x->tasks_end),
		{ "the stacks of %s cannot be read: %s", r->unreadable, "thread", "threads",
		  x->why_no_stack },
		{ "%s cannot be followed to the end: %s", r->cut.n, "stack", "stacks",
		  r->cut.names },
		{ "where %s stood that ran at the end is unknown: the registers were not found",
		  r->frameless, "thread", "threads", .is_of_running = true },
		{ "the lock of %s is unknown: %s", x->unknown_locks.n, "thread", "threads",
		  x->unknown_locks.why },
		{ "the lock of %s is unknown: %s", x->untold_locks.n, "thread", "threads",
		  x->untold_locks.why, .is_note = true },
		{ "the lock of %s is unknown: %s", x->left_locks.n, "thread", "threads",
		  x->left_locks.why, .is_note = true },
	};

	x->ret->place_gaps = gaps_copy(x->dump, gaps, PLACE_GAPS);
	return GAPS_OF(x->dump, gaps);
}

static struct gaps other_gaps(const struct stuck_search *x)
{
	const struct stuck *r = x->ret;
	const struct gap gaps[] = {
		GAP_WHY("who has a lock in a page fault is unknown: %s", x->no_readers),
		{ "the locks of %s are unknown: %s", x->vmas_unread.n, "VMA", "VMAs",
		  x->vmas_unread.why },
		{ "the server that %s for is unknown: %s", x->unknown_servers.n, "thread waits",
		  "threads wait", x->unknown_servers.why },
		{ "the tracer of %s is unknown: %s", x->tracers.unknown, "thread", "threads",
		  x->tracers.why },
		GAP_WHY("servers of FUSE are not all known: %s",
			x->ret->fuse ? x->ret->fuse->why_no_users : NULL),
		GAP_WHY("who has userfaultfds open is not all known: %s",
			x->servers.userfaults ? x->servers.userfaults->why_no_users : NULL),
		GAP_WHY("who has files of fanotify or seccomp open is not all known: %s",
			x->servers.why_no_users),
		GAP_WHY("who has the directories of frozen file systems open is not all known: %s",
			x->frozen.why_no_users),
		GAP_WHY("whose answer on a socket such processes wait for is not all known: %s",
			x->ret->why_no_peers),
		GAP_WHY("threads that wait for pipes or children may be missing: %s",
			x->ret->why_no_pipes),
		GAP_WHY("the children that threads in vfork() wait for are not all known: %s",
			x->no_vforks),
		GAP_WHY("disks that threads wait for are not all known: %s", x->disks.why),
		GAP_WHY("requests of disks are not all known: %s", x->disks.why_no_requests),
		GAP_WHY("which disks of the device mapper are suspended is not all known: %s",
			x->disks.why_no_mapped),
		GAP_WHY("servers of network block devices are not all known: %s",
			x->disks.why_no_nbds),
		GAP_WHY("threads that wait for a lock in user memory may be missing: %s",
			x->futexes.why),
		{ "whether %s nearly all of a process, for a lock in user memory is unknown: %s",
		  x->futexes.unread, "thread waits,", "threads wait,", x->futexes.unread_of,
		  .is_note = true },
		{ "whether %s for a lock in user memory is unknown: %s", x->futexes.unread_few,
		  "thread waits", "threads wait", x->futexes.unread_few_of, .is_note = true,
		  .is_idle = true },
		{ "who has the lock in user memory that %s for, by the system call, is unknown: %s",
		  x->futexes.ownerless, "thread waits", "threads wait", x->futexes.why_unread,
		  .is_note = true },
		{ "who has the futex in shared memory, or of a file, that %s for is unknown: %s",
		  x->futexes.shared, "thread waits", "threads wait", x->futexes.why_shared,
		  .is_note = true },
		{ "who has the futex in shared memory that %s for is unknown: its words name a thread ID that "
		  "no thread has which maps it, as where its owner has exited",
		  x->futexes.lost, "thread waits", "threads wait", .is_note = true },
		GAP_WHY("threads that wait for semaphores of System V may be missing: %s",
			x->futexes.why_no_sems),
		GAP_WHY("threads that wait for kswapd may be missing: %s", x->no_kswapd),
		GAP_WHY("for which journals threads wait is not all known: %s", x->no_journals),
		GAP_WHY("who runs the works that threads wait for is not all known: %s",
			x->no_workers),
		GAP_WHY("which threads others stop is not all known: %s", x->no_stopped),
		GAP_WHY("waits for locks of files may be missing: %s", x->files.waits.problem),
		{ "who has the lock of a file that %s for is unknown: no process that was found has "
		  "the struct file or the table that owns it",
		  x->files.unowned, "thread waits", "threads wait",
		  .is_note = !x->files.why_no_owners && !r->ends_early },
		GAP_WHY("who has locks of files is not all known: %s", x->files.why_no_owners),
		GAP_WHY("victims of the OOM killer are unknown: %s", x->no_victims),
		{ "of %s it is unknown whether the OOM killer chose it: %s", x->victims_unread.n,
		  "thread", "threads", x->victims_unread.why },
	};

	return GAPS_OF(x->dump, gaps);
}

static void put_gaps(struct stuck_search *x)
{
	const struct gaps all[] = {
		place_gaps(x),
		stuck_doubt_gaps(x->dump, x->ret),
		other_gaps(x),
	};

	x->ret->gaps = gaps_join(x->dump, all, ARRAY_SIZE(all));
}

enum status stuck_collect(struct dump *d, const struct stuck_wish *wish, struct stuck *ret)
{
	struct stuck_search *x = dump_alloc(d, sizeof(*x));
	struct tasks tasks;
	enum status st;

	*ret = (struct stuck){ 0 };
	*x = (struct stuck_search){ .dump = d, .ret = ret, .wish = *wish };
	x->last_all = &x->all;
	x->servers.mms = &x->users;
	hash_u64_init(&x->stacks, d->arena, sizeof(uint64_t));
	hash_u64_init(&x->tasks, d->arena, sizeof(struct stuck_task *));
	hash_u64_init(&x->users, d->arena, sizeof(struct stuck_mm_user));
	hash_u64_init(&x->readers, d->arena, sizeof(struct stuck_task *));
	hash_u64_init(&x->writers, d->arena, sizeof(uint64_t));
	st = open_all(x) ?: tasks_open(d, &tasks);
	if (st != ST_OK)
		return st;
	st = tasks_walk(&tasks, add_task, x);
	x->tasks_end = why(x, st);
	ret->ends_early = st != ST_OK;
	for (struct stuck_task *s = x->all; s && st != ST_STOPPED; s = s->next) {
		st = dump_stopped(d) ? ST_STOPPED : read_task(x, s);
		read_victim(x, s);
	}
	stuck_choose_victims(d, x->all);
	if (st != ST_STOPPED)
		ret->fuse = stuck_servers_read(&x->servers, d, x->all, !ret->ends_early);
	ret->frozen = x->frozen.f;
	if (st != ST_STOPPED)
		st = stuck_disks_read(&x->disks, d) ?: st;
	ret->disks = x->disks.first;
	x->no_journals = stuck_find_journals(&x->finder.at.stacks, x->all, &x->tasks,
					     x->disks.first);
	ret->has_requests = !x->disks.why_no_requests;
	ret->lacks_disks = x->disks.why;
	stuck_find_reused(d, x->all, &x->tasks);
	x->no_kswapd = stuck_find_kswapd(d, x->all, &x->tasks);
	find_holders(x);
	stuck_futexes_find(&x->futexes, d, &x->finder.at, x->all, &x->users);
	stuck_find_semaphores(&x->futexes, d, &x->finder.at, x->all, &x->tasks);
	stuck_find_services(d, &x->users, x->all);
	ret->user_locks = x->futexes.locks;
	for (struct stuck_task *s = x->all; s; s = s->next)
		stuck_find_tracer(&x->tracers, d, &x->tasks, s);
	st = st ?: stuck_files_set_holders(&x->files, x->all, !ret->ends_early);
	ret->file_locks = x->files.first;
	ret->has_file_locks = x->files.complete;
	x->no_vforks = stuck_find_vforks(d, x->all);
	stuck_mark_roots(d, x->all);
	ret->why_no_peers = stuck_find_peers(d, wish, ret->frozen, x->disks.first, x->all);
	x->no_workers = stuck_find_workers(d, x->all);
	x->no_stopped = stuck_find_stopping(d, x->all);
	stuck_find_starting(x->all);
	ret->why_no_pipes = stuck_find_pipes(d, x->all, !ret->ends_early);
	share_lock_names(x);
	stuck_count_roots(d, x->all);
	for (struct stuck_task *s = x->all; s; s = s->next)
		stuck_find_circle(s);
	keep_rows(x);
	name_servers(x);
	put_gaps(x);
	return st == ST_STOPPED ? st : ST_OK;
}
