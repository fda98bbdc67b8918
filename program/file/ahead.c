// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/ahead.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#include "file/codec.h"

#define SLOTS 64u     /* blocks that are there at once */
#define DEPTH 32u     /* in front of one that is read, at most */
#define RUN_BEGINS 8u /* as many blocks one behind the other: there will be more */
#define STREAMS 4u    /* that are followed at once, as of objects and of struct page */
#define GAP 2u	      /* blocks between those of a run that are left out */
#define LOOKS 4096u   /* at one that is begun: microseconds, as long as it takes to uncompress it */
#define NO_BLOCK UINT64_MAX

/* SLOT_RUNS is the thread's, all others are the reader's; who takes one that waits, has it. */
enum slot_state { SLOT_FREE, SLOT_WAITS, SLOT_RUNS, SLOT_DONE, SLOT_BAD };

struct slot {
	_Atomic int state;
	unsigned int flags; /* of codec.h */
	size_t len;	    /* of in */
	uint8_t *in, *out;
};

/* Blocks that are read one behind the other. */
struct run {
	uint64_t last, until; /* read last; what is put there ends before this one */
	uint64_t used;	      /* when: of a->reads */
	unsigned int n;
};

enum thread_state { THREAD_NONE, THREAD_RUNS, THREAD_FAILS };

struct ahead {
	size_t block_bytes;
	struct slot slots[SLOTS];
	struct codec *codec, *own; /* of the thread, of the reader */
	/* The reader's alone. */
	uint64_t blocks[SLOTS];	  /* in each slot */
	uint64_t reads, followed; /* of reads those that went on a run */
	struct run runs[STREAMS];
	unsigned int put; /* blocks that were put there; they take slots in turn */
	enum thread_state state;
	pthread_t thread;
	/* Of both. */
	_Atomic unsigned int given; /* as many of put as the thread was told of */
	_Atomic bool sleeps, ends;
	sem_t wake;
};

static bool has_cpus(void)
{
	cpu_set_t set;

	/* More CPUs than the set has room for are several. */
	return sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) > 1;
}

/* False: it does not wait. */
static bool run_slot(struct slot *s, struct codec *codec, size_t bytes)
{
	int waits = SLOT_WAITS;
	bool fits;

	if (!atomic_compare_exchange_strong(&s->state, &waits, SLOT_RUNS))
		return false;
	fits = codec_block(codec, s->flags, s->in, s->len, s->out, bytes);
	atomic_store(&s->state, fits ? SLOT_DONE : SLOT_BAD);
	return true;
}

/* Until there is more. */
static void rest(struct ahead *a, unsigned int at)
{
	atomic_store(&a->sleeps, true);
	if (at != atomic_load(&a->given) && atomic_exchange(&a->sleeps, false))
		return;
	while (sem_wait(&a->wake))
		;
}

static void *work(void *arg)
{
	struct ahead *a = arg;
	unsigned int at = 0;

	while (!atomic_load(&a->ends)) {
		if (at == atomic_load(&a->given))
			rest(a, at);
		else
			run_slot(&a->slots[at++ % SLOTS], a->codec, a->block_bytes);
	}
	return NULL;
}

static void wake(struct ahead *a)
{
	if (atomic_exchange(&a->sleeps, false))
		sem_post(&a->wake);
}

static void end(void *arg)
{
	struct ahead *a = arg;

	if (a->state != THREAD_RUNS)
		return;
	atomic_store(&a->ends, true);
	/* Whatever it waits for. */
	sem_post(&a->wake);
	pthread_join(a->thread, NULL);
}

enum status ahead_open(struct dump *d, size_t block_bytes, struct ahead **ret)
{
	struct ahead *a;
	enum status st;

	*ret = NULL;
	if (!has_cpus())
		return ST_OK;
	a = dump_alloc(d, sizeof(*a));
	a->block_bytes = block_bytes;
	for (unsigned int i = 0; i < SLOTS; i++) {
		a->slots[i].in = dump_alloc(d, block_bytes);
		a->slots[i].out = dump_alloc(d, block_bytes);
		a->blocks[i] = NO_BLOCK;
	}
	for (unsigned int i = 0; i < STREAMS; i++)
		a->runs[i].last = NO_BLOCK;
	st = codec_open(d, &a->codec) ?: codec_open(d, &a->own);
	if (st != ST_OK)
		return st;
	sem_init(&a->wake, 0, 0);
	/* Before its codec is closed. */
	arena_at_reset(d->arena, end, a);
	*ret = a;
	return ST_OK;
}

