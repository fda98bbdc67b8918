/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where each possible CPU keeps its copy of per-CPU data. */
#ifndef MEMOWNER_KERNEL_PERCPU_H
#define MEMOWNER_KERNEL_PERCPU_H

#include "dump/dump.h"

struct percpu {
	unsigned int n;	   /* possible CPUs; a kernel sums over these, not the online ones */
	unsigned int *cpu; /* their numbers */
	uint64_t *offset;  /* to add to a per-CPU address, in wrapping arithmetic */
};

enum status percpu_open(struct dump *d, struct percpu *ret);

#endif
