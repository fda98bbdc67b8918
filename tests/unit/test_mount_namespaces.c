// SPDX-License-Identifier: GPL-2.0-or-later
/* Mount namespaces: their mounts, by both names of the counter, the processes in them, and whether one alone keeps them. */
#include "collect/mount_namespaces.h"
#include "task_stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define INIT AT(0)
#define TASK(i) AT(1 + (i))
#define SIGNAL(i) AT(10 + (i))
#define PROXY(i) AT(20 + (i))
#define NS(i) AT(30 + (i))
#define TASKS 4 /* init_task, and three more */

struct nstask {
	struct utask task;
	uint64_t nsproxy;
};
static struct nstask tasks[TASKS];
static struct usignal signals[TASKS];
static uint64_t proxies[3];
static struct {
	uint32_t inum, count, mounts, unused;
} spaces[2];
static uint64_t cache = AT(41);
static const uint32_t threads = 3, size = 320;

static uint64_t task_at(unsigned int i)
{
	return i ? TASK(i) : INIT;
}

#define TASK_MEMORY(i, at)                      \
	{                                       \
		at, &tasks[i], sizeof(tasks[i]) \
	}
#define SIGNAL_MEMORY(i)                                   \
	{                                                  \
		SIGNAL(i), &signals[i], sizeof(signals[i]) \
	}
static const struct stub_memory memory[] = {
	TASK_MEMORY(0, INIT),
	TASK_MEMORY(1, TASK(1)),
	TASK_MEMORY(2, TASK(2)),
	TASK_MEMORY(3, TASK(3)),
	SIGNAL_MEMORY(0),
	SIGNAL_MEMORY(1),
	SIGNAL_MEMORY(2),
	SIGNAL_MEMORY(3),
	{ PROXY(0), &proxies[0], 8 },
	{ PROXY(1), &proxies[1], 8 },
	{ PROXY(2), &proxies[2], 8 },
	{ NS(0), &spaces[0], sizeof(spaces[0]) },
	{ NS(1), &spaces[1], sizeof(spaces[1]) },
	{ AT(40), &cache, sizeof(cache) },
	{ AT(41), &size, sizeof(size) },
	{ AT(42), &threads, sizeof(threads) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "init_task", INIT, { 0 } },
					      { "mnt_cache", AT(40), { 0 } },
					      { "nr_threads", AT(42), FIELD(0, 4) },
					      { 0 } };
#define COMMON                                                                           \
	TASK_MEMBERS, { "struct task_struct", "nsproxy", KINDED(KIND_POINTER, 120, 8) }, \
		{ "struct nsproxy", "mnt_ns", KINDED(KIND_POINTER, 0, 8) },              \
	{                                                                                \
		"struct kmem_cache", "size", FIELD(0, 4)                                 \
	}