/* Signals are for the other one. */
static void start(struct ahead *a)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	a->state = pthread_create(&a->thread, NULL, work, a) ? THREAD_FAILS : THREAD_RUNS;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The state of a slot that the thread is done with; SLOT_RUNS: it is not. */
static enum slot_state take_back(struct slot *s)
{
	int state = atomic_load(&s->state);

	/* If not, it was begun meanwhile. */
	if (state == SLOT_WAITS && !atomic_compare_exchange_strong(&s->state, &state, SLOT_FREE))
		return state;
	return (enum slot_state)state;
}

/* While the thread is at a block the reader does one of those behind it; false: there is none. */
static bool help(struct ahead *a, unsigned int from)
{
	for (unsigned int i = from + 1; i < from + SLOTS; i++) {
		struct slot *s = &a->slots[i % SLOTS];

		if (a->blocks[i % SLOTS] != NO_BLOCK && atomic_load(&s->state) == SLOT_WAITS)
			return run_slot(s, a->own, a->block_bytes);
	}
	return false;
}

static bool give(struct ahead *a, unsigned int i, void *out)
{
	struct slot *s = &a->slots[i];
	enum slot_state state = take_back(s);

	while (state == SLOT_RUNS && help(a, i))
		state = atomic_load(&s->state);
	for (unsigned int k = 0; k < LOOKS && state == SLOT_RUNS; k++)
		state = atomic_load(&s->state);
	if (state == SLOT_DONE)
		memcpy(out, s->out, a->block_bytes);
	return state == SLOT_DONE ||
	       (state == SLOT_WAITS &&
		codec_block(a->own, s->flags, s->in, s->len, out, a->block_bytes));
}

bool ahead_take(struct ahead *a, uint64_t block, void *out)
{
	if (!a->put)
		return false;
	for (unsigned int i = 0; i < SLOTS; i++)
		if (a->blocks[i] == block) {
			a->blocks[i] = NO_BLOCK;
			return give(a, i, out);
		}
	return false;
}

/* Of those that were followed the one that a block goes on, or the oldest, for a new one. */
static struct run *run_of(struct ahead *a, uint64_t block)
{
	struct run *oldest = a->runs;

	for (struct run *r = a->runs; r < a->runs + STREAMS; r++) {
		if (r->last != NO_BLOCK && block > r->last && block - r->last <= 1 + GAP)
			return r;
		if (r->used < oldest->used)
			oldest = r;
	}
	*oldest = (struct run){ .last = block, .until = block + 1 };
	return oldest;
}

uint64_t ahead_next(struct ahead *a, uint64_t block, uint64_t *from)
{
	struct run *r = run_of(a, block);
	unsigned int depth;

	r->used = ++a->reads;
	r->last = block;
	a->followed += r->n++ > 0;
	depth = r->n < DEPTH ? r->n : DEPTH;
	/* Many at once: each time the thread is to be woken. */
	if (a->followed < AHEAD_FROM || r->n < RUN_BEGINS || r->until > block + depth / 2 ||
	    a->state == THREAD_FAILS)
		return 0;
	*from = r->until > block ? r->until : block + 1;
	r->until = block + 1 + depth;
	return r->until;
}

bool ahead_put(struct ahead *a, uint64_t block, unsigned int flags, const uint8_t *in, size_t len)
{
	unsigned int i = a->put % SLOTS;
	struct slot *s = &a->slots[i];

	if (len > a->block_bytes || take_back(s) == SLOT_RUNS)
		return false;
	memcpy(s->in, in, len);
	s->len = len;
	s->flags = flags;
	a->blocks[i] = block;
	a->put++;
	atomic_store(&s->state, SLOT_WAITS);
	return true;
}

void ahead_go(struct ahead *a)
{
	if (a->state == THREAD_NONE)
		start(a);
	if (atomic_load(&a->given) == a->put)
		return;
	atomic_store(&a->given, a->put);
	wake(a);
}
