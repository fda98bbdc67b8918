// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_reused.h"

#include "collect/stuck_futexes.h"
#include "kernel/machine.h"

/*
 * NTP turns CLOCK_MONOTONIC by 500 ppm at most (MAXFREQ of include/linux/timex.h), and the frequency that the clock of
 * the scheduler rests on may be as wrong.
 */
#define DRIFT_SHARE 1000
#define TICKS_NS 20000000LL	/* two ticks, of 100 a second: the clocks are of the last one */
#define UNKNOWN_NS 1000000000LL /* if not both clocks are in the dump */

/* By how much CLOCK_MONOTONIC is ahead of the clock of the scheduler, and how wrong that may be. */
struct lead {
	int64_t ns, error_ns;
	uint64_t end_ns, lag_ns;
};

/* Of the waiters of a lock. */
struct waiting {
	uint64_t n, newest_ns, oldest_ns; /* the last: 0: of none it is known */
	bool may_run;			  /* one was woken: the lock was given back */
	bool unknown;			  /* when one stopped */
};

static const struct layout_row clock_rows[] = {
	{ "struct rq", { "clock" }, REQUIRED, "all" },
	{ "struct rq", { "clock_task" }, REQUIRED, "all" },
};

/*
 * The latest clock of a CPU, and by how much the one that exec_start is of may be behind: it leaves out interrupts and
 * what a hypervisor took, all since boot.
 */
static enum status read_clocks(struct dump *d, struct lead *ret)
{
	struct field f[ARRAY_SIZE(clock_rows)];
	struct percpu cpus;
	uint64_t base, clock, task;
	enum status st = layout_resolve(d, clock_rows, ARRAY_SIZE(clock_rows), f) ?:
			 dump_symbol(d, "runqueues", &base) ?: percpu_open(d, &cpus);

	for (unsigned int i = 0; st == ST_OK && i < cpus.n; i++) {
		const uint64_t rq = base + cpus.offset[i];

		st = dump_u64(d, rq + f[0].offset, &clock, "struct rq")
			     ?: dump_u64(d, rq + f[1].offset, &task, "struct rq");
		if (st != ST_OK)
			return st;
		if (clock > INT64_MAX / 2 || task > clock)
			return dump_corrupt(d, "the clock of a run queue is damaged");
		if (clock > ret->end_ns)
			ret->end_ns = clock;
		if (clock - task > ret->lag_ns)
			ret->lag_ns = clock - task;
	}
	return st;
}

static enum status read_lead(struct dump *d, struct lead *ret)
{
	struct lead lead = { .error_ns = UNKNOWN_NS };
	uint64_t tick;
	enum status st = read_clocks(d, &lead);

	if (st != ST_OK)
		return st;
	if (tick_read(d, &tick) == ST_OK) {
		lead.ns = (int64_t)tick - (int64_t)lead.end_ns;
		lead.error_ns = TICKS_NS;
	}
	*ret = lead;
	return ST_OK;
}

static bool names_owner(const struct stuck_task *s)
{
	return s->has_lock && !s->file_lock &&
	       (s->lock.by == LOCK_OWNER_HAS_IT || s->lock.by == LOCK_OWNER_LAST ||
		s->lock.by == LOCK_OWNER_READ);
}

/* A reader is named by a lock that others may have read meanwhile: none of these need have kept it. */
static bool names_reader(const struct stuck_task *s)
{
	return s->lock.by == LOCK_OWNER_READ;
}

static void add_waiter(struct hash_u64 *locks, const struct stuck_task *s)
{
	struct waiting *w = hash_u64_get(locks, s->lock.lock, NULL);

	w->n++;
	w->may_run |= s->task.state == 'R' || s->on_cpu;
	w->unknown |= !s->has_since;
	if (s->since_ns > w->newest_ns)
		w->newest_ns = s->since_ns;
	if (s->has_since && (!w->oldest_ns || s->since_ns < w->oldest_ns))
		w->oldest_ns = s->since_ns;
}

/* Whether the owner was born after a waiter stopped at since_ns. */
static bool is_born_behind(const struct lead *lead, uint64_t since_ns, const struct task *owner)
{
	int64_t stopped = (int64_t)(since_ns + lead->lag_ns);

	if (!owner->start_ns || owner->start_ns > INT64_MAX / 2 || since_ns > lead->end_ns)
		return false;
	return (int64_t)owner->start_ns - lead->ns - stopped >
	       lead->error_ns + (int64_t)(lead->end_ns - since_ns) / DRIFT_SHARE;
}

