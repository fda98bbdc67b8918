/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Extended attributes of inodes of mm/shmem.c (tmpfs), which are in no file and in no count of df: each is a slab object,
 * a struct simple_xattr with the value behind it (fs/xattr.c).
 */
#pragma once

#include "dump/structure.h"
#include "kernel/rb_tree.h"

struct xattrs {
	struct dump *dump;
	struct structure attribute;
	struct field list, node;	/* of struct simple_xattr: in a list; in a tree */
	struct field head, root, inode; /* of struct shmem_inode_info */
	struct rb_types tree;
	size_t fork;
	uint64_t header; /* bytes of a struct simple_xattr without the value */
	uint64_t n;	 /* that were visited */
};

/* ST_UNKNOWN: they are in a form that this build does not know. */
enum status xattrs_open(struct dump *d, struct xattrs *ret);

/*
 * Calls visit with each attribute of an inode of mm/shmem.c: the address of its object, and the bytes that were asked
 * for.  ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: some are missing.
 */
enum status xattrs_walk(struct xattrs *x, uint64_t inode,
			void (*visit)(void *arg, uint64_t object, uint64_t bytes), void *arg);
