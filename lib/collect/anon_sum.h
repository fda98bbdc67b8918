/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Anonymous memory of several processes, and what of it is in swap: what fork() made them share is there once,
 * and counted by each.
 */
#pragma once

#include "tasks/task.h"
#include "util/maybe.h"
#include "vm/pss.h"

/* Pages. */
struct anon_process {
	struct anon_process *next;
	int32_t tgid;
	uint64_t pgd, anon, rss;
	/* By anon_sum_read(): of its anonymous pages, those that KSM merged, and others that are mapped once more. */
	uint64_t merged, shared;
};

struct anon_sum {
	struct anon_process *first;
	uint64_t counted; /* as the processes count it, what they share once for each */
	uint64_t largest; /* of one process */
	uint64_t swap_counted, swap_largest; /* the same of what is in swap */
};

struct anon_sums {
	struct pss_reader *reader;
	struct first_problem problem; /* why it is not open */
	uint64_t read;		      /* pages of page tables, those in swap too */
	const char *no_swap; /* why pages in swap are not looked at; NULL: they are, or not yet */
};

/* Pages of the processes of a sum, each once. */
struct anon_found {
	uint64_t pages;		 /* the sum of the proportional set sizes, without: */
	const char *why_least;	 /* one of several counts more than its tables have; NULL: none */
	uint64_t merged;	 /* the same of what KSM merged, which is of no one process */
	struct maybe_u64 swap;	 /* what they have in swap */
	const char *why_no_swap; /* NULL: it is known */
};

/* pgd: the top page table of its mm_struct; 0: unknown. */
void anon_sum_add(struct dump *d, struct anon_sum *sum, const struct task *t, uint64_t pgd);

/*
 * By page tables.  ST_UNKNOWN: they are too large, or differ from the counters; ST_UNREADABLE: one is not in
 * this dump; ST_STOPPED.
 */
enum status anon_sum_read(struct dump *d, struct anon_sums *sums, struct anon_sum *sum,
			  struct anon_found *ret);

/* What is told of the largest process alone, as it is unknown of all; NULL: nothing. */
const char *anon_sum_remark(struct dump *d, const struct anon_sum *sum, bool has_pages,
			    bool has_swap);
