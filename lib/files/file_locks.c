// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/file_locks.h"

#include "kernel/list.h"
#include "kernel/object_bytes.h"

#define SLAB_ALIGN 64 /* bytes between inodes at least */

struct pointer {
	uint64_t at;
};

struct context {
	uint64_t posix, flock, leases; /* heads of lists */
};

struct lock {
	uint64_t link, owner;
	int32_t pid;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct file_locks, inode, "struct inode"),
	POINTS(struct pointer, at, REQUIRED, "4.0", "i_flctx"),
	STRUCTURE(struct file_locks, context, "struct file_lock_context"),
	PLACES(struct context, posix, REQUIRED, "4.0", "flc_posix"),
	PLACES(struct context, flock, REQUIRED, "4.0", "flc_flock"),
	PLACES(struct context, leases, REQUIRED, "4.0", "flc_lease"),
	/* 6.9: struct file_lock_core, with which a struct file_lease begins as well. */
	STRUCTURE(struct file_locks, lock, "struct file_lock"),
	PLACES(struct lock, link, REQUIRED, "6.9; 4.0", "c.flc_list", "fl_list"),
	POINTS(struct lock, owner, REQUIRED, "6.9; all", "c.flc_owner", "fl_owner"),
	READS(struct lock, pid, REQUIRED, "6.9; all", "c.flc_pid", "fl_pid"),
};

enum status file_locks_find(struct dump *d, struct file_locks *ret)
{
	enum status st;

	*ret = (struct file_locks){ .dump = d };
	hash_u64_init(&ret->contexts, d->arena, sizeof(struct file_users));
	hash_u64_init(&ret->files, d->arena, sizeof(struct file_users));
	if (!dump_has_symbol(d, "posix_lock_file"))
		return ST_ABSENT;
	st = STRUCTS_OPEN(d, rows, ret)
		     ?: object_bytes(d, "struct file_lock", "filelock_cache", &ret->lock_bytes);
	if (st == ST_OK &&
	    object_bytes(d, "struct file_lease", "filelease_cache", &ret->lease_bytes) != ST_OK)
		ret->lease_bytes = ret->lock_bytes; /* to 6.8 */
	return st;
}

enum status file_locks_add(struct file_locks *l, uint64_t file, uint64_t inode,
			   const struct file_user *user)
{
	struct arena *a = l->dump->arena;
	/* Many processes have the same few open, and of many none has locks. */
	uint64_t *last = l->read[inode / SLAB_ALIGN % FILE_LOCKS_READ];
	struct pointer p = { 0 };
	enum status st = last[0] == inode ? ST_OK : struct_read(&l->inode, inode, &p);

	if (st != ST_OK)
		return st;
	if (last[0] != inode) {
		last[0] = inode;
		last[1] = p.at;
	}
	if (!last[1])
		return ST_OK;
	file_users_add(a, hash_u64_get(&l->contexts, last[1], NULL), user);
	file_users_add(a, hash_u64_get(&l->files, file, NULL), user);
	return ST_OK;
}

/* The one with this tgid, among those that have the inode open; u is of the lock before. */
static bool find_taker(const struct file_users *users, int32_t pid, const struct file_user **u)
{
	for (unsigned int i = 0; (!*u || (*u)->tgid != pid) && i < users->kept; i++)
		if (users->all[i]->tgid == pid)
			*u = users->all[i];
	return *u && (*u)->tgid == pid;
}

static enum status walk_list(const struct file_locks *l, uint64_t head,
			     const struct file_users *users, uint64_t bytes,
			     enum status (*visit)(void *, const struct file_users *, uint64_t),
			     void *arg)
{
	struct list_nodes list = list_of(l->dump, head, "locks of a file");
	struct first_problem problem = { 0 };
	const struct file_user *taker = NULL;
	const struct file_users one = { .all = &taker, .kept = 1, .n = 1 };
	enum status st = ST_OK;
	uint64_t node;

	while (st == ST_OK && list_next(&list, &node)) {
		const struct file_users *owner;
		struct lock lock;

		st = struct_read(&l->lock, STRUCT_WITH(&l->lock, struct lock, link, node), &lock);
		if (st != ST_OK) {
			st = first_problem_keep(l->dump, &problem, st);
			continue;
		}
		/* The owner of flock(), of a lease and an OFD lock is the file, else a files_struct. */
		owner = hash_u64_find(&l->files, lock.owner);
		if (!owner && find_taker(users, lock.pid, &taker))
			owner = &one;
		st = visit(arg, owner, bytes);
	}
	return st ?: first_problem_end(l->dump, &problem) ?: list_end(&list);
}

enum status file_locks_walk(const struct file_locks *l,
			    enum status (*visit)(void *arg, const struct file_users *users,
						 uint64_t bytes),
			    void *arg)
{
	struct first_problem problem = { 0 };
	enum status st = ST_OK;

	for (const struct hash_u64_entry *e = l->contexts.first; e && st == ST_OK; e = e->next) {
		const struct file_users *users = (const struct file_users *)e->value;
		struct context c;
		enum status found = struct_read(&l->context, e->key, &c);

		if (found != ST_OK) {
			st = first_problem_keep(l->dump, &problem, found);
			continue;
		}
		st = first_problem_keep(l->dump, &problem,
					walk_list(l, c.posix, users, l->lock_bytes, visit, arg))
			     ?: first_problem_keep(
					l->dump, &problem,
					walk_list(l, c.flock, users, l->lock_bytes, visit, arg))
			     ?: first_problem_keep(
					l->dump, &problem,
					walk_list(l, c.leases, users, l->lease_bytes, visit, arg));
	}
	return st ?: first_problem_end(l->dump, &problem);
}
