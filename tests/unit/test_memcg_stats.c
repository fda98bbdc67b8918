// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of memory cgroups that cannot be true: of CPUs whose memory was freed, of a layout that
 * is another one, of a controller that is off. Two cgroups: / and /web, which was removed.
 */
#include "cgroup/memcg_counts.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0x100000ULL + (i)*0x1000)
#define SUBSYSTEM AT(0)
#define ROOT AT(1)
#define WEB AT(2)
#define ONLINE 2

/* struct mem_cgroup: css.ss, css.cgroup, css.flags, css.children, css.sibling, counters. */
enum { SS, CGROUP, FLAGS, CHILDREN, SIBLING = 5, STATS = 7, PERCPU, DISABLED, ARRAY, WORDS = 14 };
#define BYTES(word) ((word)*8)
#define LINK(memcg, word) ((memcg) + BYTES(word))

/* struct memcg_vmstats: state, events, and both pending; per CPU: now and before. */
static uint64_t root[WORDS], web[WORDS], root_stats[4], web_stats[4], per_cpu[2][4];
static const uint64_t offset = 0, possible = 1;
static uint64_t root_memcg = ROOT;
static uint32_t key[4];

static const struct stub_memory memory[] = {
	{ ROOT, root, sizeof(root) },
	{ WEB, web, sizeof(web) },
	{ AT(3), root_stats, sizeof(root_stats) },
	{ AT(4), web_stats, sizeof(web_stats) },
	{ AT(5), per_cpu[0], sizeof(per_cpu[0]) },
	{ AT(6), per_cpu[1], sizeof(per_cpu[1]) },
	{ AT(7), &offset, sizeof(offset) },
	{ AT(8), &possible, sizeof(possible) },
	{ AT(9), &root_memcg, sizeof(root_memcg) },
	{ AT(10), key, sizeof(key) },
	{ 0 },
};
static const struct stub_symbol symbols[] = {
	{ "memory_cgrp_subsys", SUBSYSTEM, FIELD(0, 8) },
	{ "memory_cgrp_subsys_enabled_key", AT(10), KINDED(KIND_STRUCT, 0, 16) },
	{ "__per_cpu_offset", AT(7), KINDED(KIND_ARRAY, 0, 8) },
	{ "__cpu_possible_mask", AT(8), FIELD(0, 8) },
	{ "root_mem_cgroup", AT(9), FIELD(0, 8) },
	{ 0 },
};

#define MEMCG(member, at, size)                              \
	{                                                    \
		"struct mem_cgroup", member, FIELD(at, size) \
	}
#define COMMON                                                                                     \
	MEMCG("css.ss", BYTES(SS), 8), MEMCG("css.cgroup", BYTES(CGROUP), 8),                      \
		MEMCG("css.flags", BYTES(FLAGS), 4),                                               \
		{ "struct mem_cgroup", "css.children", KINDED(KIND_STRUCT, BYTES(CHILDREN), 16) }, \
		{ "struct mem_cgroup", "css.sibling", KINDED(KIND_STRUCT, BYTES(SIBLING), 16) },   \
		{ "struct cgroup", "kn", FIELD(0, 8) },                                            \
		{ "struct kernfs_node", "parent", FIELD(0, 8) },                                   \
		{ "struct kernfs_node", "name", FIELD(8, 8) },                                     \
	{                                                                                          \
		"struct static_key", "enabled.counter", FIELD(0, 4)                                \
	}
#define PART(type, member, word)                                           \
	{                                                                  \
		"struct " type, member, KINDED(KIND_ARRAY, BYTES(word), 8) \
	}
