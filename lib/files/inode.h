/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inodes, the address spaces that have their pages, and their file systems
 * (include/linux/fs.h; super_block: include/linux/fs/super_types.h since 7.0).
 */
#pragma once

#include "dump/structure.h"
#include "util/hash_u64.h"

/* A mounted file system, or an internal one. */
struct super {
	enum status status; /* of the other members */
	uint64_t root;	    /* address of its root dentry, 0: none */
	uint64_t op;	    /* address of its super_operations */
	uint32_t dev;
	uint64_t type_at, type_name, id_at; /* addresses: of its file_system_type, of texts */
	const char *type;		    /* "ext4" */
	const char *id;			    /* s_id: "vda1", or as type */
	bool is_shmem;			    /* tmpfs and what else has its inodes from mm/shmem.c */
};

struct inode {
	uint64_t address, sb;
	uint64_t mapping; /* address of its address_space: i_mapping */
	const struct super *super;
	uint64_t number; /* i_ino */
	uint64_t bytes;	 /* i_size */
	uint64_t alias;	 /* hlist_node of its first dentry, 0: none */
	uint32_t mode, flags, nlink, rdev;
	bool has_mtime, has_ctime; /* false, too: it has none, as one of a block device */
	uint64_t mtime_s, ctime_s; /* since 1970 */
	bool is_swapfile;	   /* swapon() has it */
	bool has_swapped;	   /* swapped is known: an inode of mm/shmem.c */
	uint64_t swapped;	   /* pages of it that are in swap */
};

/* An address_space. */
struct mapping {
	uint64_t host;	  /* address of its inode, 0: none */
	uint64_t nrpages; /* as the kernel counts them */
	uint64_t mmap;	  /* root node of the VMAs that map it, 0: none */
};

struct inodes {
	struct dump *dump;
	struct structure mapping, inode, super, type, shmem;
	struct field swaplist, shmem_inode; /* of struct shmem_inode_info */
	uint64_t shmem_ops;		    /* address, 0: unknown */
	struct hash_u64 supers;		    /* of struct super by address */
};

/* *ret must stay where it is: its hash table has a pointer into itself. */
enum status inodes_open(struct dump *d, struct inodes *ret);

enum status mapping_read(struct inodes *x, uint64_t addr, struct mapping *ret);

/* ST_CORRUPT: its super_block or file_system_type cannot be one. */
enum status inode_read(struct inodes *x, uint64_t addr, struct inode *ret);

/*
 * Calls visit with the address of each inode of mm/shmem.c that may have pages in swap
 * (shmem_swaplist).  ST_ABSENT: the kernel has no such list; any status of visit ends the walk.
 */
enum status inodes_in_swap(struct inodes *x, enum status (*visit)(void *arg, uint64_t inode),
			   void *arg);

/* Bits of i_mode (include/uapi/linux/stat.h). */
#define INODE_FORMAT 0170000U
#define INODE_BLOCK 0060000U
#define INODE_REGULAR 0100000U

static inline unsigned int dev_major(uint32_t dev)
{
	return dev >> 20;
}

static inline unsigned int dev_minor(uint32_t dev)
{
	return dev & 0xfffff;
}

/*
 * When a file was made, which some file systems keep with its inode in memory: statx() has it as stx_btime.
 * i_mtime and i_ctime change with the file.
 */

enum birth_system {
	BIRTH_SHMEM, /* tmpfs, and all other inodes of mm/shmem.c */
	BIRTH_EXT4,
	BIRTH_XFS,
	BIRTH_SYSTEMS
};

struct births {
	struct dump *dump;
	struct {
		bool was_opened;
		struct field inode;   /* the struct inode in that of the file system */
		struct field seconds; /* not present: this kernel keeps none */
	} systems[BIRTH_SYSTEMS];
};

void births_open(struct dump *d, struct births *ret);

/*
 * Seconds since 1970.  ST_ABSENT: its file system, or this kernel, keeps none; or this file has none, as on an
 * ext4 whose inodes have no room for it.
 */
enum status birth_read(struct births *b, const struct inode *inode, uint64_t *ret);

/* Files of file systems that have all of theirs in memory: bpffs (kernel/bpf/inode.c), mqueue (ipc/mqueue.c). */

struct fs_file {
	struct inode inode;
	uint64_t object;  /* i_private: of bpffs a map, a program or a link */
	const char *path; /* NULL: unknown */
};

/*
 * Calls visit with each regular file; type: the variable of the file_system_type.  ST_ABSENT: this kernel has none;
 * ST_UNREADABLE, ST_CORRUPT, ST_UNKNOWN: some are missing.
 */
enum status fs_files_walk(struct dump *d, const char *type,
			  enum status (*visit)(void *arg, const struct fs_file *file), void *arg);
