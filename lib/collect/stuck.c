// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck.h"

#include "collect/stuck_circle.h"
#include "collect/stuck_files.h"
#include "collect/stuck_frozen.h"
#include "collect/stuck_peers.h"
#include "collect/stuck_holders.h"
#include "collect/stuck_kswapd.h"
#include "collect/stuck_reused.h"
#include "collect/stuck_servers.h"
#include "collect/stuck_tracers.h"
#include "collect/stuck_victims.h"
#include "collect/unuse_lock.h"
#include "files/lock_object.h"
#include "oom/oom_score.h"
#include "vm/mm_holders.h"

const char *const stuck_waits[] = {
	"mutex",    "rwsem",   "rt_mutex",  "semaphore",   "flock",	"posix_lock",
	"ofd_lock", "lease",   "lock",	    "io",	   "page_lock", "fuse",
	"rpc",	    "swap_in", "migration", "userfaultfd", "reclaim",	"oom_killer",
	"work",	    "cpu",     "running",   "other",	   NULL,
};

static const char *const file_lock_kinds[FILE_LOCK_KINDS] = {
	[FILE_LOCK_FLOCK] = "flock",
	[FILE_LOCK_POSIX] = "posix_lock",
	[FILE_LOCK_OFD] = "ofd_lock",
	[FILE_LOCK_LEASE] = "lease",
};

static const char *const lock_kinds[LOCK_KINDS] = {
	[LOCK_UNKNOWN] = "lock",      [LOCK_MUTEX] = "mutex",	      [LOCK_RWSEM] = "rwsem",
	[LOCK_RT_MUTEX] = "rt_mutex", [LOCK_SEMAPHORE] = "semaphore",
};

/* Of an mm_struct: a process that uses it, and how many threads do. */
struct mm_user {
	int32_t tgid;
	uint64_t threads;
};

/* How many of a kind are unknown, and why the first one is. */
struct lack {
	size_t n;
	const char *why;
};

struct search {
	struct dump *dump;
	struct stuck *ret;
	bool with_stacks;
	struct fault_finder finder; /* has the frames of the task that is looked at */
	struct last_ran last_ran;
	bool has_last_ran;
	struct lock_waiters locks;
	struct mmap_locks mmap_locks;
	struct fault_locks fault_locks;
	bool has_locks, has_mmap_locks, has_fault_locks;
	struct oom_scores scores;
	struct mm_structs mms;
	bool has_victims;
	struct stuck_task *all, **last_all;
	struct hash_u64 stacks;	 /* lowest address of the stack, by task_struct */
	struct hash_u64 tasks;	 /* of struct stuck_task *, by task_struct */
	struct hash_u64 users;	 /* of struct mm_user, by mm_struct */
	struct hash_u64 readers; /* of struct stuck_task *, by held.lock: the first that has it */
	struct hash_u64 writers; /* mm_struct, by the task_struct that waits for readers of a VMA */
	struct stuck_servers servers;
	struct stuck_holders holders;
	struct stuck_files files;
	struct stuck_frozen frozen;
	struct stuck_tracers tracers;
	struct lock_objects *objects; /* NULL: no lock was seen that they may name */
	bool has_objects;
	struct lack unknown_locks, untold_locks, unknown_servers, victims_unread, vmas_unread;
	const char *why_no_stack, *no_locks, *no_readers, *no_victims, *no_kswapd, *tasks_end;
};

static void count_lack(struct lack *lack, const char *why)
{
	if (why && !lack->n++)
		lack->why = why;
}

static const char *why(struct search *x, enum status st)
{
	return st == ST_OK || st == ST_ABSENT || st == ST_STOPPED ? NULL : dump_why(x->dump);
}

/* Of memory that is seen for the first time: who waits for the readers of a VMA. */
static void read_writer(struct search *x, uint64_t mm)
{
	uint64_t task;

	if (!x->has_fault_locks)
		return;
	count_lack(&x->vmas_unread, why(x, fault_lock_writer(&x->fault_locks, mm, &task)));
	if (task)
		*(uint64_t *)hash_u64_get(&x->writers, task, NULL) = mm;
}

