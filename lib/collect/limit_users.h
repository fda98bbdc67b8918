/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose processes use up a limit of all: open files, threads, PIDs, those of a cgroup, local ports. */
#pragma once

#include "collect/used_limits.h"

#define LIMIT_USERS 3 /* the largest that are kept */

/* A process, or all of one name. */
struct limit_user {
	const char *comm;
	int32_t tgid;	    /* of the first one */
	uint64_t processes; /* 0: unknown */
	uint64_t n;	    /* of what the limit counts */
	const char *kinds;  /* "2,408 sockets, 1,204 eventfds"; NULL: all are of one kind */
};

struct limit_users {
	struct limit_user all[LIMIT_USERS]; /* the largest first */
	unsigned int n;
	const char *problem; /* NULL, or why there may be more */
};

/* ST_ABSENT: the limit is of one process, or its users are no processes. */
enum status limit_users_find(struct dump *d, const struct used_limit *l, struct limit_users *ret);

struct strbuf;
/* "chatgw (174)", "120 processes crawler" */
void limit_user_text(const struct limit_user *u, struct strbuf *b);
