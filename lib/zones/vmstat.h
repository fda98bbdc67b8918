/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own counters of pages, by zone and by node (mm/vmstat.c), as they were at the
 * panic: with what each CPU had not added yet, which /proc/vmstat leaves out.
 */
#pragma once

#include "dump/dump.h"

#define MAX_COUNTERS 128 /* of a zone or a node; 7.3 has 69 */

struct counter_group {
	const char *items; /* the enum that numbers them */
	size_t n;
	uint64_t sum[MAX_COUNTERS];   /* signed; wraps, as the kernel's */
	uint64_t shown[MAX_COUNTERS]; /* the same without what CPUs have not added yet */
	const char *all;	      /* the variable that has these of the whole machine */
	int64_t of_all[MAX_COUNTERS];
	bool differs[MAX_COUNTERS]; /* of_all is known, and shown is another number */
};

struct counters {
	struct dump *dump;
	struct counter_group zone, node;
	const char
		*free_damage; /* why the number of free pages of a zone cannot be; NULL: it can */
};

/* ST_UNREADABLE: one of them is not in this dump, and no sum would be true. */
enum status counters_open(struct dump *d, struct counters *ret);

/* No memory has more pages: what is more is no counter, and sums of it would wrap. */
#define MOST_COUNTED (1LL << 52)

struct counter_reader;

/* For counters of one zone or node at a time. */
enum status counter_reader_open(struct dump *d, struct counter_reader **ret);

/*
 * The counters of the struct zone at an address, or those of a node that no zone has, at the
 * address of its struct pglist_data.  shown: without what CPUs have not added yet, as the
 * allocator, its reports in the log and /proc/vmstat take them (zone_page_state()).
 */
enum status counters_of_zone(struct counter_reader *r, uint64_t zone, bool shown,
			     struct counters *ret);
enum status counters_of_node(struct counter_reader *r, uint64_t pgdat, bool shown,
			     struct counters *ret);

/*
 * The sum over all zones, or nodes, and CPUs; 0 where it is below, as the kernel shows it.  name:
 * of /proc/vmstat ("nr_slab_reclaimable") or of the kernel's source ("NR_ANON_MAPPED").
 * In pages; counters with KB in the source's name in KiB.  ST_ABSENT: this kernel has none; ST_CORRUPT: it
 * is more than MOST_COUNTED, or vm_zone_stat or vm_node_stat have another number, and a gap is noted; ST_UNKNOWN: it must have one, and a gap is noted.
 */
enum status counter_read(const struct counters *c, const char *name, int64_t *ret);

/* One of them by itself. */
enum status counter_ask(struct dump *d, const char *name, int64_t *ret);

/* System-wide event counters, as /proc/vmstat has them. */

#define VM_EVENTS 11

/* Whether a memory cgroup counts an event beside the system. */
enum of_memcg {
	MEMCG_ALWAYS,
	MEMCG_IN_TABLE, /* where mem_cgroup_events_index has it */
	MEMCG_NEVER,
};

struct vm_event_kind {
	const char *name, *enumerator;
	const char *meaning;
	enum of_memcg of_memcg;
	const char *instead; /* the enumerator of older kernels; NULL: all have this one */
};

extern const struct vm_event_kind vm_event_kinds[VM_EVENTS];

struct vm_event {
	const char *name; /* as in /proc/vmstat */
	const char *meaning;
	bool known; /* this kernel counts it, and the dump has it */
	uint64_t count;
};

/*
 * The events that have to do with page faults; *n of them.  ST_ABSENT: built
 * without CONFIG_VM_EVENT_COUNTERS.
 */
enum status vm_events_read(struct dump *d, struct vm_event **ret, size_t *n);

/*
 * Pages in balloons: BALLOON_INFLATE - BALLOON_DEFLATE.  ST_ABSENT: built without
 * CONFIG_VM_EVENT_COUNTERS or CONFIG_MEMORY_BALLOON; ST_CORRUPT: more left than came.
 */
enum status balloon_events_pages(struct dump *d, uint64_t *ret);
