/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kmemleak knows of: a struct kmemleak_object for each block of memory that it watches
 * (mm/kmemleak.c).  From 6.2 on it has the handle of the stack of its allocation; before, the frames.
 */
#pragma once

#include "dump/dump.h"

#define KMEMLEAK_COMM 17

struct kmemleak_object {
	uint64_t address; /* of the struct */
	uint64_t pointer, bytes;
	uint32_t handle; /* of the stack depot; 0: none was saved */
	int32_t pid;	 /* of the allocation; 0 in an interrupt and early in the boot */
	char comm[KMEMLEAK_COMM];
	bool has_age;
	uint64_t age_ns;  /* before the panic, to a jiffy */
	bool is_reported; /* it is in /sys/kernel/debug/kmemleak: a scan found no pointer to it */
};

/*
 * Calls visit for each object that is not being deleted.  ST_ABSENT: not built in, or off;
 * ST_UNKNOWN: a layout that is not known, the one with frames too (has_frames is then true).
 * ST_CORRUPT, ST_UNREADABLE: some were visited, the others cannot be found.
 */
enum status kmemleak_walk(struct dump *d, bool *has_frames,
			  enum status (*visit)(void *arg, const struct kmemleak_object *o),
			  void *arg);
