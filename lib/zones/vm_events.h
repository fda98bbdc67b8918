/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System-wide event counters, as /proc/vmstat has them. */
#pragma once

#include "dump/dump.h"

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
