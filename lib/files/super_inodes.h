/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inodes of a file system and what each has in slab caches beside itself, by the file system's own list of them
 * (s_inodes of struct super_block): whether they are open or not, with pages or without.
 */
#pragma once

#include "files/inode_list.h"
#include "files/super_list.h"
#include "files/xattrs.h"
#include "kernel/list_lru.h"
#include "util/maybe.h"

/* Extended attributes whose objects have the same size, and so are of one cache. */
struct xattr_size {
	uint64_t n, files;
	uint64_t sample; /* address of one */
	uint64_t last;	 /* inode that was counted last */
};

/* Files of one directory that have extended attributes. */
struct xattr_dir {
	uint64_t files, attributes, bytes;
	struct inode file; /* one of them */
};

struct super_inodes {
	uint64_t super; /* address */
	uint64_t inodes;
	uint64_t dentries; /* inodes that have one at least */
	uint64_t blobs;	   /* inodes that have data of a security module */
	uint64_t empty;	   /* regular files of no byte */
	uint64_t watched;  /* inodes that inotify or fanotify watch */
	/* Addresses inside one object of each kind; 0: there is none. */
	uint64_t inode, dentry, blob;
	/* Of them and their dentries, those that the kernel could free: on the LRU lists of the file system. */
	struct maybe_u64 unused;
	/* Of tmpfs; 0 where it is not known whether there are any. */
	uint64_t attributes, attribute_bytes;
	uint64_t attribute_files,
		attribute_empty; /* that have some; of these, regular files of no byte */
	struct hash_u64 sizes;	 /* of struct xattr_size by bytes of an object */
	struct hash_u64 dirs;	 /* of struct xattr_dir by address of the dentry of the directory */
	/* Of tmpfs, uint64_t inodes by the second of their last change; changes_missing: of one it is unknown. */
	struct hash_u64 changes;
	bool changes_missing;
	struct inode root;  /* of its root; address 0: unknown */
	enum status status; /* ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: there may be more */
	const char *problem;
};

struct supers_inodes {
	struct super_list list;
	struct inode_list lists;
	struct inodes inodes;
	struct xattrs xattrs;
	struct list_lrus lrus;
	struct field dentry_lru, inode_lru; /* of struct super_block */
	bool has_lrus;
	const char *xattrs_problem; /* NULL, or why that cannot be asked */
	struct field alias, parent; /* of struct dentry */
	struct structure member;    /* of struct inode, what inode_read() leaves out */
	struct hash_u64 counted;    /* of struct super_inodes by address of the super_block */
	uint64_t n;		    /* inodes of all of them */
};

/*
 * When its inodes were changed last (ctime), in seconds since 1970, which no system call sets: half of them at half_s or
 * later.  Of a file that was not changed since, that is when it was made.
 */
struct super_changes {
	uint64_t first_s, half_s, last_s;
};

/* *ret must stay where it is. */
enum status super_inodes_open(struct dump *d, struct supers_inodes *ret);

/* The address of one inode; 0: it has none. */
enum status super_inodes_sample(struct supers_inodes *x, uint64_t super, uint64_t *ret);

/* Once for each: the second time what was counted. NULL: interrupted. */
const struct super_inodes *super_inodes_count(struct supers_inodes *x, uint64_t super);

/* False: of a file system that is no tmpfs, of none, or of one of them it is unknown. */
bool super_inodes_changes(const struct super_inodes *of, struct dump *d, struct super_changes *ret);
