// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/user_forks.h"

/* include/uapi/linux/capability.h */
#define CAP_SYS_ADMIN 21
#define CAP_SYS_RESOURCE 24
#define NOT_LIMITED (1ULL << CAP_SYS_ADMIN | 1ULL << CAP_SYS_RESOURCE)

/* A process that shuts itself in lowers it to what it has: none, or a few (avahi-daemon: 3). */
#define FEW 8

static const struct layout_row rows[] = {
	FINDS(struct user_forks, task_cred, "struct task_struct", REQUIRED, "all", "real_cred"),
	FINDS(struct user_forks, uid, "struct cred", REQUIRED, "3.14", "uid.val"),
	FINDS(struct user_forks, capabilities, "struct cred", REQUIRED, "all", "cap_effective"),
};

enum status user_forks_open(struct dump *d, const struct rlimits *limits, struct user_forks *ret)
{
	enum status st;

	*ret = (struct user_forks){ 0 };
	st = STRUCTS_OPEN(d, rows, ret)
		     ?: user_counter_open(d, "UCOUNT_RLIMIT_NPROC", "processes", &ret->counter);
	if (st == ST_OK && ret->capabilities.size != sizeof(uint64_t))
		st = dump_unknown(d, "cred.cap_effective");
	ret->dump = d;
	ret->rlimits = limits;
	hash_u64_init(&ret->all, d->arena, sizeof(struct user_fork));
	return st;
}

enum status user_forks_add(struct user_forks *u, const struct task *t)
{
	struct dump *d = u->dump;
	uint64_t cred, capabilities, at, used, limit = UINT64_MAX;
	struct user_fork *f;
	uint32_t uid;
	bool is_new;
	enum status st = dump_u64(d, t->address + u->task_cred.offset, &cred, "task_struct");

	st = st ?: dump_u32(d, cred + u->uid.offset, &uid, "cred") ?:
		dump_u64(d, cred + u->capabilities.offset, &capabilities, "cred") ?:
		rlimit_read(u->rlimits, t, TASK_LIMIT_NPROC, &limit);
	if (st != ST_OK || !uid || capabilities & NOT_LIMITED || limit < FEW || limit > INT64_MAX)
		return st;
	st = user_counter_read(&u->counter, cred, &at, &used);
	if (st != ST_OK || !at)
		return st;
	f = hash_u64_get(&u->all, at, &is_new);
	if (!is_new && f->limit <= limit)
		return ST_OK;
	*f = (struct user_fork){ .uid = uid, .used = used, .limit = limit, .tgid = t->tgid };
	snprintf(f->comm, sizeof(f->comm), "%s", t->comm);
	return ST_OK;
}
