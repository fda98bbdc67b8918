/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel counts of each user of a user namespace against a limit of that namespace: struct ucounts in
 * ucounts_hashtable, and user_namespace.ucount_max (kernel/ucount.c, 4.9; inotify since 4.11).
 */
#pragma once

#include "dump/structure.h"

struct user_count {
	uint32_t uid;	 /* in the first user namespace */
	bool is_initial; /* it is of that */
	uint64_t used, limit;
};

struct user_counts {
	struct dump *dump;
	struct structure ucounts;
	struct field counts, limits; /* of one kind */
	uint64_t initial;	     /* the first user namespace */
	uint32_t kinds;		     /* how many there are */
};

/* ST_ABSENT: this kernel has none; ST_UNKNOWN. */
enum status user_counts_open(struct dump *d, struct user_counts *ret);

/*
 * kind: "UCOUNT_INOTIFY_INSTANCES". ST_ABSENT: this kernel does not count it. Where some cannot be read, visit is called
 * for the others, and the status is that of the first.
 */
enum status user_counts_walk(const struct user_counts *u, const char *kind,
			     void (*visit)(void *arg, const struct user_count *c), void *arg);
