/* SPDX-License-Identifier: GPL-2.0-or-later */
/* File systems that are mounted, with a disk or a limit of their own: their space, and their removed files that are in use. */
#pragma once

#include "files/open_files.h"
#include "files/super_inodes.h"
#include "files/super_space.h"

struct filesystem {
	struct filesystem *next;
	uint64_t super;			/* address of the super_block */
	uint64_t root;			/* of the dentry of its root */
	bool is_shmem;			/* tmpfs, or what else has its files in memory alone */
	const char *mount;		/* "/data" */
	const char *type, *device, *id; /* "ext4", "254:0", "vda" */
	bool has_space, has_available, has_inodes,
		has_free_inodes; /* the last two: of space as well */
	struct super_space space;
	uint64_t used; /* bytes: not free */
	/* By filesystem_find_removed(): files that no directory has any more; not of each type their bytes are known. */
	bool has_removed, has_removed_bytes;
	uint64_t removed, removed_bytes;
	uint64_t largest,
		most; /* inode of the largest, its bytes; 0: there is none, or they are not known */
	/* By filesystems_find_cached(): its inodes in memory, and what keeps them. */
	bool has_cached, has_unused;
	uint64_t cached, named, watched, unused;
	bool has_changes; /* of a tmpfs */
	struct super_changes changes;
};

/* One that is mounted and has no row. */
struct filesystem_left {
	struct filesystem_left *next;
	const char *mount, *type, *why; /* "it has no limit" */
};

struct filesystem_search;
struct filesystems {
	struct filesystem_search *search;
	struct filesystem *first; /* in the order of the list of super blocks */
	struct filesystem_left *left;
	size_t n;
	struct maybe_u64 end_s; /* of the machine, seconds since 1970 */
	size_t of_disk;	    /* of these, those whose size is that of the disk: struct super_space */
	const char *untold; /* types of file systems whose space no decoder knows; NULL: of none */
	const char *problem; /* NULL, or why some may be missing, or a figure of one */
};

/* ST_UNKNOWN: no layout that is known. */
enum status filesystems_collect(struct dump *d, struct filesystems *ret);

/* Looks at each inode of one: what cannot be read is noted in all->problem. */
void filesystem_find_removed(struct filesystems *all, struct filesystem *f);

/* Counts the inodes of all that are in memory: what cannot be read is noted in all->problem.  ST_STOPPED */
enum status filesystems_find_cached(struct filesystems *all);

/* Tenths of a percent of what may be used that is in use, as "Use%" of df; 0: there is none, or it is unknown. */
uint64_t filesystem_used_tenths(const struct filesystem *f);
