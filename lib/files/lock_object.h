/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which object of a file system a lock is a member of: struct inode or struct super_block, by the address of the lock.
 * A super_block is one where it is in super_blocks, an inode where its super_block is and its i_data names it.
 */
#pragma once

#include "files/super_list.h"

#define LOCK_MEMBERS 6

struct lock_objects {
	struct dump *dump;
	struct inodes inodes;
	struct inode_paths paths;
	bool has_inodes, has_paths;
	struct super_list list;
	struct field host; /* of struct inode: i_data.host */
	struct field member[LOCK_MEMBERS];
	struct hash_u64 supers; /* of super_blocks, by address */
};

/* *ret must stay where it is. Super_blocks that the list does not have are none: no lock is named by them. */
enum status lock_objects_open(struct dump *d, struct lock_objects *ret);

/* "i_rwsem of /srv/db", "s_umount of /srv (vda)"; NULL: it is a member of none of these, or that is unknown. */
const char *lock_object_name(struct lock_objects *x, uint64_t lock);
