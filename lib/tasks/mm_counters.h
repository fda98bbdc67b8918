/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of mm_struct.rss_stat: resident pages of a process by kind, and swap entries.
 *
 * To 6.1 atomic longs, beside which each thread keeps what it has not added yet
 * (SPLIT_RSS_COUNTING); since 6.2 percpu_counters (f1a7941243c1 "mm: convert mm's rss stats into
 * percpu_counter").
 */
#pragma once

#include "dump/dump.h"
#include "kernel/percpu.h"

#define MM_COUNTERS 16 /* more than any kernel has */

/* Pages. */
struct mm_counts {
	int64_t anon, file, shmem, swap;
};

struct mm_counters {
	struct dump *dump;
	struct field rss; /* in mm_struct */
	struct percpu cpus;
	bool is_percpu;
	struct field count, counters;	 /* members of percpu_counter */
	uint64_t stride;		 /* bytes from one counter to the next */
	int64_t file, anon, swap, shmem; /* MM_FILEPAGES and so on */
};

enum status mm_counters_open(struct dump *d, struct mm_counters *ret);

/*
 * mm: a copy of struct mm_struct up to the end of rss_stat.  cached: by MM_FILEPAGES and so on,
 * what the threads have not added; NULL: nothing.  *exact is the sum over CPUs and threads.  *read is
 * what get_mm_counter() returns: without what CPUs and threads have not added, and not below 0.
 * ST_UNREADABLE: a counter of a CPU is not in this dump; *read is known then too.
 */
enum status mm_counters_read(const struct mm_counters *c, const void *mm, const int64_t *cached,
			     struct mm_counts *exact, struct mm_counts *read);

static inline int64_t mm_counts_rss(const struct mm_counts *n)
{
	return (uint64_t)n->anon + (uint64_t)n->file + (uint64_t)n->shmem;
}
