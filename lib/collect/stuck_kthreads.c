// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_kthreads.h"

#include "files/journal.h"
#include "tasks/vfork_wait.h"
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
	s->lock_name = dump_text(w->dump, "free pages of node %u", node->node);
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
	struct hash_u64 pools; /* that were walked */
};

static bool waits_for_work(const struct stuck_task *s)
{
	return s->task.stack && s->state[0] != 'R' && !s->holder && s->caller &&
	       s->caller->symbol && work_is_waited(s->caller->symbol);
}

/* "work rack_poll [rack_ctl]" */
static const char *work_name(struct works *x, uint64_t function)
{
	const struct frame *f = function ? symbolize(&x->symbols, function) : NULL;
	char text[640];

	return f && f->symbol ? dump_text(x->dump, "work %s", function_text(f, text, sizeof(text)))
			      : "a work";
}

/* A barrier is on the stack of the one that waits. */
static void add_barrier(void *arg, uint64_t entry)
{
	struct works *x = arg;

	for (struct stuck_task *s = x->all; s; s = s->next) {
		if (entry - s->task.stack >= x->stack_bytes || s == x->worker || !waits_for_work(s))
			continue;
		s->lock_name = work_name(x, x->running.function);
		s->holder = x->worker;
		s->holds = HOLDS_WORK;
		s->waits_for = "flush_work";
		x->worker->is_holder = true;
	}
}

/* The thread on whose stack a barrier is; NULL: none that was looked at. */
static struct stuck_task *flusher_of(const struct works *x, uint64_t entry)
{
	struct stuck_task *s = x->all;

	while (s && (entry - s->task.stack >= x->stack_bytes || !s->task.stack))
		s = s->next;
	return s;
}

/* A work that is queued: who waits for it waits for a worker that is free, and for the CPU of that. */
static bool add_pending(void *arg, const struct pending_works *at)
{
	struct works *x = arg;
	struct stuck_task *s = flusher_of(x, at->entry);
	const char *name;

	if (!s)
		return false;
	if (!waits_for_work(s))
		return true;
	name = work_name(x, at->function);
	s->lock_name = at->cpu < 0 ? dump_text(x->dump, "%s, not begun", name)
				   : dump_text(x->dump, "%s, not begun on CPU %d", name, at->cpu);
	s->waits_for = "flush_work";
	s->is_on_work = true;
	return true;
}

/* Each pool has a worker. */
static enum status walk_pool(struct works *x)
{
	bool is_new = false;

	if (x->running.pool)
		hash_u64_get(&x->pools, x->running.pool, &is_new);
	return is_new ? work_pending_walk(&x->of, x->running.pool, add_pending, x) : ST_OK;
}

/* A worker of that pool could run, and has no CPU. */
static bool add_starved(void *arg, const struct pending_works *at)
{
	struct works *x = arg;
	struct stuck_task *s = flusher_of(x, at->entry);

	if (s && s->is_on_work && !s->holder && at->cpu >= 0) {
		s->holder = x->worker;
		s->holds = HOLDS_BEGINS;
		x->worker->is_holder = true;
	}
	return s;
}

/* "CPU 1", and what ran there at the end: of a real-time policy, it let no worker run. */
static void set_cpu(struct works *x, uint64_t cpu)
{
	struct stuck_task *runner = x->all, *w = x->worker;
	struct cpu_task on;

	w->lock_name = dump_text(x->dump, "CPU %lu", cpu);
	w->waits_for = "cpu";
	if (cpu_task_read(x->dump, cpu, &on) != ST_OK || !on.pid)
		return;
	while (runner && runner->task.pid != on.pid)
		runner = runner->next;
	if (!runner || runner == w)
		return;
	if (on.rt_priority)
		w->lock_name = dump_text(x->dump, "%s, under %s %lu", w->lock_name,
					 sched_policy_name(on.policy) ?: "priority",
					 on.rt_priority);
	w->holder = runner;
	w->holds = HOLDS_CPU;
	runner->is_holder = true;
}

/* Who waits for a work that no worker has begun waits for one, and that for its CPU. */
static void find_starved(struct works *x)
{
	struct cpu_waits waits;
	struct cpu_wait wait;

	if (!ANY_NEXT(s, x->all, s->is_on_work && !s->holder) ||
	    cpu_waits_open(x->dump, &waits) != ST_OK)
		return;
	for (x->worker = x->all; x->worker && !dump_stopped(x->dump); x->worker = x->worker->next) {
		const struct task *t = &x->worker->task;
		const bool was_holder = x->worker->is_holder;

		if (!(t->flags & PF_WQ_WORKER) || !t->kthread || t->state != 'R' ||
		    x->worker->on_cpu || cpu_wait_read(&waits, t->address, &wait) != ST_OK ||
		    !wait.queued_ns)
			continue;
		x->running.pool = 0;
		work_running(&x->of, t->kthread, &x->running);
		if (!x->running.pool ||
		    work_pending_walk(&x->of, x->running.pool, add_starved, x) != ST_OK)
			continue;
		if (x->worker->is_holder && !was_holder)
			set_cpu(x, wait.cpu);
	}
}

static const char *why_not(const struct works *x, enum status st, const char *why)
{
	return why ?: st == ST_OK || st == ST_ABSENT ? NULL : dump_why(x->dump);
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
	hash_u64_init(&x->pools, d->arena, 0);
	for (x->worker = all; x->worker && !dump_stopped(d); x->worker = x->worker->next) {
		if (!(x->worker->task.flags & PF_WQ_WORKER) || !x->worker->task.kthread)
			continue;
		st = work_running(&x->of, x->worker->task.kthread, &x->running)
			     ?: work_behind_walk(&x->of, &x->running, add_barrier, x);
		why = why_not(x, st, why);
		why = why_not(x, walk_pool(x), why);
	}
	find_starved(x);
	return why;
}

