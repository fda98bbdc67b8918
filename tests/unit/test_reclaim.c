// SPDX-License-Identifier: GPL-2.0-or-later
/* Pressure as a file would have shown it; lists of objects that shrinkers free, in both forms. */
#include "collect/shrinker_parts.h"
#include "kernel/list_lru.h"
#include "kernel/psi.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
#define SECOND 1000000000ULL
#define ONE 2048 /* fixed point */

enum { IO_SOME, IO_FULL, MEM_SOME, MEM_FULL, CPU_SOME, CPU_FULL, NONIDLE, STATES };

static struct {
	struct {
		uint64_t enabled, pcpu, avg_total[6], updated, next, total[2][6], avg[6][3];
	} group;
	struct {
		uint32_t mask, times[STATES];
		uint64_t start;
		uint32_t previous[2][STATES];
	} cpu;
	uint64_t jiffies;
	uint32_t clock[2];
	uint32_t disabled;
} x;

static const struct stub_symbol symbols[] = {
	{ "psi_system", AT(0), KINDED(KIND_STRUCT, 0, sizeof(x.group)) },
	{ "psi_disabled", AT(1), FIELD(0, 4) },
	{ "jiffies", AT(2), FIELD(0, 8) },
	{ "clocksource_jiffies", AT(3), FIELD(0, 8) },
	{ 0 },
};
static const struct stub_memory memory[] = {
	{ AT(0), &x.group, sizeof(x.group) },
	{ AT(1), &x.disabled, 4 },
	{ AT(2), &x.jiffies, 8 },
	{ AT(3), x.clock, 8 },
	{ AT(4), &x.cpu, sizeof(x.cpu) },
	{ 0 },
};

#define CPU_MEMBERS                                                              \
	{ "struct psi_group_cpu", "times", KINDED(KIND_ARRAY, 4, 28) },          \
		{ "struct psi_group_cpu", "state_start", FIELD(32, 8) },         \
	{                                                                        \
		"struct psi_group_cpu", "times_prev", KINDED(KIND_ARRAY, 40, 56) \
	}
#define OTHER_MEMBERS                                            \
	{ "struct static_key", "enabled.counter", FIELD(0, 4) }, \
		{ "struct clocksource", "mult", FIELD(0, 4) },   \
	{                                                        \
		"struct clocksource", "shift", FIELD(4, 4)       \
	}

static const struct stub_member members[] = {
	{ "struct psi_group", "enabled", FIELD(0, 1) },
	{ "struct psi_group", "pcpu", FIELD(8, 8) },
	{ "struct psi_group", "avg_total", KINDED(KIND_ARRAY, 16, 48) },
	{ "struct psi_group", "avg_last_update", FIELD(64, 8) },
	{ "struct psi_group", "avg_next_update", FIELD(72, 8) },
	{ "struct psi_group", "total", KINDED(KIND_ARRAY, 80, 96) },
	{ "struct psi_group", "avg", KINDED(KIND_ARRAY, 176, 144) },
	{ "struct psi_group_cpu", "state_mask", FIELD(0, 4) },
	CPU_MEMBERS,
	OTHER_MEMBERS,
	{ 0 },
};
/* 4.20 to 5.1: other names, and nothing says which states a CPU is in. */
static const struct stub_member members_4_20[] = {
	{ "struct psi_group", "pcpu", FIELD(8, 8) },
	{ "struct psi_group", "total_prev", KINDED(KIND_ARRAY, 16, 48) },
	{ "struct psi_group", "last_update", FIELD(64, 8) },
	{ "struct psi_group", "next_update", FIELD(72, 8) },
	{ "struct psi_group", "total", KINDED(KIND_ARRAY, 80, 96) },
	{ "struct psi_group", "avg", KINDED(KIND_ARRAY, 176, 144) },
	CPU_MEMBERS,
	OTHER_MEMBERS,
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct psi_group", sizeof(x.group) },
	{ "struct psi_group_cpu", sizeof(x.cpu) },
	{ 0 },
};
static const struct stub_number enumerators[] = {
	{ "PSI_IO_SOME", IO_SOME },   { "PSI_IO_FULL", IO_FULL },
	{ "PSI_MEM_SOME", MEM_SOME }, { "PSI_MEM_FULL", MEM_FULL },
	{ "PSI_CPU_SOME", CPU_SOME }, { "PSI_CPU_FULL", CPU_FULL },
	{ "PSI_NONIDLE", NONIDLE },   { 0 },
};
static const struct stub_number enumerators_vendor[] = { { "PSI_NONIDLE", 7 }, { 0 } };

