/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * References that the kernel tracks one by one, each with the stack that took it, and for some time
 * the stack that released it (lib/ref_tracker.c).  They are in directories: those of network
 * namespaces and network devices are reached from these; that of 7.3 lists all of them for debugfs.
 */
#pragma once

#include "dump/dump.h"
#include "util/hash_u64.h"

struct ref_tracker {
	uint64_t address;
	bool is_released;
	uint32_t taken, released; /* handles of the stack depot; 0: none */
};

struct ref_trackers {
	uint64_t directories; /* that were walked */
	uint64_t broken;      /* lists that break off: of trackers, of devices, of directories */
	bool complete;	      /* every directory of the kernel is among them */
	const char *problem;  /* of the first list that breaks off, or NULL */
};

/*
 * Calls visit for each tracker.  ST_ABSENT: not built in; ST_UNKNOWN: no directory that is known.
 * What cannot be followed is counted in ret.
 */
enum status ref_trackers_walk(struct dump *d, struct ref_trackers *ret,
			      enum status (*visit)(void *arg, const struct ref_tracker *t),
			      void *arg);
