/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a memory cgroup is and what its files show beside memory.stat: page counters, limits,
 * events, references (struct mem_cgroup, struct page_counter).
 */
#pragma once

#include "dump/structure.h"
#include "kernel/most_pages.h"

#define MEMCG_EVENT_KINDS 10

/* Numbers of struct mem_cgroup; of page counters in pages. */
enum memcg_value {
	MEMCG_USAGE,
	MEMCG_MIN,
	MEMCG_LOW_LIMIT,
	MEMCG_HIGH_LIMIT,
	MEMCG_MAX_LIMIT,
	MEMCG_PEAK,
	MEMCG_FAILCNT,
	MEMCG_SOFT_LIMIT, /* v1 */
	MEMCG_SWAP_USAGE, /* v2 */
	MEMCG_SWAP_HIGH_LIMIT,
	MEMCG_SWAP_MAX_LIMIT,
	MEMCG_SWAP_PEAK,
	MEMCG_MEMSW_USAGE, /* v1: memory and swap */
	MEMCG_MEMSW_LIMIT,
	MEMCG_KMEM_USAGE, /* v1 */
	MEMCG_KMEM_LIMIT,
	MEMCG_TCP_USAGE,
	MEMCG_TCP_LIMIT,
	/* Of memory.min and memory.low what reclaim last granted, within what ancestors have. */
	MEMCG_EFFECTIVE_MIN,
	MEMCG_EFFECTIVE_LOW,
	MEMCG_CHILDREN_MIN, /* usage of children that their memory.min protects */
	MEMCG_SWAPPINESS,   /* v1 */
	MEMCG_OOM_GROUP,
	/* v1, memory.oom_control: whether its tasks wait for memory as none is killed. */
	MEMCG_OOM_KILL_DISABLE,
	MEMCG_UNDER_OOM,
	MEMCG_ID_REFS,
	MEMCG_VALUES
};

struct memcg_states {
	struct dump *dump;
	struct structure memcg;
	struct field node_objcg, cgroup_root; /* of struct mem_cgroup_per_node, struct cgroup */
	struct field count;		      /* of struct percpu_ref_data or percpu_ref */
	uint64_t default_hierarchy;	      /* address of cgrp_dfl_root; 0: unknown */
	size_t nevents;			      /* of an array of events */
	/*
	 * Every page is charged through an obj_cgroup, which goes to the parent when the cgroup is
	 * removed, and so do the pages: not those of kernel memory alone.
	 */
	bool reparents_all;
	struct most_pages most;
	unsigned int of_root; /* enum memcg_version of the root: all of a controller are of one */
	int64_t event[MEMCG_EVENT_KINDS]; /* index in it; -1: this kernel has no such event */
};

/* Names as in memory.events and memory.swap.events, in their order. */
extern const char *const memcg_event_names[MEMCG_EVENT_KINDS];
/* Indexes of oom and oom_kill. */
#define MEMCG_OOM_EVENT 3
#define MEMCG_OOM_KILL_EVENT 4
/* Behind these the events are of memory.swap.events. */
#define MEMCG_MEMORY_EVENTS 7

enum memcg_version { MEMCG_VERSION_UNKNOWN, MEMCG_V1, MEMCG_V2 };

struct memcg_state {
	enum memcg_version version;
	bool has[MEMCG_VALUES];
	uint64_t value[MEMCG_VALUES];
	bool has_events, has_local; /* of all events that this kernel has */
	uint64_t events[MEMCG_EVENT_KINDS], local[MEMCG_EVENT_KINDS];
	bool has_refs; /* css.refcnt is one counter: the cgroup was removed */
	uint64_t refs;
};

/* ST_UNKNOWN: struct mem_cgroup is not as any kernel known had it. */
enum status memcg_states_open(struct dump *d, struct memcg_states *ret);

/* Of a struct mem_cgroup.  ST_UNREADABLE; ST_CORRUPT: more is charged than the machine has. */
enum status memcg_state_read(const struct memcg_states *s, uint64_t address,
			     struct memcg_state *ret);

/*
 * MEMCG_EFFECTIVE_* are 0 until reclaim computes them (mem_cgroup_calculate_protection()): where memory.min or
 * memory.low and the usage are not, and the parent grants some, that is not known.  parent: of which this was done;
 * the root, or NULL, grants all.
 */
void memcg_state_doubt_protection(struct memcg_state *state, const struct memcg_state *parent);

/* Of a state that was read: leaves out counters of swap that its version has not, or may not have. */
void memcg_state_keep_version(struct memcg_state *state, enum memcg_version version);
