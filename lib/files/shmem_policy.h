/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The NUMA nodes to which the mount option mpol= binds the memory of a tmpfs (mm/shmem.c, mm/mempolicy.c). */
#pragma once

#include "dump/structure.h"
#include "util/strbuf.h"

struct shmem_policies {
	struct dump *dump;
	struct structure super, info, policy;
	struct field nodes; /* of struct mempolicy */
	int64_t bind;	    /* MPOL_BIND */
};

/* ST_ABSENT: this kernel has no policies of memory. */
enum status shmem_policies_open(struct dump *d, struct shmem_policies *ret);

/* Adds "mpol=bind:1" of the tmpfs with this super_block; nothing where it is mounted without one that binds. */
enum status shmem_policy_add(const struct shmem_policies *p, uint64_t super, struct strbuf *b);
