// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/kstacks.h"

#include "dump/pointer.h"
#include "tasks/task.h"
#include "tasks/task_stack.h"

#define MAX_CACHED 64	      /* stacks that a CPU keeps: 2, from 4.19 to 7.3 */
#define MAX_STACK_PAGES 64ULL /* THREAD_SIZE is 8 to 64 KiB, more with KASAN */

enum { T_STACK, T_AREA, T_IDLE, T_FIELDS };

static const struct layout_row rows[T_FIELDS] = {
	[T_STACK] = { "struct task_struct", { "stack" }, REQUIRED, "all" },
	[T_AREA] = { "struct task_struct", { "stack_vm_area" }, OPTIONAL, "CONFIG_VMAP_STACK" },
	[T_IDLE] = { "struct rq", { "idle" }, OPTIONAL, "all" },
};

struct caller {
	uint64_t nr_pages;
};

struct finder {
	const struct vm_layout *l;
	struct dump *dump;
	struct field f[T_FIELDS];
	struct pfnset *pages;
	uint64_t init_task;   /* its stack is of the kernel's image */
	uint64_t thread_size; /* bytes; 0: unknown */
	struct kstacks *ret;
};

/* Keeps the first problem; stacks of other tasks are read. */
static enum status keep_going(struct finder *f, enum status st)
{
	struct dump *d = f->dump;

	if (st != ST_OK && st != ST_STOPPED && !f->ret->problem.text)
		dump_lacks(d, "some kernel stacks", st, "%s", d->error);
	return first_problem_keep(d, &f->ret->problem, st);
}

static enum status add_area(struct finder *f, uint64_t vm)
{
	struct vm_area area;
	struct caller *c;
	bool is_new;
	enum status st = vm_area_read(f->l, vm, &area);

	if (st == ST_OK && (!vm_area_owns(&area) || area.nr_pages > MAX_STACK_PAGES))
		st = dump_corrupt(f->dump, "vm_struct at %#lx is no stack's", vm);
	if (st != ST_OK)
		return keep_going(f, st);
	f->ret->stacks += hash_u64_add(&f->ret->areas, vm);
	c = hash_u64_get(&f->ret->callers, area.caller, &is_new);
	c->nr_pages = f->ret->stack_pages = area.nr_pages;
	return ST_OK;
}

static enum status add_cached(struct finder *f, uint64_t vm)
{
	bool is_task = hash_u64_has(&f->ret->areas, vm), is_new;
	enum status st = add_area(f, vm);

	if (st != ST_OK || is_task || !hash_u64_has(&f->ret->areas, vm))
		return st;
	hash_u64_get(&f->ret->cached, vm, &is_new);
	return ST_OK;
}

static enum status add_linear(struct finder *f, uint64_t stack)
{
	struct dump *d = f->dump;
	uint64_t phys;

	if (!f->thread_size)
		return keep_going(f, dump_unknown(d, "no size of union thread_union"));
	for (uint64_t at = 0; at < f->thread_size; at += dump_page_size(d)) {
		enum status st = dump_pointer_phys(d, stack + at, "a stack", &phys);

		if (st != ST_OK)
			return keep_going(f, st);
		pfnset_add(f->pages, phys >> d->page_shift);
	}
	f->ret->stacks++;
	return ST_OK;
}

static enum status add_task(struct finder *f, uint64_t task)
{
	struct dump *d = f->dump;
	uint64_t stack, area = 0;
	enum status st;

	if (task == f->init_task)
		return ST_OK;
	st = dump_u64(d, task + f->f[T_STACK].offset, &stack, "task_struct");
	if (st == ST_OK && f->f[T_AREA].present)
		st = dump_u64(d, task + f->f[T_AREA].offset, &area, "task_struct");
	if (st != ST_OK)
		return keep_going(f, st);
	if (area)
		return add_area(f, area);
	/* None: a task that has exited and waits for its parent. */
	return stack ? add_linear(f, stack) : ST_OK;
}

static enum status visit_task(void *arg, const struct task *task)
{
	return add_task(arg, task->address);
}

