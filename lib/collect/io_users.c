// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/io_users.h"

struct search {
	struct dump *dump;
	struct io_users *ret;
	struct io_rings rings;
	struct first_problem problem, rings_problem;
};

static enum status add_task(void *arg, const struct task *task)
{
	struct search *x = arg;
	struct io_user *u;
	uint64_t n;
	enum status st = io_requests_in_flight(&x->ret->of, task->address, &n);

	if (st != ST_OK || !n)
		return first_problem_keep(x->dump, &x->problem, st);
	u = hash_u64_get(&x->ret->users, (uint64_t)task->tgid, NULL);
	u->in_flight += n;
	if (u->user && task->pid != task->tgid)
		return ST_OK;
	u->user = file_user_new(x->dump, task->tgid, task->comm);
	return ST_OK;
}

static enum status read_tasks(struct search *x)
{
	struct tasks *tasks = dump_alloc(x->dump, sizeof(*tasks));
	enum status st = tasks_open(x->dump, tasks);

	tasks->identity_only = true;
	return first_problem_keep(x->dump, &x->problem, st ?: tasks_walk(tasks, add_task, x));
}

static enum status add_file(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct search *x = arg;
	struct io_ring *ring;
	uint64_t ctx;
	enum status st;

	if (!operations || operations != x->rings.operations)
		return ST_OK;
	st = io_ring_of_file(&x->rings, file, &ctx);
	if (st != ST_OK)
		return first_problem_keep(x->dump, &x->rings_problem, st);
	ring = hash_u64_get(&x->ret->rings, ctx, NULL);
	ring->ctx = ctx;
	file_users_add(x->dump->arena, &ring->users, user);
	return ST_OK;
}

static enum status read_rings(struct search *x)
{
	struct open_files *o = dump_alloc(x->dump, sizeof(*o));
	enum status st = io_rings_find(x->dump, &x->rings)
				 ?: open_files_visit(o, x->dump, add_file, x);

	hash_u64_for_each(struct io_ring, ring, &x->ret->rings)
		st = st
			     ?: first_problem_keep(
					x->dump, &x->rings_problem,
					io_requests_of_ring(&x->ret->of, ring->ctx, &ring->lists));
	x->ret->is_complete = st == ST_OK && o->complete;
	st = first_problem_keep(x->dump, &x->rings_problem, st);
	x->ret->rings_problem = x->rings_problem.text ?: o->problem;
	return st;
}

enum status io_users_collect(struct dump *d, struct io_users *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	*ret = (struct io_users){ 0 };
	x->dump = d;
	x->ret = ret;
	hash_u64_init(&ret->users, d->arena, sizeof(struct io_user));
	hash_u64_init(&ret->rings, d->arena, sizeof(struct io_ring));
	st = io_requests_find(d, &ret->of) ?: read_tasks(x) ?: read_rings(x);
	return RESULT(st, &ret->problem, x->problem.text);
}
