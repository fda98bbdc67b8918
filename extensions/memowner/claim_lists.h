/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of memory whose rows are claims: of which classes it may be, and its words. */
#pragma once

#include "claim_kinds.h"

#define OF_FILES (OF(FILE) | OF(SHMEM) | OF(HUGETLB))

static const struct list_kind {
	const char *by;
	uint32_t memory;
	enum claim_depth depth;
	const char *words; /* in front of its name */
} kinds[] = {
	{ "cgroup", CLAIM_CGROUP, DEPTH_CGROUP, "cgroup " },
	{ "cgroups", OF(ANON), DEPTH_JOINED, "cgroups " },
	{ "vmalloc", OF(VMALLOC), DEPTH_CALLER, "vmalloc areas of " },
	{ "zram", OF(ZSMALLOC), DEPTH_OBJECT, "compressed swap of " },
	{ "zswap", OF(ZSMALLOC), DEPTH_OBJECT, "compressed swap of " },
	{ "page_pool", OF(PAGE_POOL) | OF(DIRECT), DEPTH_OWNER, "page pool of " },
	{ "dma_buf", OF_LISTS | OF(SHMEM), DEPTH_OWNER, "DMA-BUF of " },
	{ "balloon", OF_LISTS, DEPTH_OWNER, "balloon " },
	{ "sockets", OF(SLAB) | OF(DIRECT) | OF(PAGE_POOL), DEPTH_OWNER, "sockets of " },
	{ "bpf", OF(VMALLOC) | OF(PERCPU) | OF(SLAB) | OF(DIRECT), DEPTH_OWNER, "BPF maps of " },
	{ "held", OF_LISTS, DEPTH_OWNER, "" },
	{ "rcu", OF(SLAB), DEPTH_OWNER, "freed memory that waits for RCU, blocked by " },
	{ "ksm", OF(ANON), DEPTH_OWNER, "" },
	{ "fragments", OF(SLAB) | OF(DIRECT) | OF(PAGE_POOL), DEPTH_OWNER, "" },
	{ "qdisc", OF(SLAB) | OF(DIRECT) | OF(PAGE_POOL), DEPTH_OWNER, "" },
	{ "tmpfs", OF_FILES, DEPTH_OBJECT, "tmpfs " },
	{ "ramfs", OF_FILES, DEPTH_OBJECT, "ramfs " },
	{ "rootfs", OF_FILES, DEPTH_OBJECT, "rootfs " },
	{ "sysv_shm", OF_FILES, DEPTH_OBJECT, "" },
	{ "files", OF_FILES, DEPTH_OBJECT, "files of " },
	{ "hugetlb", OF(HUGETLB), DEPTH_OBJECT, "hugetlb pool of " },
	{ "ftrace", OF(DIRECT) | OF(VMALLOC), DEPTH_OWNER, "ftrace " },
	/* The row of the process that has them open says more. */
	{ "perf", OF(DIRECT) | OF(VMALLOC), DEPTH_OBJECT, "" },
	{ "brd", OF(DIRECT), DEPTH_OWNER, "" },
	{ "vmap", OF(DIRECT), DEPTH_CALLER, "pages mapped by " },
	{ "mqueue", OF(SLAB) | OF(DIRECT), DEPTH_OWNER, "POSIX message queues of " },
	{ "conntrack", OF(SLAB), DEPTH_OWNER, "connection tracking of " },
	{ "boot", OF(RESERVED), DEPTH_OWNER, "" },
	{ "sysv_msg", OF(SLAB) | OF(DIRECT), DEPTH_OWNER, "System V message queues, " },
	{ "sysv_sem", OF(SLAB) | OF(DIRECT) | OF(VMALLOC), DEPTH_OWNER, "" },
	/* Who has it is not in its counter. */
	{ "slab", OF(DIRECT), DEPTH_CALLER, "memory of " },
};

/* Lists that the kernel itself has: perf, dma_pool, xfs... */
static const struct list_kind other = { NULL, OF_LISTS, DEPTH_OWNER, NULL };
