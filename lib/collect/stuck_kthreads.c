// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_kthreads.h"

#include "symbols/symbolize.h"
#include "tasks/work_waits.h"
#include "zones/pfmemalloc.h"

struct pages_waits {
	struct dump *dump;
	const struct hash_u64 *tasks;
};

/* In state S a thread without __GFP_FS sleeps there for a second at most. */
static bool waits_for_reclaim(const struct stuck_task *s)
{
	return s->task.state == 'D' && s->waits_for && !strcmp(s->waits_for, "reclaim");
}

static void add_wait(void *arg, const struct pfmemalloc_node *node, uint64_t task)
{
	const struct pages_waits *w = arg;
	struct stuck_task *const *found = hash_u64_find(w->tasks, task),
				 *const *kswapd = hash_u64_find(w->tasks, node->kswapd);
	struct stuck_task *s = found ? *found : NULL;

	if (!s || !kswapd || !waits_for_reclaim(s) ||
	    !((*kswapd)->is_on_lock || (*kswapd)->is_on_server))
		return;
	s->lock_name = arena_text(w->dump->arena, "free pages of node %u", node->node);
	s->holder = *kswapd;
	s->holds = HOLDS_KSWAPD;
	(*kswapd)->is_holder = true;
}

const char *stuck_find_kswapd(struct dump *d, struct stuck_task *all, const struct hash_u64 *tasks)
{
	struct pages_waits w = { d, tasks };
	const struct stuck_task *s = all;
	enum status st;

	while (s && !waits_for_reclaim(s))
		s = s->next;
	if (!s)
		return NULL;
	st = pfmemalloc_walk(d, add_wait, &w);
	return st == ST_OK || st == ST_ABSENT || st == ST_STOPPED ? NULL : dump_why(d);
}

struct works {
	struct dump *dump;
	struct work_waits of;
	struct symbolizer symbols;
	struct stuck_task *all, *worker; /* whose works are walked */
	struct running_work running;
	uint64_t stack_bytes;
};

static bool waits_for_work(const struct stuck_task *s)
{
	return s->task.stack && s->state[0] != 'R' && !s->holder && s->caller &&
	       s->caller->symbol && work_is_waited(s->caller->symbol);
}

/* "work rack_poll [rack_ctl]" */
static const char *work_name(struct works *x)
{
	const struct frame *f = x->running.function ? symbolize(&x->symbols, x->running.function)
						    : NULL;
	char text[640];

	return f ? arena_text(x->dump->arena, "work %s", function_text(f, text, sizeof(text)))
		 : "a work";
}

/* A barrier is on the stack of the one that waits. */
static void add_barrier(void *arg, uint64_t entry)
{
	struct works *x = arg;

	for (struct stuck_task *s = x->all; s; s = s->next) {
		if (entry - s->task.stack >= x->stack_bytes || s == x->worker || !waits_for_work(s))
			continue;
		s->lock_name = work_name(x);
		s->holder = x->worker;
		s->holds = HOLDS_WORK;
		s->waits_for = "flush_work";
		x->worker->is_holder = true;
	}
}

const char *stuck_find_workers(struct dump *d, struct stuck_task *all)
{
	struct works *x = dump_alloc(d, sizeof(*x));
	const char *why = NULL;
	enum status st;

	*x = (struct works){ .dump = d, .all = all, .stack_bytes = thread_size(d) };
	if (!ANY_NEXT(s, all, waits_for_work(s)))
		return NULL;
	st = work_waits_open(d, &x->of);
	if (st != ST_OK)
		return dump_why(d);
	symbolizer_open(d, &x->symbols);
	for (x->worker = all; x->worker && !dump_stopped(d); x->worker = x->worker->next) {
		if (!(x->worker->task.flags & PF_WQ_WORKER) || !x->worker->task.kthread)
			continue;
		st = work_running(&x->of, x->worker->task.kthread, &x->running)
			     ?: work_behind_walk(&x->of, &x->running, add_barrier, x);
		if (st != ST_OK && st != ST_ABSENT && !why)
			why = dump_why(d);
	}
	return why;
}