#define FLUSHED                                                                                    \
	{ "struct mem_cgroup", "vmstats", KINDED(KIND_POINTER, BYTES(STATS), 8) },                 \
		{ "struct mem_cgroup", "vmstats_percpu", KINDED(KIND_POINTER, BYTES(PERCPU), 8) }, \
		PART("memcg_vmstats", "state", 0), PART("memcg_vmstats", "events", 1),             \
		PART("memcg_vmstats", "state_pending", 2),                                         \
		PART("memcg_vmstats", "events_pending", 3),                                        \
		PART("memcg_vmstats_percpu", "state", 0),                                          \
		PART("memcg_vmstats_percpu", "events", 1),                                         \
		PART("memcg_vmstats_percpu", "state_prev", 2),                                     \
		PART("memcg_vmstats_percpu", "events_prev", 3)

static const struct stub_member mainline[] = { COMMON, FLUSHED, { 0 } };
static const struct stub_member red_hat[] = {
	COMMON, FLUSHED, MEMCG("percpu_stats_disabled", BYTES(DISABLED), 4), { 0 }
};
static const struct stub_member unknown[] = { COMMON, { 0 } };
/* 5.2 with the items of 5.1: "stat" would be of the cgroup alone. */
static const struct stub_member alone[] = {
	COMMON,
	{ "struct mem_cgroup", "stat", KINDED(KIND_ARRAY, BYTES(ARRAY), 16) },
	{ "struct mem_cgroup", "events", KINDED(KIND_ARRAY, BYTES(ARRAY + 2), 8) },
	{ 0 },
};

#define NUMBERS                                            \
	{ "CSS_ONLINE", ONLINE }, { "NR_ANON_MAPPED", 0 }, \
	{                                                  \
		"PGFAULT", 0                               \
	}
static const struct stub_number plain[] = { NUMBERS, { 0 } };
static const struct stub_number named[] = { NUMBERS, { "PERCPU_STATS_FLUSHED", 3 }, { 0 } };
static const struct stub_number renumbered[] = { NUMBERS,
						 { "MEMCG_PERCPU_STATS_FLUSHED", 2 },
						 { 0 } };
static const struct stub_number old_items[] = { NUMBERS, { "MEMCG_RSS", 1 }, { 0 } };

static const struct memcg_counter kinds[] = {
	{ { "MEMCG_RSS", "NR_ANON_MAPPED" }, MEMCG_ALWAYS, MEMCG_PAGES },
	{ { "PGFAULT" }, MEMCG_ALWAYS, MEMCG_TIMES },
};
enum { ANON, FAULTS };

static bool enumerates(void *priv NOT_USED, const char *type, const char *name)
{
	if (!strcmp(name, "PGFAULT"))
		return !strcmp(type, "enum vm_event_item");
	return !strcmp(type, name[0] == 'M' ? "enum memcg_stat_item" : "enum node_stat_item");
}

static struct stub stub;
static const struct stub_memory *parts = memory;

static enum status read_tree(const struct stub_member *members, const struct stub_number *numbers,
			     uint64_t bytes, struct memcg_tree *ret)
{
	STUB_OPEN(stub, .memory = parts, .symbols = symbols, .members = members,
		  .enumerators = numbers, .ops.enumerates = enumerates);
	return memcg_counts_read(&stub.dump, kinds, 2, bytes, ret);
}

/* /: 100 pages and 1000 faults; of /web 7 and 70 are not flushed. */
static void lay_out(void)
{
	memset(root, 0, sizeof(root));
	memset(web, 0, sizeof(web));
	memset(per_cpu, 0, sizeof(per_cpu));
	root[SS] = web[SS] = SUBSYSTEM;
	root[FLAGS] = ONLINE;
	root[CHILDREN] = root[CHILDREN + 1] = LINK(WEB, SIBLING);
	root[SIBLING] = LINK(ROOT, SIBLING);
	web[SIBLING] = web[SIBLING + 1] = LINK(ROOT, CHILDREN);
	web[CHILDREN] = LINK(WEB, CHILDREN);
	root[STATS] = AT(3);
	web[STATS] = AT(4);
	root[PERCPU] = AT(5);
	web[PERCPU] = AT(6);
	memcpy(root_stats, (uint64_t[]){ 100, 1000, 0, 0 }, sizeof(root_stats));
	memcpy(web_stats, (uint64_t[]){ 30, 300, 0, 0 }, sizeof(web_stats));
	memcpy(per_cpu[1], (uint64_t[]){ 9, 90, 2, 20 }, sizeof(per_cpu[1]));
	key[0] = 1;
}

