/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks and CPUs that did not get on, each with the first and the last line of the log on it: hung tasks of
 * khungtaskd, lockups of watchdogs, stalls of RCU. oops.h has the newest of each kind alone. Text only.
 */
#pragma once

#include "log/hung_owner.h"
#include "log/oops.h"

#define STANDSTILLS 16 /* that are kept: those that came first */

struct standstill {
	enum stall_kind kind; /* STALL_NONE: a hung task */
	struct log_number pid, cpu;
	char comm[STALL_COMM + 1];
	bool in_user;		   /* of a stall of RCU: the task ran in user mode */
	struct log_number seconds; /* at the last line; of a hung task more */
	unsigned int lines;
	struct hung_owner owner; /* of a hung task */
	const struct kernel_record *first, *last;
};

struct standstills {
	struct standstill all[STANDSTILLS];
	unsigned int n;
	unsigned int more; /* lines on others */
};

void standstills_read(const struct kernel_log *log, struct standstills *ret);

/* The owner of a lock that most of the hung tasks wait for, as the kernel says; NULL: it tells of none. n: of how many. */
const struct hung_owner *standstills_owner(const struct standstills *all, unsigned int *n);

/* "hung_task", "soft_lockup", "hard_lockup", "rcu_stall" */
const char *standstill_name(const struct standstill *s);

/* "task nfsd (12) was blocked for more than 120 s", "CPU 1 was stuck for 22 s in ksmd (41): a soft lockup" */
void standstill_text(const struct standstill *s, struct strbuf *b);

/* Of which the log told last, of those that are not told, by their places in all; NULL: there is none. */
const struct standstill *standstills_newest(const struct standstills *all, const bool *is_told);

/* "told 2 times", of one with several lines. */
void standstill_times(const struct standstill *s, struct strbuf *b);

/*
 * "at least 3 more (memowner log)" that are not told; "there may be more (memowner log)": there was no room
 * for all, or a part of the log is missing. Nothing: there are no more.
 */
void standstills_rest(const struct standstills *all, const bool *is_told, bool is_cut,
		      struct strbuf *b);
