/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The NUMA nodes to which the mount option mpol= binds the memory of a tmpfs (mm/shmem.c, mm/mempolicy.c). */
#pragma once

#include "dump/structure.h"
#include "util/strbuf.h"

/*
 * Adds "mpol=bind:1" of the tmpfs with this super_block; nothing where it is mounted without one that binds.  What cannot
 * be read adds nothing.
 */
void shmem_policy_add(struct dump *d, uint64_t super, struct strbuf *b);
