/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of seccomp (kernel/seccomp.c): programs of classic BPF without an ID, in a chain from task_struct.seccomp. A thread
 * that takes one has it in front of those that it had, which others may have as well.
 */
#pragma once

#include "dump/structure.h"

struct seccomp_filters {
	struct dump *dump;
	struct structure task, filter, prog, original;
	uint64_t bytes; /* of a struct seccomp_filter in its cache */
};

struct seccomp_filter {
	uint64_t address, prev, prog; /* prev 0: it is the last of its chain */
	uint64_t pages;		      /* of the program with its instructions */
	uint64_t jited;		      /* bytes of its machine code */
	uint64_t original; /* bytes of its instructions as they were given; 0: not kept */
};

/* ST_ABSENT: built without CONFIG_SECCOMP_FILTER; ST_UNKNOWN. */
enum status seccomp_filters_open(struct dump *d, struct seccomp_filters *ret);

/* The first filter of a task's chain; 0: it has none. */
enum status seccomp_of_task(const struct seccomp_filters *s, uint64_t task, uint64_t *ret);

enum status seccomp_filter_read(const struct seccomp_filters *s, uint64_t address,
				struct seccomp_filter *ret);
