/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of files, of fcntl() and flock() and leases, by the inodes that processes have open (fs/locks.c). */
#pragma once

#include "files/open_files.h"

#define FILE_LOCKS_READ 256

struct file_locks {
	struct dump *dump;
	struct structure inode, context, lock;
	uint64_t lock_bytes, lease_bytes; /* from one object of the slab cache to the next */
	/* What inodes were read last, and the file_lock_context of each, 0: none. */
	uint64_t read[FILE_LOCKS_READ][2];
	struct hash_u64 contexts; /* of struct file_users by address of struct file_lock_context */
	struct hash_u64 files;	  /* the same by address of struct file, of those with a context */
};

/* *ret must stay where it is.  ST_ABSENT: built without CONFIG_FILE_LOCKING; ST_UNKNOWN. */
enum status file_locks_find(struct dump *d, struct file_locks *ret);

/* The next walk has the locks of the inode (0: none) of this open file.  The user lives as long as the command. */
enum status file_locks_add(struct file_locks *l, uint64_t file, uint64_t inode,
			   const struct file_user *user);

/*
 * Visits each lock with who keeps it: the processes that have its struct file open, or that which took it
 * with fcntl() and has the inode open; NULL: neither is known.  A problem is told behind the last.
 */
enum status file_locks_walk(const struct file_locks *l,
			    enum status (*visit)(void *arg, const struct file_users *users,
						 uint64_t bytes),
			    void *arg);
