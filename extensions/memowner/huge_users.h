/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that map the huge pages of a pool, by mm_struct.hugetlb_usage, which is the sum of all
 * sizes: told where one pool alone has pages in use.
 */
#pragma once

#include "summary.h"
#include "tasks/mm_struct.h"
#include "tasks/task.h"
#include "util/largest.h"

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

/* Behind the last: the remark of the pool names the largest of them. */
void huge_users_end(struct huge_users *u);
