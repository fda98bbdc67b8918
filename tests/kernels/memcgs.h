/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory cgroups with counters of two CPUs: /, /web, /web/inner, and /db, which was removed. A
 * kernel defines one of
 *   STATS_IN_TABLE	6.12: compact arrays, tables of u8 with 255 for none
 *   STATS_PLUS_ONE	6.1: compact events only, a table of int with 0 for none
 *   STATS_EMBEDDED	5.13: the struct is in struct mem_cgroup, arrays by item
 *   STATS_ATOMIC	5.10: arrays of totals, nothing is flushed
 *
 * PGFAULT:	total	pending	CPU 0 now, before	CPU 1 now, before
 *   /		1000	10	5, 3			4, 1
 *   /web	100	20	7, 0			0, 0
 *   /web/inner	50	0	1, 0			2, 0
 *   /db	30	1	0, 0			0, 0
 * Page counters, limits and events of pageowner -t cgroups are those of COUNTERS() below.  CASE_v1: the
 * hierarchy is not the default one.  CASE_spread: the removed cgroup has references on each CPU.
 * PGMAJFAULT has them times 1000; WORKINGSET_REFAULT_ANON times 2, WORKINGSET_REFAULT_FILE times 3.
 */
#include "common.h"

struct kernfs_node {
	struct kernfs_node *parent;
	const char *name;
};
struct cgroup_root {
	u64 flags;
};
struct cgroup {
	u64 flags;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};
struct percpu_ref_data {
	s64 count;
};
/* Since 5.10; before, the count is in it. */
struct percpu_ref {
	u64 percpu_count_ptr;
#ifdef CASE_count
	s64 count;
#else
	struct percpu_ref_data *data;
#endif
};
struct cgroup_subsys {
	s32 id;
};
struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys *ss;
	struct percpu_ref refcnt;
	struct list_head sibling, children;
	s32 id;
	u32 flags;
};
enum { CSS_NO_REF = 1, CSS_ONLINE = 2, CSS_RELEASED = 4 } keep_css;
enum node_stat_item {
	NR_ACTIVE,
	WORKINGSET_REFAULT_ANON,
	WORKINGSET_REFAULT_FILE,
	NR_VM_NODE_STAT_ITEMS
} keep_node;
enum vm_event_item { PGPGIN, PSWPIN, PSWPOUT, PGFAULT, PGMAJFAULT, OOM_KILL, NR_VM_EVENT_ITEMS } keep_events;

#if defined(STATS_IN_TABLE)
u8 mem_cgroup_stats_index[NR_VM_NODE_STAT_ITEMS] = { 255, 1, 0 };
u8 mem_cgroup_events_index[NR_VM_EVENT_ITEMS] = { 255, 255, 2, 1, 0, 255 };
#define NSTATE 2
#define NEVENTS 3
#define STATE(n) { 3 * (n), 2 * (n) }
#define EVENTS(n) { 1000 * (n), n, 77 }
#elif defined(STATS_PLUS_ONE)
s32 mem_cgroup_events_index[NR_VM_EVENT_ITEMS] = { 0, 0, 3, 2, 1, 0 };
#define NSTATE NR_VM_NODE_STAT_ITEMS
#define NEVENTS 3
#define STATE(n) { 55, 2 * (n), 3 * (n) }
#define EVENTS(n) { 1000 * (n), n, 77 }
#else
#define NSTATE NR_VM_NODE_STAT_ITEMS
#define NEVENTS NR_VM_EVENT_ITEMS
#define STATE(n) { 55, 2 * (n), 3 * (n) }
#define EVENTS(n) { 66, 77, 88, n, 1000 * (n), 99 }
#endif

struct memcg_vmstats_percpu {
	u32 stats_updates;
	s64 state[NSTATE];
	u64 events[NEVENTS];
	s64 state_prev[NSTATE];
	u64 events_prev[NEVENTS];
};
struct memcg_vmstats {
	s64 state[NSTATE];
	u64 events[NEVENTS];
	s64 state_pending[NSTATE];
	u64 events_pending[NEVENTS];
};
typedef struct {
	s64 counter;
} atomic_long_t;

struct page_counter {
	atomic_long_t usage;
	u64 min, low, high, max, watermark, failcnt;
};
enum memcg_memory_event {
	MEMCG_LOW,
	MEMCG_HIGH,
	MEMCG_MAX,
	MEMCG_OOM,
	MEMCG_OOM_KILL,
#ifndef STATS_ATOMIC
	MEMCG_OOM_GROUP_KILL,
#endif
	MEMCG_SWAP_HIGH,
	MEMCG_SWAP_MAX,
	MEMCG_SWAP_FAIL,
	MEMCG_NR_MEMORY_EVENTS
} keep_memory_event;
struct mem_cgroup_id {
	s32 id, ref;
};
#define NO_LIMIT 0x7ffffffffffff

struct mem_cgroup {
	struct cgroup_subsys_state css;
	struct mem_cgroup_id id;
	struct page_counter memory;
	union {
		struct page_counter swap, memsw;
	};
	atomic_long_t memory_events[MEMCG_NR_MEMORY_EVENTS], memory_events_local[MEMCG_NR_MEMORY_EVENTS];
	struct page_counter kmem, tcpmem;
	u64 soft_limit;
#if defined(STATS_ATOMIC)
	atomic_long_t vmstats[NSTATE], vmevents[NEVENTS];
#elif defined(STATS_EMBEDDED)
	struct memcg_vmstats vmstats;
#else
	struct memcg_vmstats *vmstats;
#endif
	struct memcg_vmstats_percpu *vmstats_percpu;
};

