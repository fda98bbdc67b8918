/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Path of a struct file as d_path() (fs/d_path.c) prints it: the names of its dentry and of
 * the parents, through the mounts, up to the root of the mount namespace.
 */
#pragma once

#include "dump/structure.h"
#include "util/hash_u64.h"

struct file_paths {
	struct dump *dump;
	struct structure file, dentry, ops, inode, vfsmount, mount;
	struct field mnt;      /* of struct mount */
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

/* The dentry above one, itself if it is a root; the dentry that is the root of a vfsmount. */
enum status dentry_parent(const struct file_paths *p, uint64_t dentry, uint64_t *ret);
enum status vfsmount_root(const struct file_paths *p, uint64_t mnt, uint64_t *ret);
/* The dentry of another file system that it is mounted above; of the first one its own root. */
enum status vfsmount_point(const struct file_paths *p, uint64_t mnt, uint64_t *ret);

/* Whether a function names it (d_dname): memfd, SysV shared memory, pipes; no directory has it. */
enum status dentry_is_pseudo(const struct file_paths *p, uint64_t address, bool *ret);
