// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_holders.h"

#include "collect/stuck_reused.h"
#include "collect/stuck_servers.h"
#include "collect/stuck_tracers.h"
#include "collect/unuse_lock.h"
#include "util/units.h"

const char *const stuck_holder_modes[] = {
	"writer",	  "itself",	   "reader",	  "last_reader",
	"waiting_reader", "server",	   "process",	  "processes",
	"last_holder",	  "kswapd",	   "pipe_reader", "pipe_writer",
	"child",	  "futex_owner",   "undo",	  "worker",
	"journal",	  "queued_writer", "free_worker", "cpu",
	"stopped",	  "starts",	   NULL
};

/* Of a lock of a file it is unknown where one process was found, and others may have it. */
const char *stuck_holder_mode(const struct stuck_task *s)
{
	const struct stuck_file_lock *l = s->file_lock;

	if (!s->holder)
		return NULL;
	if (l && l->processes < 2)
		return l->complete ? stuck_holder_modes[HOLDS_PROCESS] : NULL;
	return stuck_holder_modes[s->holds];
}

/*
 * A reader may have gone, and left its name: it is the holder only where a live frame of it still has the
 * lock, or the mm_struct whose lock it is.
 */
static bool has_in_frames(struct stuck_holders *x, uint64_t task, uint64_t lock)
{
	uint64_t word, mm = x->mmap_lock ? lock - x->mmap_lock->offset : lock;
	struct task_stack s;

	if (task_stack_read(x->stacks, task, &s) != ST_OK || s.on_cpu)
		return false;
	for (uint64_t at = s.sp - x->stacks->switch_span; at < s.base + s.size; at += 8)
		if (task_stack_word(&s, at, &word) && (word == lock || word == mm))
			return true;
	return false;
}

/* What gives it back is the kernel's (may_give_back()). */
bool stuck_keeps_lock_in_fault(const struct stuck_task *s)
{
	return s->fault && s->module_frame && s->caller && s->caller->module &&
	       !strcmp(s->waits_for ?: "", "other");
}

/*
 * The reader that a lock notes: not one that was born after a waiter of it stopped, or waits for it again, nor in a page fault of that memory which gave the lock
 * back, or never had it, nor one that is at rest in a system call of its own: words on its stack are of before.
 */
static struct stuck_task *noted_reader(struct stuck_holders *x, const struct stuck_task *s)
{
	struct stuck_task *const *found = hash_u64_find(x->tasks, s->lock.owner);
	struct stuck_task *noted = s->lock.by == LOCK_OWNER_READ && found ? *found : NULL;

	if (!noted || s->owner_is_younger ||
	    (noted->has_lock && noted->lock.lock == s->lock.lock) ||
	    (noted->held.mmap_lock == s->lock.lock && !stuck_keeps_lock_in_fault(noted)) ||
	    stuck_sleeps_at_will(noted))
		return NULL;
	return has_in_frames(x, s->lock.owner, s->lock.lock) ? noted : NULL;
}

/* The reader that a writer waits for, and that waits behind it to read once more. */
static struct stuck_task *reader_again(struct stuck_holders *x, const struct stuck_task *s)
{
	struct stuck_task *const *found = hash_u64_find(x->tasks, s->lock.owner);

	return s->lock.by == LOCK_OWNER_READ && !s->owner_is_younger && found && *found != s &&
			       (*found)->has_lock && (*found)->lock.lock == s->lock.lock &&
			       (*found)->lock.writer == s->task.address
		       ? *found
		       : NULL;
}

static void set_holder(struct stuck_task *s, struct stuck_task *holder, enum stuck_holds holds)
{
	if (!holder || s->holder)
		return;
	s->holder = holder;
	s->holds = holds;
	holder->is_holder = true;
}

/* One that was given the lock, was woken, or runs is about to take it. */
static bool waits_for_itself(const struct stuck_task *s)
{
	return !s->lock.is_handed && !s->on_cpu && s->task.state != 'R';
}

