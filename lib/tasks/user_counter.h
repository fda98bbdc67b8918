/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel counts of a user against a resource limit: struct ucounts, up to 5.13 struct user_struct. */
#pragma once

#include "dump/structure.h"

struct user_counter {
	struct dump *dump;
	struct field user;  /* of struct cred */
	struct field count; /* of what it leads to */
};

/*
 * kind: "UCOUNT_RLIMIT_NPROC" (5.14: "Reimplement RLIMIT_NPROC on top of ucounts"); member: before, of struct
 * user_struct. ST_UNKNOWN.
 */
enum status user_counter_open(struct dump *d, const char *kind, const char *member,
			      struct user_counter *ret);

/* Of 4 or of 8 bytes. */
enum status user_number_read(struct dump *d, uint64_t at, const struct field *f, uint64_t *ret);

/*
 * Of a struct cred. at: the address of the counter, one for each user of a user namespace; 0: there is none, and ret
 * is 0.
 */
enum status user_counter_read(const struct user_counter *u, uint64_t cred, uint64_t *at,
			      uint64_t *ret);
