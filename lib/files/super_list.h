/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All mounted file systems, internal ones too: super_blocks, by its s_list (fs/super.c). */
#pragma once

#include "files/inode_path.h"
#include "kernel/list.h"

struct super_list {
	struct dump *dump;
	uint64_t head;
	struct field node, root; /* of struct super_block */
	struct field dentry_inode;
};

enum status super_list_open(struct dump *d, struct super_list *ret);

/*
 *	struct list_nodes nodes = super_list_nodes(&x);
 *
 *	while (super_list_next(&x, &nodes, &super))
 *		...
 *	st = list_end(&nodes);
 */
struct list_nodes super_list_nodes(const struct super_list *x);
bool super_list_next(const struct super_list *x, struct list_nodes *nodes, uint64_t *super);

/* The inode of its directory; false: it has none, or it cannot be read, or is of another super_block. */
bool super_root(const struct super_list *x, struct inodes *inodes, uint64_t super,
		struct inode *ret);

/* "/srv (vda)", or "vda (ext4)" where paths is NULL or where it is mounted cannot be read. */
const char *super_name(struct dump *d, struct inode_paths *paths, const struct inode *root);

/*
 * Where the file system on a disk or on the partition of one is mounted, "/srv (ext4)": *ret NULL, no list says that
 * there is one. Another status than ST_OK: one may be missing.
 */
enum status super_of_disk(struct dump *d, const char *disk, const char **ret);