static void set_owner(struct stuck_holders *x, struct stuck_task *s)
{
	struct stuck_task *const *found = hash_u64_find(x->tasks, s->lock.owner);

	if (found && *found != s)
		set_holder(s, *found, HOLDS_LOCK);
	else if (found && waits_for_itself(s))
		set_holder(s, s, HOLDS_ITSELF);
}

/* Of one that took it twice, or has the task_struct of one that took it and exited, nothing is known. */
static void set_last(struct stuck_holders *x, struct stuck_task *s)
{
	struct stuck_task *const *found = hash_u64_find(x->tasks, s->lock.owner);

	if (found && *found == s)
		s->unheld = UNHELD_SELF_LAST;
	else
		set_holder(s, found ? *found : NULL, HOLDS_LAST);
}

static void set_reader(struct stuck_holders *x, struct stuck_task *s)
{
	struct stuck_task *const *found = s->lock.writer ? hash_u64_find(x->tasks, s->lock.writer)
							 : NULL;

	set_holder(s, found ? *found : NULL, HOLDS_QUEUED);
	found = hash_u64_find(x->readers, s->lock.lock);
	if (found && *found != s && !s->holder) {
		if ((*found)->held.vma_start)
			s->lock_name = arena_text(x->arena, "lock of VMA %#lx of %d",
						  (*found)->held.vma_start, (*found)->task.tgid);
		set_holder(s, *found, HOLDS_READER);
	}
	set_holder(s, noted_reader(x, s), HOLDS_NOTED);
	set_holder(s, reader_again(x, s), HOLDS_AGAIN);
	if (!s->holder)
		s->unheld = UNHELD_UNTOLD;
}

/* By what the lock notes where that is no live task. */
static const uint8_t unheld_by[] = {
	[LOCK_OWNER_NOT_KEPT] = UNHELD_NOT_KEPT,
	[LOCK_OWNER_GONE] = UNHELD_GONE,
	[LOCK_OWNER_LOST] = UNHELD_LOST,
	[LOCK_OWNER_REUSED] = UNHELD_REUSED,
};

void stuck_find_holder(struct stuck_holders *x, struct stuck_task *s)
{
	set_holder(s, stuck_server_of(s), HOLDS_SERVER);
	if (!s->has_lock || s->frozen || s->file_lock || s->lock.kind == LOCK_FUTEX)
		return;
	switch (s->lock.by) {
	case LOCK_OWNER_HAS_IT:
		set_owner(x, s);
		break;
	case LOCK_OWNER_LAST:
		set_last(x, s);
		break;
	case LOCK_OWNER_UNKNOWN:
	case LOCK_OWNER_READ:
		set_reader(x, s);
		break;
	default:
		s->unheld = unheld_by[s->lock.by];
	}
}

void stuck_find_tracer(struct stuck_tracers *x, struct dump *d, const struct hash_u64 *tasks,
		       struct stuck_task *s)
{
	struct stuck_task *const *found;
	enum status st;
	uint64_t task;

	if (s->task.state != STATE_TRACED)
		return;
	s->is_traced = true;
	if (!x->is_open)
		x->status = tracers_open(d, &x->tracers);
	x->is_open = true;
	st = x->status ?: tracer_of(&x->tracers, s->task.address, &task);
	found = st == ST_OK ? hash_u64_find(tasks, task) : NULL;
	if (st == ST_OK && !found)
		st = dump_fail(d, ST_UNKNOWN, "its task_struct at %#lx was not found", task);
	if (st == ST_OK)
		s->tracer = *found;
	else if (!x->unknown++)
		x->why = dump_why(d);
}

/* Of unuse_mm() and what it calls a compiler keeps those that it likes; kthread_unuse_mm() was unuse_mm() up to 5.7. */
bool unuse_has_lock(const char *function)
{
	return !strncmp(function, "unuse_p", 7) || is_function(function, "unuse_vma");
}

