/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All inodes of a file system, by its own list of them: s_inodes of struct super_block. */
#pragma once

#include "dump/structure.h"
#include "kernel/list.h"

struct inode_list {
	struct dump *dump;
	struct field head, node; /* of struct super_block, of struct inode */
	struct field supers,
		instance; /* the same of a file_system_type, of which there may be several */
};

enum status inode_list_open(struct dump *d, struct inode_list *ret);

/*
 *	struct list_nodes nodes = inode_list_nodes(&x, super);
 *
 *	while (inode_list_next(&x, &nodes, &inode))
 *		...
 *	st = list_end(&nodes);
 */
struct list_nodes inode_list_nodes(const struct inode_list *x, uint64_t super);
bool inode_list_next(const struct inode_list *x, struct list_nodes *nodes, uint64_t *inode);

/*
 * Calls visit with the address of each inode of each file system of a type; type: the variable of the file_system_type.
 * A status of visit ends the walk, and is that of it. ST_ABSENT: this kernel has no such type; ST_UNREADABLE,
 * ST_CORRUPT, ST_UNKNOWN: some inodes are missing, those that there are were visited.
 */
enum status inode_list_walk(struct dump *d, const char *type,
			    enum status (*visit)(void *arg, uint64_t inode), void *arg);