static void counters_of_cpus(void)
{
	const struct memcg_counts *c;
	struct memcg_tree t;

	lay_out();
	CHECK(read_tree(mainline, plain, 0, &t) == ST_OK && t.complete && !t.doubted);
	c = t.first;
	CHECK(c->known[ANON] && c->counts[ANON] == 107 && c->counts[FAULTS] == 1070);
	CHECK(c->next->removed && c->next->counts[ANON] == 37 && c->next->counts[FAULTS] == 370);
}

/* The number from which on they are freed differs; without its name nothing says that they are not. */
static void freed_counters_of_cpus(void)
{
	const struct memcg_counts *c;
	struct memcg_tree t;

	lay_out();
	web[DISABLED] = 4;
	CHECK(read_tree(red_hat, named, 0, &t) == ST_OK && !t.doubted);
	c = t.first;
	CHECK(c->known[ANON] && c->counts[ANON] == 100 && c->counts[FAULTS] == 1000);
	CHECK(c->next->known[ANON] && c->next->counts[ANON] == 30);

	web[DISABLED] = 2;
	CHECK(read_tree(red_hat, named, 0, &t) == ST_OK && t.first->counts[ANON] == 107);
	CHECK(read_tree(red_hat, renumbered, 0, &t) == ST_OK && t.first->counts[ANON] == 100);
	CHECK(read_tree(red_hat, plain, 0, &t) == ST_OK && !t.first->known[ANON] &&
	      !t.first->next->known[ANON] && t.counted[ANON]);

	web[DISABLED] = 0;
	CHECK(read_tree(red_hat, plain, 0, &t) == ST_OK && t.first->counts[ANON] == 107);
}

/* A flush leaves such a cgroup out, with what its own children would add to it and to those above. */
static void children_of_freed(void)
{
	static uint64_t inner[WORDS], stats[4] = { 3, 30, 1, 10 }, cpu[4];
	struct stub_memory all[sizeof(memory) / sizeof(memory[0]) + 3];
	size_t n = sizeof(memory) / sizeof(memory[0]) - 1;
	struct memcg_tree t;

	lay_out();
	inner[SS] = SUBSYSTEM;
	inner[CHILDREN] = LINK(AT(11), CHILDREN);
	inner[SIBLING] = inner[SIBLING + 1] = LINK(WEB, CHILDREN);
	inner[STATS] = AT(12);
	inner[PERCPU] = AT(13);
	web[CHILDREN] = web[CHILDREN + 1] = LINK(AT(11), SIBLING);
	memcpy(all, memory, sizeof(memory));
	all[n] = (struct stub_memory){ AT(11), inner, sizeof(inner) };
	all[n + 1] = (struct stub_memory){ AT(12), stats, sizeof(stats) };
	all[n + 2] = (struct stub_memory){ AT(13), cpu, sizeof(cpu) };
	all[n + 3] = (struct stub_memory){ 0 };
	parts = all;
	CHECK(read_tree(red_hat, named, 0, &t) == ST_OK && t.complete);
	CHECK_TEXT(t.why, "");
	CHECK(t.first->counts[ANON] == 108);
	web[DISABLED] = 4;
	CHECK(read_tree(red_hat, named, 0, &t) == ST_OK && t.first->counts[ANON] == 100);
	CHECK(t.first->next->counts[ANON] == 30 && t.first->next->next->counts[ANON] == 4);
	parts = memory;
}

