/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory cgroups with counters of two CPUs: /, /web, /web/inner, and /db, which was removed. A
 * kernel defines one of
 *   STATS_IN_TABLE	6.12: compact arrays, tables of u8 with 255 for none
 *   STATS_PLUS_ONE	6.1: compact events only, a table of int with 0 for none
 *   STATS_EMBEDDED	5.13: the struct is in struct mem_cgroup, arrays by item
 *   STATS_ATOMIC	5.10: arrays of totals, nothing is flushed
 *   STATS_OLD_ITEMS	5.4: the same, but anonymous pages and page cache have counters of their own, and
 *			memory and swap of v1 are counted apart from swap
 *   STATS_ALONE	4.18: the same items, arrays of the cgroup alone
 *
 * PGFAULT:	total	pending	CPU 0 now, before	CPU 1 now, before
 *   /		1000	10	5, 3			4, 1
 *   /web	100	20	7, 0			0, 0
 *   /web/inner	50	0	1, 0			2, 0
 *   /db	30	1	0, 0			0, 0
 * CASE_renamed: counters of a form that is not known.
 * CASE_freed: the counters of CPUs of /db were freed, and CPU 0 has -1e9 of it there now.
 * Page counters, limits and events of memowner cgroups are those of COUNTERS() below.  CASE_v1: the
 * hierarchy is not the default one.  CASE_many: 100 removed ones below /web/inner. CASE_moved: pages of those that were removed are of their parents.  CASE_spread: the removed cgroup has references on each CPU.
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
#if defined(STATS_ALONE) || defined(STATS_OLD_ITEMS)
#define OLD_ITEMS
#define CASE_count
#endif
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
#ifdef OLD_ITEMS
	NR_ANON_MAPPED,
	NR_FILE_PAGES,
	NR_SHMEM,
#endif
	NR_VM_NODE_STAT_ITEMS
} keep_node;
#ifdef OLD_ITEMS
enum memcg_stat_item {
	MEMCG_CACHE = NR_VM_NODE_STAT_ITEMS,
	MEMCG_RSS,
	MEMCG_SWAP,
	MEMCG_KERNEL_STACK_KB,
	MEMCG_NR_STAT
} keep_memcg_stat;
#endif
enum vm_event_item {
	PGPGIN,
	PSWPIN,
	PSWPOUT,
	PGFAULT,
	PGMAJFAULT,
	OOM_KILL,
	PGSCAN_KSWAPD,
	PGSCAN_DIRECT,
	PGSTEAL_KSWAPD,
	PGSTEAL_DIRECT,
	NR_VM_EVENT_ITEMS
} keep_events;
enum cgroup_subsys_id { cpu_cgrp_id, memory_cgrp_id, CGROUP_SUBSYS_COUNT } keep_controllers;

#if defined(STATS_IN_TABLE)
u8 mem_cgroup_stats_index[NR_VM_NODE_STAT_ITEMS] = { 255, 1, 0 };
u8 mem_cgroup_events_index[NR_VM_EVENT_ITEMS] = { 255, 255, 2, 1, 0, 255, 255, 255, 255, 255 };
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
#elif defined(OLD_ITEMS)
/* What is mapped and what has a file are counted for nodes alone. */
#define NSTATE MEMCG_NR_STAT
#define NEVENTS NR_VM_EVENT_ITEMS
#define STATE(n) { 55, 2 * (n), 3 * (n), 0, 0, 5 * (n), 7 * (n), 11 * (n), 13 * (n), 16 * (n) }
#define EVENTS(n) { 66, 77, 88, n, 1000 * (n), 99 }
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
#ifdef CASE_renamed
#define vmstats statistics
#endif

