/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes and threads that a cgroup and those below it have, and may have: pids.current and pids.max, by its struct
 * pids_cgroup (kernel/cgroup/pids.c, 4.3).
 */
#pragma once

#include "dump/dump.h"

struct pids_groups {
	struct dump *dump;
	struct field states, css, counter, limit; /* the first of struct cgroup */
	int64_t id;
};

struct pids_group {
	uint64_t address; /* of its struct pids_cgroup; 0: the controller is off for it */
	uint64_t used, limit;
	bool has_limit; /* pids.max is not "max" */
};

/* ST_ABSENT: built without CONFIG_CGROUP_PIDS; ST_UNKNOWN: an unknown layout. */
enum status pids_groups_open(struct dump *d, struct pids_groups *ret);

enum status pids_group_read(const struct pids_groups *x, uint64_t cgroup, struct pids_group *ret);