uint64_t unuse_find_mm(const struct task_stack *s, uint64_t from, uint64_t end,
		       const struct hash_u64 *mms, uint64_t mmap_lock)
{
	uint64_t found = 0, word;

	for (uint64_t at = from & ~7ULL; at < end; at += 8) {
		if (!task_stack_word(s, at, &word))
			continue;
		if (!hash_u64_has(mms, word))
			word -= mmap_lock;
		if (word == found || !hash_u64_has(mms, word))
			continue;
		if (found)
			return 0;
		found = word;
	}
	return found;
}

uint64_t unuse_mm_of(struct task_frames *at, const struct hash_u64 *mms, uint64_t mmap_lock)
{
	const struct unwind *w = &at->frames;
	unsigned int outer = w->n;

	for (unsigned int i = 0; i < w->n; i++)
		if (unuse_has_lock(task_frames_name(at, i)))
			outer = i + 1;
	if (outer >= w->n || at->stack.on_cpu)
		return 0;
	return unuse_find_mm(&at->stack, at->stack.sp - at->stacks.switch_span, w->f[outer].end,
			     mms, mmap_lock);
}

/* Those of a circle are told by themselves. */
static bool is_alike(const struct stuck_task *of, const struct stuck_task *t)
{
	return t != of && t->has_lock && !t->is_deadlocked && stuck_same_lock(of, t);
}

/* The first thread of its process; of one that has exited the thread itself. */
static const struct stuck_task *first_of(const struct stuck *x, const struct stuck_task *t)
{
	stuck_for_each(s, x)
		if (s->task.pid == t->task.tgid)
			return s;
	return t;
}

void stuck_add_alike(const struct stuck *x, const struct stuck_task *of, struct strbuf *b)
{
	const struct stuck_task *first = NULL;
	size_t n = 0;
	bool is_of_one = true;

	for (const struct stuck_task *t = of->has_lock ? x->first : NULL; t; t = t->next)
		if (is_alike(of, t)) {
			first = first ?: t;
			is_of_one &= t->task.tgid == first->task.tgid;
			n++;
		}
	if (!n)
		return;
	first = first_of(x, first);
	strbuf_add(b, ", and so do%s %s%s, %s%s (%d)", n == 1 ? "es" : "",
		   x->cut.n || x->unreadable || x->ends_early ? "at least " : "",
		   COUNT_OF(n, "more thread"), is_of_one ? "of " : "of which one is of ",
		   first->task.comm, first->task.tgid);
}

/* One lock that threads wait for. */
struct lock {
	const struct stuck_task *first;
	size_t waiting;
};

/* Of the same reason; doubt where unheld is UNHELD_NOT. */
struct reason {
	enum stuck_unheld unheld;
	enum stuck_doubt doubt;
	const char *text; /* behind the threads and the lock, or locks */
};

#define EXITED "has the task_struct of one that exited with it"

static const struct reason reasons[] = {
	{ UNHELD_LOST, DOUBT_NONE,
	  "unknown: the task that it names is in no list of tasks: it has ended, or the lock is "
	  "damaged" },
	{ UNHELD_REUSED, DOUBT_NONE,
	  "unknown: the task that had it has exited, its task_struct is of a later task" },
	{ UNHELD_GONE, DOUBT_NONE,
	  "unknown: the task that it names has exited, and so may have one before it that had the "
	  "same task_struct" },
	{ UNHELD_NOT, DOUBT_ASLEEP,
	  "doubtful: the one that it names sleeps by a system call of its own; it kept it beyond "
	  "another one, or " EXITED },
	{ UNHELD_NOT, DOUBT_YOUNGER,
	  "doubtful: the one that it names was born after a waiter of it stopped; it came first "
	  "when the lock was given back, or " EXITED },
	{ UNHELD_NOT, DOUBT_NO_TRAIL,
	  "doubtful: nothing on the stack of the one that it names leads to it; it kept it of an "
	  "earlier call, or " EXITED },
	{ UNHELD_NOT, DOUBT_BEHIND,
	  "doubtful: the one that it names comes to it only behind where it waits; it kept it of "
	  "an earlier call, or " EXITED },
	{ UNHELD_NOT, DOUBT_SHARED,
	  "doubtful: the one that it names waits for another lock in the same function; it took "
	  "this first, or " EXITED },
	{ UNHELD_NOT, DOUBT_LIKELY,
	  "likely so, not certain: the one that it names waits for another lock in the function "
	  "in which both wait; a task that exited with it may have had its task_struct" },
	{ UNHELD_NOT, DOUBT_WAITS,
	  "doubtful: the one that it names waits for it itself; it took it before, or " EXITED },
	{ UNHELD_NOT_KEPT, DOUBT_NONE, "unknown: of a semaphore this kernel does not note it" },
	{ UNHELD_SELF_LAST, DOUBT_NONE,
	  "unknown: the last that took this semaphore has the task_struct of one that waits" },
	{ UNHELD_UNTOLD, DOUBT_NONE, "unknown: it names none, or a reader that may have gone" },
};

