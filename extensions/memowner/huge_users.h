/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who maps the huge pages of a pool. */
#pragma once

#include "summary.h"

/* A row "pool of 2.0M pages, 2,900 of 3,000 are free, 64 of these reserved", and what the verdict says of those that lie free. */
struct hugetlb_pool;
void summary_huge_pool(struct summary *s, const struct hugetlb_pool *pool);

/* Processes that map the huge pages of the pool that the summary has. */
struct huge_users {
	struct summary *s;
	bool wanted; /* there is such a pool */
	struct mm_structs types;
	struct hash_u64 mms; /* those that were met */
	unsigned int unread;
};

void huge_users_open(struct summary *s, struct huge_users *ret);

/* Of each task. */
void huge_users_add(struct huge_users *u, const struct task *t);

/* "90 of 100 are free; mapped by postgres (312) 18.0M, qemu (9) 2.0M" */
void huge_users_end(struct huge_users *u);
