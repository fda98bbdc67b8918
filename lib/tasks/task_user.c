// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/task_user.h"

static const struct layout_row rows[] = {
	{ "struct task_struct", { "real_cred" }, REQUIRED, "all" },
	{ "struct cred", { "uid.val" }, REQUIRED, "3.14" },
};

enum status task_users_open(struct dump *d, struct task_users *ret)
{
	struct field f[2];
	enum status st = layout_resolve(d, rows, 2, f);

	if (st == ST_OK && (f[0].size != 8 || f[1].size != 4))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct cred");
	if (st == ST_OK)
		*ret = (struct task_users){ d, f[0], f[1] };
	return st;
}

enum status task_user(const struct task_users *u, uint64_t task, uint32_t *ret)
{
	uint64_t cred;

	return dump_u64(u->dump, task + u->cred.offset, &cred, "task_struct")
		       ?: dump_u32(u->dump, cred + u->uid.offset, ret, "cred");
}
