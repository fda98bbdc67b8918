/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of vm_events.h for each memory cgroup with its descendants, as memory.stat
 * has them after a flush.
 */
#ifndef MEMOWNER_MM_MEMCG_EVENTS_H
#define MEMOWNER_MM_MEMCG_EVENTS_H

#include "mm/vm_events.h"

#define MEMCG_BATCH 32 /* MEMCG_CHARGE_BATCH of 5.10 */

struct memcg_counts {
	struct memcg_counts *next; /* a parent comes before its children */
	const char *path;	   /* "/web"; NULL: it cannot be read */
	bool removed;		   /* it has no memory.stat any more */
	uint64_t counts[VM_EVENTS];
	bool known[VM_EVENTS]; /* everything that the count is made of is in this dump */
};

struct memcg_events {
	bool counted[VM_EVENTS]; /* this kernel counts it for each memory cgroup */
	struct memcg_counts *first;
	bool batched;	 /* CPUs hold back up to MEMCG_BATCH of each count, up to 5.12 */
	bool complete;	 /* every cgroup was reached */
	const char *why; /* it is not */
};

/* ST_ABSENT: built without CONFIG_MEMCG.  ST_UNKNOWN: a layout that is not known. */
enum status memcg_events_read(struct dump *d, struct memcg_events *ret);

#endif
