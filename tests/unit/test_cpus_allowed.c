// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that share a CPU though another one is idle: by a cpuset, by their own affinity. */
#include "oom/cpus_allowed.h"

#include "stub.h"
#include "test.h"

#define M 0x1000
#define TASK(i) (0x4000 + 0x100 * (uint64_t)(i))
#define RQ 0x100
#define SET 0x9000
#define CPUSET(i) (0xa000 + 0x100 * (uint64_t)(i))
#define MASK(i) (0xb000 + 0x10 * (uint64_t)(i))
#define NODE(i) (0xc000 + 0x100 * (uint64_t)(i))
#define NAME 0xd000
#define TASKS 6
#define IDLE TASKS

static struct {
	uint64_t offsets[2], possible, online;
	uint32_t cpus, pad;
} m;
struct ctask {
	uint64_t mask[2];
	char comm[16];
	int32_t pid, tgid;
	uint32_t policy, priority;
};
static struct ctask tasks[TASKS + 1];
static uint64_t curr[2], css_set[1] = { CPUSET(1) }, masks[4];
struct ccss {
	uint64_t cgroup, parent, effective;
};
static struct ccss cpusets[2];
struct cnode {
	uint64_t parent, name;
};
static struct cnode nodes[2] = { { 0, 0 }, { NODE(0), NAME } };
static uint64_t cgroups[2] = { NODE(0), NODE(1) };
static char name[256] = "prod";