static enum status add_task(void *arg, const struct task *t)
{
	struct search *x = arg;
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
		struct mm_user *user = hash_u64_get(&x->users, t->mm, &is_new);

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
static void read_place(struct search *x, struct stuck_task *s)
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

/*
 * Of two tasks that wait for one lock the one that has it on its stack is no witness: the list is. False: a runnable task
 * in none was given the lock.
 */
static bool read_lock(struct search *x, struct stuck_task *s, unsigned int i, enum lock_kind kind)
{
	const struct unwind_frame *f = &x->finder.at.frames.f[i];
	uint64_t low = x->finder.at.stack.sp - x->finder.at.stacks.switch_span;
	enum status st = ST_UNKNOWN;

	if (kind == LOCK_REMOTE)
		st = dump_fail(
			x->dump, ST_ABSENT,
			"of a file of a network or cluster file system others know who has it");
	else if (kind == LOCK_FILE)
		st = stuck_files_find(&x->files, &x->finder.at.stack, s);
	else if (kind == LOCK_PERCPU)
		st = stuck_frozen_find(&x->frozen, x->dump, &x->finder.at.stack, s);
	else if (x->has_locks)
		st = kind ? lock_wait_find(&x->locks, s->task.address, &x->finder.at.stack, kind,
					   f->sp, f->end, low, &s->lock)
			  : lock_wait_rt(&x->locks, s->task.address, &s->lock);
	if (st == ST_ABSENT && s->task.state == 'R' && (kind == LOCK_MUTEX || kind == LOCK_RWSEM))
		return false;
	s->is_on_lock = true;
	s->has_lock = st == ST_OK;
	/* Of these kinds the kernel has no more: it is not missing in this dump. */
	if (st == ST_ABSENT && (kind == LOCK_UNKNOWN || kind == LOCK_PERCPU || kind == LOCK_REMOTE))
		count_lack(&x->untold_locks, dump_why(x->dump));
	else if (!s->has_lock)
		count_lack(&x->unknown_locks, x->no_locks ?: dump_why(x->dump));
	return true;
}

/* Since 6.15 a VMA has no rw_semaphore: a writer sleeps until its readers are gone. */
static void read_vma_wait(struct search *x, struct stuck_task *s)
{
	const uint64_t *mm = hash_u64_find(&x->writers, s->task.address);
	const struct mm_user *user = mm ? hash_u64_find(&x->users, *mm) : NULL;

	if (!user || s->is_on_lock)
		return;
	s->is_on_lock = s->has_lock = true;
	s->lock.lock = *mm + x->fault_locks.vma_writer.offset;
	s->lock_name = arena_text(x->dump->arena, "lock of a VMA of %d", user->tgid);
}

/* The server that a task waits for, by its entry in a queue, which is in the frames up to end. */
static void read_server(struct search *x, struct stuck_task *s, enum wait_kind kind, uint64_t end)
{
	const struct mm_user *user;

	s->is_on_server = true;
	if (stuck_server_find(&x->servers, x->dump, &x->finder.at, kind, end, s) != ST_OK)
		count_lack(&x->unknown_servers, dump_why(x->dump));
	user = s->userfault ? hash_u64_find(&x->users, s->userfault->mm) : NULL;
	if (user)
		s->lock_name = arena_text(x->dump->arena, "userfaultfd of %d", user->tgid);
}

/* What waits for a bit calls its function two frames further in: out_of_line_wait_on_bit(), __wait_on_bit(). */
#define BIT_WAIT 2

static uint64_t end_of(const struct unwind *w, unsigned int i)
{
	return w->f[i < w->n ? i : w->n - 1].end;
}

/* What a task asleep waits for: what its innermost frames are, up to the one that says where it is. */
static void read_wait(struct search *x, struct stuck_task *s)
{
	enum wait_kind kind = WAIT_NONE;
	uint64_t end = 0; /* of the frames that wait for a server */

	for (unsigned int i = 0; i < x->finder.at.frames.n; i++) {
		const char *name = task_frames_name(&x->finder.at, i);
		bool is_sleeper = !s->function && !wait_is_scheduler(name);
		enum wait_kind of = is_sleeper ? wait_of_sleeper(name) : wait_of(name);
		/* What reclaims memory gives up the CPU, too; asleep, a thread waits for what others free. */
		bool throttles = is_sleeper && of <= WAIT_OOM_KILLER && s->task.state != 'R';

		if (is_sleeper) {
			s->function = symbolize(&x->finder.at.symbols, x->finder.at.frames.f[i].ip);
			if (s->thread && thread_is_idle(name) && s->task.state != 'R') {
				s->where = PLACE_IDLE;
				s->waits_for = "work";
				return;
			}
		}
		if (s->function && !s->caller && of == WAIT_NONE && !wait_is_completion(name))
			s->caller = symbolize(&x->finder.at.symbols, x->finder.at.frames.f[i].ip);
		/* Woken, it has no request any more. */
		if (of == WAIT_LOCK && is_sleeper && s->task.state == 'R' &&
		    wait_lock_kind(name) == LOCK_FILE)
			of = WAIT_NONE;
		if (of == WAIT_LOCK && read_lock(x, s, i, wait_lock_kind(name)))
			break;
		if (of == WAIT_LOCK)
			of = WAIT_NONE;
		/* io_schedule() is called for more than one reason, which the next frames tell. */
		if (of != WAIT_NONE && (of < WAIT_RECLAIM || throttles) &&
		    (kind == WAIT_NONE || kind == WAIT_IO))
			kind = of;
		if (kind == WAIT_PAGE_LOCK && wait_is_writeback(name))
			kind = WAIT_IO;
		if ((kind == WAIT_FUSE || kind == WAIT_RPC || kind == WAIT_USERFAULTFD) &&
		    of == kind)
			end = end_of(&x->finder.at.frames, kind == WAIT_RPC ? i + BIT_WAIT : i);
		if (place_of(name) != PLACE_NONE)
			break;
	}
	/* A request of the thread that waits says more than the name of a function. */
	if (!s->is_on_lock && s->task.state != 'R')
		s->is_on_lock = s->has_lock = stuck_files_find(&x->files, &x->finder.at.stack, s) ==
					      ST_OK;
	read_vma_wait(x, s);
	if (end && !s->is_on_lock)
		read_server(x, s, kind, end);
	if (!s->where && (s->is_on_lock || s->is_on_server))
		s->where = s->is_on_lock ? PLACE_LOCK : PLACE_SERVER;
	s->waits_for = s->file_lock	      ? file_lock_kinds[s->file_lock->lock->kind]
		       : s->is_on_lock	      ? lock_kinds[s->lock.kind]
		       : kind != WAIT_NONE    ? wait_name(kind)
		       : s->task.state == 'R' ? "cpu"
		       : s->function	      ? "other"
					      : NULL;
}

/* oom_lock, or another lock that is a variable of vmlinux or of a module. */
static const char *symbol_of(struct search *x, uint64_t lock)
{
	const struct frame *f = symbolize(&x->finder.at.symbols, lock);
	char text[256];

	if (!f || !f->symbol || f->offset || f->label)
		return NULL;
	return arena_strdup(x->dump->arena, function_text(f, text, sizeof(text)));
}

/* That of a file or of a file system. */
static const char *object_of(struct search *x, uint64_t lock)
{
	if (!x->objects) {
		x->objects = dump_alloc(x->dump, sizeof(*x->objects));
		x->has_objects = lock_objects_open(x->dump, x->objects) == ST_OK;
	}
	return x->has_objects ? lock_object_name(x->objects, lock) : NULL;
}

static void name_lock(struct search *x, struct stuck_task *s)
{
	const struct mm_user *user =
		x->has_mmap_locks && s->lock.kind != LOCK_MUTEX
			? hash_u64_find(&x->users, s->lock.lock - x->mmap_locks.lock.offset)
			: NULL;

	if (user) {
		s->lock_name = arena_text(x->dump->arena, "mmap_lock of %d", user->tgid);
		if (s->where < PLACE_MMAP_LOCK)
			s->where = PLACE_MMAP_LOCK;
		return;
	}
	s->lock_name = symbol_of(x, s->lock.lock) ?: object_of(x, s->lock.lock);
	if (s->lock_name && !strcmp(s->lock_name, "oom_lock"))
		s->where = PLACE_OOM_LOCK;
}

/* A task that is asleep, or waits for a CPU: its frames are exact. */
static void read_asleep(struct search *x, struct stuck_task *s)
{
	s->has_since = x->has_last_ran && last_ran_get(&x->last_ran, s->task.address, &s->since_ns,
						       &s->since_source) == ST_OK;
	read_wait(x, s);
	if (s->has_lock && !s->lock_name)
		name_lock(x, s);
}

static void note_reader(struct search *x, struct stuck_task *s)
{
	bool is_new;
	struct stuck_task **first = hash_u64_get(&x->readers, s->held.lock, &is_new);

	*first = is_new ? s : *first;
	(*first)->readers++;
}

static void read_held(struct search *x, struct stuck_task *s)
{
	struct in_fault fault;
	uint64_t mm;

	if (x->has_fault_locks && fault_of_frames(&x->finder, &s->task, &fault) == ST_OK)
		count_lack(&x->vmas_unread, why(x, fault_lock_find(&x->fault_locks, &x->finder.at,
								   &fault, &s->held)));
	else if (x->has_mmap_locks) {
		mm = unuse_mm_of(&x->finder.at, &x->users, x->mmap_locks.lock.offset);
		s->held.lock = s->held.mmap_lock = mm ? mm + x->mmap_locks.lock.offset : 0;
	}
	if (s->held.lock)
		note_reader(x, s);
}

/* On a CPU, what it runs is not always its own: reclaim, and the OOM killer, are what keeps it. */
static const char *running_in(struct task_frames *at)
{
	enum wait_kind kind = WAIT_NONE;
	bool takes_page = false;

	for (unsigned int i = 0; i < at->frames.n; i++) {
		enum wait_kind of = wait_of_frame(task_frames_name(at, i), &takes_page);

		kind = of > kind ? of : kind;
	}
	return kind == WAIT_OOM_KILLER || (kind == WAIT_RECLAIM && !at->frames.lacks_inner)
		       ? wait_name(kind)
		       : "running";
}

static enum status read_task(struct search *x, struct stuck_task *s)
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
	x->ret->cut += !s->is_whole || x->finder.at.frames.lacks_inner;
	read_place(x, s);
	read_held(x, s);
	if (s->on_cpu)
		s->waits_for = running_in(&x->finder.at);
	else
		read_asleep(x, s);
	if (x->with_stacks)
		s->stack = task_frames_stack(&x->finder.at);
	return ST_OK;
}

