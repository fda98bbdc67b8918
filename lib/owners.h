/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the process that allocated a page still exists at the panic. */
#ifndef MEMOWNER_OWNERS_H
#define MEMOWNER_OWNERS_H

#include "taskindex.h"

enum owner_life { OWNER_UNKNOWN, OWNER_LIVE, OWNER_DEAD };

struct owners {
	struct task_index tasks;
	bool complete;	     /* all processes are in it: who is not does not exist */
	const char *problem; /* NULL, or for one warning: why some processes are missing */
};

/*
 * Where the list of processes breaks off, those that were not found are unknown.  In place.
 * DUMP_UNKNOWN: a layout that is not known; DUMP_NOMEM.
 */
enum status tasks_owners_open(struct dump *d, struct owners *ret);

/*
 * Dead: no process has this tgid, or the one that has it started later than ts_ns, which is of
 * local_clock(); 0 if this kernel does not record it.  The idle tasks, 0, are always there.
 */
enum owner_life owners_find(const struct owners *o, int32_t tgid, uint64_t ts_ns);

/* "live", "dead", or NULL. */
const char *owner_life_name(enum owner_life life);

#endif
