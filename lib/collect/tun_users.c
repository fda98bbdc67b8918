// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/tun_users.h"

struct search {
	struct dump *dump;
	uint64_t operations;
	struct tun_queues of;
	struct hash_u64 files; /* of struct file_users by address of the file */
	struct tun_users *ret;
	struct first_problem problem;
};

static enum status add_file(void *arg, uint64_t file, uint64_t operations,
			    const struct file_user *user)
{
	struct search *x = arg;

	if (operations && operations == x->operations)
		file_users_add(x->dump->arena, hash_u64_get(&x->files, file, NULL), user);
	return ST_OK;
}

static enum status read_queue(struct search *x, uint64_t file, const struct file_users *users)
{
	struct tun_user *u;
	uint64_t at;
	bool is_new;
	enum status st = tun_queue_of_file(&x->of, file, &at);

	if (st != ST_OK)
		return st;
	u = hash_u64_get(&x->ret->all, at, &is_new);
	file_users_add_all(x->dump->arena, &u->users, users);
	return is_new ? tun_queue_read(&x->of, at, &u->queue) : ST_OK;
}

/* The types of the module are asked for where a process has such a file open. */
static enum status read_queues(struct search *x)
{
	enum status st = x->files.first ? tun_queues_find(x->dump, &x->of) : ST_OK;

	for (const struct hash_u64_entry *e = x->files.first; e && st == ST_OK; e = e->next)
		st = first_problem_keep(x->dump, &x->problem,
					read_queue(x, e->key, (const struct file_users *)e->value));
	return st;
}

enum status tun_users_collect(struct dump *d, struct tun_users *ret)
{
	struct open_files *o = dump_alloc(d, sizeof(*o));
	struct search *x = dump_alloc(d, sizeof(*x));
	enum status st = tun_operations(d, &x->operations);

	*ret = (struct tun_users){ 0 };
	if (st != ST_OK)
		return st;
	x->dump = d;
	x->ret = ret;
	hash_u64_init(&x->files, d->arena, sizeof(struct file_users));
	hash_u64_init(&ret->all, d->arena, sizeof(struct tun_user));
	st = open_files_visit(o, d, add_file, x) ?: read_queues(x);
	if (st != ST_OK)
		return st;
	ret->is_complete = o->complete;
	ret->problem = x->problem.text ?: o->problem;
	return ST_OK;
}