/*
 * Who waits may have been woken, and have gone back to sleep: then it is the newest of all waiters. Where not all of them
 * are known, or a newer one came, the owner may have come by the one that was to get the lock, unless one is just woken.
 */
static void judge(const struct lead *lead, const struct waiting *w, struct stuck_task *s,
		  const struct task *owner)
{
	bool is_whole = !w->unknown && w->n >= s->lock.waiters;

	if (w->may_run)
		return;
	if (is_whole && !names_reader(s) && is_born_behind(lead, w->newest_ns, owner))
		s->lock.by = LOCK_OWNER_REUSED;
	else if (w->oldest_ns && is_born_behind(lead, w->oldest_ns, owner))
		s->owner_is_younger = true;
}

static bool has_exited(struct stuck_task *const *owner)
{
	return owner && strchr("ZX", (*owner)->task.state) && (*owner)->task.state;
}

void stuck_find_reused(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks)
{
	struct hash_u64 locks;
	struct lead lead;
	bool is_named = false;
	enum status st;

	hash_u64_init(&locks, d->arena, sizeof(struct waiting));
	for (struct stuck_task *s = all; s; s = s->next)
		if (names_owner(s) && !names_reader(s) &&
		    has_exited(hash_u64_find(tasks, s->lock.owner)))
			s->lock.by = LOCK_OWNER_GONE;
		else if (names_owner(s)) {
			add_waiter(&locks, s);
			is_named = true;
		}
	if (!is_named)
		return;
	st = read_lead(d, &lead);
	if (st != ST_OK) {
		dump_lacks(d, "whether owners of locks are older than who waits for them", st, "%s",
			   dump_why(d));
		return;
	}
	for (struct stuck_task *s = all; s; s = s->next) {
		struct stuck_task *const *owner = names_owner(s)
							  ? hash_u64_find(tasks, s->lock.owner)
							  : NULL;

		if (owner)
			judge(&lead, hash_u64_find(&locks, s->lock.lock), s, &(*owner)->task);
	}
}

static bool keeps_no_lock(const struct frame *f, char state)
{
	return f && !f->module && f->symbol && wait_keeps_no_lock(f->symbol, state);
}

bool stuck_sleeps_at_will(const struct stuck_task *t)
{
	/* What is stopped was about to return to user mode. */
	return t->task.mm && (t->task.state == 'T' || t->task.state == 't' || t->file_lock ||
			      keeps_no_lock(t->caller, t->task.state) ||
			      keeps_no_lock(t->function, t->task.state));
}

/*
 * How far before its lock an object may begin, and how much of what a pointer leads to is looked at: what is farther is
 * found less often, what is nearer by chance, which leaves the holder as the lock names it.
 */
#define OBJECT_BYTES 16384u
#define BEHIND_BYTES 1024u
#define OWN_BYTES 256u	    /* of a lock, with what debugging adds */
#define POINTED_BYTES 64u   /* the same at the end of what the dump has */
#define MAX_FUNCTION 65536u /* no function has more text */
#define CALL 0xe8	    /* to 32 bits from its end on, and the jump that ends a function */
#define JUMP 0xe9

struct trail {
	struct task_frames *at;
	uint64_t own; /* the lock that the task waits for: what lies behind it is of others */
	uint64_t lock, reach; /* the variable that it is in has its bounds, as a table of locks */
	bool leads_to_both; /* what leads there is of an object with the lock that the task waits for, too */
};

/* What leads to the lock that the task waits for as well, it has for that one. */
static bool is_before_lock(struct trail *t, uint64_t word)
{
	if (word > t->lock || t->lock - word >= t->reach)
		return false;
	if (!t->own || t->own == t->lock)
		return true;
	/* What points into that lock, as to its list, is of it; not what points to the other one, which lies behind it. */
	if (word > t->own ? word == t->lock || word - t->own > OWN_BYTES
			  : t->own - word >= t->reach)
		return true;
	t->leads_to_both = true;
	return false;
}

static bool has_word(struct trail *t, uint64_t addr, size_t len)
{
	uint8_t raw[BEHIND_BYTES];
	bool ret = false;

	if (dump_try(t->at->dump, addr, raw, len) != ST_OK)
		return false;
	for (size_t i = 0; i < len / 8 && !ret; i++)
		ret = is_before_lock(t, le64(raw + 8 * i));
	return ret;
}