struct page_counter {
	atomic_long_t usage;
	u64 min, low, high, max, watermark, failcnt, emin, elow;
};
enum memcg_memory_event {
	MEMCG_LOW,
	MEMCG_HIGH,
	MEMCG_MAX,
	MEMCG_OOM,
	MEMCG_OOM_KILL,
#if !defined(STATS_ATOMIC) && !defined(OLD_ITEMS)
	MEMCG_OOM_GROUP_KILL,
#endif
#ifndef OLD_ITEMS
	MEMCG_SWAP_HIGH,
#endif
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
#ifdef OLD_ITEMS
	struct page_counter swap, memsw;
#else
	union {
		struct page_counter swap, memsw;
	};
#endif
	atomic_long_t memory_events[MEMCG_NR_MEMORY_EVENTS];
#ifndef STATS_ALONE
	atomic_long_t memory_events_local[MEMCG_NR_MEMORY_EVENTS];
#endif
	struct page_counter kmem, tcpmem;
	u64 soft_limit;
	int swappiness;
#ifdef OLD_ITEMS
	u8 use_hierarchy;
#endif
#if defined(STATS_ALONE)
	atomic_long_t stat[NSTATE], events[NEVENTS];
#elif defined(STATS_ATOMIC) || defined(OLD_ITEMS)
	atomic_long_t vmstats[NSTATE], vmevents[NEVENTS];
#elif defined(STATS_EMBEDDED)
	struct memcg_vmstats vmstats;
#else
	struct memcg_vmstats *vmstats;
#endif
#ifdef STATS_ALONE
	struct memcg_vmstats_percpu *stat_cpu;
#else
	struct memcg_vmstats_percpu *vmstats_percpu;
#endif
#ifdef CASE_freed
	s32 percpu_stats_disabled;
#endif
};
#ifdef CASE_freed
enum percpu_stats_state {
	PERCPU_STATS_ACTIVE,
	PERCPU_STATS_DISABLED,
	PERCPU_STATS_FLUSHING,
	PERCPU_STATS_FLUSHED,
	PERCPU_STATS_FREED
} keep_percpu_stats;
#define DB_NOW -1000000000
#define DISABLED(flags_) .percpu_stats_disabled = (flags_) & CSS_ONLINE ? 0 : PERCPU_STATS_FREED,
#else
#define DB_NOW 0
#define DISABLED(flags_)
#endif