static const struct stub_member of_6_12[] = {
	COMMON,
	{ "struct mnt_namespace", "ns.count.refs.counter", FIELD(4, 4) },
	{ "struct mnt_namespace", "nr_mounts", FIELD(8, 4) },
	{ "struct mnt_namespace", "mounts", KINDED(KIND_STRUCT, 16, 8) }, /* a tree */
	{ 0 },
};
static const struct stub_member of_5_10[] = {
	COMMON,
	{ "struct mnt_namespace", "count.counter", FIELD(4, 4) },
	{ "struct mnt_namespace", "mounts", FIELD(8, 4) },
	{ 0 },
};
/* RHEL 8 has both, and the kernel counts in its own. */
static const struct stub_member of_el8[] = {
	COMMON,
	{ "struct mnt_namespace", "count.counter", FIELD(4, 4) },
	{ "struct mnt_namespace", "ns.count.refs.counter", FIELD(12, 4) },
	{ "struct mnt_namespace", "mounts", FIELD(8, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct mount", 312 },
					    { "struct mm_struct", 64 },
					    { 0 } };
static const struct stub_number enumerators[] = { TASK_COUNTERS, { 0 } };

_Static_assert(offsetof(struct nstask, nsproxy) == 120, "as the table has it");

/* 100 and 200 are in the initial namespace, 300 and its thread 301, with a nsproxy of its own, in another. */
static void fill(void)
{
	static const int32_t pids[] = { 0, 100, 300, 301 }, tgids[] = { 0, 100, 300, 300 };

	for (unsigned int i = 0; i < TASKS; i++) {
		struct utask *t = &tasks[i].task;
		const bool is_thread = i == 3;

		*t = (struct utask){ .pid = pids[i], .tgid = tgids[i] };
		snprintf(t->comm, sizeof(t->comm), "%s", is_thread ? "worker" : "mounter");
		t->signal = SIGNAL(is_thread ? 2 : i);
		tasks[i].nsproxy = PROXY(i < 2 ? 0 : i - 1);
		signals[i].head = (struct link){ task_at(i) + 16, task_at(i) + 16 };
		t->node = (struct link){ SIGNAL(i), SIGNAL(i) };
	}
	signals[2].head = (struct link){ TASK(2) + 16, TASK(3) + 16 };
	tasks[2].task.node = (struct link){ TASK(3) + 16, SIGNAL(2) };
	tasks[3].task.node = (struct link){ SIGNAL(2), TASK(2) + 16 };
	for (unsigned int i = 0; i < 3; i++) {
		tasks[i].task.tasks.next = task_at((i + 1) % 3);
		tasks[i].task.tasks.prev = task_at((i + 2) % 3);
	}
	proxies[0] = NS(0);
	proxies[1] = proxies[2] = NS(1);
	spaces[0].mounts = 30;
	spaces[0].count = 1;
	spaces[1].mounts = 96214;
	spaces[1].count = 2;
}

static enum status read_all(const struct stub_member *members, struct stub *s,
			    struct mount_namespaces *ret)
{
	STUB_OPEN(*s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes,
		  .enumerators = enumerators);
	return mount_namespaces_read(&s->dump, ret);
}

static const struct mount_namespace *second_of(const struct mount_namespaces *m)
{
	return m->n == 2 ? &m->all[m->all[0].is_initial ? 1 : 0] : NULL;
}

static void check(const struct stub_member *members)
{
	struct mount_namespaces m = { 0 };
	const struct mount_namespace *ns;
	const struct file_user *keeper;
	struct stub s;

	fill();
	CHECK(read_all(members, &s, &m) == ST_OK && m.n == 2 && m.mount_bytes == 320);
	ns = second_of(&m);
	CHECK(ns && ns->mounts == 96214 && ns->users.n == 1);
	keeper = ns ? mount_namespace_keeper(&m, ns) : NULL;
	CHECK(keeper && keeper->tgid == 300 && !strcmp(keeper->comm, "mounter"));
	CHECK(ns && !mount_namespace_keeper(&m, ns == m.all ? m.all + 1 : m.all));
	stub_close(&s);
}

static void mounts_by_either_name(void)
{
	check(of_6_12);
	check(of_5_10);
	check(of_el8);
}

static void what_others_keep(void)
{
	struct mount_namespaces m = { 0 };
	const struct mount_namespace *ns;
	struct stub s;

	fill();
	spaces[1].count = 3; /* a file of /proc/300/ns/mnt is open */
	CHECK(read_all(of_6_12, &s, &m) == ST_OK);
	ns = second_of(&m);
	CHECK(ns && ns->users.n == 1 && !mount_namespace_keeper(&m, ns));
	stub_close(&s);
	fill();
	tasks[1].nsproxy = PROXY(1);
	CHECK(read_all(of_6_12, &s, &m) == ST_OK);
	CHECK(m.n == 1 && m.all[0].users.n == 2 && !mount_namespace_keeper(&m, m.all));
	stub_close(&s);
}

static void what_is_not_there(void)
{
	struct mount_namespaces m = { 0 };
	struct stub s;

	fill();
	tasks[3].nsproxy = AT(80); /* in no dump */
	CHECK(read_all(of_6_12, &s, &m) == ST_OK && m.problem && m.n == 2);
	CHECK(second_of(&m) && !mount_namespace_keeper(&m, second_of(&m)));
	stub_close(&s);
	fill();
	tasks[3].nsproxy = 0; /* exits */
	spaces[1].count = 1;
	CHECK(read_all(of_6_12, &s, &m) == ST_OK && !m.problem);
	CHECK(second_of(&m) && mount_namespace_keeper(&m, second_of(&m)));
	stub_close(&s);
}

TESTS({ "mounts by either name", mounts_by_either_name }, { "what others keep", what_others_keep },
      { "what is not there", what_is_not_there })
