/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Path of a struct file as d_path() (fs/d_path.c) prints it: the names of its dentry and of
 * the parents, through the mounts, up to the root of the mount namespace.
 */
#pragma once

#include "dump/dump.h"
#include "util/hash_u64.h"

enum file_path_field {
	FILE_MNT,
	FILE_DENTRY,
	DENTRY_PARENT,
	DENTRY_NAME,
	DENTRY_PPREV,
	DENTRY_OP,
	DENTRY_INODE,
	OPS_DNAME,
	INODE_INO,
	MNT_ROOT,
	MOUNT_MNT,
	MOUNT_PARENT,
	MOUNT_POINT,
	FILE_PATH_FIELDS
};

struct file_paths {
	struct dump *dump;
	struct field f[FILE_PATH_FIELDS];
	struct hash_u64 known; /* by address of struct file */
};

/* *ret must stay where it is: its hash table has a pointer into itself. */
enum status file_paths_open(struct dump *d, struct file_paths *ret);

/*
 * *ret lives as long as the command.  A file that has no name any more ends in " (deleted)".
 * Control characters of a name are octal, "\012", as seq_file_path() writes a newline.
 * ST_CORRUPT: dentries or mounts form a loop, or a name is not one.
 */
enum status file_path(struct file_paths *p, uint64_t file, const char **ret);

/*
 * The same of a dentry seen through a mount, of which mnt is the vfsmount; 0: the path ends at
 * the root of its file system.
 */
enum status dentry_path(struct file_paths *p, uint64_t dentry, uint64_t mnt, const char **ret);

/* Whether a function names it (d_dname): memfd, SysV shared memory, pipes; no directory has it. */
enum status dentry_is_pseudo(struct file_paths *p, uint64_t dentry, bool *ret);
