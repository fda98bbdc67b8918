/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where each possible CPU keeps its copy of per-CPU data. */
#pragma once

#include "dump/dump.h"

struct percpu {
	unsigned int n;	   /* possible CPUs; a kernel sums over these, not the online ones */
	unsigned int *cpu; /* their numbers */
	uint64_t *offset;  /* to add to a per-CPU address, in wrapping arithmetic */
};

/*
 * CPU numbers that can be: nr_cpu_ids, or where that is a macro (CONFIG_FORCE_NR_CPUS, 6.1) the length
 * of the table of offsets.
 */
enum status percpu_ids(struct dump *d, uint64_t *ret);

enum status percpu_open(struct dump *d, struct percpu *ret);
