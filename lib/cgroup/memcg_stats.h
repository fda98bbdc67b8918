/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of one memory cgroup. Kernels have kept them in three forms:
 *
 *   stat, events          up to 5.1: of the cgroup alone, whoever reads adds up descendants
 *   vmstats, vmevents     5.2 to 5.12: with descendants, but for what CPUs hold back
 *   struct memcg_vmstats  5.13: with what was flushed of descendants
 */
#pragma once

#include "dump/structure.h"
#include "kernel/percpu.h"
#include "zones/vmstat.h"

/* What a counter counts. */
enum memcg_unit { MEMCG_TIMES, MEMCG_PAGES, MEMCG_BYTES, MEMCG_KIB };

/* A counter, by its enumerator in enum node_stat_item, memcg_stat_item or vm_event_item. */
struct memcg_counter {
	const char *enumerators[2]; /* the first that the kernel has */
	enum of_memcg of_memcg;
	enum memcg_unit unit;
	/* An enumerator of every kernel that lacks these; NULL: some have none. */
	const char *always;
	/* Its name in memory.stat, by which a kernel that counts it is known; NULL: none is asked for. */
	const char *line;
};

/* A memory cgroup counts in two arrays: one for each enum that has an index. */
enum memcg_family { MEMCG_OF_NODE, MEMCG_OF_CPU, MEMCG_FAMILIES };

/* Where the parts of an array are: all of them since 5.13, before that the total alone. */
enum memcg_part {
	MEMCG_TOTAL,
	MEMCG_PENDING,
	MEMCG_NOW, /* per CPU, with the next */
	MEMCG_BEFORE,
	MEMCG_PARTS
};

enum memcg_stats_form { MEMCG_ALONE, MEMCG_BATCHED, MEMCG_FLUSHED };

struct memcg_stats {
	struct dump *dump;
	enum memcg_stats_form form;
	struct field stats;  /* struct memcg_vmstats or a pointer to it, or the array of a family */
	struct field events; /* the array of the second family */
	struct field percpu, no_percpu; /* struct memcg_vmstats_percpu; whether that is in use */
	struct field part[MEMCG_FAMILIES][MEMCG_PARTS];
	struct percpu cpus;
	int64_t freed_from; /* value of no_percpu; -1: unknown */
	size_t n;
	const char **names; /* its enumerator; NULL: this kernel does not count it for a cgroup */
	enum memcg_family *family;
	size_t *index;
	struct layout_buffer raw[2];
	uint64_t *values[2];
};

/* Of one counter of one cgroup. */
struct memcg_stat {
	uint64_t total;
	uint64_t more; /* that a flush adds, or a sum over descendants: to those of ancestors too */
	bool has_total, has_more;
};

/* ST_UNKNOWN: a layout that is not known. */
enum status memcg_stats_open(struct dump *d, const struct memcg_counter *kinds, size_t n,
			     struct memcg_stats *ret);

/* Fills ret[n]; *keeps: what descendants have beside their totals does not reach its ancestors. */
void memcg_stats_read(struct memcg_stats *s, uint64_t memcg, struct memcg_stat *ret, bool *keeps);