#define AT(x) (M + offsetof(__typeof__(m), x))
static const struct stub_member members[] = {
	{ "struct task_struct", "cpus_mask", FIELD(0, 16) },
	{ "struct task_struct", "comm", FIELD(16, 16) },
	{ "struct task_struct", "pid", FIELD(32, 4) },
	{ "struct task_struct", "tgid", FIELD(36, 4) },
	{ "struct task_struct", "policy", FIELD(40, 4) },
	{ "struct task_struct", "rt_priority", FIELD(44, 4) },
	{ "struct rq", "curr", FIELD(0, 8) },
	{ "struct cpuset", "effective_cpus", FIELD(16, 8) },
	{ "struct cgroup_subsys_state", "cgroup", KINDED(KIND_POINTER, 0, 8) },
	{ "struct cgroup_subsys_state", "parent", KINDED(KIND_POINTER, 8, 8) },
	{ "struct cgroup", "kn", KINDED(KIND_POINTER, 0, 8) },
	{ "struct kernfs_node", "__parent", KINDED(KIND_POINTER, 0, 8) },
	{ "struct kernfs_node", "name", KINDED(KIND_POINTER, 8, 8) },
	{ "struct css_set", "subsys", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "nr_cpu_ids", AT(cpus), FIELD(0, 4) },
	{ "__per_cpu_offset", AT(offsets), KINDED(KIND_ARRAY, 0, 16) },
	{ "__cpu_possible_mask", AT(possible), FIELD(0, 8) },
	{ "__cpu_online_mask", AT(online), FIELD(0, 8) },
	{ "runqueues", RQ, FIELD(0, 8) },
	{ "cgrp_dfl_root", 0xe000, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number enumerators[] = { { "cpuset_cgrp_id", 0 }, { 0 } };
static const struct stub_memory memory[] = {
	{ M, &m, sizeof(m) },
	{ TASK(0), &tasks[0], sizeof(tasks[0]) },
	{ TASK(1), &tasks[1], sizeof(tasks[0]) },
	{ TASK(2), &tasks[2], sizeof(tasks[0]) },
	{ TASK(3), &tasks[3], sizeof(tasks[0]) },
	{ TASK(4), &tasks[4], sizeof(tasks[0]) },
	{ TASK(5), &tasks[5], sizeof(tasks[0]) },
	{ TASK(IDLE), &tasks[IDLE], sizeof(tasks[0]) },
	{ 0x10000 + RQ, &curr[0], 8 },
	{ 0x20000 + RQ, &curr[1], 8 },
	{ SET, css_set, sizeof(css_set) },
	{ CPUSET(0), &cpusets[0], sizeof(cpusets[0]) },
	{ CPUSET(1), &cpusets[1], sizeof(cpusets[0]) },
	{ MASK(0), &masks[0], 8 },
	{ MASK(1), &masks[1], 8 },
	{ NODE(0), &nodes[0], sizeof(nodes[0]) },
	{ NODE(1), &nodes[1], sizeof(nodes[0]) },
	{ NAME, name, sizeof(name) },
	{ 0xf000, &cgroups[0], 8 },
	{ 0xf100, &cgroups[1], 8 },
	{ 0 },
};

/* Six threads on CPU 0, CPU 1 is idle; /prod has CPU 0. */
static void set_up(void)
{
	m.offsets[0] = 0x10000;
	m.offsets[1] = 0x20000;
	m.possible = m.online = 3;
	m.cpus = 2;
	for (int i = 0; i <= TASKS; i++) {
		memset(&tasks[i], 0, sizeof(tasks[i]));
		tasks[i].pid = tasks[i].tgid = i < TASKS ? 100 + i : 0;
		tasks[i].mask[0] = 1;
		snprintf(tasks[i].comm, sizeof(tasks[i].comm), "%s",
			 i == IDLE ? "swapper"
			 : i	   ? "calc"
				   : "db");
	}
	curr[0] = TASK(1);
	curr[1] = TASK(IDLE);
	masks[0] = 3;
	masks[1] = 1;
	cpusets[0] = (struct ccss){ 0xf000, 0, MASK(0) };
	cpusets[1] = (struct ccss){ 0xf100, CPUSET(0), MASK(1) };
}

static const char *told(int n)
{
	static char ret[512];
	struct strbuf b = STRBUF_OF(512);
	struct cpu_bounds bounds = { 0 };
	struct cpu_bound bound;
	STUB(s, .memory = memory, .members = members, .symbols = symbols,
	     .enumerators = enumerators);

	for (int i = 0; i < n; i++) {
		struct task t = { .address = TASK(i), .mm = 1, .state = 'R', .css_set = SET };

		t.pid = tasks[i].pid;
		memcpy(t.comm, tasks[i].comm, sizeof(tasks[i].comm));
		cpu_bound_add(&bounds, &s.dump, &t);
		/* Who sleeps, and threads of the kernel, are none of them. */
		t.state = 'S';
		cpu_bound_add(&bounds, &s.dump, &t);
		t.state = 'R';
		t.mm = 0;
		cpu_bound_add(&bounds, &s.dump, &t);
	}
	switch (cpu_bound_find(&bounds, &bound)) {
	case ST_OK:
		break;
	case ST_ABSENT:
		return "none";
	default:
		snprintf(ret, sizeof(ret), "%s", s.dump.error);
		return ret;
	}
	cpu_bound_text(&bound, &b);
	snprintf(ret, sizeof(ret), "%s", b.buf);
	return ret;
}

static void by_cpuset(void)
{
	set_up();
	CHECK_TEXT(told(TASKS),
		   "6 threads that could run share CPU 0 (calc (101) and 4 of its name, 1 other); "
		   "CPU 1 is idle, where the cpuset of cgroup /prod does not let them run "
		   "(cpuset.cpus 0)");
}

static void by_affinity(void)
{
	set_up();
	masks[1] = 3;
	CHECK_TEXT(told(TASKS),
		   "6 threads that could run share CPU 0 (calc (101) and 4 of its name, 1 other); "
		   "CPU 1 is idle, where their affinity does not let them run");
	/* The cpuset cannot be read. */
	cpusets[1].effective = 0xdead000;
	CHECK(strstr(told(TASKS),
		     "their affinity does not let them run, whether by a cpuset is unknown"));
}

/* Few wait; they may run on the idle CPU; no CPU is idle; the other one is offline; nothing runs. */
static void no_finding(void)
{
	set_up();
	CHECK_TEXT(told(3), "none");
	CHECK_TEXT(told(0), "none");
	for (int i = 0; i < TASKS; i++)
		tasks[i].mask[0] = 3;
	CHECK_TEXT(told(TASKS), "none");
	set_up();
	curr[1] = TASK(2);
	CHECK_TEXT(told(TASKS), "none");
	set_up();
	m.online = 1;
	CHECK_TEXT(told(TASKS), "none");
	set_up();
	curr[0] = TASK(IDLE);
	CHECK_TEXT(told(TASKS), "none");
}

TESTS({ "by a cpuset", by_cpuset }, { "by their own affinity", by_affinity },
      { "no finding", no_finding })