static bool is_of_kernel(uint64_t word)
{
	return word >> 63;
}

/* In the lock that it waits for, or the variable that this is. */
static bool is_of_own(const struct trail *t, uint64_t word)
{
	const struct frame *own, *of;

	if (!t->own || word < t->own || word - t->own > OWN_BYTES)
		return false;
	if (word == t->own)
		return true;
	own = symbolize(&t->at->symbols, t->own);
	of = symbolize(&t->at->symbols, word);
	return own->symbol && of->symbol && own->addr - own->offset == of->addr - of->offset;
}

static bool stack_leads(struct trail *t, uint64_t task)
{
	const struct task_stack *s = &t->at->stack;
	uint64_t word;

	for (uint64_t at = (s->sp - t->at->stacks.switch_span) & ~7ULL; at < s->base + s->size;
	     at += 8) {
		if (!task_stack_word(s, at, &word) || !is_of_kernel(word) || word == task)
			continue;
		if (is_before_lock(t, word))
			return true;
		if (!is_of_own(t, word) && word - s->base >= s->size &&
		    (has_word(t, word & ~7ULL, BEHIND_BYTES) ||
		     has_word(t, word & ~7ULL, POINTED_BYTES)))
			return true;
	}
	return false;
}

/* A variable: the lock, what it is in, or pointers to that. */
static bool names_lock(struct trail *t, uint64_t addr)
{
	return is_of_kernel(addr) && (is_before_lock(t, addr) || has_word(t, addr, POINTED_BYTES));
}

static bool text_leads(struct trail *t, const struct frame *f, size_t from, size_t to,
		       bool with_calls);

static bool call_leads(struct trail *t, uint64_t to)
{
	const struct frame *f = is_of_kernel(to) ? symbolize(&t->at->symbols, to) : NULL;

	return f && f->symbol && !f->offset && f->size && text_leads(t, f, 0, f->size, false);
}

/*
 * The bytes from..to of a function: every 32 bits may be an address, or a distance from the end of an instruction, behind
 * which it may have a constant.
 */
static bool text_leads(struct trail *t, const struct frame *f, size_t from, size_t to,
		       bool with_calls)
{
	uint64_t start = f->addr - f->offset;
	size_t n = to < MAX_FUNCTION ? to : MAX_FUNCTION;
	uint8_t *text = dump_alloc(t->at->dump, n + 1);

	if (dump_try(t->at->dump, start, text, n) != ST_OK)
		return true;
	for (size_t i = from > 1 ? from : 1; i + 4 <= n; i++) {
		uint64_t word = (uint64_t)(int32_t)le32(text + i), next = start + i + 4;

		if (names_lock(t, word) || names_lock(t, next + word) ||
		    names_lock(t, next + word + 1) || names_lock(t, next + word + 4))
			return true;
		if (with_calls && (text[i - 1] == CALL || text[i - 1] == JUMP) &&
		    call_leads(t, next + word))
			return true;
	}
	return false;
}

/* What is unknown may lead there. */
enum stuck_trail stuck_trail_of(struct task_frames *at, uint64_t task, uint64_t own, uint64_t lock,
				const struct frame **by)
{
	struct dump *d = at->dump;
	const struct frame *variable = symbolize(&at->symbols, lock);
	struct trail t = { at, own, lock, variable->symbol ? variable->offset + 1 : OBJECT_BYTES,
			   false };
	uint64_t bytes = dump_type_bytes(d, "struct task_struct"), word;
	const struct frame *innermost = NULL;
	enum stuck_trail ret = TRAIL_NONE;

	*by = NULL;
	if (at->stacks.is_arm64 || !bytes || stack_leads(&t, task))
		return TRAIL_LEADS;
	for (uint64_t i = 0; i < bytes / 8; i++)
		if (dump_u64(d, task + 8 * i, &word, "task_struct") != ST_OK ||
		    is_before_lock(&t, word))
			return TRAIL_LEADS;
	for (unsigned int i = 0; i < at->frames.n; i++) {
		const struct frame *f = symbolize(&at->symbols, at->frames.f[i].ip);
		bool leads_to_both;

		if (!f->symbol || !f->size)
			return TRAIL_LEADS;
		innermost = innermost ?: f->module ? f : NULL;
		if (text_leads(&t, f, 0, f->offset, true)) {
			if (!f->module)
				return TRAIL_LEADS;
			/* Those that called it lead there by that. */
			*by = *by ?: f;
			continue;
		}
		leads_to_both = t.leads_to_both;
		if (text_leads(&t, f, f->offset, f->size, true))
			ret = TRAIL_BEHIND;
		t.leads_to_both = leads_to_both;
	}
	if (!*by && t.leads_to_both) {
		*by = innermost;
		ret = TRAIL_LEADS;
	}
	return *by ? TRAIL_FUNCTION : ret;
}

