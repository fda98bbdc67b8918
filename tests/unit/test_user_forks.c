// SPDX-License-Identifier: GPL-2.0-or-later
/* Users of whom fork() refuses more: whose limit counts, who is not limited, and the counter in two forms. */
#include "stub.h"
#include "tasks/user_forks.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define NPROC 6

struct cred {
	uint64_t user, ucounts, capabilities;
	uint32_t uid, pad;
};
static uint64_t task[2] = { 0, AT(1) };
static struct cred cred = { AT(2), AT(3), 0, 33, 0 };
static uint32_t of_user[2] = { 0, 57 };
static uint64_t of_ucounts[2] = { 60, 5 };
static uint64_t limits[2 * 16];

static const struct stub_memory memory[] = {
	{ AT(0), task, sizeof(task) },	     { AT(1), &cred, sizeof(cred) },
	{ AT(2), of_user, sizeof(of_user) }, { AT(3), of_ucounts, sizeof(of_ucounts) },
	{ AT(4), limits, sizeof(limits) },   { 0 },
};
static const struct stub_member members[] = {
	{ "struct task_struct", "real_cred", KINDED(KIND_POINTER, 8, 8) },
	{ "struct signal_struct", "rlim", FIELD(0, 16 * 16) },
	{ "struct cred", "user", KINDED(KIND_POINTER, 0, 8) },
	{ "struct cred", "ucounts", KINDED(KIND_POINTER, 8, 8) },
	{ "struct cred", "cap_effective", FIELD(16, 8) },
	{ "struct cred", "uid.val", FIELD(24, 4) },
	{ "struct user_struct", "processes", FIELD(4, 4) },
	{ "struct ucounts", "rlimit", FIELD(0, 16) },
	{ 0 },
};
static const struct stub_number of_6_1[] = { { "UCOUNT_RLIMIT_NPROC", 0 }, { 0 } };
static const struct stub_number of_5_10[] = { { 0 } };

/* What is kept of a process with that limit, and of one with another one behind it. */
static const struct user_fork *add(struct stub *s, const struct stub_number *kernel, uint64_t limit,
				   uint64_t another)
{
	static struct rlimits rlimits;
	static struct user_forks u;
	struct task t = { .address = AT(0), .signal = AT(4), .tgid = 7, .comm = "cartd" };

	STUB_OPEN(*s, .memory = memory, .members = members, .enumerators = kernel);
	s->dump.arch = "x86_64";
	CHECK(rlimits_open(&s->dump, &rlimits) == ST_OK);
	CHECK(user_forks_open(&s->dump, &rlimits, &u) == ST_OK);
	limits[NPROC * 2] = limit;
	CHECK(user_forks_add(&u, &t) == ST_OK);
	limits[NPROC * 2] = another;
	t.tgid = 8;
	CHECK(user_forks_add(&u, &t) == ST_OK);
	return u.all.first ? hash_u64_find(&u.all, u.all.first->key) : NULL;
}

static void the_lowest_limit_of_a_user_is_kept(void)
{
	struct stub s = { 0 };
	const struct user_fork *f = add(&s, of_6_1, 60, 100);

	CHECK(f && f->uid == 33 && f->used == 60 && f->limit == 60 && f->tgid == 7);
	f = add(&s, of_6_1, 100, 60);
	CHECK(f && f->limit == 60 && f->tgid == 8);
	f = add(&s, of_5_10, 60, UINT64_MAX);
	CHECK(f && f->used == 57 && f->limit == 60 && f->tgid == 7);
	stub_close(&s);
}

static void who_is_not_limited_is_left_out(void)
{
	struct stub s = { 0 };

	CHECK(!add(&s, of_6_1, UINT64_MAX, UINT64_MAX));
	CHECK(!add(&s, of_6_1, 3, 0)); /* it has shut itself in */
	cred.capabilities = 1ULL << 24;
	CHECK(!add(&s, of_6_1, 60, 60));
	cred.capabilities = 1ULL << 21;
	CHECK(!add(&s, of_6_1, 60, 60));
	cred.capabilities = ~(1ULL << 21 | 1ULL << 24);
	CHECK(add(&s, of_6_1, 60, 60));
	cred.uid = 0;
	CHECK(!add(&s, of_6_1, 60, 60));
	cred.uid = 33;
	cred.capabilities = 0;
	stub_close(&s);
}

static void a_counter_below_0_is_damage(void)
{
	struct stub s = { 0 };
	struct user_counter c;
	uint64_t at, n;

	STUB_OPEN(s, .memory = memory, .members = members, .enumerators = of_6_1);
	CHECK(user_counter_open(&s.dump, "UCOUNT_RLIMIT_NPROC", "processes", &c) == ST_OK);
	of_ucounts[0] = (uint64_t)-1;
	CHECK(user_counter_read(&c, AT(1), &at, &n) == ST_CORRUPT);
	of_ucounts[0] = 60;
	cred.ucounts = 0;
	CHECK(user_counter_read(&c, AT(1), &at, &n) == ST_OK && !at && !n);
	cred.ucounts = AT(9);
	CHECK(user_counter_read(&c, AT(1), &at, &n) == ST_UNREADABLE);
	cred.ucounts = AT(3);
	stub_close(&s);
}

TESTS({ "the lowest limit of a user is kept", the_lowest_limit_of_a_user_is_kept },
      { "who is not limited is left out", who_is_not_limited_is_left_out },
      { "a counter below 0 is damage", a_counter_below_0_is_damage })
