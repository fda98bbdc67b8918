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

/* A mask of the kernel by its name, such as "__cpu_online_mask": words of 64 bits, as many as ids need. */
enum status cpumask_read(struct dump *d, const char *name, uint64_t ids, void *ret);

/*
 * CPUs of a mask, no more than the possible ones: that of CPUS_PRESENT has those that are there, online or not, of which a
 * virtual machine may have far fewer than possible ones.
 */
#define CPUS_PRESENT "__cpu_present_mask"
#define CPUS_ONLINE "__cpu_online_mask"
enum status cpus_in(struct dump *d, const char *mask, unsigned int *ret);

enum status percpu_open(struct dump *d, struct percpu *ret);

/*
 * The NUMA node of a CPU: the per-CPU variable numa_node, which numa_node_id() reads
 * (mm/page_alloc.c, CONFIG_USE_PERCPU_NUMA_NODE_ID, 5.10 to 7.3).
 */

/* ST_ABSENT: the kernel has no such CPU. For kernels that have nodes: they have the variable. */
enum status cpu_node_read(struct dump *d, uint64_t cpu, unsigned int *ret);

/* How many numbers of NUMA nodes there are: arrays by node are as long. */

/* 1: a kernel without NUMA. */
enum status node_ids_read(struct dump *d, uint64_t *ret);
