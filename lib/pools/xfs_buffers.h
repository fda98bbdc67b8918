/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers of XFS: its metadata blocks in memory (fs/xfs/xfs_buf.c). */
#pragma once

#include "dump/memory_parts.h"
#include "dump/structure.h"
#include "util/hash_u64.h"

struct xfs_buffers {
	struct dump *dump;
	const struct memory_parts *v;
	struct structure buffer, target, mount, super;
	struct hash_u64 targets; /* of struct xfs_target by address of struct xfs_buftarg */
	bool has_types;
	struct first_problem problem;
};

/* ST_UNKNOWN: the types of the module xfs are not known. */
enum status xfs_buffers_open(struct dump *d, const struct memory_parts *v, struct xfs_buffers *ret);

/* One holder for the struct xfs_buf at an address; none where what is there is another object. */
enum status xfs_buffer_visit(void *buffers, uint64_t address);

/*
 * All of them: objects in use of their slab cache.  A name says of which file system, and whether the list_lru
 * of its shrinker has the buffer.  ST_ABSENT: XFS is not in vmlinux, nor a loaded module, or it has no buffer.
 */
enum status xfs_buffers_walk(struct dump *d, const struct memory_parts *v);
