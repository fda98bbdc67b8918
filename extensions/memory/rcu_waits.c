// SPDX-License-Identifier: GPL-2.0-or-later
#include "rcu_waits.h"

#include "collect/in_fault.h"
#include "collect/waits.h"
#include "slab/slab_caches.h"
#include "tasks/last_ran.h"

struct key {
	uint64_t function, cache;
};

struct search {
	struct dump *dump;
	const struct session *s;
	struct rcu_waits *ret;
	struct slabs slabs;
	bool has_slabs;
	struct symbolizer symbols;
	struct hash_u64 blocked; /* of unsigned int, the index of the holder, by task */
	struct task_frames frames;
	bool has_frames;
	struct first_problem problem;
};

static enum status add_callback(void *arg, const struct rcu_callback *c)
{
	struct search *x = arg;
	const struct slab_cache *cache = NULL;
	const enum status st = x->has_slabs
				       ? slab_cache_of(&x->slabs, x->s->types, c->address, &cache)
				       : ST_UNKNOWN;
	const bool is_known = st == ST_OK || st == ST_ABSENT;
	/* However far behind the start of what it frees. */
	const struct key key = { c->is_offset ? 0 : c->function, st == ST_OK ? cache->address
								 : is_known  ? 0
									     : UINT64_MAX };
	const struct frame *f;
	struct rcu_wait *w;
	bool is_new;

	if (st == ST_STOPPED)
		return st;
	if (!is_known && !x->ret->unknown++)
		x->ret->what_problem = x->has_slabs ? dump_why(x->dump)
						    : "the slabs of this kernel are not known";
	if (st != ST_OK)
		cache = NULL;
	w = hash_bytes_get(&x->ret->all, &key, sizeof(key), &is_new)->value;
	if (is_new) {
		f = key.function ? symbolize(&x->symbols, key.function) : NULL;
		w->function = f ? f->symbol : c->is_offset ? "kfree_rcu" : NULL;
		w->module = f ? f->module : NULL;
		w->cache_at = cache ? cache->address : 0;
		w->is_unknown = !is_known;
		w->cache = cache ? cache->name : NULL;
	}
	w->n++;
	w->bytes += cache ? cache->size : 0;
	w->ready += c->is_ready;
	x->ret->n++;
	x->ret->waiting += !c->is_ready;
	x->ret->bytes += cache ? cache->size : 0;
	return ST_OK;
}

static enum status add_blocker(void *arg, const struct rcu_blocker *b)
{
	struct search *x = arg;
	struct rcu_waits *r = x->ret;
	struct cpu_task task;
	struct rcu_holder *h;

	if (r->nall++ >= RCU_BLOCKERS)
		return ST_OK;
	h = &r->holders[r->nholders];
	if (!b->is_cpu)
		*(unsigned int *)hash_u64_get(&x->blocked, b->task, NULL) = r->nholders;
	r->nholders++;
	*h = (struct rcu_holder){ .is_cpu = b->is_cpu, .cpu = b->cpu };
	if (b->is_cpu && cpu_task_read(x->dump, b->cpu, &task) == ST_OK) {
		h->has_task = true;
		h->pid = task.pid;
		h->tgid = task.tgid;
		h->comm = dump_strdup(x->dump, task.comm);
	}
	return ST_OK;
}

/* Beyond what gives up the CPU, or waits, for its caller. */
static void find_place(struct search *x, struct rcu_holder *h, uint64_t task)
{
	struct task_frames *f = &x->frames;

	if (!x->has_frames || task_frames_read(f, task) != ST_OK)
		return;
	for (unsigned int i = 0; i < f->frames.n; i++) {
		const char *name = task_frames_name(f, i);
		const struct frame *frame;

		if (!*name || wait_is_scheduler(name) || wait_is_completion(name) ||
		    wait_of(name) == WAIT_LOCK)
			continue;
		frame = task_frames_at(f, i);
		h->function = frame ? frame->symbol : NULL;
		h->module = frame ? frame->module : NULL;
		return;
	}
}