/* The areas of two CPUs; pointers to what is in them count from their start. */
struct area {
	u64 pad;
	struct memcg_vmstats_percpu root, web, inner, db;
};
#define NOW(now, before) { 9, STATE(now), EVENTS(now), STATE(before), EVENTS(before) }
static struct area areas[2] = {
	{ 0, NOW(5, 3), NOW(7, 0), NOW(1, 0), NOW(DB_NOW, 0) },
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
#if defined(STATS_ALONE)
#define STATS_OF(name, total, pending) .stat = STATE(total), .events = EVENTS(total)
#elif defined(STATS_ATOMIC) || defined(OLD_ITEMS)
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
#ifdef OLD_ITEMS
#define COUNTERS_OF_SWAP .swap = { { 0 }, 0, 0, NO_LIMIT, NO_LIMIT }, .memsw = { { 7 }, 0, 0, 0, 9, 10, 11 },
#else
#define COUNTERS_OF_SWAP .swap = { { 7 }, 0, 0, NO_LIMIT, 9, 10, 11 },
#endif
#ifdef STATS_ALONE
#define LOCAL_EVENTS
#else
#define LOCAL_EVENTS .memory_events_local = { [MEMCG_OOM_KILL] = { 2 }, [MEMCG_SWAP_FAIL] = { 8 } },
#endif
/* CASE_flat: in no cgroup. */
#ifndef OLD_ITEMS
#define HIERARCHY
#elif defined(CASE_flat)
#define HIERARCHY .use_hierarchy = 0,
#else
#define HIERARCHY .use_hierarchy = 1,
#endif
/* Of n pages; each limit another number. */
#define COUNTERS(n)                                                                              \
	HIERARCHY                                                                                \
	.memory = { { n }, 1, 2, 3, 4 * (n), 5 * (n), 6, 40, 60 }, .swappiness = 30, COUNTERS_OF_SWAP                       \
	.memory_events = { [MEMCG_LOW] = { 1 }, [MEMCG_MAX] = { 3 }, [MEMCG_OOM_KILL] = { n } },   \
	LOCAL_EVENTS                                                                             \
	.kmem = { { 12 }, .max = NO_LIMIT }, .tcpmem = { { 13 }, .max = 14 }, .soft_limit = 15
#if defined(CASE_spread)
#define REFS(flags_) { 3, DIRECT(&counts[1]) }
#elif defined(CASE_count)
#define REFS(flags_) { (flags_) & CSS_ONLINE ? 0 : 3, 7 }
#else
#define REFS(flags_) { (flags_) & CSS_ONLINE ? 0 : 3, DIRECT(&counts[0]) }
#endif
#ifdef STATS_ALONE
#define PERCPU stat_cpu
#else
#define PERCPU vmstats_percpu
#endif
#define MEMCG(name, of, flags_, next, prev, first, last, total, pending)                        \
	{                                                                                       \
		{ DIRECT(&of), &memory_cgrp_subsys, REFS(flags_), { next, prev }, { first, last }, 1, flags_ }, \
			STATS_OF(name, total, pending), .PERCPU = PERCPU_##name, DISABLED(flags_) \
			.id = { 3, 5 }, COUNTERS(total) \
	}
struct mem_cgroup memcg_root = MEMCG(root, top, CSS_ONLINE, SIBLING(memcg_root), SIBLING(memcg_root),
				     SIBLING(memcg_web), SIBLING(memcg_db), 1000, 10);
struct mem_cgroup memcg_web = MEMCG(web, web, CSS_ONLINE, SIBLING(memcg_db), CHILDREN(memcg_root),
				    SIBLING(memcg_inner), SIBLING(memcg_inner), 100, 20);
#ifdef CASE_moved
/* Of 7.1: what was charged to a removed cgroup is its parent's. */
struct mem_cgroup_per_node {
	struct obj_cgroup *objcg;
} keep_per_node;
#endif
#ifdef CASE_many
#define GONE 100
extern struct mem_cgroup memcg_gone[GONE];
#define FIRST_OF_INNER SIBLING(memcg_gone[0])
#define LAST_OF_INNER SIBLING(memcg_gone[GONE - 1])
#define GONE_BY(i) [i] = MEMCG(db, db, CSS_NO_REF, (i) == GONE - 1 ? CHILDREN(memcg_inner) : SIBLING(memcg_gone[(i) + 1]), \
			       (i) ? SIBLING(memcg_gone[(i) - 1]) : CHILDREN(memcg_inner), \
			       CHILDREN(memcg_gone[i]), CHILDREN(memcg_gone[i]), 0, 0)
#define GONE_TEN(i) GONE_BY(10 * i), GONE_BY(10 * i + 1), GONE_BY(10 * i + 2), GONE_BY(10 * i + 3), GONE_BY(10 * i + 4), \
		    GONE_BY(10 * i + 5), GONE_BY(10 * i + 6), GONE_BY(10 * i + 7), GONE_BY(10 * i + 8), GONE_BY(10 * i + 9)
struct mem_cgroup memcg_gone[GONE] = { GONE_TEN(0), GONE_TEN(1), GONE_TEN(2), GONE_TEN(3), GONE_TEN(4),
				       GONE_TEN(5), GONE_TEN(6), GONE_TEN(7), GONE_TEN(8), GONE_TEN(9) };
#else
#define FIRST_OF_INNER CHILDREN(memcg_inner)
#define LAST_OF_INNER CHILDREN(memcg_inner)
#endif
struct mem_cgroup memcg_inner = MEMCG(inner, inner, CSS_ONLINE, CHILDREN(memcg_web), CHILDREN(memcg_web),
				      FIRST_OF_INNER, LAST_OF_INNER, 50, 0);
struct mem_cgroup memcg_db = MEMCG(db, db, CSS_NO_REF, AFTER_DB, SIBLING(memcg_web),
				   CHILDREN(memcg_db), CHILDREN(memcg_db), 30, 1);
int vm_swappiness = 60;
struct mem_cgroup *root_mem_cgroup = DIRECT(&memcg_root);
