// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_doubts.h"

#include "collect/stuck_reused.h"
#include "util/units.h"

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
	return r->unheld ? s->unheld == r->unheld
			 : s->has_lock && stuck_owner_doubt(s) == r->doubt;
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
		to[n++] = gap_of(d, x, r, waiting,
				 dump_strdup(d, COUNT_OF(more, "more lock")), more == 1);
	return n;
}

struct gaps stuck_doubt_gaps(struct dump *d, const struct stuck *x)
{
	struct gap *rows =
		dump_alloc(d, ARRAY_SIZE(reasons) * (STUCK_LOCKS_TOLD + 1) * sizeof(*rows));
	struct gaps ret = { rows, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		ret.n += put_reason(d, x, &reasons[i], rows + ret.n);
	return ret;
}