static void more_than_the_machine_has(void)
{
	struct memcg_tree t;

	lay_out();
	CHECK(read_tree(mainline, plain, 107 * 4096, &t) == ST_OK && !t.doubted);
	CHECK(read_tree(mainline, plain, 106 * 4096, &t) == ST_OK && t.doubted == 1);
	CHECK(!t.first->known[ANON] && t.first->known[FAULTS] && t.first->next->known[ANON]);
	/* Garbage of one cgroup leaves those above it unknown, though their sum is small. */
	per_cpu[1][0] = -98;
	CHECK(read_tree(mainline, plain, 200 * 4096, &t) == ST_OK && t.first->known[ANON] &&
	      !t.doubted);
	per_cpu[1][0] = -298;
	CHECK(read_tree(mainline, plain, 200 * 4096, &t) == ST_OK && t.doubted == 1 &&
	      t.first->doubted && !t.first->known[ANON] && !t.first->next->known[ANON]);
	CHECK_TEXT(t.doubt, "NR_ANON_MAPPED of a cgroup would be -300");
}

static void an_event_that_happened_less_than_never(void)
{
	struct memcg_tree t;

	lay_out();
	per_cpu[1][1] = 19;
	CHECK(read_tree(mainline, plain, 0, &t) == ST_OK && t.doubted == 1);
	CHECK(!t.first->known[FAULTS] && !t.first->next->known[FAULTS] && t.first->known[ANON]);
}

/* The list of the former name has the counters of the cgroup itself, and the items of its time. */
static void arrays_of_the_cgroup_alone(void)
{
	struct memcg_tree t;

	lay_out();
	memcpy(root + ARRAY, (uint64_t[]){ 1, 100, 1000 }, 24);
	memcpy(web + ARRAY, (uint64_t[]){ 2, 20, 200 }, 24);
	CHECK(read_tree(alone, old_items, 0, &t) == ST_OK && t.batched);
	CHECK(t.first->counts[ANON] == 120 && t.first->counts[FAULTS] == 1200);
	CHECK(t.first->next->counts[ANON] == 20 && t.first->next->counts[FAULTS] == 200);
	CHECK(read_tree(alone, plain, 0, &t) == ST_OK && t.first->counts[ANON] == 3);
}

static void without_counters(void)
{
	struct memcg_tree t;

	lay_out();
	CHECK(read_tree(unknown, plain, 0, &t) == ST_OK && t.complete && t.first->next);
	CHECK(t.no_stats.status == ST_UNKNOWN && !t.counted[ANON] && !t.counted[FAULTS]);
	CHECK_TEXT(t.no_stats.text, "struct mem_cgroup has no member vmstats or stat");
}

static void a_controller_that_is_off(void)
{
	struct memcg_tree t;

	lay_out();
	key[0] = 0;
	CHECK(read_tree(mainline, plain, 0, &t) == ST_ABSENT);
	CHECK_TEXT(stub.dump.error, "memory cgroups are off: cgroup_disable=memory");
}

/* A kernel that panicked while it booted. */
static void before_there_were_any(void)
{
	struct memcg_tree t;

	lay_out();
	root_memcg = 0;
	CHECK(read_tree(mainline, plain, 0, &t) == ST_ABSENT);
	CHECK_TEXT(stub.dump.error, "the kernel had made no memory cgroup yet");
	root_memcg = ROOT;
}

TESTS({ "what CPUs counted since the last flush", counters_of_cpus },
      { "counters of CPUs that were freed are not read", freed_counters_of_cpus },
      { "children of a cgroup whose counters of CPUs were freed", children_of_freed },
      { "more than RAM and swap is unknown", more_than_the_machine_has },
      { "a negative number of events is unknown", an_event_that_happened_less_than_never },
      { "arrays without descendants are added up", arrays_of_the_cgroup_alone },
      { "without counters there is the tree", without_counters },
      { "cgroup_disable=memory", a_controller_that_is_off },
      { "before there were any", before_there_were_any });
