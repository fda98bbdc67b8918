/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that has the pages of an address_space: its inode, its kind, its path. */
#pragma once

#include "files/inode_path.h"

enum file_kind {
	FILE_UNKNOWN,
	FILE_REGULAR,
	FILE_TMPFS,
	FILE_MEMFD,
	FILE_SYSV_SHM,
	FILE_SHARED_ANON,  /* MAP_SHARED | MAP_ANONYMOUS: "/dev/zero" */
	FILE_KERNEL_SHMEM, /* of a driver: shmem_file_setup() */
	FILE_HUGETLBFS,
	FILE_BLOCK, /* pages of a block device: metadata of its file system */
	FILE_SWAPFILE,
	FILE_OTHER, /* directories, symbolic links, internal inodes */
	FILE_KINDS
};

extern const char *const file_kind_names[FILE_KINDS + 1]; /* that of FILE_UNKNOWN is NULL */

struct cached_file {
	enum status status; /* of mapping and inode */
	const char *problem;
	struct mapping mapping;
	struct inode inode;
	/* After cached_file_path(). */
	bool has_path_status;
	enum status path_status; /* ST_ABSENT: no dentry has the inode */
	const char *path;	 /* NULL: unknown, or it has none */
	const char *label;	 /* of cached_file_name() where it has no path */
	enum file_kind kind;
	bool never_named; /* it had no name in any directory: memfd and so on */
};

struct cached_files {
	struct dump *dump;
	struct inodes inodes;
	struct inode_paths paths;
	enum status paths_status;
	struct hash_u64 files; /* of struct cached_file by address of address_space */
	const char *problem;   /* NULL, or of the first path that could not be read */
};

/* *ret must stay where it is.  ST_UNKNOWN: a layout that this build does not know. */
enum status cached_files_open(struct dump *d, struct cached_files *ret);

/* Its status tells whether its inode could be read. */
struct cached_file *cached_file_at(struct cached_files *c, uint64_t mapping);

/* Looks its path and its kind up, once.  file->status must be ST_OK. */
void cached_file_path(struct cached_files *c, struct cached_file *file);

/*
 * Its path, or what tells the inode: "[block device 254:0]", "[inode 12 of ext4 vda1]", "[metadata of
 * btrfs vdb]".  NULL: its inode could not be read.
 */
const char *cached_file_name(struct cached_files *c, struct cached_file *file);

/* Whether no directory has it, as "(deleted)" at the end of its name: removed, or memfd and the like. */
static inline bool cached_file_is_deleted(const struct cached_file *f)
{
	return !f->inode.nlink && f->kind != FILE_BLOCK;
}
