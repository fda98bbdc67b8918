/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of free pages that each CPU keeps of each zone (struct per_cpu_pages in
 * include/linux/mmzone.h).
 *
 * A zone points to per-CPU memory: up to 5.13 to a struct per_cpu_pageset with the lists inside,
 * since 5.14 to the lists (mm/page_alloc: split per cpu page lists and zone stats). Up to 5.13
 * there is a list for each migrate type; since 5.14 for each order up to 3 as well, and behind
 * those one or two for huge pages (mm/page_alloc: allow high-order pages to be stored on the
 * per-cpu lists).
 */
#pragma once

#include "kernel/percpu.h"

struct pcp_lists {
	struct dump *dump;
	struct field sets, old_sets, present; /* of struct zone */
	struct field count, lists;	      /* of struct per_cpu_pages */
	struct field list;		      /* of struct page */
	uint32_t set_offset;		      /* of struct per_cpu_pages in what a zone points to */
	int64_t types;			      /* lists for each order */
	unsigned int n;			      /* lists of a CPU */
	uint64_t max_pages;		      /* no CPU has more */
	struct percpu cpus;		      /* possible ones */
};

/* A block of free pages on a list. */
struct pcp_block {
	uint64_t page; /* address of its first struct page; nothing was read there */
	unsigned int order;
	unsigned int list; /* its index in per_cpu_pages.lists */
};

/*
 * The migrate type of a list, which is below MIGRATE_PCPTYPES; -1: of a list of huge pages, which
 * has several. Pages of types above, such as CMA, are on the lists of Movable.
 */
int pcp_list_type(const struct pcp_lists *p, unsigned int list);
/* The order of its blocks. */
unsigned int pcp_list_order(const struct pcp_lists *p, unsigned int list);

/* max_pages: pages of System RAM. ST_UNKNOWN: another layout. */
enum status pcp_lists_open(struct dump *d, uint64_t max_pages, struct pcp_lists *ret);

/* Pages that a zone has on the lists of all possible CPUs, by their counters; ST_CORRUPT. */
enum status pcp_lists_count(const struct pcp_lists *p, uint64_t zone, uint64_t *ret);

/*
 * Calls visit with each block on the lists of a zone until it returns anything but ST_OK, which
 * is returned. ST_CORRUPT: a list is longer than its counter allows; ST_STOPPED.
 */
enum status pcp_lists_walk(const struct pcp_lists *p, uint64_t zone,
			   enum status (*visit)(void *arg, const struct pcp_block *b), void *arg);
