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
	uint64_t sum[MAX_COUNTERS]; /* signed; wraps, as the kernel's */
};

struct counters {
	struct dump *dump;
	struct counter_group zone, node;
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
 * is more than MOST_COUNTED; ST_UNKNOWN: it must have one, and a gap is noted.
 */
enum status counter_read(const struct counters *c, const char *name, int64_t *ret);