static enum status add_tasks(struct finder *f)
{
	struct tasks tasks;
	enum status st = tasks_open(f->dump, &tasks);

	if (st != ST_OK)
		return keep_going(f, st);
	tasks.identity_only = true;
	return keep_going(f, tasks_walk(&tasks, visit_task, f));
}

/* Pointers of each CPU, at a per-CPU address; add is called for those that are set. */
static enum status add_percpu(struct finder *f, const struct percpu *cpus, uint64_t addr,
			      unsigned int n, const char *what,
			      enum status (*add)(struct finder *f, uint64_t pointer))
{
	enum status st = ST_OK;

	for (unsigned int i = 0; st == ST_OK && i < cpus->n * n; i++) {
		uint64_t pointer;

		st = dump_u64(f->dump, addr + cpus->offset[i / n] + i % n * 8, &pointer, what);
		if (st != ST_OK)
			st = keep_going(f, st);
		else if (pointer)
			st = add(f, pointer);
	}
	return st;
}

static enum status add_cpus(struct finder *f)
{
	struct dump *d = f->dump;
	struct percpu cpus;
	struct field cached;
	uint64_t addr;
	enum status st = percpu_open(d, &cpus);

	if (st != ST_OK)
		return keep_going(f, st);
	st = dump_symbol(d, "runqueues", &addr);
	if (st == ST_OK && !f->f[T_IDLE].present)
		st = dump_unknown(d, "struct rq has no member idle");
	st = st ?: add_percpu(f, &cpus, addr + f->f[T_IDLE].offset, 1, "rq.idle", add_task);
	st = keep_going(f, st);
	if (st != ST_OK || !f->f[T_AREA].present ||
	    dump_ask(d, variable, "cached_stacks", &cached) != ST_OK)
		return st;
	st = dump_symbol(d, "cached_stacks", &addr);
	if (st == ST_OK && cached.size / 8 > MAX_CACHED)
		st = dump_unknown(d, "cached_stacks");
	st = st ?: add_percpu(f, &cpus, addr, cached.size / 8, "cached_stacks", add_cached);
	return keep_going(f, st);
}

enum status kstacks_open(const struct vm_layout *l, struct pfnset *pages, struct kstacks *ret)
{
	struct dump *d = l->dump;
	struct finder f = { .l = l, .dump = d, .pages = pages, .ret = ret };
	enum status st;

	ret->problem = (struct first_problem){ 0 };
	ret->stacks = ret->stack_pages = 0;
	hash_u64_init(&ret->areas, d->arena, 0);
	hash_u64_init(&ret->callers, d->arena, sizeof(struct caller));
	hash_u64_init(&ret->cached, d->arena, 0);
	st = layout_resolve(d, rows, T_FIELDS, f.f) ?: dump_symbol(d, "init_task", &f.init_task);
	if (st != ST_OK)
		return keep_going(&f, st);
	f.thread_size = thread_size(d);
	st = add_tasks(&f) ?: add_cpus(&f);
	decoder_trace(d, "decide %lu stacks of threads in %zu areas, made by %zu callers",
		      ret->stacks, ret->areas.n, ret->callers.n);
	return st;
}

bool kstacks_have(const struct kstacks *k, const struct vm_area *area)
{
	const struct caller *c = hash_u64_find(&k->callers, area->caller);

	return hash_u64_has(&k->areas, area->vm) || (c && c->nr_pages == area->nr_pages);
}

enum kstack_use kstacks_use(const struct kstacks *k, const struct vm_area *area)
{
	if (hash_u64_has(&k->cached, area->vm))
		return KSTACK_CACHED;
	return hash_u64_has(&k->areas, area->vm) ? KSTACK_TASK : KSTACK_UNLISTED;
}

bool kstacks_may_have(const struct kstacks *k, const struct vm_area *area)
{
	if (!k->problem.text)
		return false;
	return k->callers.n ? area->nr_pages == k->stack_pages : area->nr_pages <= MAX_STACK_PAGES;
}