/* The memory that the OOM killer waits for, of the task that stands for its process. */
static void read_victim(struct search *x, struct stuck_task *s)
{
	struct oom_process oom;
	const struct mm_user *user;

	if (!x->has_victims || s->task.is_kthread || !s->task.signal)
		return;
	if (oom_process_read(&x->scores, &s->task, &oom) != ST_OK) {
		count_lack(&x->victims_unread, dump_why(x->dump));
		return;
	}
	if (!oom.oom_mm)
		return;
	s->is_victim = true;
	s->has_victim_mm = mm_struct_read(&x->mms, oom.oom_mm, &s->victim_mm) == ST_OK;
	if (!s->has_victim_mm)
		count_lack(&x->victims_unread, dump_why(x->dump));
	user = hash_u64_find(&x->users, oom.oom_mm);
	s->victim_tasks = user ? user->threads : 0;
}

static bool is_row(const struct stuck_task *s)
{
	return s->where || s->is_holder || s->is_on_lock || s->thread || s->task.state == 'D' ||
	       s->stands_for_victim;
}

static void keep_rows(struct search *x)
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

static enum status open_all(struct search *x)
{
	struct dump *d = x->dump;
	enum status st = fault_finder_open(d, &x->finder);
	bool has_faults = st == ST_OK;