static bool is_of(const struct stuck_task *s, const struct reason *r)
{
	return r->unheld ? s->unheld == r->unheld : s->has_lock && stuck_owner_doubt(s) == r->doubt;
}

static void find_locks(const struct stuck *x, const struct reason *r, struct hash_u64 *ret)
{
	stuck_for_each(s, x) {
		struct lock *of;

		if (!is_of(s, r))
			continue;
		of = hash_u64_get(ret, stuck_lock_key(s), NULL);
		of->first = of->first ?: s;
		of->waiting++;
	}
}

/* The one with most waiters, of those that are not told; of as many the first. */
static struct lock *most_of(const struct hash_u64 *locks)
{
	struct lock *ret = NULL;

	hash_u64_for_each(struct lock, of, locks)
		if (of->waiting && (!ret || of->waiting > ret->waiting))
			ret = of;
	return ret;
}

static const char *text_of(const struct stuck *x, const struct reason *r)
{
	return r->unheld == UNHELD_LOST && x->ends_early
		       ? "unknown: what it names is no task that was found"
		       : r->text;
}

/* The name of a file may have whatever stands for a text: it is none of the format. */
static struct gap gap_of(struct dump *d, const struct stuck *x, const struct reason *r, size_t n,
			 const char *what, bool is_one)
{
	return (struct gap){
		.text = dump_text(d, "%%s for %%s, who has %s is %s", is_one ? "it" : "each",
				  text_of(x, r)),
		.n = n,
		.one = "thread waits",
		.many = "threads wait",
		.why = what,
		.is_note = r->unheld != UNHELD_LOST,
	};
}

static size_t put_reason(struct dump *d, const struct stuck *x, const struct reason *r,
			 struct gap *to)
{
	struct hash_u64 locks; /* of struct lock by stuck_lock_key() */
	size_t n = 0, more = 0, waiting = 0;
	struct lock *of;

	hash_u64_init(&locks, d->arena, sizeof(struct lock));
	find_locks(x, r, &locks);
	while (n < STUCK_LOCKS_TOLD && (of = most_of(&locks))) {
		to[n++] = gap_of(d, x, r, of->waiting,
				 of->first->lock_name
					 ?: dump_text(d, "the lock at 0x%lx", of->first->lock.lock),
				 true);
		of->waiting = 0;
	}
	hash_u64_for_each(const struct lock, rest, &locks) {
		more += rest->waiting != 0;
		waiting += rest->waiting;
	}
	if (more)
		to[n++] = gap_of(d, x, r, waiting, dump_strdup(d, COUNT_OF(more, "more lock")),
				 more == 1);
	return n;
}

struct gaps stuck_doubt_gaps(struct dump *d, const struct stuck *x)
{
	struct gap *rows = dump_alloc(d,
				      ARRAY_SIZE(reasons) * (STUCK_LOCKS_TOLD + 1) * sizeof(*rows));
	struct gaps ret = { rows, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		ret.n += put_reason(d, x, &reasons[i], rows + ret.n);
	return ret;
}
