/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has filters of seccomp, and what these take: each filter once, of the processes whose threads have it in their chain. */
#pragma once

#include "files/open_files.h"
#include "tasks/seccomp.h"

/* Filters that the same processes have. */
struct seccomp_user {
	struct file_users users;
	uint64_t n;	   /* filters */
	uint64_t threads;  /* of these processes that have any filter */
	uint64_t programs; /* bytes of programs, in pages */
	uint64_t jited, original;
	uint64_t all; /* with struct seccomp_filter */
};

struct seccomp_users {
	struct seccomp_filters of;
	struct seccomp_user *all;
	size_t n;
	uint64_t filters, bytes; /* of all */
	const char *problem;	 /* NULL, or why filters or processes may be missing */
};

/* ST_ABSENT: built without them; ST_UNKNOWN; ST_STOPPED. *ret must stay where it is. */
enum status seccomp_users_collect(struct dump *d, struct seccomp_users *ret);