static bool stops_thread(const struct stuck_task *s)
{
	return s->task.stack && s->task.state == 'D' && !s->holder && s->caller &&
	       s->caller->symbol && !strcmp(s->caller->symbol, "kthread_stop");
}

const char *stuck_find_stopping(struct dump *d, struct stuck_task *all)
{
	const uint64_t stack_bytes = thread_size(d);
	struct vfork_waits of;
	const char *why = NULL;

	if (!ANY_NEXT(s, all, stops_thread(s)))
		return NULL;
	if (vfork_waits_open(d, &of) != ST_OK)
		return dump_why(d);
	for (struct stuck_task *t = all; t && !dump_stopped(d); t = t->next) {
		uint64_t done, entry;
		enum status st = t->task.mm ? ST_ABSENT
					    : vfork_wait_of(&of, t->task.address, &done)
						      ?: vfork_waiter_of(&of, done, &entry);

		why = st == ST_OK || st == ST_ABSENT ? why : why ?: dump_why(d);
		for (struct stuck_task *s = st == ST_OK ? all : NULL; s; s = s->next) {
			if (s == t || entry - s->task.stack >= stack_bytes || !stops_thread(s))
				continue;
			s->holder = t;
			s->holds = HOLDS_STOPPED;
			s->waits_for = "kthread";
			s->lock_name = "the end of the thread that it stops";
			t->is_holder = true;
		}
	}
	return why;
}

static bool is_in(const struct stuck_task *s, const char *function)
{
	return s->caller && s->caller->symbol && !strcmp(s->caller->symbol, function);
}

/*
 * kthread_create_on_node() leaves what it wants on kthread_create_list, and sleeps until that thread runs (kernel/kthread.c):
 * kthreadd starts one after another, and where it sleeps elsewhere than in its loop, none.
 */
void stuck_find_starting(struct stuck_task *all)
{
	struct stuck_task *kthreadd = all;

	while (kthreadd && (kthreadd->task.pid != 2 || kthreadd->task.mm ||
			    strcmp(kthreadd->task.comm, "kthreadd") != 0))
		kthreadd = kthreadd->next;
	if (!kthreadd || kthreadd->task.state != 'D' || !kthreadd->caller ||
	    !kthreadd->caller->symbol || is_in(kthreadd, "kthreadd"))
		return;
	for (struct stuck_task *s = all; s; s = s->next) {
		if (s->holder ||
		    (!is_in(s, "__kthread_create_on_node") && !is_in(s, "kthread_create_on_node")))
			continue;
		s->holder = kthreadd;
		s->holds = HOLDS_STARTS;
		s->waits_for = "kthread";
		s->lock_name = "a new thread of the kernel";
		kthreadd->is_holder = true;
	}
}

/* fs/jbd2: those that sleep in a queue of the journal. */
static const char *const journal_waits[] = { "jbd2_log_wait_commit", "wait_transaction_locked",
					     "add_transaction_credits", "start_this_handle",
					     "jbd2_journal_lock_updates" };

static bool waits_for_journal(const struct stuck_task *s)
{
	return s->state[0] == 'D' && !s->holder && s->function && s->function->symbol &&
	       FUNCTION_FIND(journal_waits, s->function->symbol);
}

#define JOURNAL_THREAD "jbd2/"

static bool is_journal_thread(void *arg, uint64_t task)
{
	const struct hash_u64 *tasks = arg;
	struct stuck_task *const *found = hash_u64_find(tasks, task);

	return found && !(*found)->task.mm &&
	       !strncmp((*found)->task.comm, JOURNAL_THREAD, strlen(JOURNAL_THREAD));
}

static void set_journal(struct dump *d, struct stuck_task *s, struct stuck_task *thread,
			struct stuck_disk *disks)
{
	s->lock_name = dump_text(d, "the journal of %s",
				 thread->task.comm + strlen(JOURNAL_THREAD));
	s->holder = thread;
	s->holds = HOLDS_JOURNAL;
	s->waits_for = "journal";
	thread->is_holder = true;
	for (struct stuck_disk *k = disks; k; k = k->next)
		if (k == thread->disk && s->disk != k) {
			k->waiting += !thread->disk_is_inferred;
			k->inferred += thread->disk_is_inferred;
		}
}

const char *stuck_find_journals(const struct task_stacks *stacks, struct stuck_task *all,
				const struct hash_u64 *tasks, struct stuck_disk *disks)
{
	const struct journal_threads threads = { is_journal_thread, (void *)tasks };
	struct dump *d = stacks->dump;
	struct journals journals;
	struct task_stack stack;
	const char *why = NULL;
	enum status st;

	if (!ANY_NEXT(s, all, waits_for_journal(s)))
		return NULL;
	st = journals_open(d, &journals);
	if (st != ST_OK)
		return dump_why(d);
	for (struct stuck_task *s = all; s && !dump_stopped(d); s = s->next) {
		uint64_t thread;

		if (!waits_for_journal(s))
			continue;
		st = task_stack_read(stacks, s->task.address, &stack)
			     ?: journal_wait_find(&journals, s->task.address, &stack, &threads,
						  &thread);
		if (st == ST_OK)
			set_journal(d, s, *(struct stuck_task *const *)hash_u64_find(tasks, thread),
				    disks);
		else if (st != ST_ABSENT && !why)
			why = dump_why(d);
	}
	return why;
}
