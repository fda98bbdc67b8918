/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Path of an inode where no struct file leads to it: a dentry of the inode, and a mount of its
 * file system, in the mount namespace of init where there is one.
 */
#pragma once

#include "files/dentry_path.h"
#include "files/inode.h"

struct inode_paths {
	struct dump *dump;
	struct field alias_node, alias_pprev, hlist_next; /* of struct dentry and hlist_node */
	struct field super_mounts, super_active, mount_instance, mount_next, mount_ns;
	struct field task_nsproxy, nsproxy_mnt;
	struct file_paths paths;
	size_t fork;		/* how a super_block has its mounts */
	uint64_t namespace;	/* address of init's mnt_namespace, 0: unknown */
	struct hash_u64 mounts; /* of struct super_mounts by address of super_block */
};

/* A mount that is attached in some mount namespace. */
struct mount_place {
	uint64_t root, vfsmount; /* the dentry that is seen there */
	bool by_init;		 /* in the namespace of init */
};

/* *done: no more are asked for. */
typedef enum status mount_visit(void *arg, const struct mount_place *m, bool *done);

struct inode_name {
	const char *path; /* as d_path() has it; without a mount "[tmpfs, not mounted]/x" */
	bool is_pseudo;	  /* no directory has it: memfd, SysV shared memory, a shared mapping */
};

/* *ret must stay where it is. */
enum status inode_paths_open(struct dump *d, struct inode_paths *ret);

/* ST_ABSENT: no dentry has the inode; ST_UNREADABLE, ST_CORRUPT: of a dentry or a mount. */
enum status inode_path(struct inode_paths *p, const struct inode *inode, struct inode_name *ret);

/* Where the file system of an inode, or a part of it, is mounted; "[tmpfs, not mounted]": nowhere. */
enum status inode_mount_path(struct inode_paths *p, const struct inode *inode, const char **ret);

/* The attached mounts of a super_block.  ST_CORRUPT: they form a loop, or are not all that must be there; ST_STOPPED. */
enum status super_mounts_walk(struct inode_paths *p, uint64_t super, mount_visit *visit, void *arg);