/* The areas of two CPUs; pointers to what is in them count from their start. */
struct area {
	u64 pad;
	struct memcg_vmstats_percpu root, web, inner, db;
};
#define NOW(now, before) { 9, STATE(now), EVENTS(now), STATE(before), EVENTS(before) }
static struct area areas[2] = {
	{ 0, NOW(5, 3), NOW(7, 0), NOW(1, 0), NOW(0, 0) },
	{ 0, NOW(4, 1), NOW(0, 0), NOW(2, 0), NOW(0, 0) },
};
void *__per_cpu_offset[2] = { DIRECT(&areas[0]), DIRECT(&areas[1]) };
struct cpumask {
	u64 bits[1];
};
struct cpumask __cpu_possible_mask = { { 3 } };
u32 nr_cpu_ids = 2;

static const char top_name[] = "", web_name[] = "web", inner_name[] = "inner", db_name[] = "db";
static struct kernfs_node top_node = { 0, top_name }, web_node = { DIRECT(&top_node), web_name },
			  inner_node = { DIRECT(&web_node), inner_name },
			  db_node = { DIRECT(&top_node), db_name };
struct cgroup_root cgrp_dfl_root, other_root;
#ifdef CASE_v1
#define ROOT &other_root
#else
#define ROOT &cgrp_dfl_root
#endif
static struct cgroup top = { 0, DIRECT(&top_node), ROOT }, web = { 0, DIRECT(&web_node), ROOT },
		     inner = { 0, DIRECT(&inner_node), ROOT }, db = { 0, DIRECT(&db_node), ROOT };
static struct percpu_ref_data counts[2] = { { 7 }, { (s64)0x8000000000000001ull } };
struct cgroup_subsys memory_cgrp_subsys = { 4 };

#define STATS(total, pending) { STATE(total), EVENTS(total), STATE(pending), EVENTS(pending) }
#if defined(STATS_ATOMIC)
#define STATS_OF(name, total, pending) .vmstats = STATE(total), .vmevents = EVENTS(total)
#elif defined(STATS_EMBEDDED)
#define STATS_OF(name, total, pending) .vmstats = STATS(total, pending)
#else
static struct memcg_vmstats root_stats = STATS(1000, 10), web_stats = STATS(100, 20),
			    inner_stats = STATS(50, 0), db_stats = STATS(30, 1);
#define STATS_OF(name, total, pending) .vmstats = DIRECT(&name##_stats)
#endif
#ifdef CASE_torn
/* The counters of one CPU are not in the dump. */
#define PERCPU_web (void *)0x7fff0000000
#else
#define PERCPU_web (void *)__builtin_offsetof(struct area, web)
#endif
#define PERCPU_root (void *)__builtin_offsetof(struct area, root)
#define PERCPU_inner (void *)__builtin_offsetof(struct area, inner)
#define PERCPU_db (void *)__builtin_offsetof(struct area, db)

extern struct mem_cgroup memcg_root, memcg_web, memcg_inner, memcg_db;
#define SIBLING(m) DIRECT(&(m).css.sibling)
#define CHILDREN(m) DIRECT(&(m).css.children)
#ifdef CASE_loop
#define AFTER_DB SIBLING(memcg_web)
#else
#define AFTER_DB CHILDREN(memcg_root)
#endif
/* Of n pages; each limit another number. */
#define COUNTERS(n)                                                                              \
	.memory = { { n }, 1, 2, 3, 4 * (n), 5 * (n), 6 }, .swap = { { 7 }, 0, 0, NO_LIMIT, 9, 10, 11 }, \
	.memory_events = { [MEMCG_LOW] = { 1 }, [MEMCG_MAX] = { 3 }, [MEMCG_OOM_KILL] = { n } },   \
	.memory_events_local = { [MEMCG_OOM_KILL] = { 2 }, [MEMCG_SWAP_FAIL] = { 8 } },            \
	.kmem = { { 12 }, .max = NO_LIMIT }, .tcpmem = { { 13 }, .max = 14 }, .soft_limit = 15
#if defined(CASE_spread)
#define REFS(flags_) { 3, DIRECT(&counts[1]) }
#elif defined(CASE_count)
#define REFS(flags_) { (flags_) & CSS_ONLINE ? 0 : 3, 7 }
#else
#define REFS(flags_) { (flags_) & CSS_ONLINE ? 0 : 3, DIRECT(&counts[0]) }
#endif
#define MEMCG(name, of, flags_, next, prev, first, last, total, pending)                        \
	{                                                                                       \
		{ DIRECT(&of), &memory_cgrp_subsys, REFS(flags_), { next, prev }, { first, last }, 1, flags_ }, \
			STATS_OF(name, total, pending), .vmstats_percpu = PERCPU_##name, \
			.id = { 3, 5 }, COUNTERS(total) \
	}
struct mem_cgroup memcg_root = MEMCG(root, top, CSS_ONLINE, SIBLING(memcg_root), SIBLING(memcg_root),
				     SIBLING(memcg_web), SIBLING(memcg_db), 1000, 10);
struct mem_cgroup memcg_web = MEMCG(web, web, CSS_ONLINE, SIBLING(memcg_db), CHILDREN(memcg_root),
				    SIBLING(memcg_inner), SIBLING(memcg_inner), 100, 20);
struct mem_cgroup memcg_inner = MEMCG(inner, inner, CSS_ONLINE, CHILDREN(memcg_web), CHILDREN(memcg_web),
				      CHILDREN(memcg_inner), CHILDREN(memcg_inner), 50, 0);
struct mem_cgroup memcg_db = MEMCG(db, db, CSS_NO_REF, AFTER_DB, SIBLING(memcg_web),
				   CHILDREN(memcg_db), CHILDREN(memcg_db), 30, 1);
struct mem_cgroup *root_mem_cgroup = DIRECT(&memcg_root);
