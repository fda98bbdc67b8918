/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much space a file system has, as statfs(2) says it: ext4 (fs/ext4/super.c), XFS (fs/xfs/xfs_super.c), tmpfs
 * (mm/shmem.c). Those of the kernel's counters that each CPU adds to are summed up.
 */
#pragma once

#include "files/inode.h"
#include "kernel/percpu_counter.h"

struct super_space {
	uint64_t bytes, free; /* f_blocks, f_bfree; in bytes */
	bool is_of_disk;      /* bytes: at most, by the size of the disk */
	bool has_available;
	uint64_t available;   /* of free: what processes without CAP_SYS_RESOURCE may use */
	bool has_inodes;      /* it has a fixed number of them */
	bool has_free_inodes; /* and how many are left is known */
	bool has_no_inodes;   /* there is no such number */
	uint64_t inodes, free_inodes;
	bool is_read_only;  /* SB_RDONLY */
	bool counts_blocks; /* inode.i_blocks of its files is what they have */
};

/*
 * How many blocks ext4 has, and how many root alone may use, stands in its super block, which is a page of the disk's cache:
 * makedumpfile leaves it out. Then the size is that of the disk, and what is available is unknown.
 */
struct super_spaces {
	struct dump *dump;
	struct structure super, disk, disk_inode, shmem, ext4, ext4_disk, xfs;
	struct percpu_counters counters;
	struct field blocks;	  /* of struct inode */
	struct field xfs_counter; /* where the counter of struct xfs_freecounter is, from 6.15 on */
	enum status shmem_status, ext4_status, xfs_status;
	const char *ext4_problem, *xfs_problem; /* what to load */
};

/* *ret must stay where it is. */
enum status super_spaces_open(struct dump *d, struct super_spaces *ret);

/* Whether this build knows how much space file systems of a type have: "ext4". */
bool super_space_knows(const char *type);

/*
 * ST_ABSENT: it is of no type that is known, or has no limit; ST_UNKNOWN: what must be loaded; ST_CORRUPT: more is
 * free than there is.
 */
enum status super_space_read(const struct super_spaces *x, uint64_t super, const char *type,
			     struct super_space *ret);

/* The bytes that an inode has there, of whose file system counts_blocks is true. */
enum status inode_space(const struct super_spaces *x, uint64_t inode, uint64_t *ret);
