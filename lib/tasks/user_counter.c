// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/user_counter.h"

/* 6.0 has the limits of resources apart from other counters. */
static const struct layout_row of_ucounts[] = {
	{ "struct cred", { "ucounts" }, REQUIRED, "5.13" },
	{ "struct ucounts", { "rlimit", "ucount" }, REQUIRED, "6.0 5.14" },
};

enum status user_counter_open(struct dump *d, const char *kind, const char *member,
			      struct user_counter *ret)
{
	const struct layout_row of_users[] = {
		{ "struct cred", { "user" }, REQUIRED, "2.6.29" },
		{ "struct user_struct", { member }, REQUIRED, "all" },
	};
	struct field f[2];
	int64_t index;
	const bool by_kind = dump_ask(d, enumerator, kind, &index) == ST_OK;
	enum status st = layout_resolve(d, by_kind ? of_ucounts : of_users, 2, f);

	if (st != ST_OK)
		return st;
	if (by_kind) {
		if (index < 0 || (uint64_t)index >= f[1].size / sizeof(uint64_t))
			return dump_unknown(d, "%s", kind);
		f[1].offset += (uint32_t)index * sizeof(uint64_t);
		f[1].size = sizeof(uint64_t);
	}
	if (f[0].size != sizeof(uint64_t) || (f[1].size != 4 && f[1].size != 8))
		return dump_unknown(d, "struct cred and its %s", member);
	*ret = (struct user_counter){ d, f[0], f[1] };
	return ST_OK;
}

enum status user_number_read(struct dump *d, uint64_t at, const struct field *f, uint64_t *ret)
{
	uint64_t n = 0;
	uint32_t half = 0;
	enum status st = f->size == sizeof(n) ? dump_u64(d, at + f->offset, &n, "ucounts")
					      : dump_u32(d, at + f->offset, &half, "user_struct");

	return RESULT(st, ret, n + half);
}

enum status user_counter_read(const struct user_counter *u, uint64_t cred, uint64_t *at,
			      uint64_t *ret)
{
	uint64_t user;
	enum status st = dump_u64(u->dump, cred + u->user.offset, &user, "cred");

	if (st == ST_OK && !user)
		*at = *ret = 0;
	if (st != ST_OK || !user)
		return st;
	*at = user + u->count.offset;
	st = user_number_read(u->dump, user, &u->count, ret);
	return st == ST_OK && *ret > INT64_MAX
		       ? dump_corrupt(u->dump, "a counter of a user is below 0")
		       : st;
}
