// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_reused.h"

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
	uint64_t n, newest_ns;
	bool may_run; /* one was woken, or when it stopped is unknown */
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
	       (s->lock.by == LOCK_OWNER_HAS_IT || s->lock.by == LOCK_OWNER_LAST);
}

static void add_waiter(struct hash_u64 *locks, const struct stuck_task *s)
{
	struct waiting *w = hash_u64_get(locks, s->lock.lock, NULL);

	w->n++;
	w->may_run |= !s->has_since || s->task.state == 'R' || s->on_cpu;
	if (s->since_ns > w->newest_ns)
		w->newest_ns = s->since_ns;
}

/* Who waits may have been woken, and have gone back to sleep: then it is the newest of all waiters. */
static bool is_reused(const struct lead *lead, const struct waiting *w, const struct stuck_task *s,
		      const struct task *owner)
{
	int64_t stopped = (int64_t)(w->newest_ns + lead->lag_ns);

	if (w->may_run || w->n < s->lock.waiters || !owner->start_ns ||
	    owner->start_ns > INT64_MAX / 2 || w->newest_ns > lead->end_ns)
		return false;
	return (int64_t)owner->start_ns - lead->ns - stopped >
	       lead->error_ns + (int64_t)(lead->end_ns - w->newest_ns) / DRIFT_SHARE;
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
		if (names_owner(s) && has_exited(hash_u64_find(tasks, s->lock.owner)))
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

		if (owner &&
		    is_reused(&lead, hash_u64_find(&locks, s->lock.lock), s, &(*owner)->task))
			s->lock.by = LOCK_OWNER_REUSED;
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

bool stuck_owner_is_doubted(const struct stuck_task *s)
{
	return s->holder && s->holder != s && s->holds == HOLDS_LOCK && !s->file_lock &&
	       !s->is_on_pi_futex && stuck_sleeps_at_will(s->holder);
}

void stuck_add_doubt(const struct stuck_task *s, struct strbuf *b)
{
	const struct stuck_task *of = s->holder;
	const struct frame *at;

	if (!stuck_owner_is_doubted(s))
		return;
	at = of->caller && of->caller->symbol ? of->caller : of->function;
	strbuf_add(b, " by its name in it, ");
	if (strchr("Tt", of->task.state))
		strbuf_add(b, "stopped");
	else
		strbuf_add(b, "%s in %s", of->task.state == 'R' ? "running" : "asleep",
			   at && at->symbol ? at->symbol : "a system call");
	strbuf_add(b,
		   ": it kept it beyond a system call, or has the task_struct of one that exited "
		   "with it");
}
