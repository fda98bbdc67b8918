// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/seccomp_users.h"

#define MAX_FILTERS (1U << 22) /* of all: each has an object around it, and a program */

struct found {
	struct seccomp_filter filter;
	struct file_users users;
};

struct search {
	struct dump *dump;
	struct seccomp_users *ret;
	struct hash_u64 filters; /* of struct found by address */
	struct hash_u64 users;	 /* of struct file_user by tgid */
	struct hash_u64 threads; /* of uint64_t by tgid */
	struct first_problem problem;
};

/* The chain from a filter that the process is known to have was walked for it. */
static enum status add_chain(struct search *x, uint64_t at, const struct file_user *user)
{
	while (at) {
		bool is_new;
		struct found *f;
		enum status st;

		if (dump_stopped(x->dump))
			return ST_STOPPED;
		f = hash_u64_get(&x->filters, at, &is_new);
		if (is_new) {
			st = x->filters.n > MAX_FILTERS
				     ? dump_corrupt(x->dump, "more than %u filters of seccomp",
						    MAX_FILTERS)
				     : seccomp_filter_read(&x->ret->of, at, &f->filter);
			if (st != ST_OK)
				return st;
		}
		/* Threads of a process are in the list one behind the other. */
		if (f->users.n && f->users.last == user->tgid)
			return ST_OK;
		file_users_add(x->dump->arena, &f->users, user);
		at = f->filter.prev;
	}
	return ST_OK;
}

static enum status add_task(void *arg, const struct task *task)
{
	struct search *x = arg;
	const struct file_user *user;
	uint64_t filter = 0;
	enum status st;

	if (task->is_kthread)
		return ST_OK;
	/* By the name of the first thread, which need not have a filter. */
	user = file_user_of(&x->users, task);
	st = seccomp_of_task(&x->ret->of, task->address, &filter);
	if (st == ST_OK && filter) {
		++*(uint64_t *)hash_u64_get(&x->threads, (uint64_t)task->tgid, NULL);
		st = add_chain(x, filter, user);
	}
	return first_problem_keep(x->dump, &x->problem, st);
}

static void count_threads(struct search *x, struct seccomp_user *u)
{
	for (unsigned int i = 0; i < u->users.kept; i++) {
		const uint64_t *n = hash_u64_find(&x->threads, (uint64_t)u->users.all[i]->tgid);

		u->threads += n ? *n : 0;
	}
}

static void add_found(struct search *x, const struct found *f, struct seccomp_user *u)
{
	const struct seccomp_filter *filter = &f->filter;
	const uint64_t programs = filter->pages << x->dump->page_shift;

	u->users = f->users;
	u->n++;
	u->programs += programs;
	u->jited += filter->jited;
	u->original += filter->original;
	u->all += programs + filter->jited + filter->original + x->ret->of.bytes;
}

static void sum_up(struct search *x)
{
	struct seccomp_users *r = x->ret;
	struct hash_bytes groups; /* of size_t, the place in all, by the processes */

	hash_bytes_init(&groups, x->dump->arena, sizeof(size_t));
	hash_u64_for_each(const struct found, f, &x->filters) {
		bool is_new;
		size_t *at;

		if (!f->users.n)
			continue;
		at = hash_bytes_get(&groups, f->users.all, f->users.kept * sizeof(f->users.all[0]),
				    &is_new)
			     ->value;
		if (is_new) {
			*at = r->n++;
			r->all = arena_more(x->dump->arena, r->all, *at, sizeof(*r->all));
			r->all[*at] = (struct seccomp_user){ 0 };
		}
		add_found(x, f, &r->all[*at]);
		r->filters++;
	}
	for (size_t i = 0; i < r->n; i++) {
		count_threads(x, &r->all[i]);
		r->bytes += r->all[i].all;
	}
}

enum status seccomp_users_collect(struct dump *d, struct seccomp_users *ret)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	struct tasks *tasks = dump_alloc(d, sizeof(*tasks));
	enum status st;

	x->dump = d;
	x->ret = ret;
	*ret = (struct seccomp_users){ 0 };
	hash_u64_init(&x->filters, d->arena, sizeof(struct found));
	hash_u64_init(&x->users, d->arena, sizeof(struct file_user));
	hash_u64_init(&x->threads, d->arena, sizeof(uint64_t));
	st = seccomp_filters_open(d, &ret->of) ?: tasks_open(d, tasks);
	if (st != ST_OK)
		return st;
	tasks->identity_only = true;
	st = first_problem_keep(d, &x->problem, tasks_walk(tasks, add_task, x));
	sum_up(x);
	ret->problem = x->problem.text;
	return st;
}
