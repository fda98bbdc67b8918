/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line that khungtaskd has behind a hung task on the lock that it waits for: 6.16, 3cf67d61ff98 "hung_task: show the
 * blocker task if the task is hung on mutex", and its like for semaphores (6.16) and rw-semaphores (6.17). Text only.
 */
#pragma once

#include "log/log_text.h"
#include "util/strbuf.h"

#define LOCK_COMM 16

/* The kernel reads the owner while the lock may change hands: "likely" is its own word. */
struct hung_owner {
	const char *lock;	  /* "mutex"; NULL: no line tells of one */
	struct log_number pid;	  /* unknown: the kernel did not find it */
	char comm[LOCK_COMM + 1]; /* "" with pid unknown */
	bool is_last;		  /* of a semaphore, which has no owner: who took it last */
	bool is_reader;		  /* has an rw-semaphore for reading, as others may */
};

/* False: it is another line, and nothing is set. */
bool hung_owner_line(const char *line, uint64_t *waiter, struct hung_owner *ret);

/* "a mutex likely owned by hsmd (327), as the kernel says" */
void hung_owner_text(const struct hung_owner *o, struct strbuf *b);