static bool is_asleep(const struct stuck_task *s)
{
	return s->has_frames && s->is_whole && !s->lacks_inner && !s->on_cpu &&
	       s->task.state != 'R';
}

/* A pointer to a task_struct in the lock is all that says it. */
static bool is_by_name(const struct stuck_task *s)
{
	return s->holder && s->holder != s && !s->file_lock && !s->is_on_pi_futex &&
	       (s->holds == HOLDS_LOCK || s->holds == HOLDS_LAST || s->holds == HOLDS_NOTED);
}

struct found_trail {
	enum stuck_trail trail;
	const struct frame *by;
};

static bool is_in_function(const struct frame *f, const struct frame *of)
{
	return f && f->addr - f->offset == of->addr - of->offset;
}

/* Where a task is in the function of a frame; NULL: not in it. */
static const struct frame *frame_in(struct task_frames *at, uint64_t task, const struct frame *f)
{
	if (task_frames_read(at, task) != ST_OK)
		return NULL;
	for (unsigned int i = 0; i < at->frames.n; i++) {
		const struct frame *of = symbolize(&at->symbols, at->frames.f[i].ip);

		if (is_in_function(of, f))
			return of;
	}
	return NULL;
}

/* The innermost function of a module that a task is in; NULL: it is in none. */
static const struct frame *module_frame(struct task_frames *at, uint64_t task)
{
	if (task_frames_read(at, task) != ST_OK)
		return NULL;
	for (unsigned int i = 0; i < at->frames.n; i++) {
		const struct frame *f = symbolize(&at->symbols, at->frames.f[i].ip);

		if (f->module)
			return f;
	}
	return NULL;
}

#define CROWD \
	8 /* an eighth of all threads: of fewer chance names one rarely, beside that it names any */

static void find_crowds(struct stuck_task *all, struct arena *a)
{
	struct hash_u64
		waiting; /* of size_t, by lock: lists of waiters are not counted for each kind */
	size_t n = 0;

	hash_u64_init(&waiting, a, sizeof(size_t));
	for (const struct stuck_task *s = all; s; s = s->next) {
		n++;
		if (s->has_lock)
			++*(size_t *)hash_u64_get(&waiting, stuck_lock_key(s), NULL);
	}
	for (struct stuck_task *s = all; s; s = s->next) {
		const struct stuck_task *of = s->holder;

		s->holder_is_of_crowd =
			of && of->has_lock &&
			*(const size_t *)hash_u64_find(&waiting, stuck_lock_key(of)) > n / CROWD;
	}
}

void stuck_find_trails(struct task_frames *at, struct stuck_task *all)
{
	struct lines *lines = at->symbols.lines;
	struct hash_u64 looked_at; /* of struct found_trail, by lock: it has one owner */

	hash_u64_init(&looked_at, at->dump->arena, sizeof(struct found_trail));
	at->symbols.lines = NULL;
	find_crowds(all, at->dump->arena);
	for (struct stuck_task *s = all; s && !dump_stopped(at->dump); s = s->next) {
		const struct frame *in;
		struct found_trail *found;
		bool is_new;

		if (!s->has_lock || !is_by_name(s) || !is_asleep(s->holder) || stuck_owner_doubt(s))
			continue;
		found = hash_u64_get(&looked_at, s->lock.lock, &is_new);
		if (is_new)
			found->trail = task_frames_read(at, s->holder->task.address) != ST_OK
					       ? TRAIL_LEADS
					       : stuck_trail_of(at, s->holder->task.address,
								s->holder->has_lock
									? s->holder->lock.lock
									: 0,
								s->lock.lock, &found->by);
		s->has_no_trail = found->trail == TRAIL_NONE;
		s->trail_is_behind = found->trail == TRAIL_BEHIND;
		in = found->trail == TRAIL_FUNCTION && s->holder->has_lock
			     ? frame_in(at, s->task.address, found->by)
			     : NULL;
		if (!in)
			continue;
		s->shared_in = found->by;
		s->shares_outer = !is_in_function(module_frame(at, s->task.address), in) ||
				  !is_in_function(module_frame(at, s->holder->task.address),
						  found->by);
	}
	at->symbols.lines = lines;
	at->dump->error[0] = '\0';
}