static enum status add_task(void *arg, const struct task *t)
{
	struct search *x = arg;
	const unsigned int *at = hash_u64_find(&x->blocked, t->address);
	struct rcu_holder *h;

	if (!at)
		return dump_stopped(x->dump) ? ST_STOPPED : ST_OK;
	h = &x->ret->holders[*at];
	h->has_task = true;
	h->pid = t->pid;
	h->tgid = t->tgid;
	h->comm = dump_strdup(x->dump, t->comm);
	h->state = t->state ? dump_text(x->dump, "%c", t->state) : NULL;
	find_place(x, h, t->address);
	return ST_OK;
}

static enum status find_holders(struct search *x)
{
	struct tasks *tasks = dump_alloc(x->dump, sizeof(*tasks));
	enum status st = first_problem_keep(x->dump, &x->problem,
					    rcu_blockers_walk(&x->ret->of, add_blocker, x));

	if (st != ST_OK || !x->blocked.n)
		return st;
	x->has_frames = task_frames_open(x->dump, &x->frames) == ST_OK;
	st = tasks_open(x->dump, tasks);
	tasks->identity_only = true;
	return first_problem_keep(x->dump, &x->problem, st ?: tasks_walk(tasks, add_task, x));
}

static void put_gaps(struct search *x)
{
	struct rcu_waits *r = x->ret;
	const struct gap gaps[] = {
		GAP_WHY("callbacks of RCU, or what a grace period waits for, may be missing: %s",
			r->problem),
		{ "what %s free is unknown: %s", r->unknown, "callback", "callbacks",
		  .why = r->what_problem },
	};

	r->gaps = GAPS_OF(x->dump, gaps);
}

enum status rcu_waits_collect(const struct session *s, struct rcu_waits *ret)
{
	struct dump *d = s->dump;
	struct search *x = dump_alloc(d, sizeof(*x));
	struct jiffies now;
	enum status st;

	*ret = (struct rcu_waits){ 0 };
	hash_bytes_init(&ret->all, d->arena, sizeof(struct rcu_wait));
	hash_u64_init(&x->blocked, d->arena, sizeof(unsigned int));
	x->dump = d;
	x->s = s;
	x->ret = ret;
	st = rcu_open(d, &ret->of);
	if (st != ST_OK)
		return st;
	x->has_slabs = s->types && slabs_open(d, s->memmap, &x->slabs) == ST_OK;
	symbolizer_open(d, &x->symbols);
	st = first_problem_keep(d, &x->problem, rcu_grace_read(&ret->of, &ret->grace));
	ret->has_grace = !x->problem.text;
	jiffies_open(d, &now);
	ret->has_age = ret->has_grace && ret->grace.is_running &&
		       jiffies_age(&now, ret->grace.start, &ret->age_ns);
	st = st
		     ?: first_problem_keep(
				d, &x->problem,
				rcu_callbacks_walk(&ret->of, add_callback, x, &ret->counted));
	if (st == ST_OK && ret->has_grace && ret->grace.is_running)
		st = find_holders(x);
	ret->problem = x->problem.text;
	ret->is_partial = st == ST_STOPPED;
	put_gaps(x);
	return ST_OK;
}

const char *rcu_holder_name(struct dump *d, const struct rcu_holder *h)
{
	if (!h->is_cpu)
		return h->has_task ? dump_text(d, "%s (%d)", h->comm, h->pid)
				   : "a task that is not known";
	return h->has_task && h->pid
		       ? dump_text(d, "CPU %lu, which ran %s (%d)", h->cpu, h->comm, h->pid)
		       : dump_text(d, "CPU %lu", h->cpu);
}

const char *rcu_holder_place(struct dump *d, const struct rcu_holder *h)
{
	if (!h->function)
		return NULL;
	return dump_text(d, "%s in %s%s%s%s", h->state && *h->state == 'R' ? "preempted" : "asleep",
			 h->function, h->module ? " [" : "", h->module ?: "", h->module ? "]" : "");
}
