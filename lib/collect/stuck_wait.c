// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_circle.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_search.h"
#include "log/stall.h"
#include "oom/oom_trace.h"

const char *const stuck_waits[] = {
	"futex",       "mutex",	     "rwsem",	   "rt_mutex", "semaphore", "mmap_lock",
	"flock",       "posix_lock", "ofd_lock",   "lease",    "lock",	    "io",
	"page_lock",   "fuse",	     "rpc",	   "swap_in",  "migration", "userfaultfd",
	"memory_high", "reclaim",    "oom_killer", "work",     "cpu",	    "running",
	"pipe",	       "child",	     "flush_work", "journal",  "sysv_sem",  "fanotify",
	"seccomp",     "socket",     "kthread",	   "other",    NULL,
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

/* What has the rt_mutex that frame i waits for, by the frames of kernel/locking/ around it. */
static enum rt_user rt_user_of(struct stuck_search *x, unsigned int i)
{
	enum rt_user user = RT_ITSELF;
	bool is_rtlock = false;

	for (unsigned int j = 0; j < x->finder.at.frames.n && user == RT_ITSELF; j++) {
		const char *name = task_frames_name(&x->finder.at, j);

		is_rtlock |= wait_is_rtlock(name);
		user = wait_rt_user(name, is_rtlock);
		if (j > i && user == RT_ITSELF && wait_of(name) != WAIT_LOCK)
			break;
	}
	return user;
}

/*
 * A function of rt_mutexes: one that is in no queue of them sleeps there for ever, where the kernel found that its lock would
 * wait for itself (rt_mutex_handle_deadlock(), kernel/locking/rtmutex.c).
 */
static bool is_in_rt_mutex(struct task_frames *at)
{
	return ANY_OF(i, at->frames.n, strstr(task_frames_name(at, i) ?: "", "rt_mutex_slowlock"));
}

/* Of these kinds the kernel has no more: it is not missing in this dump. */
static void note_untold(struct stuck_search *x, enum lock_kind kind)
{
	if (kind == LOCK_UNKNOWN && is_in_rt_mutex(&x->finder.at))
		stuck_note_lack(
			&x->left_locks,
			"it is an rt_mutex, and the thread is in the queue of none, as where "
			"the kernel found that it would wait for itself");
	else
		stuck_note_lack(&x->untold_locks, dump_why(x->dump));
}

/*
 * Of two tasks that wait for one lock the one that has it on its stack is no witness: the list is. False: a runnable task
 * in none was given the lock.
 */
static bool read_lock(struct stuck_search *x, struct stuck_task *s, unsigned int i,
		      enum lock_kind kind)
{
	const struct unwind_frame *f = &x->finder.at.frames.f[i];
	uint64_t low = x->finder.at.stack.sp - x->finder.at.stacks.switch_span;
	enum rt_user user = x->locks.rwsems.is_rt ? rt_user_of(x, i) : RT_ITSELF;
	enum status st = ST_UNKNOWN;

	if (kind == LOCK_REMOTE)
		st = dump_absent(
			x->dump,
			"of a file of a network or cluster file system others know who has it");
	else if (kind == LOCK_FILE)
		st = stuck_files_find(&x->files, &x->finder.at.stack, s);
	else if (kind == LOCK_PERCPU)
		st = stuck_frozen_find(&x->frozen, x->dump, &x->finder.at.stack, s);
	else if (x->has_locks)
		st = kind ? lock_wait_find(&x->locks, s->task.address, &x->finder.at.stack, kind,
					   f->sp, f->end, low, &s->lock)
			  : lock_wait_rt(&x->locks, s->task.address, user, &x->finder.at.stack, low,
					 f->end, &s->lock);
	if (st == ST_ABSENT && s->task.state == 'R' && (kind == LOCK_MUTEX || kind == LOCK_RWSEM))
		return false;
	s->is_on_lock = true;
	s->has_lock = st == ST_OK;
	if (st == ST_ABSENT && (kind == LOCK_UNKNOWN || kind == LOCK_PERCPU || kind == LOCK_REMOTE))
		note_untold(x, kind);
	else if (!s->has_lock)
		stuck_note_lack(&x->unknown_locks, x->no_locks ?: dump_why(x->dump));
	return true;
}

/* Since 6.15 a VMA has no rw_semaphore: a writer sleeps until its readers are gone. */
static void read_vma_wait(struct stuck_search *x, struct stuck_task *s)
{
	const uint64_t *mm = hash_u64_find(&x->writers, s->task.address);
	const struct stuck_mm_user *user = mm ? hash_u64_find(&x->users, *mm) : NULL;

	if (!user || s->is_on_lock)
		return;
	s->is_on_lock = s->has_lock = true;
	s->lock.lock = *mm + x->fault_locks.vma_writer.offset;
	s->lock_name = dump_text(x->dump, "lock of a VMA of %d", user->tgid);
}

/* The server that a task waits for, by its entry in a queue, which is in the frames up to end. */
static void read_server(struct stuck_search *x, struct stuck_task *s, enum wait_kind kind,
			uint64_t end)
{
	const struct stuck_mm_user *user;

	s->is_on_server = true;
	if (stuck_server_find(&x->servers, x->dump, &x->finder.at, kind, end, s) != ST_OK)
		stuck_note_lack(&x->unknown_servers, dump_why(x->dump));
	user = s->userfault ? hash_u64_find(&x->users, s->userfault->mm) : NULL;
	if (user)
		s->lock_name = dump_text(x->dump, "userfaultfd of %d", user->tgid);
}

/* Of one that can run, whose answer may have come. */
static void read_woken(struct stuck_search *x, struct stuck_task *s, uint64_t end)
{
	enum status st = stuck_server_find(&x->servers, x->dump, &x->finder.at, WAIT_RPC, end, s);

	s->is_on_server = st == ST_OK;
	if (st != ST_OK && st != ST_ABSENT)
		stuck_note_lack(&x->unknown_servers, dump_why(x->dump));
}

/* What waits for a bit calls its function two frames further in: out_of_line_wait_on_bit(), __wait_on_bit(). */
#define BIT_WAIT 2

static uint64_t end_of(const struct unwind *w, unsigned int i)
{
	return w->f[i < w->n ? i : w->n - 1].end;
}

/* The end of writeback, in the frames up to end: of a FUSE file its server makes it. */
static enum wait_kind read_writeback(struct stuck_search *x, struct stuck_task *s, uint64_t end)
{
	s->is_on_server = stuck_server_of_page(&x->servers, x->dump, &x->finder.at, end, false,
					       s) == ST_OK;
	return s->is_on_server ? WAIT_FUSE : WAIT_IO;
}

/* A page that is locked until it is read: of a FUSE file its server sends what it has. */
static enum wait_kind read_page_lock(struct stuck_search *x, struct stuck_task *s)
{
	const struct unwind *w = &x->finder.at.frames;
	uint64_t end = 0;

	for (unsigned int i = 0; i < w->n; i++)
		if (wait_of_sleeper(task_frames_name(&x->finder.at, i)) == WAIT_PAGE_LOCK)
			end = w->f[i].end;
	s->is_on_server = end && stuck_server_of_page(&x->servers, x->dump, &x->finder.at, end,
						      true, s) == ST_OK;
	return s->is_on_server ? WAIT_FUSE : WAIT_PAGE_LOCK;
}

/* What reclaims memory gives up the CPU, too; asleep in it, a thread waits for what others free. */
static bool is_wait(enum wait_kind of, bool is_sleeper)
{
	return of != WAIT_NONE && of != WAIT_LOCK && (of < WAIT_MEMORY_HIGH || is_sleeper);
}

/* What its innermost frames wait for, up to the one that says where it is. *end: of the frames that wait for a server. */
static enum wait_kind read_frames(struct stuck_search *x, struct stuck_task *s, uint64_t *end)
{
	enum wait_kind kind = WAIT_NONE;
	bool is_timeout = false;

	for (unsigned int i = 0; i < x->finder.at.frames.n; i++) {
		const char *name = task_frames_name(&x->finder.at, i);
		bool is_sleeper = !s->function && !wait_is_scheduler(name);
		enum wait_kind of = is_sleeper ? wait_of_sleeper(name) : wait_of(name);

		if (is_sleeper) {
			s->function = task_frames_at(&x->finder.at, i);
			if (s->thread && thread_is_idle(name) && s->task.state != 'R') {
				s->where = PLACE_IDLE;
				break;
			}
		}
		if (s->function && (!s->caller || is_timeout) && of == WAIT_NONE &&
		    (s->task.state == 'S' || s->task.state == 'D')) {
			s->call = wait_call(name, user_call_files(&x->calls, &x->finder.at.stack));
			s->polls = s->call && s->task.state == 'D';
			is_timeout = wait_is_timeout(name);
		}
		if (s->function && !s->caller && of == WAIT_NONE && !wait_is_completion(name) &&
		    !wait_is_for_packet(name))
			s->caller = task_frames_at(&x->finder.at, i);
		s->is_on_completion |= s->function && !s->caller && wait_is_completion(name) &&
				       !is_function(name, "wait_for_partner");
		/* Woken, it has no request any more. */
		if (of == WAIT_LOCK && is_sleeper && s->task.state == 'R' &&
		    wait_lock_kind(name) == LOCK_FILE)
			of = WAIT_NONE;
		if (of == WAIT_LOCK && read_lock(x, s, i, wait_lock_kind(name)))
			break;
		/* A page is waited for, and io_schedule() called, for more than one reason, which the next frames tell. */
		if (is_wait(of, is_sleeper) && kind <= WAIT_PAGE_LOCK && of > kind)
			kind = of;
		if (kind == WAIT_PAGE_LOCK && wait_is_writeback(name))
			return s->task.state == 'R'
				       ? WAIT_IO
				       : read_writeback(x, s, end_of(&x->finder.at.frames, i));
		if (wait_is_for_answer(kind) && of == kind)
			*end = end_of(&x->finder.at.frames, kind == WAIT_RPC ? i + BIT_WAIT : i);
		if (place_of(name) != PLACE_NONE)
			break;
	}
	return kind;
}

static const char *word_of(const struct stuck_task *s, enum wait_kind kind)
{
	return s->where == PLACE_IDLE ? "work"
	       /* Who has that lock runs it. */
	       : s->where == PLACE_OOM_LOCK ? wait_name(WAIT_OOM_KILLER)
	       : s->file_lock		    ? file_lock_kinds[s->file_lock->lock->kind]
	       : s->is_on_mmap_lock	    ? "mmap_lock"
	       : s->is_on_lock		    ? lock_kinds[s->lock.kind]
	       : s->task.state == 'R' && !s->is_on_server ? "cpu"
	       : kind != WAIT_NONE			  ? wait_name(kind)
	       : s->function				  ? "other"
							  : NULL;
}

/* oom_lock, or another lock that is a variable of vmlinux or of a module. */
static const char *symbol_of(struct stuck_search *x, uint64_t lock)
{
	const struct frame *f = symbolize(&x->finder.at.symbols, lock);
	char text[256];

	if (!f || !f->symbol || f->offset || f->label)
		return NULL;
	return dump_strdup(x->dump, function_text(f, text, sizeof(text)));
}

/* That of a file or of a file system. */
static const char *object_of(struct stuck_search *x, uint64_t lock)
{
	if (!x->objects) {
		x->objects = dump_alloc(x->dump, sizeof(*x->objects));
		x->has_objects = lock_objects_open(x->dump, x->objects) == ST_OK;
	}
	return x->has_objects ? lock_object_name(x->objects, lock) : NULL;
}

/* Before handle_mm_fault() there is no other lock that a fault may wait for, but one that has a name. */
static const struct stuck_mm_user *user_of_mmap_lock(struct stuck_search *x,
						     const struct stuck_task *s)
{
	const struct stuck_mm_user *user = NULL;

	if (s->has_lock && x->has_mmap_locks && s->lock.kind != LOCK_MUTEX)
		user = hash_u64_find(&x->users, s->lock.lock - x->mmap_locks.lock.offset);
	if (!user && !s->lock_name && s->fault && !s->fault->has_handler)
		user = hash_u64_find(&x->users, s->task.mm);
	return user;
}

static bool is_in_pi_futex(struct task_frames *at)
{
	return ANY_OF(i, at->frames.n, is_function(task_frames_name(at, i), "futex_lock_pi"));
}

static const char *pi_name(struct stuck_search *x, struct stuck_task *s)
{
	stuck_futex_note(&x->futexes, x->dump, &x->calls, &x->finder.at, s);
	return s->futex ? dump_text(x->dump, "PI futex %#lx of %d", s->futex->address, s->task.tgid)
			: dump_text(x->dump, "a PI futex of %d", s->task.tgid);
}

static void name_lock(struct stuck_search *x, struct stuck_task *s)
{
	const struct stuck_mm_user *user;

	if (s->has_lock)
		s->lock_name = symbol_of(x, s->lock.lock) ?: object_of(x, s->lock.lock);
	if (s->lock_name && !strcmp(s->lock_name, "oom_lock"))
		s->where = PLACE_OOM_LOCK;
	if (s->lock.kind == LOCK_RT_MUTEX && s->task.mm && is_in_pi_futex(&x->finder.at)) {
		s->is_on_pi_futex = true;
		s->lock_name = pi_name(x, s);
		return;
	}
	user = user_of_mmap_lock(x, s);
	if (!user)
		return;
	s->is_on_mmap_lock = true;
	s->lock_name = dump_text(x->dump, "mmap_lock of %d", user->tgid);
	if (s->where < PLACE_MMAP_LOCK)
		s->where = PLACE_MMAP_LOCK;
}

/* What waits for another thread, as jbd2, has no name of a wait: its stack may tell of which disk. */
static bool may_wait_for_disk(const struct stuck_task *s, enum wait_kind kind)
{
	return s->task.state == 'D' && s->function && !s->is_on_lock && !s->is_on_server &&
	       (kind == WAIT_NONE || kind == WAIT_IO || kind == WAIT_PAGE_LOCK ||
		kind == WAIT_SWAP_IN);
}

/* A task that is asleep, or waits for a CPU: its frames are exact. */
static void read_asleep(struct stuck_search *x, struct stuck_task *s)
{
	uint64_t end = 0;
	enum wait_kind kind = read_frames(x, s, &end);
	bool is_awake = s->task.state == 'R' || s->where == PLACE_IDLE;

	/* A request of the thread that waits says more than the name of a function. */
	if (!s->is_on_lock && !is_awake)
		s->is_on_lock = s->has_lock = stuck_files_find(&x->files, &x->finder.at.stack, s) ==
					      ST_OK;
	if (s->where != PLACE_IDLE)
		read_vma_wait(x, s);
	if (end && !s->is_on_lock && !is_awake)
		read_server(x, s, kind, end);
	/* Its timer has woken it, and it has no answer: that it can run is not what it waits for. */
	if (end && !s->is_on_lock && kind == WAIT_RPC && s->task.state == 'R')
		read_woken(x, s, end);
	if (kind == WAIT_PAGE_LOCK && !s->is_on_lock && s->task.state == 'D')
		kind = read_page_lock(x, s);
	if (!s->where && (s->is_on_lock || s->is_on_server))
		s->where = s->is_on_lock ? PLACE_LOCK : PLACE_SERVER;
	if (s->is_on_lock && !s->lock_name)
		name_lock(x, s);
	if (s->is_on_lock)
		stuck_read_reclaim(&x->finder.at, s);
	s->waits_for = word_of(s, kind);
	if (s->task.mm && !s->is_on_lock && s->task.state == 'S' && s->function &&
	    s->function->symbol && stuck_is_futex_wait(s->function->symbol))
		stuck_futex_note(&x->futexes, x->dump, &x->calls, &x->finder.at, s);
	if (may_wait_for_disk(s, kind))
		stuck_disk_find(&x->disks, x->dump, &x->finder.at, kind == WAIT_PAGE_LOCK, s);
}

/* On a CPU, what it runs is not always its own: reclaim, and the OOM killer, are what keeps it. */
static void read_running(struct task_frames *at, struct stuck_task *s)
{
	enum wait_kind kind = WAIT_NONE;
	bool takes_page = false;

	for (unsigned int i = 0; i < at->frames.n; i++) {
		const char *name = task_frames_name(at, i);
		enum wait_kind of = wait_of_frame(name, &takes_page);

		if (!s->runs && !at->frames.lacks_inner && !wait_is_scheduler(name))
			s->runs = task_frames_at(at, i);
		s->panics |= name && is_function(name, "panic");
		s->spins |= name && !at->frames.lacks_inner && stall_spins_in(name);
		kind = of > kind ? of : kind;
	}
	/* Frames inside of reclaim may be of the OOM killer; inside of that there is nothing else. */
	s->waits_for = kind == WAIT_OOM_KILLER	? wait_name(kind)
		       : at->frames.lacks_inner ? NULL
		       : kind == WAIT_RECLAIM	? wait_name(kind)
						: "running";
}

#define REST_FRAMES 6u /* below the scheduler: a call waits near its innermost frame */

/* Of a driver out of tree a read may be what hangs; of the kernel's own it waits for data. */
static bool rests(struct stuck_search *x, const struct stuck_task *s)
{
	bool reads = false;

	for (unsigned int i = 0, n = 0; i < x->finder.at.frames.n; i++) {
		const char *name = task_frames_name(&x->finder.at, i);
		const enum wait_rest of = wait_rest_of(name);

		if (n == 1 && wait_is_of_loop(name, s->task.state))
			return true;
		n += !wait_is_scheduler(name);
		if (of == WAIT_RESTS && n <= REST_FRAMES)
			return true;
		reads |= of == WAIT_MAY_READ;
	}
	return reads && s->task.state == 'S' &&
	       !stuck_is_foreign(x->foreign,
				 stuck_module_frame(x->dump, &x->finder.at, &x->foreign));
}

static void read_rest(struct stuck_search *x, struct stuck_task *s)
{
	const char *call = NULL;

	s->is_at_rest = rests(x, s);
	for (unsigned int i = x->finder.at.frames.n; i-- && !call && !s->is_at_rest;)
		call = system_call_name(task_frames_name(&x->finder.at, i));
	s->system_call = call ? dump_strdup(x->dump, call) : NULL;
}

void stuck_read_wait(struct stuck_search *x, struct stuck_task *s)
{
	if (!s->on_cpu && s->task.mm && (s->task.state == 'S' || s->task.state == 'D'))
		read_rest(x, s);
	if (s->on_cpu)
		read_running(&x->finder.at, s);
	else
		read_asleep(x, s);
}

bool stuck_waits_for_rpc(const struct stuck_task *s)
{
	return s->waits_for && !strcmp(s->waits_for, wait_name(WAIT_RPC));
}
