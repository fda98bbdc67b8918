/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has requests of io_uring: processes those in flight, rings those that are free and completions without room. */
#pragma once

#include "files/io_requests.h"
#include "files/io_uring.h"
#include "files/open_files.h"

struct io_user {
	const struct file_user *user;
	uint64_t in_flight; /* of all its threads */
};

struct io_ring {
	uint64_t ctx; /* address of the io_ring_ctx */
	struct file_users users;
	struct io_ring_lists lists;
};

struct io_users {
	struct io_requests of;
	struct hash_u64 users;	   /* of struct io_user by tgid */
	struct hash_u64 rings;	   /* of struct io_ring by address of the io_ring_ctx */
	const char *problem;	   /* NULL, or why requests may be missing */
	const char *rings_problem; /* the same of rings */
	bool is_complete;	   /* none has a ring open that is not in its users */
};

/* ST_ABSENT: built without CONFIG_IO_URING; ST_UNKNOWN; ST_STOPPED. */
enum status io_users_collect(struct dump *d, struct io_users *ret);
