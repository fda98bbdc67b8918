/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of tasks by pid, as the trace file has them: the last name that the scheduler saw while
 * an event was on (saved_cmdlines, kernel/trace/trace_sched_switch.c, trace.c before 6.9).
 */
#pragma once

#include "dump/dump.h"

#define SAVED_COMM 16 /* TASK_COMM_LEN */

struct saved_cmdlines {
	struct dump *dump;
	uint32_t *index; /* of a name, by pid modulo nindex - 1 */
	uint64_t nindex; /* PID_MAX_DEFAULT + 1 */
	uint32_t *pids;	 /* by index */
	uint8_t *names;
	uint64_t n;
};

/* ST_ABSENT: nothing was ever saved. */
enum status saved_cmdlines_open(struct dump *d, struct saved_cmdlines *ret);

/* The name of a pid in buf, of SAVED_COMM bytes; NULL: it is not saved. */
const char *saved_cmdlines_find(const struct saved_cmdlines *s, int32_t pid, char *buf);