/* 250 Hz; updated at 10 s. A CPU was in full memory pressure for 200 ms more, and is so since 100 ms. */
static void fill(uint64_t now)
{
	memset(&x, 0, sizeof(x));
	x.group.enabled = 1;
	x.group.pcpu = AT(4);
	x.group.total[0][MEM_FULL] = 5 * SECOND;
	x.group.avg_total[MEM_FULL] = 4900000000;
	x.group.updated = 10 * SECOND;
	x.group.next = 12004000000;
	for (size_t i = 0; i < 3; i++)
		x.group.avg[MEM_FULL][i] = (50 - 10 * i) * ONE;
	x.cpu.mask = 1 << MEM_FULL;
	x.cpu.times[MEM_FULL] = 300000000;
	x.cpu.previous[0][MEM_FULL] = 100000000;
	x.cpu.times[NONIDLE] = 500000000;
	x.cpu.start = now - SECOND / 10;
	x.clock[0] = 4000000 << 8;
	x.clock[1] = 8;
	x.jiffies = 1;
}

static enum status open_psi(struct stub *s, struct psi *psi, bool *off)
{
	s->memory = memory;
	s->symbols = symbols;
	s->sizes = sizes;
	s->enumerators = s->enumerators ? s->enumerators : enumerators;
	s->members = s->members ? s->members : members;
	stub_open(s);
	return psi_open(&s->dump, psi, off);
}

static enum status read_at(struct psi *psi, uint64_t now, struct psi_state *ret)
{
	psi->has_time = false;
	if (now)
		psi_set_time(psi, now);
	return psi_read(psi, AT(0), ret);
}

#define MEMORY_FULL 1 /* of psi_kinds */
#define CHECK_AVG(f, a, b, c) CHECK((f).avg[0] == (a) && (f).avg[1] == (b) && (f).avg[2] == (c))

static void test_pressure(void)
{
	struct psi_state state;
	struct stub s = { 0 };
	struct psi psi;
	bool off;

	fill(11 * SECOND);
	CHECK(open_psi(&s, &psi, &off) == ST_OK && !off);
	CHECK(psi.period_ns == 2004000000);
	CHECK(psi_has(&psi, MEMORY_FULL) && psi_has(&psi, 5) && !psi_has(&psi, 6));
	/* Full of the CPU is 0 of the system, whatever was counted. */
	x.group.total[0][CPU_FULL] = SECOND;
	x.group.avg[CPU_FULL][0] = ONE;
	/* Before the next update: the total alone has gone on. */
	CHECK(read_at(&psi, 11 * SECOND, &state) == ST_OK);
	CHECK(state.is_on && state.has_now && state.has_age && state.age_ns == SECOND);
	CHECK_AVG(state.recorded[MEMORY_FULL], 5000, 4000, 3000);
	CHECK_AVG(state.now[MEMORY_FULL], 5000, 4000, 3000);
	CHECK(state.recorded[MEMORY_FULL].total_ns == 5 * SECOND);
	CHECK(state.now[MEMORY_FULL].total_ns == 5300000000);
	CHECK(state.now[0].total_ns == 0);
	CHECK_AVG(state.now[5], 0, 0, 0);
	CHECK(!state.now[5].total_ns && !state.recorded[5].avg[0]);
	psi.system = AT(9);
	CHECK(read_at(&psi, 11 * SECOND, &state) == ST_OK && state.now[5].total_ns == SECOND);
	psi.system = AT(0);
	/* Behind it; then three periods were missed. */
	fill(12500000000);
	CHECK(read_at(&psi, 12500000000, &state) == ST_OK);
	CHECK_AVG(state.now[MEMORY_FULL], 4384, 3921, 2990);
	fill(20 * SECOND);
	CHECK(read_at(&psi, 20 * SECOND, &state) == ST_OK);
	CHECK_AVG(state.now[MEMORY_FULL], 2428, 3533, 2925);
	CHECK_AVG(state.recorded[MEMORY_FULL], 5000, 4000, 3000);
	/* Without the time of the end, and of a group that is turned off. */
	CHECK(read_at(&psi, 0, &state) == ST_OK && !state.has_now);
	x.group.enabled = 0;
	CHECK(read_at(&psi, 20 * SECOND, &state) == ST_OK && !state.is_on && !state.has_now);
	/* Hostile: more than all of the time; an update that lies ahead; CPUs elsewhere. */
	fill(20 * SECOND);
	x.group.avg[IO_SOME][1] = 101 * ONE;
	CHECK(read_at(&psi, 20 * SECOND, &state) == ST_CORRUPT);
	fill(20 * SECOND);
	x.group.updated = 30 * SECOND;
	CHECK(read_at(&psi, 20 * SECOND, &state) == ST_OK && !state.has_age && !state.has_now);
	CHECK_AVG(state.recorded[MEMORY_FULL], 5000, 4000, 3000);
	fill(20 * SECOND);
	x.group.pcpu = 0x10;
	CHECK(read_at(&psi, 20 * SECOND, &state) == ST_OK && !state.has_now);
	CHECK(psi_read(&psi, 0x10, &state) == ST_UNREADABLE);
	stub_close(&s);
}

