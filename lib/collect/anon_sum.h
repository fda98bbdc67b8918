/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Anonymous memory of several processes: what fork() made them share is there once, and counted by each. */
#pragma once

#include "tasks/task.h"
#include "vm/pss.h"

struct anon_process;

/* Pages. */
struct anon_sum {
	struct anon_process *first;
	uint64_t counted; /* as the processes count it, what they share once for each */
	uint64_t largest; /* of one process */
};

struct anon_sums {
	struct pss_reader *reader;
	enum status status;  /* of it */
	const char *problem; /* NULL: it is open */
	uint64_t read;	     /* pages of page tables */
};

/* pgd: the top page table of its mm_struct; 0: unknown. */
void anon_sum_add(struct dump *d, struct anon_sum *sum, const struct task *t, uint64_t pgd);

/*
 * *pages: the sum of the proportional set sizes, by page tables.  ST_UNKNOWN: they are too large, or differ
 * from the counters; ST_UNREADABLE: one is not in this dump; ST_STOPPED.
 */
enum status anon_sum_read(struct dump *d, struct anon_sums *sums, const struct anon_sum *sum,
			  uint64_t *pages);