#define MOST_LINKS 64 /* of a chain of holders */

/*
 * The one that the lock names waits, by however many others, for one that waits for this lock: chance closes no circle,
 * unless it is one of the many that wait there, any of which may have got the task_struct.
 */
static bool is_of_circle(const struct stuck_task *s)
{
	const struct stuck_task *t = s->holder;

	if (s->holder_is_of_crowd)
		return false;
	for (unsigned int i = 0; i < MOST_LINKS && t && t->has_lock; i++) {
		t = t->holder;
		if (t && t->has_lock && t->lock.lock == s->lock.lock)
			return true;
	}
	return false;
}

enum stuck_doubt stuck_owner_doubt(const struct stuck_task *s)
{
	const struct stuck_task *of = s->holder;

	if (!is_by_name(s))
		return DOUBT_NONE;
	if (s->lock.lock && of->has_lock && of->lock.lock == s->lock.lock)
		return DOUBT_WAITS;
	return s->owner_is_younger			  ? DOUBT_YOUNGER
	       : stuck_sleeps_at_will(of)		  ? DOUBT_ASLEEP
	       : s->has_no_trail			  ? DOUBT_NO_TRAIL
	       : is_of_circle(s)			  ? DOUBT_NONE
	       : s->trail_is_behind			  ? DOUBT_BEHIND
	       : !s->shared_in				  ? DOUBT_NONE
	       : s->holder_is_of_crowd || s->shares_outer ? DOUBT_SHARED
							  : DOUBT_LIKELY;
}

/* "is asleep in do_nanosleep" */
static void add_sleep(const struct stuck_task *of, struct strbuf *b)
{
	const struct frame *at = of->caller && of->caller->symbol ? of->caller : of->function;

	if (strchr("Tt", of->task.state))
		strbuf_add(b, "is stopped");
	else
		strbuf_add(b, "is %s in %s", of->task.state == 'R' ? "running" : "asleep",
			   at && at->symbol ? at->symbol : "a system call");
}

/* Why the one that the lock names may not have it: "waits for it itself". */
static void add_reason(const struct stuck_task *s, enum stuck_doubt doubt, struct strbuf *b)
{
	const struct stuck_task *of = s->holder;
	const struct frame *at = of->caller && of->caller->symbol ? of->caller : of->function;

	if (doubt == DOUBT_WAITS)
		strbuf_add(b, "waits for it itself");
	else if (doubt == DOUBT_YOUNGER)
		strbuf_add(b, "was born after a waiter of it stopped");
	else if (doubt == DOUBT_NO_TRAIL)
		strbuf_add(b, "has nothing on its stack that leads to it");
	else if (doubt == DOUBT_SHARED)
		strbuf_add(b, "waits for another lock in %s%s", s->shared_in->symbol,
			   s->shares_outer ? ", too" : ", in which both wait");
	else if (doubt == DOUBT_BEHIND)
		strbuf_add(b, "comes to it in %s only behind where it waits",
			   at && at->symbol ? at->symbol : "its function");
	else
		add_sleep(of, b);
}

void stuck_add_doubt(const struct stuck_task *s, bool is_named, struct strbuf *b)
{
	static const char *const ways[] = {
		[DOUBT_ASLEEP] = "kept it beyond a system call",
		[DOUBT_NO_TRAIL] = "kept it of an earlier call",
		[DOUBT_BEHIND] = "kept it of an earlier call",
		[DOUBT_SHARED] = "took it first",
		[DOUBT_YOUNGER] = "took it before the one that was woken for it",
		[DOUBT_WAITS] = "took it before",
	};
	const enum stuck_doubt doubt = stuck_owner_doubt(s);

	if (!doubt)
		return;
	if (doubt == DOUBT_LIKELY) {
		strbuf_add(
			b,
			" by its name in it: it waits for another lock in %s, in which both wait, "
			"unless it has the task_struct of one that exited with it",
			s->shared_in->symbol);
		return;
	}
	strbuf_add(b, "%s", is_named ? " by its name in it, and which " : "");
	add_reason(s, doubt, b);
	strbuf_add(b, ": it %s, or has the task_struct of one that exited with it", ways[doubt]);
}