static void test_other_kernels(void)
{
	struct stub off_at_boot = { 0 }, old = { .members = members_4_20 },
		    vendor = { .enumerators = enumerators_vendor };
	struct psi_state state;
	struct psi psi;
	bool off;

	fill(11 * SECOND);
	x.disabled = 1;
	CHECK(open_psi(&off_at_boot, &psi, &off) == ST_ABSENT && off);
	stub_close(&off_at_boot);
	fill(11 * SECOND);
	CHECK(open_psi(&old, &psi, &off) == ST_OK && !off);
	CHECK(read_at(&psi, 11 * SECOND, &state) == ST_OK && state.is_on && !state.has_now);
	CHECK_AVG(state.recorded[MEMORY_FULL], 5000, 4000, 3000);
	stub_close(&old);
	CHECK(open_psi(&vendor, &psi, &off) == ST_UNKNOWN);
	stub_close(&vendor);
}

static struct {
	uint32_t stable;
	uint64_t offset, ticks[3];
} c;

static const struct stub_symbol clock_symbols[] = {
	{ "__sched_clock_stable", AT(0), FIELD(0, 4) },
	{ "__sched_clock_offset", AT(1), FIELD(0, 8) },
	{ "sched_clock_data", AT(2), KINDED(KIND_STRUCT, 0, 24) },
	{ 0 },
};
static const struct stub_memory clock_memory[] = {
	{ AT(0), &c.stable, 4 }, { AT(1), &c.offset, 8 }, { AT(2), c.ticks, 24 }, { 0 }
};
static const struct stub_member clock_members[] = {
	{ "struct static_key", "enabled.counter", FIELD(0, 4) },
	{ "struct sched_clock_data", "tick_raw", FIELD(0, 8) },
	{ "struct sched_clock_data", "clock", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_number clock_sizes[] = { { "struct sched_clock_data", 24 }, { 0 } };

/* sched_clock() at a time of the log: by an offset; by the last tick, unless that was long ago. */
static void test_clocks(void)
{
	STUB(s, .memory = clock_memory, .symbols = clock_symbols, .members = clock_members,
	     .sizes = clock_sizes);
	struct sched_clock at;
	uint64_t age;

	c.stable = 1;
	c.offset = 5 * SECOND;
	CHECK(sched_clock_at(&s.dump, 20 * SECOND, &at) == ST_OK && at.end == 15 * SECOND);
	CHECK(sched_clock_age(&at, 12 * SECOND, &age) && age == 3 * SECOND);
	CHECK(sched_clock_age(&at, 16 * SECOND, &age) && age == 0);
	c.stable = 0;
	c.ticks[0] = 50 * SECOND;
	c.ticks[2] = 19 * SECOND;
	CHECK(sched_clock_at(&s.dump, 20 * SECOND, &at) == ST_OK && at.end == 51 * SECOND);
	/* It ran 50 s in 20 s. */
	c.ticks[2] = 20 * SECOND;
	CHECK(sched_clock_at(&s.dump, 20 * SECOND, &at) == ST_OK);
	CHECK(sched_clock_age(&at, 0, &age) && age == 20 * SECOND);
	CHECK(sched_clock_age(&at, 45 * SECOND, &age) && age == 2 * SECOND);
	at.ran = 0;
	CHECK(!sched_clock_age(&at, 45 * SECOND, &age));
	CHECK(sched_clock_at(&s.dump, 90 * SECOND, &at) == ST_UNKNOWN);
}

/* Two nodes; cgroups 3 and 5. */
static struct {
	uint64_t lru[2];      /* node, xa_head */
	uint64_t nodes[2][4]; /* lru: list, nr_items; memcg_lrus */
	uint64_t by_node[1 + 2 * 3];
	uint64_t by_index[1 + 8];
	uint64_t one[3];
	uint32_t nr_nodes, nr_ids;
} l;

static const struct stub_symbol lru_symbols[] = {
	{ "nr_node_ids", AT(5), FIELD(0, 4) },
	{ "memcg_nr_cache_ids", AT(6), FIELD(0, 4) },
	{ 0 },
};
static const struct stub_memory lru_memory[] = {
	{ AT(0), l.lru, sizeof(l.lru) },
	{ AT(1), l.nodes, sizeof(l.nodes) },
	{ AT(2), l.by_node, sizeof(l.by_node) },
	{ AT(3), l.by_index, sizeof(l.by_index) },
	{ AT(4), l.one, sizeof(l.one) },
	{ AT(5), &l.nr_nodes, 4 },
	{ AT(6), &l.nr_ids, 4 },
	{ 0 },
};

#define LRU_MEMBERS                                              \
	{ "struct list_lru", "node", FIELD(0, 8) },              \
		{ "struct list_lru_node", "lru", FIELD(0, 24) }, \
	{                                                        \
		"struct list_lru_one", "nr_items", FIELD(16, 8)  \
	}

static const struct stub_member lru_5_18[] = {
	LRU_MEMBERS,
	{ "struct list_lru", "xa.xa_head", FIELD(8, 8) },
	{ "struct list_lru_memcg", "node", KINDED(KIND_ARRAY, 8, 0) },
	{ "struct xa_node", "shift", FIELD(0, 1) },
	{ "struct xa_node", "slots", KINDED(KIND_ARRAY, 8, 512) },
	{ 0 },
};
static const struct stub_member lru_4_18[] = {
	LRU_MEMBERS,
	{ "struct list_lru_node", "memcg_lrus", FIELD(24, 8) },
	{ "struct list_lru_memcg", "lru", KINDED(KIND_ARRAY, 8, 0) },
	{ 0 },
};
static const struct stub_member lru_no_memcg[] = { LRU_MEMBERS, { 0 } };
static const struct stub_member lru_vendor[] = {
	LRU_MEMBERS,
	{ "struct list_lru_memcg", "node", KINDED(KIND_ARRAY, 8, 0) },
	{ 0 },
};
static const struct stub_number lru_sizes[] = {
	{ "struct list_lru_node", 32 },
	{ "struct list_lru_one", 24 },
	{ 0 },
};

static char found[256];

static enum status note(void *arg NOT_USED, unsigned int node, int64_t memcg, uint64_t objects)
{
	snprintf(found + strlen(found), sizeof(found) - strlen(found), "%u/%ld:%lu ", node, memcg,
		 objects);
	return ST_OK;
}

static enum status walk(const struct stub_member *of)
{
	STUB(s, .memory = lru_memory, .symbols = lru_symbols, .members = of, .sizes = lru_sizes);
	struct list_lrus lrus;

	*found = '\0';
	return list_lrus_open(&s.dump, &lrus) ?: list_lru_walk(&lrus, AT(0), note, NULL);
}

static void fill_lists(void)
{
	memset(&l, 0, sizeof(l));
	l.nr_nodes = 2;
	l.nr_ids = 6;
	l.lru[0] = AT(1);
	l.nodes[0][2] = 7;
	l.nodes[1][2] = (uint64_t)-1; /* while a cgroup is removed */
}

static void test_lists(void)
{
	fill_lists();
	CHECK(walk(lru_no_memcg) == ST_OK && !strcmp(found, "0/-1:7 "));
	/* One cgroup, of number 0, stands in the head itself. */
	l.lru[1] = AT(2);
	l.by_node[1 + 2] = 4;
	l.by_node[4 + 2] = 9;
	CHECK(walk(lru_5_18) == ST_OK && !strcmp(found, "0/-1:7 0/0:4 1/0:9 "));
	/* Of each node an array of pointers by cgroup. */
	l.nodes[1][3] = AT(3);
	l.by_index[1 + 5] = AT(4);
	l.one[2] = 3;
	CHECK(walk(lru_4_18) == ST_OK && !strcmp(found, "0/-1:7 1/5:3 "));
	/* Not yet made; nodes and cgroups that cannot be; another layout. */
	l.lru[0] = 0;
	CHECK(walk(lru_4_18) == ST_OK && !*found);
	fill_lists();
	l.nr_nodes = 5000;
	CHECK(walk(lru_no_memcg) == ST_CORRUPT);
	fill_lists();
	l.nr_ids = 1 << 20;
	CHECK(walk(lru_4_18) == ST_CORRUPT);
	fill_lists();
	CHECK(walk(lru_vendor) == ST_UNKNOWN);
	l.lru[0] = 0x10;
	CHECK(walk(lru_no_memcg) == ST_UNREADABLE);
}

static struct {
	uint64_t dentries[2], inodes[2], type, operations, info;
	char id[32];
	uint64_t shrinker[5];
} sb;
static uint64_t alone[5], no_function, type_name;
static const char ext4[64] = "ext4";

static const struct stub_memory super_memory[] = {
	{ AT(1), l.nodes, sizeof(l.nodes) }, { AT(5), &l.nr_nodes, 4 },
	{ AT(7), &sb, sizeof(sb) },	     { AT(8), alone, sizeof(alone) },
	{ AT(9), &no_function, 8 },	     { AT(10), &type_name, 8 },
	{ AT(11), ext4, sizeof(ext4) },	     { 0 },
};

#define SUPER_MEMBERS(SHRINKER)                                                            \
	LRU_MEMBERS, { "struct super_block", "s_dentry_lru", KINDED(KIND_STRUCT, 0, 16) }, \
		{ "struct super_block", "s_inode_lru", KINDED(KIND_STRUCT, 16, 16) },      \
		{ "struct super_block", "s_type", FIELD(32, 8) },                          \
		{ "struct super_block", "s_op", FIELD(40, 8) },                            \
		{ "struct super_block", "s_fs_info", FIELD(48, 8) },                       \
		{ "struct super_block", "s_id", KINDED(KIND_ARRAY, 56, 32) },              \
		{ "struct super_block", "s_shrink", SHRINKER },                            \
		{ "struct file_system_type", "name", FIELD(0, 8) },                        \
		{ "struct super_operations", "nr_cached_objects", FIELD(0, 8) },           \
	{                                                                                  \
		"struct shrinker", "private_data", FIELD(32, 8)                            \
	}
static const struct stub_member super_rhel_9_6[] = { SUPER_MEMBERS(KINDED(KIND_STRUCT, 88, 40)),
						     { 0 } };
static const struct stub_member super_6_7[] = { SUPER_MEMBERS(KINDED(KIND_POINTER, 88, 8)), { 0 } };

static enum status count_super(const struct stub_member *of, uint64_t at, struct shrinker *ret)
{
	STUB(s, .memory = super_memory, .symbols = lru_symbols, .members = of, .sizes = lru_sizes);
	struct shrinker_search *search;
	enum status st;

	search = dump_alloc(&s.dump, sizeof(*search));
	search->dump = &s.dump;
	*ret = (struct shrinker){ .address = at, .function = "super_cache_count" };
	ret->last_part = &ret->parts;
	hash_u64_init(&ret->by_place, s.dump.arena, sizeof(struct shrinker_part *));
	search->has_lrus = list_lrus_open(&s.dump, &search->lrus) == ST_OK;
	st = shrinker_objects_read(search, ret);
	CHECK(st != ST_OK || !strcmp(ret->name, "sb-ext4:vda1"));
	return st;
}

/* The owner has its shrinker inside, or a pointer to it, though a shrinker has private_data. */
static void test_owners(void)
{
	struct shrinker s;

	fill_lists();
	sb.dentries[0] = AT(1);
	sb.type = AT(10);
	sb.operations = AT(9);
	type_name = AT(11);
	strcpy(sb.id, "vda1");
	CHECK(count_super(super_rhel_9_6, AT(7) + 88, &s) == ST_OK && s.has_objects);
	CHECK(s.dentries == 7 && !s.inodes && s.objects == 7);
	alone[4] = AT(7);
	CHECK(count_super(super_6_7, AT(8), &s) == ST_OK && s.has_objects && s.objects == 7);
	alone[4] = 0x10;
	CHECK(count_super(super_6_7, AT(8), &s) == ST_UNREADABLE && !s.has_objects);
}

TESTS({ "pressure at the panic", test_pressure },
      { "pressure of other kernels", test_other_kernels },
      { "sched_clock() at a time of the log", test_clocks },
      { "lists by node and cgroup", test_lists },
      { "objects of a file system, by what has its shrinker", test_owners })