	x->no_readers = why(x, st);
	if (!has_faults)
		st = task_frames_open(d, &x->finder.at);
	if (st != ST_OK)
		return st;
	x->has_last_ran = last_ran_open(d, &x->last_ran) == ST_OK;
	st = lock_waiters_open(d, &x->stacks, &x->locks);
	x->has_locks = st == ST_OK;
	x->no_locks = x->has_locks ? NULL : dump_why(d);
	st = mmap_locks_open(d, &x->mmap_locks);
	x->has_mmap_locks = st == ST_OK;
	st = st ?: fault_locks_open(d, &x->mmap_locks.lock, &x->fault_locks);
	x->has_fault_locks = st == ST_OK && has_faults;
	x->no_readers = x->no_readers ?: why(x, st);
	st = oom_scores_open(d, &x->scores) ?: mm_structs_open(d, &x->mms);
	x->has_victims = st == ST_OK;
	x->no_victims = why(x, st);
	return stuck_files_read(&x->files, d);
}

static void find_holders(struct search *x)
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
}

static size_t count_doubted(const struct stuck *r)
{
	size_t n = 0;

	for (const struct stuck_task *s = r->first; s; s = s->next)
		n += stuck_owner_is_doubted(s);
	return n;
}

static void put_gaps(struct search *x)
{
	const struct stuck *r = x->ret;
	const struct gap gaps[] = {
		GAP_WHY("the task list ends early: %s", x->tasks_end),
		{ "the stacks of %s cannot be read: %s", r->unreadable, "thread", "threads",
		  x->why_no_stack },
		{ "%s cannot be followed to the end", r->cut, "stack", "stacks" },
		{ "where %s on a CPU was is unknown: its registers were not found", r->frameless,
		  "thread", "threads" },
		{ "the lock of %s is unknown: %s", x->unknown_locks.n, "thread", "threads",
		  x->unknown_locks.why },
		{ "the lock of %s is unknown: %s", x->untold_locks.n, "thread", "threads",
		  x->untold_locks.why, .is_note = true },
		{ "who has the lock that %s for is unknown: what it names is no task that was found",
		  x->holders.lost, "thread waits", "threads wait" },
		{ "who has the lock that %s for is unknown: the task that had it has exited, its "
		  "task_struct is of a later task",
		  x->holders.reused, "thread waits", "threads wait", .is_note = true },
		{ "who has the lock that %s for is doubtful: the one that it names sleeps by a system call of "
		  "its own; it kept it beyond another one, or has the task_struct of one that exited with it",
		  count_doubted(r), "thread waits", "threads wait", .is_note = true },
		{ "who has the semaphore that %s for is unknown: this kernel does not note it",
		  x->holders.not_kept, "thread waits", "threads wait", .is_note = true },
		{ "who has the lock that %s for is unknown: it names none, or a reader that may have gone",
		  x->holders.untold, "thread waits", "threads wait", .is_note = true },
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
		GAP_WHY("who has the directories of frozen file systems open is not all known: %s",
			x->frozen.why_no_users),
		GAP_WHY("whose answer on a socket such processes wait for is not all known: %s",
			x->ret->why_no_peers),
		GAP_WHY("threads that wait for kswapd may be missing: %s", x->no_kswapd),
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

	x->ret->gaps = GAPS_OF(x->dump, gaps);
}

enum status stuck_collect(struct dump *d, bool with_stacks, struct stuck *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct tasks tasks;
	enum status st;

	*ret = (struct stuck){ 0 };
	*x = (struct search){ .dump = d, .ret = ret, .with_stacks = with_stacks };
	x->last_all = &x->all;
	x->servers.mms = &x->users;
	hash_u64_init(&x->stacks, d->arena, sizeof(uint64_t));
	hash_u64_init(&x->tasks, d->arena, sizeof(struct stuck_task *));
	hash_u64_init(&x->users, d->arena, sizeof(struct mm_user));
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
	ret->why_no_peers = stuck_find_peers(d, ret->frozen, x->all);
	stuck_find_reused(d, x->all, &x->tasks);
	x->no_kswapd = stuck_find_kswapd(d, x->all, &x->tasks);
	find_holders(x);
	for (struct stuck_task *s = x->all; s; s = s->next)
		stuck_find_tracer(&x->tracers, d, &x->tasks, s);
	st = st ?: stuck_files_set_holders(&x->files, x->all, !ret->ends_early);
	ret->file_locks = x->files.first;
	ret->has_file_locks = x->files.complete;
	for (struct stuck_task *s = x->all; s; s = s->next)
		stuck_find_circle(s);
	keep_rows(x);
	put_gaps(x);
	return st == ST_STOPPED ? st : ST_OK;
}
