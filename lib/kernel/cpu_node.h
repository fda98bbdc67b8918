/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NUMA node of a CPU: the per-CPU variable numa_node, which numa_node_id() reads
 * (mm/page_alloc.c, CONFIG_USE_PERCPU_NUMA_NODE_ID, 5.10 to 7.3).
 */
#pragma once

#include "dump/dump.h"

/* ST_ABSENT: the kernel has no such CPU. For kernels that have nodes: they have the variable. */
enum status cpu_node_read(struct dump *d, uint64_t cpu, unsigned int *ret);
