// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/watchers.h"

struct search {
	struct dump *dump;
	struct watchers *ret;
	struct watcher *of; /* whose watches are visited */
	struct first_problem problem;
};

static enum status add_file(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct search *x = arg;
	const enum watch_kind kind = watch_kind_of(&x->ret->of, operations);
	struct watcher *w;
	uint64_t group;
	enum status st;

	if (kind == WATCH_KINDS)
		return ST_OK;
	st = watches_of_file(&x->ret->of, file, &group);
	if (st != ST_OK)
		return first_problem_keep(x->dump, &x->problem, st);
	w = hash_u64_get(&x->ret->all, group, NULL);
	w->group = group;
	w->kind = kind;
	file_users_add(x->dump->arena, &w->users, user);
	return ST_OK;
}

static enum status add_watch(void *arg, const struct watch *watch)
{
	struct search *x = arg;
	struct watcher *w = x->of;
	struct watched *of;

	w->watches++;
	w->connectors += watch->is_first;
	w->bytes += x->ret->of.bytes[w->kind] + (watch->is_alone ? x->ret->of.connector_bytes : 0);
	if (!watch->pins)
		return ST_OK;
	w->inodes++;
	of = hash_u64_get(&w->supers, watch->super, NULL);
	of->inodes++;
	of->firsts += watch->is_first;
	of->sample = watch->inode;
	return ST_OK;
}

enum status watchers_collect(struct dump *d, struct watchers *ret)
{
	struct open_files *o = dump_alloc(d, sizeof(*o));
	struct search x = { .dump = d, .ret = ret };
	enum status st;

	*ret = (struct watchers){ 0 };
	hash_u64_init(&ret->all, d->arena, sizeof(struct watcher));
	st = watches_find(d, &ret->of) ?: open_files_visit(o, d, add_file, &x);
	hash_u64_for_each(struct watcher, w, &ret->all) {
		if (st != ST_OK)
			break;
		hash_u64_init(&w->supers, d->arena, sizeof(struct watched));
		x.of = w;
		st = first_problem_keep(d, &x.problem,
					watches_walk(&ret->of, w->group, add_watch, &x));
	}
	if (st != ST_OK)
		return st;
	ret->is_complete = o->complete;
	ret->problem = x.problem.text ?: o->problem;
	return ST_OK;
}
